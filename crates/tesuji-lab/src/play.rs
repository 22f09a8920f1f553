//! One game between two players.

use crate::adjudication::Adjudicator;
use crate::conditions::Conditions;
use crate::store::{Ending, SearchRow};
use cpu_time::ThreadTime;
use std::thread;
use std::time::{Duration, Instant};
use tesuji::{Bot, BotError, Budget, Notation, Observer, Outcome, Player, Reply, Rng, Stop};

/// A finished game.
#[derive(Clone, Debug)]
pub struct FinishedGame<G: Notation> {
    /// All moves, the opening included.
    pub moves: Vec<G::Move>,
    /// The final position.
    pub last: G,
    /// The value for the first player.
    pub value: f64,
    /// The reason of its end.
    pub ending: Ending,
    /// Why it was forfeited.
    pub detail: Option<String>,
    /// The searches; `by_a` is true where the first player searched.
    pub searches: Vec<SearchRow>,
    /// Wall-clock time.
    pub seconds: f64,
    /// The processor time of the first and the second player's searches, in seconds. It is measured
    /// only where a player has a process of its own. Of any other player, the thread of the game
    /// counts.
    pub processor_seconds: Option<[f64; 2]>,
}

/// Why a game has no end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// The stop of a budget was called.
    Stopped,
    /// The game could not be played, and no player is to blame: somebody else ended an engine, for
    /// example.
    Failed(String),
}

/// How often whoever waits for a stop looks up, and how many times.
const STOP_TICKS: (Duration, u32) = (Duration::from_millis(10), 100);

/// Whether a stop is called now, or within a second: what ends this program may have ended an
/// engine a moment before. Ticks are counted, not the time: where this program itself was stopped
/// (SIGSTOP), its own signals come first.
pub(crate) fn stop_follows(stops: &[&Stop]) -> bool {
    let (tick, ticks) = STOP_TICKS;
    let is_stopped = || stops.iter().any(|stop| stop.is_stopped());
    for _ in 0..ticks {
        if is_stopped() {
            return true;
        }
        thread::sleep(tick);
    }
    is_stopped()
}

/// The value for the first player if `loser` loses.
fn lost_by(loser: Player) -> f64 {
    if loser == Player::FIRST { 0.0 } else { 1.0 }
}

/// Plays a game: `bots[0]` is the first player. The game itself is the referee: a player with an
/// illegal move or an error loses. `budgets[i]` limits each search of `bots[i]`.
///
/// Only those of the `conditions` apply that end games. The game must be one for two players.
///
/// # Errors
/// If the stop of a budget was called before the game ended, or within a second of an error of a
/// player; or if somebody else ended the player that erred.
pub fn play<G: Notation>(
    start: &G,
    opening: &[G::Move],
    bots: [&mut dyn Bot<G>; 2],
    seeds: [u64; 2],
    budgets: [&Budget; 2],
    conditions: &Conditions,
) -> Result<FinishedGame<G>, Unfinished> {
    play_watched(start, opening, bots, seeds, budgets, conditions, &mut ())
}

/// [`play`] with somebody who watches every search, and is asked once more when a move is chosen.
pub(crate) fn play_watched<G: Notation>(
    start: &G,
    opening: &[G::Move],
    bots: [&mut dyn Bot<G>; 2],
    seeds: [u64; 2],
    budgets: [&Budget; 2],
    conditions: &Conditions,
    observer: &mut dyn Observer<G::Move>,
) -> Result<FinishedGame<G>, Unfinished> {
    let begun = Instant::now();
    let (game, moves, searches) = (start.clone(), Vec::new(), Vec::new());
    let [first, second] = bots;
    let is_measured = first.processor_time().is_some() || second.processor_time().is_some();
    let processor_seconds = is_measured.then_some([0.0; 2]);
    let mut table = RunningGame { game, bots: [first, second], moves, searches, processor_seconds, observer };
    let (value, ending, detail) = match table.play(opening, seeds, budgets, conditions) {
        _ if budgets.iter().any(|budget| budget.stop.is_stopped()) => return Err(Unfinished::Stopped),
        Ok((value, ending)) => (value, ending, None),
        Err(_) if stop_follows(&budgets.map(|budget| &budget.stop)) => return Err(Unfinished::Stopped),
        Err(Forfeit { by, why }) if table.bots[by.index()].was_killed() => {
            return Err(Unfinished::Failed(why));
        }
        Err(Forfeit { by, why }) => (lost_by(by), Ending::Forfeit, Some(why)),
    };
    Ok(FinishedGame {
        moves: table.moves,
        last: table.game,
        value,
        ending,
        detail,
        searches: table.searches,
        seconds: begun.elapsed().as_secs_f64(),
        processor_seconds: table.processor_seconds,
    })
}

