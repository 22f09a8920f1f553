//! `tesuji new`.

use super::print;
use clap::ValueEnum;
use tesuji_lab::LabError;

/// Print a commented file to begin with: an experiment that runs, a game, or a part of the search.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji new sweep > sweep.toml\n  tesuji new game > fifteen.rs\n\nMore: docs/tutorial.md"
)]
pub(crate) struct Args {
    /// The kind of file.
    what: What,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum What {
    /// Matches between agents, for `tesuji run`.
    Match,
    /// A recipe with a grid of values against one opponent, for `tesuji run`.
    Sweep,
    /// The best values of an agent's parameters, for `tesuji tune`.
    Tune,
    /// Which changes make an agent stronger, for `tesuji race`.
    Race,
    /// A network for a game on a board, for `tesuji train`.
    Train,
    /// A game in Rust.
    Game,
    /// A tree policy in Rust.
    Part,
}

/// How to make a program of a file in Rust.
fn program(file: &str, module: &str, registered: &str, example: &str) -> String {
    format!(
        "// Save this as examples/{file}/src/{file}.rs in a clone of tesuji. There it shares the compiled
// crates of the clone. The package, examples/{file}/Cargo.toml:
//
//     [package]
//     name = \"{file}\"
//     edition = \"2024\"
//
//     [dependencies]
//     schemars = \"1.2\"
//     serde = {{ version = \"1\", features = [\"derive\"] }}
//     tesuji = {{ workspace = true, features = [\"recipe\"] }}
//     tesuji-agents = {{ workspace = true }}
//     tesuji-cli = {{ workspace = true }}
//     tesuji-lab = {{ workspace = true }}
//
// Elsewhere, write path = \"PATH/crates/NAME\" in place of workspace = true.
//
// The program, examples/{file}/src/main.rs, is `tesuji` with one thing more:
//
//     mod {file};
//
//     fn main() -> std::process::ExitCode {{
//         tesuji_cli::Program::new().{registered}::<{file}::{module}>().run()
//     }}
//
// Then: cargo run --release -p {file} -- {example}
// CONTRIBUTING.md of tesuji says more about games and parts of your own.

"
    )
}

/// The experiment files by the names of their kinds.
pub(super) const EXPERIMENTS: [(&str, &str); 5] = [
    ("match", include_str!("../../templates/match.toml")),
    ("sweep", include_str!("../../templates/sweep.toml")),
    ("tune", include_str!("../../templates/tune.toml")),
    ("race", include_str!("../../templates/race.toml")),
    ("train", include_str!("../../templates/train.toml")),
];

impl What {
    fn text(self) -> String {
        // The files of experiments/examples, under names of the reader's own.
        let experiment =
            |at: usize| EXPERIMENTS[at].1.replace("experiments/examples/", "").replace("examples/", "");
        match self {
            What::Match => experiment(0),
            What::Sweep => experiment(1),
            What::Tune => experiment(2),
            What::Race => experiment(3),
            What::Train => experiment(4),
            What::Game => {
                program(
                    "fifteen",
                    "Fifteen",
                    "game",
                    "match uct random --game fifteen --games 20 --playouts 100",
                ) + include_str!("../../templates/game.rs")
            }
            What::Part => {
                let example = "match uct,select=polynomial uct --game hex:5 --games 20 --playouts 100";
                program("polynomial", "Polynomial", "select", example)
                    + include_str!("../../templates/part.rs")
            }
        }
    }
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    print(format_args!("{}", args.what.text()))
}
