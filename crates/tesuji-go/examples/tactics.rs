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

mod records;

use std::error::Error;
use tesuji_go::tactics::{Lesson, Weights};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: tactics DIRECTORY [SKIP [ROUNDS [LEAST]]]")?;
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (skip, rounds, least) = (number(6)?, number(20)?, number(20)?);
    let files = records::files(&directory)?;
    let [mut lesson, mut held_out] = [Lesson::new(), Lesson::new()];
    for (i, file) in files.iter().enumerate() {
        let lesson = if i % 10 == 0 { &mut held_out } else { &mut lesson };
        records::each_move(file, &mut |_, game, before, m| {
            if before >= skip {
                lesson.add(game, m);
            }
        })?;
    }
    let weights = lesson.learn(rounds, u32::try_from(least)?);
    eprintln!("{} positions of {} files", lesson.positions(), files.len());
    for (name, weights) in [("uniform", &Weights::default()), ("learnt", &weights)] {
        eprintln!("{name}: {:.3}", held_out.fit(weights));
    }
    print!("{weights}");
    Ok(())
}
