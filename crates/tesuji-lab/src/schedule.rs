//! Which pairs of games to play, and when to stop.

use crate::stats::{Counts, Sprt, Verdict};
use std::collections::BTreeMap;

/// One or two games between two agents, from one opening.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pairing {
    /// The first agent's index.
    pub a: usize,
    /// The second agent's index.
    pub b: usize,
    /// The opening's number.
    pub opening: u64,
    /// A number that distinguishes pairs of the same agents from the same opening.
    pub replica: u32,
    /// Whether both games are played; if not, only the one in which `a` begins.
    pub both: bool,
}

/// The result of a pair for its first agent, in half points: 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PairScore(u8);

impl PairScore {
    /// Of the values of its two games.
    ///
    /// # Panics
    /// If a value is not in [0, 1].
    pub fn of(first: f64, second: f64) -> PairScore {
        assert!((0.0..=1.0).contains(&first) && (0.0..=1.0).contains(&second), "values lie in [0, 1]");
        PairScore(((first + second) * 2.0).round() as u8)
    }

    /// Its place among LL, LD, LW or DD, DW, WW.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Hands out a number of pairs between two agents, in the order of their openings, cut short by a
/// sequential test if there is one.
///
/// The test looks at the pairs in the order of their openings, whatever the order in which they
/// end, so that its decision does not depend on the number of threads.
#[derive(Clone, Debug)]
pub struct MatchSchedule {
    games: u64,
    sprt: Option<Sprt>,
    next: u64,
    /// Pairs that ended before one with an earlier opening did.
    waiting: BTreeMap<u64, Option<PairScore>>,
    /// The pairs of all openings below `tested`.
    counts: [u64; 5],
    tested: u64,
    verdict: Verdict,
}

impl MatchSchedule {
    /// A schedule of `games` games; the last pair of an odd number is a single game.
    pub fn new(games: u64, sprt: Option<Sprt>) -> MatchSchedule {
        MatchSchedule {
            games,
            sprt,
            next: 0,
            waiting: BTreeMap::new(),
            counts: [0; 5],
            tested: 0,
            verdict: Verdict::Undecided,
        }
    }

    /// The verdict of the sequential test.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The next pair; none if there are no more.
    pub(crate) fn next(&mut self) -> Option<Pairing> {
        let opening = self.next;
        if self.verdict != Verdict::Undecided || opening >= self.games.div_ceil(2) {
            return None;
        }
        self.next += 1;
        Some(Pairing { a: 0, b: 1, opening, replica: 0, both: 2 * opening + 1 < self.games })
    }

    /// A pair is finished and its games are stored. No score if only one game was asked for, if one
    /// of the two failed, or if one counts for nobody.
    pub(crate) fn played(&mut self, pairing: Pairing, score: Option<PairScore>) {
        self.waiting.insert(pairing.opening, score);
        while self.verdict == Verdict::Undecided
            && let Some(score) = self.waiting.remove(&self.tested)
        {
            self.tested += 1;
            if let (Some(score), Some(sprt)) = (score, &self.sprt) {
                self.counts[score.index()] += 1;
                self.verdict = sprt.verdict(&Counts::Pairs(self.counts));
            }
        }
    }
}

/// The openings that count until a sequential test decides, from the scores of complete pairs in
/// the order of their openings (no score: the pair counts for nobody); none if it does not decide
/// before the first opening that is missing.
pub(crate) fn counted_openings(
    sprt: Sprt,
    scores: impl IntoIterator<Item = (u64, Option<PairScore>)>,
) -> Option<u64> {
    let mut schedule = MatchSchedule::new(u64::MAX, Some(sprt));
    for (opening, score) in scores {
        let pairing = Pairing { a: 0, b: 1, opening, replica: 0, both: true };
        schedule.played(pairing, score);
        if schedule.verdict != Verdict::Undecided {
            return Some(schedule.tested);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_of_games_ends_with_half_a_pair() {
        let mut schedule = MatchSchedule::new(3, None);
        assert!(schedule.next().unwrap().both);
        assert!(!schedule.next().unwrap().both);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn a_test_decides_in_the_order_of_openings() {
        let play = |order: &mut dyn Iterator<Item = u64>| {
            let mut schedule = MatchSchedule::new(2000, Some(Sprt::new(0.0, 200.0)));
            let pairings: Vec<_> = std::iter::from_fn(|| schedule.next()).collect();
            for i in order {
                let value = if i % 4 == 0 { 0.0 } else { 1.0 };
                schedule.played(pairings[i as usize], Some(PairScore::of(1.0, value)));
            }
            (schedule.verdict(), schedule.tested)
        };
        let (verdict, openings) = play(&mut (0..1000));
        assert_eq!(verdict, Verdict::Elo1);
        assert!(openings < 100, "{openings}");
        assert_eq!(play(&mut (0..1000).rev()), (verdict, openings));

        let scores = (0..1000).map(|i| (i, Some(PairScore::of(1.0, if i % 4 == 0 { 0.0 } else { 1.0 }))));
        let sprt = Sprt::new(0.0, 200.0);
        assert_eq!(
            counted_openings(sprt, scores.clone()),
            Some(openings),
            "the games themselves say the same"
        );
        assert_eq!(counted_openings(sprt, scores.skip(1)), None, "not without the first");
    }
}
