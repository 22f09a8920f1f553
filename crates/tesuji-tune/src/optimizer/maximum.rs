//! Where an acquisition is greatest.

use super::{Optimizer, SCREENING};
use crate::fantasy_posterior::FantasyPosterior;
use crate::knowledge::Knowledge;
use crate::maximise::climb;
use crate::scale::Scale;
use crate::settings::Settings;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most points with observations at which knowledge is compared, those with the highest means.
const COMPARED: usize = 100;

/// Steps of a climb.
const STEPS: usize = 20;

impl Optimizer {
    /// The best of some candidates, after a climb from each of the best of them.
    pub(super) fn maximise(
        &self,
        mut rng: Xoshiro256PlusPlus,
        near: Vec<f64>,
        look: impl Fn(&[f64], usize, &mut [f64]) -> f64,
    ) -> (Vec<f64>, f64) {
        let candidates = self.candidates(&mut rng, &near, [0.001, 0.01, 0.1], 10);
        let mut ranked: Vec<(f64, Vec<f64>)> =
            candidates.into_iter().map(|x| (look(&x, SCREENING, &mut []), x)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(self.settings.climbs.max(1));
        let smooth = self.region.smooth();
        let climb = |start: Vec<f64>| {
            climb(
                start,
                STEPS,
                |x| self.region.project(x),
                |x, gradient| {
                    let value = look(x, self.settings.fantasies, gradient);
                    // What changes in steps alone stands still.
                    gradient
                        .iter_mut()
                        .zip(&smooth)
                        .filter(|(_, smooth)| !**smooth)
                        .for_each(|(g, _)| *g = 0.0);
                    value
                },
            )
        };
        let climbed = ranked.into_iter().map(|(_, start)| climb(start));
        let mut best = climbed.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there is a candidate");
        // From there by single steps and choices, as long as that leads up.
        loop {
            let next = self.region.neighbours(&best.0).into_iter().map(&climb);
            match next.max_by(|a, b| a.1.total_cmp(&b.1)) {
                Some(next) if next.1 > best.1 => best = next,
                _ => return best,
            }
        }
    }

    /// Candidates of the whole region, and N of each width round `near`.
    fn candidates(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        near: &[f64],
        widths: [f64; 3],
        count: usize,
    ) -> Vec<Vec<f64>> {
        let scramble: u64 = rng.random();
        let mut candidates: Vec<Vec<f64>> =
            (0..self.settings.candidates).map(|i| self.sobol(i, scramble)).collect();
        for width in widths {
            candidates.extend((0..count).map(|_| self.spray(rng, near, width)));
        }
        candidates.push(near.to_vec());
        candidates
    }

    /// A point round another one.
    fn spray(&self, rng: &mut Xoshiro256PlusPlus, near: &[f64], width: f64) -> Vec<f64> {
        let draw = |x: &f64| {
            let z: f64 = StandardNormal.sample(rng);
            (x + width * z).clamp(0.0, 1.0)
        };
        let mut x: Vec<f64> = near.iter().map(draw).collect();
        self.region.project(&mut x);
        x
    }

    /// The point with the highest knowledge gradient among those that promise the greatest
    /// improvement and some others, and round the best of them.
    pub(super) fn maximise_knowledge(
        &self,
        mut rng: Xoshiro256PlusPlus,
        near: Vec<f64>,
        scale: &Scale,
        noises: &[f64],
        outlooks: &[FantasyPosterior],
        look: impl Fn(&[f64], usize, &mut [f64]) -> f64,
    ) -> Vec<f64> {
        let candidates = self.candidates(&mut rng, &near, [0.03, 0.1, 0.2], 20);
        let ranked = |value: &dyn Fn(&[f64]) -> f64, count: usize| -> Vec<Vec<f64>> {
            let mut ranked: Vec<(f64, &Vec<f64>)> = candidates.iter().map(|x| (value(x), x)).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            ranked.into_iter().take(count).map(|(_, x)| x.clone()).collect()
        };
        let mean = |x: &[f64]| {
            let seen = self.region.see(x);
            outlooks.iter().map(|outlook| outlook.mean_at(&seen)).sum::<f64>()
        };
        let mut points: Vec<Vec<f64>> = ranked(&mean, 60).iter().map(|x| self.region.see(x)).collect();
        points.extend(self.ranked_observed(outlooks).iter().take(COMPARED).map(|&i| self.seen[i].x.clone()));
        let known = self.data.iter().map(|o| o.variance).sum::<f64>() / self.data.len() as f64;
        let knowledge: Vec<Knowledge> = outlooks
            .iter()
            .zip(noises)
            .map(|(outlook, noise)| {
                Knowledge::new(outlook, points.clone(), SCREENING, noise + known / scale.square())
            })
            .collect();
        let value = |x: &[f64]| -> f64 {
            let seen = self.region.see(x);
            outlooks
                .iter()
                .zip(&knowledge)
                .map(|(outlook, knowledge)| knowledge.gradient(outlook, &seen))
                .sum()
        };
        let mut first = ranked(&|x| look(x, SCREENING, &mut []), 100);
        first.extend(candidates.iter().take(60).cloned());
        let mut best = (f64::NEG_INFINITY, near);
        for x in first {
            let value = value(&x);
            if value > best.0 {
                best = (value, x);
            }
        }
        for width in [0.1, 0.05, 0.02] {
            for _ in 0..12 {
                let x = self.spray(&mut rng, &best.1, width);
                let value = value(&x);
                if value > best.0 {
                    best = (value, x);
                }
            }
        }
        best.1
    }

    /// A point of the region from a scrambled Sobol sequence, which begins anew after
    /// [`Settings::POINTS`].
    pub(super) fn sobol(&self, index: usize, seed: u64) -> Vec<f64> {
        let (seed, dimensions) = ((seed ^ seed >> 32) as u32, self.region.dimensions() as u32);
        let index = (index % Settings::POINTS) as u32;
        let coordinate = |d: u32| f64::from(sobol_burley::sample(index, d, seed));
        let mut x = (0..dimensions).map(coordinate).collect::<Vec<_>>();
        self.region.spread(&mut x);
        x
    }
}
