//! The rules of a game, as the search sees them.

mod drawing;
mod keyed;
mod knowledge;
mod notation;
mod order;
mod playouts;
mod trace;

pub use drawing::{Board, Drawing, Piece, Places};
pub use keyed::Keyed;
pub(crate) use keyed::look;
pub use knowledge::Knowledge;
pub use notation::{Notation, named_move};
pub use order::Order;
pub use playouts::Playouts;
pub use trace::{Played, Trace};

use crate::code::Move;
use crate::outcome::Outcome;
use crate::player::Player;
use alloc::vec::Vec;

/// The code by which nodes store the moves of a game.
pub type CodeOf<G> = <<G as Game>::Move as Move>::Code;

/// The rules of a game of perfect information: a value of the implementing type is one position.
///
/// Four methods are required; three others help any search. The traits [`Keyed`], [`Playouts`] and
/// [`Knowledge`] contain further methods with defaults. A [`PlainGame`] takes all these defaults.
/// Any other game implements each of the three traits, and overrides the methods that it does
/// better. An override makes a search faster, or makes more methods possible. It must agree with
/// the required methods, unless the documentation of the overridden method says otherwise.
///
/// Once per simulation, the search copies a position into a scratch position by
/// [`Clone::clone_from`]. If a type holds a `Vec`, implement `clone_from` so that the copy reuses
/// its memory.
///
/// [`conformance::check`](crate::conformance::check) tests an implementation.
pub trait Game: Clone {
    /// A move: `u8`, `u16`, `u32`, or a type of your own that is a [`Move`]. Nodes store its code.
    type Move: Move;

    /// [`Value`](crate::Value) for two players, [`Scores`](crate::Scores) for more.
    type Outcome: Outcome;

    /// The player to move. Any order of turns is allowed.
    fn to_move(&self) -> Player;

    /// Appends every legal move to `out`, in an order that depends only on the position: at least
    /// one move if the game is not over. The search ignores the moves of a finished game.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. The effect of an illegal move is unspecified.
    fn play(&mut self, m: Self::Move);

    /// The outcome, if the game is over.
    fn result(&self) -> Option<Self::Outcome>;

    /// Appends the moves that the tree shall contain: a non-empty subset of the legal moves. Go
    /// omits the moves that fill own eyes. Default: all legal moves.
    #[inline]
    fn search_moves(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// A 64-bit hash of everything that decides the rest of the game, including repetition rules:
    /// two positions with equal hashes have the same future. With it, a search keeps its tree from
    /// move to move. Default: none.
    fn hash(&self) -> Option<u64> {
        None
    }

    /// A bound on the number of moves, including those of playouts, in this position and all later
    /// ones. A search reserves its lists of moves for this number, so that they never exceed its
    /// memory limit. Default: unknown. Then the search reserves one entry per key or, in a game
    /// without keys, four times the current number of moves. A game with more moves can exceed the
    /// memory limit, because its lists grow.
    fn most_moves(&self) -> Option<usize> {
        None
    }
}

/// A game without special capabilities: `impl PlainGame for MyGame {}` gives it the defaults of
/// [`Keyed`], [`Playouts`] and [`Knowledge`], which every search needs.
#[diagnostic::on_unimplemented(
    message = "the search does not know what `{Self}` can do",
    note = "write `impl PlainGame for {Self} {{}}`, or implement `Keyed`, `Playouts` and `Knowledge`"
)]
pub trait PlainGame: Game {}

impl<G: PlainGame> Keyed for G {}
impl<G: PlainGame> Playouts for G {}
impl<G: PlainGame> Knowledge for G {}

/// A game that can be searched. Every type without borrowed data implements it if it has the three
/// capabilities, through [`PlainGame`] or one by one.
pub trait SearchGame: Playouts + Knowledge + 'static {}

impl<G: Playouts + Knowledge + 'static> SearchGame for G {}
