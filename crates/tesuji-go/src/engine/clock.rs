//! Time: the time left, and the time to spend on a move.

use std::time::Duration;
use tesuji::Player;

/// The shortest time to think that is ever allotted.
const BLINK: Duration = Duration::from_millis(1);

/// The time limits of a game, for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeSettings {
    /// No clock.
    #[default]
    Unlimited,
    /// So much for the whole game.
    Absolute {
        /// The time.
        main: Duration,
    },
    /// After the main time, `stones` moves in each period.
    Canadian {
        /// Time before the first period.
        main: Duration,
        /// A period.
        period: Duration,
        /// Moves to make in it, at least 1.
        stones: u32,
    },
    /// After the main time, `periods` periods; only a move that takes longer than a period uses one
    /// up.
    ByoYomi {
        /// Time before the first period.
        main: Duration,
        /// A period.
        period: Duration,
        /// The number, at least 1.
        periods: u32,
    },
}

/// Both players' clocks.
///
/// The allotted time is safe: if a move takes at most the allotted time plus `lag`, no flag falls.
/// With absolute time this holds for as many moves of a player as the board has points. The lag of
/// all these moves is set aside first, and a move gets at most a tenth of the rest.
#[derive(Clone, Debug)]
pub struct Clock {
    settings: TimeSettings,
    lag: Duration,
    left: [Left; 2],
}

/// What one player has.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    main: Duration,
    /// Left of the Canadian period.
    period: Duration,
    /// Moves left in the Canadian period, or byo-yomi periods left.
    count: u32,
}

impl Clock {
    /// Clocks at the start of a game. `lag` is the time between the engine's answer and the moment
    /// when the other side sees it, plus the lateness of the search itself.
    pub fn new(settings: TimeSettings, lag: Duration) -> Clock {
        let left = match settings {
            TimeSettings::Unlimited => Left::default(),
            TimeSettings::Absolute { main } => Left { main, ..Left::default() },
            TimeSettings::Canadian { main, period, stones } => Left { main, period, count: stones.max(1) },
            TimeSettings::ByoYomi { main, period, periods } => Left { main, period, count: periods.max(1) },
        };
        Clock { settings, lag, left: [left; 2] }
    }

    /// Starts both clocks anew.
    pub fn restart(&mut self) {
        *self = Clock::new(self.settings, self.lag);
    }

    /// Takes a `time_left`: with `stones` 0 this is main time, otherwise the time left in the
    /// period and the number of moves left in it (Canadian) or of periods left (byo-yomi).
    pub fn set_left(&mut self, player: Player, time: Duration, stones: u32) {
        let left = &mut self.left[player.index()];
        if stones == 0 {
            left.main = time;
        } else {
            *left = Left { main: Duration::ZERO, period: time, count: stones };
        }
    }

    /// Subtracts the time of a move from the player's clock. Returns false if the flag has fallen.
    pub fn spend(&mut self, player: Player, time: Duration) -> bool {
        let left = &mut self.left[player.index()];
        let over = time.saturating_sub(left.main);
        let in_main = left.main > Duration::ZERO && over.is_zero();
        left.main = left.main.saturating_sub(time);
        if in_main {
            return true;
        }
        match self.settings {
            TimeSettings::Unlimited => true,
            TimeSettings::Absolute { .. } => over.is_zero(),
            TimeSettings::Canadian { period, stones, .. } => {
                if over > left.period {
                    left.period = Duration::ZERO;
                    return false;
                }
                left.period -= over;
                left.count = left.count.saturating_sub(1);
                if left.count == 0 {
                    (left.period, left.count) = (period, stones.max(1));
                }
                true
            }
            TimeSettings::ByoYomi { period, .. } => {
                let used = match (over.saturating_sub(left.period).as_nanos(), period.as_nanos()) {
                    (0, _) => 0,
                    // No number of such periods is enough.
                    (_, 0) => u32::MAX,
                    (beyond, each) => u32::try_from(beyond.div_ceil(each)).unwrap_or(u32::MAX),
                };
                left.count = left.count.saturating_sub(used);
                left.period = period;
                left.count > 0
            }
        }
    }

