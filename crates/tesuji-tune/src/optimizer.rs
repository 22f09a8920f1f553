//! The optimizer, which chooses the next point.

mod maximum;

use crate::acquisition::Acquisition;
use crate::chain::{Chain, rng};
use crate::fantasy_posterior::{Fantasy, FantasyPosterior, Incumbent, Pending};
use crate::hyper::Hyper;
use crate::normal::Normal;
use crate::posterior::{Observation, Posterior};
use crate::region::Region;
use crate::scale::Scale;
use crate::settings::Settings;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

/// Bayesian optimization on the unit cube: finds where a function that is observed with noise is
/// greatest (Snoek, Larochelle & Adams 2012), by [`Optimizer::ask`] and [`Optimizer::tell`].
///
/// Observations are standardised. The parameters of the process are drawn by slice sampling from
/// their posterior; the next point maximizes the acquisition, averaged over these parameters and
/// over joint draws of the observations under way, of which the knowledge gradient uses eight.
///
/// A suggestion depends only on the seed, on the observations in their order and on the points
/// under way in theirs. Another optimizer that is told the same asks for the same point.
///
/// ```
/// use tesuji_tune::{Optimizer, Settings};
///
/// let mut optimizer = Optimizer::new(1, Settings::default(), 1);
/// for _ in 0..14 {
///     let x = optimizer.ask(&[]);
///     optimizer.tell(x.clone(), -(x[0] - 0.3).powi(2), 1e-6);
/// }
/// assert!((optimizer.recommend().unwrap().0[0] - 0.3).abs() < 0.02);
/// ```
#[derive(Clone, Debug)]
pub struct Optimizer {
    region: Region,
    settings: Settings,
    seed: u64,
    data: Vec<Observation>,
    /// The same as the kernel sees it.
    seen: Vec<Observation>,
    chain: Chain,
}

/// Observations beyond which a suggestion takes fewer draws of the parameters, in inverse
/// proportion; and the fewest.
const ALL_DRAWS: usize = 64;
const FEWEST_DRAWS: usize = 3;

/// Fantasies that candidates are compared by, and all of those of the knowledge gradient.
const SCREENING: usize = 8;

impl Optimizer {
    /// The largest number of coordinates, which is that of the Sobol sequence.
    pub const DIMENSIONS: usize = sobol_burley::NUM_DIMENSIONS as usize;

    /// The largest size of an observation, and of the standard deviation of its noise. Beyond,
    /// squares have no room.
    pub const LARGEST: f64 = 1e100;

    /// An optimizer without observations, of a function of `dimensions` coordinates (1 to
    /// [`Optimizer::DIMENSIONS`]) on the whole cube.
    ///
    /// # Panics
    /// If there is another number of coordinates, or a setting that [`Settings::check`] refuses.
    pub fn new(dimensions: usize, settings: Settings, seed: u64) -> Optimizer {
        Optimizer::within(Region::cube(dimensions), settings, seed)
    }

    /// An optimizer without observations, of a function on a region with 1 to
    /// [`Optimizer::DIMENSIONS`] coordinates.
    ///
    /// # Panics
    /// If there is another number of coordinates, or a setting that [`Settings::check`] refuses.
    pub fn within(region: Region, settings: Settings, seed: u64) -> Optimizer {
        let (dimensions, most) = (region.dimensions(), Optimizer::DIMENSIONS);
        assert!(
            (1..=most).contains(&dimensions),
            "there are {dimensions} coordinates; accepted: 1 to {most}"
        );
        if let Err(fault) = settings.check() {
            panic!("{fault}");
        }
        let chain = Chain::new(&region, settings.burn_in, seed);
        Optimizer { region, settings, seed, data: Vec::new(), seen: Vec::new(), chain }
    }

