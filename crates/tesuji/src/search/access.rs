//! What workers share: the tree, and the simulations that they count together.

#[cfg(feature = "std")]
use {
    core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    std::sync::{PoisonError, RwLock, RwLockReadGuard},
};

/// How a worker comes by what it shares with others.
pub(super) trait Access {
    /// Whether one worker has it for itself; its code is then one function.
    const ALONE: bool;

    type Core;

    /// Uses it beside others.
    fn read<R>(&mut self, f: impl FnOnce(&Self::Core) -> R) -> R;

    /// Uses it while nobody else does.
    fn write<R>(&mut self, f: impl FnOnce(&mut Self::Core) -> R) -> R;

    /// Whether workers may expand moves and tell outcomes beside others.
    fn is_concurrent(&self) -> bool;

    /// Whether there is one more simulation to make, of `target` in all. It counts as begun.
    fn begin(&mut self, target: u64) -> bool;

    /// The simulation that was counted last is not made after all.
    fn withdraw(&mut self);

    /// The simulations that were begun.
    fn begun(&self) -> u64;
}

/// What one worker has for itself.
pub(super) struct Alone<'a, C> {
    pub(super) core: &'a mut C,
    pub(super) begun: u64,
}

impl<C> Access for Alone<'_, C> {
    const ALONE: bool = true;

    type Core = C;

    #[inline(always)]
    fn read<R>(&mut self, f: impl FnOnce(&C) -> R) -> R {
        f(self.core)
    }

    #[inline(always)]
    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        f(self.core)
    }

    #[inline(always)]
    fn is_concurrent(&self) -> bool {
        false
    }

    #[inline(always)]
    fn begin(&mut self, target: u64) -> bool {
        let more = self.begun < target;
        self.begun += u64::from(more);
        more
    }

    fn withdraw(&mut self) {
        self.begun -= 1;
    }

    #[inline(always)]
    fn begun(&self) -> u64 {
        self.begun
    }
}

/// What workers on several threads share. In a concurrent tree all that a simulation does goes on
/// beside others, and a worker keeps its share of the lock until some other worker wants the tree
/// for itself, to make room. In other trees descents alone go on beside others.
#[cfg(feature = "std")]
pub(super) struct Locked<'a, 'b, C> {
    pub(super) core: &'a RwLock<&'b mut C>,
    counts: &'a Counts,
    concurrent: bool,
    share: Option<RwLockReadGuard<'a, &'b mut C>>,
    /// Simulations that count as begun and are still to be made: to count each by itself would cost
    /// as much as a descent through a small tree.
    left: u64,
}

/// What workers on several threads count together, apart from all else.
#[cfg(feature = "std")]
#[repr(align(128))]
pub(super) struct Counts {
    pub(super) begun: AtomicU64,
    /// The workers that want the tree for themselves.
    waiting: Waiting,
}

#[cfg(feature = "std")]
#[derive(Default)]
#[repr(align(128))]
struct Waiting(AtomicUsize);

#[cfg(feature = "std")]
impl Counts {
    /// Nobody waits, and N simulations were begun.
    pub(super) fn new(begun: u64) -> Counts {
        Counts { begun: begun.into(), waiting: Waiting::default() }
    }
}

/// The most simulations that a worker counts as begun at once.
#[cfg(feature = "std")]
const AT_ONCE: u64 = 32;

#[cfg(feature = "std")]
impl<'a, 'b, C> Locked<'a, 'b, C> {
    pub(super) fn new(core: &'a RwLock<&'b mut C>, counts: &'a Counts, concurrent: bool) -> Self {
        Locked { core, counts, concurrent, share: None, left: 0 }
    }
}

#[cfg(feature = "std")]
impl<C> Access for Locked<'_, '_, C> {
    const ALONE: bool = false;

    type Core = C;

    fn read<R>(&mut self, f: impl FnOnce(&C) -> R) -> R {
        // A panic of another thread goes on when all have ended.
        let lock = || self.core.read().unwrap_or_else(PoisonError::into_inner);
        if !self.concurrent {
            return f(&lock());
        }
        if self.counts.waiting.0.load(Relaxed) > 0 {
            self.share = None;
        }
        f(self.share.get_or_insert_with(lock))
    }

    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        self.share = None;
        self.counts.waiting.0.fetch_add(1, Relaxed);
        let mut core = self.core.write().unwrap_or_else(PoisonError::into_inner);
        self.counts.waiting.0.fetch_sub(1, Relaxed);
        f(&mut core)
    }

    fn is_concurrent(&self) -> bool {
        self.concurrent
    }

    fn begin(&mut self, target: u64) -> bool {
        if self.left == 0 {
            let some = |begun: u64| (target.saturating_sub(begun) / 64).clamp(1, AT_ONCE);
            let more = |begun| (begun < target).then(|| begun + some(begun));
            let Ok(begun) = self.counts.begun.fetch_update(Relaxed, Relaxed, more) else { return false };
            self.left = some(begun);
        }
        self.left -= 1;
        true
    }

    fn withdraw(&mut self) {
        self.left += 1;
    }

    fn begun(&self) -> u64 {
        self.counts.begun.load(Relaxed) - self.left
    }
}

#[cfg(feature = "std")]
impl<C> Drop for Locked<'_, '_, C> {
    fn drop(&mut self) {
        self.counts.begun.fetch_sub(self.left, Relaxed);
    }
}
