//! A position as bits, one plane for each class, seen from every place around each point.

use super::{Class, RADIUS};
use crate::Go;
use tesuji::Game;

/// Places around a point in a row, and in a column.
const SPAN: usize = 2 * RADIUS as usize + 1;

/// At least the number of planes; every `u8` is below it, so that no index need be checked.
const PLANES: usize = 256;
const _: () = assert!(Class::ALL.len() * SPAN * SPAN <= PLANES);

/// Words of a board with an empty one before and behind it.
const PADDED: usize = 8;

/// The number of the plane in which a class is at a place.
pub(super) fn plane(class: Class, columns: i8, rows: i8) -> u8 {
    let along = |step: i8| (step + RADIUS) as usize;
    ((class as usize * SPAN + along(rows)) * SPAN + along(columns)) as u8
}

/// The words that the points of a board need, a bit each in the order of [`Go::points`].
pub(super) const fn words(size: usize) -> usize {
    (size * size).div_ceil(64)
}

/// For each class and each place relative to a point: the points where what is at that place is of that class.
pub(super) type Planes<const W: usize> = [Plane<W>; PLANES];

/// A set of points. Aligned, so that a plane can be an operand.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Plane<const W: usize>(pub(super) [u64; W]);

/// Room for planes.
pub(super) const fn room<const W: usize>() -> Planes<W> {
    [Plane([0; W]); PLANES]
}

/// How to make those planes that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Maker<const W: usize> {
    size: usize,
    moves: Vec<Move<W>>,
    /// The planes of what is outside, which are the same in every position.
    fixed: Vec<(u8, [u64; W])>,
}

/// A plane that is the board of a class moved.
#[derive(Clone, Debug)]
struct Move<const W: usize> {
    plane: u8,
    class: u8,
    /// The first of the padded words that a word takes bits from, and how many of its bits it leaves out.
    word: u8,
    bits: u8,
    /// The points whose place is on the board.
    inside: [u64; W],
}

impl<const W: usize> Maker<W> {
    pub(super) fn new(size: usize, wanted: &[u8]) -> Maker<W> {
        assert!(words(size) <= W && W + 2 <= PADDED, "a board of size {size} has more bits");
        let mut maker = Maker { size, moves: Vec::new(), fixed: Vec::new() };
        for &plane in wanted {
            let (class, place) = (usize::from(plane) / (SPAN * SPAN), usize::from(plane) % (SPAN * SPAN));
            let along = |step: usize| step as isize - RADIUS as isize;
            let (columns, rows) = (along(place % SPAN), along(place / SPAN));
            let (mut inside, mut outside) = ([0; W], [0; W]);
            for point in 0..size * size {
                let on_board = |at: usize, step| at.checked_add_signed(step).is_some_and(|at| at < size);
                let fits = on_board(point % size, columns) && on_board(point / size, rows);
                let planes = if fits { &mut inside } else { &mut outside };
                planes[point / 64] |= 1 << (point % 64);
            }
            if class == Class::Outside as usize {
                maker.fixed.push((plane, outside));
            } else {
                // At most three rows and three columns, which are fewer than 64 points.
                let offset = rows * size as isize + columns;
                let word = (1 + offset.div_euclid(64)) as u8;
                let bits = offset.rem_euclid(64) as u8;
                maker.moves.push(Move { plane, class: class as u8, word, bits, inside });
            }
        }
        maker
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Move<W>>() + self.fixed.capacity() * size_of::<(u8, [u64; W])>()
    }

    /// Makes the planes of a position; returns its empty points.
    #[inline]
    pub(super) fn make<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
        planes: &mut Planes<W>,
    ) -> [u64; W] {
        assert_eq!(go.size(), self.size, "patterns for boards of another size");
        let mut here = [[0; PADDED]; 4];
        let mover = go.to_move().index() as u8;
        let (board, points) = (&go.board, self.size * self.size);
        let mut empty = [0; W];
        for word in 0..W {
            let (mut own, mut enemy) = (0, 0);
            for point in (64 * word..points.min(64 * (word + 1))).rev() {
                let stone = board.stone(board.point(point).into());
                own = own << 1 | u64::from(stone == mover);
                enemy = enemy << 1 | u64::from(stone == mover ^ 1);
            }
            let count = points.saturating_sub(64 * word).min(64) as u32;
            let all = u64::MAX.checked_shr(64 - count).unwrap_or(0);
            empty[word] = all & !(own | enemy);
            here[Class::Own as usize][word + 1] = own;
            here[Class::Enemy as usize][word + 1] = enemy;
            here[Class::Stone as usize][word + 1] = own | enemy;
            here[Class::Empty as usize][word + 1] = empty[word];
        }
        for &(plane, points) in &self.fixed {
            planes[usize::from(plane)] = Plane(points);
        }
        for Move { plane, class, word, bits, inside } in &self.moves {
            let words = &here[usize::from(class % 4)][usize::from(word % 2)..][..W + 1];
            planes[usize::from(*plane)] = Plane(std::array::from_fn(|i| {
                (words[i] >> (bits % 64) | (words[i + 1] << 1) << (63 - bits % 64)) & inside[i]
            }));
        }
        empty
    }
}
