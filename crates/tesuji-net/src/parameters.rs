//! The parameters of a network.

use crate::layout::{Layout, Tensor};
use crate::real::Real;
use crate::shape::Shape;
use std::fmt;
use tesuji::Rng;

/// The parameters of a network in the form in which they are trained: batch norm is separate from
/// the convolutions.
///
/// Tensors have PyTorch's order and meaning: `[out, in, y, x]` for a convolution, `[out, in]` for a
/// linear layer, `running_mean` and (unbiased) `running_var` for batch norm, whose epsilon is 1e-5.
///
/// | name | tensor |
/// | --- | --- |
/// | `trunk.conv`, `trunk.bn` | the first convolution |
/// | `blocks.I.conv1`, `.bn1`, `.conv2`, `.bn2` | residual block I, from 0 |
/// | `policy.conv`, `policy.bn`, `policy.fc` | the policy head |
/// | `value.conv`, `value.bn`, `value.fc1`, `value.fc2` | the value head |
///
/// A pooling network has `trunk.conv`, the blocks with their norms before the convolutions,
/// `trunk.bn` after the last block, the value head, and
///
/// | name | tensor |
/// | --- | --- |
/// | `trunk.global` | from the numbers for the whole position to every point of the trunk |
/// | `blocks.I.pool.conv`, `.pool.bn`, `.pool.fc` | in every third block: what is pooled, and its way to every point |
/// | `policy.conv`, `policy.pool.conv`, `.bn`, `.fc`, `policy.bn`, `policy.out`, `policy.pass` | the policy head |
/// | `ownership.conv` | from the value head's channels to the ownership |
/// | `reply.out`, `reply.pass` | the policy of the opponent's reply, if there is one: from the channels and pooled numbers of the policy head |
/// | `soon.fc` | the values of the near future, if there are any: from the value head's hidden units |
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters<T = f32> {
    shape: Shape,
    pub(crate) layout: Layout,
    pub(crate) learned: Vec<T>,
    pub(crate) statistics: Vec<T>,
}

impl<T: Real> Parameters<T> {
    /// All parameters 0, except the scales and variances of batch norm, which are 1.
    ///
    /// # Panics
    /// If a measure of the shape is out of range.
    pub fn zeroed(shape: Shape) -> Parameters<T> {
        let shape = shape.checked().unwrap_or_else(|error| panic!("{error}"));
        let layout = Layout::new(&shape);
        let mut learned = vec![T::zero(); layout.learned];
        let mut statistics = vec![T::zero(); layout.statistics];
        for tensor in layout.ones() {
            let of = if tensor.is_statistic { &mut statistics } else { &mut learned };
            of[tensor.range.clone()].fill(T::one());
        }
        Parameters { shape, layout, learned, statistics }
    }

    /// Weights drawn from normal distributions of variance 2 / (inputs of the unit) (He et al.
    /// 2015), biases 0. The last layers' weights are a tenth of that, so that a new network's
    /// policy is close to uniform and its value close to 0. In a network for one board whose moves
    /// are points, or belong to the `points` of [`Parameters::random_at`], the policy's weights
    /// from each of its filters at a point to the move there get 1/2 and -1/2 in turn in addition.
    /// So the policy is a convolution at first: what it learns at one point holds at all points,
    /// while separate weights would need samples for each.
    ///
    /// # Panics
    /// If a measure of the shape is out of range.
    pub fn random(shape: Shape, seed: u64) -> Parameters<T> {
        let moves = if shape.actions > 0 { 0 } else { shape.points() };
        Parameters::random_at(shape, seed, &(0..moves).map(Some).collect::<Vec<_>>())
    }

    /// [`Parameters::random`] for moves that belong to points of the board, or to none.
    ///
    /// # Panics
    /// If a measure of the shape is out of range, or a point is not on the board.
    pub fn random_at(shape: Shape, seed: u64, at: &[Option<usize>]) -> Parameters<T> {
        let mut parameters = Parameters::zeroed(shape);
        let mut rng = Rng::new(seed);
        let layout = parameters.layout.clone();
        let mut fill = |weights: &mut [T], inputs: usize, scale: f64| {
            let deviation = scale * (2.0 / inputs as f64).sqrt();
            weights.iter_mut().for_each(|w| *w = T::of(deviation * normal(&mut rng)));
        };
        if let Some(layers) = layout.pooling() {
            let mut last = vec![&layers.policy_out.weight, &layers.pass.weight, &layers.value_out.weight];
            last.extend(layers.reply.iter().flat_map(|(out, pass)| [&out.weight, &pass.weight]));
            last.extend(layers.soon.iter().map(|soon| &soon.weight));
            for tensor in layout.tensors.iter().filter(|tensor| tensor.dims.len() > 1) {
                let scale = if last.contains(&&tensor.range) { 0.1 } else { 1.0 };
                let inputs = tensor.range.len() / tensor.dims[0];
                fill(&mut parameters.learned[tensor.range.clone()], inputs, scale);
            }
            return parameters;
        }
        let layers = layout.board();
        for kernel in layers.convolutions().map(|c| &c.kernel) {
            let inputs = kernel.inputs * kernel.side * kernel.side;
            fill(&mut parameters.learned[kernel.weight.clone()], inputs, 1.0);
        }
        for (linear, scale) in layers.linears().into_iter().zip([0.1, 1.0, 0.1]) {
            fill(&mut parameters.learned[linear.weight.clone()], linear.inputs, scale);
        }
        let (points, inputs) = (shape.points(), layers.policy_out.inputs);
        let policy = &mut parameters.learned[layers.policy_out.weight.clone()];
        for (&point, weights) in at.iter().zip(policy.chunks_exact_mut(inputs)) {
            let Some(point) = point else { continue };
            assert!(point < points, "point {point} is not on the board");
            for (filter, sign) in (0..shape.policy_filters).zip([1.0, -1.0].into_iter().cycle()) {
                let weight = &mut weights[filter * points + point];
                *weight = T::of(weight.wide() + 0.5 * sign);
            }
        }
        parameters
    }

