//! Network files: safetensors with the network's shape as metadata.

use crate::layout::{Layout, Tensor};
use crate::parameters::Parameters;
use crate::safetensors::{FormatError, Safetensors};
use crate::shape::Shape;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What a file's metadata calls the format of a network for one board, that of a pooling network,
/// that of a network for one board with a number of actions, and that of a pooling network with
/// outputs for training alone.
const FORMATS: [&str; 4] = ["tesuji-net 1", "tesuji-net 2", "tesuji-net 3", "tesuji-net 4"];

/// Texts by key that a file has besides the network, about how it was made. The keys of the shape,
/// `format` and `checksum` are reserved.
pub type Notes = BTreeMap<String, String>;

/// Keys that the format itself uses.
const MEASURES: [&str; 11] = [
    "board",
    "planes",
    "filters",
    "blocks",
    "policy_filters",
    "value_filters",
    "value_hidden",
    "globals",
    "actions",
    "replies",
    "horizons",
];

/// Whether a file of this format has a measure. The first seven are in all of them.
fn has(format: usize, measure: usize) -> bool {
    let more: &[usize] = [&[][..], &[7], &[8], &[7, 9, 10]][format];
    measure < 7 || more.contains(&measure)
}

/// The format of the files of a network.
fn format_of(shape: &Shape) -> usize {
    match shape {
        shape if shape.pools() => 1 + 2 * usize::from(shape.replies > 0 || shape.horizons > 0),
        shape => 2 * usize::from(shape.actions > 0),
    }
}

