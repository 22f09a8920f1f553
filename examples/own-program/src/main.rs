//! The program `tesuji` with a game and a tree policy of one's own:
//!
//! ```sh
//! own-program match uct,select=polynomial,select.c=0.5 uct --game fifteen --games 20 --playouts 200
//! ```

mod fifteen;
mod polynomial;

use fifteen::Fifteen;
use polynomial::Polynomial;
use std::process::ExitCode;

fn main() -> ExitCode {
    tesuji_cli::Program::new().game::<Fifteen>().select::<Polynomial>().run()
}
