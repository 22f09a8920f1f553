//! Results and records of games as people of that game write them.

use crate::store::{Ending, GameRow, SearchRow};
use std::fmt::Debug;
use tesuji::{Game, Notation, Outcome, Player};
use tesuji_go::sgf::{GameRecord, Point, RecordedMove};
use tesuji_go::{RuleSet, Rules, with_go};

/// Writes the results of finished games, and their records.
pub trait Referee: Sync + Debug {
    /// The result as SGF writes it (`B+R`, `W+F`, `0`); `value` is the first player's, B stands for
    /// the first player. Games with a margin add it (`B+3.5`).
    fn result(&self, moves: &[String], value: f64, ending: Ending) -> String {
        let _ = moves;
        plain_result(value, ending)
    }

    /// The first player's value of the end of a game after the stones on these points are removed,
    /// if the game has such stones.
    fn value_without(&self, moves: &[String], dead: &[String]) -> Option<f64> {
        let _ = (moves, dead);
        None
    }

    /// The game of `a` against `b` as an SGF file, if that is usual for the game.
    fn sgf(&self, a: &str, b: &str, game: &GameRow) -> Option<String> {
        let _ = (a, b, game);
        None
    }
}

/// Knows who won, and no more.
#[derive(Clone, Copy, Debug)]
pub struct PlainReferee;

impl Referee for PlainReferee {}

/// The first player's value of a result as engines tell it: `B+3.5`, `W+R`, `0`, `draw`, `jigo`;
/// none if it says no winner.
pub(crate) fn value_of_result(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    match text.split_at_checked(2) {
        Some(("b+", _)) => Some(1.0),
        Some(("w+", _)) => Some(0.0),
        _ if ["0", "draw", "jigo"].contains(&text.as_str()) => Some(0.5),
        _ => None,
    }
}

/// The result without a margin.
pub fn plain_result(value: f64, ending: Ending) -> String {
    let winner = if value > 0.5 { "B+" } else { "W+" };
    if value == 0.5 {
        return "0".to_owned();
    }
    let how = match ending {
        Ending::Rules | Ending::Length => "",
        Ending::Resign | Ending::Adjudicated => "R",
        Ending::Forfeit => "F",
    };
    format!("{winner}{how}")
}

/// Counts the area, and writes SGF.
#[derive(Clone, Copy, Debug)]
pub struct GoReferee {
    /// Lines of the board.
    pub size: usize,
    /// The rules, komi included.
    pub rules: Rules,
}

impl Referee for GoReferee {
    fn result(&self, moves: &[String], value: f64, ending: Ending) -> String {
        let plain = plain_result(value, ending);
        if ending != Ending::Rules || value == 0.5 {
            return plain;
        }
        let halves = with_go!(self.size, self.rules, |go| {
            for text in moves {
                if let Some(m) = go.parse_move(text) {
                    go.play(m);
                }
            }
            go.score()
        });
        format!("{plain}{}", f64::from(halves.abs()) / 2.0)
    }

    fn value_without(&self, moves: &[String], dead: &[String]) -> Option<f64> {
        with_go!(self.size, self.rules, |go| {
            for text in moves {
                go.play(go.parse_move(text)?);
            }
            // One that is not on the board says nothing about those that are.
            let points = dead.iter().filter_map(|text| Point::parse(text, self.size).ok());
            let taken = points.filter_map(|p| go.vertex(p.column.into(), p.row.into()));
            let taken: Vec<_> = taken.map(|v| (v, None)).collect();
            go.set_up(&taken).ok()?;
            Some(f64::from(go.value().of(Player::FIRST)))
        })
    }

    fn sgf(&self, a: &str, b: &str, game: &GameRow) -> Option<String> {
        let (black, white) = if game.a_first { (a, b) } else { (b, a) };
        let mut record = GameRecord {
            size: self.size,
            komi: self.rules.komi.points(),
            black: black.to_owned(),
            white: white.to_owned(),
            rules: RuleSet::TROMP_TAYLOR.to_object(self.rules.suicide),
            result: game.result.clone(),
            comment: comment(game),
            ..GameRecord::default()
        };
        for (ply, text) in game.moves.iter().enumerate() {
            let mut m = RecordedMove::parse(Player::new(ply % 2), text, self.size).ok()?;
            if let Some(search) = game.searches.iter().find(|search| search.ply as usize == ply) {
                m.comment = figures(search);
            }
            record.moves.push(m);
        }
        Some(record.to_sgf())
    }
}

fn comment(game: &GameRow) -> String {
    let mut lines = vec![format!("seed {}, {} moves given", game.seed, game.opening.len())];
    if game.ending == Ending::Adjudicated {
        lines.push("adjudicated: both players considered the game decided".to_owned());
    }
    lines.extend(game.detail.iter().map(|why| format!("forfeited: {why}")));
    lines.extend(game.dispute.iter().map(|view| format!("disputed: {view}")));
    lines.join("\n")
}

fn figures(search: &SearchRow) -> String {
    let value = search.value.map(|value| format!("value {value:.3}"));
    let visits = search.visits.map(|visits| format!("{visits} visits"));
    let simulations = (search.simulations > 0).then(|| format!("{} simulations", search.simulations));
    let seconds = format!("{:.2} s", search.seconds);
    [value, visits, simulations, Some(seconds)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_results_have_a_margin() {
        let referee = GoReferee { size: 5, rules: Rules::default() };
        let moves = ["C3", "pass", "pass"].map(str::to_owned);
        assert_eq!(referee.result(&moves, 1.0, Ending::Rules), "B+17.5");
        assert_eq!(referee.result(&moves, 0.0, Ending::Resign), "W+R");
        assert_eq!(referee.result(&moves, 1.0, Ending::Adjudicated), "B+R");
    }

    #[test]
    fn results_are_read_as_engines_write_them() {
        for (text, value) in [("B+3.5", 1.0), ("W+R", 0.0), ("w+ 2", 0.0), ("0", 0.5), ("Jigo", 0.5)] {
            assert_eq!(value_of_result(text), Some(value), "{text}");
        }
        for text in ["", "B", "?", "cannot score", "00", "Black wins", "\u{e9}+1"] {
            assert_eq!(value_of_result(text), None, "{text}");
        }
    }

    #[test]
    fn dead_stones_may_turn_a_result_round() {
        let rules = Rules { komi: "0.5".parse().unwrap(), ..Rules::default() };
        let referee = GoReferee { size: 3, rules };
        let moves = ["B2", "A1", "B1", "pass", "pass"].map(str::to_owned);
        let value = |dead: &[&str]| {
            referee.value_without(&moves, &dead.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(value(&[]), Some(1.0));
        assert_eq!(value(&["B2", "b1", "no", "pass"]), Some(0.0), "White's stone has the board");
        assert_eq!(value(&["A1"]), Some(1.0));
    }
}
