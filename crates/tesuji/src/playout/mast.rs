//! The move-average sampling technique.

use super::Playout;
use crate::{Game, Outcome, Played, Rng, Trace};
use alloc::vec::Vec;

/// MAST with epsilon-greedy choice (Finnsson & Björnsson 2008; Tak et al. 2012).
///
/// For each [`Game::key`] the mean result of the simulations in which the player made the move. A playout
/// move is, with probability epsilon, uniformly random, otherwise one with the highest mean, ties at
/// random; a move never seen has mean 1. Between the moves of a game, counts and sums are multiplied by
/// `keep`, which leaves the means and shortens the memory; an entry below half a sample is forgotten.
///
/// Costs a look at every playable move each playout move; 8 bytes a key.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Mast {
    /// Probability of a uniformly random move. At 1 the playout is uniform, number for number.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability")))]
    pub epsilon: f32,
    /// Share of each count that is kept from one move of the game to the next.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "share")))]
    pub keep: f32,
    #[cfg_attr(feature = "recipe", serde(skip))]
    table: Vec<Entry>,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Entry {
    sum: f32,
    count: f32,
}

impl Default for Mast {
    /// epsilon = 0.4, keep = 0.2, the settings of the experiments with GRAVE in bounded memory.
    fn default() -> Mast {
        Mast::new(0.4, 0.2)
    }
}

impl Mast {
    /// MAST with these parameters, both in [0, 1].
    pub fn new(epsilon: f32, keep: f32) -> Mast {
        Mast { epsilon, keep, table: Vec::new() }
    }

    /// The mean result of a key for its player, 1 if it was never seen.
    #[inline]
    pub fn mean(&self, key: usize) -> f32 {
        match self.table.get(key) {
            Some(entry) if entry.count > 0.0 => entry.sum / entry.count,
            _ => 1.0,
        }
    }
}

impl<G: Game> Playout<G> for Mast {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        if rng.unit() < self.epsilon {
            return game.playout_move(rng, buffer);
        }
        game.playout_moves(buffer);
        let (mut best, mut mean, mut ties) = (buffer[0], f32::NEG_INFINITY, 0);
        for &m in buffer.iter() {
            let q = self.mean(game.key(m));
            if q > mean {
                (best, mean, ties) = (m, q, 1);
            } else if q == mean {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = m;
                }
            }
        }
        buffer.clear();
        best
    }

    #[inline]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        if self.epsilon >= 1.0 {
            return game.playout(rng, buffer, trace);
        }
        loop {
            if let Some(outcome) = game.playout_result() {
                return outcome;
            }
            let m = Playout::<G>::choose(self, game, rng, buffer);
            if T::RECORDS {
                trace.record(game.to_move(), game.key(m));
            }
            game.playout_play(m);
        }
    }

    fn learns(&self) -> bool {
        self.epsilon < 1.0
    }

    #[inline]
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        for played in line {
            if let Some(entry) = self.table.get_mut(played.key as usize) {
                entry.sum += outcome.of(played.player);
                entry.count += 1.0;
            }
        }
    }

    fn new_game(&mut self, game: &G) {
        self.table.clear();
        self.table.reserve_exact(game.keys());
        self.table.resize(game.keys(), Entry::default());
    }

    fn new_move(&mut self) {
        for entry in &mut self.table {
            entry.sum *= self.keep;
            entry.count *= self.keep;
            if entry.count < 0.5 {
                *entry = Entry::default();
            }
        }
    }

    fn bytes(&self, game: &G) -> usize {
        game.keys() * size_of::<Entry>()
    }
}
