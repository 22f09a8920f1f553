//! Self-play and training of policy-value networks for Go.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`SelfPlay`], [`SelfPlayer`] | how a network plays against itself, and who does |
//! | [`TrainingGame`], [`Policy`] | a game with what its positions teach, in a few bytes |
//! | [`read_sgf`], [`SgfFiles`] | games of files, in the same form |
//! | [`Teacher`] | a network that labels the positions of a game for another one |
//! | [`Window`] | the latest positions, from which batches are drawn |
//! | [`Learning`], [`Learner`] | how a network learns, and the steps |
//! | [`Measures`] | how far a network is from games that it was not trained on |
//!
//! A game follows from the network, the settings and a seed; a batch from the window, the seed and
//! the number of the step. So a run that is stopped anywhere goes on as it would have.

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