    /// Learns the observation at a point. `variance` is the known part of the variance of its
    /// noise; the optimizer estimates the rest.
    ///
    /// # Panics
    /// If the point has another number of coordinates or one that is not finite, the size of the
    /// observation or the root of the variance is above [`Optimizer::LARGEST`], or the variance is
    /// below 0.
    pub fn tell(&mut self, x: Vec<f64>, y: f64, variance: f64) {
        self.check(&x, variance);
        let most = Optimizer::LARGEST;
        assert!(y.abs() <= most, "the value is {y}; accepted: -{most:e} to {most:e}");
        self.seen.push(Observation { x: self.region.see(&x), y, variance });
        self.data.push(Observation { x, y, variance });
    }

    /// Makes sure that something can be observed at a point with noise of this variance.
    fn check(&self, x: &[f64], variance: f64) {
        assert_eq!(
            x.len(),
            self.region.dimensions(),
            "a point has as many coordinates as there are dimensions"
        );
        assert!(x.iter().all(|x| x.is_finite()), "the point is {x:?}; accepted: finite numbers");
        assert!(
            variance >= 0.0 && variance.sqrt() <= Optimizer::LARGEST,
            "the variance is {variance}; accepted: at least 0, with a root of at most {:e}",
            Optimizer::LARGEST
        );
    }

    /// The observations, in the order in which they were told.
    pub fn observations(&self) -> &[Observation] {
        &self.data
    }

    /// The point to observe next, while `pending` are under way.
    ///
    /// # Panics
    /// If one under way has another number of coordinates, one that is not finite, or a variance
    /// that [`Optimizer::tell`] refuses.
    pub fn ask(&mut self, pending: &[Pending]) -> Vec<f64> {
        pending.iter().for_each(|point| self.check(&point.x, point.variance));
        let (n, under_way) = (self.data.len(), pending.len());
        if n + under_way < self.settings.initial || n < 2 {
            return self.sobol(n + under_way, self.seed);
        }
        let mut rng = rng(self.seed, &[1, n as u64, under_way as u64]);
        let fantasies = if pending.is_empty() { 1 } else { self.settings.fantasies };
        let mut draws: Vec<Vec<f64>> = (0..fantasies)
            .map(|_| (0..under_way).map(|_| StandardNormal.sample(&mut rng)).collect())
            .collect();
        if self.settings.acquisition == Acquisition::KnowledgeGradient {
            // All were drawn, so that the numbers that follow do not depend on this.
            draws.truncate(SCREENING);
        }
        let scale = Scale::of(&self.data);
        let pending: Vec<Pending> = pending
            .iter()
            .map(|point| Pending { x: self.region.see(&point.x), variance: point.variance / scale.square() })
            .collect();
        let Settings { fantasy, incumbent, acquisition, .. } = self.settings;
        let observed = self.data.iter().map(|o| scale.shrink(o.y)).fold(f64::NEG_INFINITY, f64::max);
        let (noises, outlooks): (Vec<f64>, Vec<FantasyPosterior>) = self
            .processes(&scale, self.few_draws())
            .into_iter()
            .filter_map(|(noise, process)| {
                let outlook =
                    FantasyPosterior::new(process, &pending, noise, &draws, fantasy, incumbent, observed);
                outlook.ok().map(|outlook| (noise, outlook))
            })
            .unzip();
        let look = |x: &[f64], fantasies: usize, gradient: &mut [f64]| {
            self.look(&outlooks, acquisition, x, fantasies, gradient)
        };
        let near = self.best_observed(&outlooks);
        if acquisition == Acquisition::KnowledgeGradient {
            return self.maximise_knowledge(rng, near, &scale, &noises, &outlooks, look);
        }
        self.maximise(rng, near, look).0
    }

    /// The point with the highest posterior mean, and the estimate there; none before the first
    /// observation.
    pub fn recommend(&mut self) -> Option<(Vec<f64>, Normal)> {
        if self.data.is_empty() {
            return None;
        }
        let scale = Scale::of(&self.data);
        let outlooks = self.outlooks(&scale);
        let mean = Acquisition::UpperConfidenceBound { kappa: 0.0 };
        let look = |x: &[f64], _: usize, gradient: &mut [f64]| self.look(&outlooks, mean, x, 1, gradient);
        let near = self.best_observed(&outlooks);
        let x = self.maximise(rng(self.seed, &[2, self.data.len() as u64]), near, look).0;
        let at = mixture(&outlooks, &self.region.see(&x), &scale);
        Some((x, at))
    }

