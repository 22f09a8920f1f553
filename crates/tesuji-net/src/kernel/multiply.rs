//! Products of matrices.

#![expect(clippy::needless_range_loop, reason = "indices name places in two or three arrays at a time")]

use super::{Block, Job, LANES, Lanes, One, Strip};

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

/// Neighbouring groups of B that are packed together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
    pub(crate) first: usize,
    /// How many groups: 1, 2 or [`WIDEST`].
    pub(crate) groups: usize,
}

impl Panel {
    /// The first group of each strip of the panel, and how many it has.
    #[inline(always)]
    fn strips<V: Lanes>(self) -> impl Iterator<Item = (usize, usize)> {
        let strip = self.groups.min(V::Widest::GROUPS);
        (self.first..self.first + self.groups).step_by(strip).map(move |group| (group, strip))
    }
}

/// The panels into which `groups` groups of B are cut.
pub(crate) fn panels(groups: usize) -> impl Iterator<Item = Panel> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let wide = match groups - first {
            0 => return None,
            1 => 1,
            2..WIDEST => 2,
            _ => WIDEST,
        };
        first += wide;
        Some(Panel { first: first - wide, groups: wide })
    })
}

/// The place of row `row`, group `group` in a packed matrix of `rows` rows and `groups` groups:
/// `[panel][row][group of the panel]`.
pub(crate) fn packed(rows: usize, groups: usize, row: usize, group: usize) -> usize {
    let mut panels = panels(groups);
    let panel = panels.find(|panel| group < panel.first + panel.groups).expect("there is such a group");
    panel.first * rows + row * panel.groups + group - panel.first
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

/// Groups of a panel.
const WIDEST: usize = 4;

/// Matrices that are multiplied in one go: two that lie beside each other share the cache lines of
/// A and C.
const TOGETHER: usize = 2;

/// Blocks of a cache line.
const LINE: usize = 2;

impl Job for Multiply<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        if self.transposed { self.go::<V, true>() } else { self.go::<V, false>() }
    }
}

impl Multiply<'_> {
    /// Whether there is nothing to multiply.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.matrices == 0 || self.rows == 0 || self.depth == 0 || self.groups == 0
    }

    /// Checks that all the elements of the matrices, of which there are some, lie in their slices.
    #[inline(always)]
    fn check<const TRANSPOSED: bool>(&self) {
        let &Multiply { matrices, rows, depth, groups, a_place, b_place, c_place, .. } = self;
        let a_reach = if TRANSPOSED {
            a_place.reach(matrices, depth, rows.div_ceil(LANES))
        } else {
            assert_eq!(depth % LANES, 0, "the columns of A are not whole groups");
            a_place.reach(matrices, rows, depth / LANES)
        };
        assert!(a_reach <= self.a.len(), "A is too short");
        let b_packed = Place { row: groups, group: 1, ..b_place };
        let b_reach = if TRANSPOSED { b_place } else { b_packed }.reach(matrices, depth, groups);
        assert!(b_reach <= self.b.len(), "B is too short");
        assert!(c_place.reach(matrices, rows, groups) <= self.c.len(), "C is too short");
    }

    #[inline(always)]
    fn go<V: Lanes, const TRANSPOSED: bool>(mut self) {
        if self.is_empty() {
            return;
        }
        self.check::<TRANSPOSED>();
        let plan = Plan::of::<V>(&self);
        for matrix in (0..self.matrices).step_by(TOGETHER) {
            let mut ahead = plan.from(matrix);
            for panel in panels(self.groups) {
                for (group, strip) in panel.strips::<V>() {
                    // SAFETY: matrix < matrices, group + strip <= groups, and all was checked.
                    unsafe {
                        self.strip::<V, TRANSPOSED>(matrix, panel, (group, strip), &mut ahead);
                    }
                }
            }
        }
    }

    /// Multiplies the strip of B that begins at `group`, of the matrices that are multiplied
    /// together from `matrix` on: part by part, as many rows of A as fit into the registers.
    ///
    /// # Safety
    /// The matrix and the strip exist, and all that [`Multiply::check`] checks holds.
    #[inline(always)]
    unsafe fn strip<V: Lanes, const TRANSPOSED: bool>(
        &mut self,
        matrix: usize,
        panel: Panel,
        (group, strip): (usize, usize),
        ahead: &mut Ahead,
    ) {
        let &mut Multiply { rows, depth, a_place, b_place, c_place, .. } = self;
        let (b_first, b_row) = if TRANSPOSED {
            (group * b_place.group, b_place.row)
        } else {
            (panel.first * depth + group - panel.first, panel.groups)
        };
        let b_start = matrix * b_place.matrix + b_first;
        let parts = parts::<V>(rows, strip);
        let mut row = 0;
        for part in 0..parts {
            let high = (rows - row).div_ceil(parts - part);
            // SAFETY: row + high <= rows; with the caller's promise, all that `Product` reads and
            // writes lies in the slices then.
            unsafe {
                let product = Product {
                    matrices: TOGETHER.min(self.matrices - matrix),
                    depth,
                    a: self.a.as_ptr().add(matrix * a_place.matrix),
                    first_row: row,
                    a_place,
                    b: self.b.as_ptr().add(b_start),
                    b_place: Place { row: b_row, ..b_place },
                    ahead: self.b.as_ptr().wrapping_add(ahead.next().unwrap_or(b_start)),
                    lines: ahead.lines,
                    c: self
                        .c
                        .as_mut_ptr()
                        .add(matrix * c_place.matrix + row * c_place.row + group * c_place.group),
                    c_place,
                    accumulate: self.accumulate,
                };
                match strip {
                    1 => product.choose::<V, One<V>, TRANSPOSED>(high),
                    2 => product.choose::<V, V::Pair, TRANSPOSED>(high),
                    _ => product.choose::<V, V::Widest, TRANSPOSED>(high),
                }
            }
            row += high;
        }
    }
}

