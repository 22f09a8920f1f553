//! The settings of self-play and learning.

use serde::{Deserialize, Serialize};
use tesuji::recipe::check_part;
use tesuji::{Puct, Rng, RootPolicy};
use tesuji_go::Komi;
use tesuji_net::{Muon, Schedule, Sgd};

/// The settings of the games of a network against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlay {
    /// Simulations of a search, at least 2. Default: 32.
    pub simulations: u64,
    /// The policy at the root. Default: `gumbel` with 16 considered moves, where the target is the
    /// improved policy. With the other kinds, the target is the shares of the visits; `dirichlet`
    /// adds noise.
    pub root: RootPolicy,
    /// The tree policy. Default: PUCT with c = 1.25, first play at the parent's value.
    pub select: Puct,
    /// The number N of opening moves that are drawn, each with a probability proportional to its
    /// visits to the power 1/`temperature` (Silver et al. 2017). Later moves are the best ones. Not
    /// used with `gumbel`, whose noise makes games differ. Default: 16.
    pub tempered: u32,
    /// The temperature of those moves, above 0. Default: 1.
    pub temperature: f32,
    /// The share of searches with all simulations, above 0, at most 1. Only their results are
    /// learned (playout cap randomization, Wu 2019). Default: 1.
    pub full: f32,
    /// Simulations of the other searches, at least 2; they have no noise. Default: 8.
    pub cheap: u64,
    /// A player resigns if the value of the position is below this after a search with all
    /// simulations. In [0, 1/2). Default: 0, never.
    pub resign: f32,
    /// The share of games in which nobody resigns. Default: 0.1.
    pub no_resign: f32,
    /// A game ends after N moves, and its board is counted; 0: three moves for each point. Default:
    /// 0.
    pub longest: u32,
    /// The range from which the komi of each game is drawn. Default: none, the komi of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub komi: Option<KomiRange>,
    /// A game begins with 0 to N random moves at points; each number is equally likely. Only a
    /// teacher makes the network learn from their positions. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<u32>,
    /// Go on boards of several sizes, for a pooling network: each size, from 2 to 19, with its
    /// share of the games. A game draws its board with these shares; see
    /// [`trainable_go_on`](crate::trainable_go_on). Default: empty, one board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<(usize, u32)>,
    /// Memory for evaluations by each thread on each board, in MiB, at most 2^20. 0: none. Default:
    /// 64.
    pub cache: usize,
    /// Games that each thread plays side by side, so that their positions are evaluated together,
    /// from 1 to 1024. It does not change any game. Default: 8.
    #[serde(skip_serializing)]
    pub pool: usize,
}

/// Komi, all equally frequent: the multiples of a half from `mean - spread` to `mean + spread`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KomiRange {
    /// A multiple of a half, from -150 to 150.
    pub mean: f32,
    /// A multiple of a half, from 0 to 150.
    pub spread: f32,
}

impl KomiRange {
    /// All of them, in rising order.
    pub fn komis(&self) -> impl ExactSizeIterator<Item = Komi> + use<> {
        let [mean, spread] = [self.mean, self.spread].map(|points| (2.0 * points) as i16);
        (0..2 * spread as u16 + 1).map(move |step| Komi::from_halves(mean - spread + step as i16))
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> Komi {
        let mut komis = self.komis();
        let drawn = rng.below(komis.len() as u32) as usize;
        komis.nth(drawn).expect("it is one of them")
    }
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay {
            simulations: 32,
            root: RootPolicy::Gumbel(Default::default()),
            select: Puct { c: 1.25, ..Puct::default() },
            tempered: 16,
            temperature: 1.0,
            full: 1.0,
            cheap: 8,
            resign: 0.0,
            no_resign: 0.1,
            longest: 0,
            komi: None,
            opening: None,
            boards: Vec::new(),
            cache: 64,
            pool: 8,
        }
    }
}

