//! Stones on a board without history, for what is looked up in a position that is shown to a
//! network.

use super::super::board::{BORDER, EMPTY};
use crate::go::Go;
use crate::history::Undo;

/// Cells of the largest board with its border.
pub(crate) const CELLS: usize = 20 * 21 + 1;

/// No point.
pub(crate) const NOWHERE: usize = 0;

/// Stones in rows from the top, with a border of one cell, shared between the end of one row and
/// the start of the next. Chains are found by search, so that a move is undone easily.
#[derive(Clone, Debug)]
pub(crate) struct FlatBoard {
    size: usize,
    stride: usize,
    cells: [u8; CELLS],
    /// Where simple ko forbids the next move.
    pub(crate) ko: usize,
    /// When a cell was looked at last.
    seen: [u32; CELLS],
    now: u32,
    /// The stones of the chain found last.
    chain: Vec<u16>,
}

/// A chain's liberties: how many, if not more than are asked for, and the first two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Liberties {
    pub(crate) count: usize,
    pub(crate) first: [usize; 2],
}

/// A move on the way back.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    at: usize,
    ko: usize,
    /// How many stones it captured.
    captured: usize,
}

impl FlatBoard {
    /// The empty board.
    pub(crate) fn new(size: usize) -> FlatBoard {
        let mut board = FlatBoard {
            size,
            stride: size + 1,
            cells: [BORDER; CELLS],
            ko: NOWHERE,
            seen: [0; CELLS],
            now: 0,
            chain: Vec::with_capacity(CELLS),
        };
        (0..size * size).for_each(|number| board.set(number, EMPTY));
        board
    }

    /// Takes over the stones and the ko of a game of this size.
    pub(crate) fn copy<const STRIDE: usize, const LEN: usize>(&mut self, game: &Go<STRIDE, LEN>) {
        for (number, v) in game.board.points().enumerate() {
            self.set(number, game.board.stone(v));
        }
        let ko = game.board.ko();
        self.ko = if ko == 0 { NOWHERE } else { self.cell(game.board.number_of(ko)) };
    }

    /// Takes back a move on a board of `points` points. The point that ko forbade is then not
    /// known.
    pub(crate) fn take_back(&mut self, last: &Undo<'_>, points: usize) {
        self.ko = NOWHERE;
        if last.point == points {
            return;
        }
        let mover = last.player.index() as u8;
        let is_suicide = last.captured().any(|point| point == last.point);
        let taken = if is_suicide { mover } else { 1 - mover };
        last.captured().for_each(|point| self.set(point, taken));
        self.set(last.point, EMPTY);
    }

    /// The cell of a point, numbered in rows from A1 as games number it.
    pub(crate) fn cell(&self, number: usize) -> usize {
        let (row, column) = (number / self.size, number % self.size);
        (self.size - row) * self.stride + column + 1
    }

    /// The number of a cell's point.
    pub(crate) fn number(&self, cell: usize) -> usize {
        (self.size - cell / self.stride) * self.size + cell % self.stride - 1
    }

    /// The point of a cell, numbered in rows from the top.
    pub(crate) fn plane_point(&self, cell: usize) -> usize {
        (cell / self.stride - 1) * self.size + cell % self.stride - 1
    }

    /// A board of rows of `X`, `O` and `.`, from the top.
    #[cfg(test)]
    pub(crate) fn read(rows: &[&str]) -> FlatBoard {
        let mut board = FlatBoard::new(rows.len());
        let stones: Vec<char> = rows.iter().flat_map(|row| row.chars().filter(|c| *c != ' ')).collect();
        for (cell, stone) in board.points().zip(stones) {
            board.cells[cell] = ['X', 'O'].iter().position(|&s| s == stone).map_or(EMPTY, |s| s as u8);
        }
        board
    }

    /// Changes what is on a point, numbered as games number it.
    pub(crate) fn set(&mut self, number: usize, stone: u8) {
        self.cells[self.cell(number)] = stone;
    }

    /// All points, from the top.
    pub(crate) fn points(&self) -> impl Iterator<Item = usize> + use<> {
        let (size, stride) = (self.size, self.stride);
        (1..=size).flat_map(move |row| row * stride + 1..=row * stride + size)
    }

    pub(crate) fn stone(&self, cell: usize) -> u8 {
        self.cells[cell]
    }

    pub(crate) fn around(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    /// How many neighbours are empty.
    pub(crate) fn empties_around(&self, cell: usize) -> usize {
        self.around(cell).iter().filter(|&&n| self.cells[n] == EMPTY).count()
    }

    /// Finds the chain of a stone and its liberties, but stops where there are more than `most`.
    pub(crate) fn liberties(&mut self, cell: usize, most: usize) -> Liberties {
        let colour = self.cells[cell];
        let mut found = Liberties { count: 0, first: [NOWHERE; 2] };
        self.now += 1;
        self.seen[cell] = self.now;
        self.chain.clear();
        self.chain.push(cell as u16);
        let mut next = 0;
        while let Some(&stone) = self.chain.get(next) {
            next += 1;
            for n in self.around(stone.into()) {
                if self.seen[n] == self.now {
                    continue;
                }
                if self.cells[n] == colour {
                    self.seen[n] = self.now;
                    self.chain.push(n as u16);
                } else if self.cells[n] == EMPTY {
                    self.seen[n] = self.now;
                    if let Some(place) = found.first.get_mut(found.count) {
                        *place = n;
                    }
                    found.count += 1;
                    if found.count > most {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// The stones of the chain that [`FlatBoard::liberties`] found last, which must have been all.
    pub(crate) fn chain(&self) -> &[u16] {
        &self.chain
    }

    /// Whether a colour may play at a point, where suicide is forbidden and only simple ko counts.
    pub(crate) fn is_legal(&mut self, cell: usize, colour: u8) -> bool {
        if self.cells[cell] != EMPTY || cell == self.ko {
            return false;
        }
        self.empties_around(cell) > 0
            || self.around(cell).into_iter().any(|n| match self.cells[n] {
                stone if stone == colour => self.liberties(n, 1).count > 1,
                stone if stone == 1 - colour => self.liberties(n, 1).count == 1,
                _ => false,
            })
    }

    /// Plays at an empty point; captured stones go onto `captured`.
    pub(crate) fn play(&mut self, cell: usize, colour: u8, captured: &mut Vec<u16>) -> Played {
        let (ko, before) = (self.ko, captured.len());
        let is_alone =
            self.around(cell).into_iter().all(|n| self.cells[n] == 1 - colour || self.cells[n] == BORDER);
        self.cells[cell] = colour;
        self.ko = NOWHERE;
        for n in self.around(cell) {
            if self.cells[n] == 1 - colour && self.liberties(n, 0).count == 0 {
                let first = captured.len();
                captured.extend_from_slice(&self.chain);
                captured[first..].iter().for_each(|&stone| self.cells[usize::from(stone)] = EMPTY);
            }
        }
        let taken = captured.len() - before;
        if taken == 1 && is_alone {
            self.ko = captured[before].into();
        }
        Played { at: cell, ko, captured: taken }
    }

    /// Takes back the last move.
    pub(crate) fn undo(&mut self, played: &Played, captured: &mut Vec<u16>) {
        let colour = self.cells[played.at];
        for stone in captured.drain(captured.len() - played.captured..) {
            self.cells[usize::from(stone)] = 1 - colour;
        }
        self.cells[played.at] = EMPTY;
        self.ko = played.ko;
    }
}
