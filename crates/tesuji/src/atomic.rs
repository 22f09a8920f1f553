//! Numbers that threads may read and replace at any time.

use core::fmt;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

/// A number that fits into an [`Atomic`].
#[doc(hidden)]
pub trait Word: Copy + fmt::Debug {
    /// Where it is kept.
    type Cell: Send + Sync;

    fn cell(self) -> Self::Cell;
    fn get(cell: &Self::Cell) -> Self;
    fn set(cell: &Self::Cell, value: Self);
    fn acquire(cell: &Self::Cell) -> Self;
    fn release(cell: &Self::Cell, value: Self);
}

macro_rules! word {
    ($word:ty, $cell:ty) => {
        impl Word for $word {
            type Cell = $cell;

            #[inline(always)]
            fn cell(self) -> $cell {
                <$cell>::new(self)
            }

            #[inline(always)]
            fn get(cell: &$cell) -> $word {
                cell.load(Relaxed)
            }

            #[inline(always)]
            fn set(cell: &$cell, value: $word) {
                cell.store(value, Relaxed);
            }

            #[inline(always)]
            fn acquire(cell: &$cell) -> $word {
                cell.load(Acquire)
            }

            #[inline(always)]
            fn release(cell: &$cell, value: $word) {
                cell.store(value, Release);
            }
        }
    };
}

word!(u8, AtomicU8);
word!(u16, AtomicU16);
word!(u32, AtomicU32);

/// A number that threads may read and replace at any time. Reading and replacing it costs what a plain number costs.
pub(crate) struct Atomic<T: Word>(T::Cell);

impl Atomic<u16> {
    /// Adds a number; none of those that several threads add at once is lost.
    #[inline(always)]
    pub(crate) fn add(&self, more: i16) {
        #[cfg(feature = "std")]
        self.0.fetch_add(more as u16, Relaxed);
        // Without threads a load and a store do, which every machine has.
        #[cfg(not(feature = "std"))]
        self.set(self.get().wrapping_add_signed(more));
    }
}

impl<T: Word> Atomic<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Atomic(value.cell())
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> T {
        T::get(&self.0)
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: T) {
        T::set(&self.0, value);
    }

    /// Reads a link: what its node was given before it was linked is seen, too.
    #[inline(always)]
    pub(crate) fn follow(&self) -> T {
        T::acquire(&self.0)
    }

    /// Replaces a link.
    #[inline(always)]
    pub(crate) fn link(&self, value: T) {
        T::release(&self.0, value);
    }
}

impl<T: Word> Clone for Atomic<T> {
    fn clone(&self) -> Self {
        Atomic::new(self.get())
    }
}

impl<T: Word> fmt::Debug for Atomic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// An `f64` that threads may read and replace at any time. Where a machine has no atomic words of 64 bits a reader may see
/// half of a new number.
#[derive(Debug)]
pub(crate) struct AtomicF64(
    #[cfg(target_has_atomic = "64")] core::sync::atomic::AtomicU64,
    #[cfg(not(target_has_atomic = "64"))] [Atomic<u32>; 2],
);

impl AtomicF64 {
    #[cfg(target_has_atomic = "64")]
    #[inline(always)]
    pub(crate) fn new(value: f64) -> AtomicF64 {
        AtomicF64(value.to_bits().into())
    }

    #[cfg(target_has_atomic = "64")]
    #[inline(always)]
    pub(crate) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }

    #[cfg(target_has_atomic = "64")]
    #[inline(always)]
    pub(crate) fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }

    #[cfg(not(target_has_atomic = "64"))]
    pub(crate) fn new(value: f64) -> AtomicF64 {
        AtomicF64([(value.to_bits() >> 32) as u32, value.to_bits() as u32].map(Atomic::new))
    }

    #[cfg(not(target_has_atomic = "64"))]
    #[inline]
    pub(crate) fn get(&self) -> f64 {
        f64::from_bits(u64::from(self.0[0].get()) << 32 | u64::from(self.0[1].get()))
    }

    #[cfg(not(target_has_atomic = "64"))]
    #[inline]
    pub(crate) fn set(&self, value: f64) {
        self.0[0].set((value.to_bits() >> 32) as u32);
        self.0[1].set(value.to_bits() as u32);
    }
}

impl Clone for AtomicF64 {
    fn clone(&self) -> AtomicF64 {
        AtomicF64::new(self.get())
    }
}
