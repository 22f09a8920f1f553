//! The safetensors format: named tensors behind a JSON header.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Named tensors of 32-bit floats and a map of texts, as a safetensors file holds them.
///
/// The written bytes depend on the content only.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Safetensors {
    /// Texts by key.
    pub metadata: BTreeMap<String, String>,
    /// Tensors by name: dimensions and numbers, row-major.
    pub tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

/// A tensor in the header.
#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Entry>,
}

/// The longest header read, in bytes.
const LONGEST_HEADER: usize = 16 << 20;

impl Safetensors {
    /// Adds a tensor.
    ///
    /// # Panics
    /// If the dimensions do not multiply to the number of elements.
    pub fn insert(&mut self, name: impl Into<String>, dims: &[usize], numbers: &[f32]) {
        assert_eq!(dims.iter().product::<usize>(), numbers.len(), "dimensions and numbers disagree");
        self.tensors.insert(name.into(), (dims.to_vec(), numbers.to_vec()));
    }

    /// The content of a file.
    ///
    /// # Errors
    /// If the bytes are no safetensors file, cut off, hold other numbers than F32, or the numbers
    /// do not fit into the memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Safetensors, FormatError> {
        let fail = |text: String| Err(FormatError(text));
        let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
            return fail(format!("{} bytes are too few for a safetensors file", bytes.len()));
        };
        let length = u64::from_le_bytes(*length);
        let header_length = usize::try_from(length).unwrap_or(usize::MAX);
        if header_length > LONGEST_HEADER {
            return fail(
                "not a safetensors file: its first 8 bytes are not a plausible header length".into(),
            );
        }
        let Some((header, data)) = rest.split_at_checked(header_length) else {
            return fail(format!(
                "cut off: the header has {length} bytes, of which {} are there",
                rest.len()
            ));
        };
        let header: Header = match serde_json::from_slice(header) {
            Ok(header) => header,
            Err(error) => return fail(format!("not a safetensors file: its header cannot be read: {error}")),
        };
        let mut spans: Vec<[usize; 2]> = header.tensors.values().map(|entry| entry.data_offsets).collect();
        spans.sort_unstable();
        let end = spans.iter().try_fold(0, |end, span| (span[0] == end).then_some(span[1]));
        match end {
            None => return fail("corrupt: the header's tensors overlap or leave gaps".into()),
            Some(end) if end > data.len() => {
                return fail(format!("cut off: {} of {end} bytes of numbers are there", data.len()));
            }
            Some(end) if end < data.len() => {
                return fail(format!("corrupt: {} bytes follow the last tensor", data.len() - end));
            }
            Some(_) => {}
        }
        let mut tensors = BTreeMap::new();
        for (name, Entry { dtype, shape, data_offsets: [start, end] }) in header.tensors {
            if dtype != "F32" {
                return fail(format!("tensor {name} has numbers of type {dtype}, only F32 is read"));
            }
            let size = shape.iter().try_fold(4_usize, |size, &n| size.checked_mul(n));
            let bytes = data.get(start..end).filter(|bytes| Some(bytes.len()) == size);
            let Some(bytes) = bytes else {
                return fail(format!(
                    "corrupt: tensor {name} {shape:?} has not {start} to {end} as its bytes"
                ));
            };
            let mut numbers = Vec::new();
            if numbers.try_reserve_exact(bytes.len() / 4).is_err() {
                return fail(format!(
                    "tensor {name} {shape:?} needs {} bytes of memory, which are not available",
                    bytes.len()
                ));
            }
            numbers.extend(bytes.as_chunks().0.iter().map(|&chunk| f32::from_le_bytes(chunk)));
            tensors.insert(name, (shape, numbers));
        }
        Ok(Safetensors { metadata: header.metadata, tensors })
    }

    /// The bytes of a file.
    #[expect(clippy::missing_panics_doc, reason = "texts and numbers always make JSON")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut end = 0;
        let entry = |(name, (dims, numbers)): (&String, &(Vec<usize>, Vec<f32>))| {
            let start = end;
            end += 4 * numbers.len();
            let entry = Entry { dtype: "F32".into(), shape: dims.clone(), data_offsets: [start, end] };
            (name.clone(), entry)
        };
        let tensors = self.tensors.iter().map(entry).collect();
        let header = Header { metadata: self.metadata.clone(), tensors };
        let mut header = serde_json::to_vec(&header).expect("texts and numbers make JSON");
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut header);
        bytes.extend(self.tensors.values().flat_map(|(_, numbers)| numbers).flat_map(|x| x.to_le_bytes()));
        bytes
    }
}

/// Why bytes cannot be read as a safetensors file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError(String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Safetensors {
        let mut sample = Safetensors::default();
        sample.metadata.insert("key".into(), "a \"text\"".into());
        sample.insert("b", &[2, 3], &[1.0, -2.5, 3.0, 4.0, f32::MIN_POSITIVE, 0.1]);
        sample.insert("a", &[], &[7.0]);
        sample
    }

    /// A file with this header and these many bytes of numbers.
    fn file(header: &str, data: usize) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        bytes.resize(bytes.len() + data, 0);
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = sample().to_bytes();
        assert_eq!(Safetensors::from_bytes(&bytes).unwrap(), sample());
        assert_eq!(u64::from_le_bytes(bytes[..8].try_into().unwrap()) % 8, 0, "numbers are aligned");
        let empty = Safetensors::default();
        assert_eq!(Safetensors::from_bytes(&empty.to_bytes()).unwrap(), empty);
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = sample().to_bytes();
        for end in 0..bytes.len() {
            assert!(Safetensors::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let entry = |dtype, dims, offsets| {
            format!(r#"{{"t":{{"dtype":"{dtype}","shape":{dims},"data_offsets":{offsets}}}}}"#)
        };
        for (bytes, words) in [
            (b"short".to_vec(), "too few"),
            (b"PK\x03\x04 zip file, not ours".to_vec(), "header length"),
            (file("{ nonsense", 0), "cannot be read"),
            (file(&entry("F16", "[2]", "[0,4]"), 4), "F16, only F32"),
            (file(&entry("F32", "[2]", "[0,4]"), 4), "tensor t [2]"),
            (file(&entry("F32", "[4611686018427387904,4]", "[0,4]"), 4), "tensor t"),
            (file(&entry("F32", "[1]", "[4,8]"), 8), "gaps"),
            (file(&entry("F32", "[1]", "[0,4]"), 5), "1 bytes follow"),
            (file(&entry("F32", "[2]", "[0,8]"), 7), "7 of 8 bytes"),
            (file(&entry("F32", "[2]", "[8,0]"), 0), "gaps"),
        ] {
            let error = Safetensors::from_bytes(&bytes).unwrap_err().to_string();
            assert!(error.contains(words), "{error:?} lacks {words:?}");
        }
    }
}
