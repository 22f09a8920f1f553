//! The planes by which a game shows itself.

use crate::shape::Shape;
use std::fmt;
use tesuji::{Keyed, Notation};

/// The inputs and the moves of networks for any game on a board: the planes that the game
/// [writes](Notation::write_planes), and its moves by their [codes](Keyed::code).
///
/// Networks see square boards. A board of other sides lies in the corner of a square one, and one
/// more plane is 1 on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlanes {
    /// Planes, rows and columns of the game.
    shape: [usize; 3],
    actions: usize,
}

impl GamePlanes {
    /// Those of games that begin here.
    ///
    /// # Errors
    /// If the game has no planes or no codes, its board has more than 19 rows or columns or less
    /// than 2, or there are more than 65 536 moves.
    pub fn of<G: Notation + Keyed>(start: &G) -> Result<GamePlanes, GamePlanesError> {
        let shape = start.planes_shape().ok_or(GamePlanesError::NoPlanes)?;
        let (planes, actions) = (GamePlanes { shape, actions: start.codes() }, start.codes());
        let [count, rows, columns] = shape;
        if !(2..=19).contains(&planes.board()) || count == 0 || rows * columns == 0 {
            return Err(GamePlanesError::Board { rows, columns });
        }
        match actions {
            0 => Err(GamePlanesError::NoActions),
            1..=65_536 => Ok(planes),
            _ => Err(GamePlanesError::Actions { actions }),
        }
    }

    /// Rows of the square board.
    pub fn board(&self) -> usize {
        self.shape[1].max(self.shape[2])
    }

    /// The number of planes that networks see.
    pub fn count(&self) -> usize {
        self.shape[0] + usize::from(self.is_padded())
    }

    /// The number of moves.
    pub fn actions(&self) -> usize {
        self.actions
    }

    fn is_padded(&self) -> bool {
        self.shape[1] != self.shape[2]
    }

    /// The point of the square board to which each move belongs, if [the game says
    /// so](Notation::place).
    pub fn points<G: Notation>(&self, start: &G) -> Vec<Option<usize>> {
        let (columns, board) = (self.shape[2], self.board());
        let point = |place: usize| place / columns * board + place % columns;
        (0..self.actions).map(|code| start.place(code).map(point)).collect()
    }

    /// Numbers of a position as the game writes them.
    fn own(&self) -> usize {
        self.shape.iter().product()
    }

    /// Writes the planes of a position, `[plane, y, x]`. `own` is scratch memory.
    ///
    /// # Panics
    /// If `planes` has not as many numbers as there are planes and points.
    pub fn write<G: Notation>(&self, position: &G, own: &mut Vec<f32>, planes: &mut [f32]) {
        planes.fill(0.0);
        if !self.is_padded() {
            return position.write_planes(planes);
        }
        let [_, rows, columns] = self.shape;
        own.clear();
        own.resize(self.own(), 0.0);
        position.write_planes(own);
        let board = self.board();
        let (shown, on_board) = planes.split_at_mut(self.shape[0] * board * board);
        let own = own.chunks_exact(rows * columns).zip(shown.chunks_exact_mut(board * board));
        for (own, plane) in own {
            for (own, row) in own.chunks_exact(columns).zip(plane.chunks_exact_mut(board)) {
                row[..columns].copy_from_slice(own);
            }
        }
        on_board.chunks_exact_mut(board).take(rows).for_each(|row| row[..columns].fill(1.0));
    }

    /// Whether networks of this shape see such planes and give logits for such moves.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, shape: &Shape) -> Result<(), GamePlanesError> {
        let wanted = [self.board(), self.count(), 0, self.actions];
        let found = [shape.board, shape.planes, shape.globals, shape.actions];
        if found == wanted { Ok(()) } else { Err(GamePlanesError::Other { found, wanted }) }
    }
}

/// A game that shows itself to no network, or not to this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GamePlanesError {
    /// It has no planes.
    NoPlanes,
    /// It has no codes of moves.
    NoActions,
    /// Its board is too large or too small.
    Board {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// It has too many moves.
    Actions {
        /// How many.
        actions: usize,
    },
    /// The network is for other inputs or moves: rows of the board, planes, numbers for the whole
    /// position and moves.
    Other {
        /// Those of the network.
        found: [usize; 4],
        /// Those of the game.
        wanted: [usize; 4],
    },
}

impl fmt::Display for GamePlanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GamePlanesError::NoPlanes => {
                f.write_str("the game has no planes; accepted: a game on a board, or one that writes its own")
            }
            GamePlanesError::NoActions => f.write_str(
                "the game does not number its moves; accepted: a game with keys, which says how many there are",
            ),
            GamePlanesError::Board { rows, columns } => write!(
                f,
                "the board has {rows} rows and {columns} columns; accepted: at most 19 of each, and 2 of one of them"
            ),
            GamePlanesError::Actions { actions } => {
                write!(f, "the game numbers {actions} moves; accepted: at most 65536")
            }
            GamePlanesError::Other { found, wanted } => {
                let words = |[board, planes, globals, actions]: &[usize; 4]| {
                    let actions = if *actions == 0 { board * board + 1 } else { *actions };
                    let numbers = if *globals == 0 { String::new() } else { format!(", {globals} numbers") };
                    format!("{board}x{board}, {planes} planes{numbers}, {actions} moves")
                };
                write!(
                    f,
                    "the network is for {}; accepted in this game: {}",
                    words(found),
                    words(wanted)
                )
            }
        }
    }
}

impl std::error::Error for GamePlanesError {}
