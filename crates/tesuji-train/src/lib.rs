//! Self-play and training of policy-value networks, for Go and for any game on a board.
//!
//! ```
//! use tesuji::Stop;
//! use tesuji_go::Rules;
//! use tesuji_net::{Parameters, ReadyNetwork, Shape};
//! use tesuji_train::{SelfPlay, trainable_go};
//!
//! let shape = Shape {
//!     board: 5,
//!     planes: 5,
//!     filters: 4,
//!     blocks: 1,
//!     policy_filters: 2,
//!     value_filters: 1,
//!     value_hidden: 8,
//!     globals: 0,
//!     actions: 0,
//!     replies: 0,
//!     horizons: 0,
//! };
//! let networks = [ReadyNetwork::new(&Parameters::random(shape, 3))];
//! let settings = SelfPlay { simulations: 4, cache: 1, ..SelfPlay::default() };
//! let game = trainable_go(5, Rules::default());
//! let mut player = game.self_player(&networks, &settings).unwrap();
//! let mut games = std::iter::once((0, 1)); // number and seed of each game
//! assert!(player.play(&mut games, &Stop::default()).is_some());
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`TrainableGame`] | a game that networks can learn: [`trainable_go`], [`trainable_go_on`] for boards of several sizes, or [`trainable`] for any game on a board |
//! | [`SelfPlay`], [`SelfPlayer`] | the settings of games of a network against itself, and their player |
//! | [`TrainingGame`], [`Policy`] | a game with what its positions teach, in a few bytes |
//! | [`read_sgf`], [`SgfFiles`] | games of files, in the same form |
//! | [`Teacher`] | a network that labels the positions of a game for another one |
//! | [`Window`] | the latest positions, from which batches are drawn |
//! | [`Learning`], [`Learner`] | the settings of learning, and its steps |
//! | [`Measures`] | the losses of a network on held-out games |
//!
//! The network, the settings and a seed determine a game. The window, the seed and the number of
//! the step determine a batch. So a run that is stopped anywhere resumes with the same bits.

mod boards;
mod bytes;
mod encoding;
mod error;
mod game;
mod go;
mod learner;
mod measures;
mod planes;
mod policy;
mod replay;
mod self_play;
mod settings;
mod sgf;
mod sgf_files;
mod teacher;
mod trainable;
mod window;

pub use boards::trainable_go_on;
pub use bytes::FormatError;
pub use error::{ReplayError, SelfPlayError};
pub use game::{End, Outlook, Target, TrainingGame, Turn};
pub use learner::{LearnError, Learner};
pub use measures::Measures;
pub use policy::Policy;
pub use replay::{Goal, Pick, Replayed};
pub use self_play::{SelfPlayed, SelfPlayer};
pub use settings::{KomiRange, Learning, SelfPlay};
pub use sgf::{Unusable, read_sgf};
pub use sgf_files::{Census, SgfFiles, SgfFilesError};
pub use teacher::Teacher;
pub use trainable::{TrainableGame, trainable, trainable_go};
pub use window::{Window, WindowError};
