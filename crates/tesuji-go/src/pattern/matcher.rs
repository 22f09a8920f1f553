//! Where many patterns match.

use super::planes::{Planes, plane, words};
use super::{Class, Pattern};
use crate::Go;

/// Finds the points where patterns match, all points of a board at once.
///
/// What a constraint wants is one set of points for each class and place; a pattern's image matches where all the sets of its
/// constraints meet. Sets are made once a position, and images give up as soon as no point is left: rare classes are
/// looked at first.
#[derive(Clone, Debug)]
pub struct Matcher(Words);

#[derive(Clone, Debug)]
enum Words {
    Small(Sets<3>),
    Middle(Sets<5>),
    Large(Sets<9>),
}

#[derive(Clone, Debug)]
struct Sets<const W: usize> {
    planes: Planes<W>,
    /// The planes that any image needs.
    wanted: Vec<u16>,
    /// The planes of all images, one image after the other.
    steps: Vec<u16>,
    /// Where each image ends in `steps`, and whose image it is.
    images: Vec<(u32, u32)>,
    /// The bit of each point.
    bits: Vec<u16>,
}

impl Matcher {
    /// A matcher of these patterns on boards of this size.
    ///
    /// # Panics
    /// If the size is not between 1 and 19.
    pub fn new(size: usize, patterns: &[Pattern]) -> Matcher {
        assert!((1..=19).contains(&size), "the size {size} is not between 1 and 19");
        Matcher(match words(size) {
            0..=3 => Words::Small(Sets::new(size, patterns)),
            4..=5 => Words::Middle(Sets::new(size, patterns)),
            _ => Words::Large(Sets::new(size, patterns)),
        })
    }

    /// Calls `found` with each pattern and each empty point where it matches, as the point's number in the order of
    /// [`Go::points`]; a point may be found more than once.
    ///
    /// # Panics
    /// If the board is of another size.
    pub fn find<const STRIDE: usize, const LEN: usize>(
        &mut self,
        go: &Go<STRIDE, LEN>,
        found: impl FnMut(usize, usize),
    ) {
        match &mut self.0 {
            Words::Small(sets) => sets.find(go, found),
            Words::Middle(sets) => sets.find(go, found),
            Words::Large(sets) => sets.find(go, found),
        }
    }
}

impl<const W: usize> Sets<W> {
    fn new(size: usize, patterns: &[Pattern]) -> Sets<W> {
        let planes = Planes::new(size);
        let (mut steps, mut images) = (Vec::new(), Vec::new());
        for (number, pattern) in patterns.iter().enumerate() {
            for mut image in pattern.images() {
                let rank = |class| match class {
                    Class::Outside => 0,
                    Class::Own | Class::Enemy => 1,
                    Class::Stone => 2,
                    Class::Empty => 3,
                };
                image.sort_by_key(|constraint| rank(constraint.class));
                steps.extend(image.iter().map(|c| plane(c.class, c.columns, c.rows)));
                images.push((steps.len() as u32, number as u32));
            }
        }
        let mut wanted = steps.clone();
        wanted.push(plane(Class::Empty, 0, 0));
        wanted.sort_unstable();
        wanted.dedup();
        let bit = |point: usize| planes.bit(point % size, point / size) as u16;
        let mut bits = vec![u16::MAX; 64 * W];
        (0..size * size).for_each(|point| bits[usize::from(bit(point))] = point as u16);
        Sets { planes, wanted, steps, images, bits }
    }

    fn find<const STRIDE: usize, const LEN: usize>(
        &mut self,
        go: &Go<STRIDE, LEN>,
        mut found: impl FnMut(usize, usize),
    ) {
        self.planes.read(go, &self.wanted);
        let empty = *self.planes.get(plane(Class::Empty, 0, 0));
        let mut start = 0;
        for &(end, pattern) in &self.images {
            let mut left = empty;
            for &step in &self.steps[start..end as usize] {
                let set = self.planes.get(step);
                (0..W).for_each(|word| left[word] &= set[word]);
                if left == [0; W] {
                    break;
                }
            }
            start = end as usize;
            for (word, mut rest) in left.into_iter().enumerate() {
                while rest != 0 {
                    let bit = 64 * word + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    found(pattern as usize, usize::from(self.bits[bit]));
                }
            }
        }
    }
}
