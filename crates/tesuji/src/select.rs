//! Tree policies, which choose the child that a simulation visits next.

#[cfg(feature = "recipe")]
mod erased;
mod flat;
mod grave;
mod highest;
mod puct;
mod ucb;

#[cfg(feature = "recipe")]
pub(crate) use erased::{ErasedSelect, Picking};
pub use flat::{EpsilonGreedy, RoundRobin};
pub use grave::{Grave, HandSelectedRave};
use highest::{highest_gathered, highest_of, select_slow};
pub use puct::{FirstPlay, Puct, PuctCount};
pub use ucb::{Ucb, UcbTuned};

use crate::amaf::{Amaf, Entry, Table, best_of_cells, each_kind};
use crate::bias::Biasing;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::Order;
use crate::node::Node;
use crate::player::Player;
use crate::rng::Rng;
use crate::tree::{InFlight, Tree};
use crate::untried::{Cells, Note, Ones, Open, Placed, Rest};

/// A tree policy.
///
/// A policy scores one child at a time; [`Select::pick`], which is provided, finds the best. The
/// values it sees are those of the player to move at the parent, in [0, 1].
pub trait Select {
    /// The side columns that the scores read. Default: none. The loops over children are compiled
    /// for these alone. A policy that forwards to another one as a whole has [`Columns::ALL`].
    const NEEDS: Columns = Columns::NONE;

    /// [`Select::NEEDS`]. Not to be overridden, except to forward to another policy as a whole.
    #[inline]
    fn needs(&self) -> Columns {
        Self::NEEDS
    }

    /// What all children of one node share, computed once each time the node is passed. Default:
    /// zeros.
    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        let _ = parent;
        Shared::default()
    }

    /// The score of a tried child; the highest is chosen.
    fn score(&self, shared: Shared, child: &Child) -> f32;

    /// Whether a tried child certainly scores less than this, so that its score need not be
    /// computed. Default: never.
    #[inline]
    fn is_below(&self, shared: Shared, child: &Child, score: f32) -> bool {
        let _ = (shared, child, score);
        false
    }

    /// The score of a move that has no node yet, `child.visits` is 0. Default: infinite, every move
    /// is tried once first.
    ///
    /// A search asks only for the best of the untried moves. With priors, that is the one with the
    /// highest prior; with AMAF tables, one that was never seen or, if there is none, the one with
    /// the highest AMAF mean.
    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        let _ = (shared, child);
        f32::INFINITY
    }

    /// A lower bound on the AMAF mean of an untried move that is scored above `score`; moves below
    /// it are not looked at. Default: none.
    #[inline]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        let _ = (shared, score);
        f32::NEG_INFINITY
    }

    /// An AMAF table is the reference below its node if it has learned from more simulations than
    /// this. Default 0: the table of the node itself.
    #[inline]
    fn reference(&self) -> u32 {
        0
    }

    /// The probability with which the search ignores the scores and takes any move. Default 0.
    #[inline]
    fn random(&self) -> f32 {
        0.0
    }

    /// The policy, if it is this one.
    #[doc(hidden)]
    #[inline]
    fn grave(&self) -> Option<&Grave> {
        None
    }

    /// The best child of a node and its score, or none if the node has no child. `reference` is
    /// what an AMAF table says of the node's moves, if there is one. Do not override this method,
    /// except to forward to another policy as a whole.
    #[inline(always)]
    fn pick<C: Code, I: Link>(
        &self,
        view: NodeView<'_, C, I>,
        reference: Option<&mut Reference<'_>>,
        rng: &mut Rng,
    ) -> Pick {
        pick(self, view, reference, rng)
    }
}

/// The parent whose children a policy compares, as the policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    /// Visits of the node: those of its children and its own evaluation, which the root of a new
    /// search does not have. Recycling and pruning take children and leave the visits.
    pub visits: u32,
    /// The node's value for the player to move there.
    pub value: f32,
    /// The sum of the priors of its tried children; 0 without priors.
    pub tried_prior: f32,
    /// The sum of the visits of its tried children; 0 without priors.
    pub tried_visits: u32,
}

