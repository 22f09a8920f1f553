//! Self-play and training of policy-value networks for Go.
//!
//! ```
//! use tesuji::Stop;
//! use tesuji_go::Rules;
//! use tesuji_go::network::ReadyNetwork;
//! use tesuji_net::{Parameters, Shape};
//! use tesuji_train::{SelfPlay, self_player};
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
//! };
//! let network = ReadyNetwork::new(&Parameters::random(shape, 3)).unwrap();
//! let settings = SelfPlay { simulations: 4, cache: 1, ..SelfPlay::default() };
//! let mut player = self_player(5, Rules::default(), &network, &settings).unwrap();
//! let mut games = std::iter::once((0, 1)); // number and seed of each game
//! assert!(player.play(&mut games, &Stop::default()).is_some());
//! ```
//!
//! | part | what it is |
//! | --- | --- |
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

mod bytes;
mod game;
mod learner;
mod measures;
mod policy;
mod replay;
mod self_play;
mod settings;
mod sgf;
mod sgf_files;
mod teacher;
mod window;

pub use bytes::FormatError;
pub use game::{End, Outlook, Target, TrainingGame, Turn};
pub use learner::{LearnError, Learner};
pub use measures::Measures;
pub use policy::Policy;
pub use replay::{Goal, Pick, ReplayError, add_positions};
pub use self_play::{SelfPlayError, SelfPlayed, SelfPlayer, self_player};
pub use settings::{KomiRange, Learning, SelfPlay};
pub use sgf::{Unusable, read_sgf};
pub use sgf_files::{Census, SgfFiles, SgfFilesError};
pub use teacher::Teacher;
pub use window::{Window, WindowError};
