//! Values that other programs agree on, for tests.

use crate::kernel::Matern52;
use crate::posterior::{Observation, Posterior};

pub(crate) fn close(x: f64, expected: f64) {
    let error = (x - expected).abs();
    assert!(error <= 1e-12 + 1e-10 * expected.abs(), "{x} is not {expected}, by {error}");
}

pub(crate) fn oracle_data() -> Vec<Observation> {
    let points = [(0.10, 0.20, 0.48), (0.90, 0.10, 0.51), (0.40, 0.70, 0.56)];
    let more = [(0.65, 0.55, 0.53), (0.20, 0.95, 0.50), (0.75, 0.85, 0.45)];
    let observation = |(a, b, y)| Observation { x: vec![a, b], y, variance: 0.0 };
    points.into_iter().chain(more).map(observation).collect()
}

pub(crate) fn oracle() -> Posterior {
    let kernel = Matern52 { variance: 0.0036, lengths: vec![0.5, 0.8] };
    Posterior::new(kernel, 0.5, 6.25e-4, &oracle_data()).unwrap()
}

/// The ten points at which the programs were asked.
pub(crate) const POINTS: [[f64; 2]; 10] = [
    [0.4, 0.7],
    [0.5, 0.6],
    [0.0, 0.0],
    [1.0, 1.0],
    [0.3, 0.5],
    [0.55, 0.3],
    [0.8, 0.4],
    [0.1, 0.9],
    [0.45, 0.65],
    [0.6, 0.1],
];
