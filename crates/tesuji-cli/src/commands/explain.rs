//! What each backup would say of a node, for `tesuji analyze --explain`.

use tesuji::Backup;
use tesuji::recipe::Recipe;
use tesuji_go::engine::Move;
use tesuji_go::{Rules, with_go};
use tesuji_lab::RootSamples;

/// What the recipe's own backup and every other make of the samples, on a board of this size: name
/// and value for the player to move.
pub(super) fn said(samples: &RootSamples<Move>, recipe: &Recipe, size: usize) -> Vec<(String, f64)> {
    let curves =
        samples.curves(recipe, &|backup| with_go!(size, Rules::default(), |start| backup.new_game(&start)));
    let last = |points: Vec<(usize, f64)>| points.last().map_or(0.0, |&(_, value)| value);
    curves.into_iter().map(|curve| (curve.backup, last(curve.points))).collect()
}
