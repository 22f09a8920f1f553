//! Bayesian optimization of noisy functions, such as win rates.

mod acquisition;
mod factor;
mod hyper;
mod kernel;
mod maximise;
mod normal;
mod optimizer;
mod outlook;
mod posterior;
#[cfg(test)]
mod testing;

pub use acquisition::{Acquisition, expected_improvement, log_expected_improvement, upper_confidence_bound};
pub use hyper::{Hyper, Prior};
pub use kernel::Matern52;
pub use normal::{Normal, density, distribution, win_rate};
pub use optimizer::{Optimizer, Settings};
pub use outlook::{Fantasy, Incumbent, Outlook, Pending};
pub use posterior::{NotPositiveDefinite, Observation, Posterior};
