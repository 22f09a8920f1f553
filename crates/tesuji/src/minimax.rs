//! Exact search of two-player games: minimax, alpha-beta, and a reference player.

use crate::bot::{Bot, BotError, Observer, Reply};
use crate::budget::Budget;
use crate::game::Game;
use crate::outcome::{Outcome, Value};
use crate::player::Player;
use crate::report::{ChildReport, Proven, Report, StopReason};
use crate::search::clock::Clock;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// The result of an exact search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solution<M> {
    /// The outcome under best play by both.
    pub value: Value,
    /// The first of the moves that lead to it; none if the game is over.
    pub best: Option<M>,
    /// Positions visited, the root included.
    pub visits: u64,
    /// The number of them that were not searched further: the game was over, or the depth reached.
    pub leaves: u64,
}

/// The outcome of `game` under best play, by looking at every line of play. Any order of turns is
/// allowed.
///
/// ```
/// # use tesuji::{doc_game::Nim, minimax, Player, Value};
/// let solution = minimax(&Nim::new(7));
/// assert_eq!(solution.value, Value::win(Player::FIRST));
/// assert_eq!(solution.best, Some(3), "leaves a multiple of four");
/// ```
pub fn minimax<G: Game<Outcome = Value>>(game: &G) -> Solution<G::Move> {
    if let Some(value) = game.result() {
        return Solution { value, best: None, visits: 1, leaves: 1 };
    }
    let player = game.to_move();
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut found = Solution { value: Value::win(player.other()), best: None, visits: 1, leaves: 0 };
    for m in moves {
        let mut child = game.clone();
        child.play(m);
        let below = minimax(&child);
        found.visits += below.visits;
        found.leaves += below.leaves;
        if found.best.is_none() || prefers(player, below.value, found.value) {
            found.value = below.value;
            found.best = Some(m);
        }
    }
    found
}

/// The same value and move as [`minimax`], but without the lines of play that cannot change them:
/// fail-soft alpha-beta (Knuth and Moore 1975). With the best move first everywhere, a tree of
/// branching factor `b` and depth `d` takes `b^⌈d/2⌉ + b^⌊d/2⌋ - 1` leaves.
pub fn alpha_beta<G: Game<Outcome = Value>>(game: &G) -> Solution<G::Move> {
    alpha_beta_to_depth(game, u32::MAX, |_| Value::DRAW)
}

/// [`alpha_beta`] no deeper than `depth` moves: unfinished games there are worth what `evaluate`
/// says.
#[expect(clippy::missing_panics_doc, reason = "nothing ends this search early")]
pub fn alpha_beta_to_depth<G: Game<Outcome = Value>>(
    game: &G,
    depth: u32,
    evaluate: impl FnMut(&G) -> Value,
) -> Solution<G::Move> {
    let mut search = Descent::new(evaluate, |_| true);
    let (value, best) = search.visit(game, depth, WINDOW, None).expect("nothing ends this search early");
    Solution { value, best, visits: search.visits, leaves: search.leaves }
}

/// Whether `player` would rather have `a` than `b`.
fn prefers(player: Player, a: Value, b: Value) -> bool {
    if player == Player::FIRST { a > b } else { a < b }
}

/// What each player has before anything is searched: a loss.
const WINDOW: [Value; 2] = [Value::win(Player::SECOND), Value::win(Player::FIRST)];

struct Descent<M, E, C> {
    evaluate: E,
    /// Whether to go on after a given number of visits.
    go_on: C,
    visits: u64,
    leaves: u64,
    /// Whether the depth cut off an unfinished game.
    is_cut: bool,
    /// The moves of every level, one behind the other.
    moves: Vec<M>,
}

impl<M: Copy + Eq, E, C: FnMut(u64) -> bool> Descent<M, E, C> {
    fn new(evaluate: E, go_on: C) -> Self {
        Descent { evaluate, go_on, visits: 0, leaves: 0, is_cut: false, moves: Vec::new() }
    }

