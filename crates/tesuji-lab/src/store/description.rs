//! What an experiment asks for, and how two descriptions differ.

use super::{Disputed, Matchup, rows::hash};
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The description of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The kind of experiment: `match`, `matches`, `decisions`, ...
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The purpose of the experiment, in a sentence.
    pub about: String,
    /// The experiment file; of a single match its settings.
    pub file: String,
    /// The program that began it, with its commit.
    pub version: String,
}

/// The matches and trials of an experiment, in its order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoredPlan {
    /// Matches.
    pub matches: Vec<PlannedMatch>,
    /// Trials.
    pub parts: Vec<PlannedTrials>,
}

/// A match that an experiment asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedMatch {
    /// Its name, unique in the experiment.
    pub name: String,
    /// Whose games.
    pub matchup: Matchup,
    /// The name of the first agent in this match.
    pub a: String,
    /// The name of the second agent.
    pub b: String,
    /// The number of games, from the first opening on.
    pub games: u64,
    /// The test that may end it earlier.
    pub sprt: Option<Sprt>,
    /// The value of a game whose result an engine disputes.
    pub disputed: Disputed,
    /// The claim and the series that the match belongs to.
    pub labels: Labels,
}

/// The claim and the series that a match belongs to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Labels {
    /// The claim that it bears on.
    pub claim: String,
    /// The curve of a figure to which it belongs.
    pub series: String,
    /// Its place on the horizontal axis of that figure.
    pub x: Option<f64>,
}

/// Trials that an experiment asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedTrials {
    /// Their name, unique in the experiment.
    pub name: String,
    /// Which trials.
    pub group: TrialGroup,
    /// The number of trials.
    pub trials: u64,
}

/// Trials that differ only in their number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrialGroup {
    /// Canonical TOML: everything that decides them.
    pub spec: String,
    /// The names of the figures of a trial.
    pub columns: Vec<String>,
}

impl TrialGroup {
    /// The hash of the specification.
    pub fn hash(&self) -> String {
        hash(&[&self.spec])
    }
}

impl PlannedMatch {
    /// Each difference of this match from a `new` one: keys of the conditions, and agents. If an
    /// agent has the same name in both, the keys of its description.
    pub(super) fn differences(&self, new: &PlannedMatch) -> Vec<String> {
        let mut all = differences(&self.matchup.conditions, &new.matchup.conditions);
        for (key, [old, new], [old_name, new_name]) in [
            ("a", [&self.matchup.a, &new.matchup.a], [&self.a, &new.a]),
            ("b", [&self.matchup.b, &new.matchup.b], [&self.b, &new.b]),
        ] {
            if old != new && old_name != new_name {
                all.push(format!("{key} is {old_name} there and {new_name} here"));
            } else {
                all.extend(differences(&old.spec, &new.spec).iter().map(|own| format!("{key}.{own}")));
            }
        }
        all
    }
}

/// Keys of conditions that files and options name in another way.
const NAMES: [(&str, &str); 4] = [
    ("limit.playouts", "playouts"),
    ("limit.milliseconds", "time in milliseconds"),
    ("openings.random-plies", "opening_plies"),
    ("openings.lines", "openings"),
];

/// Each key whose value differs between two descriptions in TOML, with both values.
pub(super) fn differences(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (leaves(old), leaves(new));
    let mut differences = Vec::new();
    for (key, value) in &old {
        match new.iter().find(|(k, _)| k == key) {
            Some((_, new)) if new == value => {}
            Some((_, new)) => differences.push(format!("{key} is {value} there and {new} here")),
            None => differences.push(format!("{key} is {value} there and not set here")),
        }
    }
    for (key, value) in &new {
        if old.iter().all(|(k, _)| k != key) {
            differences.push(format!("{key} is not set there and {value} here"));
        }
    }
    differences
}

/// All (dotted key, value) of a description.
fn leaves(spec: &str) -> Vec<(String, String)> {
    fn walk(prefix: &str, value: &Value, leaves: &mut Vec<(String, String)>) {
        let at = |key: &str| if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(table) => table.iter().for_each(|(key, value)| walk(&at(key), value, leaves)),
            value => leaves.push((prefix.to_owned(), value.to_string())),
        }
    }
    let mut leaves = Vec::new();
    match spec.parse::<Table>() {
        Ok(table) => walk("", &Value::Table(table), &mut leaves),
        Err(_) => leaves.push(("the description".to_owned(), spec.to_owned())),
    }
    for (key, _) in &mut leaves {
        if let Some((_, name)) = NAMES.iter().find(|(own, _)| own == key) {
            *key = (*name).to_owned();
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::MatchConfig;

    #[test]
    fn differences_are_named() {
        let stored = "seed = 1\nplayouts = 10\n[a]\nc = 0.5\n";
        assert!(differences(stored, stored).is_empty());
        assert_eq!(
            differences(stored, "seed = 2\nplayouts = 10\nkomi = 7.0\n[a]\nc = 0.5\n"),
            ["seed is 1 there and 2 here", "komi is not set there and 7.0 here"]
        );
    }

    #[test]
    fn a_changed_agent_is_one_difference() {
        let of = |b: &str, playouts| {
            MatchConfig::new("m", ["uct", b], "tic-tac-toe", 1, playouts).planned().unwrap()
        };
        assert_eq!(
            of("uct", 10).differences(&of("grave", 20)),
            ["playouts is 10 there and 20 here", "b is uct there and grave here"]
        );
        // A file of this name has changed.
        let renamed = PlannedMatch { b: "uct".to_owned(), ..of("uct,select.c=0.5", 10) };
        assert_eq!(of("uct", 10).differences(&renamed), ["b.select.c is 0.7 there and 0.5 here"]);
        let other = PlannedMatch { b: "other".to_owned(), ..of("uct", 10) };
        assert_eq!(of("uct", 10).differences(&other), [""; 0]);
    }
}
