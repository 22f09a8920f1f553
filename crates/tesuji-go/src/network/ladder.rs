//! Ladders: the chains that they capture.
//!
//! The attacker puts the chain into atari with every move, the defender extends or captures stones
//! next to the chain; the ladder fails where the chain has three liberties, or two at the
//! attacker's turn's end, or where the attacker leaves a ko: all kos are the defender's.

use super::super::board::EMPTY;
use super::flat_board::{FlatBoard, NOWHERE};

/// Moves looked at for one chain; a ladder that is not decided then fails.
const MOST_MOVES: u32 = 25_000;

/// What a ladder does to a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ladder {
    /// Where the attacker begins it; [`NOWHERE`] where the chain is in atari already.
    pub(crate) moves: [usize; 2],
}

/// Searches for ladders.
#[derive(Clone, Debug, Default)]
pub(crate) struct LadderSearch {
    moves: u32,
    /// Points that are tried, of all levels.
    tried: Vec<u16>,
    captured: Vec<u16>,
    /// Points of chains that are decided.
    done: Vec<u16>,
}

impl LadderSearch {
    /// Calls `found` for every chain that is captured by a ladder, with its stones: where the chain
    /// has one liberty the defender begins, where it has two the attacker.
    pub(crate) fn each(&mut self, board: &mut FlatBoard, mut found: impl FnMut(&FlatBoard, &[u16], Ladder)) {
        self.done.clear();
        for cell in board.points() {
            if board.stone(cell) >= EMPTY || self.done.contains(&(cell as u16)) {
                continue;
            }
            let liberties = board.liberties(cell, 2);
            if liberties.count > 2 {
                continue;
            }
            let first = self.done.len();
            self.done.extend_from_slice(board.chain());
            let ladder = if liberties.count == 1 {
                self.is_captured(board, cell).then_some(Ladder { moves: [NOWHERE; 2] })
            } else {
                let moves = liberties.first.map(|m| if self.works(board, cell, m) { m } else { NOWHERE });
                (moves != [NOWHERE; 2]).then_some(Ladder { moves })
            };
            if let Some(ladder) = ladder {
                found(board, &self.done[first..], ladder);
            }
        }
    }

    /// Whether the attacker captures a chain of two liberties by this move.
    fn works(&mut self, board: &mut FlatBoard, chain: usize, m: usize) -> bool {
        let attacker = 1 - board.stone(chain);
        if !board.is_legal(m, attacker) {
            return false;
        }
        let played = board.play(m, attacker, &mut self.captured);
        let works = board.liberties(chain, 1).count == 1 && self.is_captured(board, chain);
        board.undo(&played, &mut self.captured);
        works
    }

    /// Whether a chain of one liberty is captured, its owner to move, who may retake any ko.
    fn is_captured(&mut self, board: &mut FlatBoard, chain: usize) -> bool {
        self.moves = 0;
        let ko = std::mem::replace(&mut board.ko, NOWHERE);
        let captured = self.defend(board, chain);
        board.ko = ko;
        captured && self.moves < MOST_MOVES
    }

    /// Whether the chain is captured, the defender to move.
    fn defend(&mut self, board: &mut FlatBoard, chain: usize) -> bool {
        let liberties = board.liberties(chain, 1);
        if liberties.count >= 2 || board.ko != NOWHERE {
            return false;
        }
        let first = self.tried.len();
        self.captures(board);
        self.tried.push(liberties.first[0] as u16);
        let captured = self.try_all(board, chain, first, board.stone(chain), false);
        self.tried.truncate(first);
        captured
    }

