//! Numbers that threads may read and replace at any time.

use core::fmt;
#[cfg(feature = "std")]
use core::sync::atomic::Ordering::AcqRel;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

/// A number that fits into an [`Atomic`].
#[doc(hidden)]
pub trait Word: Copy + fmt::Debug {
    /// Where it is kept.
    type Cell: Send + Sync;

    /// The bit by which a number is held: the highest but one, which the machine sets and tests in
    /// one instruction.
    const HELD: Self;

    fn cell(self) -> Self::Cell;
    fn get(cell: &Self::Cell) -> Self;
    fn set(cell: &Self::Cell, value: Self);
    fn acquire(cell: &Self::Cell) -> Self;
    fn release(cell: &Self::Cell, value: Self);

    /// Sets bits at once, and returns what was there.
    fn insert(cell: &Self::Cell, bits: Self) -> Self;
    /// Clears bits at once.
    fn remove(cell: &Self::Cell, bits: Self);
    /// Adds at once, or subtracts what would wrap around.
    fn add(cell: &Self::Cell, more: Self);
    /// Replaces a number at once if it is this one, and returns what was there.
    fn swap(cell: &Self::Cell, from: Self, to: Self) -> Self;
    /// Whether this bit is set.
    fn is_held(self) -> bool;
    /// The number without this bit.
    fn free(self) -> Self;
    /// 0 less the number, wrapped around.
    fn negative(self) -> Self;
}

/// Changes a number at once, so that nothing that several threads do is lost. Without threads a
/// load and a store do, which every machine has.
macro_rules! change {
    ($cell:expr, $change:ident($with:expr, $order:expr), $plain:expr) => {{
        #[cfg(feature = "std")]
        let old = {
            schedule::point();
            $cell.$change($with, $order)
        };
        #[cfg(not(feature = "std"))]
        let old = {
            let old = $cell.load(Relaxed);
            $cell.store($plain(old, $with), Relaxed);
            old
        };
        old
    }};
}

macro_rules! word {
    ($word:ty, $cell:ty) => {
        impl Word for $word {
            type Cell = $cell;

            const HELD: $word = 1 << (<$word>::BITS - 2);

            #[inline(always)]
            fn cell(self) -> $cell {
                <$cell>::new(self)
            }

            #[inline(always)]
            fn get(cell: &$cell) -> $word {
                schedule::point();
                cell.load(Relaxed)
            }

            #[inline(always)]
            fn set(cell: &$cell, value: $word) {
                schedule::point();
                cell.store(value, Relaxed);
            }

            #[inline(always)]
            fn acquire(cell: &$cell) -> $word {
                schedule::point();
                cell.load(Acquire)
            }

            #[inline(always)]
            fn release(cell: &$cell, value: $word) {
                schedule::point();
                cell.store(value, Release);
            }

            #[inline(always)]
            fn insert(cell: &$cell, bits: $word) -> $word {
                change!(cell, fetch_or(bits, AcqRel), |old, bits| old | bits)
            }

            #[inline(always)]
            fn remove(cell: &$cell, bits: $word) {
                change!(cell, fetch_and(!bits, Release), |old, bits| old & bits);
            }

            #[inline(always)]
            fn add(cell: &$cell, more: $word) {
                change!(cell, fetch_add(more, Release), |old: $word, more| old.wrapping_add(more));
            }

            #[inline]
            fn swap(cell: &$cell, from: $word, to: $word) -> $word {
                #[cfg(feature = "std")]
                let old = {
                    schedule::point();
                    cell.compare_exchange(from, to, AcqRel, Acquire).unwrap_or_else(|old| old)
                };
                #[cfg(not(feature = "std"))]
                let old = {
                    let old = cell.load(Relaxed);
                    cell.store(if old == from { to } else { old }, Relaxed);
                    old
                };
                old
            }

            #[inline(always)]
            fn is_held(self) -> bool {
                self & Self::HELD != 0
            }

            #[inline(always)]
            fn free(self) -> $word {
                self & !Self::HELD
            }

            #[inline(always)]
            fn negative(self) -> $word {
                self.wrapping_neg()
            }
        }
    };
}

word!(u8, AtomicU8);
word!(u16, AtomicU16);
word!(u32, AtomicU32);

/// A number that threads may read and replace at any time. Reading and replacing it costs what a
/// plain number costs.
pub(crate) struct Atomic<T: Word>(T::Cell);

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

    /// Sets bits; others that several threads change at once are not lost.
    #[inline(always)]
    pub(crate) fn insert(&self, bits: T) {
        T::insert(&self.0, bits);
    }

    /// Clears bits, as [`Atomic::insert`] sets them.
    #[inline(always)]
    pub(crate) fn remove(&self, bits: T) {
        T::remove(&self.0, bits);
    }

    /// Adds a number; none of those that several threads add at once is lost.
    #[inline(always)]
    pub(crate) fn add(&self, more: T) {
        T::add(&self.0, more);
    }

    /// Subtracts as [`Atomic::add`] adds.
    #[inline(always)]
    pub(crate) fn subtract(&self, less: T) {
        T::add(&self.0, less.negative());
    }

    /// Replaces a link if it is this one, and returns what was there: of several threads one
    /// succeeds.
    #[inline]
    pub(crate) fn swap(&self, from: T, to: T) -> T {
        T::swap(&self.0, from, to)
    }

    /// Waits until nobody holds the number, and holds it by a bit of it: what others did while they
    /// held it is seen. Meant for moments. Nobody else changes the rest of the number meanwhile, so
    /// that to let go is a plain store.
    #[inline]
    pub(crate) fn hold(&self) -> Held<'_, T> {
        if T::insert(&self.0, T::HELD).is_held() {
            self.wait();
        }
        Held(self)
    }

    /// Waits until the number is held.
    #[cold]
    fn wait(&self) {
        let mut tries = 0u32;
        while self.follow().is_held() || T::insert(&self.0, T::HELD).is_held() {
            core::hint::spin_loop();
            tries = tries.wrapping_add(1);
            if tries.is_multiple_of(64) {
                yield_now();
            }
        }
    }
}

/// Lets other threads run: whoever holds a number may wait for a core.
fn yield_now() {
    #[cfg(feature = "std")]
    std::thread::yield_now();
}

/// Holds an [`Atomic`].
pub(crate) struct Held<'a, T: Word>(&'a Atomic<T>);

impl<T: Word> Drop for Held<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.link(self.0.get().free());
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

/// An `f64` that threads may read and replace at any time. Where a machine has no atomic words of
/// 64 bits a reader may see half of a new number.
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

/// Where tests let another thread come first.
#[cfg(test)]
pub(crate) mod schedule {
    use std::cell::Cell;

    std::thread_local! {
        static SCHEDULED: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether a schedule decides from now on what runs next.
    #[cfg(feature = "recipe")]
    pub(crate) fn set(scheduled: bool) {
        SCHEDULED.set(scheduled);
    }

    /// Stands before each thing that happens at once.
    pub(crate) fn point() {
        if SCHEDULED.get() {
            shuttle::thread::yield_now();
        }
    }
}

#[cfg(not(test))]
mod schedule {
    #[inline(always)]
    pub(crate) fn point() {}
}