/// Numbers that a policy computes once for all children of a node.
#[derive(Clone, Copy, Default, Debug)]
pub struct Shared {
    /// Usually the factor of the exploration term.
    pub scale: f32,
    /// Usually the value assumed for untried moves.
    pub first_play: f32,
}

/// A child, as a policy sees it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Child {
    /// Visits; 0 for a move that has no node yet.
    pub visits: u32,
    /// Value for the player to move at the parent.
    pub value: f32,
    /// Prior; 0 without the column [`Columns::PRIOR`].
    pub prior: f32,
    /// Mean of the squared samples; 0 without the column [`Columns::SQUARES`].
    pub mean_square: f32,
    /// The move's statistics in the reference table; nothing without the column [`Columns::AMAF`].
    pub amaf: Amaf,
}

/// A node as a policy sees it.
#[derive(Debug)]
pub struct NodeView<'a, C: Code, I: Link = u32> {
    /// The tree.
    pub tree: &'a Tree<C, I>,
    /// The node.
    pub id: NodeId,
    /// The player who moved into the node.
    pub mover: Player,
    /// The player to move there.
    pub to_move: Player,
    /// The number of players.
    pub players: usize,
}

/// What an AMAF table says of the moves of a node, for [`Select::pick`].
#[derive(Debug)]
pub struct Reference<'a> {
    /// The table from the first key of the player to move on.
    pub(crate) table: Table<'a>,
    /// The cells of the position. The policy clears or marks those of children.
    pub(crate) cells: Cells<'a>,
    /// What the policy found among the untried moves.
    pub(crate) rest: Rest,
}

impl<C: Code, I: Link> NodeView<'_, C, I> {
    /// The node's value for the player to move there.
    #[inline]
    pub fn value(&self) -> f32 {
        value(self.tree, self.id, self.mover, self.to_move, self.players)
    }
}

/// The answer of [`Select::pick`].
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    best: NodeId,
    score: f32,
    shared: Shared,
}

impl Pick {
    /// The best child.
    #[inline]
    pub fn best(&self) -> Option<NodeId> {
        self.best.some()
    }

    /// The score of the best child; minus infinity if there is none.
    #[inline]
    pub fn score(&self) -> f32 {
        self.score
    }

    /// The value of [`Select::shared`] for all children.
    #[inline]
    pub fn shared(&self) -> Shared {
        self.shared
    }
}

/// The children of one node as a whole: whose they are, and what the policy computed for all of
/// them.
struct Family<'a, C: Code, I: Link> {
    tree: &'a Tree<C, I>,
    id: NodeId,
    mover: Player,
    to_move: Player,
    players: usize,
    shared: Shared,
}

impl<C: Code, I: Link> Clone for Family<'_, C, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Code, I: Link> Copy for Family<'_, C, I> {}

impl<'a, C: Code, I: Link> Family<'a, C, I> {
    #[inline(always)]
    fn of<S: Select + ?Sized>(policy: &S, view: &NodeView<'a, C, I>) -> Self {
        let &NodeView { tree, id, mover, to_move, players, .. } = view;
        let (mut tried_prior, mut tried_visits) = (0.0, 0);
        if S::NEEDS.has(Columns::PRIOR) {
            for (id, node) in tree.children(id) {
                tried_prior += tree.prior(id);
                tried_visits = node.visits().saturating_add(tried_visits);
            }
        }
        let (mut visits, value) = (tree.node(id).visits(), view.value());
        if tree.has_overrides() {
            let more = tree.visits_in_flight(id);
            (visits, tried_visits) = (visits.saturating_add(more), more.saturating_add(tried_visits));
        }
        let shared = policy.shared(&Parent { visits, value, tried_prior, tried_visits });
        Family { tree, id, mover, to_move, players, shared }
    }

