//! Tests for games: does an implementation of [`Game`] keep the contract that the searches rely on?
//!
//! Meant for a game's own tests; every function panics with a message that names the broken
//! property and the moves that led there. The checks draw random numbers from a fixed seed, so
//! their result is always the same.
//!
//! ```
//! # use tesuji::doc_game::Nim;
//! tesuji::conformance::check(&Nim::new(12), 1, 20);
//! ```

mod playouts;

use crate::code::Code;
use crate::game::{Board, Drawing, Game, Notation, SearchGame};
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use crate::untried::Ones;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// No game that is checked may last longer than this many moves.
pub const LONGEST: usize = 10_000;

/// Plays `games` random games from `start` and checks at every position that
///
/// * the legal moves are listed the same way twice, without duplicates, and at least one while the
///   game goes on;
/// * playing a move is deterministic, and neither [`Clone::clone`] nor [`Clone::clone_from`] leaves
///   two positions tied together;
/// * every player's result lies in [0, 1], and the results of two players sum to 1;
/// * keys lie below [`Keyed::keys`](crate::Keyed::keys), and a key always means the same move of
///   the same player;
/// * equal histories have equal hashes, a move changes the hash, and positions with equal hashes
///   agree in the player to move, the number of moves and the result;
/// * [`Game::search_moves`] and [`Playouts::playout_moves`](crate::Playouts::playout_moves) are
///   non-empty subsets of the legal moves, without duplicates;
/// * [`Keyed::search_move_of`](crate::Keyed::search_move_of) and
///   [`Keyed::playout_move_of`](crate::Keyed::playout_move_of), where the game has them, find each
///   listed move by its key, except a playout move that is the only one, and
///   [`Keyed::open_cells`](crate::Keyed::open_cells) has the cells of all search moves, and of no
///   others and in their order where [`Keyed::LISTS_CELLS`](crate::Keyed::LISTS_CELLS) says so;
/// * [`Game::most_moves`] of `start`, where it is known, is no smaller than any list of moves;
/// * there is one prior for each move, finite and not negative;
///
/// and, at one position of every game, that
///
/// * [`Playouts::playout_move`](crate::Playouts::playout_move) draws every playout move equally
///   often, and [`Knowledge::draw_search_move`](crate::Knowledge::draw_search_move), where it draws
///   at all, every search move (chi-square tests);
/// * once [`Keyed::is_taken`](crate::Keyed::is_taken) says that a cell is taken, or a move with its
///   key is made, no move is found by that key until the trace says that the cell is free;
/// * [`Playouts::playout`](crate::Playouts::playout) ends, tells its trace of every move, and
///   leaves its buffer empty; from `start` its results and lengths are, on average, those of a loop
///   over [`Playouts::playout_move`](crate::Playouts::playout_move);
/// * so does [`Playouts::guided_playout`](crate::Playouts::guided_playout), and where its guide
///   does not explore, it makes the move that is found at the best cell.
///
/// # Panics
/// If any of this fails.
pub fn check<G: SearchGame>(start: &G, seed: u64, games: u32) {
    Kit::new(start, seed, true).run(games);
}

/// [`check`] for a game whose playouts leave out a slow rule, such as superko: playout moves need
/// not be legal.
///
/// # Panics
/// As [`check`].
pub fn check_with_loose_playouts<G: SearchGame>(start: &G, seed: u64, games: u32) {
    Kit::new(start, seed, false).run(games);
}

