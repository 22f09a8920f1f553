//! Steps of equal length in all directions of a kernel.

use crate::kernel::{
    Block, Instructions, LANES, Multiply, Place, blocks, numbers, numbers_mut, packed, zeros,
};
use crate::real::Real;
use serde::{Deserialize, Serialize};

/// The steps of the 3x3 kernels by Muon (Jordan et al. 2024), in place of those of
/// [`Sgd`](crate::Sgd).
///
/// With gradient g of a kernel w, which is a matrix with a row for each output, v becomes
/// `momentum` v + g. Let u = g + `momentum` v (Nesterov's momentum), and let u = P S Q^T be its
/// singular value decomposition. Then w becomes (1 - r `decay`) w - r s P S' Q^T, where r is `rate`
/// times the rate of the descent, s the [scale](Muon::scale), and S' has values between 0.68 and
/// 1.21 wherever S has more than a five-hundredth of the norm of u. So the step goes as far in rare
/// directions as in common ones.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Muon {
    /// The factor of the rate, above 0, at most 100. Default: 0.2.
    pub rate: f32,
    /// The share of the last step's velocity that the next one keeps, in [0, 1). Default: 0.95.
    pub momentum: f32,
    /// Pull of the weights towards 0, in [0, 1]. Default: 0.02.
    pub decay: f32,
}

impl Default for Muon {
    fn default() -> Muon {
        Muon { rate: 0.2, momentum: 0.95, decay: 0.02 }
    }
}

impl Muon {
    /// How often a matrix X of norm 1 becomes a X + (b X X^T + c (X X^T)^2) X.
    pub const ITERATIONS: usize = 5;

    /// The factors a, b and c. They raise small singular values quickly (Jordan et al. 2024).
    pub const FACTORS: [f32; 3] = [3.4445, -4.775, 2.0315];

    /// What is added to the norm by which a matrix is divided at first.
    pub const LEAST_NORM: f32 = 1e-7;

    /// The scale of a step, by which its elements have a root mean square of about 0.2, as those of
    /// Adam have (Liu et al. 2025): 0.2 times the root of the larger of rows and columns.
    pub fn scale(rows: usize, columns: usize) -> f32 {
        0.2 * (rows.max(columns) as f32).sqrt()
    }

    /// Takes a step of a kernel with `rows` outputs, where the descent has this rate.
    pub(crate) fn apply<T: Real>(
        &self,
        instructions: Instructions,
        rate: f32,
        rows: usize,
        kernel: &mut [T],
        velocity: &mut [T],
        gradient: &[T],
    ) {
        let [rate, momentum, decay] = [self.rate * rate, self.momentum, self.decay].map(|x| T::of(x.into()));
        let ahead = velocity.iter_mut().zip(gradient).map(|(v, &g)| {
            *v = momentum * *v + g;
            (g + momentum * *v).wide() as f32
        });
        let step = orthogonal(&ahead.collect::<Vec<_>>(), rows, instructions);
        let scale = rate * T::of(Muon::scale(rows, kernel.len() / rows).into());
        for (w, o) in kernel.iter_mut().zip(step) {
            *w = (T::one() - rate * decay) * *w - scale * T::of(o.into());
        }
    }
}

/// A matrix in blocks: its rows are filled up with zeros to whole blocks.
struct Matrix {
    rows: usize,
    groups: usize,
    blocks: Vec<Block>,
}

impl Matrix {
    /// A matrix of zeros; its rows are filled up to a multiple of [`LANES`].
    fn zeros(rows: usize, columns: usize) -> Matrix {
        let (rows, groups) = (blocks(rows) * LANES, blocks(columns));
        Matrix { rows, groups, blocks: zeros(rows * groups) }
    }

    /// The matrix with these elements.
    fn new(rows: usize, columns: usize, element: impl Fn(usize, usize) -> f32) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        let width = matrix.groups * LANES;
        let lines = numbers_mut(&mut matrix.blocks).chunks_exact_mut(width).take(rows);
        for (row, to) in lines.enumerate() {
            to.iter_mut().take(columns).enumerate().for_each(|(column, to)| *to = element(row, column));
        }
        matrix
    }

    /// The matrix with this number on its diagonal.
    fn diagonal(rows: usize, number: f32) -> Matrix {
        let mut matrix = Matrix::zeros(rows, rows);
        (0..rows).for_each(|i| matrix.blocks[i * matrix.groups + i / LANES].0[i % LANES] = number);
        matrix
    }

    /// The product of two.
    fn product(left: &Matrix, right: &Matrix, instructions: Instructions) -> Matrix {
        let place = |matrix: &Matrix| Place { matrix: 0, row: matrix.groups, group: 1 };
        let mut product = Matrix::zeros(left.rows, right.groups * LANES);
        let c_place = place(&product);
        instructions.run(Multiply {
            matrices: 1,
            rows: left.rows,
            depth: right.rows,
            groups: right.groups,
            a: &left.blocks,
            a_place: place(left),
            transposed: false,
            b: &right.packed(),
            b_place: Place { matrix: 0, row: 0, group: 0 },
            c: &mut product.blocks,
            c_place,
            accumulate: false,
        });
        product
    }

    fn at(&self, row: usize, column: usize) -> f32 {
        self.blocks[row * self.groups + column / LANES].0[column % LANES]
    }

    /// Packed, as the right side of a product.
    fn packed(&self) -> Vec<Block> {
        let mut to = zeros(self.blocks.len());
        for (row, from) in self.blocks.chunks_exact(self.groups).enumerate() {
            for (group, &block) in from.iter().enumerate() {
                to[packed(self.rows, self.groups, row, group)] = block;
            }
        }
        to
    }

    fn transposed(&self) -> Matrix {
        Matrix::new(self.groups * LANES, self.rows, |row, column| self.at(column, row))
    }

    /// Adds another matrix of its size times a factor.
    fn add(&mut self, other: &Matrix, factor: f32) {
        let own = numbers_mut(&mut self.blocks).iter_mut();
        own.zip(numbers(&other.blocks)).for_each(|(x, y)| *x += factor * y);
    }
}

