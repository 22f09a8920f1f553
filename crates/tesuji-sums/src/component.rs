//! The games that sums are made of.

use crate::dyadic::Dyadic;
use std::fmt::Display;
use tesuji::{Move, Piece, Player};

/// A game that can be a component of a [`Sum`](crate::Sum): a value of the implementing type is one
/// position. Left is [`Player::FIRST`], Right is [`Player::SECOND`].
///
/// In every position that is not an end, both players have a move, so that the player to move in a
/// sum can move in each component that goes on. A game without scores, in which the player who
/// cannot move loses, ends as soon as it is worth a number: nobody moves in a number while there is
/// another move (the number avoidance theorem; Conway 1976).
pub trait Component: Clone + Display {
    /// A move, without its player. Its [code](Move::code) is below 128, or below 2^23 where codes
    /// have 32 bits.
    type Move: Move;

    /// Calls its argument with each move of `player`, at least one, in an order that depends on the
    /// position only. Not called at an end.
    fn moves(&self, player: Player, tell: impl FnMut(Self::Move));

    /// Plays a legal move of `player` and returns the points that the player gains at once.
    fn play(&mut self, player: Player, m: Self::Move) -> i64;

    /// The value of the position for Left, if it is an end, apart from earlier gains.
    fn end(&self) -> Option<Dyadic>;

    /// A number that distinguishes the positions of one game.
    fn code(&self) -> u64;

    /// A fingerprint of the game that the position belongs to. It is the same in all of its
    /// positions, and differs between games in which a code means different things.
    fn game(&self) -> u64;

    /// The number of keys; the same in all positions of a game.
    fn keys(&self) -> usize;

    /// A number below [`Component::keys`] for a move. Different moves of one player have different
    /// numbers.
    fn key(&self, m: Self::Move) -> usize;

    /// The move of `player` that has this key. Called only if the move can be played.
    fn move_of(&self, player: Player, key: usize) -> Self::Move;

    /// The position as one heap of a drawing, from top to bottom, if the game has heaps. Default:
    /// none.
    fn heap(&self) -> Option<Vec<Piece>> {
        None
    }

    /// A move of `player` as text without spaces.
    fn move_text(&self, player: Player, m: Self::Move) -> String;
}
