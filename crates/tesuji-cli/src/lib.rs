//! The program `tesuji` as a library: it reads arguments, calls the libraries and prints.
//!
//! A crate of your own makes the same program with games and parts of your own.
//! `examples/own-program` is such a crate:
//!
//! ```no_run
//! # use tesuji_games::TicTacToe as Fifteen;
//! fn main() -> std::process::ExitCode {
//!     tesuji_cli::Program::new().game::<Fifteen>().run()
//! }
//! ```
//!
//! | method of [`Program`] | what it adds |
//! | --- | --- |
//! | [`game`](Program::game) | a game, to commands, experiment files, stores and reports |
//! | [`select`](Program::select) | a tree policy, to recipes |
//! | [`backup`](Program::backup) | a backup, to recipes |
//! | [`playout`](Program::playout) | a playout policy, to recipes of one game |
//! | [`kind`](Program::kind) | a kind of experiment, to experiment files |
//! | [`run`](Program::run) | nothing: it runs the program |
//!
//! Results go to standard output, progress and errors to standard error. The exit status is
//!
//! - 0 if the command succeeded,
//! - 1 if it failed while it ran,
//! - 2 if an argument or input is not valid.

mod cluster;
mod commands;
mod number;
mod progress;
mod resources;
mod time;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use tesuji::{Backup, OwnPart, Playout, Select, register_backup, register_playout, register_select};
use tesuji_lab::{Experiment, GameSpec, LabError, NamedGame, OwnKind};

/// Version and commit.
const VERSION: &str = env!("TESUJI_VERSION");

/// Search games by Monte Carlo tree search, play Go, and measure whether a change helps.
#[derive(Parser, Debug)]
#[command(
    after_help = "Start here: tesuji match grave,playout=uniform uct --game hex:7 --games 20 --playouts 200\nMore: docs/tutorial.md"
)]
#[command(name = "tesuji", version = VERSION, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Match(commands::match_::Args),
    Run(commands::run::Args),
    Tune(commands::tune::Args),
    Race(commands::race::Args),
    Train(commands::train::Args),
    Gtp(commands::gtp::Args),
    Analyze(commands::analyze::Args),
    Analysis(commands::analysis::Args),
    Bench(commands::bench::Args),
    Perft(commands::perft::Args),
    Serve(commands::serve::Args),
    Stats(commands::stats::Args),
    Thermo(commands::thermo::Args),
    Incentive(commands::incentive::Args),
    Report(commands::report::Args),
    Export(commands::export::Args),
    Verify(commands::verify::Args),
    Forfeits(commands::forfeits::Args),
    Pool(commands::pool::Args),
    Worker(commands::worker::Args),
    List(commands::list::Args),
    New(commands::new::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

/// The program, with the games and parts that are registered beside those of this workspace.
#[derive(Clone, Copy, Default, Debug)]
#[must_use]
pub struct Program(());

impl Program {
    /// The program with the games and parts of this workspace.
    pub fn new() -> Program {
        Program(())
    }

    /// Makes a game known by its name: in commands, experiment files, stores and reports.
    ///
    /// # Panics
    /// If another game has the name.
    pub fn game<G: NamedGame>(self) -> Program {
        GameSpec::register::<G>();
        self
    }

    /// Makes a tree policy known to recipes by its kind.
    ///
    /// # Panics
    /// If another tree policy has the kind.
    pub fn select<S: OwnPart + Select>(self) -> Program {
        register_select::<S>();
        self
    }

    /// Makes a backup known to recipes by its kind.
    ///
    /// # Panics
    /// If another backup has the kind.
    pub fn backup<B: OwnPart + Backup>(self) -> Program {
        register_backup::<B>();
        self
    }

    /// Makes a playout policy known to recipes by its kind, in a game; call it for each game.
    ///
    /// # Panics
    /// If another playout policy has the kind.
    pub fn playout<P: OwnPart + Playout<G> + Clone, G: NamedGame>(self) -> Program {
        register_playout::<P, G>();
        self
    }

    /// Makes a kind of experiment known by its word: in files, stores and reports.
    ///
    /// # Panics
    /// If a kind of the laboratory has the word.
    pub fn kind<K: OwnKind>(self) -> Program {
        Experiment::register::<K>();
        self
    }

    /// Runs the command that the arguments of the process name, and returns the exit status.
    pub fn run(self) -> ExitCode {
        tesuji_go::register_playouts();
        let result = match Cli::parse_from(commands::analysis::spelled(std::env::args_os())).command {
            Command::Match(args) => commands::match_::run(args),
            Command::Run(args) => commands::run::run(args),
            Command::Tune(args) => commands::tune::run(args),
            Command::Race(args) => commands::race::run(args),
            Command::Train(args) => commands::train::run(args),
            Command::Analyze(args) => commands::analyze::run(args),
            Command::Analysis(args) => commands::analysis::run(args),
            Command::Gtp(args) => commands::gtp::run(args),
            Command::Bench(args) => commands::bench::run(args),
            Command::Perft(args) => commands::perft::run(args),
            Command::Report(args) => commands::report::run(args),
            Command::Export(args) => commands::export::run(args),
            Command::Verify(args) => commands::verify::run(args),
            Command::Forfeits(args) => commands::forfeits::run(args),
            Command::Pool(args) => commands::pool::run(args),
            Command::Worker(args) => commands::worker::run(args),
            Command::Serve(args) => commands::serve::run(args),
            Command::Stats(args) => commands::stats::run(args),
            Command::Thermo(args) => commands::thermo::run(args),
            Command::Incentive(args) => commands::incentive::run(args),
            Command::List(args) => commands::list::run(args),
            Command::New(args) => commands::new::run(args),
            Command::Completions(args) => commands::completions::run(args, Cli::command()),
            Command::Man(args) => commands::man::run(args, Cli::command()),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                progress::tell(format_args!("tesuji: {error}"));
                ExitCode::from(match error {
                    LabError::Input(_) => 2,
                    LabError::Failed(_) => 1,
                })
            }
        }
    }
}
