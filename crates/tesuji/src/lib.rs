//! Monte Carlo tree search from small exchangeable parts, in bounded memory.
//!
//! ```
//! use tesuji::doc_game::Nim;
//! use tesuji::{Budget, Mean, Memory, Options, Search, Ucb, Uniform};
//!
//! let game = Nim::new(10);
//! let memory = Memory { bytes: Some(64 << 10), ..Memory::default() };
//! let options = Options { memory, ..Options::default() };
//! let mut search = Search::new(&game, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, 1).unwrap();
//! let report = search.run(&game, &Budget::simulations(1000)).unwrap();
//! assert_eq!(report.best, 2, "leaves a multiple of four");
//! assert!(report.bytes_peak <= 64 << 10);
//! ```
//!
//! | part | what it decides | ready-made |
//! | --- | --- | --- |
//! | [`Game`] | the rules; four methods are required | [`doc_game`], and the crate `tesuji-games` |
//! | [`Keyed`], [`Playouts`], [`Knowledge`] | what else a game can do for a search; every method has a default | [`PlainGame`] takes them all |
//! | [`Select`] | the child that a simulation visits next | [`Ucb`], [`UcbTuned`], [`Puct`], [`Grave`], [`HandSelectedRave`], [`RoundRobin`], [`EpsilonGreedy`] |
//! | [`Backup`] | how a sample changes the values on its path | [`Mean`], [`Erwa`], [`Feedback`], [`Weights`], [`MonotoneWeights`], [`Softmax`], [`Coulom`], [`Max`], [`MaxMcts`], [`PowerMean`], [`Mellowmax`], [`Accelerated`] |
//! | [`Playout`] | the moves beyond the tree, or an evaluation instead of them | [`Uniform`], [`Mast`], [`Maxi`], [`Evaluated`], [`Primed`] |
//! | [`Options`] | everything else | [`FinalMove`], [`RootPolicy`], [`Memory`], [`TwoLevel`], [`AmafOptions`], [`Bias`]; solver, tree reuse, recycling |
//! | [`Budget`] | when a search ends | simulations, time, a [`Stop`] from elsewhere |
//! | [`Bot`] | an agent as a whole | [`Search`], [`RootParallel`] |
//! | [`Pool`] | many searches at once; one call evaluates the positions of all | [`AskTell`] |
//! | [`recipe`] | an agent described in TOML, assembled at run time | the recipes that come with the library |
//! | [`conformance`] | a test of your own game against the rules of [`Game`] | |
//! | [`minimax()`] | exact values, for comparison | [`alpha_beta`], [`AlphaBeta`] |
//!
//! # Features
//!
//! - `std` (default): clocks and threads. Without it, the crate needs only `alloc`, and budgets
//!   have no time limit.
//! - `recipe`: the module [`recipe`] and its TOML parser; implies `std`.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod amaf;
#[cfg(feature = "recipe")]
mod any;
mod archive;
mod atomic;
mod backup;
mod bias;
mod bot;
mod budget;
mod candidates;
mod code;
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
mod node_report;
mod outcome;
mod perft;
mod player;
mod playout;
mod pool;
mod recency;
#[cfg(feature = "recipe")]
pub mod recipe;
mod report;
mod reserved;
mod rng;
#[cfg(feature = "std")]
mod root_parallel;
mod root_policy;
mod saved;
mod search;
mod select;
mod solver;
mod tree;
mod untried;

pub use amaf::{Amaf, AmafCounts, AmafOptions};
#[cfg(feature = "recipe")]
pub use any::{
    AnyBackup, AnyParallel, AnyPlayout, AnySelect, BoundPlayout, InFlightKind, Own, OwnBackup, OwnPart,
    OwnPlayout, OwnPolicy, RootThreads, TreeThreads,
};
pub use archive::{Archive, ArchiveError, Number};
pub use backup::{
    Accelerated, Backup, BestChild, Change, Coulom, Erwa, ErwaStart, Feedback, FeedbackClock, Max, MaxMcts,
    Mean, Mellowmax, MonotoneWeights, NodeMut, OwnSample, PowerMean, Profile, Replay, Schedule, Softmax,
    Steps, Weights,
};
pub use bias::{Advisor, Bias};
pub use bot::{Bot, BotError, FinalScore, Observer, Reply};
pub use budget::{Budget, Stop};
pub use code::{Code, Link, Move, NodeId};
pub use columns::Columns;
pub use dump::Dump;
pub use evaluate::{Evaluate, Evaluation, Expectation, NetworkOptions, NetworkSymmetry};
pub use final_move::FinalMove;
pub use game::{
    Board, CodeOf, Drawing, Game, Keyed, Knowledge, Notation, Order, Piece, Places, PlainGame, Played,
    Playouts, SearchGame, Trace, named_move,
};
pub use guide::{Guide, Look};
pub use incentives::Incentives;
pub use math::ln;
pub use memory::{Memory, MemoryError};
pub use minimax::{AlphaBeta, Solution, alpha_beta, alpha_beta_to_depth, minimax};
pub use monotone::Monotone;
pub use node::{Node, Step};
pub use node_report::{NodeCounts, NodeReport, TriedMove};
pub use outcome::{Outcome, Scores, Value};
pub use perft::perft;
pub use player::Player;
pub use playout::{Evaluated, FirstList, Line, Mast, Maxi, Mixed, Playout, Primed, Uniform};
pub use pool::{Ended, Pool};
#[cfg(feature = "recipe")]
pub use recipe::register::{register_backup, register_playout, register_select};
pub use report::{ChildReport, Proven, Report, StopReason};
pub use rng::Rng;
#[cfg(feature = "std")]
pub use root_parallel::RootParallel;
pub use root_policy::{Dirichlet, Gumbel, RootPolicy};
pub use saved::{SavedTreeError, TreeLabel};
pub use search::{AskTell, BuildError, Choice, Options, Search, SearchError, Ties, TwoLevel};
pub use select::{
    Child, EpsilonGreedy, FirstPlay, Grave, HandSelectedRave, NodeView, Parent, Pick, Puct, PuctCount,
    Reference, RoundRobin, Select, Shared, Ucb, UcbTuned,
};
pub use tree::{BackupState, Children, InFlight, Tree};
