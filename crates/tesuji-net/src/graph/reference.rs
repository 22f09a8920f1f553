//! The evaluation directly by the formulae: slow, one number after the other.

use super::{
    Activation, Attention, Block, Convolution, FeedForward, Graph, Linear, Norm, Outputs, PolicyHead,
    RmsNorm, Tip, ValueHead,
};

/// Evaluates a position of a board of `board` rows, given by its planes, `[plane, y, x]` with the
/// highest row first, and the numbers for the whole position. It follows the description step by
/// step; tests compare the fast code with it.
///
/// # Panics
/// If there are other planes or numbers than the network reads.
pub fn reference(graph: &Graph, board: usize, planes: &[f32], globals: &[f32]) -> Outputs {
    assert_eq!(planes.len(), graph.planes * board * board, "the planes are for another network");
    assert_eq!(globals.len(), graph.globals, "the numbers are for another network");
    let mut x = convolve(&graph.first, board, planes);
    add_at_all(&mut x, &linear(&graph.global, globals));
    for block in &graph.blocks {
        add_block(block, board, &mut x);
    }
    let x = end(&graph.tip, board * board, &x);
    let mut outputs = Outputs::new(board);
    outputs.policy = policy(&graph.policy, board, &x);
    value(&graph.value, graph, board, &x, &mut outputs);
    outputs
}

fn add_block(block: &Block, board: usize, x: &mut [f32]) {
    let y = match block {
        Block::Residual { pre, first, mid, second } => {
            let y = convolve(first, board, &normed(pre, x));
            convolve(second, board, &normed(mid, &y))
        }
        Block::Pooling { pre, first, pooled, pool_norm, bias, mid, second } => {
            let x = normed(pre, x);
            let mut y = convolve(first, board, &x);
            let pooled = pool(board, &normed(pool_norm, &convolve(pooled, board, &x)));
            add_at_all(&mut y, &linear(bias, &pooled));
            convolve(second, board, &normed(mid, &y))
        }
        Block::Nested { pre, first, blocks, post, last } => {
            let mut y = convolve(first, board, &normed(pre, x));
            blocks.iter().for_each(|block| add_block(block, board, &mut y));
            convolve(last, board, &normed(post, &y))
        }
        Block::Attention(attention) => attend(attention, board, x),
        Block::FeedForward(layers) => feed(layers, board * board, x),
    };
    x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
}

fn convolve(layer: &Convolution, board: usize, x: &[f32]) -> Vec<f32> {
    let (points, size, reach) = (board * board, layer.size, layer.size / 2);
    let mut to = vec![0.0; layer.outputs * points];
    for (output, to) in to.chunks_exact_mut(points).enumerate() {
        for (input, from) in x.chunks_exact(points).enumerate() {
            let kernel = &layer.weight[(output * layer.inputs + input) * size * size..][..size * size];
            for (tap, &weight) in kernel.iter().enumerate() {
                let (down, right) = (tap / size, tap % size);
                // The point (y, x) reads (y + down - reach, x + right - reach), where that is on
                // the board.
                let on = |shift: usize| {
                    reach.saturating_sub(shift)..(board + reach).saturating_sub(shift).min(board)
                };
                let columns = on(right);
                for y in on(down).filter(|_| !columns.is_empty()) {
                    let columns = columns.clone();
                    let from = &from[(y + down - reach) * board..][..board];
                    let from = &from[columns.start + right - reach..columns.end + right - reach];
                    let to = &mut to[y * board..][columns];
                    to.iter_mut().zip(from).for_each(|(to, x)| *to += weight * x);
                }
            }
        }
    }
    to
}

fn linear(layer: &Linear, x: &[f32]) -> Vec<f32> {
    let rows = layer.weight.chunks_exact(layer.inputs);
    rows.zip(&layer.bias)
        .map(|(row, bias)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f32>() + bias)
        .collect()
}

/// The layer at every point of `[channel, point]`.
fn linear_at_all(layer: &Linear, points: usize, x: &[f32]) -> Vec<f32> {
    let mut to = vec![0.0; layer.outputs * points];
    for point in 0..points {
        let at: Vec<f32> = x.iter().skip(point).step_by(points).copied().collect();
        for (output, y) in linear(layer, &at).into_iter().enumerate() {
            to[output * points + point] = y;
        }
    }
    to
}

/// Adds a number for each channel at every point.
fn add_at_all(x: &mut [f32], more: &[f32]) {
    let points = x.len() / more.len();
    for (x, more) in x.chunks_exact_mut(points).zip(more) {
        x.iter_mut().for_each(|x| *x += more);
    }
}

fn normed(norm: &Norm, x: &[f32]) -> Vec<f32> {
    let points = x.len() / norm.scale.len();
    let channels = x.chunks_exact(points).zip(norm.scale.iter().zip(&norm.bias));
    channels
        .flat_map(|(x, (scale, bias))| x.iter().map(move |x| norm.activation.of(x * scale + bias)))
        .collect()
}

