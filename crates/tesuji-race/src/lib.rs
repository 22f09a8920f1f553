//! Bandit races with guaranteed error rates (Hoock & Teytaud 2010): which modifications of a
//! program are better than the program itself, if one game says little and there are many
//! modifications?
//!
//! ```
//! use tesuji_race::{Race, Rewards, Rule, Settings, Winner};
//!
//! // Two arms: the first wins 8 of 10 games, the second 5 of 10.
//! let mut race = Race::new(2, Settings { rule: Rule::Betting, ..Settings::default() });
//! while let Some(batch) = race.next() {
//!     let wins = (batch.rewards as f64 * [0.8, 0.5][batch.arm]).round() as u64;
//!     race.tell(batch.arm, Rewards::games([batch.rewards - wins, 0, wins]));
//! }
//! assert_eq!(race.winner(), Some(Winner::Arm(0)));
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Race`] | the next arm to play, the number of rewards, and the decisions so far |
//! | [`Rewards`] | the rewards of an arm: their number, and the sums of their powers |
//! | [`Rule`] | bounds of an arm's efficiency around its mean reward: by Hoeffding, by Bernstein, by an e-process, by betting |
//! | [`Spending`] | the division of a risk over the unlimited tests of an arm |
//! | [`RiskBudget`] | the division of a risk over successive races |
//!
//! An *arm* is a modification; its *efficiency* is its expected reward, in [0, 1], where the
//! unmodified program has 1/2. A reward is the value of a game, 1 for a win and 1/2 for a draw, or
//! the mean value of two with colours swapped.

mod arm;
mod betting;
mod evidence;
mod race;
mod rewards;
mod rule;

pub use arm::{Arm, Verdict};
pub use betting::{betting_bounds, log_wealth};
pub use evidence::{log_evidence, sequence_bounds};
pub use race::{Batch, Race, Settings, Winner};
pub use rewards::Rewards;
pub use rule::{RiskBudget, Rule, Spending, bernstein, hoeffding};
