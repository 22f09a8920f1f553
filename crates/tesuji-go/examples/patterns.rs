//! Learns frequent patterns from the SGF files of a directory, and prints them as the patterns of a
//! recipe:
//!
//! ```text
//! cargo run --release -p tesuji-go --example patterns -- DIRECTORY [RADIUS [MOST [LEAST [tactics]]]] > mine.toml
//! tesuji match mine.toml uct --playouts 1000
//! ```
//!
//! Surroundings reach 1, 2 … RADIUS places (default 2, at most 3). Of the MOST patterns that are
//! seen most often (default 1000), the recipe gets those whose weight h is at least LEAST (default
//! 0.02) or at most -LEAST. With the word `tactics`, it gets the strengths of captures, ladders and
//! other tactics as well. The recipe is `uct` with a bias by the patterns.

mod records;

use std::error::Error;
use tesuji_go::pattern::{FrequentFeature, FrequentPatterns};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: patterns DIRECTORY [RADIUS [MOST [LEAST [tactics]]]]")?;
    let radius = arguments.next().map_or(Ok(2), |text| text.parse())?;
    if !(1..=3).contains(&radius) {
        return Err(format!("the radius is {radius}; accepted: 1 to 3").into());
    }
    let most = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let least: f64 = arguments.next().map_or(Ok(0.02), |text| text.parse())?;
    let (files, mut found) = (records::files(&directory)?, FrequentPatterns::new(radius));
    match arguments.next().as_deref() {
        None => {}
        Some("tactics") => found = found.with_tactics(),
        Some(other) => return Err(format!("the last word is {other}; accepted: tactics").into()),
    }
    for file in &files {
        records::each_move(file, &mut |_, game, _, m| found.add(game, m))?;
    }
    let mut learnt = found.learn(most, 30);
    learnt.retain(|found| found.weight().abs() >= least);
    learnt.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let good = learnt.iter().filter(|found| found.strength > 1.0).count();
    eprintln!(
        "{} positions of {} files; {good} good and {} bad patterns",
        found.positions(),
        files.len(),
        learnt.len() - good
    );
    println!("[select]\nkind = \"uct\"\n");
    learnt.iter().for_each(print);
    Ok(())
}

/// Prints a pattern as a table of a recipe.
fn print(found: &FrequentFeature) {
    let FrequentFeature { feature, strength, played, seen } = found;
    let value = if *strength > 1.0 { "good" } else { "bad" };
    println!(
        "[[patterns]]\npattern = \"{feature}\"\nvalue = \"{value}\"\nweight = {:.2}",
        found.weight().abs()
    );
    println!("evidence = \"played {played} of {seen} times, strength {strength:.2}\"\n");
}
