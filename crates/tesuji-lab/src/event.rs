//! What happens while trials are made: one stream, which progress bars, tests and pages read alike.

use crate::schedule::Pairing;
use crate::store::GameRow;
use serde::Serialize;
use serde_json::{Value, json};

/// Something that happened, in the order in which it did.
///
/// A step is [started](Event::Started), its trials are [done](Event::Done), estimates
/// [move](Event::Moved), and the step [stops](Event::Stopped). A reader may ignore any of them.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins or goes on: a match, the trials of a part, the self-play of an iteration.
    Started {
        /// Its name.
        name: &'a str,
        /// What it is; may be empty.
        about: &'a str,
        /// Its place among the steps, from 1.
        number: usize,
        /// How many steps there are.
        of: usize,
        /// Trials that it shall have, or that are missing; 0 if nobody knows.
        total: u64,
    },
    /// A game of a match is in the store.
    Game {
        /// Which one.
        pairing: Pairing,
        /// Its value for the first agent of the pairing; none if it counts for nobody.
        value: Option<f64>,
        /// The game if it was played now; none if an earlier run played it.
        game: Option<&'a GameRow>,
    },
    /// A game could not be played to its end by a fault of this program, or because somebody ended
    /// an engine. Running again plays it again.
    Failed {
        /// Whose game.
        pairing: Pairing,
        /// What happened.
        why: &'a str,
    },
    /// N trials of the step are done, whether they count or not.
    Done(u64),
    /// An estimate moved.
    Moved(Estimate<'a>),
    /// Something worth a line: a forfeit, a dispute, the losses of an iteration.
    Note(&'a str),
    /// The step stopped.
    Stopped(Why),
}

impl Event<'_> {
    /// The event as a JSON object, for `--progress json` and pages: `event` says which one it is,
    /// the other keys are its content.
    pub fn json(&self) -> Value {
        match self {
            Event::Started { name, about, number, of, total } => {
                json!({ "event": "started", "name": name, "about": about, "number": number, "of": of, "total": total })
            }
            Event::Game { pairing, value, game } => json!({
                "event": "game",
                "opening": pairing.opening,
                "value": value,
                "a_first": game.map(|game| game.a_first),
                "result": game.map(|game| &game.result),
                "moves": game.map(|game| game.moves.len()),
                "is_new": game.is_some(),
            }),
            Event::Failed { pairing, why } => {
                json!({ "event": "failed", "opening": pairing.opening, "why": why })
            }
            Event::Done(done) => json!({ "event": "done", "done": done }),
            Event::Moved(Estimate { name, value, interval, counts }) => {
                json!({ "event": "moved", "name": name, "value": value, "interval": interval, "counts": counts })
            }
            Event::Note(note) => json!({ "event": "note", "note": note }),
            Event::Stopped(why) => json!({ "event": "stopped", "why": why }),
        }
    }
}

/// A number as far as it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate<'a> {
    /// The estimated quantity: `score`, an evaluation, an arm.
    pub name: &'a str,
    /// The estimate.
    pub value: f64,
    /// The ends of its interval.
    pub interval: [f64; 2],
    /// For the score of a match: the losses, draws and wins that count.
    pub counts: Option<[u64; 3]>,
}

/// Why a step stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// It has what it shall have.
    Complete,
    /// It was stopped from outside.
    Interrupted,
    /// A trial failed.
    Failed,
}

impl Why {
    /// The reason of a step that was interrupted, or one of whose trials failed.
    pub(crate) fn of(is_interrupted: bool, has_failed: bool) -> Why {
        match (is_interrupted, has_failed) {
            (_, true) => Why::Failed,
            (true, false) => Why::Interrupted,
            (false, false) => Why::Complete,
        }
    }
}
