//! Learns the weights of tactical playouts from the SGF files of a directory, and prints them:
//!
//! ```text
//! cargo run --release -p tesuji-go --example tactics -- DIRECTORY [SKIP [ROUNDS [LEAST]]]
//! ```
//!
//! It leaves out the first SKIP moves of each game (default 6). Surroundings that are seen fewer
//! than LEAST times (default 20) keep weight 1. On standard error it prints the mean logarithm of
//! the probability of a move in every tenth file, which the weights did not see, for uniform
//! playouts and for the weights.

use std::error::Error;
use std::path::{Path, PathBuf};
use tesuji::Game;
use tesuji_go::sgf::{Action, MainLine, decode, parse, read_file};
use tesuji_go::tactics::{Lesson, Weights};
use tesuji_go::{Go19, Rules, Vertex};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: tactics DIRECTORY [SKIP [ROUNDS [LEAST]]]")?;
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (skip, rounds, least) = (number(6)?, number(20)?, number(20)?);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sgf"));
    files.sort();
    let [mut lesson, mut held_out] = [Lesson::new(), Lesson::new()];
    for (i, file) in files.iter().enumerate() {
        let lesson = if i % 10 == 0 { &mut held_out } else { &mut lesson };
        add(lesson, file, skip).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let weights = lesson.learn(rounds, u32::try_from(least)?);
    eprintln!("{} positions of {} files", lesson.positions(), files.len());
    for (name, weights) in [("uniform", &Weights::default()), ("learnt", &weights)] {
        eprintln!("{name}: {:.3}", held_out.fit(weights));
    }
    print!("{weights}");
    Ok(())
}

/// Adds the games of a file.
fn add(lesson: &mut Lesson, file: &Path, skip: usize) -> Result<(), Box<dyn Error>> {
    for tree in parse(&decode(&read_file(file)?))?.games {
        let line = MainLine::read(&tree)?;
        let mut game = Go19::new(line.size, Rules::default());
        for (i, step) in line.steps.iter().enumerate() {
            let Action::Play(player, point) = step.action else { return Err("it sets up stones".into()) };
            let vertex =
                point.and_then(|p| game.vertex(p.column.into(), p.row.into())).unwrap_or(Vertex::PASS);
            game.legal(player, vertex).map_err(|error| format!("move {}: {error}", i + 1))?;
            if i >= skip && player == game.to_move() {
                lesson.add(&game, vertex);
            }
            game.play_as(player, vertex);
        }
    }
    Ok(())
}