/// Plays `games` random games from `start` and checks at every position that each legal move has a
/// text without spaces that [`Notation::parse_move`] reads back, that the position prints as
/// something, and that its [`Notation::drawing`], where there is one, has as many places as its
/// rows and columns make.
///
/// # Panics
/// If any of this fails.
pub fn check_notation<G: Notation>(start: &G, seed: u64, games: u32) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut line = RandomLine::new(start);
        loop {
            ensure!(line, !alloc::format!("{}", line.game).is_empty(), "the position prints as nothing");
            if let Some(Drawing::Board(Board { columns, rows, pieces, .. })) = line.game.drawing() {
                let fits = !columns.is_empty()
                    && pieces.len().is_multiple_of(columns.len())
                    && (rows.is_empty() || rows.len() * columns.len() == pieces.len());
                let [columns, rows, pieces] = [columns.len(), rows.len(), pieces.len()];
                ensure!(line, fits, "`drawing` has {pieces} places on {columns} columns and {rows} rows");
            }
            if line.game.result().is_some() {
                break;
            }
            let moves = line.moves();
            line.ensure_moves("moves", &moves, None);
            for &m in &moves {
                let text = line.game.move_text(m);
                ensure!(
                    line,
                    !text.is_empty() && !text.contains(char::is_whitespace),
                    "the text {text:?} of the move {m:?} is empty or holds a space"
                );
                let parsed = line.game.parse_move(&text);
                ensure!(line, parsed == Some(m), "the text {text:?} of {m:?} is read as {parsed:?}");
            }
            line.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

macro_rules! ensure {
    ($line:expr, $holds:expr, $($property:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            $line.fail(format_args!($($property)+));
        }
    };
}
use ensure;

/// A position and how it came about.
#[derive(Clone)]
struct RandomLine<G: Game> {
    game: G,
    played: Vec<G::Move>,
}

impl<G: Game> RandomLine<G> {
    fn new(start: &G) -> Self {
        RandomLine { game: start.clone(), played: Vec::new() }
    }

    fn fail(&self, property: fmt::Arguments<'_>) -> ! {
        panic!("not a conforming game: {property}; after the moves {:?}", self.played)
    }

    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves
    }

    fn play(&mut self, m: G::Move) {
        self.game.play(m);
        self.played.push(m);
        ensure!(self, self.played.len() < LONGEST, "a random game has no end within {LONGEST} moves");
    }

    /// Checks that `moves` is not empty and holds nothing twice and nothing outside `allowed`.
    fn ensure_moves(&self, name: &str, moves: &[G::Move], allowed: Option<&[G::Move]>) {
        ensure!(self, !moves.is_empty(), "`{name}` is empty though the game is not over");
        for (i, m) in moves.iter().enumerate() {
            ensure!(self, !moves[..i].contains(m), "`{name}` holds {m:?} twice");
            let legal = allowed.is_none_or(|allowed| allowed.contains(m));
            ensure!(self, legal, "`{name}` holds {m:?}, which is not legal");
        }
    }
}

/// What can be seen of a position.
type View<G> =
    (Player, Option<<G as Game>::Outcome>, Option<u64>, Vec<<G as Game>::Move>, Vec<<G as Game>::Move>);

fn view<G: Game>(game: &G) -> View<G> {
    let (mut legal, mut search) = (Vec::new(), Vec::new());
    let result = game.result();
    if result.is_none() {
        game.moves(&mut legal);
        game.search_moves(&mut search);
    }
    (game.to_move(), result, game.hash(), legal, search)
}

/// What positions with equal hashes share.
type Future<G> = (Player, usize, Option<<G as Game>::Outcome>);

struct Kit<'a, G: SearchGame> {
    start: &'a G,
    rng: Rng,
    /// Whether playout moves must be legal.
    strict: bool,
    /// The player and move that each key was seen to mean.
    meaning: Vec<Option<(Player, G::Move)>>,
    futures: BTreeMap<u64, Future<G>>,
    /// Takes copies by `clone_from`, over whatever it was left with.
    copy: G,
}

impl<'a, G: SearchGame> Kit<'a, G> {
    fn new(start: &'a G, seed: u64, strict: bool) -> Self {
        let meaning = vec![None; start.keys()];
        Kit { start, rng: Rng::new(seed), strict, meaning, futures: BTreeMap::new(), copy: start.clone() }
    }