impl Parameters {
    /// Writes the network to a file, with notes on how it was made. The file appears whole or not
    /// at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, notes: &Notes) -> Result<(), FileError> {
        write_atomic(path, self.to_safetensors(notes))
    }

    /// Reads a network and its notes from a file that [`Parameters::save`] or another program wrote
    /// in this form. A checkpoint of a [`Trainer`](crate::Trainer) is such a file, too.
    ///
    /// # Errors
    /// If there is no such file, or it is cut off, corrupt, no network, or its tensors are not
    /// those of its measures.
    pub fn load(path: &Path) -> Result<(Parameters, Notes), FileError> {
        let fail = |problem| FileError { path: path.to_owned(), problem };
        let bytes = read_file(path).map_err(|error| fail(Problem::Io(error)))?;
        Parameters::from_bytes(&bytes).map_err(fail)
    }

    /// [`Parameters::load`] from bytes in memory.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Parameters, Notes), Problem> {
        let file = Safetensors::from_bytes(bytes).map_err(Problem::Format)?;
        let parameters = Parameters::from_safetensors(&file)?;
        Ok((parameters, notes_of(&file)))
    }

    /// The content of a network file.
    pub(crate) fn to_safetensors(&self, notes: &Notes) -> Safetensors {
        let mut file = Safetensors { metadata: notes.clone(), ..Safetensors::default() };
        let format = format_of(self.shape());
        file.metadata.insert("format".into(), FORMATS[format].into());
        for (measure, value) in self.shape().measures().into_iter().enumerate() {
            if has(format, measure) {
                file.metadata.insert(MEASURES[measure].into(), value.to_string());
            }
        }
        for tensor in &self.layout.tensors {
            file.insert(&tensor.name, &tensor.dims, self.of(tensor));
        }
        file
    }

    /// The network in the content of a file.
    pub(crate) fn from_safetensors(file: &Safetensors) -> Result<Parameters, Problem> {
        let text = |key: &str| {
            let found = file.metadata.get(key).map(String::as_str);
            found.ok_or_else(|| Problem::Metadata(format!("{key} is missing")))
        };
        let named = text("format")?;
        let Some(format) = FORMATS.iter().position(|known| *known == named) else {
            let reads = format!("{:?} to {:?}", FORMATS[0], FORMATS[FORMATS.len() - 1]);
            return Err(Problem::Metadata(format!("format is {named:?}, this version reads {reads}")));
        };
        let mut numbers = [0; MEASURES.len()];
        for (at, (measure, key)) in numbers.iter_mut().zip(MEASURES).enumerate() {
            if !has(format, at) {
                continue;
            }
            let value = text(key)?;
            let wrong = |_| Problem::Metadata(format!("{key} is {value:?}, but must be a number"));
            *measure = value.parse().map_err(wrong)?;
        }
        let shape = Shape::from_measures(numbers);
        if format_of(&shape) != format {
            let (key, most) = match format {
                2 => ("actions", 65_536),
                3 if shape.pools() => ("horizons", 3),
                _ => ("globals", 1024),
            };
            return Err(Problem::Metadata(format!("{key} is \"0\", but must be 1 to {most}")));
        }
        let shape = shape.checked().map_err(|error| Problem::Metadata(error.to_string()))?;
        // Before memory is taken for as many numbers as the metadata say.
        let layout = Layout::new(&shape);
        layout.tensors.iter().try_for_each(|tensor| numbers_of(file, "", tensor).map(|_| ()))?;
        ask_for_memory((layout.learned + layout.statistics) * size_of::<f32>())?;
        let mut parameters = Parameters::zeroed(shape);
        parameters.fill(file, "", true)?;
        let known = |name: &str| {
            parameters.tensor(name).is_some() || name.starts_with(MOMENTUM) || name.starts_with(RAW)
        };
        if let Some(name) = file.tensors.keys().find(|name| !known(name)) {
            return Err(Problem::Tensor(format!("{name} does not belong to a network of {shape}")));
        }
        match file.metadata.get(CHECKSUM) {
            Some(written) if *written != checksum(file) => Err(Problem::Checksum),
            _ => Ok(parameters),
        }
    }

    /// Takes every tensor, statistics only if wanted, from the one in the file whose name has this
    /// prefix before it.
    pub(crate) fn fill(&mut self, file: &Safetensors, prefix: &str, statistics: bool) -> Result<(), Problem> {
        for tensor in self.layout.tensors.clone() {
            if tensor.is_statistic && !statistics {
                continue;
            }
            let (name, numbers) = numbers_of(file, prefix, &tensor)?;
            if let Some(x) = numbers.iter().find(|x| !x.is_finite()) {
                return Err(Problem::Tensor(format!("{name} holds {x}, which is not a finite number")));
            }
            if tensor.name.ends_with("running_var") && numbers.iter().any(|&x| x < 0.0) {
                return Err(Problem::Tensor(format!("{name} holds a negative variance")));
            }
            let to = self.tensor_mut(&tensor.name).expect("the layout names its tensors");
            to.copy_from_slice(numbers);
        }
        Ok(())
    }
}

/// The tensor of a file that has this prefix before its name: the whole name, and its numbers.
fn numbers_of<'a>(
    file: &'a Safetensors,
    prefix: &str,
    tensor: &Tensor,
) -> Result<(String, &'a [f32]), Problem> {
    let name = format!("{prefix}{}", tensor.name);
    let Some((dims, numbers)) = file.tensors.get(&name) else {
        return Err(Problem::Tensor(format!("{name} is missing")));
    };
    if *dims != tensor.dims {
        let wanted = &tensor.dims;
        return Err(Problem::Tensor(format!("{name} is {dims:?}, its measures say {wanted:?}")));
    }
    Ok((name, numbers))
}

/// The key of the checksum, which files of other programs need not have.
const CHECKSUM: &str = "checksum";

/// A hash (FNV-1a, 64 bits) of the other metadata, keys and values each ended by a zero, and of
/// names, then numbers, of the tensors.
fn checksum(file: &Safetensors) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    for (key, value) in file.metadata.iter().filter(|(key, _)| *key != CHECKSUM) {
        key.bytes().chain([0]).chain(value.bytes()).chain([0]).for_each(&mut add);
    }
    for (name, (_, numbers)) in &file.tensors {
        name.bytes().for_each(&mut add);
        numbers.iter().flat_map(|x| x.to_le_bytes()).for_each(&mut add);
    }
    format!("{hash:016x}")
}

