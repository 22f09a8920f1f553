//! The part of the unit cube where points may lie.

use crate::curve::Curve;

/// Coordinates of a [`Region`] that belong together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Group {
    /// One coordinate, anywhere in [0, 1].
    Line,
    /// One coordinate with N values, evenly spaced from 0 to 1; N is 2 or more.
    Grid(usize),
    /// N coordinates of which one is 1 and all others are 0: a choice, whose options are all
    /// equally different from each other.
    One(usize),
    /// N coordinates that never fall from one to the next.
    Rising(usize),
    /// The knots of a rising function. The kernel sees the logarithm of the function.
    Curve(Curve),
}

/// The points of the unit cube that can be suggested. The kernel sees them unchanged, with whole
/// numbers rounded (Garrido-Merchán & Hernández-Lobato 2020); of a [`Curve`] it sees the function.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    groups: Vec<Group>,
}

impl Region {
    /// The region of these groups of coordinates, in order.
    ///
    /// # Panics
    /// If a grid has fewer than two values.
    pub fn new(groups: Vec<Group>) -> Region {
        let is_possible = |group: &Group| !matches!(group, Group::Grid(0 | 1));
        assert!(groups.iter().all(is_possible), "a grid has at least two values");
        Region { groups }
    }

    /// The whole cube.
    pub fn cube(dimensions: usize) -> Region {
        Region { groups: vec![Group::Line; dimensions] }
    }

    /// The number of coordinates.
    pub fn dimensions(&self) -> usize {
        self.groups.iter().map(Group::width).sum()
    }

    /// How many of the numbers that the kernel sees of a point have each of its lengths in common.
    pub(crate) fn widths(&self) -> Vec<usize> {
        let widths = |group: &Group| match group {
            Group::Curve(curve) => vec![curve.places()],
            other => vec![1; other.width()],
        };
        self.groups.iter().flat_map(widths).collect()
    }

    /// The numbers that the kernel sees of a point.
    pub(crate) fn see(&self, x: &[f64]) -> Vec<f64> {
        let (mut rest, mut seen) = (x, Vec::with_capacity(x.len()));
        for group in &self.groups {
            let (part, after) = rest.split_at(group.width());
            rest = after;
            match group {
                Group::Curve(curve) => curve.see(part, &mut seen, &mut []),
                _ => seen.extend_from_slice(part),
            }
        }
        seen
    }

    /// The derivatives by the coordinates of a point, in `gradient`, from those by the numbers that
    /// the kernel sees of it.
    pub(crate) fn gradient(&self, x: &[f64], by_features: &[f64], gradient: &mut [f64]) {
        let (mut at, mut rest) = (0, by_features);
        for group in &self.groups {
            let width = group.width();
            let gradient = &mut gradient[at..at + width];
            if let Group::Curve(curve) = group {
                let (own, after) = rest.split_at(curve.places());
                rest = after;
                let (mut seen, mut slopes) = (Vec::new(), vec![0.0; own.len() * width]);
                curve.see(&x[at..at + width], &mut seen, &mut slopes);
                gradient.fill(0.0);
                for (by, row) in own.iter().zip(slopes.chunks(width)) {
                    gradient.iter_mut().zip(row).for_each(|(sum, slope)| *sum += by * slope);
                }
            } else {
                let (own, after) = rest.split_at(width);
                rest = after;
                gradient.copy_from_slice(own);
            }
            at += width;
        }
    }

    /// Each group with its part of a point.
    fn parts<'a>(&'a self, x: &'a mut [f64]) -> impl Iterator<Item = (Group, &'a mut [f64])> {
        let mut rest = x;
        self.groups.iter().map(move |group| {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(group.width());
            rest = after;
            (*group, part)
        })
    }

    /// Moves a point to the nearest one of the region.
    pub fn project(&self, x: &mut [f64]) {
        for (group, part) in self.parts(x) {
            match group {
                Group::Line | Group::Curve(_) => {}
                Group::Grid(n) => part[0] = (part[0] * (n - 1) as f64).round() / (n - 1) as f64,
                Group::One(_) => choose(part),
                Group::Rising(_) => rise(part),
            }
            part.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));
        }
    }

    /// Turns a uniform point of the cube into a uniform point of the region.
    pub fn spread(&self, x: &mut [f64]) {
        for (group, part) in self.parts(x) {
            match group {
                Group::Line | Group::Curve(_) => {}
                Group::Grid(n) => {
                    part[0] = (part[0] * n as f64).floor().min((n - 1) as f64) / (n - 1) as f64;
                }
                Group::One(_) => choose(part),
                Group::Rising(_) => part.sort_by(f64::total_cmp),
            }
        }
    }

    /// For each coordinate whether it can change by little.
    pub(crate) fn smooth(&self) -> Vec<bool> {
        let smooth = |group: &Group| matches!(group, Group::Line | Group::Rising(_) | Group::Curve(_));
        self.groups.iter().flat_map(|group| vec![smooth(group); group.width()]).collect()
    }

    /// The points that differ from one in one choice, or in one step of a grid; of a grid of more
    /// than 1000 places, also in 10, 100 and more steps.
    pub(crate) fn neighbours(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let (mut all, mut at) = (Vec::new(), 0);
        let mut add = |changes: &[(usize, f64)]| {
            let mut next = x.to_vec();
            changes.iter().for_each(|&(d, value)| next[d] = value);
            all.push(next);
        };
        for group in &self.groups {
            match *group {
                Group::Grid(n) => {
                    let (step, here) = (1.0 / (n - 1) as f64, x[at]);
                    // Along a grid of many places, single steps would take too long.
                    let longest = if n > 1000 { n / 10 } else { 1 };
                    let strides = std::iter::successors(Some(1), |stride| Some(10 * stride));
                    for stride in strides.take_while(|&stride| stride <= longest) {
                        let far = stride as f64 * step;
                        for to in [here - far, here + far] {
                            if to > -0.5 * step && to < 1.0 + 0.5 * step {
                                add(&[(at, to.clamp(0.0, 1.0))]);
                            }
                        }
                    }
                }
                Group::One(n) => {
                    let here = (at..at + n).find(|&d| x[d] == 1.0);
                    for d in (at..at + n).filter(|&d| Some(d) != here) {
                        let off = here.map(|here| (here, 0.0)).into_iter();
                        add(&off.chain([(d, 1.0)]).collect::<Vec<_>>());
                    }
                }
                Group::Line | Group::Rising(_) | Group::Curve(_) => {}
            }
            at += group.width();
        }
        all
    }
}

