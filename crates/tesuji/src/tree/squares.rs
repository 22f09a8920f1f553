//! Sums of squares, from which the variance of a node's samples follows.

use crate::archive::{Archive, ArchiveError};
use crate::atomic::Atomic;

/// The mean of the squared samples of a node, in units of 2^-31: as fine as the node's own mean,
/// and for the same reason.
#[derive(Clone, Debug)]
pub(super) struct Square {
    mean: Atomic<u32>,
    /// The visits that it was made of, by which a sample that counts as several is known.
    visits: Atomic<u32>,
}

impl Default for Square {
    fn default() -> Square {
        Square { mean: Atomic::new(0), visits: Atomic::new(0) }
    }
}

const UNIT: f64 = 1.0 / (1u64 << 31) as f64;

impl Square {
    pub(super) fn archive(&self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        archive.atomic(&self.mean)?;
        archive.atomic(&self.visits)
    }

    #[inline]
    pub(super) fn mean(&self) -> f32 {
        self.mean.get() as f32 * UNIT as f32
    }

    /// Learns the square of the sample that brought the node to `visits` visits.
    #[inline]
    pub(super) fn learn(&self, square: f32, visits: u32) {
        let share = f64::from(visits.saturating_sub(self.visits.get())) / f64::from(visits);
        let mean = f64::from(self.mean.get());
        // Rounds to the nearest, as nothing is below 0.
        self.mean.set((mean + (f64::from(square) * (1.0 / UNIT) - mean) * share + 0.5) as u32);
        self.visits.set(visits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_many_squares_does_not_drift() {
        let square = Square::default();
        for n in 1..=30_000_000 {
            square.learn(if n % 10 < 7 { 1.0 } else { 0.25 }, n);
        }
        assert!((square.mean() - 0.775).abs() < 1e-4, "{}", square.mean());
    }

    #[test]
    fn a_sample_of_several_visits_weighs_as_many() {
        let square = Square::default();
        for (sample, visits, expected) in [(1.0, 1, 1.0), (0.0, 2, 0.5), (1.0, 8, 0.875), (0.0, 16, 0.4375)] {
            square.learn(sample, visits);
            assert_eq!(square.mean(), expected);
        }
        square.learn(1.0, u32::MAX);
        let last = square.mean();
        square.learn(0.0, u32::MAX);
        assert_eq!(square.mean(), last, "visits that are not counted");
    }
}
