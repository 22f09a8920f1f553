//! Monte Carlo tree search from small exchangeable parts, in bounded memory.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod amaf;
#[cfg(feature = "recipe")]
mod any;
mod backup;
mod bias;
mod bot;
mod budget;
mod candidates;
mod columns;
pub mod conformance;
pub mod doc_game;
mod dump;
mod evaluate;
mod final_move;
mod game;
mod guide;
mod halving;
mod incentives;
mod math;
mod memory;
mod minimax;
mod monotone;
mod node;
mod outcome;
mod perft;
mod player;
mod playout;
mod recency;
#[cfg(feature = "recipe")]
pub mod recipe;
mod report;
mod rng;
#[cfg(feature = "std")]
mod root_parallel;
mod root_policy;
mod search;
mod select;
#[cfg(feature = "std")]
mod shared_tree;
mod solver;
mod tree;
#[cfg(feature = "std")]
mod tree_parallel;
mod untried;

pub use amaf::{Amaf, AmafCounts, AmafOptions};
#[cfg(feature = "recipe")]
pub use any::{AnyBackup, AnyParallel, AnyPlayout, AnySelect, BoundPlayout, RootThreads, TreeThreads};
pub use backup::{
    Accelerated, Backup, BestChild, Change, Coulom, Erwa, ErwaStart, Feedback, FeedbackClock, Max, MaxMcts,
    Mean, Mellowmax, MonotoneWeights, NodeMut, OwnSample, PowerMean, Profile, Replay, Schedule, Softmax,
    Steps, Weights,
};
pub use bias::{Advisor, Bias};
pub use bot::{Bot, BotError, Observer, Reply};
pub use budget::{Budget, Stop};
pub use columns::Columns;
pub use dump::Dump;
pub use evaluate::{Evaluate, NetworkOptions, NetworkSymmetry};
pub use final_move::FinalMove;
pub use game::{Game, Notation, Played, Trace};
pub use guide::{Guide, Look};
pub use incentives::Incentives;
pub use math::ln;
pub use memory::{Memory, MemoryError};
pub use minimax::{AlphaBeta, Solution, alpha_beta, alpha_beta_to_depth, minimax};
pub use monotone::Monotone;
pub use node::{Link, Node, NodeId};
pub use outcome::{Outcome, Scores, Value};
pub use perft::perft;
pub use player::Player;
pub use playout::{Evaluated, FirstList, Line, Mast, Maxi, Playout, Primed, Uniform};
pub use report::{ChildReport, Proven, Report, StopReason};
pub use rng::Rng;
#[cfg(feature = "std")]
pub use root_parallel::RootParallel;
pub use root_policy::{Dirichlet, Gumbel, RootPolicy};
pub use search::{Choice, Options, Search, SearchError, Ties, TwoLevel};
pub use select::{
    Child, EpsilonGreedy, FirstPlay, Grave, HandSelectedRave, NodeView, Parent, Pick, Puct, PuctCount,
    RoundRobin, Select, Shared, Ucb, UcbTuned,
};
pub use tree::{Children, Step, Tree};
#[cfg(feature = "std")]
pub use tree_parallel::{SharedError, TreeParallel};
