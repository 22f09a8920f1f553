//! Fast playouts.

use super::{Keyed, Trace, look};
use crate::guide::Guide;
use crate::rng::Rng;
use alloc::vec::Vec;

/// Playouts of a game. A game that knows a faster way to a random move, or to the end, overrides
/// what it does better.
pub trait Playouts: Keyed {
    /// Appends the moves a playout may choose from: a non-empty subset of the legal ones, where the
    /// rules that are too slow for playouts (superko) may be left out. Default: all legal moves.
    #[inline]
    fn playout_moves(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// One of [`Playouts::playout_moves`], each equally likely. `buffer` is scratch space, empty on
    /// entry and on return.
    #[inline]
    fn playout_move(&self, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Self::Move {
        self.playout_moves(buffer);
        let m = buffer[rng.below(buffer.len() as u32) as usize];
        buffer.clear();
        m
    }

    /// Plays a move of a playout and tells `trace`; after the first one only `playout_` methods,
    /// [`Game::to_move`](crate::Game::to_move), [`Keyed::key`] and [`Keyed::is_taken`] are called
    /// on this position. Default: [`Game::play`](crate::Game::play).
    #[inline]
    fn playout_play<T: Trace>(&mut self, m: Self::Move, trace: &mut T) {
        if T::RECORDS {
            trace.record(self.to_move(), self.key(m));
        }
        self.play(m);
    }

    /// The outcome, if the playout ends here; may end it earlier than the rules do, by a move cap
    /// or a clear lead. Default: [`Game::result`](crate::Game::result).
    #[inline]
    fn playout_result(&self) -> Option<Self::Outcome> {
        self.result()
    }

    /// Plays uniformly random moves to the end and tells `trace` of each. Default: a loop over
    /// [`Playouts::playout_move`]; a game that overrides it must draw from the same distribution.
    #[inline]
    fn playout<T: Trace>(
        &mut self,
        rng: &mut Rng,
        buffer: &mut Vec<Self::Move>,
        trace: &mut T,
    ) -> Self::Outcome {
        loop {
            if let Some(outcome) = self.playout_result() {
                return outcome;
            }
            let m = self.playout_move(rng, buffer);
            self.playout_play(m, trace);
        }
    }

    /// Plays to the end and tells `guide` of each move. If the guide explores, the move comes from
    /// [`Playouts::playout_move`]. Otherwise it is the best move that is found by key, or again one
    /// from [`Playouts::playout_move`] if there is none. Called only if [`Keyed::FINDS_MOVES`].
    /// Default: a loop over [`Keyed::playout_move_of`]; a game that overrides it must draw from the
    /// same distribution.
    #[inline]
    fn guided_playout<T: Guide>(
        &mut self,
        rng: &mut Rng,
        buffer: &mut Vec<Self::Move>,
        guide: &mut T,
    ) -> Self::Outcome {
        loop {
            if let Some(outcome) = self.playout_result() {
                return outcome;
            }
            let m = if guide.explores(rng.bits() as u32) {
                self.playout_move(rng, buffer)
            } else {
                guide
                    .best(self.to_move(), rng, |cell| look(self, cell))
                    .unwrap_or_else(|| self.playout_move(rng, buffer))
            };
            self.playout_play(m, guide);
        }
    }
}
