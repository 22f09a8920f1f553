//! A matcher of many patterns at all points at once.

use super::planes::{Maker, Plane, plane, words};
use super::window::Windows;
use super::{Class, Pattern};
use crate::go::Go;
use tesuji::{Game, Player};

/// Finds the points where patterns match, all points of a board at once.
///
/// A table finds those patterns that name all places up to a radius, in a time that does not depend
/// on their number. For all others, each class and place has a set of points. An image of a pattern
/// matches at the points that are in the sets of all its constraints. The sets are made once per
/// position, and the eight images of a pattern are matched side by side.
#[derive(Clone, Debug)]
pub struct Matcher {
    windows: Windows,
    /// The patterns that are no windows, by their numbers.
    others: Vec<u32>,
    words: Words,
}

#[derive(Clone, Debug)]
enum Words {
    Small(Box<Sets<2>>),
    Middle(Box<Sets<3>>),
    Large(Box<Sets<6>>),
}

/// Different images of a pattern; those of one that has fewer are repeated.
const IMAGES: usize = 8;

#[derive(Clone, Debug)]
struct Sets<const W: usize> {
    maker: Maker<W>,
    /// For each player to move, and each constraint of each pattern, the planes that its images
    /// want.
    steps: [Vec<[u8; IMAGES]>; 2],
    /// Where each pattern ends in `steps`.
    ends: Vec<u32>,
}

impl Matcher {
    /// A matcher of these patterns on boards of this size.
    ///
    /// # Panics
    /// If the size is not between 1 and 19.
    pub fn new(size: usize, patterns: &[Pattern]) -> Matcher {
        assert!((1..=19).contains(&size), "the size {size} is not between 1 and 19");
        let (windows, others) = Windows::new(patterns);
        let patterns: Vec<&Pattern> = others.iter().map(|&number| &patterns[number as usize]).collect();
        let words = match words(size) {
            0..=2 => Words::Small(Box::new(Sets::new(size, &patterns))),
            3 => Words::Middle(Box::new(Sets::new(size, &patterns))),
            _ => Words::Large(Box::new(Sets::new(size, &patterns))),
        };
        Matcher { windows, others, words }
    }

    /// Calls `found` with each pattern and each empty point where it matches, once, as the point's
    /// number in the order of [`Go::points`]. Allocates nothing.
    ///
    /// # Panics
    /// If the board is of another size.
    #[inline]
    pub fn find<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
        mut found: impl FnMut(usize, usize),
    ) {
        self.windows.find(go, &mut found);
        if self.others.is_empty() {
            return;
        }
        let found = |pattern: usize, point| found(self.others[pattern] as usize, point);
        match &self.words {
            Words::Small(sets) => sets.find(go, found),
            Words::Middle(sets) => sets.find(go, found),
            Words::Large(sets) => sets.find(go, found),
        }
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        let sets = match &self.words {
            Words::Small(sets) => sets.bytes(),
            Words::Middle(sets) => sets.bytes(),
            Words::Large(sets) => sets.bytes(),
        };
        sets + self.windows.bytes() + self.others.capacity() * size_of::<u32>()
    }
}

impl<const W: usize> Sets<W> {
    fn new(size: usize, patterns: &[&Pattern]) -> Sets<W> {
        let images: Vec<_> = patterns.iter().map(|pattern| pattern.images()).collect();
        let mut ends = Vec::with_capacity(patterns.len());
        let mut end = 0;
        for pattern in patterns {
            end += pattern.constraints().len() as u32;
            ends.push(end);
        }
        let steps = [Player::FIRST, Player::SECOND].map(|player| {
            let steps = images.iter().flat_map(|images| {
                (0..images[0].len()).map(move |step| -> [u8; IMAGES] {
                    std::array::from_fn(|image| {
                        let c = images[image % images.len()][step];
                        plane(c.class.seen_by(player), c.columns, c.rows)
                    })
                })
            });
            steps.collect()
        });
        Sets { maker: Maker::new(size), steps, ends }
    }

    #[inline]
    fn find<const STRIDE: usize, const LEN: usize>(
        &self,
        go: &Go<STRIDE, LEN>,
        mut found: impl FnMut(usize, usize),
    ) {
        let boards = self.maker.boards(go);
        let empty = boards[Class::Empty as usize];
        let planes = self.maker.planes(&boards);
        let planes: &[Plane<W>; 256] = planes.as_flattened().try_into().expect("8 x 32 are 256");
        let steps = &self.steps[go.to_move().index() & 1];
        let mut start = 0;
        for (pattern, &end) in self.ends.iter().enumerate() {
            let mut left = [[u64::MAX; W]; IMAGES];
            for step in &steps[start..end as usize] {
                for (left, &plane) in left.iter_mut().zip(step) {
                    let points = &planes[usize::from(plane)].0;
                    (0..W).for_each(|word| left[word] &= points[word]);
                }
            }
            start = end as usize;
            for word in 0..W {
                let mut rest = empty[word] & left.iter().fold(0, |all, image| all | image[word]);
                while rest != 0 {
                    found(pattern, 64 * word + rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(Vec::capacity).sum::<usize>();
        size_of::<Self>() + steps * IMAGES + self.ends.capacity() * size_of::<u32>()
    }
}
