//! Moves as dense numbers.

use super::{CodeOf, Game, Order};
use crate::code::{Code, Move};
use crate::guide::Look;
use crate::outcome::Outcome;

/// Moves as dense numbers: how nodes store them, keys for methods that learn by key (AMAF, MAST),
/// and finding moves by their keys.
pub trait Keyed: Game {
    /// The number by which nodes store a move of the player to move: the same for the same player
    /// and move in every position. In a game with keys it is the cell of the move: its
    /// [`Keyed::key`] less the first one of the player. Default: the move's own
    /// [number](Move::code).
    #[inline]
    fn code(&self, m: Self::Move) -> CodeOf<Self> {
        m.code()
    }

    /// The move of the player to move that has this [code](Keyed::code). Default:
    /// [`Move::from_code`].
    #[inline]
    fn decode(&self, code: CodeOf<Self>) -> Self::Move {
        Self::Move::from_code(code)
    }

    /// The number of keys, in equal blocks for the players: [`Keyed::key`] is below this. It
    /// must not change during a game, and be at most 2^24. Default 0: the game has no keys, and
    /// methods that learn by key (AMAF, MAST) refuse it.
    fn keys(&self) -> usize {
        0
    }

    /// How many codes there are: [`Keyed::code`] is below this in every position. 0 for a game
    /// without keys. Default: the keys of a player.
    fn codes(&self) -> usize {
        self.keys() / Self::Outcome::PLAYERS
    }

    /// The first key of the player to move. Default: that of the player's block.
    #[inline]
    fn first_key(&self) -> usize {
        self.to_move().index() * (self.keys() / Self::Outcome::PLAYERS)
    }

    /// The dense index of (player to move, `m`): the first key of the player plus the code of the
    /// move. Do not override it.
    #[inline]
    fn key(&self, m: Self::Move) -> usize {
        self.first_key() + self.code(m).index()
    }

    /// Whether [`Keyed::search_move_of`] and [`Keyed::playout_move_of`] find moves by their keys.
    /// In a playout a move must then take its cell: no move is found by the same key before the
    /// playout's [`Trace`](crate::Trace) is told that the cell is free.
    const FINDS_MOVES: bool = false;

    /// The move of [`Game::search_moves`] with this [`Keyed::key`], if there is one now; `key`
    /// belongs to the player to move. With it, a method that learns by key looks at single moves
    /// instead of a list of all. Called only if [`Keyed::FINDS_MOVES`].
    #[inline]
    fn search_move_of(&self, key: usize) -> Option<Self::Move> {
        let _ = key;
        None
    }

    /// The move of [`Playouts::playout_moves`](crate::Playouts::playout_moves) with this
    /// [`Keyed::key`], if there is one now; `key` belongs to the player to move. A last resort such
    /// as the pass, which is a playout move only if there is no other, is never found. With it, a
    /// policy that ranks moves stops at the first one that can be played. Called only if
    /// [`Keyed::FINDS_MOVES`].
    #[inline]
    fn playout_move_of(&self, key: usize) -> Option<Self::Move> {
        let _ = key;
        None
    }

    /// Whether the cell of this key is taken: [`Keyed::playout_move_of`] finds nothing by it before
    /// [`Trace::freed`](crate::Trace::freed) is told of the cell. A policy that ranks moves skips
    /// such a key. Default: never.
    #[inline]
    fn is_taken(&self, key: usize) -> bool {
        let _ = key;
        false
    }

    /// Whether [`Keyed::open_cells`] has exactly the cells of [`Game::search_moves`], and
    /// [`Game::search_moves`] lists the moves in the order of their cells or of [`Keyed::order`].
    /// Then a search needs no list.
    const LISTS_CELLS: bool = false;

    /// The order in which [`Game::search_moves`] lists the moves of the player to move, if it is
    /// not that of their cells: the bits of [`Keyed::open_cells`] are then places in this order.
    /// Called only if [`Keyed::LISTS_CELLS`]. A game with [`Keyed::FINDS_MOVES`] has none, because
    /// a search reads its bits as cells. Default: that of the cells.
    #[inline]
    fn order(&self) -> Option<Order> {
        None
    }

    /// Sets bits of cells, one for each, in as few words as hold them; all bits are clear on entry.
    /// The bits must include the cell of every key by which [`Keyed::search_move_of`] finds a move
    /// now. A cell is a key minus the first key of its player. A search skips the cells whose bits
    /// stay clear. Default: the cells that are not taken.
    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        let cells = self.keys() / Self::Outcome::PLAYERS;
        let first = self.to_move().index() * cells;
        for cell in (0..cells).filter(|cell| !self.is_taken(first + cell)) {
            bits[cell / 64] |= 1 << (cell % 64);
        }
    }
}

/// What [`Keyed::playout_move_of`] and [`Keyed::is_taken`] find at a cell for the player to move.
#[inline]
pub(crate) fn look<G: Keyed>(game: &G, cell: usize) -> Look<G::Move> {
    let key = game.to_move().index() * (game.keys() / G::Outcome::PLAYERS) + cell;
    match game.playout_move_of(key) {
        Some(m) => Look::Found(m),
        None if game.is_taken(key) => Look::Closed,
        None => Look::NotNow,
    }
}