    /// The same pooling network for a board of another size.
    ///
    /// # Panics
    /// If it is not a pooling network, or the board is not of 2 to 19 rows.
    #[must_use]
    pub fn on_board(mut self, board: usize) -> Parameters<T> {
        assert!(self.shape.pools(), "the network is for one board");
        self.shape = Shape { board, ..self.shape }.checked().unwrap_or_else(|error| panic!("{error}"));
        self
    }

    /// Moves every number by a share of its distance to the one of another network of this shape.
    pub(crate) fn approach(&mut self, other: &Parameters<T>, share: f32) {
        let share = T::of(share.into());
        let own = self.learned.iter_mut().chain(&mut self.statistics);
        for (own, &other) in own.zip(other.learned.iter().chain(&other.statistics)) {
            *own = *own + share * (other - *own);
        }
    }

    /// The measures of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of numbers learned by descent, without the statistics of batch normalization.
    pub fn count(&self) -> usize {
        self.learned.len()
    }

    /// Whether all numbers are finite. If a training diverged, they are not.
    pub fn is_finite(&self) -> bool {
        self.learned.iter().chain(&self.statistics).all(|x| x.wide().is_finite())
    }

    /// The names of the tensors with their dimensions, in the order of the layers.
    pub fn names(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.layout.tensors.iter().map(|tensor| (tensor.name.as_str(), tensor.dims.as_slice()))
    }

    /// The numbers of the tensor of this name, row-major.
    pub fn tensor(&self, name: &str) -> Option<&[T]> {
        self.layout.tensors.iter().find(|tensor| tensor.name == name).map(|tensor| self.of(tensor))
    }

    /// The numbers of the tensor of this name, to be changed.
    pub fn tensor_mut(&mut self, name: &str) -> Option<&mut [T]> {
        let tensor = self.layout.tensors.iter().find(|tensor| tensor.name == name)?;
        let from = if tensor.is_statistic { &mut self.statistics } else { &mut self.learned };
        Some(&mut from[tensor.range.clone()])
    }

    /// The numbers of one of the layout's tensors.
    pub(crate) fn of(&self, tensor: &Tensor) -> &[T] {
        let from = if tensor.is_statistic { &self.statistics } else { &self.learned };
        &from[tensor.range.clone()]
    }

    /// The same network with another type of numbers.
    pub fn cast<U: Real>(&self) -> Parameters<U> {
        let cast = |from: &[T]| from.iter().map(|x| U::of(x.wide())).collect();
        Parameters {
            shape: self.shape,
            layout: self.layout.clone(),
            learned: cast(&self.learned),
            statistics: cast(&self.statistics),
        }
    }
}

/// Such as `9x9, 10 planes, ...: 95 956 parameters`.
impl<T: Real> fmt::Display for Parameters<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} parameters", self.shape, self.count())
    }
}

/// A standard normal number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let mut unit = || ((rng.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_weights_have_the_variance_of_their_fan_in() {
        let parameters = Parameters::<f64>::random(Shape::GO9, 1);
        let weights = parameters.tensor("blocks.2.conv1.weight").unwrap();
        let variance = weights.iter().map(|w| w * w).sum::<f64>() / weights.len() as f64;
        assert!((variance * 288.0 / 2.0 - 1.0).abs() < 0.06, "{variance}");
        assert!(parameters.tensor("trunk.bn.running_var").unwrap().iter().all(|&v| v == 1.0));
        assert_ne!(parameters, Parameters::random(Shape::GO9, 2));
    }

    #[test]
    fn the_policy_of_a_point_begins_with_what_the_filters_see_there() {
        let parameters = Parameters::<f64>::random(Shape::GO9, 1);
        let (points, weights) = (Shape::GO9.points(), parameters.tensor("policy.fc.weight").unwrap());
        for (m, row) in weights.chunks_exact(Shape::GO9.policy_filters * points).enumerate() {
            for (i, weight) in row.iter().enumerate() {
                let sign = if i / points % 2 == 0 { 1.0 } else { -1.0 };
                let wanted = if i % points == m { sign / 2.0 } else { 0.0 };
                assert!((weight - wanted).abs() < 0.1, "move {m}, input {i}: {weight}");
            }
        }
    }

    #[test]
    fn tensors_cover_everything_once() {
        let parameters = Parameters::<f32>::zeroed(Shape::GO9);
        let sizes: usize = parameters.names().map(|(_, dims)| dims.iter().product::<usize>()).sum();
        assert_eq!(sizes, parameters.learned.len() + parameters.statistics.len());
    }
}
