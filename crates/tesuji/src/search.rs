//! The search: one loop over exchangeable parts.

mod advised;
mod ask;
mod build_error;
pub(crate) mod clock;
mod drive;
mod expand;
mod inspect;
mod limits;
mod options;
mod reporting;
mod root;
mod saved;
mod setup;
mod shared;
mod simulation;
mod stay;
mod together;
mod two_level;

pub use ask::AskTell;
pub use build_error::BuildError;
pub use options::{InFlight, Options, Ties, TwoLevel};
pub use reporting::{Choice, SearchError};

use crate::amaf::{Pool, Pools, Table, TableId, Tables};
use crate::halving::Halving;
use crate::node::{Link, NodeId};
use crate::select::{NodeView, Pick, Reference, pick_by_table};
use crate::tree::{Expanded, SECOND, Step, TOP};
use crate::untried::{Rest, Untried};
use crate::{
    Advisor, Backup, Bot, BotError, Budget, Code, CodeOf, Columns, Evaluation, Game, Grave, Mean, Observer,
    Outcome, Player, Playout, Reply, Report, Rng, SearchGame, Select, StopReason, Trace, Tree, Ucb, Uniform,
    solver,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use clock::Clock;
use core::hint::cold_path;
use drive::Drive;
use limits::Limits;
use reporting::About;
use simulation::{Simulation, Worker};
use together::Flight;

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

/// What all simulations of a search share.
#[derive(Clone, Debug)]
struct Core<G: SearchGame, S, B, I: Link> {
    select: S,
    backup: B,
    options: Options,
    tree: Tree<CodeOf<G>, I>,
    /// The position at the tree's root.
    root: G,
    /// Simulations of this search, those in flight included while it is driven from outside.
    told: u64,
    /// Playouts of a second-level search; 1 if there is only one level.
    batch: u32,
    expansion: Expansion,
    advisor: Option<Arc<dyn Advisor<G>>>,
    /// How simulations are shared out among the moves of the root, if not by the tree policy.
    halving: Option<Halving<CodeOf<G>>>,
    /// Whether the solver or an advisor has a say in where a simulation goes.
    careful: bool,
    /// Whether the moves of simulations are recorded, because the playout policy or an AMAF table
    /// learns.
    records: bool,
}

/// When untried moves have their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expansion {
    /// Each once, before any is compared.
    First,
    /// As soon as one is scored above the tried ones.
    Compared,
    /// The same, and an advisor has a say in the scores.
    Advised,
}

/// Where a simulation goes from a node.
enum Next<C> {
    Child(NodeId),
    Untried(C),
    Nowhere,
}

/// Why a simulation pauses on its way down.
enum Halt<C, O> {
    /// It has come to its end, and the outcome is known.
    Known(O),
    /// It has come to its end, which is to be evaluated.
    Leaf,
    /// This move is to have a node.
    Expand(C),
    /// The root's simulations are shared out, and this one has its turn.
    Halve,
    /// The advisor is to be asked about this node.
    Advise,
}

/// [`Halt`] in a search of `G`.
type HaltOf<G> = Halt<CodeOf<G>, <G as Game>::Outcome>;

#[cfg(all(test, feature = "recipe"))]
mod threads_tests;
