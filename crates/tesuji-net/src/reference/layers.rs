//! The layers, each with its derivative, in the simplest form. Images are `[batch, channel, y, x]`.

use crate::real::Real;

/// The batch and the board that a layer works on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) batch: usize,
    pub(super) board: usize,
}

impl Frame {
    fn points(&self) -> usize {
        self.board * self.board
    }

    /// Calls `f(from, to, tap)` for each point `to`, and each point `from` under the kernel of this
    /// side centred there.
    fn taps(&self, side: usize, mut f: impl FnMut(usize, usize, usize)) {
        let (board, reach) = (self.board, side / 2);
        for to in 0..self.points() {
            for tap in 0..side * side {
                let (y, x) = (to / board + tap / side, to % board + tap % side);
                if (reach..board + reach).contains(&y) && (reach..board + reach).contains(&x) {
                    f((y - reach) * board + x - reach, to, tap);
                }
            }
        }
    }
}

/// Cross-correlation with zeros around, stride 1, without bias.
pub(super) fn convolution<T: Real>(
    frame: Frame,
    side: usize,
    channels: [usize; 2],
    weight: &[T],
    x: &[T],
) -> Vec<T> {
    let [inputs, outputs] = channels;
    let points = frame.points();
    let mut y = vec![T::zero(); frame.batch * outputs * points];
    for (x, y) in x.chunks(inputs * points).zip(y.chunks_mut(outputs * points)) {
        for (weight, y) in weight.chunks(inputs * side * side).zip(y.chunks_mut(points)) {
            for (weight, x) in weight.chunks(side * side).zip(x.chunks(points)) {
                frame.taps(side, |from, to, tap| y[to] += weight[tap] * x[from]);
            }
        }
    }
    y
}

/// The derivatives by the input and by the weight.
pub(super) fn convolution_back<T: Real>(
    frame: Frame,
    side: usize,
    channels: [usize; 2],
    weight: &[T],
    x: &[T],
    dy: &[T],
) -> (Vec<T>, Vec<T>) {
    let [inputs, outputs] = channels;
    let points = frame.points();
    let mut dx = vec![T::zero(); x.len()];
    let mut dw = vec![T::zero(); weight.len()];
    for n in 0..frame.batch {
        let x = &x[n * inputs * points..][..inputs * points];
        let dx = &mut dx[n * inputs * points..][..inputs * points];
        for o in 0..outputs {
            let dy = &dy[(n * outputs + o) * points..][..points];
            for i in 0..inputs {
                let at = (o * inputs + i) * side * side;
                let (weight, dw) = (&weight[at..][..side * side], &mut dw[at..][..side * side]);
                let (x, dx) = (&x[i * points..][..points], &mut dx[i * points..][..points]);
                frame.taps(side, |from, to, tap| {
                    dx[from] += weight[tap] * dy[to];
                    dw[tap] += x[from] * dy[to];
                });
            }
        }
    }
    (dx, dw)
}

/// Batch norm with given means and variances.
pub(super) fn normalize<T: Real>(
    points: usize,
    gamma: &[T],
    beta: &[T],
    mean: &[T],
    variance: &[T],
    x: &[T],
) -> Vec<T> {
    let mut y = x.to_vec();
    for (i, y) in y.chunks_mut(points).enumerate() {
        let c = i % gamma.len();
        let scale = gamma[c] / (variance[c] + T::of(super::EPSILON)).sqrt();
        y.iter_mut().for_each(|y| *y = (*y - mean[c]) * scale + beta[c]);
    }
    y
}

/// Batch norm with the statistics of the batch, and what its derivative needs.
#[derive(Clone, Debug)]
pub(super) struct BatchNorm<T> {
    /// Mean of each channel.
    pub(super) mean: Vec<T>,
    /// Variance of each channel, divided by the number of values (biased).
    pub(super) variance: Vec<T>,
    /// The input less its mean, in standard deviations.
    normal: Vec<T>,
}

impl<T: Real> BatchNorm<T> {
    pub(super) fn of(points: usize, channels: usize, x: &[T]) -> BatchNorm<T> {
        let count = T::of((x.len() / channels) as f64);
        let values = |c: usize| x.chunks(points).skip(c).step_by(channels).flatten().copied();
        let mean: Vec<T> = (0..channels).map(|c| values(c).sum::<T>() / count).collect();
        let variance: Vec<T> = (0..channels)
            .map(|c| values(c).map(|v| (v - mean[c]) * (v - mean[c])).sum::<T>() / count)
            .collect();
        let (ones, zeros) = (vec![T::one(); channels], vec![T::zero(); channels]);
        let normal = normalize(points, &ones, &zeros, &mean, &variance, x);
        BatchNorm { mean, variance, normal }
    }