    fn run(&mut self, games: u32) {
        let start = RandomLine::new(self.start);
        let mut probes = vec![];
        for _ in 0..games {
            let mut line = start.clone();
            let mut probe = line.clone();
            while line.game.result().is_none() {
                self.check_position(&line);
                // Every position of the game is equally likely to stay.
                if self.rng.below(line.played.len() as u32 + 1) == 0 {
                    probe = line.clone();
                }
                let moves = line.moves();
                let m = moves[self.rng.below(moves.len() as u32) as usize];
                self.check_move(&line, m);
                line.play(m);
            }
            self.check_result(&line);
            probes.push(probe);
        }
        // Playouts come last: many of them go wrong in a game whose moves do.
        if self.start.result().is_none() {
            self.check_playout_averages(&start);
            for line in &probes {
                self.check_draws(line);
                self.check_playout(line);
                if G::FINDS_MOVES {
                    self.check_guided_playout(line);
                }
            }
        }
    }

    fn check_position(&mut self, line: &RandomLine<G>) {
        let game = &line.game;
        let moves = line.moves();
        ensure!(line, moves == line.moves(), "`moves` lists the moves differently the second time");
        line.ensure_moves("moves", &moves, None);

        let mut search = Vec::new();
        game.search_moves(&mut search);
        line.ensure_moves("search_moves", &search, Some(&moves));
        let mut playout = Vec::new();
        game.playout_moves(&mut playout);
        line.ensure_moves("playout_moves", &playout, self.strict.then_some(&moves));

        if let Some(most) = self.start.most_moves() {
            let len = moves.len().max(playout.len());
            ensure!(line, len <= most, "there are {len} moves, but `most_moves` of the start says {most}");
        }

        let mut priors = Vec::new();
        game.priors(&search, &mut priors);
        ensure!(line, priors.len() == search.len(), "{} priors for {} moves", priors.len(), search.len());
        for (m, p) in search.iter().zip(&priors) {
            ensure!(line, p.is_finite() && *p >= 0.0, "the prior of {m:?} is {p}");
        }

        for &m in moves.iter().chain(&playout) {
            self.check_key(line, m);
        }
        if G::FINDS_MOVES {
            self.check_finding(line, &search, &playout);
        }
        if G::LISTS_CELLS {
            let mut open = alloc::vec![0u64; (game.keys() / G::Outcome::PLAYERS).div_ceil(64)];
            game.open_cells(&mut open);
            let order = game.order();
            ensure!(
                line,
                !G::FINDS_MOVES || order.is_none(),
                "a game that finds moves by keys has an `order`"
            );
            let cell = |place: usize| order.map_or(place, |order| order.cells[place].into());
            let cells: Vec<usize> = Ones::of(&open).map(cell).collect();
            let listed: Vec<usize> = search.iter().map(|&m| game.code(m).index()).collect();
            ensure!(
                line,
                cells == listed,
                "`open_cells` has the cells {cells:?}, the search moves {listed:?}"
            );
            for (place, cell) in Ones::of(&open).zip(cells) {
                let other = order.map_or(place, |order| order.places[cell].into());
                ensure!(line, place == other, "`order` has cell {cell} at the places {place} and {other}");
            }
        }
        self.check_hash(line, moves.len());
    }

    fn check_key(&mut self, line: &RandomLine<G>, m: G::Move) {
        let (keys, player) = (line.game.keys(), line.game.to_move());
        ensure!(line, keys == self.meaning.len(), "`keys` changed from {} to {keys}", self.meaning.len());
        ensure!(
            line,
            player.index() < G::Outcome::PLAYERS,
            "{player:?} is to move, who is none of the game's"
        );
        let decoded = line.game.decode(line.game.code(m));
        ensure!(line, decoded == m, "`decode` makes {decoded:?} of the code of {m:?}");
        if keys == 0 {
            return;
        }
        let key = line.game.key(m);
        let cell = line.game.code(m).index();
        ensure!(
            line,
            key == line.game.first_key() + cell,
            "the key {key} of {m:?} does not follow from its code {cell}"
        );
        ensure!(line, key < keys, "the key {key} of {m:?} is not below {keys}");
        match self.meaning[key] {
            Some(meaning) => {
                ensure!(
                    line,
                    meaning == (player, m),
                    "the key {key} means both {meaning:?} and {:?}",
                    (player, m)
                );
            }
            None => {
                let other = self.meaning.iter().position(|meaning| *meaning == Some((player, m)));
                ensure!(line, other.is_none(), "{:?} has the keys {key} and {other:?}", (player, m));
                self.meaning[key] = Some((player, m));
            }
        }
    }

