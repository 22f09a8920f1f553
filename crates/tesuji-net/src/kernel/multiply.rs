//! Products of matrices.

#![expect(clippy::needless_range_loop, reason = "indices name places in two or three arrays at a time")]

use super::{Block, Job, LANES, Lanes};

/// Where the elements of matrices lie: each row is of blocks, called groups of columns. All in
/// blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// From one matrix to the next.
    pub(crate) matrix: usize,
    /// From one row to the next.
    pub(crate) row: usize,
    /// From one group to the next.
    pub(crate) group: usize,
}

impl Place {
    /// The number of blocks that `matrices` matrices of `rows` rows and `groups` groups span; all
    /// three are 1 or more.
    fn reach(&self, matrices: usize, rows: usize, groups: usize) -> usize {
        (matrices - 1) * self.matrix + (rows - 1) * self.row + (groups - 1) * self.group + 1
    }
}

/// The panels into which `groups` groups of B are cut: the first group and the number of groups of
/// each, at most [`WIDEST`].
pub(crate) fn panels(groups: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = groups.div_ceil(WIDEST);
    let mut first = 0;
    (0..count).map(move |panel| {
        let wide = (groups - first).div_ceil(count - panel);
        first += wide;
        (first - wide, wide)
    })
}

/// The place of row `row`, group `group` in a packed matrix of `rows` rows and `groups` groups:
/// `[panel][row][group of the panel]`.
pub(crate) fn packed(rows: usize, groups: usize, row: usize, group: usize) -> usize {
    let mut panels = panels(groups);
    let (first, wide) = panels.find(|&(first, wide)| group < first + wide).expect("there is such a group");
    first * rows + row * wide + group - first
}

/// Some products C = A B, or C + A B, or with A transposed.
#[derive(Debug)]
pub(crate) struct Multiply<'a> {
    /// The number of products.
    pub(crate) matrices: usize,
    /// Rows of A and C; of A transposed, they are its columns.
    pub(crate) rows: usize,
    /// Rows of B, which are columns of A; of A not transposed, whole groups.
    pub(crate) depth: usize,
    /// Groups of B and C.
    pub(crate) groups: usize,
    pub(crate) a: &'a [Block],
    pub(crate) a_place: Place,
    /// Whether A is given by columns.
    pub(crate) transposed: bool,
    pub(crate) b: &'a [Block],
    /// Of B only the distance of matrices counts where A is not transposed: B is [`packed`] then.
    pub(crate) b_place: Place,
    pub(crate) c: &'a mut [Block],
    pub(crate) c_place: Place,
    /// Whether the product is added to what C holds.
    pub(crate) accumulate: bool,
}

/// Accumulators that fit into sixteen registers beside what they are made from.
const ACCUMULATORS: usize = 12;

/// Groups of a panel.
const WIDEST: usize = 2;

/// Matrices that are multiplied in one go: two that lie beside each other share the cache lines of
/// A and C.
const TOGETHER: usize = 2;

/// Blocks of a cache line.
const LINE: usize = 2;

/// Cache lines of B ahead that are asked for with each block of depth. The weights of a large
/// network come from the outer caches at every evaluation, in pieces too short for the processor to
/// see the sequence.
const LINES: usize = 2;

impl Job for Multiply<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        if self.transposed { self.go::<V, true>() } else { self.go::<V, false>() }
    }
}