    /// The value of `game`, given the outcomes that either player has `assured` elsewhere: exact if
    /// it lies between them, else a bound on the same side. `first` is looked at before the other
    /// moves. None if the search was ended.
    fn visit<G>(
        &mut self,
        game: &G,
        depth: u32,
        mut assured: [Value; 2],
        first: Option<M>,
    ) -> Option<(Value, Option<M>)>
    where
        G: Game<Move = M, Outcome = Value>,
        E: FnMut(&G) -> Value,
    {
        if !(self.go_on)(self.visits) {
            return None;
        }
        self.visits += 1;
        if let Some(value) = game.result() {
            self.leaves += 1;
            return Some((value, None));
        }
        if depth == 0 {
            self.leaves += 1;
            self.is_cut = true;
            return Some(((self.evaluate)(game), None));
        }
        let player = game.to_move();
        let start = self.moves.len();
        game.moves(&mut self.moves);
        let moves = &mut self.moves[start..];
        if let Some(i) = moves.iter().position(|&m| Some(m) == first) {
            moves[..=i].rotate_right(1);
        }
        let mut best: Option<(Value, M)> = None;
        let mut child = game.clone();
        for i in start..self.moves.len() {
            let m = self.moves[i];
            child.clone_from(game);
            child.play(m);
            let (value, _) = self.visit(&child, depth - 1, assured, None)?;
            if best.is_none_or(|(best, _)| prefers(player, value, best)) {
                best = Some((value, m));
            }
            if prefers(player, value, assured[player.index()]) {
                assured[player.index()] = value;
            }
            if assured[0] >= assured[1] {
                break;
            }
        }
        self.moves.truncate(start);
        let (value, m) = best.expect("an unfinished game has a move");
        Some((value, Some(m)))
    }
}

/// A player by alpha-beta with iterative deepening, to measure others against.
///
/// A visited position counts as a simulation of the [`Budget`]. The depth grows by one move a round
/// until the budget is spent, the value is proven, or the largest depth is reached; the answer is
/// that of the last finished round. The [`Report`] lists the chosen move alone.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Game, E = fn(&G) -> Value> {
    depth: u32,
    evaluate: E,
    game: PhantomData<fn(&G)>,
}

impl<G: Game<Outcome = Value>> AlphaBeta<G> {
    /// Looks as far as the budget allows, and counts lines of play without a visible end as draws.
    pub fn exact() -> AlphaBeta<G> {
        AlphaBeta::new(u32::MAX, |_| Value::DRAW)
    }
}

impl<G: Game<Outcome = Value>, E: FnMut(&G) -> Value> AlphaBeta<G, E> {
    /// Looks at most `depth` moves ahead (at least one) and trusts `evaluate` there. The values 0
    /// and 1 of an evaluation count as proofs.
    pub fn new(depth: u32, evaluate: E) -> AlphaBeta<G, E> {
        AlphaBeta { depth: depth.max(1), evaluate, game: PhantomData }
    }

    /// Searches `game`, which is not over.
    fn search(&mut self, game: &G, budget: &Budget) -> Report<G::Move> {
        let clock = Clock::start();
        let mut reason = StopReason::Simulations;
        let mut visits = 0;
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let (mut value, mut best, mut reached, mut proven) = (Value::DRAW, moves[0], 0, false);
        for depth in 1..=self.depth {
            let mut search = Descent::new(&mut self.evaluate, |more| {
                if budget.stop.is_stopped() {
                    reason = StopReason::Stopped;
                } else if more % 256 == 0 && budget.time.is_some_and(|time| clock.elapsed() >= time) {
                    reason = StopReason::Time;
                } else {
                    return budget.simulations.is_none_or(|most| visits + more < most);
                }
                false
            });
            let found = search.visit(game, depth, WINDOW, Some(best));
            let (more, is_cut) = (search.visits, search.is_cut);
            visits += more;
            let Some((found, Some(m))) = found else { break };
            (value, best, reached) = (found, m, depth);
            let is_decided = value == Value::win(Player::FIRST) || value == Value::win(Player::SECOND);
            if !is_cut || is_decided {
                (proven, reason) = (true, StopReason::Proven);
                break;
            }
        }
        let value = value.of(game.to_move());
        let proven = match value {
            _ if !proven => None,
            0.0 => Some(Proven::Loss),
            0.5 => Some(Proven::Draw),
            1.0 => Some(Proven::Win),
            _ => None,
        };
        let visited = u32::try_from(visits).unwrap_or(u32::MAX);
        Report {
            best,
            value,
            variation: vec![best],
            children: vec![ChildReport {
                m: best,
                visits: visited,
                value,
                prior: None,
                proven,
                variation: vec![best],
            }],
            reason,
            simulations: visits,
            nodes: 0,
            nodes_peak: 0,
            bytes: 0,
            bytes_peak: 0,
            depth: reached as usize,
            elapsed: clock.elapsed(),
            seed: 0,
            recipe: String::from("alpha-beta"),
        }
    }
}

impl<G: Game<Outcome = Value>, E: FnMut(&G) -> Value> Bot<G> for AlphaBeta<G, E> {
    fn name(&self) -> String {
        String::from("alpha-beta")
    }

    fn new_game(&mut self, _: &G, _: u64) -> Result<(), BotError> {
        Ok(())
    }

    fn played(&mut self, _: G::Move, _: &G) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        _: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        if game.result().is_some() {
            return Err(BotError(String::from("the game is over: there is no move to search for")));
        }
        if budget.time.is_some() && !cfg!(feature = "std") {
            return Err(BotError(String::from("a time limit needs the feature `std`")));
        }
        Ok(Reply::Play(self.search(game, budget)))
    }
}
