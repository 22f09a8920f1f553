//! The budget of a search: simulations, time, and a flag to stop it.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

/// The limits of one search; it ends at the first one reached. Memory limits belong to the agent,
/// see [`Memory`](crate::Memory).
#[derive(Clone, Default, Debug)]
pub struct Budget {
    /// At most this many simulations; with [`FinalMove::MaxRobust`](crate::FinalMove::MaxRobust) up
    /// to half as many more.
    pub simulations: Option<u64>,
    /// At most about this long, checked every few simulations. A search under a clock is not
    /// reproducible. Without the feature `std` there is no clock and this must be `None`.
    pub time: Option<Duration>,
    /// Ends the search from elsewhere.
    pub stop: Stop,
}

impl Budget {
    /// This many simulations; with [`FinalMove::MaxRobust`](crate::FinalMove::MaxRobust) up to half
    /// as many more, fewer where the solver proves the result.
    pub fn simulations(n: u64) -> Budget {
        Budget { simulations: Some(n), ..Budget::default() }
    }

    /// This long.
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }
}

/// A handle that stops a search from another thread; clones share it. The search ends after the
/// running simulation and reports what it has.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks every search that holds this handle to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Stop::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Makes the handle usable for another search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
