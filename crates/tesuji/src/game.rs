//! The rules of a game, as the search sees them.

mod drawing;
mod keyed;
mod knowledge;
mod notation;
mod playouts;
mod trace;

pub use drawing::{Board, Drawing, Piece, Places};
pub use keyed::Keyed;
pub(crate) use keyed::look;
pub use knowledge::Knowledge;
pub use notation::Notation;
pub use playouts::Playouts;
pub use trace::{Played, Trace};

use crate::{Move, Outcome, Player};
use alloc::vec::Vec;

/// How nodes store the moves of a game.
pub type CodeOf<G> = <<G as Game>::Move as Move>::Code;

/// The rules of a game of perfect information: a value of the implementing type is one position.
///
/// Four methods are required, and three others help any search. What else a game can do for a search has defaults, in
/// traits of its own: [`Keyed`], [`Playouts`] and [`Knowledge`]. A [`PlainGame`] takes all these defaults; any other game
/// implements each of the three, and overrides what it does better. A game that overrides a method is searched faster, or
/// by more methods, but never differently from what the required methods say, except where a method's own words allow it.
///
/// The search copies positions with [`Clone::clone_from`] into a scratch position, once a simulation; a
/// type that holds a `Vec` should implement `clone_from` so that this reuses the memory.
///
/// [`conformance::check`](crate::conformance::check) tests an implementation.
pub trait Game: Clone {
    /// A move: `u8`, `u16`, `u32`, or a type of your own that is a [`Move`]. Nodes store its code.
    type Move: Move;

    /// [`Value`](crate::Value) for two players, [`Scores`](crate::Scores) for more.
    type Outcome: Outcome;

    /// Who is to move. Any order of turns is allowed.
    fn to_move(&self) -> Player;

    /// Appends every legal move to `out`, in an order that depends on the position only. At least one
    /// where the game is not over; what is appended to a finished game is never looked at.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. What an illegal one does is up to the game.
    fn play(&mut self, m: Self::Move);

    /// The outcome, if the game is over.
    fn result(&self) -> Option<Self::Outcome>;

    /// Appends the moves that are worth a place in the tree: a non-empty subset of the legal ones. Go
    /// leaves out the filling of own eyes. Default: all.
    #[inline]
    fn search_moves(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// A 64-bit fingerprint of everything that decides how the game can go on, repetition rules
    /// included: two positions with equal hashes have the same future. Lets a search keep its tree from
    /// move to move. Default: none.
    fn hash(&self) -> Option<u64> {
        None
    }

    /// A bound on the number of moves, those of playouts included, of this position and of all that it leads to. A search
    /// makes room for so many once, so that lists of moves never outgrow its memory limit. Default: none is known; room is
    /// then made for as many as there are keys, in a game without keys for four times as many as there are now; one that
    /// comes to more moves than that can exceed a memory limit by what its lists grow.
    fn most_moves(&self) -> Option<usize> {
        None
    }
}

/// A game whose rules say everything: `impl PlainGame for MyGame {}` gives it the defaults of [`Keyed`], [`Playouts`] and
/// [`Knowledge`], so that it can be searched.
#[diagnostic::on_unimplemented(
    message = "the search does not know what `{Self}` can do",
    note = "write `impl PlainGame for {Self} {{}}`, or implement `Keyed`, `Playouts` and `Knowledge`"
)]
pub trait PlainGame: Game {}

impl<G: PlainGame> Keyed for G {}
impl<G: PlainGame> Playouts for G {}
impl<G: PlainGame> Knowledge for G {}

/// A game with all that a search asks for. It is implemented for every type that has the three capabilities, by
/// [`PlainGame`] or one by one.
pub trait SearchGame: Playouts + Knowledge {}

impl<G: Playouts + Knowledge> SearchGame for G {}