impl Multiply<'_> {
    #[inline(always)]
    fn go<V: Lanes, const TRANSPOSED: bool>(self) {
        let Multiply { matrices, rows, depth, groups, a, a_place, b, b_place, c, c_place, .. } = self;
        if matrices == 0 || rows == 0 || depth == 0 || groups == 0 {
            return;
        }
        let a_reach = if TRANSPOSED {
            a_place.reach(matrices, depth, rows.div_ceil(LANES))
        } else {
            assert_eq!(depth % LANES, 0, "the columns of A are not whole groups");
            a_place.reach(matrices, rows, depth / LANES)
        };
        assert!(a_reach <= a.len(), "A is too short");
        let b_place = if TRANSPOSED { b_place } else { Place { row: groups, group: 1, ..b_place } };
        assert!(b_place.reach(matrices, depth, groups) <= b.len(), "B is too short");
        assert!(c_place.reach(matrices, rows, groups) <= c.len(), "C is too short");
        for matrix in (0..matrices).step_by(TOGETHER) {
            // What the matrices after these need is brought nearer meanwhile, shared among the
            // products.
            let share = TOGETHER * depth / LANES * LINES * LINE;
            let mut ahead = (matrix + TOGETHER) * b_place.matrix;
            let ahead_end = (ahead + TOGETHER * b_place.matrix).min(b.len());
            for (first, wide) in panels(groups) {
                let b_first = if TRANSPOSED { first * b_place.group } else { first * depth };
                let b_start = matrix * b_place.matrix + b_first;
                let parts = rows.div_ceil(ACCUMULATORS / wide);
                let mut row = 0;
                for part in 0..parts {
                    let high = (rows - row).div_ceil(parts - part);
                    // SAFETY: matrix < matrices, row + high <= rows and first + wide <= groups, so
                    // that by the assertions above all that `Product` reads and writes lies in the
                    // slices.
                    unsafe {
                        let product = Product {
                            matrices: TOGETHER.min(matrices - matrix),
                            depth,
                            a: a.as_ptr().add(matrix * a_place.matrix),
                            first_row: row,
                            a_place,
                            b: b.as_ptr().add(b_start),
                            b_place,
                            ahead: b.as_ptr().wrapping_add(if ahead < ahead_end { ahead } else { b_start }),
                            c: c.as_mut_ptr()
                                .add(matrix * c_place.matrix + row * c_place.row + first * c_place.group),
                            c_place,
                            accumulate: self.accumulate,
                        };
                        product.choose::<V, TRANSPOSED>(high, wide);
                    }
                    row += high;
                    ahead += share;
                }
            }
        }
    }
}

/// A part of some products that is accumulated in registers, of one after the other.
struct Product {
    matrices: usize,
    depth: usize,
    a: *const Block,
    first_row: usize,
    a_place: Place,
    b: *const Block,
    b_place: Place,
    /// Where to go on fetching B; need not point to anything.
    ahead: *const Block,
    c: *mut Block,
    c_place: Place,
    accumulate: bool,
}

impl Product {
    /// # Safety
    /// For `high` rows and `wide` groups all must lie in what the pointers point into.
    #[inline(always)]
    unsafe fn choose<V: Lanes, const TRANSPOSED: bool>(self, high: usize, wide: usize) {
        macro_rules! choose {
            ($($wide:literal: $($high:literal)*;)*) => {
                match (wide, high) {
                    // SAFETY: the caller's promise.
                    $($(($wide, $high) => unsafe { self.run::<V, TRANSPOSED, $high, $wide>() },)*)*
                    _ => unreachable!("{high} rows of {wide} groups do not fit into registers"),
                }
            };
        }
        choose! {
            1: 1 2 3 4 5 6 7 8 9 10 11 12;
            2: 1 2 3 4 5 6;
        }
    }

    /// # Safety
    /// As for [`Product::choose`].
    #[inline(always)]
    unsafe fn run<V: Lanes, const TRANSPOSED: bool, const HIGH: usize, const WIDE: usize>(self) {
        let Product { matrices, depth, first_row, a_place, b_place, c_place, accumulate, .. } = self;
        let mut offsets = [0; HIGH];
        for row in 0..HIGH {
            let at = first_row + row;
            offsets[row] = if TRANSPOSED {
                at / LANES * LANES * a_place.group + at % LANES
            } else {
                at * LANES * a_place.row
            };
        }
        let mut ahead = self.ahead;
        for matrix in 0..matrices {
            let mut sums = [[V::splat(0.0); WIDE]; HIGH];
            // SAFETY: the caller's promise, for all of this block.
            unsafe {
                let c = self.c.add(matrix * c_place.matrix);
                if accumulate {
                    for row in 0..HIGH {
                        for group in 0..WIDE {
                            sums[row][group] = V::load(&*c.add(row * c_place.row + group * c_place.group));
                        }
                    }
                }
                let mut a = self.a.add(matrix * a_place.matrix);
                let mut b = self.b.add(matrix * b_place.matrix);
                if TRANSPOSED {
                    for _ in 0..depth {
                        add_product(&mut sums, a.cast(), &offsets, b, b_place.group);
                        a = a.wrapping_add(a_place.row);
                        b = b.wrapping_add(b_place.row);
                    }
                } else {
                    for _ in 0..depth / LANES {
                        for line in 0..LINES {
                            V::prefetch(ahead.wrapping_add(line * LINE));
                        }
                        ahead = ahead.wrapping_add(LINES * LINE);
                        for lane in 0..LANES {
                            let a = a.cast::<f32>().add(lane);
                            add_product(&mut sums, a, &offsets, b.add(lane * WIDE), 1);
                        }
                        b = b.wrapping_add(LANES * WIDE);
                        a = a.wrapping_add(a_place.group);
                    }
                }
                for row in 0..HIGH {
                    for group in 0..WIDE {
                        sums[row][group].store(&mut *c.add(row * c_place.row + group * c_place.group));
                    }
                }
            }
        }
    }
}