/// The settings of the learning of a network from games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    /// Positions of a step, at least 1. Default: 128.
    pub batch: usize,
    /// The number of samples that training draws for each new position, above 0, at most 32.
    /// Default: 1. KataGo takes 4 (Wu 2019). More samples cost time that self-play needs, and the
    /// network learns its games by heart; but the labels of a slow teacher deserve more.
    pub samples: f64,
    /// The latest positions, from which samples are drawn. Default: 250 000.
    pub window: u64,
    /// The growth of the window, in [0, 1): when N positions were played, more than `window` W, the
    /// window has W (N / W)^`growth` of them. Default: 0, it does not grow.
    #[serde(skip_serializing_if = "is_zero")]
    pub growth: f64,
    /// The share of games that are held out: they are not trained on, and losses are measured on
    /// them. In [0, 1/2]. Default: 0.02.
    pub held_out: f64,
    /// The share of the search's value in the target of the value, in [0, 1]; the rest is the
    /// result. Default: 0.
    pub search_value: f32,
    /// The share of samples that are drawn by the surprise of the search, in [0, 1], see
    /// [`TrainingGame::by_surprise`](crate::TrainingGame::by_surprise). The targets of a teacher
    /// and of SGF files have none. Default: 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub surprise: f64,
    /// The factor of the value's loss, in [0, 100]. With few games, a factor below 1 delays
    /// learning them by heart. Default: 1.
    pub value_weight: f32,
    /// The learning rate. Default: 0.02.
    pub rate: Schedule,
    /// Momentum, in [0, 1). Default: 0.9.
    pub momentum: f32,
    /// Weight decay, at least 0. Default: 0.0001.
    pub decay: f32,
    /// The steps of the 3x3 kernels, see [`Muon`]. Default: none, those of all parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muon: Option<Muon>,
    /// The share of the mean of the weights that each step keeps, in [0, 1), see
    /// [`Trainer::with_average`](tesuji_net::Trainer::with_average): the network that plays and is
    /// kept has the mean weights. Default: 0, it has the latest ones.
    #[serde(skip_serializing_if = "is_zero")]
    pub average: f64,
    /// Threads of a step. The last bits of a network depend on it. Default: 1.
    pub threads: usize,
}

impl Default for Learning {
    fn default() -> Learning {
        let Sgd { rate, momentum, decay, muon } = Sgd::default();
        Learning {
            batch: 128,
            samples: 1.0,
            window: 250_000,
            growth: 0.0,
            held_out: 0.02,
            search_value: 0.0,
            surprise: 0.0,
            value_weight: 1.0,
            rate,
            momentum,
            decay,
            muon,
            average: 0.0,
            threads: 1,
        }
    }
}

// Serde gives a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A fault of a setting, in a sentence.
fn wrong(key: &str, value: impl std::fmt::Display, accepted: &str) -> Result<(), String> {
    Err(format!("{key} is {value}; accepted: {accepted}"))
}

impl SelfPlay {
    /// Checks the ranges.
    ///
    /// # Errors
    /// The first key that is out of its range, and what is accepted.
    pub fn check(&self) -> Result<(), String> {
        for (key, value) in [("simulations", self.simulations), ("cheap", self.cheap)] {
            if !(2..=1 << 20).contains(&value) {
                return wrong(key, value, "2 to 1048576");
            }
        }
        if !(self.temperature > 0.0 && self.temperature <= 100.0) {
            return wrong("temperature", self.temperature, "above 0, at most 100");
        }
        if !(self.full > 0.0 && self.full <= 1.0) {
            return wrong("full", self.full, "above 0, at most 1");
        }
        if !(0.0..0.5).contains(&self.resign) {
            return wrong("resign", self.resign, "at least 0, below 0.5");
        }
        if !(0.0..=1.0).contains(&self.no_resign) {
            return wrong("no_resign", self.no_resign, "0 to 1");
        }
        if let Some(KomiRange { mean, spread }) = self.komi {
            let is_in = |x: f32, least: f32| (2.0 * x).fract() == 0.0 && (least..=150.0).contains(&x);
            if !is_in(mean, -150.0) {
                return wrong("komi.mean", mean, "a multiple of a half from -150 to 150");
            }
            if !is_in(spread, 0.0) {
                return wrong("komi.spread", spread, "a multiple of a half from 0 to 150");
            }
        }
        if self.opening.is_some_and(|moves| moves > 1000) {
            return wrong("opening", self.opening.unwrap_or_default(), "0 to 1000");
        }
        for (i, &(size, share)) in self.boards.iter().enumerate() {
            if !(2..=19).contains(&size) || self.boards[..i].iter().any(|&(other, _)| other == size) {
                return wrong("a size of boards", size, "2 to 19, each once");
            }
            if !(1..=1_000_000).contains(&share) {
                return wrong("a share of boards", share, "1 to 1000000");
            }
        }
        if self.cache > 1 << 20 {
            return wrong("cache", self.cache, "0 to 1048576");
        }
        if !(1..=1024).contains(&self.pool) {
            return wrong("pool", self.pool, "1 to 1024");
        }
        check_part("root", &self.root)?;
        check_part("select", &self.select)
    }
}

