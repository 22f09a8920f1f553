//! The stones on a board of any size, for judging a finished game. Slow and plain.

use crate::sgf::Point;
use std::collections::BTreeSet;
use tesuji::Player;

/// The stones on the board, row by row from `A1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stones {
    size: usize,
    at: Vec<Option<Player>>,
}

/// Stones of one colour that are connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Whose.
    pub player: Player,
    /// The stones.
    pub stones: BTreeSet<Point>,
    /// The empty points next to them.
    pub liberties: BTreeSet<Point>,
}

impl Stones {
    /// A board of this size without stones.
    pub fn new(size: usize) -> Stones {
        Stones { size, at: vec![None; size * size] }
    }

    /// Lines of the board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// All points, row by row from `A1`.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size as u8;
        (0..size).flat_map(move |row| (0..size).map(move |column| Point { column, row }))
    }

    /// The place of a point among [`Stones::points`].
    pub fn index(&self, point: Point) -> usize {
        usize::from(point.row) * self.size + usize::from(point.column)
    }

    /// Whose stone is there, if any.
    pub fn get(&self, point: Point) -> Option<Player> {
        self.at[self.index(point)]
    }

    /// Puts a stone or takes it away. Captures nothing.
    pub fn set(&mut self, point: Point, stone: Option<Player>) {
        let index = self.index(point);
        self.at[index] = stone;
    }

    /// The points next to this one.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let size = self.size as u8;
        let Point { column, row } = point;
        [(column.wrapping_sub(1), row), (column + 1, row), (column, row.wrapping_sub(1)), (column, row + 1)]
            .into_iter()
            .filter(move |&(column, row)| column < size && row < size)
            .map(|(column, row)| Point { column, row })
    }

    /// The connected points of the same content, and the other points next to them.
    fn region(&self, start: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
        let content = self.get(start);
        let (mut inside, mut border) = (BTreeSet::from([start]), BTreeSet::new());
        let mut open = vec![start];
        while let Some(point) = open.pop() {
            for n in self.neighbours(point) {
                if self.get(n) != content {
                    border.insert(n);
                } else if inside.insert(n) {
                    open.push(n);
                }
            }
        }
        (inside, border)
    }

    /// All chains, by their first stone in the order of [`Stones::points`].
    pub fn chains(&self) -> Vec<Chain> {
        let mut seen = BTreeSet::new();
        let mut chains = Vec::new();
        for point in self.points() {
            if let Some(player) = self.get(point).filter(|_| !seen.contains(&point)) {
                let (stones, mut liberties) = self.region(point);
                liberties.retain(|&n| self.get(n).is_none());
                seen.extend(stones.iter().copied());
                chains.push(Chain { player, stones, liberties });
            }
        }
        chains
    }

    /// The owner of each point: the stone there, or the only colour that the empty region reaches.
    pub fn owners(&self) -> Vec<Option<Player>> {
        let mut owners = self.at.clone();
        let mut seen = BTreeSet::new();
        for point in self.points().filter(|&p| self.get(p).is_none()) {
            if seen.contains(&point) {
                continue;
            }
            let (region, border) = self.region(point);
            let mut colours = border.iter().map(|&p| self.get(p));
            let first = colours.next().flatten();
            let owner = if colours.all(|c| c == first) { first } else { None };
            for &p in &region {
                owners[self.index(p)] = owner;
            }
            seen.extend(region);
        }
        owners
    }

    /// Black's area minus White's (Tromp and Taylor's count, without komi).
    pub fn area(&self) -> i32 {
        self.owners().into_iter().flatten().map(|p| if p == Player::FIRST { 1 } else { -1 }).sum()
    }

    /// The board as a text diagram of `X`, `O` and `.`, the upper line first, without white space
    /// around; for tests and examples.
    ///
    /// # Panics
    /// If it is not square or has other characters.
    pub fn diagram(text: &str) -> Stones {
        let rows: Vec<&str> = text.split_whitespace().collect();
        let mut stones = Stones::new(rows.len());
        for (y, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), rows.len(), "the diagram is square");
            for (x, c) in row.bytes().enumerate() {
                let stone = match c {
                    b'X' => Some(Player::FIRST),
                    b'O' => Some(Player::SECOND),
                    b'.' => None,
                    c => panic!("`{}` is not a stone", char::from(c)),
                };
                stones.set(Point { column: x as u8, row: (rows.len() - 1 - y) as u8 }, stone);
            }
        }
        stones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_counted() {
        let stones = Stones::diagram(".X.O. XX.OO .X.O. XX.OO .X.O.");
        assert_eq!(stones.area(), 0);
        assert_eq!(stones.chains().len(), 2);
        assert_eq!(stones.chains()[0].liberties.len(), 3 + 5);
        assert_eq!(Stones::diagram("..X ... ...").area(), 9);
        assert_eq!(Stones::new(3).area(), 0);
        assert_eq!(Stones::diagram(".X. X.X OOO").area(), 2);
    }
}
