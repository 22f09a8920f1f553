//! Evaluations of positions, by networks or by hand.

use crate::game::Game;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

/// An evaluation of positions: what a position is worth, and how good its moves look. A
/// policy-value network is one.
///
/// It takes the place of playouts as [`Evaluated`](crate::Evaluated), or leads the tree policy as
/// [`Primed`](crate::Primed).
///
/// ```
/// use tesuji::doc_game::Nim;
/// use tesuji::{Budget, Evaluate, Evaluated, Game, Mean, Options, Outcome, Puct, Search, Value};
///
/// /// Leave the opponent a multiple of four.
/// #[derive(Clone, Debug)]
/// struct Rule;
///
/// impl Evaluate<Nim> for Rule {
///     fn evaluate(&mut self, position: &Nim, moves: &[u8], priors: &mut Vec<f32>) -> Value {
///         let lost = |nim: &Nim| nim.counters() % 4 == 0;
///         priors.extend(moves.iter().map(|&m| {
///             let mut after = *position;
///             after.play(m);
///             if lost(&after) { 1.0 } else { 0.1 }
///         }));
///         Value::new(position.to_move(), if lost(position) { 0.1 } else { 0.9 })
///     }
///
///     fn boxed(&self) -> Box<dyn Evaluate<Nim>> {
///         Box::new(self.clone())
///     }
/// }
///
/// let game = Nim::new(30);
/// let playout = Evaluated::new(Box::new(Rule));
/// let mut search = Search::new(&game, Puct::default(), Mean {}, playout, Options::default(), 1).unwrap();
/// assert_eq!(search.run(&game, &Budget::simulations(50)).unwrap().best, 2);
/// ```
pub trait Evaluate<G: Game>: Debug + Send + Sync {
    /// The expected outcome of a position that is not over. Appends the prior weight of each of
    /// `moves`, which are legal, to `priors`: any non-negative numbers, the search normalizes them.
    /// Negative ones count as 0. If their sum is not positive, or there is not one for each move,
    /// all moves have the same prior. `moves` is empty if only the outcome is needed. The search
    /// takes values outside of [0, 1] to the nearer bound, and a value that is no number as 1/2.
    fn evaluate(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) -> G::Outcome;

    /// Evaluates several positions at once, each as [`Evaluate::evaluate`] does, and writes their
    /// outcomes. Override this method if a batch is cheaper than single positions: a search with
    /// several simulations in flight calls it. Default: one by one.
    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, G>]) {
        for Evaluation { position, moves, priors, outcome } in asked {
            **outcome = Some(self.evaluate(position, moves, priors));
        }
    }

    /// Makes room for `positions` positions in one call of [`Evaluate::evaluate_many`], which then
    /// allocates nothing. Default: does nothing.
    fn reserve(&mut self, positions: usize) {
        let _ = positions;
    }

    /// The expected end of a position apart from the winner, for the player to move, if the
    /// evaluator knows it. Default: none.
    fn expectation(&mut self, position: &G) -> Option<Expectation> {
        let _ = position;
        None
    }

    /// A game begins. Default: does nothing.
    fn new_game(&mut self, start: &G) {
        let _ = start;
    }

    /// Heap bytes held. Memory that copies share counts for each of them. Default: 0.
    fn bytes(&self) -> usize {
        0
    }

    /// A copy, for another search.
    fn boxed(&self) -> Box<dyn Evaluate<G>>;
}

/// A position to be evaluated, with room for the answer.
#[derive(Debug)]
pub struct Evaluation<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// Legal moves of it, or none.
    pub moves: &'a [G::Move],
    /// The list to which the prior weight of each move is appended.
    pub priors: &'a mut Vec<f32>,
    /// The expected outcome; none until the evaluator writes it.
    pub outcome: &'a mut Option<G::Outcome>,
}

/// The expected end of a game that is counted in points, for the player to move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectation {
    /// By how many points the player is ahead, komi included.
    pub lead: f32,
    /// The standard deviation of the score at the end, in points.
    pub deviation: f32,
    /// The expected owner of each point of the board, in the order of the game: 1 is the player, -1
    /// the opponent.
    pub ownership: Vec<f32>,
}

impl<G: Game> Clone for Box<dyn Evaluate<G>> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

/// The network that evaluates positions of a game, and its settings.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct NetworkOptions {
    /// The network's file, or the name of a network that comes with the game: in Go
    /// `built-in:pooling`, for boards of every size (two files: one for boards below 13x13, one for
    /// larger boards). Default: the network that comes with the game,
    /// in Go one for 9x9.
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    /// The symmetry in which the network sees a position.
    ///
    /// Default: `none`.
    pub symmetry: NetworkSymmetry,
    /// The temperature T of the policy: priors are in proportion to e^(logit / T).
    ///
    /// Range: 0.01 to 100. Default: 1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.01, max = 100.0)))]
    pub temperature: f32,
    /// The number of evaluations that the cache remembers; 0: no cache. They count as memory of the
    /// search. Searches of one position on several threads, and agents with the same options in a
    /// match with a budget of simulations, share them.
    ///
    /// Range: 0 to 1048576 (evaluations). Default: 16384.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0, max = 1048576), extend("unit" = "evaluations")))]
    pub cache: usize,
}

impl NetworkOptions {
    /// The beginning of the names of networks that come with a game; any other name is a file's.
    pub const BUILT_IN: &str = "built-in:";
}

impl Default for NetworkOptions {
    /// The network that comes with the game, positions as they are, T = 1, 16 384 evaluations
    /// remembered.
    fn default() -> NetworkOptions {
        NetworkOptions { file: None, symmetry: NetworkSymmetry::None, temperature: 1.0, cache: 16_384 }
    }
}

/// The symmetry in which a network sees a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum NetworkSymmetry {
    /// As it is.
    #[default]
    None,
    /// In one of all symmetries. The position's hash decides which, so it is the same one each
    /// time.
    Random,
    /// In all of them. Logits and values are averaged, and the work is multiplied by their number.
    Average,
}
