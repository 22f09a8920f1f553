//! The outcome of a finished game, and its value for each player.
//!
//! An outcome is read through [`Outcome::of`], which names a player: no number travels through the
//! search without its point of view. Values lie in [0, 1]: win 1, draw 1/2, loss 0.

use crate::player::Player;
use core::fmt::Debug;

/// The result of a game or an evaluation, seen by each player.
pub trait Outcome: Copy + PartialEq + Debug + Send + Sync {
    /// How many players the outcome speaks of.
    const PLAYERS: usize;

    /// The outcome's value in [0, 1] for `player`.
    fn of(&self, player: Player) -> f32;

    /// The outcome with the value of `player` replaced; in a game of two the opponent gets the
    /// rest.
    #[must_use]
    fn with(self, player: Player, value: f32) -> Self;

    /// The outcome in which nobody is ahead, used where a playout is cut off.
    fn draw() -> Self;
}

/// An outcome with all values in [0, 1]: each is taken to the nearer bound, and one that is no
/// number to 1/2.
pub(crate) fn bounded<O: Outcome>(outcome: O) -> O {
    (0..O::PLAYERS).map(Player::new).fold(outcome, |outcome, player| match outcome.of(player) {
        value if (0.0..=1.0).contains(&value) => outcome,
        value if value.is_nan() => outcome.with(player, 0.5),
        value => outcome.with(player, value.clamp(0.0, 1.0)),
    })
}

/// The outcome of a zero-sum game of two, stored as the first player's value.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Value(f32);

impl Value {
    /// A draw.
    pub const DRAW: Value = Value(0.5);

    /// A win for `player`.
    #[inline]
    pub const fn win(player: Player) -> Value {
        Value(if player.index() == 0 { 1.0 } else { 0.0 })
    }

    /// The value `x` in [0, 1] as `player` sees it.
    #[inline]
    pub fn new(player: Player, x: f32) -> Value {
        Value(if player.index() == 0 { x } else { 1.0 - x })
    }
}

impl Outcome for Value {
    const PLAYERS: usize = 2;

    #[inline]
    fn of(&self, player: Player) -> f32 {
        if player.index() == 0 { self.0 } else { 1.0 - self.0 }
    }

    #[inline]
    fn with(self, player: Player, value: f32) -> Value {
        Value::new(player, value)
    }

    #[inline]
    fn draw() -> Value {
        Value::DRAW
    }
}

/// The outcome of a game of `K` players, one value each. The values of two players sum to 1; of
/// more players nothing is assumed of the sum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scores<const K: usize>(pub [f32; K]);

impl<const K: usize> Outcome for Scores<K> {
    const PLAYERS: usize = K;

    #[inline]
    fn of(&self, player: Player) -> f32 {
        self.0[player.index()]
    }

    #[inline]
    fn with(mut self, player: Player, value: f32) -> Self {
        self.0[player.index()] = value;
        if K == 2 {
            self.0[player.other().index()] = 1.0 - value;
        }
        self
    }

    #[inline]
    fn draw() -> Self {
        Scores([1.0 / K as f32; K])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_bounded() {
        let of = |value: f32| bounded(Value::new(Player::FIRST, value)).of(Player::FIRST);
        let given = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.25, -0.5, 0.25, 0.0, 1.0];
        assert_eq!(given.map(of), [0.5, 1.0, 0.0, 1.0, 0.0, 0.25, 0.0, 1.0]);
        assert_eq!(bounded(Scores([2.0, f32::NAN, 0.25])), Scores([1.0, 0.5, 0.25]));
    }
}
