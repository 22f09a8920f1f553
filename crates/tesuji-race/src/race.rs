//! A race.

use crate::arm::{Arm, Verdict};
use crate::rewards::Rewards;
use crate::rule::{Rule, Spending};

/// The settings of a race.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Settings {
    /// The rule by which bounds follow from rewards. Default: that of [`Rule`].
    pub rule: Rule,
    /// The division of an arm's risk over its tests; e-processes and betting need no division.
    /// Default: that of [`Spending`].
    pub spending: Spending,
    /// The probability, in (0, 1), that any bound of the race is wrong at any time. Default: 0.05.
    pub risk: f64,
    /// An arm is accepted when its lower bound is above this. Default: 0.501.
    pub accept: f64,
    /// An arm is discarded when its upper bound is below this. It is at least `accept`. If it is
    /// greater, every arm is decided at some time; if it is equal, an arm of just this efficiency
    /// may never be. Default: 0.504.
    pub reject: f64,
    /// The least rewards of a batch, at least 1. Default: 64.
    pub first: u64,
    /// The largest number of rewards of an arm. Default: no limit.
    pub most: Option<u64>,
}

impl Default for Settings {
    /// E-processes at risk .05, accept .501, reject .504 (Hoock & Teytaud 2010), first batch 64, no
    /// limit.
    fn default() -> Settings {
        Settings {
            rule: Rule::default(),
            spending: Spending::default(),
            risk: 0.05,
            accept: 0.501,
            reject: 0.504,
            first: 64,
            most: None,
        }
    }
}

impl Settings {
    /// Checks the settings.
    ///
    /// # Errors
    /// If a number is out of its range: the text names the number, and what would be accepted.
    pub fn check(&self) -> Result<(), String> {
        let within = |key: &str, value: f64| {
            if value > 0.0 && value < 1.0 {
                Ok(())
            } else {
                Err(format!("{key} is {value}; accepted: above 0 and below 1"))
            }
        };
        within("risk", self.risk)?;
        within("accept", self.accept)?;
        within("reject", self.reject)?;
        if self.reject < self.accept {
            return Err(format!("reject is {}; accepted: at least accept, {}", self.reject, self.accept));
        }
        if self.first == 0 {
            return Err("first is 0; accepted: at least 1".to_owned());
        }
        match self.most {
            Some(most) if most < self.first => {
                Err(format!("most is {most}; accepted: at least first, {}", self.first))
            }
            _ => Ok(()),
        }
    }
}

/// The next rewards to play: N of one arm, to be told together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The arm's index.
    pub arm: usize,
    /// The number of rewards.
    pub rewards: u64,
}

/// The end of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// This arm was accepted.
    Arm(usize),
    /// No arm is left.
    None,
}

/// A race between modifications of one program (Hoock & Teytaud 2010): the open arm of the highest
/// upper bound is played until the first is accepted or none is left.
///
/// With probability at least 1 - [`risk`](Settings::risk): an arm that is accepted has an
/// efficiency above [`accept`](Settings::accept), and no arm with an efficiency above
/// [`reject`](Settings::reject) is discarded. So if there is such an arm, one is accepted, unless
/// [`most`](Settings::most) ends the race earlier. The risk is divided evenly among the arms.
///
/// This takes rewards whose expectation is the efficiency. If colours alternate and the first
/// player has an advantage, that holds for both games of two in a row together. An arm that is
/// tested at an odd number of games has the advantage once more than the unmodified program. If the
/// first player scores 1/2 + a, a wrong decision is there at most 1 + 2 a times as likely, for
/// e-processes, betting, and thresholds near 1/2.
///
/// Each batch of an arm doubles its rewards, so that the number of tests grows with the logarithm
/// of the rewards. With e-processes and betting, for which tests are free, a batch is an eighth of
/// the rewards so far, and at least [`first`](Settings::first). The same batches in the same order
/// give the same race.
///
/// ```
/// use tesuji_race::{Race, Rewards, Settings, Winner};
///
/// let mut race = Race::new(2, Settings { accept: 0.505, reject: 0.53, ..Settings::default() });
/// while let Some(batch) = race.next() {
///     // The second arm wins three games of four.
///     let value = |game: u64| f64::from(u8::from(if batch.arm == 1 { game % 4 > 0 } else { game % 2 > 0 }));
///     race.tell(batch.arm, (0..batch.rewards).map(value).collect());
/// }
/// assert_eq!(race.winner(), Some(Winner::Arm(1)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Race {
    settings: Settings,
    arms: Vec<Arm>,
    /// Numbers of rewards at which a batch ends.
    stops: Vec<u64>,
}

impl Race {
    /// A race of `arms` arms.
    ///
    /// # Panics
    /// If [`Settings::check`] refuses the settings.
    pub fn new(arms: usize, settings: Settings) -> Race {
        if let Err(fault) = settings.check() {
            panic!("{fault}");
        }
        Race { settings, arms: vec![Arm::NEW; arms], stops: settings.most.into_iter().collect() }
    }

