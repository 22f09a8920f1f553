//! Playouts, which estimate the value of a new node.

#[cfg(feature = "recipe")]
mod erased;
mod evaluated;
mod line;
mod mast;
mod maxi;
mod mixed;
mod openings;
mod ranking;

#[cfg(feature = "recipe")]
pub(crate) use erased::ErasedPlayout;
pub use evaluated::{Evaluated, Primed};
pub use line::Line;
pub use mast::Mast;
pub use maxi::{FirstList, Maxi};
pub use mixed::Mixed;

use crate::archive::{Archive, ArchiveError};
use crate::columns::Columns;
use crate::evaluate::Evaluation;
use crate::game::{Played, SearchGame, Trace};
use crate::rng::Rng;
use alloc::vec::Vec;

/// Plays `game` to its end by the choices of a policy: [`Playout::run`] as it is provided.
#[inline(always)]
fn run_by_choices<G: SearchGame, P: Playout<G> + ?Sized, T: Trace>(
    policy: &mut P,
    game: &mut G,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
    trace: &mut T,
) -> G::Outcome {
    loop {
        if let Some(outcome) = game.playout_result() {
            return outcome;
        }
        let m = policy.choose(game, rng, buffer);
        game.playout_play(m, trace);
    }
}

/// A playout policy.
///
/// One method is required. A policy that learns keeps its own tables and says so by
/// [`Playout::learns`]; an evaluation that plays no moves at all overrides [`Playout::run`].
pub trait Playout<G: SearchGame> {
    /// Chooses one of [`Playouts::playout_moves`](crate::Playouts::playout_moves). `buffer` is
    /// scratch space, empty on entry and on return.
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move;

    /// Plays `game` to its end and tells `trace` of every move. Default: a loop over
    /// [`Playout::choose`].
    #[inline]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        run_by_choices(self, game, rng, buffer, trace)
    }

    /// Gives the prior weights of the moves of positions that are about to be passed to
    /// [`Playout::run`], or of the root. If [`Playout::evaluates`], it gives outcomes too. Default:
    /// [`Knowledge::priors`](crate::Knowledge::priors), no outcome.
    #[inline]
    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]) {
        for Evaluation { position, moves, priors, .. } in asked {
            position.priors(moves, priors);
        }
    }

    /// Makes room for `positions` positions in one call of [`Playout::prime`]. Default: does
    /// nothing.
    fn reserve(&mut self, positions: usize) {
        let _ = positions;
    }

    /// Whether outcomes of [`Playout::prime`] take the place of playouts. If so, a search asks for
    /// every leaf whose outcome the tree does not know; it lists no moves where nobody reads their
    /// priors. Default: no.
    fn evaluates(&self) -> bool {
        false
    }

    /// Whether [`Playout::learn`] does anything. Default: no.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a whole simulation: every move below the root, in the tree and in the playout.
    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        let _ = (line, outcome);
    }

    /// Side columns that the search must keep for it. Default: none.
    fn needs(&self) -> Columns {
        Columns::NONE
    }

    /// Learns that in one position, the value of the move with key `a` exceeds that of the move
    /// with key `b` by `difference`, in [-1, 1], for the player to move there. If
    /// [`Playout::needs`] has [`Columns::KEY`], this is called after each simulation: for each of
    /// its moves `a` in the tree, the last one first, and each sibling `b` with visits.
    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        let _ = (a, b, difference);
    }

    /// Writes what was learned to a [saved tree](crate::Search::save_tree), or reads it from there,
    /// after a call of [`Playout::new_game`]. Default: nothing; a policy that learns cannot be
    /// saved.
    ///
    /// # Errors
    /// If it cannot be saved, or what is read cannot have been written.
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let _ = archive;
        if self.learns() || self.needs().has(Columns::KEY) {
            return Err(ArchiveError::Unable(
                "the playout policy learns, but does not say what; accepted: one with `Playout::archive`",
            ));
        }
        Ok(())
    }

    /// Takes the patterns of a recipe with their weights 127 h, which
    /// [`Knowledge::advisor`](crate::Knowledge::advisor) has read without error. Called before
    /// [`Playout::new_game`]. Default: does nothing.
    fn take_patterns(&mut self, patterns: &[(&str, i8)]) {
        let _ = patterns;
    }

    /// A game begins: tables are cleared and made as large as `game` needs.
    fn new_game(&mut self, game: &G) {
        let _ = game;
    }

    /// The agent has moved; called once before its next search.
    fn new_move(&mut self) {}

    /// Heap bytes that the tables hold after [`Playout::new_game`].
    fn bytes(&self, game: &G) -> usize {
        let _ = game;
        0
    }
}

/// Uniformly random moves: the game's own [`Playouts::playout`](crate::Playouts::playout).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Uniform {}

impl<G: SearchGame> Playout<G> for Uniform {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_move(rng, buffer)
    }

    #[inline]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        game.playout(rng, buffer, trace)
    }
}
