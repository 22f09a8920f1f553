//! The numbers of the points of a board.

/// A power of two above every index of a cell: an index is cut to it, which costs less than to
/// check it.
pub(crate) const CELLS: usize = 512;

/// The points of a board of some size in order, row by row from A1, and the number of each in that
/// order.
#[derive(Debug)]
pub(crate) struct Numbering<const STRIDE: usize> {
    points: [u16; CELLS],
    /// For each colour the keys of its moves: Black's are the numbers, White's follow. At 0, which
    /// is no point, that of the pass, which is Black's number of points.
    keys: [[u16; CELLS]; 2],
    size: u8,
}

impl<const STRIDE: usize> Numbering<STRIDE> {
    /// For each size.
    const ALL: [Self; STRIDE] = {
        let mut all = [const { Numbering { points: [0; CELLS], keys: [[0; CELLS]; 2], size: 0 } }; STRIDE];
        let mut size = 1;
        while size < STRIDE {
            all[size].size = size as u8;
            let mut number = 0;
            while number <= size * size {
                let v =
                    if number < size * size { (number / size + 1) * STRIDE + number % size + 1 } else { 0 };
                all[size].points[number] = v as u16;
                all[size].keys[0][v] = number as u16;
                all[size].keys[1][v] = (number + size * size + 1) as u16;
                number += 1;
            }
            size += 1;
        }
        all
    };

    /// The numbering of a board of this size, below `STRIDE`.
    pub(crate) fn of(size: usize) -> &'static Self {
        let all: &'static [Self; STRIDE] = &Self::ALL;
        &all[size]
    }

    /// The number of rows.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        self.size.into()
    }

    /// The point with this number, below [`CELLS`], or 0 if there is none.
    #[inline(always)]
    pub(crate) fn point(&self, number: usize) -> u16 {
        self.points[number % CELLS]
    }

    /// The number of a point; for 0 the one after the last.
    #[inline(always)]
    pub(crate) fn number(&self, v: usize) -> usize {
        self.key(0, v)
    }

    /// The number of a point as a move of a colour, counted through both; for 0 that of the pass.
    #[inline(always)]
    pub(crate) fn key(&self, colour: usize, v: usize) -> usize {
        self.keys[colour % 2][v % CELLS].into()
    }
}
