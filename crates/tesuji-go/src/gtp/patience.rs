//! Waiting with a limit.

use std::time::{Duration, Instant};

/// How often whoever waits looks up.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// Nobody waits so long for a tick, unless the whole program was stopped (SIGSTOP).
const GAP: Duration = Duration::from_millis(500);

/// A limit of the time spent waiting. The time in which this program was stopped does not count:
/// clocks go on, but what has arrived meanwhile could not be read.
#[derive(Debug)]
pub(super) struct Patience {
    most: Duration,
    spent: Duration,
    last: Instant,
}

impl Patience {
    pub(super) fn new(most: Duration) -> Patience {
        Patience { most, spent: Duration::ZERO, last: Instant::now() }
    }

    /// The time until the next tick is due.
    pub(super) fn tick(&self) -> Duration {
        TICK.min(self.most.saturating_sub(self.spent))
    }

    /// Counts the time since the last call; called at least at every tick. False once the limit is
    /// reached.
    pub(super) fn goes_on(&mut self) -> bool {
        let now = Instant::now();
        self.count(now - self.last);
        self.last = now;
        self.spent < self.most
    }

    fn count(&mut self, passed: Duration) {
        if passed < GAP {
            self.spent += passed;
        }
    }

    /// The time that counted so far.
    pub(super) fn spent(&self) -> Duration {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_of_the_program_does_not_count() {
        let mut patience = Patience::new(Duration::from_millis(120));
        patience.count(Duration::from_millis(60));
        patience.count(Duration::from_secs(3600));
        assert_eq!((patience.spent(), patience.tick()), (Duration::from_millis(60), TICK));
        patience.count(Duration::from_millis(55));
        assert_eq!(patience.tick(), Duration::from_millis(5));
        patience.count(Duration::from_millis(50));
        assert!(!patience.goes_on());
    }

    #[test]
    fn time_counts_again_after_a_stop_of_the_program() {
        let mut patience = Patience::new(Duration::from_secs(1));
        let now = Instant::now();
        patience.last = now - 2 * GAP;
        assert!(patience.goes_on());
        assert!(patience.last >= now && patience.spent() == Duration::ZERO);
    }
}
