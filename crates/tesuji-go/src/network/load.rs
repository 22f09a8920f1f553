//! Networks of the project and of files.

use super::PlanesError;
use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::{fmt, fs, io};
use tesuji::NetworkOptions;
use tesuji_net::{Evaluator, FileError, Network, Parameters};

/// The size of the board for which a network comes with this crate.
const BUILT_IN: usize = 9;

const FILE: &[u8] = include_bytes!("../../networks/9x9.safetensors");

static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let (parameters, _) = Parameters::from_bytes(FILE).expect("the file is part of the crate");
    Arc::new(Network::new(&parameters))
});

/// The content of the network file that these options name, wherever it lies.
///
/// # Errors
/// If the file cannot be read.
pub fn content(options: &NetworkOptions) -> io::Result<Cow<'static, [u8]>> {
    match &options.file {
        Some(file) => fs::read(file).map(Cow::Owned),
        None => Ok(Cow::Borrowed(FILE)),
    }
}

/// The size of the board that the network is for which these options name, or of the one that comes with this crate.
///
/// # Errors
/// If the file cannot be read.
pub fn board(options: &NetworkOptions) -> Result<usize, NetworkError> {
    let Some(file) = &options.file else { return Ok(BUILT_IN) };
    let (parameters, _) = Parameters::load(Path::new(file)).map_err(NetworkError::File)?;
    Ok(parameters.shape().board)
}

/// The network that these options name, for a board of this size: that of the file, or else the one that comes with this
/// crate.
///
/// # Errors
/// If there is no such network, the file cannot be read, or its network is for another size, shows no position, or has numbers that are
/// too great.
pub fn load(options: &NetworkOptions, size: usize) -> Result<Arc<Network>, NetworkError> {
    let Some(file) = &options.file else {
        return if size == BUILT_IN { Ok(NETWORK.clone()) } else { Err(NetworkError::NotBuiltIn { size }) };
    };
    let (parameters, _) = Parameters::load(Path::new(file)).map_err(NetworkError::File)?;
    let (shape, file) = (parameters.shape(), file.clone());
    if shape.board != size {
        return Err(NetworkError::Board { file, board: shape.board, size });
    }
    if let Err(error) = super::Planes::new(shape.planes) {
        return Err(NetworkError::Planes { file, error });
    }
    let network = Arc::new(Network::new(&parameters));
    if Evaluator::new(network.clone()).is_finite() {
        Ok(network)
    } else {
        Err(NetworkError::Overflow { file })
    }
}

/// A network cannot be used.
#[derive(Debug)]
pub enum NetworkError {
    /// None comes with this crate for this size of the board.
    NotBuiltIn {
        /// The size.
        size: usize,
    },
    /// A file cannot be read.
    File(FileError),
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
    /// A file's numbers are so great that what its network says is none.
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
                "no network for {size}x{size} comes with the program, only one for {BUILT_IN}x{BUILT_IN}; accepted: the file of \
                 one, as network.file"
            ),
            NetworkError::File(error) => error.fmt(f),
            NetworkError::Board { file, board, size } => {
                write!(
                    f,
                    "{file}: a network for {board}x{board}; accepted in this game: one for {size}x{size}"
                )
            }
            NetworkError::Planes { file, error } => write!(f, "{file}: {error}"),
            NetworkError::Overflow { file } => {
                write!(
                    f,
                    "{file}: its numbers are too great: where all planes are 1 the evaluation is not finite"
                )
            }
        }
    }
}

impl std::error::Error for NetworkError {}