    /// The node's value for the player to move.
    fn value(&self) -> f32 {
        value(self.tree, self.id, self.mover, self.to_move, self.players)
    }
}

/// A node's value for the player to move there.
#[inline]
fn value<C: Code, I: Link>(
    tree: &Tree<C, I>,
    id: NodeId,
    mover: Player,
    to_move: Player,
    players: usize,
) -> f32 {
    let value = tree.node(id).value();
    if mover == to_move {
        value
    } else if players == 2 {
        1.0 - value
    } else {
        tree.mean_of_children(id)
    }
}

#[inline(always)]
fn pick<S: Select + ?Sized, C: Code, I: Link>(
    policy: &S,
    view: NodeView<'_, C, I>,
    reference: Option<&mut Reference<'_>>,
    rng: &mut Rng,
) -> Pick {
    if const { S::NEEDS.has(Columns::AMAF) } {
        return match reference {
            Some(reference) => pick_by_reference(policy, view, reference, rng),
            None => pick_plainly_outlined(policy, view, rng),
        };
    }
    pick_plainly(policy, view, rng)
}

/// [`pick_plainly`] where it is not to be part of its caller.
#[inline(never)]
fn pick_plainly_outlined<S: Select + ?Sized, C: Code, I: Link>(
    policy: &S,
    view: NodeView<'_, C, I>,
    rng: &mut Rng,
) -> Pick {
    pick_plainly(policy, view, rng)
}

/// [`pick`] without a reference table.
#[inline(always)]
fn pick_plainly<S: Select + ?Sized, C: Code, I: Link>(
    policy: &S,
    view: NodeView<'_, C, I>,
    rng: &mut Rng,
) -> Pick {
    let family = Family::of(policy, &view);
    let (best, score) = best_of::<_, _, _, u64, _>(policy, family, &[], &mut (), rng);
    Pick { best, score, shared: family.shared }
}

/// [`pick`] with a reference table.
#[inline(never)]
fn pick_by_reference<S: Select + ?Sized, C: Code, I: Link>(
    policy: &S,
    view: NodeView<'_, C, I>,
    reference: &mut Reference<'_>,
    rng: &mut Rng,
) -> Pick {
    let Reference { table, cells, rest } = reference;
    each_kind!(*table, entries => pick_by_table(policy, view, entries, cells, rest, rng))
}

/// [`pick`] by one kind of entries: among the moves without a child too, where their cells are
/// known.
#[inline(always)]
pub(crate) fn pick_by_table<S: Select + ?Sized, C: Code, I: Link, E: Entry>(
    policy: &S,
    view: NodeView<'_, C, I>,
    table: &[E],
    cells: &mut Cells<'_>,
    rest: &mut Rest,
    rng: &mut Rng,
) -> Pick {
    let family = Family::of(policy, &view);
    let shared = family.shared;
    let (best, score);
    match cells {
        &mut Cells::Open(Open::Word(mut cells)) => {
            (best, score) = best_of(policy, family, table, &mut cells, rng);
            let untried = best_of_cells(table, Ones::of_word(cells), rng);
            *rest = rest_of(policy, shared, score, untried);
        }
        Cells::Open(Open::Words(cells, None)) => {
            (best, score) = best_of(policy, family, table, &mut **cells, rng);
            let untried = best_of_cells(table, Ones::of(cells), rng);
            *rest = rest_of(policy, shared, score, untried);
        }
        Cells::Open(Open::Words(bits, Some(order))) => {
            let &mut Order { places, cells } = order;
            let table = &table[..places.len()];
            (best, score) = best_of(policy, family, table, &mut Placed { bits, places }, rng);
            let cells = Ones::of(bits).map(|place| usize::from(cells[place]));
            let untried = best_of_cells(table, cells, rng);
            *rest = rest_of(policy, shared, score, untried);
        }
        Cells::All([cells]) => {
            let mut word = *cells;
            (best, score) = best_of(policy, family, table, &mut word, rng);
            *cells = word;
        }
        Cells::All(cells) => (best, score) = best_of(policy, family, table, &mut **cells, rng),
        Cells::Marks(marks) => (best, score) = best_of(policy, family, table, &mut **marks, rng),
    }
    Pick { best, score, shared }
}

