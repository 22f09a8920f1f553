//! Whose area each point is, as KataGo counts it: chains that live whatever is played against them
//! (Benson 1976, "Life in the game of Go"), and what they surround.

use super::super::board::EMPTY;
use super::flat_board::{CELLS, FlatBoard, NOWHERE};
use crate::rule_set::Tax;

/// The owner of each cell, or [`EMPTY`].
pub(super) type Owners = [u8; CELLS];

/// The area that counts where all is scored and `tax` is taken. Regions need not be vital at points
/// with stones where suicide is forbidden.
pub(super) fn area(board: &mut FlatBoard, tax: Tax, suicide: bool) -> Owners {
    let mut owners = [EMPTY; CELLS];
    claim(board, 0, suicide, &mut owners);
    claim(board, 1, suicide, &mut owners);
    for cell in board.points() {
        if owners[cell] == EMPTY {
            owners[cell] = board.stone(cell);
        }
    }
    if tax == Tax::None { owners } else { without_sekis(board, &owners) }
}

/// A connected set of points without stones of a colour.
#[derive(Debug)]
struct Region {
    cells: Vec<usize>,
    /// The chains that are next to all of its points (the empty ones, where suicide is forbidden).
    vital: Vec<usize>,
    /// Points that are not next to the colour.
    inner: usize,
    has_enemies: bool,
    /// Whether all chains around it live.
    is_safe: bool,
}

/// Marks what a colour lives in and surrounds.
fn claim(board: &mut FlatBoard, colour: u8, suicide: bool, owners: &mut Owners) {
    // Each stone's chain, counted from 1.
    let mut chain_of = [0; CELLS];
    let mut chains: Vec<Vec<u16>> = Vec::new();
    for cell in board.points() {
        if board.stone(cell) == colour && chain_of[cell] == 0 {
            board.liberties(cell, CELLS);
            chains.push(board.chain().to_vec());
            board.chain().iter().for_each(|&stone| chain_of[usize::from(stone)] = chains.len());
        }
    }
    if chains.is_empty() {
        return;
    }
    let chains_around = |cell: usize| {
        let mut around = board.around(cell).map(|n| chain_of[n]);
        for i in 1..4 {
            if around[..i].contains(&around[i]) {
                around[i] = 0;
            }
        }
        around.into_iter().filter(|&chain| chain != 0)
    };
    let mut region_of = [0; CELLS];
    let mut regions: Vec<Region> = Vec::new();
    for first in board.points() {
        if board.stone(first) != EMPTY || region_of[first] != 0 {
            continue;
        }
        let number = regions.len() + 1;
        let mut region = Region {
            cells: vec![first],
            vital: chains_around(first).collect(),
            inner: 0,
            has_enemies: false,
            is_safe: true,
        };
        region_of[first] = number;
        let mut next = 0;
        while let Some(&cell) = region.cells.get(next) {
            next += 1;
            if suicide || board.stone(cell) == EMPTY {
                region.vital.retain(|&chain| chains_around(cell).any(|other| other == chain));
            }
            region.inner += usize::from(chains_around(cell).next().is_none());
            region.has_enemies |= board.stone(cell) == 1 - colour;
            for n in board.around(cell) {
                if (board.stone(n) == EMPTY || board.stone(n) == 1 - colour) && region_of[n] == 0 {
                    region_of[n] = number;
                    region.cells.push(n);
                }
            }
        }
        regions.push(region);
    }

    let mut lives = vec![true; chains.len()];
    loop {
        let vital =
            |chain: usize| regions.iter().filter(|r| r.is_safe && r.vital.contains(&(chain + 1))).count();
        let Some(dead) = (0..chains.len()).find(|&chain| lives[chain] && vital(chain) < 2) else { break };
        lives[dead] = false;
        for &stone in &chains[dead] {
            for n in board.around(stone.into()) {
                if region_of[n] != NOWHERE {
                    regions[region_of[n] - 1].is_safe = false;
                }
            }
        }
    }

    for (chain, _) in chains.iter().zip(&lives).filter(|(_, lives)| **lives) {
        chain.iter().for_each(|&stone| owners[usize::from(stone)] = colour);
    }
    for region in &regions {
        let is_own = region.is_safe && (region.inner <= 1 || !region.has_enemies);
        for &cell in &region.cells {
            if is_own || (!region.has_enemies && owners[cell] == EMPTY) {
                owners[cell] = colour;
            }
        }
    }
}

/// The area less what is surrounded in a seki: of areas next to a neutral point or with a stone in
/// atari only stones are left.
fn without_sekis(board: &mut FlatBoard, owners: &Owners) -> Owners {
    let mut in_seki = [false; CELLS];
    for cell in board.points() {
        let owner = owners[cell];
        if owner == EMPTY || in_seki[cell] {
            continue;
        }
        let is_neutral = |n: usize| board.stone(n) == EMPTY && owners[n] == EMPTY;
        let touches = board.around(cell).into_iter().any(is_neutral);
        if touches || (board.stone(cell) == owner && board.liberties(cell, 1).count == 1) {
            let mut area = vec![cell];
            in_seki[cell] = true;
            while let Some(cell) = area.pop() {
                for n in board.around(cell) {
                    if board.stone(n) <= EMPTY && owners[n] == owner && !in_seki[n] {
                        in_seki[n] = true;
                        area.push(n);
                    }
                }
            }
        }
    }
    let mut left = *owners;
    for cell in board.points() {
        if in_seki[cell] && board.stone(cell) != owners[cell] {
            left[cell] = EMPTY;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The area on a board of rows of `X`, `O` and `.`, drawn in the same way.
    fn drawn(rows: &[&str], tax: Tax, suicide: bool) -> Vec<String> {
        let size = rows.len();
        let mut board = FlatBoard::read(rows);
        let owners = area(&mut board, tax, suicide);
        let cells: Vec<usize> = board.points().collect();
        let letter = |&cell: &usize| ['X', 'O', '.'][usize::from(owners[cell])];
        cells.chunks(size).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn two_eyes_live_and_what_is_inside_is_dead() {
        let rows = [
            ".X.X.", //
            "XXXX.", "OO.X.", "..OX.", "..OX.",
        ];
        // Black's chain has two eyes, so that the whole right side is Black's; White's is not
        // alive, and surrounds its corner.
        let wanted = ["XXXXX", "XXXXX", "OO.XX", "OOOXX", "OOOXX"];
        assert_eq!(drawn(&rows, Tax::None, true), wanted);
        // A stone inside an eye-like region of four points where only one is not next to the chain.
        let rows = [".X.OX", "XXX.X", "XX.XX", "X.XXX", "XXXXX"];
        assert_eq!(drawn(&rows, Tax::None, false), ["XXXXX"; 5]);
    }

    #[test]
    fn one_eye_is_surrounded_but_not_alive() {
        let rows = [".XO..", "XXO..", "OOO..", ".....", "....."];
        assert_eq!(drawn(&rows, Tax::None, true), ["XXOOO", "XXOOO", "OOOOO", "OOOOO", "OOOOO"]);
    }

    #[test]
    fn in_a_seki_only_stones_count() {
        // Two chains with an eye each share one liberty.
        let rows = [
            ".XO.OO", //
            "XX.OOX", "OOOOXX", "XXXXX.", "......", "......",
        ];
        let with = drawn(&rows, Tax::None, false);
        let without = drawn(&rows, Tax::Seki, false);
        assert_eq!(&with[0][..1], "X");
        assert_eq!(&without[0][..1], ".");
        assert_eq!(&without[0][1..2], "X", "stones stay");
    }
}
