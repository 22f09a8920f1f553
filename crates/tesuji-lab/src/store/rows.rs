//! The rows of a store, as the rest of the laboratory sees them.

use crate::conditions::{Conditions, Limit};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An agent as a store keeps it. Two agents are equal if their descriptions are equal, whatever
/// their names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The name people gave it.
    pub name: String,
    /// The complete description in canonical TOML.
    pub spec: String,
}

impl PartialEq for Config {
    fn eq(&self, other: &Config) -> bool {
        self.spec == other.spec
    }
}

impl Eq for Config {}

impl Config {
    /// The hash of the description.
    pub fn hash(&self) -> String {
        hash(&[&self.spec])
    }

    /// The limit of its searches, where it has one of its own.
    pub fn limit(&self) -> Option<Limit> {
        let table: toml::Table = self.spec.parse().ok()?;
        table.get("playouts")?.as_integer().map(|n| Limit::Playouts(n as u64))
    }
}

/// Two agents under the same conditions: everything that decides a game, apart from its opening,
/// its replica and its colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matchup {
    /// The canonical TOML of the [`Conditions`].
    pub conditions: String,
    /// The agent whose side results take.
    pub a: Config,
    /// Its opponent.
    pub b: Config,
}

impl Matchup {
    /// Of these agents under these conditions.
    pub fn new(conditions: &Conditions, a: &Config, b: &Config) -> Matchup {
        Matchup { conditions: conditions.canonical(), a: a.clone(), b: b.clone() }
    }

    /// The identity of a game: a hash of everything that decides it.
    pub fn game_id(&self, opening: u64, replica: u32, a_first: bool) -> String {
        let place = format!("{opening} {replica} {a_first}");
        hash(&[&self.conditions, &self.a.hash(), &self.b.hash(), &place])
    }

    /// Everything in one TOML text: the conditions and the tables `a` and `b`.
    pub fn spec(&self) -> String {
        let agent = |name: &str, config: &Config| {
            let table = config.spec.parse::<toml::Table>().unwrap_or_default();
            toml::Table::from_iter([(name.to_owned(), toml::Value::Table(table))]).to_string()
        };
        format!("{}\n{}\n{}", self.conditions, agent("a", &self.a), agent("b", &self.b))
    }
}

/// The reason of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// A player resigned.
    Resign,
    /// A player broke the rules, the protocol or the clock, or stopped working, and loses.
    Forfeit,
    /// It was too long and counts as a draw.
    Length,
    /// Both players considered it decided, see [`Adjudication`](crate::adjudication::Adjudication).
    Adjudicated,
}

impl Ending {
    pub(super) const ALL: [Ending; 5] =
        [Ending::Rules, Ending::Resign, Ending::Forfeit, Ending::Length, Ending::Adjudicated];
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Rules => "rules",
            Ending::Resign => "resign",
            Ending::Forfeit => "forfeit",
            Ending::Length => "length",
            Ending::Adjudicated => "adjudicated",
        })
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRow {
    /// The game's identity, see [`Matchup::game_id`].
    pub id: String,
    /// Whether agent `a` of the pair moved first.
    pub a_first: bool,
    /// The seed of the game's random numbers.
    pub seed: u64,
    /// The moves that were given, as text.
    pub opening: Vec<String>,
    /// All moves as text, the opening included.
    pub moves: Vec<String>,
    /// 1 if `a` won, 1/2 for a draw, 0 if `b` won.
    pub score_a: f64,
    /// As SGF writes results: `B+3.5`, `W+R`, `0`; B is the player who moved first.
    pub result: String,
    /// The reason of its end.
    pub ending: Ending,
    /// Why it was forfeited.
    pub detail: Option<String>,
    /// The result by an engine that disagreed with the referee.
    pub dispute: Option<String>,
    /// The value for `a` by the engine that disagreed.
    #[serde(default)]
    pub dispute_value: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// The processor seconds of the searches of `a` and `b`, if an agent has a process of its own.
    /// A store keeps only their sums, in the events that end runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<[f64; 2]>,
    /// The searches of the game.
    pub searches: Vec<SearchRow>,
}

#[cfg(test)]
impl GameRow {
    /// A game of one move that `a` has won, for tests.
    pub(crate) fn resigned(matchup: &Matchup, opening: u64, a_first: bool) -> GameRow {
        GameRow {
            id: matchup.game_id(opening, 0, a_first),
            a_first,
            seed: u64::MAX,
            opening: Vec::new(),
            moves: vec!["b2".to_owned()],
            score_a: 1.0,
            result: "B+R".to_owned(),
            ending: Ending::Resign,
            detail: None,
            dispute: None,
            dispute_value: None,
            seconds: 0.5,
            processor_seconds: None,
            searches: Vec::new(),
        }
    }
}

impl GameRow {
    /// The game without the values that depend on the clock, on the number of threads or on
    /// interruptions of its run: its seconds and its processor seconds, and the searches' `seconds`
    /// and `bytes_peak`. An agent keeps its memory from game to game, so its peak depends on the
    /// games that it played before. Everything else is the same in every run.
    #[must_use]
    pub fn reproducible(mut self) -> GameRow {
        (self.seconds, self.processor_seconds) = (0.0, None);
        for search in &mut self.searches {
            (search.seconds, search.bytes_peak) = (0.0, 0);
        }
        self
    }

    /// The hash of the moves: equal for equal games.
    pub fn moves_hash(&self) -> String {
        hash(&[&self.moves.join(" ")])
    }
}

/// One search of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchRow {
    /// Moves played before, the opening included.
    pub ply: u32,
    /// Whether agent `a` searched.
    pub by_a: bool,
    /// The chosen move as text.
    pub chosen: String,
    /// Its visits, if the agent counts visits.
    pub visits: Option<u32>,
    /// The position's value for the player to move, if the agent says.
    pub value: Option<f32>,
    /// Simulations of the search.
    pub simulations: u64,
    /// Its wall-clock time.
    pub seconds: f64,
    /// The most nodes that the agent has held since the game began.
    pub nodes_peak: u64,
    /// The most bytes that it has held since then; see [`GameRow::reproducible`].
    pub bytes_peak: u64,
}

/// The cost of the searches of one agent, over all its games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Simulations.
    pub simulations: u64,
    /// Wall-clock time of its searches.
    pub seconds: f64,
    /// Processor time of its searches, in seconds, in the runs that ended by themselves; only of
    /// matches with an engine. A recipe's is that of the thread of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// The most nodes held at a time.
    pub nodes_peak: u64,
    /// The most bytes held at a time.
    pub bytes_peak: u64,
    /// Seconds beyond the time limit, added up over the searches that exceeded it by more than 0.1
    /// s; 0 without a limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overtime: f64,
    /// The most of a single search.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overtime_most: f64,
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// 128 bits of BLAKE3 of the parts, as hexadecimal digits.
pub(super) fn hash(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_decides_a_game_changes_its_identity() {
        let config = |spec: &str| Config { name: String::new(), spec: spec.to_owned() };
        let matchup = Matchup { conditions: String::new(), a: config("a"), b: config("b") };
        let other = Matchup { a: config("b"), b: config("a"), ..matchup.clone() };
        let places = [(0, 0, true), (0, 0, false), (1, 0, true), (0, 1, true), (0, 2, true)];
        let ids = [&matchup, &other]
            .map(|m| places.map(|(opening, replica, first)| m.game_id(opening, replica, first)));
        let different: std::collections::BTreeSet<_> = ids.iter().flatten().collect();
        assert_eq!(different.len(), 2 * places.len());
    }
}