    pub(super) fn output(&self, points: usize, gamma: &[T], beta: &[T]) -> Vec<T> {
        let mut y = self.normal.clone();
        for (i, y) in y.chunks_mut(points).enumerate() {
            let c = i % gamma.len();
            y.iter_mut().for_each(|y| *y = gamma[c] * *y + beta[c]);
        }
        y
    }

    /// The derivatives by the input, by gamma and by beta.
    pub(super) fn back(&self, points: usize, gamma: &[T], dy: &[T]) -> (Vec<T>, Vec<T>, Vec<T>) {
        let channels = gamma.len();
        let count = T::of((dy.len() / channels) as f64);
        let (mut dgamma, mut dbeta) = (vec![T::zero(); channels], vec![T::zero(); channels]);
        for (i, (dy, normal)) in dy.chunks(points).zip(self.normal.chunks(points)).enumerate() {
            for (&dy, &normal) in dy.iter().zip(normal) {
                dgamma[i % channels] += dy * normal;
                dbeta[i % channels] += dy;
            }
        }
        let mut dx = dy.to_vec();
        for (i, (dx, normal)) in dx.chunks_mut(points).zip(self.normal.chunks(points)).enumerate() {
            let c = i % channels;
            let scale = gamma[c] / (self.variance[c] + T::of(super::EPSILON)).sqrt();
            for (dx, &normal) in dx.iter_mut().zip(normal) {
                *dx = scale * (*dx - (dbeta[c] + normal * dgamma[c]) / count);
            }
        }
        (dx, dgamma, dbeta)
    }
}

pub(super) fn relu<T: Real>(x: &[T]) -> Vec<T> {
    x.iter().map(|&x| x.max(T::zero())).collect()
}

/// The derivative by the input, from the output: 0 where that is 0.
pub(super) fn relu_back<T: Real>(y: &[T], dy: &[T]) -> Vec<T> {
    y.iter().zip(dy).map(|(&y, &dy)| if y > T::zero() { dy } else { T::zero() }).collect()
}

pub(super) fn add<T: Real>(a: &[T], b: &[T]) -> Vec<T> {
    a.iter().zip(b).map(|(&a, &b)| a + b).collect()
}

/// `weight` times each row of `x`, plus `bias`.
pub(super) fn linear<T: Real>(inputs: usize, weight: &[T], bias: &[T], x: &[T]) -> Vec<T> {
    let dot = |row: &[T], x: &[T]| row.iter().zip(x).map(|(&w, &x)| w * x).sum::<T>();
    x.chunks(inputs)
        .flat_map(|x| weight.chunks(inputs).zip(bias).map(move |(row, &bias)| dot(row, x) + bias))
        .collect()
}

/// The derivatives by the input, by the weight and by the bias.
pub(super) fn linear_back<T: Real>(
    inputs: usize,
    weight: &[T],
    x: &[T],
    dy: &[T],
) -> (Vec<T>, Vec<T>, Vec<T>) {
    let outputs = weight.len() / inputs;
    let mut dx = vec![T::zero(); x.len()];
    let (mut dw, mut db) = (vec![T::zero(); weight.len()], vec![T::zero(); outputs]);
    for ((x, dx), dy) in x.chunks(inputs).zip(dx.chunks_mut(inputs)).zip(dy.chunks(outputs)) {
        for (o, &dy) in dy.iter().enumerate() {
            db[o] += dy;
            for i in 0..inputs {
                dx[i] += weight[o * inputs + i] * dy;
                dw[o * inputs + i] += x[i] * dy;
            }
        }
    }
    (dx, dw, db)
}

/// The mean over the batch of `-sum target ln softmax(logits)`, and its derivative.
pub(super) fn cross_entropy<T: Real>(moves: usize, logits: &[T], target: &[T]) -> (T, Vec<T>) {
    let batch = T::of((logits.len() / moves) as f64);
    let (mut loss, mut derivative) = (T::zero(), Vec::with_capacity(logits.len()));
    for (logits, target) in logits.chunks(moves).zip(target.chunks(moves)) {
        let most = logits.iter().copied().fold(T::neg_infinity(), T::max);
        let total: T = logits.iter().map(|&l| (l - most).exp()).sum();
        let mass: T = target.iter().copied().sum();
        for (&logit, &target) in logits.iter().zip(target) {
            loss += target * (total.ln() + most - logit) / batch;
            derivative.push((mass * (logit - most).exp() / total - target) / batch);
        }
    }
    (loss, derivative)
}

/// The mean over the batch of the squared error, and its derivative.
pub(super) fn squared_error<T: Real>(value: &[T], target: &[T]) -> (T, Vec<T>) {
    let batch = T::of(value.len() as f64);
    let errors = || value.iter().zip(target).map(|(&value, &target)| value - target);
    (errors().map(|e| e * e).sum::<T>() / batch, errors().map(|e| (e + e) / batch).collect())
}
