//! Races with guaranteed error rates (Hoock & Teytaud 2010): which of some modifications of a
//! program is better than the program, when a game says little and many modifications are tried?
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Race`] | which arm to play next, how much, and what has been decided |
//! | [`Rewards`] | what was observed of an arm: how many rewards, sums of their powers |
//! | [`Rule`] | how far an arm's efficiency may be from its mean reward: by Hoeffding, by Bernstein, by an e-process, by betting |
//! | [`Spending`] | how a risk is divided over tests without end: those of an arm |
//! | [`RiskBudget`] | how it is divided over races that follow each other |
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