/// Whether the best untried move is better than the best child, of this score.
#[inline(always)]
fn rest_of<S: Select + ?Sized>(
    policy: &S,
    shared: Shared,
    score: f32,
    untried: Option<(usize, Amaf)>,
) -> Rest {
    match untried {
        Some((cell, amaf)) if policy.untried(shared, &Child { amaf, ..Child::default() }) > score => {
            Rest::Better(cell as u32)
        }
        Some(_) => Rest::Worse,
        None => Rest::None,
    }
}

/// The child of the highest score. The cells that are read of `table` are noted.
#[inline(always)]
fn best_of<S: Select + ?Sized, C: Code, I: Link, E: Entry, T: Note + ?Sized>(
    policy: &S,
    family: Family<'_, C, I>,
    table: &[E],
    noted: &mut T,
    rng: &mut Rng,
) -> (NodeId, f32) {
    let Family { tree, id, shared, .. } = family;
    if tree.has_overrides() || policy.random() > 0.0 {
        if tree.is_plain_in_flight() && policy.random() <= 0.0 {
            // Where one simulation alone is on its way, it is the one that chooses.
            if tree.pending(id) > 1 {
                return noted.outlined(|noted| best_in_flight(policy, family, table, noted));
            }
        } else {
            let found = noted.outlined(|noted| best_otherwise(policy, family, table, noted, rng));
            if let Some(found) = found {
                return found;
            }
        }
    }
    let mut look =
        |id, node: &Node<C, I>| look(S::NEEDS, tree, id, node, table, T::NOTES, |cell| noted.note(cell));
    // What is gathered has nothing beside the nodes.
    if const { Columns::NONE.has(S::NEEDS) } && tree.node(id).is_gathered() {
        return highest_gathered(tree, id, |id, node| policy.score(shared, &look(id, node)));
    }
    // As `highest_of`, but without scores that are not needed.
    let (mut best, mut highest) = (NodeId::NONE, f32::NEG_INFINITY);
    for (id, node) in tree.children(id) {
        let child = look(id, node);
        if policy.is_below(shared, &child, highest) {
            continue;
        }
        let s = policy.score(shared, &child);
        let beaten = s < highest;
        (best, highest) = (if beaten { best } else { id }, if beaten { highest } else { s });
    }
    (best, highest)
}

/// [`best_of`] with simulations in flight.
#[inline(never)]
fn best_in_flight<S: Select + ?Sized, C: Code, I: Link, E: Entry, T: Note + ?Sized>(
    policy: &S,
    family: Family<'_, C, I>,
    table: &[E],
    noted: &mut T,
) -> (NodeId, f32) {
    let Family { tree, id, shared, .. } = family;
    let value = family.value();
    highest_of(tree, id, |id, node| {
        let child = look(S::NEEDS, tree, id, node, table, T::NOTES, |cell| noted.note(cell));
        policy.score(shared, &seen_in_flight(tree, id, child, value))
    })
}

