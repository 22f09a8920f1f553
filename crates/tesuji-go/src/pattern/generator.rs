//! Random patterns.

use super::shape::ALL_PLACES;
use super::{Class, Constraint, Pattern, RADIUS};
use std::collections::HashSet;
use tesuji::Rng;

/// Draws random patterns, none twice.
///
/// A pattern has 3 + a geometric number of constraints, each further one with probability 1/2, at
/// most 8. Places are drawn without replacement with weights 1 / (1 + distance), the larger of
/// columns and rows; classes with the weights .35 empty, .2 own, .2 enemy, .1 stone, .15 outside. A
/// pattern that matches only on boards smaller than 7x7, or on none, is drawn again. With absolute
/// colours black and white stones have the weights of own and enemy ones.
#[derive(Clone, Debug)]
pub struct Generator {
    rng: Rng,
    radius: i8,
    absolute: bool,
    seen: HashSet<Pattern>,
}

impl Generator {
    /// A generator of patterns whose places are at most `radius` away, 2 or 3.
    ///
    /// # Panics
    /// If the radius is not between 1 and [`RADIUS`].
    pub fn new(seed: u64, radius: i8) -> Generator {
        assert!((1..=RADIUS).contains(&radius), "the radius {radius} is not between 1 and {RADIUS}");
        Generator { rng: Rng::new(seed), radius, absolute: false, seen: HashSet::new() }
    }

    /// The same by colours instead of by whose stones they are, if so.
    #[must_use]
    pub fn absolute(self, absolute: bool) -> Generator {
        Generator { absolute, ..self }
    }

    fn draw(&mut self) -> Vec<Constraint> {
        let mut count = 3;
        while count < 8 && self.rng.below(2) == 0 {
            count += 1;
        }
        let span = -self.radius..=self.radius;
        let mut places: Vec<(i8, i8)> = span
            .clone()
            .flat_map(|columns| span.clone().map(move |rows| (columns, rows)))
            .filter(|&place| place != (0, 0))
            .collect();
        let mut constraints = Vec::with_capacity(count);
        for _ in 0..count {
            let weight = |&(columns, rows): &(i8, i8)| 1.0 / (1.0 + f32::from(columns.abs().max(rows.abs())));
            let place = self.pick(&places.iter().map(weight).collect::<Vec<_>>());
            let (columns, rows) = places.swap_remove(place);
            // In the order of the classes: own, enemy, stone, empty, outside.
            let class = match Class::ALL[self.pick(&[0.2, 0.2, 0.1, 0.35, 0.15])] {
                Class::Own if self.absolute => Class::Black,
                Class::Enemy if self.absolute => Class::White,
                class => class,
            };
            constraints.push(Constraint { columns, rows, class });
        }
        constraints
    }

    /// A number with these weights.
    fn pick(&mut self, weights: &[f32]) -> usize {
        let mut left = self.rng.unit() * weights.iter().sum::<f32>();
        for (i, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return i;
            }
        }
        weights.len() - 1
    }
}

impl Iterator for Generator {
    type Item = Pattern;

    /// A pattern that was not drawn before; there are far more than anyone can race.
    fn next(&mut self) -> Option<Pattern> {
        loop {
            if let Ok(pattern) = Pattern::new(self.draw())
                && pattern.is_possible(ALL_PLACES)
                && self.seen.insert(pattern.clone())
            {
                return Some(pattern);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_reproducible_different_and_possible() {
        let patterns: Vec<Pattern> = Generator::new(1, 3).take(500).collect();
        assert_eq!(patterns, Generator::new(1, 3).take(500).collect::<Vec<_>>());
        assert_eq!(patterns.iter().collect::<HashSet<_>>().len(), 500);
        let sizes = patterns.iter().map(|pattern| pattern.constraints().len());
        assert!(sizes.clone().all(|size| (3..=8).contains(&size)) && sizes.clone().any(|size| size == 8));
        let is_relative = |c: &Constraint| matches!(c.class, Class::Own | Class::Enemy);
        let mut absolute = Generator::new(1, 3).absolute(true).take(100);
        assert!(absolute.all(|pattern| !pattern.constraints().iter().any(is_relative)));
        let near = Generator::new(2, 2).take(200).flat_map(|p| p.constraints().to_vec());
        assert!(near.map(|c| c.columns.abs().max(c.rows.abs())).max() == Some(2));
    }
}
