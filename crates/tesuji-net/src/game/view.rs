//! What a network sees of a position.

use std::fmt::Debug;
use tesuji::{Expectation, Game};

/// Shows positions of a game to a network, and reads what the network says of them.
pub trait View<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// The number of a move of the player to move, below the number of logits.
    fn number(&self, position: &G, m: G::Move) -> usize;

    /// A hash of all that the network sees. Its bits are well mixed.
    fn hash(&self, position: &G) -> u64;

    /// Writes the logits of a position with this hash, and returns its value in [-1, 1] for the
    /// player to move.
    fn look(&mut self, position: &G, hash: u64, logits: &mut [f32]) -> f32;

    /// Writes the logits of positions, `[position, move]`, and their values; each as
    /// [`View::look`] does.
    fn look_at_all<'a>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a G, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) where
        G: 'a;

    /// Makes room for `positions` positions at once.
    fn reserve(&mut self, positions: usize);

    /// Heap bytes held.
    fn bytes(&self) -> usize;

    /// The expected end of a position apart from the winner, if the network knows it. `logits` may
    /// be overwritten. Default: none.
    fn expectation(&mut self, position: &G, logits: &mut [f32]) -> Option<Expectation> {
        let _ = (position, logits);
        None
    }
}