    /// Whether the chain is captured, the attacker to move.
    fn attack(&mut self, board: &mut FlatBoard, chain: usize) -> bool {
        let liberties = board.liberties(chain, 2);
        let [mut a, mut b] = liberties.first;
        match liberties.count {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        let [open_a, open_b] = [a, b].map(|m| board.empties_around(m));
        if open_a == 0 && open_b == 0 && self.is_double_ko(board, chain, [a, b]) {
            return true;
        }
        let first = self.tried.len();
        // Where filling one liberty takes none from the other, the defender escapes by a wide one.
        let apart = !board.around(a).contains(&b);
        if apart && open_a >= 3 && open_b >= 3 {
            return false;
        }
        if open_b > open_a {
            (a, b) = (b, a);
        }
        self.tried.push(a as u16);
        if !(apart && open_a.max(open_b) >= 3) {
            self.tried.push(b as u16);
        }
        let captured = self.try_all(board, chain, first, 1 - board.stone(chain), true);
        self.tried.truncate(first);
        captured
    }

    /// Tries the moves from `first` on, until the chain is captured if that is `wanted`, or escapes
    /// if not.
    fn try_all(
        &mut self,
        board: &mut FlatBoard,
        chain: usize,
        first: usize,
        colour: u8,
        wanted: bool,
    ) -> bool {
        for at in first..self.tried.len() {
            let m = self.tried[at].into();
            if !board.is_legal(m, colour) {
                continue;
            }
            self.moves += 1;
            if self.moves >= MOST_MOVES {
                // Whatever is returned no longer counts, and is what ends the search soonest.
                return wanted;
            }
            let played = board.play(m, colour, &mut self.captured);
            let captured = if wanted { self.defend(board, chain) } else { self.attack(board, chain) };
            board.undo(&played, &mut self.captured);
            if captured == wanted {
                return wanted;
            }
        }
        !wanted
    }

    /// Adds the points where the defender captures a chain next to the one found last.
    fn captures(&mut self, board: &mut FlatBoard) {
        let first = self.tried.len();
        let stones = self.captured.len();
        self.captured.extend_from_slice(board.chain());
        for at in stones..self.captured.len() {
            let stone: usize = self.captured[at].into();
            let enemy = 1 - board.stone(stone);
            for n in board.around(stone) {
                if board.stone(n) == enemy {
                    let liberties = board.liberties(n, 1);
                    let m = liberties.first[0] as u16;
                    if liberties.count == 1 && !self.tried[first..].contains(&m) {
                        self.tried.push(m);
                    }
                }
            }
        }
        self.captured.truncate(stones);
    }

    /// Whether both liberties are kos for the attacker, which the defender's connecting does not
    /// help and no capture ends: then the chain is dead.
    fn is_double_ko(&mut self, board: &mut FlatBoard, chain: usize, liberties: [usize; 2]) -> bool {
        let defender = board.stone(chain);
        for m in liberties {
            if !takes_ko(board, m, defender) {
                return false;
            }
            let played = board.play(m, defender, &mut self.captured);
            let more = board.liberties(m, 2).count > 2;
            board.undo(&played, &mut self.captured);
            if more {
                return false;
            }
        }
        board.liberties(chain, 2);
        let first = self.tried.len();
        self.captures(board);
        let is_helpless = self.tried.len() == first;
        self.tried.truncate(first);
        is_helpless
    }
}

/// Whether the other colour's stone at an empty point would take exactly one stone, in a ko.
fn takes_ko(board: &mut FlatBoard, m: usize, defender: u8) -> bool {
    let mut taken = 0;
    for n in board.around(m) {
        let stone = board.stone(n);
        if stone == EMPTY || stone == 1 - defender {
            return false;
        }
        if stone == defender && board.liberties(n, 1).count == 1 {
            taken += 1;
            if board.chain().len() != 1 {
                return false;
            }
        }
    }
    taken == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points, in rows from the top, of the chains that a ladder captures, and where the
    /// attacker begins.
    fn laddered(rows: &[&str]) -> (Vec<usize>, Vec<usize>) {
        let mut board = FlatBoard::read(rows);
        let (mut stones, mut moves) = (Vec::new(), Vec::new());
        LadderSearch::default().each(&mut board, |board, chain, ladder| {
            stones.extend(chain.iter().map(|&cell| board.plane_point(cell.into())));
            moves.extend(ladder.moves.iter().filter(|&&m| m != NOWHERE).map(|&m| board.plane_point(m)));
        });
        stones.sort_unstable();
        (stones, moves)
    }

    const LADDER: [&str; 9] = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". X O . . . . . .",
        ". . X X . . . . .",
        ". . . . . . . . .",
    ];

    #[test]
    fn a_ladder_runs_to_the_edge() {
        assert_eq!(laddered(&LADDER), (vec![6 * 9 + 2], vec![5 * 9 + 2]));
    }

    #[test]
    fn a_stone_on_the_way_breaks_it() {
        let mut broken = LADDER;
        broken[3] = ". . . . . O . . .";
        assert_eq!(laddered(&broken), (vec![], vec![]));
    }

    #[test]
    fn in_atari_the_defender_begins() {
        let mut rows = [". . . . ."; 5];
        (rows[3], rows[4]) = ("X . . . .", "O . . . .");
        assert_eq!(laddered(&rows), (vec![20], vec![]), "the ladder runs along the edge");
        rows[3] = "X . O . .";
        assert_eq!(laddered(&rows).0, [15], "it connects, and Black's stone is in a ladder");
        // It can take the stones around it, which are in a ladder themselves.
        (rows[2], rows[3]) = ("O O . . .", "X X O . .");
        assert_eq!(laddered(&rows).0, [15, 16]);
    }

    #[test]
    fn the_board_is_as_before() {
        let mut board = FlatBoard::read(&LADDER);
        let before: Vec<u8> = board.points().map(|cell| board.stone(cell)).collect();
        LadderSearch::default().each(&mut board, |_, _, _| {});
        assert!(board.points().zip(before).all(|(cell, stone)| board.stone(cell) == stone));
    }
}
