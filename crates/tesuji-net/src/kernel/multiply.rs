//! Products of matrices.

use super::{Block, Job, Lanes};

/// Where the elements of a left-hand matrix lie, in numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix<'a> {
    pub(crate) from: &'a [f32],
    /// From one matrix to the next.
    pub(crate) matrix: usize,
    /// From one row to the next.
    pub(crate) row: usize,
    /// From one column to the next.
    pub(crate) column: usize,
}

/// `count` products C = A B, or C + A B. Rows of B and C are whole blocks.
#[derive(Debug)]
pub(crate) struct Multiply<'a> {
    pub(crate) count: usize,
    /// Rows of A and C.
    pub(crate) rows: usize,
    /// Columns of A, rows of B.
    pub(crate) depth: usize,
    /// Blocks in a row of B and C.
    pub(crate) width: usize,
    pub(crate) a: Matrix<'a>,
    pub(crate) b: &'a [Block],
    /// Blocks from one B to the next.
    pub(crate) b_matrix: usize,
    pub(crate) c: &'a mut [Block],
    /// Blocks from one C to the next.
    pub(crate) c_matrix: usize,
    /// Whether the product is added to what C holds.
    pub(crate) accumulate: bool,
}

/// Accumulators that fit into sixteen registers beside what they are made from.
const ACCUMULATORS: usize = 12;

impl Job for Multiply<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Multiply { count, rows, depth, width, a, b, b_matrix, c, c_matrix, accumulate } = self;
        if count == 0 || rows == 0 || width == 0 {
            return;
        }
        let last = count - 1;
        let a_end = last * a.matrix + (rows - 1) * a.row + depth.saturating_sub(1) * a.column;
        assert!(depth == 0 || a_end < a.from.len(), "A is too short");
        assert!(last * b_matrix + depth * width <= b.len(), "B is too short");
        assert!(last * c_matrix + rows * width <= c.len(), "C is too short");
        for i in 0..count {
            let panels = width.div_ceil(4);
            let mut first = 0;
            for panel in 0..panels {
                let wide = (width - first).div_ceil(panels - panel);
                let parts = rows.div_ceil(ACCUMULATORS / wide);
                let mut row = 0;
                for part in 0..parts {
                    let high = (rows - row).div_ceil(parts - part);
                    // SAFETY: row + high <= rows and first + wide <= width, so that by the assertions above all that
                    // these pointers are moved over lies in the slices.
                    unsafe {
                        let product = Product {
                            depth,
                            a: a.from.as_ptr().add(i * a.matrix + row * a.row),
                            a_row: a.row,
                            a_column: a.column,
                            b: b.as_ptr().add(i * b_matrix + first),
                            c: c.as_mut_ptr().add(i * c_matrix + row * width + first),
                            width,
                            accumulate,
                        };
                        product.choose::<V>(high, wide);
                    }
                    row += high;
                }
                first += wide;
            }
        }
    }
}

/// A part of a product that is accumulated in registers.
struct Product {
    depth: usize,
    a: *const f32,
    a_row: usize,
    a_column: usize,
    b: *const Block,
    c: *mut Block,
    width: usize,
    accumulate: bool,
}

impl Product {
    /// # Safety
    /// For `high` rows and `wide` blocks all must lie in what the pointers point into.
    #[inline(always)]
    unsafe fn choose<V: Lanes>(self, high: usize, wide: usize) {
        macro_rules! choose {
            ($($wide:literal: $($high:literal)*;)*) => {
                match (wide, high) {
                    // SAFETY: the caller's promise.
                    $($(($wide, $high) => unsafe { self.run::<V, $high, $wide>() },)*)*
                    _ => unreachable!("{high} rows of {wide} blocks do not fit into registers"),
                }
            };
        }
        choose! {
            1: 1 2 3 4 5 6 7 8 9 10 11 12;
            2: 1 2 3 4 5 6;
            3: 1 2 3 4;
            4: 1 2 3;
        }
    }

    /// # Safety
    /// As for [`Product::choose`].
    #[inline(always)]
    unsafe fn run<V: Lanes, const HIGH: usize, const WIDE: usize>(self) {
        let mut sums = [[V::splat(0.0); WIDE]; HIGH];
        // SAFETY: the caller's promise, in all of the loops.
        unsafe {
            if self.accumulate {
                for (row, sums) in sums.iter_mut().enumerate() {
                    for (column, sum) in sums.iter_mut().enumerate() {
                        *sum = V::load(&*self.c.add(row * self.width + column));
                    }
                }
            }
            let (mut a, mut b) = (self.a, self.b);
            for _ in 0..self.depth {
                let mut x = [V::splat(0.0); HIGH];
                for row in 0..HIGH {
                    x[row] = V::splat(*a.add(row * self.a_row));
                }
                for column in 0..WIDE {
                    let w = V::load(&*b.add(column));
                    for row in 0..HIGH {
                        sums[row][column] = x[row].mul_add(w, sums[row][column]);
                    }
                }
                a = a.wrapping_add(self.a_column);
                b = b.wrapping_add(self.width);
            }
            for (row, sums) in sums.iter().enumerate() {
                for (column, sum) in sums.iter().enumerate() {
                    sum.store(&mut *self.c.add(row * self.width + column));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Instructions, numbers, zeros};
    use tesuji::Rng;

    #[test]
    fn products_of_every_size() {
        let mut rng = Rng::new(5);
        for instructions in [Instructions::best(), Instructions::portable()] {
            for (rows, depth, width) in
                (1..14).flat_map(|rows| (1..8).map(move |width| (rows, (rows * width) % 7, width)))
            {
                let count = 2;
                let a: Vec<f32> = (0..count * rows * depth).map(|_| rng.unit()).collect();
                let mut b = zeros(count * depth * width);
                b.iter_mut().flat_map(|block| &mut block.0).for_each(|x| *x = rng.unit());
                let mut c = zeros(count * rows * width);
                for accumulate in [false, true] {
                    instructions.run(Multiply {
                        count,
                        rows,
                        depth,
                        width,
                        a: Matrix { from: &a, matrix: rows * depth, row: 1, column: rows },
                        b: &b,
                        b_matrix: depth * width,
                        c: &mut c,
                        c_matrix: rows * width,
                        accumulate,
                    });
                }
                for (at, &found) in numbers(&c).iter().enumerate() {
                    let (i, row, column) =
                        (at / (8 * width * rows), at / (8 * width) % rows, at % (8 * width));
                    let wanted: f32 = (0..depth)
                        .map(|k| {
                            a[(i * depth + k) * rows + row]
                                * numbers(&b)[(i * depth + k) * 8 * width + column]
                        })
                        .sum();
                    assert!((found - 2.0 * wanted).abs() < 1e-5, "{rows}x{depth}x{width} at {at}");
                }
            }
        }
    }
}