    /// The estimate of the function at some points; none before the first observation.
    pub fn predict(&mut self, points: &[Vec<f64>]) -> Option<Vec<Normal>> {
        if self.data.is_empty() {
            return None;
        }
        let scale = Scale::of(&self.data);
        let outlooks = self.outlooks(&scale);
        Some(points.iter().map(|x| mixture(&outlooks, &self.region.see(x), &scale)).collect())
    }

    /// Draws of the place where the function is greatest: for each drawn process, functions are
    /// drawn jointly at the observed points and at `candidates` others. Takes time in
    /// O((candidates + observations)^3). Returns none before the first observation.
    pub fn optima(&mut self, draws: usize, candidates: usize) -> Vec<Vec<f64>> {
        if self.data.is_empty() {
            return Vec::new();
        }
        let mut rng = rng(self.seed, &[5, self.data.len() as u64]);
        let scramble: u64 = rng.random();
        let mut points: Vec<Vec<f64>> = (0..candidates).map(|i| self.sobol(i, scramble)).collect();
        points.extend(self.data.iter().map(|o| o.x.clone()));
        points.extend(self.recommend().map(|best| best.0));
        let scale = Scale::of(&self.data);
        let processes = self.processes(&scale, self.settings.samples);
        let each = draws.div_ceil(processes.len().max(1));
        let seen: Vec<Vec<f64>> = points.iter().map(|x| self.region.see(x)).collect();
        let functions = processes.iter().flat_map(|(_, process)| process.draw(&seen, each, &mut rng));
        let greatest = functions.map(|f| (0..f.len()).max_by(|&a, &b| f[a].total_cmp(&f[b])).unwrap_or(0));
        greatest.take(draws).map(|i| points[i].clone()).collect()
    }

    /// What the drawn processes expect, nothing being under way.
    fn outlooks(&mut self, scale: &Scale) -> Vec<FantasyPosterior> {
        let outlook = |(noise, process)| {
            FantasyPosterior::new(process, &[], noise, &[], Fantasy::Latent, Incumbent::Observed, 0.0).ok()
        };
        self.processes(scale, self.settings.samples).into_iter().filter_map(outlook).collect()
    }

    /// Where the observed point with the highest mean of the posterior means lies.
    fn best_observed(&self, outlooks: &[FantasyPosterior]) -> Vec<f64> {
        let ranked = self.ranked_observed(outlooks);
        ranked.first().map_or(vec![0.5; self.region.dimensions()], |&best| self.data[best].x.clone())
    }

    /// The observed points by the mean of the posterior means, the highest first.
    fn ranked_observed(&self, outlooks: &[FantasyPosterior]) -> Vec<usize> {
        let mut sums = vec![0.0; self.data.len()];
        for outlook in outlooks {
            sums.iter_mut().zip(outlook.observed_means()).for_each(|(sum, mean)| *sum += mean);
        }
        let mut ranked: Vec<usize> = (0..sums.len()).collect();
        ranked.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]));
        ranked
    }

    /// How many draws of the parameters a suggestion takes: the more is observed, the less they
    /// differ.
    fn few_draws(&self) -> usize {
        let samples = self.settings.samples;
        (samples * ALL_DRAWS).div_ceil(self.data.len().max(ALL_DRAWS)).max(samples.min(FEWEST_DRAWS))
    }

    /// The processes of `draws` draws of the parameters, or of the most likely ones; each with the
    /// noise that observations share.
    fn processes(&mut self, scale: &Scale, draws: usize) -> Vec<(f64, Posterior)> {
        let hypers = match self.settings.samples {
            0 => vec![self.chain.fit(&self.seen, scale)],
            _ => self.chain.draws(draws, &self.seen, scale),
        };
        let data = scale.shrink_all(&self.seen);
        let process = |hyper: &Hyper| hyper.posterior(&data).ok().map(|process| (hyper.noise, process));
        hypers.iter().filter_map(process).collect()
    }

    /// The [`average`] of an acquisition at a point, and its derivatives by the point's
    /// coordinates.
    fn look(
        &self,
        outlooks: &[FantasyPosterior],
        acquisition: Acquisition,
        x: &[f64],
        fantasies: usize,
        gradient: &mut [f64],
    ) -> f64 {
        let seen = self.region.see(x);
        let mut by_features = vec![0.0; if gradient.is_empty() { 0 } else { seen.len() }];
        let value = average(outlooks, acquisition, &seen, fantasies, &mut by_features);
        if !gradient.is_empty() {
            self.region.gradient(x, &by_features, gradient);
        }
        value
    }
}