/// [`best_of`] where more than the scores of a policy plays a part; none if that is not so at this
/// node. Kept apart, so that the plain loop stays small.
#[inline(never)]
fn best_otherwise<S: Select + ?Sized, C: Code, I: Link, E: Entry, T: Note + ?Sized>(
    policy: &S,
    family: Family<'_, C, I>,
    table: &[E],
    noted: &mut T,
    rng: &mut Rng,
) -> Option<(NodeId, f32)> {
    let Family { tree, id, shared, .. } = family;
    let (value, random) = (family.value(), policy.random());
    let is_slow = tree.solves() || tree.ties_at_random() || random > 0.0;
    let mut look = |id, node: &Node<C, I>| {
        let child = look(S::NEEDS, tree, id, node, table, T::NOTES, |cell| noted.note(cell));
        if tree.in_flight().is_some() { seen_in_flight(tree, id, child, value) } else { child }
    };
    let Some((row, bias)) = tree.advice(id) else {
        let score = |id, node: &Node<C, I>| policy.score(shared, &look(id, node));
        if is_slow {
            return Some(select_slow(tree, id, rng, random, score));
        }
        return tree.in_flight().map(|_| highest_of(tree, id, score));
    };
    let advice = |node: &Node<C, I>| row[node.code().index()];
    if is_slow {
        return Some(select_slow(tree, id, rng, random, |id, node| {
            biased(bias, policy, shared, look(id, node), advice(node))
        }));
    }
    Some(highest_of(tree, id, |id, node| biased(bias, policy, shared, look(id, node), advice(node))))
}

/// Reads what a policy may know of a child, and notes the cell that is read of the table.
#[inline(always)]
fn look<C: Code, I: Link, E: Entry>(
    needs: Columns,
    tree: &Tree<C, I>,
    id: NodeId,
    node: &Node<C, I>,
    table: &[E],
    reads: bool,
    note: impl FnOnce(usize),
) -> Child {
    let mut child = Child { visits: node.visits(), value: node.value(), ..Child::default() };
    if needs.has(Columns::PRIOR) {
        child.prior = tree.prior(id);
    }
    if needs.has(Columns::SQUARES) {
        child.mean_square = tree.mean_square(id);
    }
    if needs.has(Columns::AMAF) && reads {
        let cell = node.code().index();
        child.amaf = table[cell].read();
        note(cell);
    }
    child
}

/// The score of a child on whose move there is this advice.
#[inline(always)]
fn biased<S: Select + ?Sized>(
    bias: &Biasing,
    policy: &S,
    shared: Shared,
    mut child: Child,
    advice: i8,
) -> f32 {
    let extra = bias.bend(advice, child.visits, &mut child.value, &mut child.mean_square);
    policy.score(shared, &child) + extra
}

/// A child, of a node of this value, with the simulations on their way through it.
#[inline(always)]
fn seen_in_flight<C: Code, I: Link>(tree: &Tree<C, I>, id: NodeId, mut child: Child, parent: f32) -> Child {
    if tree.pending(id) == 0 {
        return child;
    }
    let more = tree.visits_in_flight(id);
    if more > 0 {
        let visits = child.visits.saturating_add(more);
        if let Some(InFlight::Lost(_)) = tree.in_flight() {
            let share = child.visits as f32 / visits as f32;
            child.value *= share;
            child.mean_square *= share;
        } else if child.visits == 0 {
            child.value = parent;
        }
        child.visits = visits;
    }
    child
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Proven;
    use crate::tree::TOP;

    #[test]
    fn of_proven_children_one_that_is_not_lost_is_chosen() {
        for order in [[Proven::Loss, Proven::Draw], [Proven::Draw, Proven::Loss]] {
            let mut tree: Tree<u16> = Tree::new(Columns::NONE, [4, 0], (0, 0)).comparing(true, false);
            tree.plant(Player::SECOND, 0);
            for (code, proven) in (1..).zip(order) {
                let child = tree.add_child(tree.root(), code, TOP, &[]).unwrap();
                tree.node(child).set_proven(proven);
            }
            let view = NodeView {
                tree: &tree,
                id: tree.root(),
                mover: Player::SECOND,
                to_move: Player::FIRST,
                players: 2,
            };
            let best = Ucb::default().pick(view, None, &mut Rng::new(1)).best().unwrap();
            assert_eq!(tree.node(best).proven(), Some(Proven::Draw), "{order:?}");
        }
    }
}