/// The prefix of the names of the optimizer's tensors.
pub(crate) const MOMENTUM: &str = "momentum/";

/// The prefix of the names of the last parameters, where the network is their mean.
pub(crate) const RAW: &str = "raw/";

/// The metadata of a file that are not the format's own.
pub(crate) fn notes_of(file: &Safetensors) -> Notes {
    let own = |key: &str| key == "format" || key == CHECKSUM || MEASURES.contains(&key);
    let notes = file.metadata.iter().filter(|(key, _)| !own(key));
    notes.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The largest file that is read, in bytes: mean, numbers and momentum of as many parameters as a
/// network may have, and a header. Whatever is larger is no network file, and its bytes would fill
/// the memory before that is seen.
const LARGEST: u64 = 12 * Shape::MOST_PARAMETERS as u64 + (32 << 20);

/// The bytes of a network file.
///
/// # Errors
/// If it cannot be read, is a directory, a pipe or a device, is larger than any network file (1.5
/// GiB and 32 MiB), or its bytes do not fit into the memory.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    // Whoever opens a pipe waits for its writer.
    is_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    is_regular(&metadata)?;
    let length = metadata.len();
    if length > LARGEST {
        let message = format!("{length} bytes are more than a network file has; accepted: at most {LARGEST}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    // No more than that, should it grow.
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_regular(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a directory" } else { "a pipe or a device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}; accepted: a regular file")))
}

/// Asks for as much memory, in one piece, and gives it back: what takes it next, bit by bit, would
/// end the program if it were not there.
pub(crate) fn ask_for_memory(bytes: usize) -> Result<(), Problem> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| Problem::Memory(bytes))
}

/// Makes the names in a directory last through a loss of power.
fn sync_directory(dir: &Path) -> io::Result<()> {
    // Elsewhere directories cannot be opened.
    if cfg!(unix) {
        let here = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        File::open(here)?.sync_all()?;
    }
    Ok(())
}

/// Writes a file with its checksum through a second one beside it, which takes its name once it is
/// on the disk.
pub(crate) fn write_atomic(path: &Path, mut content: Safetensors) -> Result<(), FileError> {
    content.metadata.insert(CHECKSUM.into(), checksum(&content));
    let write = || -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let mut file = File::create(&partial)?;
        file.write_all(&content.to_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, path)?;
        sync_directory(path.parent().unwrap_or(Path::new("")))
    };
    write().map_err(|error| FileError { path: path.to_owned(), problem: Problem::Io(error) })
}

/// A fault of a network file.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no whole safetensors file.
    Format(FormatError),
    /// Its metadata do not describe a network.
    Metadata(String),
    /// Its tensors are not those of the network described.
    Tensor(String),
    /// Its metadata and tensors differ from those that were written.
    Checksum,
    /// This number of bytes of memory is not available.
    Memory(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => write!(f, "{error}"),
            Problem::Format(error) => write!(f, "{error}"),
            Problem::Metadata(text) => write!(f, "not a network file: in its metadata {text}"),
            Problem::Tensor(text) => write!(f, "tensor {text}"),
            Problem::Checksum => {
                f.write_str("corrupt: metadata or numbers differ from those that were written")
            }
            Problem::Memory(bytes) => {
                write!(f, "its network needs {bytes} bytes of memory, which are not available")
            }
        }
    }
}

impl std::error::Error for Problem {}

/// A network file that cannot be read or written.
#[derive(Debug)]
pub struct FileError {
    pub(crate) path: PathBuf,
    pub(crate) problem: Problem,
}

impl FileError {
    /// The fault.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for FileError {}
