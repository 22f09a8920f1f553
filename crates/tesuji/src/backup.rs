//! Backups: how a sample changes the values on its path.

mod accelerated;
mod coulom;
mod erwa;
mod feedback;
mod max;
mod mellowmax;
mod monotone;
mod own;
mod power;
mod replay;
mod softmax;
mod steps;
mod table;
mod weights;

pub use accelerated::Accelerated;
pub use coulom::{BestChild, Coulom};
pub use erwa::{Erwa, ErwaStart};
pub use feedback::{Feedback, FeedbackClock, Profile};
pub use max::{Max, MaxMcts};
pub use mellowmax::Mellowmax;
pub use monotone::MonotoneWeights;
pub use power::PowerMean;
pub use replay::Replay;
pub use softmax::{OwnSample, Schedule, Softmax};
pub use steps::Steps;
pub use weights::Weights;

use crate::code::{ByWords, Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::node::{Node, Step};
use crate::outcome::Outcome;
use crate::player::Player;
use crate::solver;
use crate::tree::{BackupState, Tree};
use core::marker::PhantomData;

/// A backup: what a node's value becomes when a sample passes through it.
pub trait Backup {
    /// The side columns that the backup reads or writes. Default: none.
    fn needs(&self) -> Columns {
        Columns::NONE
    }

    /// How many numbers of its own the backup keeps at each node, see [`NodeMut::backup_state`].
    /// Default 0.
    fn backup_state(&self) -> usize {
        0
    }

    /// Whether the backup derives one player's value from values of the other, so that it needs a
    /// game of at most two players. Most backups that look at the children do. Default: no.
    fn turns_values(&self) -> bool {
        false
    }

    /// Whether an update reads its own node only and passes the sample on unchanged, so that the
    /// order of updates does not matter. If several threads search one tree, nodes near the root
    /// may then be updated later than those below. Default: no.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether the backup calls [`NodeMut::change`]. Default: no; then that method returns none.
    fn looks_at_changes(&self) -> bool {
        false
    }

    /// Counts one visit of the node and computes its new value. Its children are up to date, also
    /// the one that the sample came through. If several threads change the tree, no other thread
    /// updates this node meanwhile, but others may update other nodes. `sample` is the new sample
    /// as the player who moved into the node sees it. Returns the sample for the next node towards
    /// the root, from the same point of view: usually `sample` itself.
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64;

    /// Updates a path, leaf to root. `below` has the child of the leaf that the sample came
    /// through, or no node if it is a sample of the leaf itself, and the player to move there; none
    /// if that is not known. Do not override this method, except to forward to another backup as a
    /// whole.
    #[inline]
    fn path<C: Code, I: Link, O: Outcome>(
        &self,
        tree: &Tree<C, I>,
        path: &[Step],
        below: Option<Step>,
        outcome: &O,
    ) {
        update_path(self, tree, path, below, outcome);
    }

    /// Prepares for games that begin at `start`: the place to compute tables. Default: nothing.
    fn new_game<G: SearchGame>(&mut self, start: &G) {
        let _ = start;
    }

    /// Heap bytes held. Default 0.
    fn bytes(&self) -> usize {
        0
    }
}

/// [`Backup::path`] as it is provided.
#[inline]
pub(crate) fn update_path<B, C, I, O>(
    backup: &B,
    tree: &Tree<C, I>,
    path: &[Step],
    below: Option<Step>,
    outcome: &O,
) where
    B: Backup + ?Sized,
    C: Code,
    I: Link,
    O: Outcome,
{
    if tree.solves() || tree.is_concurrent() {
        walk_slow(backup, tree, path, below, *outcome);
    } else {
        walk(backup, tree, path, below, *outcome, |_, _, _, outcome| outcome, |_, _| ());
    }
}

/// Updates a path in a tree that has proven results, or that several threads update at once.
#[inline(never)]
fn walk_slow<B, C, I, O>(backup: &B, tree: &Tree<C, I>, path: &[Step], below: Option<Step>, outcome: O)
where
    B: Backup + ?Sized,
    C: Code,
    I: Link,
    O: Outcome,
{
    walk(
        backup,
        tree,
        path,
        below,
        outcome,
        |tree, id, to_move, outcome| {
            if tree.solves() { solver::at_least_a_draw(tree, id, to_move, outcome) } else { outcome }
        },
        Tree::hold,
    );
}

/// Updates a path; `bound` may change the outcome at an inner node, given who is to move there, and
/// what `hold` returns is kept while a node is updated.
#[inline(always)]
fn walk<'a, B, C, I, O, H>(
    backup: &B,
    tree: &'a Tree<C, I>,
    path: &[Step],
    below: Option<Step>,
    mut outcome: O,
    bound: impl Fn(&Tree<C, I>, NodeId, Player, O) -> O,
    hold: impl Fn(&'a Tree<C, I>, NodeId) -> H,
) where
    B: Backup + ?Sized,
    C: Code,
    I: Link,
    O: Outcome,
{
    let (mut to_move, mut child, mut before) = (None, NodeId::NONE, None);
    if let Some(below) = below {
        (to_move, child) = (Some(below.mover), below.node);
    }
    // What went up last, if it was changed: an outcome has fewer digits.
    let mut changed: Option<(Player, f64)> = None;
    for &Step { node: id, mover } in path.iter().rev() {
        if let Some(player) = to_move {
            let bounded = bound(tree, id, player, outcome);
            if changed.is_some() && bounded != outcome {
                changed = None;
            }
            outcome = bounded;
        }
        let sample = match changed {
            Some((player, value)) if player == mover => value,
            Some((_, value)) if O::PLAYERS == 2 => 1.0 - value,
            _ => f64::from(outcome.of(mover)),
        };
        let held = hold(tree, id);
        let node = tree.node(id);
        let was = backup.looks_at_changes().then(|| (node.visits(), node.exact_value()));
        let passed = backup.update(&mut Updating { tree, node, id, mover, to_move, child, before }, sample);
        changed = (passed.to_bits() != sample.to_bits()).then_some((mover, passed));
        if changed.is_some() {
            outcome = outcome.with(mover, passed as f32);
        }
        (to_move, child, before) = (Some(mover), id, was);
        drop(held);
    }
}

/// Updates each node of a path that leads to `below`, leaf to root, by several outcomes at once.
/// For backups that are [local](Backup::is_local).
pub(crate) fn update_above<B, C, I, O>(
    backup: &B,
    tree: &Tree<C, I>,
    path: &[Step],
    below: Step,
    outcomes: &[O],
) where
    B: Backup + ?Sized,
    C: Code,
    I: Link,
    O: Outcome,
{
    let Step { node: mut child, mover: mut to_move } = below;
    for &Step { node: id, mover } in path.iter().rev() {
        let _held = tree.hold(id);
        let node = tree.node(id);
        let mut updating = Updating { tree, node, id, mover, to_move: Some(to_move), child, before: None };
        for outcome in outcomes {
            backup.update(&mut updating, f64::from(outcome.of(mover)));
        }
        (child, to_move) = (id, mover);
    }
}

/// A node while a backup works on it.
pub trait NodeMut {
    /// Counts one more visit and returns their number, at least 1 and at most 2^32 - 1.
    #[inline]
    fn visit(&mut self) -> u32 {
        self.visit_many(1)
    }

    /// Counts `visits` more visits at once, and returns as [`NodeMut::visit`] does.
    fn visit_many(&mut self, visits: u32) -> u32;

    /// The value in [0, 1] for the player who moved into the node.
    fn value(&self) -> f64;

    /// Replaces the value, given for the player who moved into the node.
    fn set_value(&mut self, value: f64);

    /// Converts a value for the player to move at the node into a value for the player who moved
    /// into it, or back. In a game of two players it is 1 minus the value if these players differ.
    fn turn(&self, value: f64) -> f64;

    /// Whether the sample belongs to the node itself and did not come from a child.
    fn is_own(&self) -> bool;

    /// Visits and value of each child, for the player to move at the node.
    fn children(&self) -> impl Iterator<Item = (u32, f64)>;

    /// The child that the sample came through, if no other child has changed since the node's last
    /// update; none if that is not known.
    fn change(&self) -> Option<Change>;

    /// The numbers that the backup keeps at the node, as many as [`Backup::backup_state`] says; all
    /// 0 in a new node.
    fn backup_state(&self) -> BackupState<'_>;

    /// The numbers of the child that the sample came through.
    fn backup_state_below(&self) -> Option<BackupState<'_>>;

    /// The numbers of the children, in the order of [`NodeMut::children`].
    fn backup_states_of_children(&self) -> impl Iterator<Item = BackupState<'_>>;

    /// The numbers of the root of the tree, which the present sample reaches last.
    fn backup_state_of_root(&self) -> BackupState<'_>;

    /// [`Backup::update`] by a backup whose type is known at run time only.
    #[doc(hidden)]
    fn update_by(&mut self, backup: &dyn ErasedBackup, sample: f64) -> f64;
}

/// [`Backup`] without types in its calls, for each kind of node.
pub trait ErasedBackup {
    #[doc(hidden)]
    fn needs(&self) -> Columns;
    #[doc(hidden)]
    fn backup_state(&self) -> usize;
    #[doc(hidden)]
    fn turns_values(&self) -> bool;
    #[doc(hidden)]
    fn is_local(&self) -> bool;
    #[doc(hidden)]
    fn looks_at_changes(&self) -> bool;
    #[doc(hidden)]
    fn bytes(&self) -> usize;
    #[doc(hidden)]
    fn update_u16_u16(&self, node: &mut Updating<'_, u16, u16>, sample: f64) -> f64;
    #[doc(hidden)]
    fn update_u16_u32(&self, node: &mut Updating<'_, u16, u32>, sample: f64) -> f64;
    #[doc(hidden)]
    fn update_u32_u16(&self, node: &mut Updating<'_, u32, u16>, sample: f64) -> f64;
    #[doc(hidden)]
    fn update_u32_u32(&self, node: &mut Updating<'_, u32, u32>, sample: f64) -> f64;
    #[doc(hidden)]
    fn update_replay(&self, node: &mut Replay, sample: f64) -> f64;
}

impl<B: Backup> ErasedBackup for B {
    fn needs(&self) -> Columns {
        Backup::needs(self)
    }

    fn backup_state(&self) -> usize {
        Backup::backup_state(self)
    }

    fn turns_values(&self) -> bool {
        Backup::turns_values(self)
    }

    fn is_local(&self) -> bool {
        Backup::is_local(self)
    }

    fn looks_at_changes(&self) -> bool {
        Backup::looks_at_changes(self)
    }

    fn bytes(&self) -> usize {
        Backup::bytes(self)
    }

    fn update_u16_u16(&self, node: &mut Updating<'_, u16, u16>, sample: f64) -> f64 {
        self.update(node, sample)
    }

    fn update_u16_u32(&self, node: &mut Updating<'_, u16, u32>, sample: f64) -> f64 {
        self.update(node, sample)
    }

    fn update_u32_u16(&self, node: &mut Updating<'_, u32, u16>, sample: f64) -> f64 {
        self.update(node, sample)
    }

    fn update_u32_u32(&self, node: &mut Updating<'_, u32, u32>, sample: f64) -> f64 {
        self.update(node, sample)
    }

    fn update_replay(&self, node: &mut Replay, sample: f64) -> f64 {
        self.update(node, sample)
    }
}

/// The change of the child that a sample came through: visits and value, for the player to move at
/// its parent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// Visits and value before the sample; no visits if the child is new.
    pub before: (u32, f64),
    /// Now.
    pub now: (u32, f64),
}

/// A node of a tree while a backup works on it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Updating<'a, C: Code, I: Link> {
    tree: &'a Tree<C, I>,
    node: &'a Node<C, I>,
    id: NodeId,
    mover: Player,
    /// The player to move, if known.
    to_move: Option<Player>,
    /// The child that the sample came through; none if it is the node's own.
    child: NodeId,
    /// Visits and value of the child before it was updated.
    before: Option<(u32, f64)>,
}

/// An update by a backup whose type is known at run time only.
struct UpdatingBy<'m, 'a, 'b> {
    backup: &'b dyn ErasedBackup,
    sample: f64,
    node: PhantomData<&'m mut &'a ()>,
}

impl<'m, 'a: 'm> ByWords for UpdatingBy<'m, 'a, '_> {
    type Of<C: Code, I: Link> = &'m mut Updating<'a, C, I>;
    type Out = f64;

    fn u16_u16(self, node: &'m mut Updating<'a, u16, u16>) -> f64 {
        self.backup.update_u16_u16(node, self.sample)
    }

    fn u16_u32(self, node: &'m mut Updating<'a, u16, u32>) -> f64 {
        self.backup.update_u16_u32(node, self.sample)
    }

    fn u32_u16(self, node: &'m mut Updating<'a, u32, u16>) -> f64 {
        self.backup.update_u32_u16(node, self.sample)
    }

    fn u32_u32(self, node: &'m mut Updating<'a, u32, u32>) -> f64 {
        self.backup.update_u32_u32(node, self.sample)
    }
}

impl<C: Code, I: Link> NodeMut for Updating<'_, C, I> {
    #[inline]
    fn visit_many(&mut self, visits: u32) -> u32 {
        self.node.visit_many(visits)
    }

    fn update_by(&mut self, backup: &dyn ErasedBackup, sample: f64) -> f64 {
        C::by::<I, _>(UpdatingBy { backup, sample, node: PhantomData }, self)
    }

    #[inline]
    fn value(&self) -> f64 {
        self.node.exact_value()
    }

    #[inline]
    fn set_value(&mut self, value: f64) {
        self.node.set_value(value);
    }

    #[inline]
    fn turn(&self, value: f64) -> f64 {
        if self.to_move.is_some_and(|player| player != self.mover) { 1.0 - value } else { value }
    }

    #[inline]
    fn is_own(&self) -> bool {
        self.child == NodeId::NONE
    }

    #[inline]
    fn children(&self) -> impl Iterator<Item = (u32, f64)> {
        self.tree.children(self.id).map(|(_, child)| (child.visits(), child.exact_value()))
    }

    #[inline]
    fn change(&self) -> Option<Change> {
        let before = self.before.filter(|_| self.tree.only_grows())?;
        let now = self.tree.node(self.child);
        Some(Change { before, now: (now.visits(), now.exact_value()) })
    }

    #[inline]
    fn backup_state(&self) -> BackupState<'_> {
        self.tree.backup_state(self.id)
    }

    #[inline]
    fn backup_state_below(&self) -> Option<BackupState<'_>> {
        self.child.some().map(|child| self.tree.backup_state(child))
    }

    #[inline]
    fn backup_states_of_children(&self) -> impl Iterator<Item = BackupState<'_>> {
        self.tree.children(self.id).map(|(id, _)| self.tree.backup_state(id))
    }

    #[inline]
    fn backup_state_of_root(&self) -> BackupState<'_> {
        self.tree.backup_state(self.tree.root())
    }
}