/// Adds the product of a column of numbers, at these offsets, with a row of blocks.
///
/// # Safety
/// The pointers must be good for that.
#[inline(always)]
unsafe fn add_product<V: Lanes, const HIGH: usize, const WIDE: usize>(
    sums: &mut [[V; WIDE]; HIGH],
    a: *const f32,
    offsets: &[usize; HIGH],
    b: *const Block,
    group: usize,
) {
    let mut w = [V::splat(0.0); WIDE];
    for column in 0..WIDE {
        // SAFETY: the caller's promise.
        w[column] = V::load(unsafe { &*b.add(column * group) });
    }
    for row in 0..HIGH {
        // SAFETY: the caller's promise.
        let x = V::splat(unsafe { *a.add(offsets[row]) });
        for column in 0..WIDE {
            sums[row][column] = x.mul_add(w[column], sums[row][column]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Instructions, zeros};
    use tesuji::Rng;

    /// A number for each row, column and matrix, in this place.
    fn element(blocks: &[Block], place: Place, matrix: usize, row: usize, column: usize) -> f32 {
        blocks[matrix * place.matrix + row * place.row + column / LANES * place.group].0[column % LANES]
    }

    #[test]
    fn products_of_every_size() {
        let mut rng = Rng::new(5);
        let mut random = |blocks: usize| {
            let mut to = zeros(blocks);
            to.iter_mut().flat_map(|block| &mut block.0).for_each(|x| *x = rng.unit());
            to
        };
        let matrices = 2;
        for (rows, groups) in (1..14).flat_map(|rows| (1..8).map(move |groups| (rows, groups))) {
            for transposed in [false, true] {
                let depth = if transposed { (rows + groups) % 7 + 1 } else { LANES * (groups % 3 + 1) };
                let (a_rows, a_columns) = if transposed { (depth, rows) } else { (rows, depth) };
                let a_groups = a_columns.div_ceil(LANES);
                let a_place = Place { matrix: 1, row: matrices, group: matrices * a_rows };
                let b_place = Place { matrix: depth * groups, row: groups, group: 1 };
                let c_place = Place { matrix: rows * groups, row: 1, group: rows };
                let a = random(matrices * a_rows * a_groups);
                let b = random(matrices * depth * groups);
                for instructions in [Instructions::best(), Instructions::portable()] {
                    let mut c = zeros(matrices * rows * groups);
                    for accumulate in [false, true] {
                        instructions.run(Multiply {
                            matrices,
                            rows,
                            depth,
                            groups,
                            a: &a,
                            a_place,
                            transposed,
                            b: &b,
                            b_place,
                            c: &mut c,
                            c_place,
                            accumulate,
                        });
                    }
                    for at in 0..matrices * rows * groups * LANES {
                        let (column, rest) = (at % (groups * LANES), at / (groups * LANES));
                        let (row, matrix) = (rest % rows, rest / rows);
                        let left = |k| match transposed {
                            true => element(&a, a_place, matrix, k, row),
                            false => element(&a, a_place, matrix, row, k),
                        };
                        let right = |k| match transposed {
                            true => element(&b, b_place, matrix, k, column),
                            false => {
                                let at = packed(depth, groups, k, column / LANES);
                                b[matrix * b_place.matrix + at].0[column % LANES]
                            }
                        };
                        let wanted: f32 = (0..depth).map(|k| left(k) * right(k)).sum();
                        let found = element(&c, c_place, matrix, row, column);
                        assert!((found - 2.0 * wanted).abs() < 1e-4, "{rows} {depth} {groups} {transposed}");
                    }
                }
            }
        }
    }
}
