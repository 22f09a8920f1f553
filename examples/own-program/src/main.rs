//! The program `tesuji` with a game, parts of searches and a kind of experiment of one's own:
//!
//! ```sh
//! own-program match uct,select=polynomial,select.c=0.5 uct --game fifteen --games 20 --playouts 200
//! own-program match uct,backup=fading,playout=decisive uct --game fifteen --games 20 --playouts 200
//! own-program run examples/own-program/temperature.toml
//! ```

mod decisive;
mod fading;
mod fifteen;
mod polynomial;
mod temperature_sweep;

use decisive::Decisive;
use fading::Fading;
use fifteen::Fifteen;
use polynomial::Polynomial;
use std::process::ExitCode;
use temperature_sweep::TemperatureSweep;
use tesuji_cli::Program;

fn main() -> ExitCode {
    let program = Program::new().game::<Fifteen>().select::<Polynomial>().backup::<Fading>();
    program.playout::<Decisive, Fifteen>().kind::<TemperatureSweep>().run()
}
