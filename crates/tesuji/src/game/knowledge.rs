//! Knowledge of a game beyond its rules.

use super::Game;
use crate::bias::Advisor;
use crate::evaluate::{Evaluate, NetworkOptions};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Knowledge of a game beyond its rules: priors, patterns, networks, a quick draw of a good move.
pub trait Knowledge: Game {
    /// Tries once to draw a random move of [`Game::search_moves`]: each of them with the same
    /// probability, or none. A search tries a few times where that is cheaper than a list of all
    /// moves. Default: always none.
    #[inline]
    fn draw_search_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let _ = rng;
        None
    }

    /// The points of the board, by which [`Coulom`](crate::Coulom) weighs; asked for at the start
    /// of a game. Default: as many as there are legal moves.
    fn area(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// Prior weights of `moves` for the player to move, one appended to `out` for each; any
    /// non-negative numbers, the search normalizes them. Default: all equal.
    fn priors(&self, moves: &[Self::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|_| 1.0));
    }

    /// An advisor that follows patterns, written in the game's own language for them. Each pattern
    /// gives its advice 127 h (see [`Advisor::advise`]) to the moves that it matches. The advisor
    /// works for games like this one, from any position.
    ///
    /// # Errors
    /// If the game reads no patterns, or one of them is none: the message counts them from 1.
    /// Default: the former.
    fn advisor(&self, patterns: &[(&str, i8)]) -> Result<Arc<dyn Advisor<Self>>, String> {
        let _ = patterns;
        Err("this game reads no patterns".to_string())
    }

    /// An evaluator with a network of the game's own kind, for games like this one, from any
    /// position; none if the game has no such kind. Default: none.
    ///
    /// # Errors
    /// If the network cannot be read or is none for the game: the message names the file and what
    /// is accepted.
    fn evaluator(&self, network: &NetworkOptions) -> Result<Option<Box<dyn Evaluate<Self>>>, String> {
        let _ = network;
        Ok(None)
    }
}