/// The number of parts into which `rows` rows are cut for a strip of `strip` groups.
#[inline(always)]
fn parts<V: Lanes>(rows: usize, strip: usize) -> usize {
    rows.div_ceil(match strip {
        1 => One::<V>::ROWS,
        2 => V::Pair::ROWS,
        _ => V::Widest::ROWS,
    })
}

/// What is fetched of B: while some matrices are multiplied, those after them are brought nearer, a
/// few cache lines with each block of depth. The weights of a large network come from the outer
/// caches at every evaluation, in pieces too short for the processor to see the sequence.
struct Plan {
    /// From one matrix of B to the next, and the end of B, in blocks.
    matrix: usize,
    end: usize,
    /// The blocks that each part fetches, and the cache lines of them with each block of depth.
    share: usize,
    lines: usize,
}

impl Plan {
    #[inline(always)]
    fn of<V: Lanes>(multiply: &Multiply<'_>) -> Plan {
        let &Multiply { rows, depth, groups, .. } = multiply;
        let strips = panels(groups).flat_map(|panel| panel.strips::<V>());
        let products: usize = strips.map(|(_, strip)| parts::<V>(rows, strip)).sum();
        let lines = (groups * LANES).div_ceil(LINE * products);
        let share = TOGETHER * depth / LANES * lines * LINE;
        Plan { matrix: multiply.b_place.matrix, end: multiply.b.len(), share, lines }
    }

    /// What is fetched while the matrices from this one on are multiplied.
    #[inline(always)]
    fn from(&self, matrix: usize) -> Ahead {
        let next = (matrix + TOGETHER) * self.matrix;
        let end = (next + TOGETHER * self.matrix).min(self.end);
        Ahead { next, end, share: self.share, lines: self.lines }
    }
}

/// The places of B that the parts go on fetching from, one after the other.
struct Ahead {
    next: usize,
    end: usize,
    share: usize,
    lines: usize,
}

