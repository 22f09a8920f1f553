//! One match in a report.

use crate::adjudication::Adjudication;
use crate::conditions::{Conditions, Limit, Openings};
use crate::game_spec::GameSpec;
use crate::match_summary::MatchSummary;
use crate::store::{Disputed, GameRow, Place, PlannedMatch};
use std::collections::HashSet;

/// The record of one match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchRecord {
    /// The planned match.
    pub planned: PlannedMatch,
    /// The conditions, the same for both agents.
    pub conditions: Conditions,
    /// Whether it is one of many evaluations of a tuning or a training, which mean little alone.
    pub is_evaluation: bool,
    /// The number of games that count, from the first one on.
    pub counted: u64,
    /// The summary of those games.
    pub summary: MatchSummary,
    /// All games, in the order of their openings.
    pub games: Vec<(Place, GameRow)>,
}

impl MatchRecord {
    /// The game, if it is one that has a name.
    pub fn game(&self) -> Option<GameSpec> {
        GameSpec::parse(&self.conditions.game, self.conditions.komi.as_deref()).ok()
    }

    /// The games that count, each with its value for `a`.
    pub(super) fn counted_games(&self) -> impl Iterator<Item = (&GameRow, f64)> {
        let value = |game: &GameRow| self.planned.disputed.value(game.score_a, game.dispute_value);
        let counts =
            |(place, game): &&(Place, GameRow)| 2 * place.opening + u64::from(!game.a_first) < self.counted;
        let is_void = |(_, game): &&(Place, GameRow)| value(game).is_none();
        let void: HashSet<i64> =
            self.games.iter().filter(counts).filter(is_void).map(|(place, _)| place.pair).collect();
        let in_pair = move |(place, _): &&(Place, GameRow)| !void.contains(&place.pair);
        let games = self.games.iter().filter(counts).filter(in_pair);
        games.filter_map(move |(_, game)| Some((game, value(game)?)))
    }

    /// The command that plays the match anew.
    pub(super) fn command(&self) -> String {
        let Conditions { game, komi, seed, longest, adjudicate, limit, openings, unpaired } =
            &self.conditions;
        let mut command = vec!["tesuji match".to_owned(), quoted(&self.planned.a), quoted(&self.planned.b)];
        let mut option = |name: &str, value: &dyn std::fmt::Display| {
            command.push(format!("--{name} {}", quoted(&value.to_string())));
        };
        option("game", game);
        option("games", &self.planned.games);
        match limit {
            Limit::Playouts(n) => option("playouts", n),
            Limit::Milliseconds(n) => option("time", &format!("{n}ms")),
        }
        option("seed", seed);
        if let Some(komi) = komi {
            option("komi", komi);
        }
        match openings {
            Openings::RandomPlies(plies) => option("opening-plies", plies),
            Openings::Lines(_) => option("openings", &"openings.txt"),
        }
        option("max-moves", longest);
        if *adjudicate != Adjudication::NEVER {
            option("adjudicate", &serde_json::json!(adjudicate));
        }
        if self.planned.disputed != Disputed::default() {
            option("disputed", &self.planned.disputed);
        }
        if let Some(sprt) = self.planned.sprt {
            option("sprt", &format!("{},{}", sprt.elo0, sprt.elo1));
        }
        if *unpaired {
            command.push("--unpaired".to_owned());
        }
        command.join(" ")
    }
}

/// A word of a shell's command.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:=/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell_are_quoted() {
        assert_eq!(quoted("uct,select.c=0.3"), "uct,select.c=0.3");
        assert_eq!(quoted("gtp:gnugo --mode gtp"), "'gtp:gnugo --mode gtp'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
