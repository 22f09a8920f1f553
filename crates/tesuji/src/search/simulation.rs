//! One simulation under way.

use super::limits::Traits;
use super::options::Options;
use super::stay::Stay;
use crate::amaf::{AnySample, TableId};
use crate::code::NodeId;
use crate::columns::Columns;
use crate::evaluate::Evaluation;
use crate::game::SearchGame;
use crate::node::Step;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::playout::{Line, Playout};
use crate::reserved::Reserved;
use crate::rng::Rng;
use crate::tree::{SECOND, TOP};
use crate::untried::Untried;
use alloc::vec::Vec;
use core::ops::Range;

/// The longest path for which room is reserved; a longer one makes its own.
const LONG: usize = 1 << 16;

/// A simulation on its way through the tree, with its scratch space. Nothing of it grows in a warm
/// search.
#[derive(Clone, Debug)]
pub(super) struct Simulation<G: SearchGame> {
    /// The position that it has come to.
    pub(super) game: G,
    /// Its nodes so far, the root first.
    pub(super) path: Reserved<Step>,
    /// Its moves so far, and those of its playout: one for each node of the path but the root, then
    /// the playout's.
    pub(super) line: Line,
    /// Who is to move at its leaf, where the update depends on it and the game is not over.
    pub(super) to_move: Option<Player>,
    /// Scratch: moves of one position.
    pub(super) moves: Reserved<G::Move>,
    /// Scratch: their priors.
    pub(super) priors: Reserved<f32>,
    /// Scratch: which of them have nodes.
    pub(super) untried: Untried,
    /// Scratch: what AMAF tables learn from it.
    pub(super) sample: AnySample,
    pub(super) rng: Rng,
    /// Slots of the tree that are its own.
    pub(super) slots: Range<u32>,
    /// The AMAF table that is read where it is now.
    pub(super) reference: Option<TableId>,
    /// Whether its last node is new.
    pub(super) expanded: bool,
    /// Whether the move that it is to expand is the last one of its node.
    pub(super) last: bool,
    /// The most moves from the root of any so far in this search.
    pub(super) deepest: usize,
    /// Whether every legal move is worth a node: a proof must look at all.
    pub(super) all_moves: bool,
    /// The outcome that an evaluation of its position expects.
    pub(super) outcome: Option<G::Outcome>,
    /// Whether its position is still to be evaluated or played out.
    pub(super) waits: bool,
    /// The second-level search that it belongs to.
    pub(super) second_level: Option<SecondLevel>,
    /// The position at the leaf of the second level, or at the node where it stays.
    pub(super) leaf: G,
    /// The node below which it stays, so that others change the nodes above it.
    pub(super) stay: Stay<G::Outcome>,
    /// The mean of the second-level search for each player; then that of the squares, if the tree
    /// keeps them.
    pub(super) means: Vec<f64>,
    /// The AMAF table of second-level searches that share nothing.
    pub(super) apart: Option<TableId>,
}

impl<G: SearchGame> Simulation<G> {
    /// Before the first one of a search of `start`.
    pub(super) fn new(start: &G, options: &Options, columns: Columns, records: bool) -> Self {
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let width = moves.len().max(1);
        let nodes = options.memory.nodes.unwrap_or(usize::MAX - 1);
        let moves = Vec::with_capacity(most_moves(start, width));
        let untried = Untried::new(start);
        let learns = columns.has(Columns::AMAF);
        let (keys, players) = if learns { (start.keys(), G::Outcome::PLAYERS) } else { (0, 0) };
        Simulation {
            game: start.clone(),
            path: Vec::with_capacity(options.depth.min(nodes).min(LONG) + 1).into(),
            line: if records { Line::of_search(width, options) } else { Line::default() },
            to_move: None,
            priors: Vec::with_capacity(if columns.has(Columns::PRIOR) { moves.capacity() } else { 0 }).into(),
            moves: moves.into(),
            sample: AnySample::new(options.amaf.counts, keys, players, untried.spare()),
            untried,
            rng: Rng::new(0),
            slots: 0..0,
            reference: None,
            expanded: false,
            last: false,
            deepest: 0,
            all_moves: options.solver,
            outcome: None,
            waits: false,
            second_level: None,
            leaf: start.clone(),
            stay: Stay::default(),
            means: alloc::vec![0.0; G::Outcome::PLAYERS * if columns.has(Columns::SQUARES) { 2 } else { 1 }],
            apart: None,
        }
    }

