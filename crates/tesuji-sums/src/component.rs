//! The games that sums are made of.

use crate::Dyadic;
use std::fmt::Display;
use tesuji::{Move, Piece, Player};

/// A game that can be a component of a [`Sum`](crate::Sum): a value of the implementing type is one
/// position. Left is [`Player::FIRST`], Right is [`Player::SECOND`].
///
/// In every position that is no end both players have a move, so that whoever is to move in a sum
/// can move in each component that goes on. A game without scores, where who cannot move loses,
/// ends as soon as it is worth a number: moves in numbers are the last that anyone makes (the
/// number avoidance theorem; Conway 1976).
pub trait Component: Clone + Display {
    /// A move, without its player. Its [code](Move::code) is below 128, or below 2^23 where codes
    /// have 32 bits.
    type Move: Move;

    /// Tells of each move of `player`, at least one, in an order that depends on the position only;
    /// not called at an end.
    fn moves(&self, player: Player, tell: impl FnMut(Self::Move));

    /// Plays a legal move of `player` and gives what the player gains by it at once, in points.
    fn play(&mut self, player: Player, m: Self::Move) -> i64;

    /// What the position is worth to Left, if it is an end, besides what was gained before.
    fn end(&self) -> Option<Dyadic>;

    /// A number that tells the positions of one game apart.
    fn code(&self) -> u64;

    /// A fingerprint of the game that the position belongs to: the same in all its positions, and
    /// another one in a game where a code means something else.
    fn game(&self) -> u64;

    /// The number of keys; the same in all positions of a game.
    fn keys(&self) -> usize;

    /// A number below [`Component::keys`] for a move: another one for another move of the same
    /// player.
    fn key(&self, m: Self::Move) -> usize;

    /// The move of `player` that has this key; asked only where it can be played.
    fn move_of(&self, player: Player, key: usize) -> Self::Move;

    /// The position as one heap of a drawing, from top to bottom, if the game is one of heaps.
    /// Default: it is not.
    fn heap(&self) -> Option<Vec<Piece>> {
        None
    }

    /// A move of `player` as text without spaces.
    fn move_text(&self, player: Player, m: Self::Move) -> String;
}
