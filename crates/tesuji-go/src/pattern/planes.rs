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
pub(super) type Planes<const W: usize> = [[u64; W]; PLANES];

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

    /// The planes of a position, and its empty points.
    #[inline]
    pub(super) fn make<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
    ) -> (Planes<W>, [u64; W]) {
        assert_eq!(go.size(), self.size, "patterns for boards of another size");
        let mut here = [[0; PADDED]; 4];
        let mover = go.to_move().index() as u8;
        let board = &go.board;
        let (mut own, mut enemy, mut empty) = ([0; W], [0; W], [0; W]);
        let mut points = board.points();
        for ((own, enemy), empty) in own.iter_mut().zip(&mut enemy).zip(&mut empty) {
            for (bit, v) in (0..64).zip(points.by_ref()) {
                let stone = board.stone(v);
                *own |= u64::from(stone == mover) << bit;
                *enemy |= u64::from(stone == 1 - mover) << bit;
                *empty |= u64::from(stone > 1) << bit;
            }
        }
        for (i, word) in (1..=W).enumerate() {
            here[Class::Own as usize][word] = own[i];
            here[Class::Enemy as usize][word] = enemy[i];
            here[Class::Stone as usize][word] = own[i] | enemy[i];
            here[Class::Empty as usize][word] = empty[i];
        }
        let mut planes = [[0; W]; PLANES];
        for &(plane, points) in &self.fixed {
            planes[usize::from(plane)] = points;
        }
        for Move { plane, class, word, bits, inside } in &self.moves {
            let words = &here[usize::from(class % 4)][usize::from(word % 2)..][..W + 1];
            planes[usize::from(*plane)] = std::array::from_fn(|i| {
                (words[i] >> (bits % 64) | (words[i + 1] << 1) << (63 - bits % 64)) & inside[i]
            });
        }
        (planes, empty)
    }
}
