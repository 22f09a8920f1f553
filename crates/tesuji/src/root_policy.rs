//! Root policies: exploration at the root that differs from the tree policy.

/// The exploration of the root; below it the tree policy rules alone. All but the plain kind need
/// priors: a search whose tree policy reads none refuses them.
///
/// ```
/// use tesuji::doc_game::Nim;
/// use tesuji::{Budget, Gumbel, Mean, Options, Puct, RootPolicy, Search, Uniform};
///
/// let game = Nim::new(7);
/// let options = Options { root: RootPolicy::Gumbel(Gumbel::default()), ..Options::default() };
/// let mut search = Search::new(&game, Puct::default(), Mean {}, Uniform {}, options, 1).unwrap();
/// let report = search.run(&game, &Budget::simulations(300)).unwrap();
/// assert_eq!(report.best, 3);
///
/// // What a policy network would learn from this search.
/// let mut target = Vec::new();
/// search.policy_target(&mut target);
/// assert!(target.iter().all(|&(m, p)| (p > 0.5) == (m == 3)));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum RootPolicy {
    /// As every other node.
    #[default]
    Plain,
    /// Noise on the priors, so that self-play sees more moves.
    Dirichlet(Dirichlet),
    /// Sequential halving of a few moves drawn by their priors, which improves on the priors in
    /// very few simulations.
    Gumbel(Gumbel),
}

impl RootPolicy {
    #[cfg(feature = "recipe")]
    pub(crate) fn is_plain(&self) -> bool {
        *self == RootPolicy::Plain
    }
}

/// Noise on the priors of the root (Silver et al. 2017): P becomes (1 - e) P + e D, with e the
/// `share` and D drawn from a Dirichlet distribution anew for each search.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Dirichlet {
    /// The sum of the distribution's parameters, of which each move has an equal share. The smaller
    /// it is, the fewer moves get most of the noise.
    ///
    /// Range: 0.01 to 10000. Default: 10.83.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.01, max = 10000.0)))]
    pub total: f32,
    /// Share e of the noise.
    ///
    /// Range: 0 to 1 (share). Default: 0.25.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "share")))]
    pub share: f32,
}

impl Default for Dirichlet {
    /// total = 10.83, which is 0.03 for each point of a board of 19x19; a share of 0.25.
    fn default() -> Dirichlet {
        Dirichlet { total: 10.83, share: 0.25 }
    }
}

/// Planning with Gumbel (Danihelka et al. 2022): the search considers the moves with the greatest
/// `g + ln P`, where g is drawn from a Gumbel distribution. Sequential halving divides the
/// simulations among them by `g + ln P + s(x)`. Among the moves with the most simulations, the one
/// with the greatest `g + ln P + s(x)` is played, whatever [`FinalMove`](crate::FinalMove) says.
/// Here x is a move's value and s(x) = (`visits` + most visits of a move) `scale` x.
///
/// The simulations of the budget are divided once. If the budget has no such number, or more
/// simulations are made, the halving begins again with twice as many. It does not go with the
/// solver, two-level search, or root parallelisation.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Gumbel {
    /// The number of moves considered.
    ///
    /// Range: 1 to 65535 (moves). Default: 16.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 65535), extend("unit" = "moves")))]
    pub considered: u32,
    /// Factor of g. With 0 the best priors are considered, and equal positions are answered by
    /// equal moves.
    ///
    /// Range: 0 to 100. Default: 1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0)))]
    pub noise: f32,
    /// Visits added to those of the most visited move in s.
    ///
    /// Range: 0 to 1000000 (visits). Default: 50.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1e6), extend("unit" = "visits")))]
    pub visits: f32,
    /// Weight of a value in s.
    ///
    /// Range: 0 to 100. Default: 1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0)))]
    pub scale: f32,
}

impl Default for Gumbel {
    /// 16 moves, full noise, 50 visits and a scale of 1, as in the source's 9x9 Go.
    fn default() -> Gumbel {
        Gumbel { considered: 16, noise: 1.0, visits: 50.0, scale: 1.0 }
    }
}

impl Gumbel {
    /// s(x), for the most visits of a move.
    #[inline]
    pub(crate) fn worth(&self, most: u32, x: f32) -> f32 {
        (self.visits + most as f32) * self.scale * x
    }
}
