//! The moves with which a pair of games begins.

use crate::LabError;
use crate::conditions::{Conditions, Openings};
use tesuji::{Notation, Rng};

/// The moves of the opening with this number. A random one is shorter than asked for where the game would be
/// over before.
///
/// # Errors
/// If a move of a given line is not legal.
pub fn opening<G: Notation>(
    start: &G,
    conditions: &Conditions,
    number: u64,
) -> Result<Vec<G::Move>, LabError> {
    match &conditions.openings {
        Openings::RandomPlies(plies) => Ok(random(start, *plies, conditions.opening_seed(number))),
        Openings::Lines(lines) if lines.is_empty() => Ok(Vec::new()),
        Openings::Lines(lines) => parse(start, &lines[(number % lines.len() as u64) as usize]),
    }
}

/// Checks every given line.
pub(crate) fn check<G: Notation>(start: &G, openings: &Openings) -> Result<(), LabError> {
    if let Openings::Lines(lines) = openings {
        for line in lines {
            parse(start, line)?;
        }
    }
    Ok(())
}

fn parse<G: Notation>(start: &G, line: &str) -> Result<Vec<G::Move>, LabError> {
    let mut game = start.clone();
    line.split_whitespace()
        .map(|word| {
            let m = game.result().is_none().then(|| game.parse_move(word)).flatten().ok_or_else(|| {
                LabError::Input(format!("the opening {line:?}: {word:?} is not a legal move there"))
            })?;
            game.play(m);
            Ok(m)
        })
        .collect()
}

/// Uniformly random moves as a playout draws them (in Go: no passes and no filling of own eyes), but
/// by the full rules.
fn random<G: Notation>(start: &G, plies: u32, seed: u64) -> Vec<G::Move> {
    let mut rng = Rng::new(seed);
    let (mut game, mut moves, mut legal, mut buffer) = (start.clone(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plies {
        legal.clear();
        game.moves(&mut legal);
        let drawn = game.playout_move(&mut rng, &mut buffer);
        let m = if legal.contains(&drawn) { drawn } else { legal[rng.below(legal.len() as u32) as usize] };
        let mut next = game.clone();
        next.play(m);
        if next.result().is_some() {
            break;
        }
        game = next;
        moves.push(m);
    }
    moves
}
