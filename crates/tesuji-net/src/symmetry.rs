//! The symmetries of the board.

/// One of the eight ways to turn and mirror a square board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symmetry(u8);

const MIRROR_X: u8 = 1;
const MIRROR_Y: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// All eight, the first of which leaves everything in its place.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        // Mirroring before transposing is mirroring the other axis after it.
        match self.0 {
            0b101 => Symmetry(0b110),
            0b110 => Symmetry(0b101),
            _ => self,
        }
    }

    /// The image of a point, counted row by row.
    pub fn point(self, board: usize, point: usize) -> usize {
        let (mut y, mut x) = (point / board, point % board);
        if self.0 & MIRROR_X != 0 {
            x = board - 1 - x;
        }
        if self.0 & MIRROR_Y != 0 {
            y = board - 1 - y;
        }
        if self.0 & TRANSPOSE != 0 {
            (y, x) = (x, y);
        }
        y * board + x
    }

    /// Turns planes, `[plane, y, x]`, into `to`.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn planes(self, board: usize, from: &[f32], to: &mut [f32]) {
        assert_eq!(from.len(), to.len(), "planes of different lengths");
        let points = board * board;
        for (from, to) in from.chunks_exact(points).zip(to.chunks_exact_mut(points)) {
            for (point, &x) in from.iter().enumerate() {
                to[self.point(board, point)] = x;
            }
        }
    }

    /// Turns a policy (or its logits), a number for each point and one for the pass, into `to`.
    ///
    /// # Panics
    /// If a length is not the number of points and one.
    pub fn policy(self, board: usize, from: &[f32], to: &mut [f32]) {
        let points = board * board;
        assert!(from.len() == points + 1 && to.len() == points + 1, "no policies of this board");
        self.planes(board, &from[..points], &mut to[..points]);
        to[points] = from[points];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_differ_and_inverses_undo() {
        for board in [2, 5, 9] {
            let policy: Vec<f32> = (0..=board * board).map(|x| x as f32).collect();
            let turned: Vec<Vec<f32>> = Symmetry::ALL
                .iter()
                .map(|symmetry| {
                    let (mut there, mut back) = (policy.clone(), policy.clone());
                    symmetry.policy(board, &policy, &mut there);
                    symmetry.inverse().policy(board, &there, &mut back);
                    assert_eq!(back, policy, "{symmetry:?}");
                    there
                })
                .collect();
            for (i, one) in turned.iter().enumerate() {
                assert!(!turned[..i].contains(one));
            }
        }
    }

    #[test]
    fn neighbours_stay_neighbours() {
        for symmetry in Symmetry::ALL {
            let [a, b, c] = [0, 1, 7].map(|point| symmetry.point(7, point));
            let distance = |a: usize, b: usize| (a / 7).abs_diff(b / 7) + (a % 7).abs_diff(b % 7);
            assert_eq!((distance(a, b), distance(a, c), distance(b, c)), (1, 1, 2));
        }
    }
}
