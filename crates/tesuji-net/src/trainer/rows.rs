//! Linear layers of numbers for whole positions, a row for each. They are so small that plain loops
//! are fast enough.

/// A weight, `[out, in]`, times each row of `x`.
pub(super) fn multiply(weight: &[f32], inputs: usize, x: &[f32]) -> Vec<f32> {
    let dot = |row: &[f32], x: &[f32]| row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>();
    x.chunks_exact(inputs).flat_map(|x| weight.chunks_exact(inputs).map(move |row| dot(row, x))).collect()
}

/// The derivatives by the rows; those by the weight take the place of `to`.
pub(super) fn multiply_back(
    weight: &[f32],
    inputs: usize,
    x: &[f32],
    dy: &[f32],
    to: &mut [f32],
) -> Vec<f32> {
    let outputs = weight.len() / inputs;
    to.fill(0.0);
    let mut dx = vec![0.0; x.len()];
    let rows = x.chunks_exact(inputs).zip(dx.chunks_exact_mut(inputs)).zip(dy.chunks_exact(outputs));
    for ((x, dx), dy) in rows {
        let weights = weight.chunks_exact(inputs).zip(to.chunks_exact_mut(inputs));
        for (&dy, (weight, to)) in dy.iter().zip(weights) {
            for (((dx, to), &x), &w) in dx.iter_mut().zip(to).zip(x).zip(weight) {
                *dx += dy * w;
                *to += dy * x;
            }
        }
    }
    dx
}

/// Adds a bias to each row.
pub(super) fn add_bias(bias: &[f32], rows: &mut [f32]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        row.iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
    }
}

/// The sums of the columns.
pub(super) fn sum_columns(rows: &[f32], to: &mut [f32]) {
    to.fill(0.0);
    for row in rows.chunks_exact(to.len()) {
        to.iter_mut().zip(row).for_each(|(to, x)| *to += x);
    }
}
