//! The search: one loop over exchangeable parts.

mod access;
mod advised;
mod ask;
mod build_error;
pub(crate) mod clock;
mod common;
mod drive;
mod expand;
mod flight;
mod inspect;
mod limits;
mod options;
mod reporting;
mod root;
mod saved;
mod setup;
mod simulation;
mod stay;
mod staying;
mod together;
mod two_level;

pub use ask::AskTell;
pub use build_error::BuildError;
pub use options::{Options, Ties, TwoLevel};
pub use reporting::{Choice, SearchError};

use crate::backup::Mean;
use crate::bot::Observer;
use crate::code::Link;
use crate::game::{Game, SearchGame};
use crate::playout::Uniform;
use crate::report::StopReason;
use crate::select::Ucb;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use common::Core;
use flight::Flight;
use limits::Limits;
use simulation::Worker;

/// A Monte Carlo tree search of `G`: a tree policy, a backup, a playout policy and [`Options`].
///
/// ```
/// # use tesuji::doc_game::Nim;
/// use tesuji::{Budget, Search};
///
/// let game = Nim::new(10);
/// let mut search = Search::uct(&game, 0.7, 1);
/// let report = search.run(&game, &Budget::simulations(1000)).unwrap();
/// assert_eq!(report.best, 2, "leaves a multiple of four");
/// ```
///
/// The same position, seed and number of simulations give the same tree, node for node, on every
/// machine. With `I` = `u16` nodes are 4 bytes smaller and there are at most 65 535 of them; the
/// tree is the same. A simulation costs time proportional to the children of the nodes on its path
/// and to the length of its playout; in a warm search it allocates nothing.
#[derive(Clone, Debug)]
pub struct Search<G: SearchGame, S = Ucb, B = Mean, P = Uniform, I: Link = u32> {
    core: Core<G, S, B, I>,
    worker: Worker<G, P>,
    /// One for each further thread.
    others: Vec<Worker<G, P>>,
    drive: Drive<G, S, B, P, I>,
    /// The search that is driven from outside, or was.
    flight: Option<Flight>,
    name: Cow<'static, str>,
    seed: u64,
    /// Searches since the game began; each has its own random numbers.
    searches: u64,
    /// Whether the next search of this root goes on with the tree.
    resumes: bool,
    /// Whether [`Bot::played`] led from the searched position to this root.
    kept: bool,
    nodes_peak: usize,
    bytes_peak: usize,
}

/// Makes simulations until the budget is spent, and says why it ended.
type Drive<G, S, B, P, I> =
    fn(&mut Search<G, S, B, P, I>, &Limits, &mut dyn Observer<<G as Game>::Move>) -> StopReason;

#[cfg(all(test, feature = "recipe"))]
mod driven_tests;
#[cfg(all(test, feature = "recipe"))]
mod threads_tests;