/// A player who broke off the game.
struct Forfeit {
    by: Player,
    why: String,
}

impl Forfeit {
    fn of(by: Player) -> impl FnOnce(BotError) -> Forfeit {
        move |error| Forfeit { by, why: error.0 }
    }
}

struct RunningGame<'a, 'b, G: Notation> {
    game: G,
    bots: [&'a mut dyn Bot<G>; 2],
    moves: Vec<G::Move>,
    searches: Vec<SearchRow>,
    processor_seconds: Option<[f64; 2]>,
    observer: &'b mut dyn Observer<G::Move>,
}

impl<G: Notation> RunningGame<'_, '_, G> {
    fn play(
        &mut self,
        opening: &[G::Move],
        seeds: [u64; 2],
        budgets: [&Budget; 2],
        conditions: &Conditions,
    ) -> Result<(f64, Ending), Forfeit> {
        for (i, (bot, seed)) in self.bots.iter_mut().zip(seeds).enumerate() {
            bot.new_game(&self.game, seed).map_err(Forfeit::of(Player::new(i)))?;
        }
        for &m in opening {
            self.make(m)?;
        }
        let mut adjudicator = Adjudicator::new(conditions.adjudicate);
        loop {
            if let Some(outcome) = self.game.result() {
                return Ok((f64::from(outcome.of(Player::FIRST)), Ending::Rules));
            }
            if let Some(winner) = adjudicator.decision() {
                return Ok((lost_by(winner.other()), Ending::Adjudicated));
            }
            if self.moves.len() >= conditions.longest as usize {
                return Ok((0.5, Ending::Length));
            }
            let player = self.game.to_move();
            let budget = budgets[player.index()];
            let begun = Instant::now();
            let (thread, bot) = (ThreadTime::now(), &mut self.bots[player.index()]);
            let before = bot.processor_time();
            let reply = bot.genmove(&self.game, budget, self.observer).map_err(Forfeit::of(player))?;
            // Engines, alpha-beta and random players have no simulations to watch.
            self.observer.is_due();
            if let Some(seconds) = &mut self.processor_seconds {
                let used = match (before, bot.processor_time()) {
                    (Some(before), Some(after)) => after.saturating_sub(before),
                    _ => thread.elapsed(),
                };
                seconds[player.index()] += used.as_secs_f64();
            }
            let report = match reply {
                Reply::Resign => return Ok((lost_by(player), Ending::Resign)),
                Reply::Play(report) => report,
            };
            if budget.stop.is_stopped() {
                return Err(Forfeit { by: player, why: "stopped".to_owned() });
            }
            let (m, elapsed) = (report.best, begun.elapsed());
            let value = (!report.value.is_nan()).then_some(report.value);
            adjudicator.searched(player, value);
            self.searches.push(SearchRow {
                ply: self.moves.len() as u32,
                by_a: player == Player::FIRST,
                chosen: self.game.move_text(m),
                visits: report.children.iter().find(|child| child.m == m).map(|child| child.visits),
                value,
                simulations: report.simulations,
                // An engine is not charged with the time in which this program was stopped.
                seconds: if report.elapsed.is_zero() { elapsed } else { report.elapsed }.as_secs_f64(),
                nodes_peak: report.nodes_peak as u64,
                bytes_peak: report.bytes_peak as u64,
            });
            let mut legal = Vec::new();
            self.game.moves(&mut legal);
            if !legal.contains(&m) {
                return Err(Forfeit { by: player, why: format!("illegal move {}", self.game.move_text(m)) });
            }
            self.make(m)?;
        }
    }

    fn make(&mut self, m: G::Move) -> Result<(), Forfeit> {
        self.game.play(m);
        self.moves.push(m);
        for (i, bot) in self.bots.iter_mut().enumerate() {
            bot.played(m, &self.game).map_err(Forfeit::of(Player::new(i)))?;
        }
        Ok(())
    }
}

/// The seeds of the two agents of a game.
pub(crate) fn seeds(game_seed: u64) -> [u64; 2] {
    [Rng::derive(game_seed, 0), Rng::derive(game_seed, 1)]
}
