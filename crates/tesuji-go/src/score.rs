//! Area scoring after Tromp and Taylor.

use crate::board::{Board, EMPTY};

impl<const STRIDE: usize, const LEN: usize> Board<STRIDE, LEN> {
    /// The owner of each cell: the colour of its stone or of the only stones that the empty region
    /// around it touches; `EMPTY` where it touches both or none.
    pub(crate) fn owners(&self) -> [u8; LEN] {
        let mut owners = [EMPTY; LEN];
        let mut seen = [false; LEN];
        // On the stack: a search scores the games that end inside its tree, and must not allocate.
        let mut region = [0; LEN];
        for start in self.points() {
            if self.stone(start) != EMPTY {
                owners[start] = self.stone(start);
                continue;
            }
            if seen[start] {
                continue;
            }
            let mut touched = 0;
            region[0] = start;
            seen[start] = true;
            let (mut i, mut len) = (0, 1);
            while i < len {
                for n in Self::orthogonal(region[i]) {
                    match self.stone(n) {
                        EMPTY if !seen[n] => {
                            seen[n] = true;
                            region[len] = n;
                            len += 1;
                        }
                        stone @ 0..2 => touched |= 1 << stone,
                        _ => {}
                    }
                }
                i += 1;
            }
            if touched == 1 || touched == 2 {
                region[..len].iter().for_each(|&v| owners[v] = touched - 1);
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