impl Group {
    /// The number of coordinates.
    pub fn width(&self) -> usize {
        match *self {
            Group::Line | Group::Grid(_) => 1,
            Group::One(n) | Group::Rising(n) => n,
            Group::Curve(curve) => curve.knots,
        }
    }
}

/// The greatest becomes 1, all others 0.
fn choose(part: &mut [f64]) {
    let greatest = (0..part.len()).max_by(|&a, &b| part[a].total_cmp(&part[b]));
    part.iter_mut().enumerate().for_each(|(i, x)| *x = f64::from(u8::from(Some(i) == greatest)));
}

/// The nearest values that never fall: neighbours that fall are averaged (the pool of adjacent
/// violators; Ayer, Brunk, Ewing, Reid & Silverman 1955).
fn rise(part: &mut [f64]) {
    let mut pools: Vec<(f64, usize)> = Vec::with_capacity(part.len());
    for &x in part.iter() {
        let mut pool = (x, 1);
        while let Some(&(sum, count)) = pools.last()
            && sum / count as f64 > pool.0 / pool.1 as f64
        {
            pools.pop();
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    let values = pools.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    part.iter_mut().zip(values).for_each(|(x, value)| *x = value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn region() -> Region {
        Region::new(vec![Group::Line, Group::Grid(4), Group::One(3), Group::Rising(4)])
    }

    fn is_inside(x: &[f64]) -> bool {
        let grid = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].iter().any(|g| (x[1] - g).abs() < 1e-12);
        let one = x[2..5].iter().all(|&v| v == 0.0 || v == 1.0) && x[2..5].iter().sum::<f64>() == 1.0;
        let rising = x[5..].windows(2).all(|pair| pair[0] <= pair[1] + 1e-12);
        grid && one && rising && x.iter().all(|v| (0.0..=1.0).contains(v))
    }

    proptest! {
        #[test]
        fn points_end_in_the_region(x in proptest::collection::vec(0.0..1.0_f64, 9)) {
            for change in [Region::project, Region::spread] {
                let mut y = x.clone();
                change(&region(), &mut y);
                prop_assert!(is_inside(&y), "{y:?}");
                let mut again = y.clone();
                region().project(&mut again);
                prop_assert!(again.iter().zip(&y).all(|(a, b)| (a - b).abs() < 1e-12));
                for next in region().neighbours(&y) {
                    prop_assert!(is_inside(&next) && next != y);
                }
            }
        }

        #[test]
        fn no_rising_values_are_nearer(
            x in proptest::collection::vec(0.0..1.0_f64, 4),
            other in proptest::collection::vec(0.0..1.0_f64, 4),
        ) {
            let distance = |y: &[f64]| y.iter().zip(&x).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            let (mut near, mut other) = (x.clone(), other);
            rise(&mut near);
            other.sort_by(f64::total_cmp);
            prop_assert!(distance(&near) <= distance(&other) + 1e-12);
        }
    }

    #[test]
    fn a_curve_is_seen_among_others() {
        let curve = Curve { knots: 3, low: -2.0, high: 2.0, start: 0.0 };
        let region = Region::new(vec![Group::Line, Group::Curve(curve), Group::Rising(2)]);
        let x = [0.3, 0.2, 0.8, 0.4, 0.1, 0.9];
        let seen = region.see(&x);
        assert_eq!((region.dimensions(), seen.len(), region.widths()), (6, 11, vec![1, 8, 1, 1]));
        assert_eq!((seen[0], &seen[9..]), (0.3, &[0.1, 0.9][..]));
        assert_eq!(region.smooth(), [true; 6]);
        // The derivatives of a sum with different weights.
        let sum = |x: &[f64]| region.see(x).iter().enumerate().map(|(i, z)| (i + 1) as f64 * z).sum::<f64>();
        let by_features: Vec<f64> = (1..=11).map(f64::from).collect();
        let mut gradient = [0.0; 6];
        region.gradient(&x, &by_features, &mut gradient);
        for d in 0..6 {
            let near = |step: f64| {
                let mut x = x;
                x[d] += step;
                sum(&x)
            };
            let slope = (near(1e-6) - near(-1e-6)) / 2e-6;
            assert!((gradient[d] - slope).abs() < 1e-6, "{d}: {} is not {slope}", gradient[d]);
        }
    }

    #[test]
    fn each_step_of_a_grid_has_its_neighbours() {
        let region = Region::new(vec![Group::Grid(3), Group::One(2)]);
        assert_eq!(region.neighbours(&[0.0, 1.0, 0.0]), [[0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(region.neighbours(&[0.5, 0.0, 1.0]).len(), 3);
        // 1, 10, 100, 1000 and 10 000 steps up and down.
        assert_eq!(Region::new(vec![Group::Grid(100_001)]).neighbours(&[0.5]).len(), 10);
        assert_eq!(region.smooth(), [false; 3]);
    }
}
