//! The moves with which a pair of games begins.

use crate::conditions::{Conditions, Openings};
use crate::error::LabError;
use crate::game_spec::GameSpec;
use std::path::Path;
use tesuji::{Notation, Playouts, Rng};

impl Openings {
    /// Reads a file with a line of moves for each opening; empty lines are skipped.
    ///
    /// # Errors
    /// If it cannot be read, has no opening, or a move is not legal in this game; the message names file, line and move.
    pub fn read(file: &Path, game: &GameSpec) -> Result<Openings, LabError> {
        let fault =
            |message: String| LabError::Input(format!("the openings file {}: {message}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|e| fault(e.to_string()))?;
        let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
        let lines: Vec<(usize, &str)> = lines.collect();
        if lines.is_empty() {
            return Err(fault("it has no openings; expected a line of moves for each".to_owned()));
        }
        game.start().check_lines(&lines).map_err(|e| fault(e.to_string()))?;
        Ok(Openings::Lines(lines.into_iter().map(|(_, line)| line.to_owned()).collect()))
    }
}

/// Lines of a file with their numbers.
pub(crate) type Lines<'a> = [(usize, &'a str)];

/// Checks lines of a file.
pub(crate) fn check_lines<G: Notation>(start: &G, lines: &Lines<'_>) -> Result<(), LabError> {
    lines.iter().try_for_each(|(number, line)| {
        parse(start, line).map_err(|e| LabError::Input(format!("line {number}: {e}"))).map(drop)
    })
}

/// The moves of the opening with this number. A random one is shorter than asked for where the game would be
/// over before.
///
/// # Errors
/// If a move of a given line is not legal.
pub fn opening<G: Notation + Playouts>(
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

pub(crate) fn parse<G: Notation>(start: &G, line: &str) -> Result<Vec<G::Move>, LabError> {
    let mut game = start.clone();
    (1..)
        .zip(line.split_whitespace())
        .map(|(number, word)| {
            let m = game.result().is_none().then(|| game.parse_move(word)).flatten().ok_or_else(|| {
                LabError::Input(format!(
                    "the opening {line:?}: move {number}, {word:?}, is not legal there; accepted: {}",
                    legal(&game)
                ))
            })?;
            game.play(m);
            Ok(m)
        })
        .collect()
}

/// Some legal moves, for a message.
fn legal<G: Notation>(game: &G) -> String {
    if game.result().is_some() {
        return "none, for the game is over".to_owned();
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let some: Vec<String> = moves.iter().take(3).map(|&m| game.move_text(m)).collect();
    format!("{}{}", some.join(", "), if moves.len() > some.len() { ", ..." } else { "" })
}

/// Uniformly random moves as a playout draws them (in Go: no passes and no filling of own eyes), but
/// by the full rules.
fn random<G: Notation + Playouts>(start: &G, plies: u32, seed: u64) -> Vec<G::Move> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_openings_is_read_or_its_fault_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lines");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Openings::read(&file, &GameSpec::parse("tic-tac-toe", None).unwrap()).map_err(|e| e.to_string())
        };
        let lines = ["b2 a1", "c3"].map(str::to_owned);
        assert_eq!(read("b2 a1\n\n  c3\n"), Ok(Openings::Lines(lines.to_vec())));
        for (text, expected) in [
            ("\n", "lines: it has no openings"),
            (
                "b2\n\nb2 x9",
                "lines: line 3: the opening \"b2 x9\": move 2, \"x9\", is not legal there; accepted: a1, ",
            ),
            ("a1 b1 a2 b2 a3 c1", "move 6, \"c1\", is not legal there; accepted: none, for the game is over"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