impl Ahead {
    /// Where the next part fetches from, if something is left.
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let next = self.next;
        self.next += self.share;
        (next < self.end).then_some(next)
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
    /// How many cache lines to fetch with each block of depth.
    lines: usize,
    c: *mut Block,
    c_place: Place,
    accumulate: bool,
}

impl Product {
    /// # Safety
    /// For `high` rows of a strip all must lie in what the pointers point into.
    #[inline(always)]
    unsafe fn choose<V: Lanes, S: Strip, const TRANSPOSED: bool>(self, high: usize) {
        macro_rules! choose {
            ($($high:literal)*) => {
                match high {
                    // SAFETY: the caller's promise.
                    $($high if $high <= S::ROWS => unsafe { self.run::<V, S, TRANSPOSED, $high>() },)*
                    _ => unreachable!("{high} rows of {} groups do not fit into registers", S::GROUPS),
                }
            };
        }
        choose!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25);
    }

    /// # Safety
    /// As for [`Product::choose`].
    #[inline(always)]
    unsafe fn run<V: Lanes, S: Strip, const TRANSPOSED: bool, const HIGH: usize>(self) {
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
            let mut sums = [S::splat(0.0); HIGH];
            // SAFETY: the caller's promise, for all of this block.
            unsafe {
                let c = self.c.add(matrix * c_place.matrix);
                if accumulate {
                    for row in 0..HIGH {
                        sums[row] = S::load(c.add(row * c_place.row), c_place.group);
                    }
                }
                let mut a = self.a.add(matrix * a_place.matrix);
                let mut b = self.b.add(matrix * b_place.matrix);
                if TRANSPOSED {
                    for _ in 0..depth {
                        add_product(&mut sums, a.cast(), &offsets, S::load(b, b_place.group));
                        a = a.wrapping_add(a_place.row);
                        b = b.wrapping_add(b_place.row);
                    }
                } else {
                    for _ in 0..depth / LANES {
                        for _ in 0..self.lines {
                            V::prefetch(ahead);
                            ahead = ahead.wrapping_add(LINE);
                        }
                        for lane in 0..LANES {
                            let a = a.cast::<f32>().add(lane);
                            add_product(&mut sums, a, &offsets, S::load(b.add(lane * b_place.row), 1));
                        }
                        b = b.wrapping_add(LANES * b_place.row);
                        a = a.wrapping_add(a_place.group);
                    }
                }
                for row in 0..HIGH {
                    sums[row].store(c.add(row * c_place.row), c_place.group);
                }
            }
        }
    }
}

/// Adds the product of a column of numbers, at these offsets, with the strip of a row.
///
/// # Safety
/// The pointer must be good for that.
#[inline(always)]
unsafe fn add_product<S: Strip, const HIGH: usize>(
    sums: &mut [S; HIGH],
    a: *const f32,
    offsets: &[usize; HIGH],
    b: S,
) {
    for row in 0..HIGH {
        // SAFETY: the caller's promise.
        let x = S::splat(unsafe { *a.add(offsets[row]) });
        sums[row] = x.mul_add(b, sums[row]);
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
        for (rows, groups) in (1..28).flat_map(|rows| (1..10).map(move |groups| (rows, groups))) {
            for transposed in [false, true] {
                let depth = if transposed { (rows + groups) % 7 + 1 } else { LANES * (groups % 3 + 1) };
                let (a_rows, a_columns) = if transposed { (depth, rows) } else { (rows, depth) };
                let a_groups = a_columns.div_ceil(LANES);
                let a_place = Place { matrix: 1, row: matrices, group: matrices * a_rows };
                let b_place = Place { matrix: depth * groups, row: groups, group: 1 };
                let c_place = Place { matrix: rows * groups, row: 1, group: rows };
                let a = random(matrices * a_rows * a_groups);
                let b = random(matrices * depth * groups);
                let mut first: Option<Vec<Block>> = None;
                for &instructions in Instructions::all() {
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
                    let alike = first.get_or_insert_with(|| c.clone());
                    assert!(*alike == c, "{instructions:?}: {rows} {depth} {groups} {transposed}");
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