/// Mean, scaled mean and maximum of each channel.
fn pool(board: usize, x: &[f32]) -> Vec<f32> {
    let points = board * board;
    let means: Vec<f32> = x.chunks_exact(points).map(|x| x.iter().sum::<f32>() / points as f32).collect();
    let wide = (board as f32 - 14.0) * 0.1;
    let most = x.chunks_exact(points).map(|x| x.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    means.iter().copied().chain(means.iter().map(|x| x * wide)).chain(most).collect()
}

fn rms_normed(norm: &RmsNorm, x: &[f32], points: usize, board: bool) -> Vec<f32> {
    let channels = norm.scale.len();
    let factor = |squares: f32, count: usize| 1.0 / (squares / count as f32 + norm.epsilon).sqrt();
    let over_board = factor(x.iter().map(|x| x * x).sum(), x.len());
    let at = |point: usize| {
        let squares = (0..channels).map(|c| x[c * points + point].powi(2)).sum();
        if board { over_board } else { factor(squares, channels) }
    };
    let factors: Vec<f32> = (0..points).map(at).collect();
    let channels = x.chunks_exact(points).zip(&norm.scale);
    channels
        .flat_map(|(x, scale)| x.iter().zip(&factors).map(move |(x, factor)| x * factor * scale))
        .collect()
}

fn attend(layer: &Attention, board: usize, x: &[f32]) -> Vec<f32> {
    let points = board * board;
    let x = rms_normed(&layer.norm, x, points, false);
    let [mut query, mut key, value] =
        [&layer.query, &layer.key, &layer.value].map(|layer| linear_at_all(layer, points, &x));
    let (size, wide, group) = (layer.key_size, layer.value_size, layer.heads / layer.shared);
    turn(layer, board, &mut query, group);
    turn(layer, board, &mut key, 1);
    let mut weighted = vec![0.0; layer.heads * wide * points];
    for head in 0..layer.heads {
        let query = &query[head * size * points..][..size * points];
        let key = &key[head / group * size * points..][..size * points];
        let value = &value[head / group * wide * points..][..wide * points];
        for point in 0..points {
            let product = |other: usize| -> f32 {
                (0..size).map(|c| query[c * points + point] * key[c * points + other]).sum()
            };
            let logits: Vec<f32> = (0..points).map(|other| product(other) / (size as f32).sqrt()).collect();
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weights: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
            let total: f32 = weights.iter().sum();
            for (c, value) in value.chunks_exact(points).enumerate() {
                let sum: f32 = value.iter().zip(&weights).map(|(v, weight)| v * weight).sum();
                weighted[(head * wide + c) * points + point] = sum / total;
            }
        }
    }
    linear_at_all(&layer.out, points, &weighted)
}

/// Turns the pairs of the numbers of heads, of which `group` share one rotation.
fn turn(layer: &Attention, board: usize, x: &mut [f32], group: usize) {
    let Some(rotation) = &layer.rotation else { return };
    let (points, pairs) = (board * board, layer.key_size / 2);
    for (number, pair) in x.chunks_exact_mut(2 * points).enumerate() {
        let (even, odd) = pair.split_at_mut(points);
        for (point, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
            let (x, y) = (point % board, point / board);
            let (sin, cos) = rotation.angle(number / pairs / group, number % pairs, pairs, x, y).sin_cos();
            (*even, *odd) = (*even * cos - *odd * sin, *even * sin + *odd * cos);
        }
    }
}

fn feed(layers: &FeedForward, points: usize, x: &[f32]) -> Vec<f32> {
    let x = rms_normed(&layers.norm, x, points, false);
    let up = linear_at_all(&layers.up, points, &x);
    let gate = linear_at_all(&layers.gate, points, &x);
    let hidden: Vec<f32> =
        up.into_iter().zip(gate).map(|(up, gate)| Activation::Silu.of(up) * gate).collect();
    linear_at_all(&layers.down, points, &hidden)
}

fn end(tip: &Tip, points: usize, x: &[f32]) -> Vec<f32> {
    match tip {
        Tip::Norm(norm) => normed(norm, x),
        Tip::Rms { norm, board, bias, activation } => {
            let mut x = rms_normed(norm, x, points, *board);
            add_at_all(&mut x, bias);
            x.iter_mut().for_each(|x| *x = activation.of(*x));
            x
        }
    }
}

fn policy(head: &PolicyHead, board: usize, x: &[f32]) -> Vec<f32> {
    let pooled = pool(board, &normed(&head.pool_norm, &convolve(&head.pooled, board, x)));
    let mut y = convolve(&head.spatial, board, x);
    add_at_all(&mut y, &linear(&head.bias, &pooled));
    let mut logits = convolve(&head.out, board, &normed(&head.norm, &y));
    let pass = match &head.hidden {
        Some((hidden, activation)) => {
            let hidden: Vec<f32> = linear(hidden, &pooled).into_iter().map(|x| activation.of(x)).collect();
            linear(&head.pass, &hidden)
        }
        None => linear(&head.pass, &pooled),
    };
    logits.extend(pass);
    logits
}

fn value(head: &ValueHead, graph: &Graph, board: usize, x: &[f32], outputs: &mut Outputs) {
    let points = board * board;
    let y = normed(&head.norm, &convolve(&head.spatial, board, x));
    let means: Vec<f32> = y.chunks_exact(points).map(|x| x.iter().sum::<f32>() / points as f32).collect();
    let wide = (board as f32 - 14.0) * 0.1;
    let factors = [1.0, wide, wide * wide - 0.1];
    let pooled: Vec<f32> = factors.iter().flat_map(|factor| means.iter().map(move |x| x * factor)).collect();
    let hidden: Vec<f32> = linear(&head.hidden, &pooled).into_iter().map(|x| head.activation.of(x)).collect();
    outputs.value.copy_from_slice(&linear(&head.value, &hidden));
    outputs.set_scores(&graph.scales, &linear(&head.score, &hidden));
    outputs.ownership = convolve(&head.ownership, board, &y).into_iter().map(f32::tanh).collect();
}
