//! A node: one stored move of the tree.

use crate::archive::{Archive, ArchiveError};
use crate::atomic::Atomic;
use crate::code::{Code, Link, NodeId};
use crate::math::ROUNDER;
use crate::player::Player;
use crate::report::Proven;
use core::fmt::Debug;

/// A node on the path of a simulation, with the player who moved into it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Whose point of view the node's value has.
    pub mover: Player,
}

/// One expanded move: 20 bytes where a move takes 2, 16 with narrow links.
///
/// Children hang in a singly linked list (left child, right sibling). The value is that of the
/// player who moved **into** the node, so that a parent always maximises over its children. It is
/// kept as an `f32` and the 8 bits that follow it, in units of 2^-31: a running mean in plain `f32`
/// stops moving, and drifts, after some 10^6 visits.
///
/// Every field may be read and replaced by several threads at once.
#[derive(Clone, Debug)]
pub struct Node<C: Code, I: Link = u32> {
    pub(crate) first_child: Atomic<I>,
    pub(crate) next_sibling: Atomic<I>,
    visits: Atomic<u32>,
    /// The bits of an `f32`.
    head: Atomic<u32>,
    code: Atomic<C>,
    /// The bits of an `i8`.
    tail: Atomic<u8>,
    flags: Atomic<u8>,
}

const _: () = assert!(size_of::<Node<u16>>() == 20 && size_of::<Node<u16, u16>>() == 16);

const TAIL_UNIT: f64 = 1.0 / (1u64 << 31) as f64;

const PROVEN: u8 = 0b11;
const TERMINAL: u8 = 1 << 2;
const COMPLETE: u8 = 1 << 3;
const DRAWABLE: u8 = 1 << 4;
const STUDIED: u8 = 1 << 5;
const GATHERED: u8 = 1 << 6;

impl<C: Code, I: Link> Node<C, I> {
    #[inline]
    pub(crate) fn new(code: C) -> Self {
        Node {
            first_child: Atomic::new(I::END),
            next_sibling: Atomic::new(I::END),
            visits: Atomic::new(0),
            head: Atomic::new(0),
            code: Atomic::new(code),
            tail: Atomic::new(0),
            flags: Atomic::new(0),
        }
    }

    /// The [code](crate::Keyed::code) of the move that leads here; meaningless at the root.
    #[inline]
    pub fn code(&self) -> C {
        self.code.get()
    }

    /// Gives a node that is as [`Node::new`] made it another move.
    #[inline]
    pub(crate) fn set_code(&self, code: C) {
        self.code.set(code);
    }

