//! Moves in sums.

use std::fmt;
use tesuji::{Code, Move};

/// A move in a component of a sum, in as many bytes as its code: sums have many moves.
#[derive(Clone, Copy)]
pub struct SumMove<M: Move> {
    /// The component above [`SumMove::BITS`] bits for the code of the move there.
    code: M::Code,
}

impl<M: Move> SumMove<M> {
    /// The most components that moves tell apart.
    pub(crate) const COMPONENTS: usize = 512;
    const BITS: u32 = 8 * size_of::<M::Code>() as u32 - Self::COMPONENTS.ilog2();

    /// The move `m` in a component, counted from 0.
    #[inline]
    pub(crate) fn new(component: usize, m: M) -> SumMove<M> {
        let own = m.code().index();
        debug_assert!(component < Self::COMPONENTS && own < 1 << Self::BITS, "{component}, {m:?}");
        SumMove { code: Code::new(component << Self::BITS | own) }
    }

    /// Which component, counted from 0.
    #[inline]
    pub fn component(self) -> usize {
        self.code.index() >> Self::BITS
    }

    /// The move there.
    #[inline]
    pub fn m(self) -> M {
        M::from_code(Code::new(self.code.index() & ((1 << Self::BITS) - 1)))
    }
}

impl<M: Move> Move for SumMove<M> {
    type Code = M::Code;

    fn code(self) -> M::Code {
        self.code
    }

    fn from_code(code: M::Code) -> SumMove<M> {
        SumMove { code }
    }
}

impl<M: Move> PartialEq for SumMove<M> {
    fn eq(&self, other: &SumMove<M>) -> bool {
        self.code == other.code
    }
}

impl<M: Move> Eq for SumMove<M> {}

impl<M: Move> fmt::Debug for SumMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SumMove").field("component", &self.component()).field("m", &self.m()).finish()
    }
}
