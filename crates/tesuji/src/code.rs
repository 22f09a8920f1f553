//! The numbers by which nodes store moves, and lead to each other.

use crate::atomic::{Atomic, Word};
use core::fmt::Debug;

/// The number by which a node stores a move: `u16`, or `u32` for games with more than 65 536
/// different moves.
pub trait Code: Copy + Eq + Debug + Send + Sync + Word + sealed::Sealed + 'static {
    /// The code of this number.
    ///
    /// # Panics
    /// In debug builds, if the number does not fit.
    fn new(number: usize) -> Self;

    /// The greatest number that fits.
    #[doc(hidden)]
    const MOST: usize;

    /// The number.
    fn index(self) -> usize;

    #[doc(hidden)]
    fn by<I: Link, B: ByWords>(by: B, value: B::Of<Self, I>) -> B::Out;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

macro_rules! code {
    ($word:ty, $by:ident) => {
        impl Code for $word {
            const MOST: usize = <$word>::MAX as usize;

            #[inline(always)]
            fn new(number: usize) -> $word {
                debug_assert!(number <= <$word>::MAX as usize, "{number} does not fit");
                number as $word
            }

            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn by<I: Link, B: ByWords>(by: B, value: B::Of<$word, I>) -> B::Out {
                I::$by(by, value)
            }
        }
    };
}

code!(u16, by_u16);
code!(u32, by_u32);

/// A move of a game, which a node stores as a number. Implemented for `u8`, `u16` and `u32`; a type
/// of your own turns itself into a number and back.
pub trait Move: Copy + Eq + Debug {
    /// `u16`, or `u32` where there are more than 65 536 different moves.
    type Code: Code;

    /// The number of this move. [`Keyed::code`](crate::Keyed::code) may use another.
    fn code(self) -> Self::Code;

    /// The move of this number.
    fn from_code(code: Self::Code) -> Self;
}

macro_rules! number {
    ($word:ty, $code:ty) => {
        impl Move for $word {
            type Code = $code;

            #[inline(always)]
            fn code(self) -> $code {
                self.into()
            }

            #[inline(always)]
            fn from_code(code: $code) -> $word {
                code as $word
            }
        }
    };
}

number!(u8, u16);
number!(u16, u16);
number!(u32, u32);

/// The place of a node in its tree's pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// No node: the end of a list.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }
}

/// The type of the links between nodes: `u32`, or `u16` for trees of at most 65 535 nodes.
pub trait Link: Copy + Debug + Send + Sync + Word + sealed::Sealed + 'static {
    /// The most nodes that links of this type can tell apart.
    const NODES: usize;

    /// The end of a list.
    #[doc(hidden)]
    const END: Self;

    #[doc(hidden)]
    fn new(id: NodeId) -> Self;

    #[doc(hidden)]
    fn id(self) -> NodeId;

    #[doc(hidden)]
    fn by_u16<B: ByWords>(by: B, value: B::Of<u16, Self>) -> B::Out;

    #[doc(hidden)]
    fn by_u32<B: ByWords>(by: B, value: B::Of<u32, Self>) -> B::Out;
}

/// Something to do with a value whose type has codes and links: one method for each pair of words.
/// [`Code::by`] calls the right one.
#[doc(hidden)]
pub trait ByWords: Sized {
    type Of<C: Code, I: Link>;
    type Out;
    fn u16_u16(self, value: Self::Of<u16, u16>) -> Self::Out;
    fn u16_u32(self, value: Self::Of<u16, u32>) -> Self::Out;
    fn u32_u16(self, value: Self::Of<u32, u16>) -> Self::Out;
    fn u32_u32(self, value: Self::Of<u32, u32>) -> Self::Out;
}

impl<I: Link> Atomic<I> {
    /// The node that a link leads to.
    #[inline(always)]
    pub(crate) fn id(&self) -> NodeId {
        self.follow().id()
    }
}

impl Link for u32 {
    const NODES: usize = u32::MAX as usize;
    const END: u32 = u32::MAX;

    #[inline]
    fn new(id: NodeId) -> u32 {
        id.0
    }

    #[inline]
    fn id(self) -> NodeId {
        NodeId(self)
    }

    #[inline(always)]
    fn by_u16<B: ByWords>(by: B, value: B::Of<u16, u32>) -> B::Out {
        by.u16_u32(value)
    }

    #[inline(always)]
    fn by_u32<B: ByWords>(by: B, value: B::Of<u32, u32>) -> B::Out {
        by.u32_u32(value)
    }
}

impl Link for u16 {
    const NODES: usize = u16::MAX as usize;
    const END: u16 = u16::MAX;

    #[inline]
    fn new(id: NodeId) -> u16 {
        id.0 as u16
    }

    #[inline]
    fn id(self) -> NodeId {
        if self == Self::END { NodeId::NONE } else { NodeId(self.into()) }
    }

    #[inline(always)]
    fn by_u16<B: ByWords>(by: B, value: B::Of<u16, u16>) -> B::Out {
        by.u16_u16(value)
    }

    #[inline(always)]
    fn by_u32<B: ByWords>(by: B, value: B::Of<u32, u16>) -> B::Out {
        by.u32_u16(value)
    }
}
