//! The move-average sampling technique.

use super::ranking::Ranking;
use super::{Playout, run_by_choices};
use crate::archive::{Archive, ArchiveError};
use crate::code::Code;
use crate::game::{Played, SearchGame, Trace, look};
use crate::guide::{Guide, Look};
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use alloc::vec::Vec;

/// MAST with epsilon-greedy choice (Finnsson & Björnsson 2008; Tak et al. 2012).
///
/// It keeps, for each [`Keyed::key`](crate::Keyed::key), the mean result of the simulations in
/// which the player made the move. With probability epsilon, a playout move is uniformly random.
/// Otherwise it is a move with the highest mean, ties at random; a move never seen has mean 1.
/// Between the moves of a game, counts and sums are multiplied by `decay`, which leaves the means
/// and shortens the memory. An entry below half a sample is forgotten.
///
/// If the game finds moves by key ([`Keyed::FINDS_MOVES`](crate::Keyed::FINDS_MOVES)), a choice
/// walks down a ranking of all keys to the first one that can be played, and skips the cells that
/// are taken. In other games it looks at every playable move. MAST takes about 17 bytes for each
/// key, or 12 without ranking. A simulation costs one addition per move. Means and order are
/// computed again after every simulation up to 512, then whenever the simulations have grown by
/// 1/512. This costs one division per key and an insertion sort of the keys, most of which are in
/// order already.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Mast {
    /// Probability of a uniformly random move. At 1 the playout is the uniform one, with the same
    /// random numbers.
    ///
    /// Range: 0 to 1 (probability). Default: 0.4.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability")))]
    pub epsilon: f32,
    /// What each count is multiplied by from one move of the game to the next.
    ///
    /// Range: 0 to 1 (share). Default: 0.2.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "share")))]
    pub decay: f32,
    #[cfg_attr(feature = "recipe", serde(skip))]
    ranking: Ranking,
}

impl Default for Mast {
    /// epsilon = 0.4, decay = 0.2, the settings of the experiments with GRAVE in bounded memory.
    fn default() -> Mast {
        Mast::new(0.4, 0.2)
    }
}

impl Mast {
    /// MAST with these parameters, both in [0, 1].
    pub fn new(epsilon: f32, decay: f32) -> Mast {
        Mast { epsilon, decay, ranking: Ranking::default() }
    }

    /// The mean result of a key for its player, 1 if it was never seen.
    #[inline]
    pub fn mean(&self, key: usize) -> f32 {
        self.ranking.mean(key)
    }

    /// Whether moves are found by walking down the ranking.
    #[inline]
    fn walks<G: SearchGame>(&self) -> bool {
        G::FINDS_MOVES && self.ranking.is_ranked()
    }

    /// One of the best playable moves, found by looking at all.
    #[inline]
    fn best_listed<G: SearchGame>(&self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_moves(buffer);
        let (mut best, mut mean, mut ties) = (buffer[0], f32::NEG_INFINITY, 0);
        let first = game.first_key();
        for &m in buffer.iter() {
            let q = self.mean(first + game.code(m).index());
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
}

impl<G: SearchGame> Playout<G> for Mast {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        if rng.unit() < self.epsilon {
            return game.playout_move(rng, buffer);
        }
        if !self.walks::<G>() {
            return self.best_listed(game, rng, buffer);
        }
        self.ranking.open_all();
        let best = self.ranking.best(game.to_move(), rng, |cell| look(game, cell));
        best.unwrap_or_else(|| game.playout_move(rng, buffer))
    }

    #[inline(never)]
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
        if self.walks::<G>() {
            self.ranking.open_all();
            let epsilon = (self.epsilon * 4_294_967_296.0) as u32;
            return game.guided_playout(
                rng,
                buffer,
                &mut MastWalk { epsilon, ranking: &mut self.ranking, trace },
            );
        }
        run_by_choices(self, game, rng, buffer, trace)
    }

    fn learns(&self) -> bool {
        self.epsilon < 1.0
    }

    #[inline(never)]
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        self.ranking.learn(line, outcome);
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        self.ranking.archive(archive)
    }

    fn new_game(&mut self, game: &G) {
        self.ranking.reset(game.keys(), G::Outcome::PLAYERS, G::FINDS_MOVES);
    }

    fn new_move(&mut self) {
        self.ranking.fade(self.decay);
    }

    fn bytes(&self, game: &G) -> usize {
        Ranking::bytes(game.keys(), G::Outcome::PLAYERS, G::FINDS_MOVES)
    }
}

/// Guides a playout down the ranking, and passes on what the game tells.
struct MastWalk<'a, T> {
    /// The probability of a random move, in units of 2^-32.
    epsilon: u32,
    ranking: &'a mut Ranking,
    trace: &'a mut T,
}

impl<T: Trace> Trace for MastWalk<'_, T> {
    const RECORDS: bool = T::RECORDS;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        self.trace.record(player, key);
    }

    #[inline]
    fn freed(&mut self, cell: usize) {
        self.ranking.open_cell(cell);
        self.trace.freed(cell);
    }
}

impl<T: Trace> Guide for MastWalk<'_, T> {
    #[inline]
    fn explores(&mut self, random: u32) -> bool {
        random < self.epsilon
    }

    #[inline(always)]
    fn best<M>(&mut self, player: Player, rng: &mut Rng, look: impl FnMut(usize) -> Look<M>) -> Option<M> {
        self.ranking.best(player, rng, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_game::Nim;

    use crate::{Player, Value};

    #[test]
    fn keeping_a_share_leaves_the_means_and_forgets_what_is_rare() {
        let mut mast = Mast::new(0.4, 0.2);
        Playout::<Nim>::new_game(&mut mast, &Nim::new(9));
        let moves: Vec<Played> = (0..40).map(|_| Played::new(Player::FIRST, 0)).collect();
        Playout::<Nim>::learn(&mut mast, &moves[..30], &Value::win(Player::FIRST));
        Playout::<Nim>::learn(&mut mast, &moves[30..], &Value::win(Player::SECOND));
        Playout::<Nim>::learn(&mut mast, &[Played::new(Player::FIRST, 1)], &Value::DRAW);
        assert_eq!((mast.mean(0), mast.mean(1), mast.mean(2)), (0.75, 0.5, 1.0));
        Playout::<Nim>::new_move(&mut mast);
        assert_eq!((mast.mean(0), mast.mean(1)), (0.75, 1.0));
    }
}
