//! The rules of a game, as the search sees them.

use crate::{Advisor, Code, Evaluate, Guide, Look, Move, NetworkOptions, Outcome, Player, Rng};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;

/// How nodes store the moves of a game.
pub type CodeOf<G> = <<G as Game>::Move as Move>::Code;

/// The rules of a game of perfect information: a value of the implementing type is one position.
///
/// Four methods are required. The provided ones are hooks: a game that overrides them is searched
/// faster, or by more methods, but never differently from what the required ones say, except where a
/// hook's own words allow it.
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

    /// One draw for a random one of [`Game::search_moves`]: each of them with the same probability, or none.
    /// A search draws a few times, where that is cheaper than a list of all. Default: always none.
    #[inline]
    fn draw_search_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let _ = rng;
        None
    }

    /// A bound on the number of moves, those of playouts included, of this position and of all that it leads to. A search
    /// makes room for so many once, so that lists of moves never outgrow its memory limit. Default: none is known; room is
    /// then made for as many as there are keys, in a game without keys for four times as many as there are now; one that
    /// comes to more moves than that can exceed a memory limit by what its lists grow.
    fn most_moves(&self) -> Option<usize> {
        None
    }

    /// The points of the board, by which [`Coulom`](crate::Coulom) weighs; asked for at the start of a game. Default: as many as
    /// there are legal moves.
    fn area(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// The number by which nodes store a move of the player to move: the same for the same player and move in every
    /// position. In a game with keys it is the cell of the move: its [`Game::key`] less the first one of the player.
    /// Default: the move's own [number](Move::code).
    #[inline]
    fn code(&self, m: Self::Move) -> CodeOf<Self> {
        m.code()
    }

    /// The move of the player to move that has this [code](Game::code). Default: [`Move::from_code`].
    #[inline]
    fn decode(&self, code: CodeOf<Self>) -> Self::Move {
        Self::Move::from_code(code)
    }

    /// How many keys there are, in equal blocks for the players: [`Game::key`] is below this. It must not change during a
    /// game, and be at most 2^24. Default 0: the game has no keys, and methods that learn by key (AMAF, MAST) refuse it.
    fn keys(&self) -> usize {
        0
    }

    /// The first key of the player to move. Default: that of the player's block.
    #[inline]
    fn first_key(&self) -> usize {
        self.to_move().index() * (self.keys() / Self::Outcome::PLAYERS)
    }

    /// The dense index of (player to move, `m`): the first key of the player and the code of the move. Not to be
    /// overridden.
    #[inline]
    fn key(&self, m: Self::Move) -> usize {
        self.first_key() + self.code(m).index()
    }

    /// A 64-bit fingerprint of everything that decides how the game can go on, repetition rules
    /// included: two positions with equal hashes have the same future. Lets a search keep its tree from
    /// move to move. Default: none.
    fn hash(&self) -> Option<u64> {
        None
    }

    /// Prior weights of `moves` for the player to move, one appended to `out` for each; any
    /// non-negative numbers, the search normalises them. Default: all equal.
    fn priors(&self, moves: &[Self::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|_| 1.0));
    }

    /// An advisor that goes by patterns: the advice 127 h (see [`Advisor::advise`]) of each is given for the moves that it
    /// matches, in whatever language the game has for patterns. It works on games like this one, from any position on.
    ///
    /// # Errors
    /// If the game reads no patterns, or one of them is none: the message counts them from 1. Default: the former.
    fn advisor(&self, patterns: &[(&str, i8)]) -> Result<Arc<dyn Advisor<Self>>, String> {
        let _ = patterns;
        Err("this game reads no patterns".to_string())
    }

    /// An evaluator of games like this one, from any position on, by a network.
    ///
    /// # Errors
    /// If the game has no networks, or this one cannot be read or is none for it: the message names the file and what is
    /// accepted. Default: the former.
    fn evaluator(&self, network: &NetworkOptions) -> Result<Box<dyn Evaluate<Self>>, String> {
        let _ = network;
        Err("this game has no networks".to_string())
    }

    /// Appends the moves a playout may choose from: a non-empty subset of the legal ones, where the rules
    /// that are too slow for playouts (superko) may be left out. Default: all legal moves.
    #[inline]
    fn playout_moves(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// One of [`Game::playout_moves`], each equally likely. `buffer` is scratch space, empty on entry and
    /// on return.
    #[inline]
    fn playout_move(&self, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Self::Move {
        self.playout_moves(buffer);
        let m = buffer[rng.below(buffer.len() as u32) as usize];
        buffer.clear();
        m
    }

    /// Whether [`Game::search_move_of`] and [`Game::playout_move_of`] find moves by their keys. In a playout a move must
    /// then take its cell: no move is found by the same key before the playout's [`Trace`] is told that the cell is free.
    const FINDS_MOVES: bool = false;

    /// The one of [`Game::search_moves`] with this [`Game::key`], if there is one now; `key` is one of the player
    /// to move. Lets a method that learns by key look at single moves instead of a list of all; called only
    /// where [`Game::FINDS_MOVES`] says so.
    #[inline]
    fn search_move_of(&self, key: usize) -> Option<Self::Move> {
        let _ = key;
        None
    }

    /// The one of [`Game::playout_moves`] with this [`Game::key`], if there is one now; `key` is one of the player
    /// to move. A last resort like the pass, which is a playout move only where there is no other, is left
    /// out. Lets a policy that ranks moves stop at the first that can be played; called only where
    /// [`Game::FINDS_MOVES`] says so.
    #[inline]
    fn playout_move_of(&self, key: usize) -> Option<Self::Move> {
        let _ = key;
        None
    }

    /// Whether the cell of this key is taken: [`Game::playout_move_of`] finds nothing by it before
    /// [`Trace::freed`] is told of the cell. Lets a policy that ranks moves pass over it. Default:
    /// never.
    #[inline]
    fn is_taken(&self, key: usize) -> bool {
        let _ = key;
        false
    }

    /// Sets the bits of cells, all clear on entry, among them those of every key by which [`Game::search_move_of`]
    /// finds a move now; a cell is a key less the first of its player. Lets a search pass over the others.
    /// Default: the cells that are not taken.
    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        let share = self.keys() / Self::Outcome::PLAYERS;
        let first = self.to_move().index() * share;
        for cell in (0..share).filter(|cell| !self.is_taken(first + cell)) {
            bits[cell / 64] |= 1 << (cell % 64);
        }
    }

    /// Plays a move of a playout and tells `trace`; after the first one only `playout_` methods,
    /// [`Game::to_move`], [`Game::key`] and [`Game::is_taken`] are called on this position. Default:
    /// [`Game::play`].
    #[inline]
    fn playout_play<T: Trace>(&mut self, m: Self::Move, trace: &mut T) {
        if T::RECORDS {
            trace.record(self.to_move(), self.key(m));
        }
        self.play(m);
    }

    /// The outcome, if the playout ends here; may end it earlier than the rules do, by a move cap or a
    /// clear lead. Default: [`Game::result`].
    #[inline]
    fn playout_result(&self) -> Option<Self::Outcome> {
        self.result()
    }

    /// Plays uniformly random moves to the end and tells `trace` of each. Default: a loop over
    /// [`Game::playout_move`]; a game that overrides it must draw from the same distribution.
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

    /// Plays to the end and tells `guide` of each move: a move of [`Game::playout_move`] where the guide
    /// explores, otherwise the best that is found by key, or of [`Game::playout_move`] if there is none.
    /// Called only where [`Game::FINDS_MOVES`] says so. Default: a loop over [`Game::playout_move_of`]; a game
    /// that overrides it must draw from the same distribution.
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
                    .best(self.to_move(), rng, |cell| self.look(cell))
                    .unwrap_or_else(|| self.playout_move(rng, buffer))
            };
            self.playout_play(m, guide);
        }
    }

    /// What [`Game::playout_move_of`] and [`Game::is_taken`] find at a cell for the player to move.
    #[inline]
    fn look(&self, cell: usize) -> Look<Self::Move> {
        let key = self.to_move().index() * (self.keys() / Self::Outcome::PLAYERS) + cell;
        match self.playout_move_of(key) {
            Some(m) => Look::Found(m),
            None if self.is_taken(key) => Look::Closed,
            None => Look::NotNow,
        }
    }
}

