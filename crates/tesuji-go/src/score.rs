//! Who owns what: area scoring after Tromp and Taylor.

use crate::board::{Board, EMPTY};

impl<const STRIDE: usize, const LEN: usize> Board<STRIDE, LEN> {
    /// The owner of each cell: the colour of its stone or of the only stones that the empty region around it
    /// touches; `EMPTY` where it touches both or none.
    pub(crate) fn owners(&self) -> [u8; LEN] {
        let mut owners = [EMPTY; LEN];
        let mut seen = [false; LEN];
        let mut region = Vec::new();
        for start in self.points() {
            if self.stone(start) != EMPTY {
                owners[start] = self.stone(start);
                continue;
            }
            if seen[start] {
                continue;
            }
            let mut touched = 0;
            region.clear();
            region.push(start);
            seen[start] = true;
            let mut i = 0;
            while i < region.len() {
                for n in Self::orthogonal(region[i]) {
                    match self.stone(n) {
                        EMPTY if !seen[n] => {
                            seen[n] = true;
                            region.push(n);
                        }
                        stone @ 0..2 => touched |= 1 << stone,
                        _ => {}
                    }
                }
                i += 1;
            }
            if touched == 1 || touched == 2 {
                region.iter().for_each(|&v| owners[v] = touched - 1);
            }
        }
        owners
    }

    /// Black's area less White's, in points.
    pub(crate) fn area(&self) -> i32 {
        let owners = self.owners();
        self.points().map(|v| [1, -1, 0][usize::from(owners[v])]).sum()
    }
}