impl Learning {
    /// Checks the ranges.
    ///
    /// # Errors
    /// The first key that is out of its range, and what is accepted.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=1 << 16).contains(&self.batch) {
            return wrong("batch", self.batch, "1 to 65536");
        }
        if !(self.samples > 0.0 && self.samples <= 32.0) {
            return wrong("samples", self.samples, "above 0, at most 32");
        }
        if !(1..=1 << 32).contains(&self.window) {
            return wrong("window", self.window, "1 to 4294967296");
        }
        if !(0.0..1.0).contains(&self.growth) {
            return wrong("growth", self.growth, "at least 0, below 1");
        }
        // A file has it in 32 bits.
        if !(0.0..1.0).contains(&(self.average as f32)) {
            return wrong("average", self.average, "at least 0, at most 0.9999999");
        }
        if !(0.0..=0.5).contains(&self.held_out) {
            return wrong("held_out", self.held_out, "0 to 0.5");
        }
        if !(0.0..=1.0).contains(&self.search_value) {
            return wrong("search_value", self.search_value, "0 to 1");
        }
        if !(0.0..=1.0).contains(&self.surprise) {
            return wrong("surprise", self.surprise, "0 to 1");
        }
        if !(0.0..=100.0).contains(&self.value_weight) {
            return wrong("value_weight", self.value_weight, "0 to 100");
        }
        if !(0.0..1.0).contains(&self.momentum) {
            return wrong("momentum", self.momentum, "at least 0, below 1");
        }
        if !(0.0..=1.0).contains(&self.decay) {
            return wrong("decay", self.decay, "0 to 1");
        }
        if let Some(Muon { rate, momentum, decay }) = self.muon {
            if !(rate > 0.0 && rate <= 100.0) {
                return wrong("muon.rate", rate, "above 0, at most 100");
            }
            if !(0.0..1.0).contains(&momentum) {
                return wrong("muon.momentum", momentum, "at least 0, below 1");
            }
            if !(0.0..=1.0).contains(&decay) {
                return wrong("muon.decay", decay, "0 to 1");
            }
        }
        if !(1..=1024).contains(&self.threads) {
            return wrong("threads", self.threads, "1 to 1024");
        }
        self.check_rate()
    }

    fn check_rate(&self) -> Result<(), String> {
        let rates = match &self.rate {
            Schedule::Constant { rate } => vec![*rate],
            Schedule::Steps { rate, then } => {
                if then.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
                    return Err("rate.then has steps that do not rise; accepted: rising steps".to_owned());
                }
                [*rate].into_iter().chain(then.iter().map(|&(_, rate)| rate)).collect()
            }
            Schedule::Cosine { rate, end, steps } => {
                if *steps == 0 {
                    return wrong("rate.steps", steps, "at least 1");
                }
                if !(0.0..=10.0).contains(end) {
                    return wrong("rate.end", end, "0 to 10");
                }
                vec![*rate]
            }
        };
        match rates.iter().find(|&&rate| !(rate > 0.0 && rate <= 10.0)) {
            Some(rate) => wrong("rate", rate, "above 0, at most 10"),
            None => Ok(()),
        }
    }

    /// The rules of the steps.
    pub fn sgd(&self) -> Sgd {
        Sgd { rate: self.rate.clone(), momentum: self.momentum, decay: self.decay, muon: self.muon }
    }

    /// The number of steps taken once `positions` positions have come in.
    pub fn steps(&self, positions: u64) -> u64 {
        (self.samples * positions as f64 / self.batch as f64) as u64
    }

    /// The size of the window when `positions` positions were played.
    pub fn window(&self, positions: u64) -> u64 {
        let window = self.window as f64;
        if self.growth == 0.0 || positions <= self.window {
            return self.window;
        }
        (window * (positions as f64 / window).powf(self.growth)) as u64
    }

    /// Whether the game with this number is held out. Held-out games are spread evenly.
    pub fn is_held_out(&self, number: u64) -> bool {
        let before = |number: u64| (number as f64 * self.held_out) as u64;
        before(number + 1) > before(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::{Dirichlet, Gumbel};

    #[test]
    fn defaults_are_accepted_and_what_is_out_of_range_is_named() {
        assert_eq!((SelfPlay::default().check(), Learning::default().check()), (Ok(()), Ok(())));
        for (play, expected) in [
            (SelfPlay { simulations: 1, ..SelfPlay::default() }, "simulations is 1; accepted: 2 to"),
            (SelfPlay { full: 0.0, ..SelfPlay::default() }, "full is 0"),
            (SelfPlay { temperature: f32::NAN, ..SelfPlay::default() }, "temperature is NaN"),
            (SelfPlay { resign: 0.5, ..SelfPlay::default() }, "resign is 0.5"),
            (
                SelfPlay { select: Puct { c: f32::NAN, ..Puct::default() }, ..SelfPlay::default() },
                "`select.c`: nan is not accepted; accepted: 0 to 100",
            ),
            (
                SelfPlay { select: Puct { c: 100.1, ..Puct::default() }, ..SelfPlay::default() },
                "`select.c`: 100.1 is not accepted",
            ),
            (
                SelfPlay {
                    root: RootPolicy::Gumbel(Gumbel { considered: 0, ..Gumbel::default() }),
                    ..SelfPlay::default()
                },
                "`root.considered`: 0 is not accepted; accepted: 1 to 65535",
            ),
        ] {
            assert!(play.check().unwrap_err().contains(expected), "{play:?}");
        }
        let least = Dirichlet { total: 0.01, ..Dirichlet::default() };
        let play = SelfPlay { root: RootPolicy::Dirichlet(least), ..SelfPlay::default() };
        assert_eq!(play.check(), Ok(()));
        let steps = |then| Schedule::Steps { rate: 0.1, then };
        for (learning, expected) in [
            (
                Learning { samples: 32.5, ..Learning::default() },
                "samples is 32.5; accepted: above 0, at most 32",
            ),
            (Learning { growth: 1.0, ..Learning::default() }, "growth is 1; accepted: at least 0, below 1"),
            (Learning { average: -0.1, ..Learning::default() }, "average is -0.1"),
            (
                Learning { average: 0.999_999_99, ..Learning::default() },
                "average is 0.99999999; accepted: at least 0, at",
            ),
            (Learning { batch: 0, ..Learning::default() }, "batch is 0"),
            (Learning { momentum: 1.0, ..Learning::default() }, "momentum is 1"),
            (
                Learning { muon: Some(Muon { rate: 0.0, ..Muon::default() }), ..Learning::default() },
                "muon.rate is 0; accepted: above 0, at most 100",
            ),
            (
                Learning { muon: Some(Muon { momentum: 1.0, ..Muon::default() }), ..Learning::default() },
                "muon.momentum is 1; accepted: at least 0, below 1",
            ),
            (
                Learning { muon: Some(Muon { decay: 1.5, ..Muon::default() }), ..Learning::default() },
                "muon.decay is 1.5; accepted: 0 to 1",
            ),
            (Learning { value_weight: -1.0, ..Learning::default() }, "value_weight is -1"),
            (Learning { rate: steps(vec![(9, 0.1), (9, 0.2)]), ..Learning::default() }, "rising"),
            (Learning { rate: steps(vec![(9, 0.0)]), ..Learning::default() }, "rate is 0"),
        ] {
            assert!(learning.check().unwrap_err().contains(expected), "{learning:?}");
        }
    }

    #[test]
    fn held_out_games_have_their_share() {
        let learning = Learning { held_out: 0.03, ..Learning::default() };
        let held = (0..10_000).filter(|&number| learning.is_held_out(number)).count();
        assert_eq!(held, 300);
        assert!(
            !(0..100).any(|number| Learning { held_out: 0.0, ..Learning::default() }.is_held_out(number))
        );
    }

    #[test]
    fn a_window_grows_and_no_game_comes_back() {
        let learning = Learning { window: 1000, growth: 0.5, ..Learning::default() };
        assert_eq!([0, 1000, 4000, 1_000_000].map(|n| learning.window(n)), [1000, 1000, 2000, 31_622]);
        let starts: Vec<u64> = (1000..20_000).map(|n| n - learning.window(n)).collect();
        assert!(starts.is_sorted());
        assert_eq!(Learning { growth: 0.0, ..learning }.window(1_000_000), 1000);
    }

    #[test]
    fn steps_do_not_lose_fractions() {
        let learning = Learning { batch: 100, samples: 0.5, ..Learning::default() };
        assert_eq!([0, 199, 200, 399, 1000].map(|positions| learning.steps(positions)), [0, 0, 1, 1, 5]);
    }
}