    /// Forgets what it holds of a tree that is gone.
    pub(super) fn leave_tree(&mut self) {
        (self.second_level, self.waits) = (None, false);
        (self.apart, self.slots) = (None, 0..0);
        self.sample.begin_tree();
    }

    /// The level of the tree that it grows.
    #[inline]
    pub(super) fn level(&self) -> usize {
        if self.second_level.is_some() { SECOND } else { TOP }
    }

    /// Whether it belongs to a second-level search that is about this node.
    #[inline]
    pub(super) fn is_about(&self, id: NodeId) -> bool {
        self.second_level.is_some_and(|second_level| self.path[second_level.depth].node == id)
    }

    /// Appends the moves worth a node to the scratch list.
    #[inline]
    pub(super) fn list_moves(&mut self) {
        if self.all_moves {
            self.game.moves(&mut self.moves);
        } else {
            self.game.search_moves(&mut self.moves);
        }
    }

    /// What is to be evaluated of its position; with the priors of its moves if they are wanted.
    pub(super) fn asks(&mut self, priors: bool) -> Evaluation<'_, G> {
        self.moves.clear();
        self.priors.clear();
        if priors {
            self.list_moves();
        }
        let Simulation { game, moves, priors, outcome, .. } = self;
        *outcome = None;
        Evaluation { position: game, moves, priors, outcome }
    }

    /// What is to be evaluated, if it waits for an evaluation.
    pub(super) fn question(&mut self, traits: Traits) -> Option<Evaluation<'_, G>> {
        let priors = traits.priors && self.expanded;
        (self.waits && (priors || traits.evaluates)).then(|| self.asks(priors))
    }

    /// Answers its [question](Simulation::question), as far as nobody has, by a playout policy.
    pub(super) fn answer<P: Playout<G>>(&mut self, playout: &mut P, traits: Traits) {
        let priors = traits.priors && self.expanded;
        let lacks_priors = priors && self.priors.len() != self.moves.len();
        if self.waits && (lacks_priors || (traits.evaluates && self.outcome.is_none())) {
            self.prime(playout, priors);
        }
    }

    /// Asks a playout policy about its position.
    #[inline(never)]
    pub(super) fn prime<P: Playout<G>>(&mut self, playout: &mut P, priors: bool) {
        playout.prime(&mut [self.asks(priors)]);
    }

    /// Heap bytes held, those of the positions apart.
    pub(super) fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Step>()
            + self.line.bytes()
            + self.moves.capacity() * size_of::<G::Move>()
            + self.priors.capacity() * size_of::<f32>()
            + self.means.capacity() * size_of::<f64>()
            + self.untried.bytes()
            + self.sample.bytes()
            + self.stay.bytes()
    }
}

/// Room for every list of moves of games from `start` on, which has `width` moves.
pub(super) fn most_moves<G: SearchGame>(start: &G, width: usize) -> usize {
    start.most_moves().unwrap_or(match start.keys() {
        0 => 4 * width,
        keys => keys,
    })
}

/// The second-level search that is going on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecondLevel {
    /// The depth of the leaf that it is about.
    pub(super) depth: usize,
    /// Playouts made, of [`Core::batch`].
    pub(super) done: u32,
    /// Whether nothing hung below the leaf.
    pub(super) bare: bool,
}

/// A simulation and those beside it.
pub(super) fn all<'a, G: SearchGame>(
    one: &'a mut Simulation<G>,
    others: &'a mut [Simulation<G>],
) -> impl Iterator<Item = &'a mut Simulation<G>> {
    core::iter::once(one).chain(others)
}

/// Who makes simulations: one for each thread, which shares no line of memory with another.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(super) struct Worker<G: SearchGame, P> {
    pub(super) simulation: Simulation<G>,
    /// Those that are in flight beside it.
    pub(super) others: Vec<Simulation<G>>,
    pub(super) playout: P,
}

impl<G: SearchGame, P: Playout<G>> Worker<G, P> {
    /// Its simulations.
    pub(super) fn simulations(&self) -> impl Iterator<Item = &Simulation<G>> {
        core::iter::once(&self.simulation).chain(&self.others)
    }

    /// Its simulations, to be changed.
    pub(super) fn simulations_mut(&mut self) -> impl Iterator<Item = &mut Simulation<G>> {
        all(&mut self.simulation, &mut self.others)
    }

    /// Heap bytes held for games that begin at `start`.
    pub(super) fn bytes(&self, start: &G) -> usize {
        let others = self.others.capacity() * size_of::<Simulation<G>>();
        others + self.simulations().map(Simulation::bytes).sum::<usize>() + self.playout.bytes(start)
    }
}
