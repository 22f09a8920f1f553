//! A playout policy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji::{OwnPart, Playout, Rng, SearchGame};

/// With some probability a move that ends the game, if there is one; else any move.
#[derive(Clone, Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Decisive {
    /// Probability to look for such a move.
    #[schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability"))]
    share: f32,
}

impl Default for Decisive {
    fn default() -> Decisive {
        Decisive { share: 1.0 }
    }
}

impl<G: SearchGame> Playout<G> for Decisive {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        if rng.unit() >= self.share {
            return game.playout_move(rng, buffer);
        }
        game.playout_moves(buffer);
        let ends = |&&m: &&G::Move| {
            let mut next = game.clone();
            next.play(m);
            next.result().is_some()
        };
        let any = buffer[rng.below(buffer.len() as u32) as usize];
        let m = buffer.iter().find(ends).copied().unwrap_or(any);
        buffer.clear();
        m
    }
}

impl OwnPart for Decisive {
    const KIND: &'static str = "decisive";
}