/// A listener to a playout.
pub trait Trace {
    /// Whether [`Trace::record`] does anything: if not, a game need not compute keys.
    const RECORDS: bool;

    /// `player` is about to play the move with this [`Game::key`].
    fn record(&mut self, player: Player, key: usize);

    /// A cell that was taken is free again, such as the point of a captured stone. The cell of a key is what
    /// the key is above the first one of its player. Default: nothing.
    #[inline]
    fn freed(&mut self, cell: usize) {
        let _ = cell;
    }
}

/// Listens to nothing.
impl Trace for () {
    const RECORDS: bool = false;

    #[inline]
    fn record(&mut self, _: Player, _: usize) {}
}

/// A move of a simulation, as methods that learn by key see it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Played(u32);

impl Played {
    /// The move of `player` with this [`Game::key`], of which the lowest 24 bits are kept.
    #[inline]
    pub fn new(player: Player, key: usize) -> Played {
        Played((player.index() as u32) << 24 | key as u32 & 0xff_ffff)
    }

    /// Who played it.
    #[inline]
    pub fn player(self) -> Player {
        Player::new((self.0 >> 24) as usize)
    }

    /// Its [`Game::key`].
    #[inline]
    pub fn key(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }
}

impl Debug for Played {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Played").field("player", &self.player()).field("key", &self.key()).finish()
    }
}

/// Keeps every move.
impl Trace for Vec<Played> {
    const RECORDS: bool = true;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        self.push(Played::new(player, key));
    }
}

/// Moves and positions as text, for records, engines and people. Positions print by
/// [`Display`](core::fmt::Display).
pub trait Notation: Game + core::fmt::Display {
    /// The move as text without spaces, such as `e5` or `3`.
    fn move_text(&self, m: Self::Move) -> alloc::string::String;

    /// The legal move that `text` names, or none.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| self.move_text(m).eq_ignore_ascii_case(text))
    }
}