/// The mixture of the processes at a point.
fn mixture(outlooks: &[FantasyPosterior], x: &[f64], scale: &Scale) -> Normal {
    let at: Vec<Normal> = outlooks.iter().map(|outlook| outlook.at(x, 0)).collect();
    let count = at.len() as f64;
    let mean = at.iter().map(|at| at.mean).sum::<f64>() / count;
    let spread = at.iter().map(|at| at.variance + (at.mean - mean).powi(2)).sum::<f64>() / count;
    Normal { mean: scale.grow(mean), variance: spread * scale.square() }
}

/// The average of an acquisition over processes: for all but the upper confidence bound, which are
/// given by their logarithms, the logarithm of their average.
fn average(
    outlooks: &[FantasyPosterior],
    acquisition: Acquisition,
    x: &[f64],
    fantasies: usize,
    gradient: &mut [f64],
) -> f64 {
    let count = outlooks.len() as f64;
    let mut gradients = vec![0.0; outlooks.len() * gradient.len()];
    let values: Vec<f64> = outlooks
        .iter()
        .enumerate()
        .map(|(i, outlook)| {
            let gradient = &mut gradients[i * gradient.len()..][..gradient.len()];
            outlook.acquisition(acquisition, x, fantasies, gradient)
        })
        .collect();
    let is_log = !matches!(acquisition, Acquisition::UpperConfidenceBound { .. });
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = if is_log && highest.is_finite() {
        values.iter().map(|value| (value - highest).exp()).collect()
    } else {
        vec![1.0; values.len()]
    };
    let sum: f64 = shares.iter().sum();
    let width = gradient.len();
    for (d, slot) in gradient.iter_mut().enumerate() {
        *slot = shares.iter().enumerate().map(|(i, share)| share / sum * gradients[i * width + d]).sum();
    }
    if is_log { highest + (sum / count).ln() } else { values.iter().sum::<f64>() / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_history_gives_the_same_suggestion() {
        for samples in [10, 0] {
            let settings = Settings { samples, ..Settings::default() };
            let mut first = Optimizer::new(2, settings.clone(), 7);
            for i in 0..10 {
                let x = first.ask(&[]);
                first.tell(x.clone(), (5.0 * x[0]).sin() - x[1] + f64::from(i % 3) * 0.01, 1e-3);
            }
            let mut again = Optimizer::new(2, settings, 7);
            for o in first.observations().to_vec() {
                again.tell(o.x, o.y, o.variance);
            }
            let pending = [Pending { x: vec![0.3, 0.1], variance: 1e-3 }];
            assert_eq!(first.ask(&pending), again.ask(&pending));
            assert_ne!(first.ask(&pending), first.ask(&[]));
            assert_eq!(first.recommend(), again.recommend());
        }
    }

    #[test]
    fn fitted_parameters_find_the_optimum_too() {
        let mut optimizer = Optimizer::new(1, Settings { samples: 0, ..Settings::default() }, 1);
        for _ in 0..14 {
            let x = optimizer.ask(&[]);
            optimizer.tell(x.clone(), -(x[0] - 0.3).powi(2), 1e-6);
        }
        assert!((optimizer.recommend().unwrap().0[0] - 0.3).abs() < 0.02);
    }

    #[test]
    fn steps_and_choices_are_found() {
        use crate::Group;
        let region = Region::new(vec![Group::Grid(5), Group::One(3), Group::Line, Group::Rising(3)]);
        // Best at the third step, the second option, 0.3, and 0.2, 0.2, 0.9.
        let function = |x: &[f64]| {
            let option = [0.2, 0.5, 0.0][(1..4).position(|d| x[d] == 1.0).unwrap()];
            let rising = (x[5] - 0.3).powi(2) + (x[6] - 0.1).powi(2) + (x[7] - 0.9).powi(2);
            option - (x[0] - 0.5).powi(2) - (x[4] - 0.3).powi(2) - rising
        };
        let settings = Settings { candidates: 200, climbs: 4, samples: 4, ..Settings::default() };
        let mut optimizer = Optimizer::within(region.clone(), settings, 5);
        for _ in 0..40 {
            let x = optimizer.ask(&[]);
            let mut again = x.clone();
            region.project(&mut again);
            assert!(x.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12), "{x:?}");
            let y = function(&x);
            optimizer.tell(x, y, 1e-6);
        }
        let (x, at) = optimizer.recommend().unwrap();
        assert_eq!((x[0], &x[1..4]), (0.5, &[0.0, 1.0, 0.0][..]));
        assert!(at.mean > 0.46 && function(&x) > 0.46, "{x:?}: {at:?}, {}", function(&x));
    }

    #[test]
    fn functions_are_told_apart_by_their_values() {
        use crate::{Curve, Group};
        let curve = Curve { knots: 4, low: -4.0, high: 4.0, start: 0.0 };
        let seen = |x: &[f64]| Region::new(vec![Group::Curve(curve)]).see(x);
        let best = seen(&[0.4, 0.9, 0.2, 0.6]);
        let loss = |x: &[f64]| seen(x).iter().zip(&best).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let found = |region: Region| {
            let settings = Settings { candidates: 200, climbs: 4, samples: 4, ..Settings::default() };
            let mut optimizer = Optimizer::within(region, settings, 5);
            for _ in 0..20 {
                let x = optimizer.ask(&[]);
                optimizer.tell(x.clone(), -loss(&x), 1e-6);
            }
            loss(&optimizer.recommend().unwrap().0)
        };
        let (by_curve, by_knots) = (found(Region::new(vec![Group::Curve(curve)])), found(Region::cube(4)));
        assert!(by_curve < 1e-3 && by_curve < 0.5 * by_knots, "{by_curve} and {by_knots}");
    }

    #[test]
    fn many_observations_are_the_same_told_at_once() {
        let value = |x: &[f64]| (4.0 * x[0]).sin() - (x[1] - 0.4).powi(2);
        for acquisition in [Acquisition::ExpectedImprovement, Acquisition::KnowledgeGradient] {
            let settings = Settings { acquisition, candidates: 30, climbs: 2, ..Settings::default() };
            let pending = [Pending { x: vec![0.9, 0.9], variance: 1e-3 }];
            let mut asked = Optimizer::new(2, settings.clone(), 11);
            let mut told = asked.clone();
            for i in 0..135 {
                if i % 30 == 29 {
                    asked.ask(&[]);
                }
                let x: Vec<f64> = [0.618, 0.755].iter().map(|step| (step * i as f64).fract()).collect();
                for optimizer in [&mut asked, &mut told] {
                    optimizer.tell(x.clone(), value(&x), 1e-4);
                }
            }
            assert_eq!(asked.ask(&pending), told.ask(&pending));
        }
    }

    #[test]
    fn when_it_was_asked_does_not_matter() {
        let value = |x: &[f64]| (4.0 * x[0]).sin() - (x[1] - 0.4).powi(2);
        let mut asked = Optimizer::new(2, Settings::default(), 11);
        let mut points = Vec::new();
        for i in 0..12 {
            let far = Pending { x: vec![0.9, 0.9], variance: 1e-3 };
            let x = asked.ask(&vec![far; i % 5]);
            asked.tell(x.clone(), value(&x), 1e-4);
            if i == 0 || i == 5 {
                asked.recommend();
            }
            points.push(x);
        }
        let mut told = Optimizer::new(2, Settings::default(), 11);
        points.into_iter().for_each(|x| told.tell(x.clone(), value(&x), 1e-4));
        assert_eq!(asked.ask(&[]), told.ask(&[]));
    }

    #[test]
    #[should_panic(expected = "the value is NaN; accepted: -1e100 to 1e100")]
    fn a_value_is_a_number() {
        Optimizer::new(1, Settings::default(), 1).tell(vec![0.5], f64::NAN, 0.0);
    }

    #[test]
    #[should_panic(expected = "the variance is -1; accepted: at least 0, with a root of at most 1e100")]
    fn a_variance_is_not_negative() {
        Optimizer::new(1, Settings::default(), 1).tell(vec![0.5], 0.5, -1.0);
    }

    #[test]
    fn the_largest_values_leave_numbers() {
        let mut optimizer = Optimizer::new(1, Settings { initial: 2, ..Settings::default() }, 1);
        for (x, y) in [(0.1, -1e100), (0.5, 1e100), (0.9, 0.5)] {
            optimizer.tell(vec![x], y, 0.0);
        }
        assert!(optimizer.recommend().unwrap().1.mean.is_finite());
    }

    #[test]
    #[should_panic(expected = "there are 257 coordinates; accepted: 1 to 256")]
    fn there_are_not_more_coordinates_than_sobol_has() {
        Optimizer::new(257, Settings::default(), 1);
    }

    #[test]
    #[should_panic(expected = "fantasies is 0; accepted: at least 1")]
    fn settings_are_checked() {
        Optimizer::new(1, Settings { fantasies: 0, ..Settings::default() }, 1);
    }

    #[test]
    fn draws_of_the_optimum_lie_round_it() {
        let mut optimizer = Optimizer::new(1, Settings::default(), 2);
        for i in 0..12 {
            let x = f64::from(i) / 11.0;
            optimizer.tell(vec![x], -(x - 0.4).powi(2), 1e-4);
        }
        let optima = optimizer.optima(50, 60);
        assert_eq!(optima.len(), 50);
        let mean = optima.iter().map(|x| x[0]).sum::<f64>() / 50.0;
        let spread = optima.iter().map(|x| (x[0] - mean).powi(2)).sum::<f64>() / 50.0;
        assert!((mean - 0.4).abs() < 0.1 && spread > 1e-5 && spread < 0.02, "{mean}, {spread}");
        let at = optimizer.predict(&[vec![0.4], vec![0.9]]).unwrap();
        assert!((at[0].mean + 0.0).abs() < 0.02 && (at[1].mean + 0.25).abs() < 0.02, "{at:?}");
    }

    #[test]
    fn points_under_way_are_kept_away_from() {
        let mut optimizer = Optimizer::new(2, Settings::default(), 3);
        for _ in 0..12 {
            let x = optimizer.ask(&[]);
            optimizer.tell(x.clone(), -(x[0] - 0.6).powi(2) - (x[1] - 0.2).powi(2), 1e-6);
        }
        let mut pending = Vec::new();
        for _ in 0..4 {
            let x = optimizer.ask(&pending);
            let nearest = pending
                .iter()
                .map(|p: &Pending| p.x.iter().zip(&x).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt())
                .fold(f64::INFINITY, f64::min);
            assert!(nearest > 1e-3, "{x:?} is {nearest} from one of {pending:?}");
            pending.push(Pending { x, variance: 1e-6 });
        }
    }
}
