//! The side tables that a search keeps beside its nodes.

use core::ops::BitOr;

/// A set of side columns, one entry a node each. A part names what it needs; a search keeps the
/// union.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Columns(u8);

impl Columns {
    /// Nothing beside the nodes.
    pub const NONE: Columns = Columns(0);
    /// All columns, for a policy that forwards to others.
    pub const ALL: Columns = Columns(u8::MAX);
    /// The prior of each node, and at each node the moves not yet expanded, best prior first. A
    /// position of more than 65 535 moves has no room there, and is not expanded.
    pub const PRIOR: Columns = Columns(1);
    /// The mean of the squared samples of each node.
    pub const SQUARES: Columns = Columns(2);
    /// AMAF tables, for those nodes that [`AmafOptions`](crate::AmafOptions) give one.
    pub const AMAF: Columns = Columns(4);
    /// The [key](crate::Keyed::key) of the move into each node, by which playout policies compare
    /// siblings.
    pub const KEY: Columns = Columns(8);

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Whether every column of `other` is in the set.
    #[inline]
    pub const fn has(self, other: Columns) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Columns {
    type Output = Columns;

    #[inline]
    fn bitor(self, other: Columns) -> Columns {
        Columns(self.0 | other.0)
    }
}