    /// The number of simulations through this node, those that ended in it included. At 2^32 - 1 it
    /// stays.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.get()
    }

    /// The node's value in [0, 1] for the player who moved into it; 0 before the first visit.
    #[inline]
    pub fn value(&self) -> f32 {
        f32::from_bits(self.head.get())
    }

    /// [`Node::value`] to within 2^-32.
    #[inline]
    pub fn exact_value(&self) -> f64 {
        f64::from(self.value()) + f64::from(self.tail.get() as i8) * TAIL_UNIT
    }

    /// Replaces the value.
    #[inline]
    pub fn set_value(&self, value: f64) {
        let head = value as f32;
        let rest = (value - f64::from(head)) * (1.0 / TAIL_UNIT);
        self.head.set(head.to_bits());
        self.tail.set((rest + ROUNDER).to_bits() as u8);
    }

    /// Counts one more visit and returns their number.
    #[inline]
    pub fn visit(&self) -> u32 {
        self.visit_many(1)
    }

    /// Counts `visits` more visits and returns the new number of visits.
    #[inline]
    pub(crate) fn visit_many(&self, visits: u32) -> u32 {
        let visits = self.visits.get().saturating_add(visits);
        self.visits.set(visits);
        visits
    }

    /// All but its links, and where its children are.
    pub(crate) fn archive(&self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let mut code = self.code().index() as u32;
        archive.number(&mut code)?;
        archive.check(code as usize <= C::MOST, "moves")?;
        self.set_code(C::new(code as usize));
        archive.atomic(&self.visits)?;
        archive.atomic(&self.head)?;
        archive.atomic(&self.tail)?;
        let mut flags = self.flags.get() & !GATHERED;
        archive.number(&mut flags)?;
        archive.check(flags & !(PROVEN | TERMINAL | COMPLETE | DRAWABLE) == 0, "marks")?;
        if archive.reads() {
            self.flags.set(flags);
        }
        archive.check((-0.5..=1.5).contains(&self.value()), "values")
    }

    /// The game is over here.
    #[inline]
    pub fn is_terminal(&self) -> bool {
        self.flags.get() & TERMINAL != 0
    }

    /// A second-level search is about it.
    #[inline]
    pub(crate) fn is_studied(&self) -> bool {
        self.flags.get() & STUDIED != 0
    }

    #[inline]
    pub(crate) fn set_studied(&self, studied: bool) {
        self.mark(STUDIED, studied);
    }

    /// [`Node::is_terminal`], or [`Node::is_studied`].
    #[inline]
    pub(crate) fn is_end(&self) -> bool {
        self.flags.get() & (TERMINAL | STUDIED) != 0
    }

    /// It has no children.
    #[inline]
    pub(crate) fn is_leaf(&self) -> bool {
        self.first_child.id() == NodeId::NONE
    }

    /// Sets or clears flags; others that several threads change at once are not lost.
    #[inline]
    fn mark(&self, flags: u8, set: bool) {
        if set { self.flags.insert(flags) } else { self.flags.remove(flags) }
    }

    #[inline]
    pub(crate) fn set_terminal(&self) {
        self.mark(TERMINAL | COMPLETE, true);
    }

    /// Every move worth a place in the tree has a node, or the game is over.
    #[inline]
    pub fn is_complete(&self) -> bool {
        // Whoever sees the flag sees all children.
        self.flags.follow() & COMPLETE != 0
    }

    #[inline]
    pub(crate) fn set_complete(&self, complete: bool) {
        self.mark(if complete { COMPLETE } else { COMPLETE | GATHERED }, complete);
    }

    /// Its children are in adjacent slots, in the order of their list.
    #[inline]
    pub(crate) fn is_gathered(&self) -> bool {
        self.flags.get() & GATHERED != 0
    }

    #[inline]
    pub(crate) fn set_gathered(&self) {
        self.mark(GATHERED, true);
    }

    /// No child of its parent comes after it.
    #[inline]
    pub(crate) fn is_last(&self) -> bool {
        self.next_sibling.id() == NodeId::NONE
    }

    /// The node's exact result for the player who moved into it, if the solver found it.
    #[inline]
    pub fn proven(&self) -> Option<Proven> {
        match self.flags.get() & PROVEN {
            1 => Some(Proven::Loss),
            2 => Some(Proven::Draw),
            3 => Some(Proven::Win),
            _ => None,
        }
    }

    /// A child is a proven draw: the player to move can do no worse.
    #[inline]
    pub(crate) fn is_drawable(&self) -> bool {
        self.flags.get() & DRAWABLE != 0
    }

    #[inline]
    pub(crate) fn set_drawable(&self) {
        self.mark(DRAWABLE, true);
    }

    #[inline]
    pub(crate) fn set_proven(&self, proven: Proven) {
        let flag = match proven {
            Proven::Loss => 1,
            Proven::Draw => 2,
            Proven::Win => 3,
        };
        self.mark(flag, true);
        self.set_value(f64::from(proven.value()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_many_visits_does_not_drift() {
        let node = Node::<u16>::new(0);
        let (n, ones) = (30_000_000u32, 7);
        for i in 0..n {
            let sample = if i % 10 < ones { 1.0 } else { 0.0 };
            let step = 1.0 / f64::from(node.visit());
            let mean = node.exact_value();
            node.set_value(mean + (sample - mean) * step);
        }
        assert!((node.exact_value() - 0.7).abs() < 1e-4, "{}", node.exact_value());
        assert_eq!(node.visits(), n);
    }

    #[test]
    fn visits_end_at_their_most() {
        let node = Node::<u16>::new(0);
        assert_eq!(node.visit_many(u32::MAX - 1), u32::MAX - 1);
        assert_eq!([node.visit(), node.visit(), node.visit_many(7)], [u32::MAX; 3]);
    }

    #[test]
    fn a_value_is_kept_to_2_to_the_minus_32() {
        let node = Node::<u16>::new(0);
        for value in [0.0, 1.0, 0.5, 0.1, 2.0 / 3.0, 1.0 - 1e-9, 0.999_999_97, 1e-12] {
            node.set_value(value);
            assert!((node.exact_value() - value).abs() <= TAIL_UNIT / 2.0, "{value}");
        }
    }
}
