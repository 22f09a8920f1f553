//! The state of a search at one moment, in the form that the page reads.

use serde_json::{Value, json};
use tesuji::{NodeCounts, NodeReport, Proven, Report, StopReason, TriedMove};
use tesuji_lab::stats::agresti_coull;

/// Moves of which a snapshot tells; the others have fewer visits, and so small a disc that it is
/// not seen.
const TOLD: usize = 120;
/// Moves whose variations it tells, and how long those are.
const VARIATIONS: usize = 24;
const LENGTH: usize = 16;

/// What a search does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchState {
    Runs,
    Paused,
    Ended(StopReason),
}

impl SearchState {
    fn word(self) -> &'static str {
        match self {
            SearchState::Runs => "running",
            SearchState::Paused => "paused",
            SearchState::Ended(_) => "ended",
        }
    }
}

fn proven(proven: Option<Proven>) -> Option<&'static str> {
    proven.map(|proven| match proven {
        Proven::Win => "win",
        Proven::Draw => "draw",
        Proven::Loss => "loss",
    })
}

/// A move that was tried. The interval is that of as many independent results: a measure of how
/// much was looked at.
pub(crate) fn tried(tried: &TriedMove<String>) -> Value {
    let visits = f64::from(tried.visits);
    let interval = agresti_coull(f64::from(tried.value) * visits, visits.max(1.0), 0.95);
    json!({
        "move": tried.m,
        "visits": tried.visits,
        "value": tried.value,
        "lo": interval.lo,
        "hi": interval.hi,
        "prior": tried.prior,
        "amaf": tried.amaf.filter(|amaf| amaf.count > 0).map(|amaf| amaf.mean()),
        "amaf_count": tried.amaf.map(|amaf| amaf.count),
        "proven": proven(tried.proven),
        "over": tried.is_terminal,
        "children": tried.children,
    })
}

/// How a search goes, beside what it found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) state: SearchState,
    /// Simulations a second since the last snapshot.
    pub(crate) rate: f64,
    /// Time spent on simulations.
    pub(crate) seconds: f64,
    pub(crate) nodes: NodeCounts,
}

/// A search that has reported; `node` is its root, `last` the way of its last simulation.
pub(crate) fn snapshot(
    report: &Report<String>,
    node: Option<&NodeReport<String>>,
    last: &[String],
    progress: Progress,
) -> Value {
    let Progress { state, rate, seconds, nodes } = progress;
    let moves: Vec<Value> = node.map_or_else(Vec::new, |node| {
        node.moves.iter().filter(|tried| tried.visits > 0).take(TOLD).map(tried).collect()
    });
    let variations: serde_json::Map<String, Value> = report
        .children
        .iter()
        .take(VARIATIONS)
        .map(|child| (child.m.clone(), json!(child.variation.iter().take(LENGTH).collect::<Vec<_>>())))
        .collect();
    json!({
        "state": state.word(),
        "reason": if let SearchState::Ended(reason) = state { Some(format!("{reason:?}").to_lowercase()) } else { None },
        "best": report.best,
        "value": report.value,
        "simulations": report.simulations,
        "rate": rate,
        "seconds": seconds,
        "nodes": report.nodes,
        "limit": nodes.limit,
        "recycled": nodes.recycled,
        "pruned": nodes.pruned,
        "last": last,
        "bytes": report.bytes,
        "depth": report.depth,
        "moves": moves,
        "variation": report.variation.iter().take(LENGTH).collect::<Vec<_>>(),
        "variations": variations,
    })
}
