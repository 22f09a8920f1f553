//! Go by the plainest possible rules, to compare with.

use std::collections::HashSet;

/// Stones row by row from A1: 0 Black, 1 White, 2 none.
pub(crate) type Stones = Vec<u8>;

/// A game whose every question is answered by flood fill.
#[derive(Clone)]
pub(crate) struct Reference {
    pub(crate) size: usize,
    pub(crate) stones: Stones,
    pub(crate) seen: HashSet<Stones>,
    pub(crate) suicide: bool,
}

impl Reference {
    pub(crate) fn new(size: usize, suicide: bool) -> Reference {
        let stones = vec![2; size * size];
        Reference { size, seen: HashSet::from([stones.clone()]), stones, suicide }
    }

    pub(crate) fn neighbours(&self, v: usize) -> Vec<usize> {
        let (column, row, size) = (v % self.size, v / self.size, self.size);
        let mut all = Vec::new();
        if column > 0 {
            all.push(v - 1);
        }
        if column + 1 < size {
            all.push(v + 1);
        }
        if row > 0 {
            all.push(v - size);
        }
        if row + 1 < size {
            all.push(v + size);
        }
        all
    }

    pub(crate) fn diagonals(&self, v: usize) -> Vec<usize> {
        let (column, row, size) = ((v % self.size) as isize, (v / self.size) as isize, self.size as isize);
        [(-1, -1), (-1, 1), (1, -1), (1, 1)]
            .iter()
            .map(|(dc, dr)| (column + dc, row + dr))
            .filter(|(c, r)| (0..size).contains(c) && (0..size).contains(r))
            .map(|(c, r)| (r * size + c) as usize)
            .collect()
    }

    /// The points of one kind connected to `v`, and the kinds that they touch.
    pub(crate) fn region(&self, stones: &Stones, v: usize) -> (Vec<usize>, HashSet<u8>) {
        let mut region = vec![v];
        let mut touched = HashSet::new();
        let mut i = 0;
        while i < region.len() {
            for n in self.neighbours(region[i]) {
                if stones[n] != stones[v] {
                    touched.insert(stones[n]);
                } else if !region.contains(&n) {
                    region.push(n);
                }
            }
            i += 1;
        }
        (region, touched)
    }

    /// The position after `colour` at `v`, and whether it was suicide.
    fn after(&self, colour: u8, v: usize) -> (Stones, bool) {
        let mut stones = self.stones.clone();
        stones[v] = colour;
        for n in self.neighbours(v) {
            if stones[n] == 1 - colour {
                let (chain, touched) = self.region(&stones, n);
                if !touched.contains(&2) {
                    chain.iter().for_each(|&u| stones[u] = 2);
                }
            }
        }
        let (chain, touched) = self.region(&stones, v);
        let suicide = !touched.contains(&2);
        if suicide {
            chain.iter().for_each(|&u| stones[u] = 2);
        }
        (stones, suicide)
    }

    pub(crate) fn legal(&self, colour: u8, v: usize) -> bool {
        self.stones[v] == 2 && {
            let (stones, suicide) = self.after(colour, v);
            (self.suicide || !suicide) && !self.seen.contains(&stones)
        }
    }

    /// Whether the move is suicide on the empty point `v`.
    pub(crate) fn is_suicide(&self, colour: u8, v: usize) -> bool {
        self.after(colour, v).1
    }

    pub(crate) fn play(&mut self, colour: u8, v: usize) {
        self.stones = self.after(colour, v).0;
        self.seen.insert(self.stones.clone());
    }

    /// Whether the empty point `v` is a single-point eye of `colour`.
    pub(crate) fn is_eye(&self, colour: u8, v: usize) -> bool {
        let diagonals = self.diagonals(v);
        let enemies = diagonals.iter().filter(|&&d| self.stones[d] == 1 - colour).count();
        let allowed = usize::from(diagonals.len() == 4);
        self.neighbours(v).iter().all(|&n| self.stones[n] == colour) && enemies <= allowed
    }

    /// Black's area less White's.
    pub(crate) fn area(&self) -> i32 {
        (0..self.stones.len())
            .map(|v| match self.stones[v] {
                0 => 1,
                1 => -1,
                _ => {
                    let (_, touched) = self.region(&self.stones, v);
                    i32::from(touched.contains(&0)) - i32::from(touched.contains(&1))
                }
            })
            .sum()
    }
}
