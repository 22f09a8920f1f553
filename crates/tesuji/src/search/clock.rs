//! The time since a search began.

use core::time::Duration;

/// A stopwatch; without the feature `std` it always shows zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    #[cfg(feature = "std")]
    start: std::time::Instant,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock {
            #[cfg(feature = "std")]
            start: std::time::Instant::now(),
        }
    }

    pub(crate) fn elapsed(self) -> Duration {
        #[cfg(feature = "std")]
        return self.start.elapsed();
        #[cfg(not(feature = "std"))]
        Duration::ZERO
    }
}