    /// The time for the next move; none without a clock. `played` is the number of this player's
    /// moves, `points` the number of points of the board.
    pub fn allot(&self, player: Player, played: usize, points: usize) -> Option<Duration> {
        let left = self.left[player.index()];
        // A player makes moves on about two fifths of the points; even a long game may have some
        // more.
        let to_come = (points * 2 / 5).saturating_sub(played).max(10) as u32;
        let share = left.main / to_come;
        let time = match self.settings {
            TimeSettings::Unlimited => return None,
            TimeSettings::Absolute { .. } => {
                let at_most = points.saturating_sub(played).max(10) as u32;
                left.main.saturating_sub(self.lag.saturating_mul(at_most)) / to_come
            }
            TimeSettings::Canadian { .. } => {
                let each = (left.period / left.count.max(1)).saturating_sub(self.lag);
                share.max(each).min(left.main.saturating_add(each))
            }
            TimeSettings::ByoYomi { .. } => {
                let each = left.period.saturating_sub(self.lag);
                share.max(each).min(left.main.saturating_add(each))
            }
        };
        Some(time.max(BLINK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAG: Duration = Duration::from_millis(100);

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// Plays `moves` moves, each as late as is allowed; gives the total time to think.
    fn survive(settings: TimeSettings, points: usize, moves: usize) -> Duration {
        let mut clock = Clock::new(settings, LAG);
        let mut total = Duration::ZERO;
        for played in 0..moves {
            let time = clock.allot(Player::FIRST, played, points).unwrap();
            total += time;
            let late = if time > BLINK { LAG } else { LAG / 2 };
            assert!(
                clock.spend(Player::FIRST, time + late),
                "{settings:?}: lost at move {played}, {clock:?}"
            );
        }
        total
    }

    #[test]
    fn no_flag_falls() {
        for points in [4, 81, 169, 361] {
            let moves = points.max(10);
            for main in [50.0, 60.0, 300.0, 3600.0] {
                survive(TimeSettings::Absolute { main: s(main) }, points, moves);
            }
            for main in [0.0, 0.05, 1.0, 600.0] {
                for (period, stones) in [(1.0, 1), (30.0, 5), (300.0, 25), (600.0, 1)] {
                    let (main, period) = (s(main), s(period));
                    survive(TimeSettings::Canadian { main, period, stones }, points, 2 * moves);
                    survive(TimeSettings::ByoYomi { main, period, periods: 1 }, points, 2 * moves);
                    survive(TimeSettings::ByoYomi { main, period, periods: stones }, points, 2 * moves);
                }
            }
        }
    }

    #[test]
    fn the_time_is_used() {
        let total = survive(TimeSettings::Absolute { main: s(300.0) }, 81, 40);
        assert!(total > s(200.0), "{total:?}");
        let total = survive(TimeSettings::Canadian { main: s(0.0), period: s(100.0), stones: 10 }, 81, 20);
        assert!(total > s(170.0), "{total:?}");
        let total = survive(TimeSettings::ByoYomi { main: s(0.0), period: s(10.0), periods: 3 }, 81, 20);
        assert_eq!(total, s(198.0));
    }

    #[test]
    fn what_the_server_says_counts() {
        let settings = TimeSettings::Canadian { main: s(600.0), period: s(60.0), stones: 6 };
        let mut clock = Clock::new(settings, LAG);
        assert_eq!(clock.allot(Player::SECOND, 0, 81), Some(s(18.75)));
        clock.set_left(Player::SECOND, s(32.0), 0);
        assert_eq!(clock.allot(Player::SECOND, 40, 81), Some(s(9.9)));
        clock.set_left(Player::SECOND, s(20.0), 4);
        assert_eq!(clock.allot(Player::SECOND, 41, 81), Some(s(4.9)));
        assert_eq!(clock.allot(Player::FIRST, 0, 81), Some(s(18.75)));
    }

    #[test]
    fn times_without_end_do_not_overflow() {
        let (main, period) = (Duration::MAX, Duration::MAX);
        for settings in [
            TimeSettings::Absolute { main: s(60.0) },
            TimeSettings::Canadian { main, period, stones: 1 },
            TimeSettings::ByoYomi { main, period, periods: 1 },
        ] {
            let mut clock = Clock::new(settings, Duration::MAX);
            assert!(clock.allot(Player::FIRST, 0, 361).is_some());
            clock.spend(Player::FIRST, Duration::MAX);
            assert!(Clock::new(settings, Duration::ZERO).allot(Player::FIRST, 0, 361).is_some());
        }
    }

    #[test]
    fn many_short_periods_are_counted_at_once() {
        for (period, last) in [(0.0, false), (1e-9, true)] {
            let settings = TimeSettings::ByoYomi { main: s(0.0), period: s(period), periods: u32::MAX };
            let mut clock = Clock::new(settings, LAG);
            assert!(clock.spend(Player::FIRST, s(period)));
            assert_eq!(clock.spend(Player::FIRST, s(4.0)), last);
            assert!(!clock.spend(Player::FIRST, s(4.0)));
        }
    }

    #[test]
    fn overtime_is_counted() {
        let mut clock = Clock::new(TimeSettings::ByoYomi { main: s(10.0), period: s(5.0), periods: 3 }, LAG);
        assert!(clock.spend(Player::FIRST, s(8.0)));
        assert!(clock.spend(Player::FIRST, s(6.0)), "two of main time, four of the first period");
        assert!(clock.spend(Player::FIRST, s(12.0)), "two periods are used up");
        assert!(clock.spend(Player::FIRST, s(5.0)));
        assert!(!clock.spend(Player::FIRST, s(5.1)), "the last one too");
        let mut clock = Clock::new(TimeSettings::Absolute { main: s(10.0) }, LAG);
        assert!(clock.spend(Player::FIRST, s(9.0)));
        assert!(!clock.spend(Player::FIRST, s(2.0)));
        let mut clock = Clock::new(TimeSettings::Canadian { main: s(0.0), period: s(6.0), stones: 2 }, LAG);
        assert!(clock.spend(Player::FIRST, s(3.0)) && clock.spend(Player::FIRST, s(3.0)));
        assert!(clock.spend(Player::FIRST, s(6.0)));
        assert!(!clock.spend(Player::FIRST, s(0.1)));
        assert_eq!(Clock::new(TimeSettings::Unlimited, LAG).allot(Player::FIRST, 0, 81), None);
    }
}
