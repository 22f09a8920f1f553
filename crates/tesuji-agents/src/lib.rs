//! Search agents for the games of this workspace, compiled once.
//!
//! The compiler makes the agents of recipes for each game separately, which takes longer than
//! compiling the rest of the laboratory. This crate does it once. A program that makes its agents
//! by [`Playable::bot`] does not compile a search.
//!
//! ```
//! use tesuji::recipe::Recipe;
//! use tesuji_agents::Playable;
//! use tesuji_games::Hex;
//!
//! let bot = Hex::new(5)?.bot(&Recipe::parse("uct,select.c=0.5")?, 1)?;
//! assert_eq!(bot.name(), "uct,select.c=0.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Playable`] | a game that has agents: [`bot`](Playable::bot) for a recipe, [`driven_by`](Playable::driven_by) for a search that somebody else drives |
//! | [`playable!`] | makes a game of your own `Playable`, in the crate where you write it |

#[doc(hidden)]
pub use tesuji;
use tesuji::recipe::{Recipe, RecipeError};
use tesuji::{AskTell, Bot, Evaluate, NetworkOptions, Notation, Rng, SearchGame, Value};
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame, TicTacToe};
use tesuji_go::{Go9, Go13, Go19};
use tesuji_net::PlanesView;
use tesuji_sums::{Heap, Sum};

/// A game for two players that has agents and a notation.
pub trait Playable:
    Notation<Outcome = Value, Move: Send + Sync> + SearchGame + Send + Sync + 'static
{
    /// The agent that a recipe describes, for games that begin here, as [`Recipe::bot`] makes it.
    ///
    /// # Errors
    /// If a part cannot work on this game, two parts clash, or the memory limit is too small.
    fn bot(&self, recipe: &Recipe, seed: u64) -> Result<Box<dyn Bot<Self> + Send>, RecipeError> {
        self.bot_by(recipe, self.evaluator_of(recipe)?, seed)
    }

    /// The evaluator of a recipe in games that begin here, if it has one: the
    /// [network](Playable::network) that it names.
    ///
    /// # Errors
    /// As [`Recipe::evaluator`].
    fn evaluator_of(&self, recipe: &Recipe) -> Result<Option<Box<dyn Evaluate<Self>>>, RecipeError> {
        recipe.evaluator_by(|options| self.network(options))
    }

    /// An evaluator with a network for games that begin here: of the game's own kind, or else one
    /// that sees [the game's planes](tesuji_net::GamePlanes).
    ///
    /// # Errors
    /// If the network cannot be read or is none for the game, in a sentence.
    fn network(&self, options: &NetworkOptions) -> Result<Box<dyn Evaluate<Self>>, String> {
        if let Some(own) = self.evaluator(options)? {
            return Ok(own);
        }
        match PlanesView::load(self, options) {
            Ok(evaluator) => Ok(Box::new(evaluator)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The same with a given evaluator, as [`Recipe::bot_by`] makes it.
    ///
    /// # Errors
    /// As [`Playable::bot`].
    fn bot_by(
        &self,
        recipe: &Recipe,
        evaluator: Option<Box<dyn Evaluate<Self>>>,
        seed: u64,
    ) -> Result<Box<dyn Bot<Self> + Send>, RecipeError>;

    /// The agent as a search that the caller drives, as [`Recipe::driven_by`] makes it.
    ///
    /// # Errors
    /// As [`Playable::bot`]; root parallelization drives its searches by itself.
    fn driven_by(
        &self,
        recipe: &Recipe,
        evaluator: Option<Box<dyn Evaluate<Self>>>,
        seed: u64,
    ) -> Result<Box<dyn AskTell<Self> + Send>, RecipeError>;

    /// Plays `count` uniform playouts that begin here, one after the other in `game`.
    fn play_out(&self, game: &mut Self, count: u64, rng: &mut Rng);
}

/// Makes games [`Playable`], and compiles their agents in the crate that calls it.
///
/// ```ignore
/// tesuji_agents::playable!(MyGame);
/// ```
///
/// `examples/own-program` calls it for a game of its own. This crate calls it for the games of the
/// workspace.
#[macro_export]
macro_rules! playable {
    ($($game:ty),* $(,)?) => {$(
        impl $crate::Playable for $game {
            fn bot_by(
                &self,
                recipe: &$crate::tesuji::recipe::Recipe,
                evaluator: Option<Box<dyn $crate::tesuji::Evaluate<Self>>>,
                seed: u64,
            ) -> Result<Box<dyn $crate::tesuji::Bot<Self> + Send>, $crate::tesuji::recipe::RecipeError> {
                recipe.bot_by(self, evaluator, seed)
            }

            fn driven_by(
                &self,
                recipe: &$crate::tesuji::recipe::Recipe,
                evaluator: Option<Box<dyn $crate::tesuji::Evaluate<Self>>>,
                seed: u64,
            ) -> Result<Box<dyn $crate::tesuji::AskTell<Self> + Send>, $crate::tesuji::recipe::RecipeError> {
                recipe.driven_by(self, evaluator, seed)
            }

            fn play_out(&self, game: &mut Self, count: u64, rng: &mut $crate::tesuji::Rng) {
                let mut buffer = Vec::new();
                for _ in 0..count {
                    Clone::clone_from(game, self);
                    std::hint::black_box($crate::tesuji::Playouts::playout(game, rng, &mut buffer, &mut ()));
                }
            }
        }
    )*};
}

playable!(ConnectFour, Domineering, Go9, Go13, Go19, Hex, Knightthrough, PGame, Sum<Heap>, TicTacToe,);
