//! Positions of Go that are set up stone by stone, as lines of moves.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::request::{Body, aside};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use tesuji::{Drawing, Player};
use tesuji_go::sgf::Point;

/// The stones on a board, by their points.
pub(crate) type Stones = BTreeMap<(u8, u8), Player>;

/// Moves that put the stones on an empty board and leave `to_move` to move. Black and White place
/// theirs in turn. The side with fewer turns to fill passes first, so that no two passes follow
/// each other. Each chain has a liberty at the end and so at every moment before it: nothing is
/// captured meanwhile.
///
/// The last move is a stone of the opponent: after a pass, a search would see that another pass
/// ends the game. If the opponent has no stone, the last move is his pass; see [`pass_warning`].
pub(crate) fn line_of(stones: &Stones, to_move: Player) -> Vec<String> {
    let of = |player: Player| {
        let own = stones.iter().filter(move |&(_, &owner)| owner == player);
        own.map(|(&(column, row), _)| Point { column, row }.to_string()).collect::<Vec<_>>()
    };
    let (black, white) = (of(Player::FIRST), of(Player::SECOND));
    // Black begins, so the last turn is his if White is to move.
    let (black_turns, white_turns) = if to_move == Player::FIRST {
        let turns = black.len().max(white.len());
        (turns, turns)
    } else {
        let turns = black.len().max(white.len() + 1);
        (turns, turns - 1)
    };
    let moves = |stones: Vec<String>, turns: usize| {
        std::iter::repeat_n(PASS.to_owned(), turns - stones.len()).chain(stones)
    };
    let (black, mut white) = (moves(black, black_turns), moves(white, white_turns));
    black.flat_map(|stone| std::iter::once(stone).chain(white.next())).collect()
}

/// Why searches of a position that is set up may go wrong, if they may.
pub(crate) fn pass_warning(line: &[String], to_move: Player) -> Option<String> {
    let opponent = if to_move == Player::FIRST { "White" } else { "Black" };
    (line.last()? == PASS).then(|| {
        format!(
            "{opponent} has no stone, so the position is set up with a pass of {opponent}: searches of it see \
             that one more pass ends the game"
        )
    })
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
    aside(move || {
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
        let (place, warning) = checked(asked.board, &stones, to_move)?;
        Ok(json_answer(&json!({ "moves": place.moves, "warnings": warning.as_slice() })))
    })
    .await
}

/// The place where these stones are on the board, and a warning about its searches if there is one.
///
/// # Errors
/// If a chain has no liberty.
pub(crate) fn checked(
    mut place: Place,
    stones: &Stones,
    to_move: Player,
) -> Result<(Place, Option<String>), Failure> {
    let line = line_of(stones, to_move);
    place.moves = line.join(" ");
    let why = |failure: Failure| Failure::bad(format!("the stones cannot be set up: {}", failure.message));
    let (_, position) = place.read().map_err(why)?;
    match position.drawing() {
        Some(Drawing::Board(board)) if board.pieces.iter().flatten().count() == stones.len() => {
            Ok((place, pass_warning(&line, to_move)))
        }
        _ => Err(Failure::bad("a chain of the stones has no liberty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::recipe::Recipe;

    const SIDES: [Player; 2] = [Player::FIRST, Player::SECOND];

    fn stones_at(black: &[&str], white: &[&str]) -> Stones {
        let mut stones = Stones::new();
        for (points, player) in [black, white].into_iter().zip(SIDES) {
            for text in points {
                let point = Point::parse(text, 9).unwrap();
                stones.insert((point.column, point.row), player);
            }
        }
        stones
    }

    fn go(size: usize, moves: &str) -> Place {
        Place { game: format!("go:{size}"), komi: None, moves: moves.into() }
    }

    fn lead_to(black: &[&str], white: &[&str], to_move: Player) -> Result<(Place, Option<String>), Failure> {
        checked(go(9, ""), &stones_at(black, white), to_move)
    }

    #[test]
    fn stones_stand_where_they_were_set() {
        for (black, white) in [
            (&[][..], &[][..]),
            (&["E5"], &[]),
            (&[], &["C3", "D4"]),
            (&["A1", "B2", "A3"], &["E5"]),
            // All around a chain with one liberty.
            (&["A1", "A2"], &["B1", "B2", "J9", "J8"]),
        ] {
            for to_move in SIDES {
                let (place, warning) = lead_to(black, white, to_move).unwrap();
                let (_, position) = place.read().unwrap();
                assert_eq!(position.to_move(), to_move, "{}", place.moves);
                assert_eq!(position.result(), None, "{}", place.moves);
                // Only an opponent without stones leaves a pass at the end, and the page says so.
                let opponents = if to_move == Player::FIRST { white } else { black };
                assert_eq!(place.moves.ends_with(PASS), warning.is_some(), "{}", place.moves);
                assert_eq!(
                    warning.is_some(),
                    opponents.is_empty() && !place.moves.is_empty(),
                    "{}",
                    place.moves
                );
            }
        }
        let refused = lead_to(&["A1"], &["A2", "B1"], Player::FIRST).unwrap_err();
        assert!(refused.message.contains("no liberty") || refused.message.contains("set up"), "{refused:?}");
    }

    #[test]
    fn a_line_ends_with_a_stone_of_the_opponent() {
        let line = |black: &[&str], white: &[&str], to_move| {
            let line = line_of(&stones_at(black, white), to_move);
            assert!(line.windows(2).all(|pair| pair != [PASS, PASS]), "{line:?}");
            line.join(" ")
        };
        for (black, white, [first, second]) in [
            (&["C3"][..], &["A1"][..], ["C3 A1", "PASS A1 C3"]),
            (&["C3", "D3", "E3"], &["A1"], ["C3 PASS D3 PASS E3 A1", "C3 PASS D3 A1 E3"]),
            (&["C3"], &["A1", "B1"], ["PASS A1 C3 B1", "PASS A1 PASS B1 C3"]),
        ] {
            assert_eq!(line(black, white, Player::FIRST), first);
            assert_eq!(line(black, white, Player::SECOND), second);
        }
        // White has none: there is no other way.
        assert_eq!(line(&["C3"], &[], Player::FIRST), "C3 PASS");
        assert_eq!(line(&["C3"], &[], Player::SECOND), "C3");
    }

    /// After a pass, a search sees that another pass ends the game.
    #[test]
    fn a_search_finds_what_it_finds_after_a_line_of_stones() {
        let search = |moves: &str| {
            let (game, position) = go(5, moves).read().unwrap();
            let recipe = Recipe::parse("grave,playout=uniform").unwrap();
            let mut search = game.live_search(&position, &recipe, 1, Some(2000)).unwrap();
            while search.step(2000).is_none() {}
            let report = search.report().unwrap();
            (report.best, report.value)
        };
        // Two stones each, in another order, so that no line is the other one.
        let stones = stones_at(&["C3", "D2"], &["A1", "B4"]);
        let (place, warning) = checked(go(5, ""), &stones, Player::SECOND).unwrap();
        let by_hand = "PASS B4 D2 A1 C3";
        assert!(place.moves != by_hand && warning.is_none(), "{}", place.moves);
        let [(best, value), (other, expected)] = [&*place.moves, by_hand].map(search);
        assert!((value - expected).abs() < 0.05, "{best} {value}, {other} {expected}");
        assert!(best != PASS && other != PASS, "{best} {value}, {other} {expected}");
        // What the stones in turn, and the pass of Black after them, would have found.
        let (best, value) = search("C3 A1 D2 B4 PASS");
        assert!(best == PASS && value > 0.99, "{best} {value}");
    }
}