/// The mean of all samples: v += (r - v) / n.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Mean {}

impl Backup for Mean {
    #[inline]
    fn is_local(&self) -> bool {
        true
    }

    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = node.visit();
        let value = node.value();
        node.set_value(value + (sample - value) / f64::from(n));
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TOP;
    use crate::{Scores, Value};

    #[test]
    fn the_mean_follows_each_players_view() {
        let mut tree: Tree<u16> = Tree::new(Columns::NONE, [4, 0], (0, 0));
        tree.plant(Player::SECOND, 0u16);
        let child = tree.add_child(tree.root(), 1, TOP, &[]).unwrap();
        let path =
            [Step { node: tree.root(), mover: Player::SECOND }, Step { node: child, mover: Player::FIRST }];
        let expected = [1.0, 0.5, 2.0 / 3.0, 0.75, 0.6];
        for (r, e) in [1.0, 0.0, 1.0, 1.0, 0.0].into_iter().zip(expected) {
            Mean {}.path(&tree, &path, None, &Value::new(Player::FIRST, r));
            assert!((tree.node(child).exact_value() - e).abs() < 1e-9);
            assert!((tree.node(tree.root()).exact_value() - (1.0 - e)).abs() < 1e-9);
        }
        Mean {}.path(&tree, &path, None, &Scores([0.0, 1.0]));
        assert_eq!(tree.node(child).visits(), 6);
        assert!((tree.node(child).exact_value() - 0.5).abs() < 1e-9);
    }

    /// Notes samples, and passes a quarter on from the leaf.
    struct Quarter;

    impl Backup for Quarter {
        fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
            node.visit();
            node.set_value(sample);
            if node.is_own() { 0.25 } else { sample }
        }
    }

    #[test]
    fn what_a_node_passes_on_is_its_players_outcome_further_up() {
        let mut tree: Tree<u16> = Tree::new(Columns::NONE, [8, 0], (0, 0));
        let movers = [2, 0, 1, 2, 0].map(Player::new);
        tree.plant(movers[0], 0u16);
        let mut path = Vec::from([Step { node: tree.root(), mover: movers[0] }]);
        for &mover in &movers[1..] {
            let node = tree.add_child(path[path.len() - 1].node, 1, TOP, &[]).unwrap();
            path.push(Step { node, mover });
        }
        Quarter.path(&tree, &path, None, &Scores([1.0, 0.5, 0.75]));
        let values = path.iter().map(|step| tree.node(step.node).exact_value());
        assert_eq!(values.collect::<Vec<_>>(), [0.75, 0.25, 0.5, 0.75, 1.0]);
    }
}