/// The matrix of `rows` rows with all singular values near 1, see [`Muon`]; a matrix of zeros stays
/// one.
fn orthogonal(matrix: &[f32], rows: usize, instructions: Instructions) -> Vec<f32> {
    let columns = matrix.len() / rows;
    let norm = matrix.iter().map(|x| x * x).sum::<f32>().sqrt() + Muon::LEAST_NORM;
    let x = Matrix::new(rows, columns, |row, column| matrix[row * columns + column] / norm);
    // Products are cheaper with few rows.
    let is_tall = rows > columns;
    let x = if is_tall { x.transposed() } else { x };
    // With G = X X^T, an iteration makes P X of X, where P = a + b G + c G G, and P G P of G. So
    // only the first product and the last are of large matrices.
    let product = |left: &Matrix, right: &Matrix| Matrix::product(left, right, instructions);
    let [a, b, c] = Muon::FACTORS;
    let mut gram = product(&x, &x.transposed());
    let mut factors = Matrix::diagonal(x.rows, 1.0);
    for _ in 0..Muon::ITERATIONS {
        let mut factor = Matrix::diagonal(x.rows, a);
        factor.add(&gram, b);
        factor.add(&product(&gram, &gram), c);
        gram = product(&product(&factor, &gram), &factor);
        factors = product(&factor, &factors);
    }
    let x = product(&factors, &x);
    let x = if is_tall { x.transposed() } else { x };
    let rows = numbers(&x.blocks).chunks_exact(x.groups * LANES).take(rows);
    rows.flat_map(|row| &row[..columns]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::Rng;

    fn random(count: usize) -> Vec<f32> {
        let mut rng = Rng::new(3);
        (0..count).map(|_| rng.unit() - 0.5).collect()
    }

    fn product(a: &[f32], b: &[f32], rows: usize) -> Vec<f32> {
        let (depth, columns) = (a.len() / rows, b.len() * rows / a.len());
        let element =
            |at: usize| (0..depth).map(|k| a[at / columns * depth + k] * b[k * columns + at % columns]).sum();
        (0..rows * columns).map(element).collect()
    }

    fn transposed(matrix: &[f32], rows: usize) -> Vec<f32> {
        let columns = matrix.len() / rows;
        (0..matrix.len()).map(|at| matrix[at % rows * columns + at / rows]).collect()
    }

    /// By the formula, of any shape, by any instructions.
    #[test]
    fn the_iteration() {
        for (rows, columns) in [(1, 9), (8, 9), (5, 72), (64, 198), (24, 9), (3, 3)] {
            let matrix = random(rows * columns);
            let norm = matrix.iter().map(|x| x * x).sum::<f32>().sqrt();
            let mut wanted: Vec<f32> = matrix.iter().map(|x| x / norm).collect();
            let [a, b, c] = Muon::FACTORS;
            for _ in 0..Muon::ITERATIONS {
                let square = product(&wanted, &transposed(&wanted, rows), rows);
                let fourth = product(&square, &square, rows);
                let factor: Vec<f32> = square.iter().zip(&fourth).map(|(x, y)| b * x + c * y).collect();
                let sum = product(&factor, &wanted, rows);
                wanted.iter_mut().zip(sum).for_each(|(x, y)| *x = a * *x + y);
            }
            for &instructions in Instructions::all() {
                let found = orthogonal(&matrix, rows, instructions);
                let error = found.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
                assert!(error < 2e-5, "{rows} {columns}: {error}");
            }
        }
    }

    #[test]
    fn singular_values_come_near_one() {
        // A diagonal matrix shows them.
        let diagonal: [f32; 6] = [1.0, 0.5, 0.2, 0.05, 0.02, 0.0];
        let mut matrix = vec![0.0; 36];
        diagonal.iter().enumerate().for_each(|(i, &x)| matrix[7 * i] = -30.0 * x);
        let found = orthogonal(&matrix, 6, Instructions::best());
        for (at, &x) in found.iter().enumerate() {
            let is_near_one = at % 7 == 0 && at < 35;
            assert!(if is_near_one { (0.68..1.21).contains(&-x) } else { x.abs() < 1e-6 }, "{at}: {x}");
        }
        assert_eq!(orthogonal(&[0.0; 36], 4, Instructions::best()), [0.0; 36]);
    }

    #[test]
    fn a_step() {
        let muon = Muon { rate: 0.5, momentum: 0.5, decay: 0.25 };
        let (mut kernel, mut velocity, gradient) = (random(18), vec![1.0; 18], random(18));
        let (before, scale) = (kernel.clone(), 0.2 * 9.0_f32.sqrt());
        muon.apply(Instructions::best(), 0.1, 2, &mut kernel, &mut velocity, &gradient);
        let ahead: Vec<f32> = gradient.iter().map(|g| g + 0.5 * (0.5 + g)).collect();
        let step = orthogonal(&ahead, 2, Instructions::best());
        for at in 0..18 {
            assert_eq!(velocity[at], 0.5 + gradient[at]);
            let wanted = (1.0 - 0.05 * 0.25) * before[at] - 0.05 * scale * step[at];
            assert!((kernel[at] - wanted).abs() < 1e-6, "{at}");
        }
    }
}
