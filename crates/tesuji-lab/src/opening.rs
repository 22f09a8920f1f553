//! The moves with which a pair of games begins.

use crate::conditions::{Conditions, Openings};
use crate::error::{LabError, faults};
use tesuji::{Notation, Playouts, Rng};

/// Lines of a file with their numbers.
pub(crate) type Lines<'a> = [(usize, &'a str)];

/// Checks lines of a file.
pub(crate) fn check_lines<G: Notation>(start: &G, lines: &Lines<'_>) -> Result<(), LabError> {
    lines.iter().try_for_each(|(number, line)| {
        parse(start, line).map_err(|e| e.within(format_args!("line {number}"))).map(drop)
    })
}

/// The moves of the opening with this number. A random opening is shorter than requested if the
/// game would end earlier.
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
        .map(|(number, word): (u32, &str)| {
            let m = game.result().is_none().then(|| game.parse_move(word)).flatten().ok_or_else(|| {
                let (line, word, accepted) = (line.to_owned(), word.to_owned(), legal(&game));
                LabError::from(MoveError::Opening { line, number, word, accepted })
            })?;
            game.play(m);
            Ok(m)
        })
        .collect()
}

/// Some legal moves, for a message.
fn legal<G: Notation>(game: &G) -> String {
    if game.result().is_some() {
        return "none, because the game is over".to_owned();
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let some: Vec<String> = moves.iter().take(3).map(|&m| game.move_text(m)).collect();
    format!("{}{}", some.join(", "), if moves.len() > some.len() { ", ..." } else { "" })
}

/// Uniformly random moves as a playout draws them (in Go: no passes and no filling of own eyes),
/// but by the full rules.
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

faults! {
    /// Why moves cannot be played.
    MoveError {
        Opening { line: String, number: u32, word: String, accepted: String } =>
            "the opening {line:?}: move {number}, {word:?}, is not legal there; accepted: {accepted}",
        File { file: String, fault: String } => "the openings file {file}: {fault}",
        Action { number: usize, accepted: String } => "the action {number} is not legal there; accepted: {accepted}",
        Drawn { game: String } =>
            "{game} has no openings, because each pair of games draws its position; accepted: a number of random moves",
        Unpaired =>
            "openings and unpaired exclude each other, because each opening would be played with one colour of an agent only; accepted: one of them",
        Over { moves: String } => "the game is over after the moves {moves:?}",
    }
}
