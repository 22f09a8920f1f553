//! Positions of Go that are set up stone by stone, as lines of moves.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::Body;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use tesuji::{Drawing, Player};
use tesuji_go::sgf::Point;

/// The stones on a board, by their points.
pub(crate) type Stones = BTreeMap<(u8, u8), Player>;

/// Moves that put the stones on an empty board and leave `to_move` to move. Black and White place
/// theirs in turn; who has none left passes. Each chain has a liberty at the end and so at every
/// moment before it: nothing is captured meanwhile. No two passes come one after the other.
pub(crate) fn line_of(stones: &Stones, to_move: Player) -> Vec<String> {
    let of = |player: Player| {
        let own = stones.iter().filter(move |&(_, &owner)| owner == player);
        own.map(|(&(column, row), _)| Point { column, row }.to_string())
    };
    let (mut black, mut white) = (of(Player::FIRST), of(Player::SECOND));
    let mut line = Vec::new();
    loop {
        match (black.next(), white.next()) {
            (None, None) => break,
            (Some(b), None) => line.extend([b, PASS.to_owned()]),
            (None, Some(w)) => line.extend([PASS.to_owned(), w]),
            (Some(b), Some(w)) => line.extend([b, w]),
        }
    }
    // Now it is Black's turn.
    if to_move == Player::SECOND {
        if line.last().is_some_and(|last| last == PASS) {
            line.truncate(line.len() - 1)
        } else {
            line.push(PASS.to_owned())
        }
    }
    line
}

/// The pass, as lines of moves have it.
pub(crate) const PASS: &str = "PASS";

/// Stones to be set up.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct SetUp {
    #[serde(flatten)]
    board: Place,
    /// The points of each player's stones.
    black: Vec<String>,
    white: Vec<String>,
    /// 1 or 2.
    to_move: usize,
}

/// `POST /api/setup`: the moves that lead to the stones.
pub(crate) async fn show(Body(asked): Body<SetUp>) -> Answer {
    let (game, _) = asked.board.read()?;
    let (size, _) = game.go().ok_or_else(|| Failure::bad("stones are set up on boards of Go"))?;
    let mut stones = Stones::new();
    for (points, player) in [(&asked.black, Player::FIRST), (&asked.white, Player::SECOND)] {
        for text in points {
            let point = Point::parse(text, size).map_err(Failure::bad)?;
            if stones.insert((point.column, point.row), player).is_some() {
                return Err(Failure::bad(format!("{text} has two stones")));
            }
        }
    }
    let to_move = if asked.to_move == 2 { Player::SECOND } else { Player::FIRST };
    let place = checked(asked.board, &stones, to_move)?;
    Ok(json_answer(&json!({ "moves": place.moves })))
}

/// The place where these stones are on the board.
///
/// # Errors
/// If a chain has no liberty.
pub(crate) fn checked(mut place: Place, stones: &Stones, to_move: Player) -> Result<Place, Failure> {
    place.moves = line_of(stones, to_move).join(" ");
    let why = |failure: Failure| Failure::bad(format!("the stones cannot be set up: {}", failure.message));
    let (_, position) = place.read().map_err(why)?;
    match position.drawing() {
        Some(Drawing::Board(board)) if board.pieces.iter().flatten().count() == stones.len() => Ok(place),
        _ => Err(Failure::bad("a chain of the stones has no liberty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead_to(black: &[&str], white: &[&str], to_move: Player) -> Result<Place, Failure> {
        let mut stones = Stones::new();
        for (points, player) in [(black, Player::FIRST), (white, Player::SECOND)] {
            for text in points {
                let point = Point::parse(text, 9).unwrap();
                stones.insert((point.column, point.row), player);
            }
        }
        checked(Place { game: "go:9".into(), komi: None, moves: String::new() }, &stones, to_move)
    }

    #[test]
    fn stones_stand_where_they_were_set() {
        let (first, second) = (Player::FIRST, Player::SECOND);
        for (black, white) in [
            (&[][..], &[][..]),
            (&["E5"], &[]),
            (&[], &["C3", "D4"]),
            (&["A1", "B2", "A3"], &["E5"]),
            // All around a chain with one liberty.
            (&["A1", "A2"], &["B1", "B2", "J9", "J8"]),
        ] {
            for to_move in [first, second] {
                let place = lead_to(black, white, to_move).unwrap();
                let (_, position) = place.read().unwrap();
                assert_eq!(position.to_move(), to_move, "{}", place.moves);
                assert_eq!(position.result(), None, "{}", place.moves);
            }
        }
        let refused = lead_to(&["A1"], &["A2", "B1"], first).unwrap_err();
        assert!(refused.message.contains("no liberty") || refused.message.contains("set up"), "{refused:?}");
    }
}
