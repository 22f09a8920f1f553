//! The engine: a game, a clock and an agent, which also decides when to pass and when to resign. It
//! knows nothing of any protocol.

mod clock;
mod decide;
mod fate;
mod game_state;
mod judge;
mod options;
mod record;
mod state;
mod stones;

pub use clock::{Clock, TimeSettings};
pub use game_state::{Agents, AgentsOf};
pub use judge::{Judgement, Status};
pub use options::Options;
pub(crate) use state::result_text;
pub use state::{Decision, Engine};
pub use stones::{Chain, Stones};

use crate::sgf::Point;
use tesuji::{ChildReport, Expectation, Report};

/// A move on a board of any size: a point, or none for a pass.
pub type Move = Option<Point>;

/// A network's evaluation of a position, without a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The value in [0, 1] for the player to move.
    pub value: f32,
    /// The legal moves with their priors, which sum to 1, the best first.
    pub policy: Vec<(Move, f32)>,
    /// The expected end, if the network has such outputs: the lead of the player to move in points,
    /// komi included, and the owner of each point, in rows from the top (1 the player's, -1 the
    /// opponent's).
    pub expectation: Option<Expectation>,
}

/// The lower confidence bound of a value: less 1.96 standard errors of a proportion, at least 0.
pub(crate) fn lower_bound(value: f64, visits: u64) -> f64 {
    let error = 1.96 * (value * (1.0 - value) / visits.max(1) as f64).sqrt();
    (value - error).max(0.0)
}

/// The moves of a search as it reports them, but the one that it chose first.
pub(crate) fn best_first(report: &Report<Move>) -> Vec<&ChildReport<Move>> {
    let mut children: Vec<_> = report.children.iter().collect();
    children.sort_by_key(|child| child.m != report.best);
    children
}

/// The move as GTP writes it.
pub fn move_text(m: Move) -> String {
    m.map_or_else(|| "pass".to_owned(), |point| point.to_string())
}
