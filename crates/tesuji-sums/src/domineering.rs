//! Domineering as a component of sums.
//!
//! `tesuji-games` has the game by itself. There the player who cannot move loses, and a position is
//! 64 bits and a player. Here a region ends when it is worth a number, either player may move in
//! it, and its ends are found beforehand. Both share only the two lines that say where dominoes
//! fit.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::graph::{Graph, PLAYERS, Position, reachable};
use crate::parse_error::ParseError;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tesuji::Player;

/// A region of Domineering: Left places vertical dominoes, Right horizontal ones, on empty cells.
///
/// The player who cannot move in the whole sum loses. So a region ends when it is worth a number of
/// spare moves for Left, up to an infinitesimal. The final score of a sum decides in the same way
/// as playing the last moves would. At 0 the infinitesimals would decide; here it counts as a draw.
/// Ends are found beforehand, from the thermographs of all positions of the region.
///
/// As text a region has its rows from top to bottom, `.` for an empty cell and `#` for any other,
/// `/` between rows: `.../.#.`. A move is the top or left cell of its domino, `8 * row + column`;
/// as text `a1`, `b1`, ...
#[derive(Clone, Debug)]
pub struct Domineering {
    /// Bit `8 * row + column` of an empty cell.
    empty: u64,
    rows: u8,
    columns: u8,
    ends: Arc<HashMap<u64, Dyadic>>,
}

/// Bits of a row.
const STRIDE: u8 = 8;
/// Every column but the last.
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Domineering {
    /// The largest number of empty cells of a region: 65 536 positions.
    pub const LARGEST: usize = 16;

    /// An empty board of 1 to 8 rows and columns; none for other numbers, or for more cells than
    /// [`Domineering::LARGEST`].
    ///
    /// Takes time and memory proportional to the number of positions, up to 2 to the number of
    /// cells.
    pub fn new(rows: usize, columns: usize) -> Option<Domineering> {
        if !(1..=8).contains(&rows) || !(1..=8).contains(&columns) || rows * columns > Domineering::LARGEST {
            return None;
        }
        let row = u64::MAX >> (64 - columns);
        let empty = (0..rows).map(|r| row << (STRIDE as usize * r)).sum();
        Some(Domineering::region(empty, rows as u8, columns as u8))
    }

    fn region(empty: u64, rows: u8, columns: u8) -> Domineering {
        let (graph, numbers) = explore(empty);
        let thermographs = graph.thermographs();
        let cold = numbers.into_iter().filter(|&(_, number)| thermographs[number].is_cold());
        let ends = cold.map(|(cells, number)| (cells, thermographs[number].mean())).collect();
        Domineering { empty, rows, columns, ends: Arc::new(ends) }
    }

    /// Every position of the region, including those worth a number.
    pub fn graph(&self) -> Graph {
        explore(self.empty).0
    }
}

/// The cells where a domino of the player can have its top or left half.
fn places(empty: u64, player: Player) -> u64 {
    match player {
        Player::FIRST => empty & empty >> STRIDE,
        _ => empty & (empty >> 1) & NOT_LAST,
    }
}

/// What is empty after a domino of the player is placed.
fn placed(empty: u64, player: Player, cell: u8) -> u64 {
    let domino = if player == Player::FIRST { 1 | 1 << STRIDE } else { 0b11 };
    empty & !(domino << cell)
}

/// The bits that are set.
fn bits(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |i| set >> i & 1 == 1)
}

fn explore(empty: u64) -> (Graph, HashMap<u64, usize>) {
    let options =
        |empty: u64, player| bits(places(empty, player)).map(move |cell| placed(empty, player, cell));
    let after = |&empty: &u64| PLAYERS.into_iter().flat_map(|player| options(empty, player)).collect();
    let (found, numbers) = reachable(empty, |&empty| empty, after);
    let position = |&empty: &u64| Position {
        end: None,
        options: PLAYERS.map(|player| options(empty, player).map(|after| (0, numbers[&after])).collect()),
    };
    (Graph::new(found.iter().map(position).collect()), numbers)
}

impl Component for Domineering {
    type Move = u8;

    fn moves(&self, player: Player, tell: impl FnMut(u8)) {
        bits(places(self.empty, player)).for_each(tell);
    }

    fn play(&mut self, player: Player, cell: u8) -> i64 {
        self.empty = placed(self.empty, player, cell);
        0
    }

    fn end(&self) -> Option<Dyadic> {
        self.ends.get(&self.empty).copied()
    }

    fn code(&self) -> u64 {
        self.empty
    }

    /// The empty cells say everything in every region.
    fn game(&self) -> u64 {
        0
    }

    fn keys(&self) -> usize {
        64
    }

    fn key(&self, cell: u8) -> usize {
        cell.into()
    }

    fn move_of(&self, _: Player, key: usize) -> u8 {
        key as u8
    }

    fn move_text(&self, _: Player, cell: u8) -> String {
        format!("{}{}", char::from(b'a' + cell % STRIDE), cell / STRIDE + 1)
    }
}

impl fmt::Display for Domineering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            f.write_str(if row > 0 { "/" } else { "" })?;
            for column in 0..self.columns {
                let is_empty = self.empty >> (STRIDE * row + column) & 1 == 1;
                f.write_str(if is_empty { "." } else { "#" })?;
            }
        }
        Ok(())
    }
}

impl FromStr for Domineering {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Domineering, ParseError> {
        let text: Vec<char> = text.chars().collect();
        let (mut empty, mut rows, mut columns, mut column) = (0u64, 1, 0, 0);
        for (at, c) in text.iter().enumerate() {
            match c {
                '/' if column == 0 || rows > 1 && column != columns => {
                    return Err(ParseError::at(at, "rows have the same number of cells, at least one"));
                }
                '/' if rows == 8 => return Err(ParseError::at(at, "a region has at most 8 rows")),
                '/' => (rows, columns, column) = (rows + 1, column, 0),
                '.' | '#' if column == 8 => {
                    return Err(ParseError::at(at, "a region has at most 8 columns"));
                }
                '.' | '#' => {
                    empty |= u64::from(*c == '.') << (STRIDE * (rows - 1) + column);
                    column += 1;
                }
                _ => return Err(ParseError::expected(&text, at, "., # or /")),
            }
        }
        if column == 0 || rows > 1 && column != columns {
            return Err(ParseError::at(text.len(), "rows have the same number of cells, at least one"));
        }
        if empty.count_ones() as usize > Domineering::LARGEST {
            let most = Domineering::LARGEST;
            return Err(ParseError::at(0, format!("a region has at most {most} empty cells")));
        }
        Ok(Domineering::region(empty, rows, column))
    }
}
