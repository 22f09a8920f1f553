//! Small classic games for [`tesuji`]: to compare searches on, to test with, and to copy from.

mod connect_four;
mod hex;
mod mix;
mod size;
mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use hex::Hex;
pub use size::SizeError;
pub use tic_tac_toe::TicTacToe;
