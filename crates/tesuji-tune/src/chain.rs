//! Draws of the parameters of the process while observations come in.

use crate::hyper::{Hyper, Prior};
use crate::likelihood::Likelihood;
use crate::posterior::Observation;
use crate::region::Region;
use crate::scale::Scale;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Observations up to which the chain moves on with each.
const EACH: usize = 64;

/// Its sweeps for each of them.
const SWEEPS: usize = 2;

/// Its sweeps when observations beyond [`EACH`] have doubled.
const SWEEPS_DOUBLED: usize = 16;

/// Sweeps on the side, from there to the present observations.
const SWEEPS_ASIDE: usize = 4;

/// The most observations that parameters are learned from.
const LEARNED: usize = 100;

/// A Markov chain of parameters, whose draws follow from the seed and the observations in their
/// order, whenever it was asked.
///
/// It is burnt in with two observations and moves on with each up to 64, then whenever they have
/// doubled; draws in between begin with sweeps on the side. Parameters are learned from at most 100
/// observations, evenly spaced in their order. So 500 observations cost little more than 100, told
/// one by one or all at once.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    seed: u64,
    burn_in: usize,
    dimensions: usize,
    start: Hyper,
    hyper: Hyper,
    /// How many observations it has moved on with.
    count: usize,
}

impl Chain {
    pub(crate) fn new(region: &Region, burn_in: usize, seed: u64) -> Chain {
        let start = Hyper::sharing(region.widths());
        Chain { seed, burn_in, dimensions: region.dimensions(), hyper: start.clone(), start, count: 0 }
    }

    /// Returns `count` draws given all of `data` (one observation or more), in units of `scale`,
    /// the scale of all of `data`.
    pub(crate) fn draws(&mut self, count: usize, data: &[Observation], scale: &Scale) -> Vec<Hyper> {
        let n = data.len();
        let mut hyper = self.moved_on(data);
        let known = learned(data, scale);
        let prior = Prior::new(&known, self.dimensions);
        let mut likelihood = Likelihood::new(&prior, &known, &self.start.widths);
        let mut rng = rng(self.seed, &[3, n as u64]);
        let draw = |_| {
            hyper.step(&mut likelihood, &mut rng);
            hyper.clone()
        };
        (0..count).map(draw).collect()
    }

    /// The most likely parameters, in place of draws.
    pub(crate) fn fit(&self, data: &[Observation], scale: &Scale) -> Hyper {
        let known = learned(data, scale);
        let mut rng = rng(self.seed, &[3, data.len() as u64]);
        self.start.fit(&Prior::new(&known, self.dimensions), &known, &mut rng)
    }

    /// Where the chain is given all of `data`.
    fn moved_on(&mut self, data: &[Observation]) -> Hyper {
        let n = data.len();
        while let Some((count, sweeps)) = self.next(n) {
            let mut hyper = self.hyper.clone();
            self.sweep(&mut hyper, &data[..count], sweeps);
            (self.hyper, self.count) = (hyper, count);
        }
        let mut hyper = self.hyper.clone();
        let aside = if n == 1 { self.burn_in } else { SWEEPS_ASIDE };
        if self.count < n {
            self.sweep(&mut hyper, data, aside);
        }
        hyper
    }

    /// The number of observations with which the chain moves on next, and the number of sweeps.
    /// None if `n` is smaller than that number.
    fn next(&self, n: usize) -> Option<(usize, usize)> {
        let (count, sweeps) = match self.count {
            0 => (2, self.burn_in),
            count if count < EACH => (count + 1, SWEEPS),
            count => (2 * count, SWEEPS_DOUBLED),
        };
        (count <= n).then_some((count, sweeps))
    }

    /// Moves the parameters by `sweeps` sweeps over `data`.
    fn sweep(&self, hyper: &mut Hyper, data: &[Observation], sweeps: usize) {
        let known = learned(data, &Scale::of(data));
        let prior = Prior::new(&known, self.dimensions);
        hyper.mean = hyper.mean.clamp(prior.mean.0, prior.mean.1);
        let mut likelihood = Likelihood::new(&prior, &known, &self.start.widths);
        let mut rng = rng(self.seed, &[4, data.len() as u64]);
        for _ in 0..sweeps {
            hyper.step(&mut likelihood, &mut rng);
        }
    }
}

/// The observations that parameters are learned from, in units of `scale`.
fn learned(data: &[Observation], scale: &Scale) -> Vec<Observation> {
    let count = data.len().min(LEARNED);
    (1..=count).map(|k| scale.shrink_one(&data[k * data.len() / count - 1])).collect()
}

/// Random numbers for a purpose.
pub(crate) fn rng(seed: u64, purpose: &[u64]) -> Xoshiro256PlusPlus {
    let mix = |state: u64, word: &u64| {
        (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_add(0x632b_e59b_d9b4_e019)
    };
    Xoshiro256PlusPlus::seed_from_u64(purpose.iter().fold(seed, mix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(count: usize) -> Vec<Observation> {
        let x = |i: usize| (i as f64 * 0.618).fract();
        (0..count).map(|i| Observation { x: vec![x(i)], y: (5.0 * x(i)).sin(), variance: 0.01 }).collect()
    }

    #[test]
    fn draws_follow_from_the_observations_alone() {
        let (data, region) = (data(140), Region::cube(1));
        let draws = |chain: &mut Chain, n: usize| chain.draws(3, &data[..n], &Scale::of(&data[..n]));
        let mut asked = Chain::new(&region, 20, 1);
        for n in [1, 2, 3, 63, 64, 65, 127, 128, 129] {
            draws(&mut asked, n);
        }
        for n in [129, 140] {
            assert_eq!(draws(&mut asked, n), draws(&mut Chain::new(&region, 20, 1), n));
        }
        assert_ne!(draws(&mut asked, 140), draws(&mut Chain::new(&region, 20, 2), 140));
    }

    #[test]
    fn five_hundred_observations_cost_little_more_than_a_hundred() {
        // Sweeps from cold, each in units of the cube of what it learns from.
        let cost = |n: usize| {
            let cube = |count: usize| count.min(LEARNED).pow(3);
            let mut chain = Chain::new(&Region::cube(1), 100, 1);
            let mut sum = 0;
            while let Some((count, sweeps)) = chain.next(n) {
                sum += sweeps * cube(count);
                chain.count = count;
            }
            sum + (SWEEPS_ASIDE + 10) * cube(n)
        };
        assert!(cost(500) < 3 * cost(100), "{} and {}", cost(500), cost(100));
    }

    #[test]
    fn what_is_learned_from_is_spread_over_all_observations() {
        let y = |n: usize| -> Vec<f64> {
            let data: Vec<_> =
                (0..n).map(|i| Observation { x: vec![0.0], y: i as f64, variance: 0.0 }).collect();
            learned(&data, &Scale::of(&data)).iter().map(|o| Scale::of(&data).grow(o.y).round()).collect()
        };
        assert_eq!(y(3), [0.0, 1.0, 2.0]);
        let many = y(450);
        assert_eq!((many.len(), many[0], many[99]), (LEARNED, 3.0, 449.0));
        assert!(many.windows(2).all(|pair| (4.0..=5.0).contains(&(pair[1] - pair[0]))));
    }
}
