//! Linear layers of a shard, and the cross entropy.

use super::prepared::Weights;
use super::step::TrainingStep;
use crate::kernel::{Block, LANES, Multiply, Place, blocks, numbers, zeros};

/// The product of rows with a layer's weight, or back.
pub(super) fn linear(
    step: &TrainingStep,
    weights: &Weights,
    back: bool,
    x: &[Block],
    count: usize,
) -> Vec<Block> {
    let (weight, outputs) = match back {
        false => (&weights.forward, weights.outputs),
        true => (&weights.back, weights.inputs),
    };
    let groups = blocks(outputs);
    let width = x.len() / count;
    let mut c = zeros(count * groups);
    step.instructions.run(Multiply {
        matrices: 1,
        rows: count,
        depth: width * LANES,
        groups,
        a: x,
        a_place: Place { matrix: 0, row: width, group: 1 },
        transposed: false,
        b: weight,
        b_place: Place { matrix: 0, row: 0, group: 0 },
        c: &mut c,
        c_place: Place { matrix: 0, row: groups, group: 1 },
        accumulate: false,
    });
    c
}

/// Derivatives by a linear layer's weight, `[out, in]`.
pub(super) fn linear_gradient(
    step: &TrainingStep,
    dy: &[Block],
    x: &[Block],
    count: usize,
    outputs: usize,
    to: &mut [f32],
) {
    let [out_width, width] = [dy, x].map(|rows| rows.len() / count);
    let mut c = zeros(outputs * width);
    step.instructions.run(Multiply {
        matrices: 1,
        rows: outputs,
        depth: count,
        groups: width,
        a: dy,
        a_place: Place { matrix: 0, row: out_width, group: 1 },
        transposed: true,
        b: x,
        b_place: Place { matrix: 0, row: width, group: 1 },
        c: &mut c,
        c_place: Place { matrix: 0, row: width, group: 1 },
        accumulate: false,
    });
    let inputs = to.len() / outputs;
    for (to, row) in to.chunks_exact_mut(inputs).zip(numbers(&c).chunks_exact(width * LANES)) {
        to.copy_from_slice(&row[..inputs]);
    }
}

/// The sums of columns.
pub(super) fn sum_columns(rows: &[Block], count: usize, to: &mut [f32]) {
    to.fill(0.0);
    for row in numbers(rows).chunks_exact(rows.len() / count * LANES) {
        to.iter_mut().zip(row).for_each(|(to, x)| *to += x);
    }
}

/// The cross entropy of logits, divided by `positions`. The derivatives replace the logits.
pub(super) fn cross_entropy(logits: &mut [f32], target: &[f32], positions: f32) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|&l| (l - most).exp()).sum();
    let mass: f32 = target.iter().sum();
    let log = total.ln() + most;
    let mut loss = 0.0;
    for (logit, &target) in logits.iter_mut().zip(target) {
        loss += f64::from(target) * f64::from(log - *logit);
        *logit = (mass * (*logit - most).exp() / total - target) / positions;
    }
    loss / f64::from(positions)
}
