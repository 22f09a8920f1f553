//! Bayesian optimization of noisy functions, such as win rates: where is a function greatest if
//! each observation costs many games?
//!
//! ```
//! use tesuji_tune::{Optimizer, Settings};
//!
//! // A function of one coordinate with its maximum at 0.3, observed without noise.
//! let mut optimizer = Optimizer::new(1, Settings::default(), 1);
//! for _ in 0..12 {
//!     let x = optimizer.ask(&[]);
//!     let y = 1.0 - (x[0] - 0.3).powi(2);
//!     optimizer.tell(x, y, 0.0);
//! }
//! let (best, _) = optimizer.recommend().unwrap();
//! assert!((best[0] - 0.3).abs() < 0.1);
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Optimizer`] | asks for a point, takes its observation, and recommends the best point |
//! | [`Posterior`], [`Matern52`] | the Gaussian process, given observations each with noise of its own |
//! | [`Hyper`], [`Prior`] | its parameters, and their prior |
//! | [`FantasyPosterior`], [`Acquisition`] | the expected use of an observation while others are under way |
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
