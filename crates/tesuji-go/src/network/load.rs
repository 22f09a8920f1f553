//! Networks of the project and of files.

use super::{Inputs, NetEvaluator, PlanesError};
use crate::rules::{Komi, Rules};
use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::SystemTime;
use std::{fmt, fs, io};
use tesuji::NetworkOptions;
use tesuji_net::graph::{BoardGraph, Graph, GraphEvaluator};
use tesuji_net::{Evaluator, FileError, Network, Notes, Parameters, Problem, is_katago, read_file};

/// The name of the pooling networks that come with this crate, in place of a file's path. One has
/// learned on 9x9 and plays on boards below 13x13; the other has learned on several sizes, and
/// plays on larger boards.
pub const POOLING: &str = "built-in:pooling";

/// The size of the board for which the network without a name is.
const BUILT_IN: usize = 9;

/// The largest board.
const LARGEST: usize = 19;

const FILE: &[u8] = include_bytes!("../../networks/9x9.safetensors");

const SMALL_FILE: &[u8] = include_bytes!("../../networks/small.safetensors");

const LARGE_FILE: &[u8] = include_bytes!("../../networks/large.safetensors");

/// From here on the pooling network for large boards plays.
const LARGE: usize = 13;

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let (parameters, _) = Parameters::from_bytes(FILE).expect("the file is part of the crate");
    Arc::new(Network::new(&parameters))
});

/// The path of the file that these options name; none if the network comes with this crate.
pub fn file(options: &NetworkOptions) -> Option<&str> {
    options.file.as_deref().filter(|&file| file != POOLING)
}

/// The content of the network file that these options name, whatever its path; of [`POOLING`] that
/// of both files.
///
/// # Errors
/// If the file cannot be read.
pub fn content(options: &NetworkOptions) -> io::Result<Cow<'static, [u8]>> {
    match options.file.as_deref() {
        Some(POOLING) => Ok(Cow::Owned([SMALL_FILE, LARGE_FILE].concat())),
        Some(file) => read_file(Path::new(file)).map(Cow::Owned),
        None => Ok(Cow::Borrowed(FILE)),
    }
}

/// The parameters of a file of this project for a board of this size, and its notes.
fn parameters(file: &str, size: usize) -> Result<(Parameters, Notes), NetworkError> {
    match file {
        POOLING => {
            let content = if size < LARGE { SMALL_FILE } else { LARGE_FILE };
            Ok(Parameters::from_bytes(content).expect("the file is part of the crate"))
        }
        _ => Parameters::load(Path::new(file)).map_err(NetworkError::File),
    }
}

/// The only board size of the network that these options name, or of the one that comes with this
/// crate. None for a pooling network or one of KataGo's, which play on every size.
///
/// # Errors
/// If the file cannot be read.
pub fn only_board(options: &NetworkOptions) -> Result<Option<usize>, NetworkError> {
    let Some(file) = &options.file else { return Ok(Some(BUILT_IN)) };
    if katago_content(file)?.is_some() {
        return Ok(None);
    }
    let (parameters, _) = parameters(file, BUILT_IN)?;
    let shape = parameters.shape();
    Ok((!shape.pools()).then_some(shape.board))
}

/// The largest size of the board that a network is for, as [`only_board`] tells it.
///
/// # Errors
/// If the file cannot be read.
pub fn board(options: &NetworkOptions) -> Result<usize, NetworkError> {
    Ok(only_board(options)?.unwrap_or(LARGEST))
}

/// The komi that the network of these options assumes in every game: that of the games from which
/// it learned. It is in the file's metadata; otherwise it is 7.5, the default of training. None for
/// a pooling network, which sees the komi.
///
/// # Errors
/// If the file cannot be read, or is one of KataGo's, whose networks see the komi.
pub fn komi(options: &NetworkOptions) -> Result<Option<Komi>, NetworkError> {
    let Some(file) = &options.file else { return Ok(Some(Rules::default().komi)) };
    let (parameters, notes) = parameters(file, BUILT_IN)?;
    if parameters.shape().pools() {
        return Ok(None);
    }
    let noted = notes.get("komi").and_then(|komi| komi.parse().ok());
    Ok(Some(noted.unwrap_or(Rules::default().komi)))
}

/// An evaluator by the network that these options name, for a board of this size.
///
/// # Errors
/// As for [`load`]; a pooling network and one of KataGo's are for every size.
pub fn evaluator(options: &NetworkOptions, size: usize) -> Result<NetEvaluator, NetworkError> {
    if let Some(file) = &options.file
        && let Some(graph) = graph(file, size)?
    {
        return Ok(NetEvaluator::with_graph(graph, options));
    }
    let network = load(options, size)?;
    NetEvaluator::new(network, options).map_err(|error| {
        let file = options.file.clone().unwrap_or_default();
        NetworkError::Planes { file, error }
    })
}

/// The content of a file, if it is one of KataGo's.
fn katago_content(file: &str) -> Result<Option<Vec<u8>>, NetworkError> {
    if file == POOLING {
        return Ok(None);
    }
    let fail = |error| NetworkError::Io { file: file.to_owned(), error };
    let content = read_file(Path::new(file)).map_err(fail)?;
    Ok(is_katago(file, &content).then_some(content))
}

/// A network of KataGo's kind that somebody uses, which others may use as well.
struct Used {
    file: String,
    /// When the file was changed last, and its length.
    state: (Option<SystemTime>, u64),
    graph: Weak<BoardGraph>,
}