    /// Finds the moves of both lists by their keys. Where one playout move is left, it may be a
    /// last resort.
    fn check_finding(&self, line: &RandomLine<G>, search: &[G::Move], playout: &[G::Move]) {
        let game = &line.game;
        let block = game.keys() / G::Outcome::PLAYERS;
        let first = game.to_move().index() * block;
        let mut open = alloc::vec![0u64; (game.keys() / G::Outcome::PLAYERS).div_ceil(64)];
        game.open_cells(&mut open);
        let is_set = |bits: &[u64], i: usize| bits[i / 64] >> (i % 64) & 1 == 1;
        for key in first..first + block {
            let of_key = |moves: &[G::Move]| moves.iter().copied().find(|&m| game.key(m) == key);
            let (found, listed) = (game.search_move_of(key), of_key(search));
            ensure!(line, found == listed, "`search_move_of` finds {found:?} by key {key}, not {listed:?}");
            let (cell, open) = (key - first, found.is_none() || is_set(&open, key - first));
            ensure!(line, open, "`open_cells` leaves out the cell {cell} of {found:?}");
            let (found, listed) = (game.playout_move_of(key), of_key(playout));
            let resort = found.is_none() && playout.len() == 1;
            ensure!(
                line,
                found == listed || resort,
                "`playout_move_of` finds {found:?} by key {key}, not {listed:?}"
            );
        }
        for &m in search.iter().chain(playout) {
            let key = game.key(m);
            ensure!(
                line,
                (first..first + block).contains(&key),
                "the key {key} of {m:?} is not in the block of {:?}",
                game.to_move()
            );
        }
    }

    fn check_hash(&mut self, line: &RandomLine<G>, moves: usize) {
        let game = &line.game;
        let Some(hash) = game.hash() else {
            ensure!(line, self.start.hash().is_none(), "there is no hash, but at the start there was one");
            return;
        };
        ensure!(line, self.start.hash().is_some(), "there is a hash, but at the start there was none");
        let future = (game.to_move(), moves, game.result());
        let seen = *self.futures.entry(hash).or_insert(future);
        ensure!(
            line,
            seen == future,
            "positions with (player to move, number of moves, result) {seen:?} and {future:?} have the same hash"
        );
    }

    /// Plays `m` on copies of the position in every way.
    fn check_move(&mut self, line: &RandomLine<G>, m: G::Move) {
        let before = view(&line.game);
        self.copy.clone_from(&line.game);
        ensure!(line, view(&self.copy) == before, "a copy by `clone_from` differs from the original");
        let mut clone = line.game.clone();
        ensure!(line, view(&clone) == before, "a copy by `clone` differs from the original");

        clone.play(m);
        let after = view(&clone);
        ensure!(line, view(&line.game) == before, "playing {m:?} on a clone changes the original");
        ensure!(line, view(&self.copy) == before, "playing {m:?} on a clone changes another copy");
        self.copy.play(m);
        ensure!(line, view(&self.copy) == after, "playing {m:?} on two copies leads to different positions");
        ensure!(line, before.2.is_none() || before.2 != after.2, "playing {m:?} does not change the hash");
    }

    fn check_result(&mut self, line: &RandomLine<G>) {
        let result = line.game.result().expect("the game is over");
        ensure!(line, line.game.result() == Some(result), "`result` differs the second time");
        let values = (0..G::Outcome::PLAYERS).map(|player| result.of(Player::new(player)));
        for (player, value) in values.clone().enumerate() {
            ensure!(line, (0.0..=1.0).contains(&value), "the result is {value} for player {player}");
        }
        let sum: f32 = values.sum();
        ensure!(
            line,
            G::Outcome::PLAYERS != 2 || (sum - 1.0).abs() < 1e-6,
            "the results of both sum to {sum}"
        );
        self.check_hash(line, 0);

        let mut again = self.start.clone();
        line.played.iter().for_each(|&m| again.play(m));
        let same = view(&again) == view(&line.game);
        ensure!(line, same, "playing the same moves again leads to a different position");
    }
}
