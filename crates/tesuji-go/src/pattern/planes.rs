//! A position as bits, one plane for each class, seen from every place around each point.

use super::{Class, RADIUS};
use crate::go::Go;
use std::array::from_fn;
use tesuji::Game;

/// Places around a point in a row, and in a column.
const SPAN: usize = 2 * RADIUS as usize + 1;

/// Rows of planes: for each class but `Outside`, and each row around a point.
const ROWS: usize = 4 * SPAN;

/// Planes of what is outside: one after those of each row, and some more.
const FIXED: usize = ROWS + 8 * (32 - ROWS);

/// The number of the plane in which a class, seen by the player to move, is at a place.
pub(super) fn plane(class: Class, columns: i8, rows: i8) -> u8 {
    let along = |step: i8| (step + RADIUS) as usize;
    let (column, row) = (along(columns), along(rows));
    let number = match class {
        Class::Outside => match row * SPAN + column {
            place @ 0..ROWS => 8 * place + SPAN,
            place => 8 * ROWS + place - ROWS,
        },
        _ => 8 * (class as usize * SPAN + row) + column,
    };
    number as u8
}

/// The number of words for the points of a board: one bit for each point, in the order of
/// [`Go::points`].
pub(super) const fn words(size: usize) -> usize {
    (size * size).div_ceil(64)
}

/// For each class and each place relative to a point: the points where what is at that place is of
/// that class. Any `u8` is the number of one of them.
pub(super) type Planes<const W: usize> = [[Plane<W>; 8]; 32];

/// A set of points. Aligned, so that a plane can be an operand.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Plane<const W: usize>(pub(super) [u64; W]);

/// How to make the planes of positions of one size.
#[derive(Clone, Debug)]
pub(super) struct Maker<const W: usize> {
    size: usize,
    /// For each place, by rows: the points from which it is on the board.
    inside: [[[u64; W]; SPAN]; SPAN],
    /// The planes of what is outside, which are the same in every position.
    fixed: [[u64; W]; FIXED],
}

impl<const W: usize> Maker<W> {
    pub(super) fn new(size: usize) -> Maker<W> {
        assert!(words(size) <= W, "a board of size {size} has more bits");
        let mut maker = Maker { size, inside: [[[0; W]; SPAN]; SPAN], fixed: [[0; W]; FIXED] };
        for place in 0..SPAN * SPAN {
            let (row, column) = (place / SPAN, place % SPAN);
            let along = |step: usize| step as isize - RADIUS as isize;
            for point in 0..size * size {
                let on_board =
                    |at: usize, step| at.checked_add_signed(along(step)).is_some_and(|at| at < size);
                let fits = on_board(point % size, column) && on_board(point / size, row);
                let plane = if fits { &mut maker.inside[row][column] } else { &mut maker.fixed[place] };
                plane[point / 64] |= 1 << (point % 64);
            }
        }
        maker
    }

    /// The planes of a position with these points of the classes.
    #[inline]
    pub(super) fn planes(&self, boards: &[[u64; W]; 4]) -> Planes<W> {
        from_fn(|row| {
            if row >= ROWS {
                return from_fn(|i| Plane(self.fixed[ROWS + 8 * (row - ROWS) + i]));
            }
            let (class, rows) = (row / SPAN, row % SPAN);
            let along = moved(&boards[class], (rows as isize - RADIUS as isize) * self.size as isize);
            from_fn(|column| {
                if column == SPAN {
                    return Plane(self.fixed[row]);
                }
                let plane = moved(&along, column as isize - RADIUS as isize);
                Plane(from_fn(|word| plane[word] & self.inside[rows][column][word]))
            })
        })
    }

    /// The points of each class of which there are some on the board.
    #[inline]
    pub(super) fn boards<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
    ) -> [[u64; W]; 4] {
        assert_eq!(go.size(), self.size, "patterns for boards of another size");
        let mover = go.to_move().index() as u8;
        let (board, points) = (&go.board, self.size * self.size);
        let words: [[u64; 4]; W] = from_fn(|word| {
            let (mut own, mut enemy) = (0, 0);
            for point in (64 * word..points.min(64 * (word + 1))).rev() {
                let stone = board.stone(board.point(point).into());
                own = own << 1 | u64::from(stone == mover);
                enemy = enemy << 1 | u64::from(stone == mover ^ 1);
            }
            let count = points.saturating_sub(64 * word).min(64) as u32;
            let all = u64::MAX.checked_shr(64 - count).unwrap_or(0);
            [own, enemy, own | enemy, all & !(own | enemy)]
        });
        // In the order of the classes: own, enemy, stone, empty.
        from_fn(|class| words.map(|word| word[class]))
    }
}

/// The bits moved down by `offset`, or up if it is negative; by less than 64.
#[inline(always)]
fn moved<const W: usize>(words: &[u64; W], offset: isize) -> [u64; W] {
    let at = |i: usize| words.get(i).copied().unwrap_or(0);
    if offset >= 0 {
        from_fn(|i| words[i] >> offset | at(i + 1) << 1 << (63 - offset))
    } else {
        from_fn(|i| words[i] << -offset | at(i.wrapping_sub(1)) >> 1 >> (63 + offset))
    }
}