    /// Goes on with a race that once had each of these as its [`most`](Settings::most): an arm is
    /// tested there as before, so that its decision stays, and the test counts.
    pub fn resumed(mut self, earlier: impl IntoIterator<Item = u64>) -> Race {
        self.stops.extend(earlier);
        self
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The arms.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The end of the race, if it has ended.
    pub fn winner(&self) -> Option<Winner> {
        if let Some(arm) = self.arms.iter().position(|arm| arm.verdict == Verdict::Accepted) {
            return Some(Winner::Arm(arm));
        }
        self.arms.iter().all(|arm| arm.verdict != Verdict::Open).then_some(Winner::None)
    }

    /// The next batch to play: that of the open arm with the highest upper bound, the first of
    /// several. None if the race has ended.
    pub fn next(&self) -> Option<Batch> {
        if self.winner().is_some() {
            return None;
        }
        let open = self.arms.iter().enumerate().filter(|(_, arm)| arm.verdict == Verdict::Open);
        let (arm, state) = open.rev().max_by(|(_, a), (_, b)| a.upper.total_cmp(&b.upper))?;
        Some(Batch { arm, rewards: self.batch(state.rewards.count()) })
    }

    /// The number of rewards that an arm with `count` rewards gets next.
    fn batch(&self, count: u64) -> u64 {
        let Settings { rule, first, .. } = self.settings;
        let batch = if rule.is_anytime() { count / 8 } else { count };
        let stop = self.stops.iter().filter(|&&stop| stop > count).min();
        batch.max(first).min(stop.map_or(u64::MAX, |stop| stop - count))
    }

    /// Learns the rewards of a batch of an arm, and decides. A decision is final: later rewards of
    /// a decided arm, or of a race that has ended, count and move the bounds, but do not change a
    /// verdict. A batch without rewards changes nothing.
    ///
    /// # Panics
    /// If there is no such arm.
    pub fn tell(&mut self, arm: usize, rewards: Rewards) {
        if rewards.count() == 0 {
            return;
        }
        let Settings { rule, spending, risk, accept, reject, most, .. } = self.settings;
        let risk = risk / self.arms.len() as f64;
        let has_ended = self.winner().is_some();
        let arm = &mut self.arms[arm];
        arm.rewards += rewards;
        arm.tests += 1;
        (arm.lower, arm.upper) = rule.bounds(&arm.rewards, spending, arm.tests, risk, reject - accept);
        if has_ended || arm.verdict != Verdict::Open {
            return;
        }
        arm.verdict = if arm.lower > accept {
            Verdict::Accepted
        } else if arm.upper < reject {
            Verdict::Discarded
        } else if most.is_some_and(|most| arm.rewards.count() >= most) {
            Verdict::Undecided
        } else {
            Verdict::Open
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::hoeffding;
    use proptest::prelude::*;

    fn wins(wins: u64, games: u64) -> Rewards {
        Rewards::games([games - wins, 0, wins])
    }

    #[test]
    fn all_of_the_first_64_won_is_enough() {
        let mut race = Race::new(1, Settings { rule: Rule::Hoeffding, ..Settings::default() });
        assert_eq!(race.next(), Some(Batch { arm: 0, rewards: 64 }));
        race.tell(0, wins(64, 64));
        assert!((race.arms()[0].lower - (1.0 - 0.180_852_576_3)).abs() < 1e-9);
        assert_eq!((race.winner(), race.next()), (Some(Winner::Arm(0)), None));
    }

    #[test]
    fn what_costs_too_much_is_left_undecided() {
        let mut race =
            Race::new(2, Settings { rule: Rule::Bernstein, most: Some(100), ..Settings::default() });
        assert_eq!(race.next(), Some(Batch { arm: 0, rewards: 64 }), "the first of equals");
        race.tell(0, wins(32, 64));
        assert_eq!(race.next(), Some(Batch { arm: 1, rewards: 64 }));
        race.tell(1, wins(30, 64));
        assert_eq!(race.next(), Some(Batch { arm: 0, rewards: 36 }));
        race.tell(0, wins(18, 36));
        assert_eq!(race.arms()[0].verdict, Verdict::Undecided);
        race.tell(1, wins(18, 36));
        assert_eq!(race.winner(), Some(Winner::None));
    }

    #[test]
    fn nothing_is_no_test() {
        for rule in [Rule::Hoeffding, Rule::Bernstein, Rule::EProcess, Rule::Betting] {
            let mut race = Race::new(1, Settings { rule, ..Settings::default() });
            race.tell(0, Rewards::default());
            assert_eq!(race, Race::new(1, Settings { rule, ..Settings::default() }));
        }
    }

    #[test]
    fn a_larger_limit_keeps_the_tests_at_the_one_before() {
        let with =
            |most| Settings { rule: Rule::Hoeffding, first: 16, most: Some(most), ..Settings::default() };
        let mut race = Race::new(1, with(40)).resumed([17, 18, 30]);
        let mut counts = Vec::new();
        while let Some(batch) = race.next() {
            race.tell(0, Rewards::games([batch.rewards / 2, batch.rewards % 2, batch.rewards / 2]));
            counts.push(race.arms()[0].rewards.count());
        }
        assert_eq!(counts, [16, 17, 18, 30, 40]);
        // Each look has a share of the risk of its own.
        let deviation = hoeffding(0.05 * Spending::Squares.share(5), 40);
        assert!((race.arms()[0].upper - 0.5 - deviation).abs() < 1e-12);
        // What was decided at the limit stays decided.
        let anytime =
            |most| Settings { rule: Rule::EProcess, first: 16, most: Some(most), ..Settings::default() };
        let (mut short, mut long) = (Race::new(1, anytime(24)), Race::new(1, anytime(64)).resumed([24]));
        for race in [&mut short, &mut long] {
            race.tell(0, wins(13, 16));
            assert_eq!(race.next(), Some(Batch { arm: 0, rewards: 8 }));
            race.tell(0, wins(8, 8));
            assert_eq!(race.winner(), Some(Winner::Arm(0)));
        }
    }

    #[test]
    fn what_is_decided_stays() {
        let mut race = Race::new(3, Settings { rule: Rule::Hoeffding, ..Settings::default() });
        race.tell(0, wins(0, 64));
        race.tell(0, wins(100_000, 100_000));
        assert_eq!((race.arms()[0].verdict, race.winner()), (Verdict::Discarded, None));
        assert!(race.arms()[0].rewards.count() == 100_064 && race.arms()[0].lower > race.settings().accept);
        race.tell(1, wins(64, 64));
        for (arm, rewards) in [(0, wins(64, 64)), (1, wins(0, 100_000)), (2, wins(64, 64))] {
            race.tell(arm, rewards);
            let verdicts = race.arms().iter().map(|arm| arm.verdict).collect::<Vec<_>>();
            assert_eq!(verdicts, [Verdict::Discarded, Verdict::Accepted, Verdict::Open]);
            assert_eq!((race.winner(), race.next()), (Some(Winner::Arm(1)), None));
        }
    }

    #[test]
    #[should_panic(expected = "first is 0; accepted: at least 1")]
    fn settings_are_checked() {
        Race::new(1, Settings { first: 0, ..Settings::default() });
    }

    #[test]
    fn settings_that_cannot_be_are_named() {
        let good = Settings::default();
        assert_eq!(good.check(), Ok(()));
        for (bad, part) in [
            (Settings { risk: 0.0, ..good }, "risk is 0; accepted: above 0 and below 1"),
            (Settings { accept: 1.0, ..good }, "accept is 1"),
            (Settings { reject: 0.5, ..good }, "at least accept, 0.501"),
            (Settings { first: 0, ..good }, "first is 0"),
            (Settings { most: Some(10), ..good }, "at least first, 64"),
        ] {
            assert!(bad.check().unwrap_err().contains(part));
        }
    }

    fn rules() -> impl Strategy<Value = Rule> {
        prop_oneof![Just(Rule::Hoeffding), Just(Rule::Bernstein), Just(Rule::EProcess), Just(Rule::Betting)]
    }

    proptest! {
        #[test]
        fn bounds_hold_the_mean_and_batches_double(
            rule in rules(),
            first in 1_u64..100,
            shares in proptest::collection::vec(0.0..=1.0_f64, 1..12),
        ) {
            let mut race = Race::new(1, Settings { rule, first, ..Settings::default() });
            let mut tests = 0;
            for share in shares {
                let Some(batch) = race.next() else { break };
                let before = race.arms()[0].rewards.count();
                race.tell(0, wins((share * batch.rewards as f64) as u64, batch.rewards));
                tests += 1;
                let arm = &race.arms()[0];
                prop_assert!(arm.lower <= arm.rewards.mean() && arm.rewards.mean() <= arm.upper);
                if !rule.is_anytime() {
                    prop_assert_eq!(arm.rewards.count(), first << (tests - 1));
                } else {
                    prop_assert_eq!(batch.rewards, first.max(before / 8));
                }
            }
        }

        #[test]
        fn a_race_told_again_is_the_same(shares in proptest::collection::vec(0.3..=0.7_f64, 1..40), rule in rules()) {
            let settings = Settings { rule, accept: 0.505, reject: 0.53, ..Settings::default() };
            let (mut race, mut told) = (Race::new(3, settings), Vec::new());
            for share in shares {
                let Some(batch) = race.next() else { break };
                let rewards = wins((share * batch.rewards as f64) as u64, batch.rewards);
                race.tell(batch.arm, rewards);
                told.push((batch, rewards));
            }
            let mut again = Race::new(3, settings);
            for (batch, rewards) in told {
                prop_assert_eq!(again.next(), Some(batch));
                again.tell(batch.arm, rewards);
            }
            prop_assert_eq!(again, race);
        }
    }
}
