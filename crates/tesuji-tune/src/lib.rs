//! Bayesian optimization of noisy functions, such as win rates: where is one greatest that costs
//! many games to look at?
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Optimizer`] | ask for a point, tell what was observed there, recommend |
//! | [`Posterior`], [`Matern52`] | the Gaussian process, given observations each with noise of its own |
//! | [`Hyper`], [`Prior`] | its parameters, and how they are drawn |
//! | [`FantasyPosterior`], [`Acquisition`] | what a look at a point promises while others are under way |
//! | [`Space`], [`Parameter`] | parameters with names and domains, and their values at a point |
//! | [`win_rate`] | an observation from games won |
//!
//! Points have coordinates in [0, 1]. `cargo run --release -p tesuji-tune --example bo60` measures
//! regret on four known functions.

mod acquisition;
mod chain;
mod curve;
mod domain;
mod factor;
mod fantasy_posterior;
mod fit;
mod hyper;
mod kernel;
mod knowledge;
mod likelihood;
mod maximise;
mod normal;
mod optimizer;
mod posterior;
mod region;
mod scale;
mod settings;
mod space;
mod sweep;
#[cfg(test)]
mod testing;

pub use acquisition::{Acquisition, expected_improvement, log_expected_improvement, upper_confidence_bound};
pub use curve::Curve;
pub use domain::{Domain, Value};
pub use fantasy_posterior::{Fantasy, FantasyPosterior, Incumbent, Pending};
pub use hyper::{Hyper, Prior};
pub use kernel::Matern52;
pub use normal::{Normal, density, distribution, win_rate};
pub use optimizer::Optimizer;
pub use posterior::{NotPositiveDefinite, Observation, Posterior};
pub use region::{Group, Region};
pub use settings::Settings;
pub use space::{Parameter, Space, SpaceError};
