//! A matcher of many patterns at one point.

use super::{Class, Constraint, Pattern};
use crate::board::EMPTY;
use crate::go::Go;
use tesuji::{Game, Player};

/// Images in a word of a set.
const BITS: usize = 64;
/// Words that are intersected side by side.
const CHUNK: usize = 4;
/// What a place can be: an own stone, the opponent's, empty, outside.
const CONTENTS: usize = 4;

/// Finds the patterns that match a point: the images that no place around it contradicts.
///
/// Each place and content has a set of images. Those of the contents that the position has are
/// intersected, the places next to the point first.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// Columns and rows of the places that any pattern names.
    places: Vec<(i8, i8)>,
    /// For each player to move, chunk, place and content: the images that go with it.
    sets: [Vec<[u64; CHUNK]>; 2],
    /// The pattern of each image; those of a pattern follow one another.
    patterns: Vec<u32>,
}

impl Around {
    pub(super) fn new(patterns: &[Pattern]) -> Around {
        let mut places: Vec<(i8, i8)> =
            patterns.iter().flat_map(Pattern::images).flatten().map(|c| (c.columns, c.rows)).collect();
        places.sort_by_key(|&(columns, rows)| (columns.abs().max(rows.abs()), columns, rows));
        places.dedup();
        let images: Vec<(u32, Vec<Constraint>)> = (0..)
            .zip(patterns)
            .flat_map(|(i, p)| p.images().into_iter().map(move |image| (i, image)))
            .collect();
        let chunks = images.len().div_ceil(BITS * CHUNK);
        let sets = [Player::FIRST, Player::SECOND].map(|player| {
            let mut sets = vec![[0; CHUNK]; chunks * places.len() * CONTENTS];
            for (number, (_, image)) in images.iter().enumerate() {
                let (chunk, word) = (number / BITS / CHUNK, number / BITS % CHUNK);
                for (i, &place) in places.iter().enumerate() {
                    let wanted = image.iter().find(|c| (c.columns, c.rows) == place).map(|c| c.class);
                    for content in 0..CONTENTS {
                        if wanted.is_none_or(|class| accepts(class.seen_by(player), content)) {
                            let at = (chunk * places.len() + i) * CONTENTS + content;
                            sets[at][word] |= 1 << (number % BITS);
                        }
                    }
                }
            }
            sets
        });
        Around { places, sets, patterns: images.into_iter().map(|(pattern, _)| pattern).collect() }
    }

    /// Calls `found` with each pattern that matches an empty point, once. `content` tells what is
    /// at a place, as the player to move sees it: 0 an own stone, 1 the opponent's, 2 no stone, 3
    /// outside.
    #[inline]
    pub(super) fn find(
        &self,
        to_move: Player,
        content: impl Fn((i8, i8)) -> usize,
        mut found: impl FnMut(usize),
    ) {
        if self.patterns.is_empty() {
            return;
        }
        let mut contents = [0; (2 * super::RADIUS as usize + 1).pow(2)];
        let contents = &mut contents[..self.places.len()];
        for (content_at, place) in contents.iter_mut().zip(&self.places) {
            *content_at = content(*place);
        }
        let mut last = u32::MAX;
        for (chunk, sets) in
            self.sets[to_move.index() & 1].chunks_exact(self.places.len() * CONTENTS).enumerate()
        {
            let mut left = [u64::MAX; CHUNK];
            for (sets, &content) in sets.chunks_exact(CONTENTS).zip(&*contents) {
                (0..CHUNK).for_each(|word| left[word] &= sets[content][word]);
                if left == [0; CHUNK] {
                    break;
                }
            }
            for (word, mut left) in left.into_iter().enumerate() {
                while left != 0 {
                    let image = (chunk * CHUNK + word) * BITS + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // Beyond the last image all bits are 0.
                    if self.patterns[image] != last {
                        last = self.patterns[image];
                        found(last as usize);
                    }
                }
            }
        }
    }

    /// [`Around::find`] at the point in this column and row.
    #[inline]
    pub(super) fn find_at<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
        (column, row): (usize, usize),
        found: impl FnMut(usize),
    ) {
        let (board, size, mover) = (&go.board, go.size(), go.to_move().index());
        let content = |(columns, rows): (i8, i8)| {
            let inside = |at: usize, step: i8| at.checked_add_signed(step.into()).filter(|&at| at < size);
            let Some((x, y)) = inside(column, columns).zip(inside(row, rows)) else { return 3 };
            match board.stone(board.point(y * size + x).into()) {
                EMPTY => 2,
                stone => usize::from(stone) ^ mover,
            }
        };
        self.find(go.to_move(), content, found);
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let sets: usize = self.sets.iter().map(Vec::capacity).sum();
        sets * size_of::<[u64; CHUNK]>() + self.places.capacity() * 2 + self.patterns.capacity() * 4
    }
}

/// Whether a class, seen by the player to move, wants this content.
fn accepts(class: Class, content: usize) -> bool {
    match class {
        Class::Own | Class::Black => content == 0,
        Class::Enemy | Class::White => content == 1,
        Class::Stone => content < 2,
        Class::Empty => content == 2,
        Class::Outside => content == 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Generator, Matcher};
    use crate::{Go9, Go19, Rules};
    use tesuji::{Playouts, Rng};

    fn compare<const STRIDE: usize, const LEN: usize>(
        mut go: Go<STRIDE, LEN>,
        patterns: &[Pattern],
    ) -> usize {
        let (around, matcher) = (Around::new(patterns), Matcher::new(go.size(), patterns));
        let (mut rng, mut buffer, mut matches) = (Rng::new(5), Vec::new(), 0);
        for _ in 0..60 {
            let mut everywhere = Vec::new();
            matcher.find(&go, |pattern, point| everywhere.push((point, pattern)));
            everywhere.sort_unstable();
            let mut here = Vec::new();
            for (number, v) in go.points().enumerate().filter(|&(_, v)| go.stone(v).is_none()) {
                let place = (v.column().unwrap(), v.row().unwrap());
                around.find_at(&go, place, |pattern| here.push((number, pattern)));
            }
            assert_eq!(here, everywhere, "{go}");
            matches += here.len();
            let m = go.playout_move(&mut rng, &mut buffer);
            go.playout_play(m, &mut ());
        }
        matches
    }

    #[test]
    fn a_point_has_the_patterns_that_the_whole_board_has_there() {
        for absolute in [false, true] {
            let (mut small, mut large) = (0, 0);
            for (seed, count) in [(1, 1), (2, 30), (3, 400)] {
                let patterns: Vec<Pattern> = Generator::new(seed, 3).absolute(absolute).take(count).collect();
                small += compare(Go9::new(7, Rules::default()), &patterns);
                large += compare(Go19::new(19, Rules::default()), &patterns);
            }
            assert!(small > 100 && large > 100, "{small} {large}");
        }
    }
}
