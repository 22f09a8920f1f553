//! Sums of combinatorial games: what their components are worth, how hot they are, and how to play
//! them.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Component`] | a game whose ends are worth numbers: [`Heap`] (Heap-Go), [`Domineering`] (a region), [`Tree`] (brace notation) |
//! | [`Sum`] | components as a [`tesuji::Game`], so that every search plays it; [`Sum::score`] has the points |
//! | [`Graph`] | every position of a game, behind its options; negation, sums, order and incentives of games |
//! | [`Thermograph`] | walls, stops, mean and temperature, exact; in O(n^2) for all parts of a heap |
//! | [`Solution`] | optimal scores from every combination of positions |
//! | [`Strategy`], [`StrategyBot`] | random, greedy, hotstrat, thermostrat, sentestrat |
//! | [`StateSearch`] | search for the score, with incentive learning (RIDE) and the default policy MAXI |
//! | [`Groups`] | incentives learned in groups of components, and merged |
//! | [`Temperatures`], [`MatchRate`] | how well a learned order agrees with temperatures |
//! | [`Dyadic`] | the numbers |
//!
//! Left is the first player; scores are Left's points minus Right's.
//!
//! The feature `svg` adds `thermographs_svg`.
//!
//! ```
//! use tesuji::{Budget, Search};
//! use tesuji_sums::{Analysis, Heap, Sum};
//!
//! let heaps = ["b4b5", "r2r1"].map(|text| text.parse::<Heap>().unwrap());
//! let sum = Sum::new(heaps.to_vec());
//!
//! let analysis = Analysis::new(&sum);
//! let thermograph = analysis.thermograph(0, analysis.graph(0).start());
//! assert_eq!(thermograph.temperature().to_string(), "13/2");
//! assert_eq!(analysis.optimal_score(&analysis.solve()?, &sum).to_string(), "6");
//!
//! let report = Search::uct(&sum, 0.7, 1).run(&sum, &Budget::simulations(1000)).unwrap();
//! assert_eq!(report.best.component(), 0);
//! # Ok::<(), tesuji_sums::TooManyStates>(())
//! ```

mod analysis;
mod bot;
mod component;
mod default_policy;
mod domineering;
mod dyadic;
mod graph;
mod groups;
mod heap;
mod match_rate;
mod mix;
mod move_values;
mod order;
mod parse_error;
mod piecewise;
mod solution;
mod space;
mod state_options;
mod state_search;
mod state_table;
mod strategy;
mod sum;
mod sum_move;
#[cfg(feature = "svg")]
mod svg;
mod text;
mod thermograph;
mod tree;

pub use analysis::Analysis;
pub use bot::StrategyBot;
pub use component::Component;
pub use domineering::Domineering;
pub use dyadic::Dyadic;
pub use graph::{Graph, Position};
pub use groups::Groups;
pub use heap::{Colour, Counter, Heap};
pub use match_rate::{MatchRate, Temperatures};
pub use move_values::MoveValues;
pub use parse_error::ParseError;
pub use solution::{Solution, TooManyStates};
pub use state_options::{FirstPlay, Growth, Identity, InitialList, StateOptions, StatePlayout};
pub use state_search::StateSearch;
pub use strategy::{Strategy, StrategyMemory, UnknownStrategy};
pub use sum::Sum;
pub use sum_move::SumMove;
#[cfg(feature = "svg")]
pub use svg::thermographs_svg;
pub use thermograph::Thermograph;
pub use tree::Tree;
