//! The numbers by which nodes store moves.

use crate::atomic::Word;
use crate::select::ErasedCode;
use core::fmt::Debug;

/// The number by which a node stores a move: `u16`, or `u32` for games with more than 65 536
/// different moves.
pub trait Code: Copy + Eq + Debug + Send + Sync + Word + ErasedCode + sealed::Sealed {
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
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

macro_rules! code {
    ($word:ty) => {
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
        }
    };
}

code!(u16);
code!(u32);

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