static USED: Mutex<Vec<Used>> = Mutex::new(Vec::new());

/// The pooling network of a file, or KataGo's, ready for boards of this size; none if the file is
/// another's. It is read once for all that use it at the same time, since its weights take much of
/// the processor's caches.
fn graph(file: &str, size: usize) -> Result<Option<Arc<BoardGraph>>, NetworkError> {
    let fail = |error| NetworkError::Io { file: file.to_owned(), error };
    let state = match file {
        POOLING => (None, 0),
        _ => fs::metadata(file).map(|metadata| (metadata.modified().ok(), metadata.len())).map_err(fail)?,
    };
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    used.retain(|used| used.graph.strong_count() > 0);
    let same = used.iter().filter(|used| used.file == file && used.state == state);
    if let Some(graph) = same.filter_map(|used| used.graph.upgrade()).find(|graph| graph.board() == size) {
        return Ok(Some(graph));
    }
    let named = |error: String| NetworkError::KataGo { file: file.to_owned(), error };
    let graph = match katago_content(file)? {
        Some(content) => Graph::from_katago(&content).map_err(|error| named(error.to_string()))?,
        None => {
            let (parameters, _) = parameters(file, size)?;
            let Some(graph) = Graph::of(&parameters) else { return Ok(None) };
            Inputs::new(parameters.shape())
                .map_err(|error| NetworkError::Planes { file: file.to_owned(), error })?;
            graph
        }
    };
    let graph = Arc::new(BoardGraph::new(&graph, size).map_err(|error| named(error.to_string()))?);
    if !GraphEvaluator::new(graph.clone()).is_finite() {
        return Err(NetworkError::Overflow { file: file.to_owned() });
    }
    used.push(Used { file: file.to_owned(), state, graph: Arc::downgrade(&graph) });
    Ok(Some(graph))
}

/// The network that these options name, for a board of this size: that of the file, or else the one
/// that comes with this crate.
///
/// # Errors
/// If there is no such network, the file cannot be read, or its network is for another size or
/// pools, shows no position, or has numbers that are too great.
pub fn load(options: &NetworkOptions, size: usize) -> Result<Arc<Network>, NetworkError> {
    let Some(file) = &options.file else {
        return if size == BUILT_IN { Ok(NETWORK.clone()) } else { Err(NetworkError::NotBuiltIn { size }) };
    };
    let (parameters, _) = parameters(file, size)?;
    let (shape, file) = (parameters.shape(), file.clone());
    if shape.board != size || shape.pools() {
        return Err(NetworkError::Board { file, board: shape.board, size });
    }
    if let Err(error) = super::Planes::of(shape) {
        return Err(NetworkError::Planes { file, error });
    }
    let network = match Network::try_new(&parameters) {
        Ok(network) => Arc::new(network),
        Err(problem) => return Err(NetworkError::Memory { file, problem }),
    };
    if Evaluator::new(network.clone()).is_finite() {
        Ok(network)
    } else {
        Err(NetworkError::Overflow { file })
    }
}

/// A network cannot be used.
#[derive(Debug)]
pub enum NetworkError {
    /// No network for this board size comes with this crate.
    NotBuiltIn {
        /// The size.
        size: usize,
    },
    /// A file cannot be read.
    File(FileError),
    /// A file cannot be read.
    Io {
        /// The file.
        file: String,
        /// How so.
        error: io::Error,
    },
    /// A file is not a network of KataGo's, or one that this crate cannot compute.
    KataGo {
        /// The file.
        file: String,
        /// How so.
        error: String,
    },
    /// A file's network is for another size of the board.
    Board {
        /// The file.
        file: String,
        /// What the network is for.
        board: usize,
        /// The size of the game's board.
        size: usize,
    },
    /// A file's network has no planes for a position.
    Planes {
        /// The file.
        file: String,
        /// How so.
        error: PlanesError,
    },
    /// There is no memory for a file's network.
    Memory {
        /// The file.
        file: String,
        /// How much is needed.
        problem: Problem,
    },
    /// A file's numbers are so large that the outputs of its network are not finite.
    Overflow {
        /// The file.
        file: String,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotBuiltIn { size } => write!(
                f,
                "no network for {size}x{size} alone comes with the program, only one for {BUILT_IN}x{BUILT_IN}; accepted as \
                 network.file: {POOLING}, or the file of one"
            ),
            NetworkError::File(error) => error.fmt(f),
            NetworkError::Io { file, .. } if file.starts_with(NetworkOptions::BUILT_IN) => {
                write!(f, "{file}: no such network comes with the program; accepted: {POOLING}, or a file")
            }
            NetworkError::Io { file, error } => write!(f, "{file}: {error}"),
            NetworkError::KataGo { file, error } => write!(f, "{file}: {error}"),
            NetworkError::Board { file, board, size } => {
                write!(
                    f,
                    "{file}: a network for {board}x{board}; accepted in this game: one for {size}x{size}"
                )
            }
            NetworkError::Planes { file, error } => write!(f, "{file}: {error}"),
            NetworkError::Memory { file, problem } => write!(f, "{file}: {problem}"),
            NetworkError::Overflow { file } => {
                write!(
                    f,
                    "{file}: its numbers are too large: if all planes are 1, the evaluation is not finite"
                )
            }
        }
    }
}

impl std::error::Error for NetworkError {}
