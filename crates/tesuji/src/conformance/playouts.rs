//! Checks of a game's playouts and random draws.

use super::{Kit, LONGEST, RandomLine, ensure};
use crate::game::{Played, SearchGame, Trace};
use crate::guide::{Guide, Look};
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use alloc::vec;
use alloc::vec::Vec;

/// Playouts compared with a plain loop over [`Playouts::playout_move`].
const PLAYOUTS: u32 = 1000;
/// Draws of [`Playouts::playout_move`] for each move it may choose.
const DRAWS: u32 = 100;
/// How many standard deviations pass for chance: a correct game fails with probability below 1e-8 a
/// test.
const SIGMAS: f64 = 6.0;

impl<G: SearchGame> Kit<'_, G> {
    /// The choices of a playout, and the draws of a search.
    pub(super) fn check_draws(&mut self, line: &RandomLine<G>) {
        let (mut moves, mut buffer) = (Vec::new(), Vec::new());
        line.game.playout_moves(&mut moves);
        self.check_uniform(line, "playout_move", &moves, |rng| {
            let m = line.game.playout_move(rng, &mut buffer);
            ensure!(line, buffer.is_empty(), "`playout_move` leaves its buffer filled");
            Some(m)
        });
        moves.clear();
        line.game.search_moves(&mut moves);
        self.check_uniform(line, "draw_search_move", &moves, |rng| line.game.draw_search_move(rng));
    }

    /// A chi-square test: what `draw` gives, where it gives something, is any of `moves` equally
    /// often.
    fn check_uniform(
        &mut self,
        line: &RandomLine<G>,
        what: &str,
        moves: &[G::Move],
        mut draw: impl FnMut(&mut Rng) -> Option<G::Move>,
    ) {
        let mut drawn = vec![0_u32; moves.len()];
        for _ in 0..DRAWS * moves.len() as u32 {
            let Some(m) = draw(&mut self.rng) else { continue };
            match moves.iter().position(|&other| other == m) {
                Some(i) => drawn[i] += 1,
                None => line.fail(format_args!("`{what}` draws {m:?}, not one of {moves:?}")),
            }
        }
        let expected = f64::from(drawn.iter().sum::<u32>()) / moves.len() as f64;
        let deviation = |n: u32| f64::from(n) - expected;
        let chi_square: f64 = drawn.iter().map(|&n| deviation(n) * deviation(n) / expected.max(1.0)).sum();
        let limit = chi_square_limit(moves.len() - 1);
        ensure!(
            line,
            chi_square <= limit,
            "`{what}` is not uniform: of {moves:?} it draws {drawn:?} (chi-square {chi_square:.1}, at most {limit:.1} is chance)"
        );
    }

    /// Plays along a playout by what it tells its trace.
    pub(super) fn check_playout(&mut self, line: &RandomLine<G>) {
        let (mut trace, mut buffer, mut moves) = (Vec::<Played>::new(), Vec::new(), Vec::new());
        let result = line.game.clone().playout(&mut self.rng, &mut buffer, &mut trace);
        ensure!(line, buffer.is_empty(), "`playout` leaves its buffer filled");
        if line.game.keys() == 0 {
            return;
        }
        let mut game = line.game.clone();
        let mut closed = Closed { keys: vec![false; game.keys()], players: G::Outcome::PLAYERS };
        for (i, played) in trace.iter().enumerate() {
            if G::FINDS_MOVES {
                let block = game.keys() / G::Outcome::PLAYERS;
                for key in game.to_move().index() * block..(game.to_move().index() + 1) * block {
                    closed.keys[key] |= game.is_taken(key);
                    ensure!(
                        line,
                        !closed.keys[key] || game.playout_move_of(key).is_none(),
                        "before move {i} of a playout, the key {key} finds a move, though its cell is taken"
                    );
                }
            }
            let over = game.playout_result();
            ensure!(line, over.is_none(), "the playout goes on after its end: {:?}", &trace[i..]);
            ensure!(
                line,
                played.player() == game.to_move(),
                "move {i} of a playout is reported as a move of {played:?}"
            );
            moves.clear();
            game.playout_moves(&mut moves);
            match moves.iter().find(|&&m| game.key(m) == played.key()) {
                Some(&m) => {
                    closed.keys[played.key()] = true;
                    game.playout_play(m, &mut closed);
                }
                None => line.fail(format_args!("move {i} of a playout, {played:?}, is not a playout move")),
            }
        }
        let end = game.playout_result();
        ensure!(
            line,
            end == Some(result),
            "a playout's trace of {} moves leads to the result {end:?}, not to {result:?}",
            trace.len()
        );
    }

    /// Plays along a playout that a guide leads down a random order of the cells.
    pub(super) fn check_guided_playout(&mut self, line: &RandomLine<G>) {
        let (mut game, mut buffer, mut moves) = (line.game.clone(), Vec::new(), Vec::new());
        let mut guide = RandomOrder::new(&game, 1 << 31, &mut self.rng);
        let result = line.game.clone().guided_playout(&mut self.rng, &mut buffer, &mut guide);
        ensure!(line, buffer.is_empty(), "`guided_playout` leaves its buffer filled");
        let (told, asked) = (guide.trace.len(), guide.explored.len());
        ensure!(line, told == asked, "`guided_playout` tells of {told} moves and asks for {asked}");
        for (i, (played, explored)) in guide.trace.iter().zip(&guide.explored).enumerate() {
            moves.clear();
            game.playout_moves(&mut moves);
            let played = moves.iter().copied().find(|&m| game.key(m) == played.key());
            let first = game.to_move().index() * guide.closed.len();
            let best = guide.order.iter().find_map(|cell| game.playout_move_of(first + cell));
            match (played, best) {
                (None, _) => line.fail(format_args!("move {i} of a guided playout is not a playout move")),
                (Some(m), Some(best)) if !explored && m != best => {
                    line.fail(format_args!("move {i} of a guided playout is {m:?}, not {best:?}"))
                }
                (Some(m), _) => game.playout_play(m, &mut ()),
            }
        }
        let end = game.playout_result();
        ensure!(line, end == Some(result), "a guided playout has the result {result:?}, not {end:?}");
    }

    /// Compares [`Playouts::playout`], with a trace and without, with a loop over the playout's
    /// moves.
    pub(super) fn check_playout_averages(&mut self, line: &RandomLine<G>) {
        let (mut trace, mut buffer) = (Vec::<Played>::new(), Vec::new());
        let (mut plain, mut plain_length) = (Moments::default(), Moments::default());
        let (mut told, mut told_length, mut silent) =
            (Moments::default(), Moments::default(), Moments::default());
        let (mut guided, mut guided_length) = (Moments::default(), Moments::default());
        for _ in 0..PLAYOUTS {
            let mut game = self.start.clone();
            let mut length = 0;
            let result = loop {
                if let Some(result) = game.playout_result() {
                    break result;
                }
                let m = game.playout_move(&mut self.rng, &mut buffer);
                ensure!(line, buffer.is_empty(), "`playout_move` leaves its buffer filled");
                game.playout_play(m, &mut ());
                length += 1;
                ensure!(line, length < LONGEST, "a playout has no end within {LONGEST} moves");
            };
            plain.add(result.of(Player::FIRST));
            plain_length.add(length as f32);

            trace.clear();
            let result = self.start.clone().playout(&mut self.rng, &mut buffer, &mut trace);
            told.add(result.of(Player::FIRST));
            told_length.add(trace.len() as f32);
            silent.add(self.start.clone().playout(&mut self.rng, &mut buffer, &mut ()).of(Player::FIRST));
            if G::FINDS_MOVES {
                let mut guide = RandomOrder::new(self.start, u32::MAX, &mut self.rng);
                let result = self.start.clone().guided_playout(&mut self.rng, &mut buffer, &mut guide);
                guided.add(result.of(Player::FIRST));
                guided_length.add(guide.trace.len() as f32);
            }
        }
        for (what, a, b) in [
            ("the first player's result in `playout`", plain, silent),
            ("the first player's result in `playout` with a trace", plain, told),
            ("the number of moves told by `playout`", plain_length, told_length),
            ("the first player's result in `guided_playout`", plain, guided),
            ("the number of moves told by `guided_playout`", plain_length, guided_length),
        ] {
            ensure!(
                line,
                b.n == 0.0 || a.agrees_with(&b),
                "{what} is {} on average; by `playout_move` it is {}",
                b.mean(),
                a.mean()
            );
        }
    }
}

