//! Small classic games for [`tesuji`]: to compare searches on, to test with, and to copy from.

mod connect_four;
mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use tic_tac_toe::TicTacToe;