/// Leads down an order of the cells.
struct RandomOrder {
    order: Vec<usize>,
    /// By cell, a bit for each player.
    closed: Vec<u64>,
    /// Explores with this probability, in units of 2^-32.
    epsilon: u32,
    explored: Vec<bool>,
    trace: Vec<Played>,
}

impl RandomOrder {
    fn new<G: SearchGame>(game: &G, epsilon: u32, rng: &mut Rng) -> RandomOrder {
        let cells = game.keys() / G::Outcome::PLAYERS;
        let mut order: Vec<usize> = (0..cells).collect();
        (1..cells).for_each(|i| order.swap(i, rng.below(i as u32 + 1) as usize));
        RandomOrder { order, closed: vec![0; cells], epsilon, explored: vec![], trace: vec![] }
    }
}

impl Trace for RandomOrder {
    const RECORDS: bool = true;

    fn record(&mut self, player: Player, key: usize) {
        self.trace.record(player, key);
    }

    fn freed(&mut self, cell: usize) {
        self.closed[cell] = 0;
    }
}

impl Guide for RandomOrder {
    fn explores(&mut self, random: u32) -> bool {
        self.explored.push(random < self.epsilon);
        random < self.epsilon
    }

    fn best<M>(&mut self, player: Player, _: &mut Rng, mut look: impl FnMut(usize) -> Look<M>) -> Option<M> {
        for &cell in &self.order {
            if self.closed[cell] >> player.index() & 1 == 0 {
                match look(cell) {
                    Look::Found(m) => return Some(m),
                    Look::NotNow => {}
                    Look::Closed => self.closed[cell] |= 1 << player.index(),
                }
            }
        }
        None
    }
}

/// The keys by which no move may be found.
struct Closed {
    keys: Vec<bool>,
    players: usize,
}

impl Trace for Closed {
    const RECORDS: bool = true;

    fn record(&mut self, _: Player, _: usize) {}

    fn freed(&mut self, cell: usize) {
        let block = self.keys.len() / self.players;
        self.keys.chunks_mut(block.max(1)).for_each(|keys| keys[cell] = false);
    }
}

/// What chi-square with this many degrees of freedom stays below but for [`SIGMAS`] (Wilson and
/// Hilferty 1931).
fn chi_square_limit(freedom: usize) -> f64 {
    let freedom = freedom.max(1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    let root = 1.0 - spread + SIGMAS * libm::sqrt(spread);
    freedom * root * root * root
}

/// The first two moments of a sample.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, x: f32) {
        let x = f64::from(x);
        self.n += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// Whether the means differ by chance only.
    fn agrees_with(&self, other: &Moments) -> bool {
        let variance = |m: &Moments| m.squares / m.n - m.mean() * m.mean();
        let error = libm::sqrt((variance(self) + variance(other)).max(0.0) / self.n);
        (self.mean() - other.mean()).abs() <= SIGMAS * error + 1e-6
    }
}
