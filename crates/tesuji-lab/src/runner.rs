//! Plays the games of a schedule on several threads and stores them.

use crate::agent::MatchAgent;
use crate::conditions::Conditions;
use crate::deal::{Deal, with_margin};
use crate::error::LabError;
use crate::event::Event;
use crate::executor::{Ask, Executor, Threads, Told, TrialSource};
use crate::opening::opening;
use crate::play::{FinishedGame, Unfinished, play_watched, seeds, stop_follows};
use crate::record::{Referee, value_of_result};
use crate::schedule::{MatchSchedule, PairScore, Pairing};
use crate::store::{Disputed, Ending, GameRow, KnownValues, Matchup, Origin, Store, StoredGame};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::{Bot, FinalScore, Notation, Observer, Playouts, Stop};

/// The report of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunReport {
    /// Games found in the store.
    pub found: u64,
    /// Games played.
    pub played: u64,
    /// Games that failed.
    pub failed: u64,
    /// Trials of the record that became void, as a worker of a cluster was wrong.
    pub voided: u64,
    /// Whether the run was stopped before the schedule's end.
    pub stopped: bool,
}

/// The arena, in which games are played.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a, G> {
    /// The initial position.
    pub start: &'a G,
    /// How each pair of games draws an initial position like that; none: all begin at `start`.
    pub deal: Option<Deal<G>>,
    /// The conditions of all games.
    pub conditions: &'a Conditions,
    /// The agents; pairings name them by index.
    pub agents: &'a [MatchAgent<'a, G>],
    /// Reads the result of a finished game.
    pub referee: &'a dyn Referee,
    /// The value of a game whose result an engine disputes.
    pub disputed: Disputed,
    /// The number of games played at a time, at least 1; fewer if the system grants fewer threads.
    pub threads: usize,
    /// Stops the run: searches end at once, running games are dropped, finished ones are kept.
    pub stop: &'a Stop,
}

/// One game to play.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) pairing: Pairing,
    pub(crate) a_first: bool,
    pub(crate) id: String,
}

/// A pair that is being played.
#[derive(Default)]
struct Open {
    missing: usize,
    /// The values for `a` of its finished games that count.
    values: Vec<f64>,
}

impl<G: Notation + Playouts + Sync> Arena<'_, G> {
    /// Plays the schedule to its end, or until it is stopped. Games that the store has already are
    /// not played again.
    ///
    /// # Errors
    /// If the store fails, or no thread can be started. A game that fails is told to `watch`, and
    /// the run goes on.
    pub fn run(
        &self,
        schedule: &mut MatchSchedule,
        store: &mut Store,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunReport, LabError> {
        let work = |tasks: &mut dyn Iterator<Item = Task>, give: &dyn Fn((Task, Outcome)) -> bool| {
            self.work(tasks, give);
        };
        self.run_by(&Threads { threads: self.threads, work: &work }, schedule, store, watch)
    }

    /// The same by any executor.
    pub(crate) fn run_by(
        &self,
        executor: &dyn Executor<Task, (Task, Outcome)>,
        schedule: &mut MatchSchedule,
        store: &mut Store,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunReport, LabError> {
        let (open, queue, told) = (HashMap::new(), VecDeque::new(), Vec::new());
        let (report, known) = (RunReport::default(), HashMap::new());
        let mut games = Games { arena: self, schedule, store, watch, open, known, queue, told, report };
        executor.execute(&mut games)?;
        games.report.stopped = self.stop.is_stopped();
        Ok(games.report)
    }

    fn matchup(&self, pairing: Pairing) -> Matchup {
        let config = |i: usize| self.agents[i].config;
        Matchup::new(self.conditions, config(pairing.a), config(pairing.b))
    }

    fn task(&self, pairing: Pairing, a_first: bool) -> Task {
        let id = self.matchup(pairing).game_id(pairing.opening, pairing.replica, a_first);
        Task { pairing, a_first, id }
    }

    /// Plays games until no more come. A player that erred or panicked is replaced by a new one.
    fn work(&self, tasks: &mut dyn Iterator<Item = Task>, give: &dyn Fn((Task, Outcome)) -> bool) {
        let mut players = Players { arena: self, bots: HashMap::new(), progress: None };
        for task in tasks {
            let outcome = catch_unwind(AssertUnwindSafe(|| players.play(&task))).unwrap_or_else(|panic| {
                players.bots.clear();
                Outcome::Failed(message_of(&*panic))
            });
            if !give((task, outcome)) {
                return;
            }
        }
    }
}

/// The games of a run: those that the schedule asks for and the store does not have.
struct Games<'a, G> {
    arena: &'a Arena<'a, G>,
    schedule: &'a mut MatchSchedule,
    store: &'a mut Store,
    watch: &'a mut dyn FnMut(Event<'_>),
    open: HashMap<Pairing, Open>,
    /// Stored games of each two agents whose openings come next.
    known: HashMap<(usize, usize), (Range<u64>, KnownValues)>,
    /// Games that nobody plays yet.
    queue: VecDeque<Task>,
    /// What was told and is not stored yet.
    told: Vec<(Task, Outcome)>,
    report: RunReport,
}

impl<G: Notation + Playouts + Sync> TrialSource<Task, (Task, Outcome)> for Games<'_, G> {
    fn ask(&mut self, under_way: usize) -> Result<Ask<Task>, LabError> {
        if under_way >= self.arena.threads.max(1) || self.arena.stop.is_stopped() {
            return Ok(Ask::Wait);
        }
        loop {
            if let Some(task) = self.queue.pop_front() {
                return Ok(Ask::Run(task));
            }
            let Some(pairing) = self.schedule.next() else { return Ok(Ask::Wait) };
            self.open(pairing)?;
        }
    }

    fn tell(&mut self, (task, outcome): (Task, Outcome)) -> Result<Told, LabError> {
        if !matches!(outcome, Outcome::Stopped) {
            self.told.push((task, outcome));
        }
        Ok(Told::Ended)
    }

    fn commit(&mut self) -> Result<(), LabError> {
        let told = std::mem::take(&mut self.told);
        let games = told.iter().filter_map(|(Task { pairing, .. }, outcome)| match outcome {
            Outcome::Finished(game, origin) => Some(StoredGame {
                matchup: self.arena.matchup(*pairing),
                opening: pairing.opening,
                replica: pairing.replica,
                game,
                origin: origin.as_ref(),
            }),
            _ => None,
        });
        self.store.insert_games(&games.collect::<Vec<_>>())?;
        told.into_iter().try_for_each(|(task, outcome)| self.count(&task, outcome))
    }
}

impl<G: Notation + Playouts + Sync> Games<'_, G> {
    /// Counts a game that is stored, or failed.
    fn count(&mut self, task: &Task, outcome: Outcome) -> Result<(), LabError> {
        let pairing = task.pairing;
        let mut value = None;
        match outcome {
            Outcome::Stopped => return Ok(()),
            Outcome::Finished(game, _) => {
                self.report.played += 1;
                value = self.arena.disputed.value(game.score_a, game.dispute_value);
                (self.watch)(Event::Game { pairing, value, game: Some(&game) });
            }
            Outcome::Failed(why) => {
                let detail = serde_json::json!({ "game": task.id, "why": why });
                self.store.event("game failed", &detail)?;
                self.report.failed += 1;
                (self.watch)(Event::Failed { pairing, why: &why });
            }
        }
        if let Some(pair) = self.open.get_mut(&pairing) {
            pair.values.extend(value);
            pair.missing -= 1;
            if pair.missing == 0 {
                let score = pair.score();
                self.open.remove(&pairing);
                self.schedule.played(pairing, score);
            }
        }
        Ok(())
    }

    /// Takes the games of a pair from the store, and queues those that are missing.
    fn open(&mut self, pairing: Pairing) -> Result<(), LabError> {
        let Pairing { a, b, opening, replica, .. } = pairing;
        let known = self.known.entry((a, b)).or_default();
        if !known.0.contains(&opening) {
            let openings = opening..opening.saturating_add(OPENINGS);
            *known =
                (openings.clone(), self.store.values_of_openings(&self.arena.matchup(pairing), openings)?);
        }
        let mut pair = Open::default();
        let colours: &[bool] = if pairing.both { &[true, false] } else { &[true] };
        for &a_first in colours {
            let (found, task) = match known.1.remove(&(opening, replica, a_first)) {
                None => {
                    // It may have been stored since.
                    let task = self.arena.task(pairing, a_first);
                    (self.store.values_of(&task.id)?, Some(task))
                }
                found => (found, None),
            };
            if let Some((score_a, dispute)) = found {
                self.report.found += 1;
                let score_a = self.arena.disputed.value(score_a, dispute);
                pair.values.extend(score_a);
                (self.watch)(Event::Game { pairing, value: score_a, game: None });
            } else {
                pair.missing += 1;
                self.queue.extend(task);
            }
        }
        if pair.missing == 0 {
            self.schedule.played(pairing, pair.score());
        } else {
            self.open.insert(pairing, pair);
        }
        Ok(())
    }
}

impl Open {
    fn score(&self) -> Option<PairScore> {
        match self.values[..] {
            [first, second] => Some(PairScore::of(first, second)),
            _ => None,
        }
    }
}

/// The openings whose stored games are read at a time.
const OPENINGS: u64 = 1024;

/// How a task went.
pub(crate) enum Outcome {
    /// The game, and who played it if that was not this program.
    Finished(Box<GameRow>, Option<Origin>),
    Failed(String),
    Stopped,
}

/// Players, one for each agent and side, so that an agent can play itself.
pub(crate) type Bots<G> = HashMap<(usize, bool), Box<dyn Bot<G>>>;

/// The players of one thread.
pub(crate) struct Players<'a, G> {
    pub(crate) arena: &'a Arena<'a, G>,
    pub(crate) bots: Bots<G>,
    /// Grows with the simulations that are done, and with the moves.
    pub(crate) progress: Option<Arc<AtomicU64>>,
}

/// Counts the simulations of a search, and the moves of a game.
struct CountedSimulations(Arc<AtomicU64>);

impl<M> Observer<M> for CountedSimulations {
    fn every(&self) -> u64 {
        1
    }

    fn is_due(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }
}

impl<G: Notation + Playouts + Sync> Players<'_, G> {
    fn play(&mut self, task: &Task) -> Outcome {
        match self.try_play(task) {
            Ok(game) => Outcome::Finished(Box::new(game), None),
            Err(Unfinished::Stopped) => Outcome::Stopped,
            Err(Unfinished::Failed(_)) if stop_follows(&[self.arena.stop]) => Outcome::Stopped,
            Err(Unfinished::Failed(why)) => Outcome::Failed(why),
        }
    }

    pub(crate) fn try_play(&mut self, task: &Task) -> Result<GameRow, Unfinished> {
        let Task { pairing, a_first, .. } = *task;
        let conditions = self.arena.conditions;
        let number = conditions.opening_number(pairing.opening, a_first);
        let start = &*Deal::start(self.arena.deal, self.arena.start, conditions, number);
        let opening = opening(start, conditions, number).map_err(|e| Unfinished::Failed(e.to_string()))?;
        let seed = conditions.game_seed(pairing.opening, pairing.replica, a_first);
        let mut a = self.take(pairing.a, true)?;
        let mut b = self.take(pairing.b, false)?;
        let [seed_a, seed_b] = seeds(seed);
        let [budget_a, budget_b] = [pairing.a, pairing.b]
            .map(|agent| self.arena.agents[agent].limit.unwrap_or(conditions.limit).budget(self.arena.stop));
        let (bots, bot_seeds, budgets): ([&mut dyn Bot<G>; 2], _, _) = if a_first {
            ([&mut *a, &mut *b], [seed_a, seed_b], [&budget_a, &budget_b])
        } else {
            ([&mut *b, &mut *a], [seed_b, seed_a], [&budget_b, &budget_a])
        };
        let played = match self.progress.clone().map(CountedSimulations) {
            None => play_watched(start, &opening, bots, bot_seeds, budgets, conditions, &mut ())?,
            Some(mut count) => {
                play_watched(start, &opening, bots, bot_seeds, budgets, conditions, &mut count)?
            }
        };
        let game = self.row(task, seed, (start, opening.len()), played, [&mut *a, &mut *b])?;
        if game.detail.is_none() {
            self.bots.insert((pairing.a, true), a);
            self.bots.insert((pairing.b, false), b);
        }
        Ok(game)
    }

    fn take(&mut self, agent: usize, as_a: bool) -> Result<Box<dyn Bot<G>>, Unfinished> {
        match self.bots.remove(&(agent, as_a)) {
            Some(bot) => Ok(bot),
            None => {
                let bot = self.arena.agents[agent].factory.bot(self.arena.start);
                bot.map_err(|error| Unfinished::Failed(error.0))
            }
        }
    }

    fn row(
        &self,
        task: &Task,
        seed: u64,
        (start, opening): (&G, usize),
        played: FinishedGame<G>,
        bots: [&mut dyn Bot<G>; 2],
    ) -> Result<GameRow, Unfinished> {
        if ![0.0, 0.5, 1.0].contains(&played.value) {
            let fault = format!(
                "the game ended with the value {} for its first player; accepted in a match: 0, 1/2 and 1",
                played.value
            );
            return Err(Unfinished::Failed(fault));
        }
        let mut game = start.clone();
        let mut moves = Vec::with_capacity(played.moves.len());
        for &m in &played.moves {
            moves.push(game.move_text(m));
            game.play(m);
        }
        let dispute = match played.ending {
            Ending::Rules => self.dispute(&played, &moves, bots)?,
            _ => None,
        };
        let mut searches = played.searches;
        for search in &mut searches {
            search.by_a = search.by_a == task.a_first;
        }
        let result = self.arena.referee.result(&moves, played.value, played.ending);
        let points = self.arena.deal.map(|deal| (deal.points)(&played.last));
        let of_a = |value: f64| if task.a_first { value } else { 1.0 - value };
        Ok(GameRow {
            id: task.id.clone(),
            a_first: task.a_first,
            seed,
            opening: moves[..opening.min(moves.len())].to_vec(),
            score_a: of_a(played.value),
            dispute_value: dispute.as_ref().map(|dispute| of_a(dispute.value)),
            result: with_margin(result, played.ending, points),
            ending: played.ending,
            detail: played.detail,
            dispute: dispute.map(|dispute| dispute.views),
            seconds: played.seconds,
            processor_seconds: played
                .processor_seconds
                .map(|[first, second]| if task.a_first { [first, second] } else { [second, first] }),
            searches,
            moves,
        })
    }

    /// What those players say of the result who see another winner than the referee. An engine that
    /// crashes over the question has no opinion.
    fn dispute(
        &self,
        played: &FinishedGame<G>,
        moves: &[String],
        bots: [&mut dyn Bot<G>; 2],
    ) -> Result<Option<Dispute>, Unfinished> {
        let mut found: Option<Dispute> = None;
        for bot in bots {
            let said = match bot.final_score(&played.last) {
                Ok(Some(said)) => said,
                Ok(None) => continue,
                Err(_) if stop_follows(&[self.arena.stop]) => return Err(Unfinished::Stopped),
                Err(error) if bot.was_killed() => return Err(Unfinished::Failed(error.0)),
                Err(_) => continue,
            };
            let value = match &said.result {
                Some(result) => value_of_result(result),
                None => self.arena.referee.value_without(moves, &said.dead),
            };
            let Some(value) = value.filter(|&value| value != played.value) else { continue };
            let before = found.map_or(String::new(), |dispute| dispute.views + "; ");
            found = Some(Dispute { value, views: format!("{before}{} says {}", bot.name(), view(&said)) });
        }
        Ok(found)
    }
}

/// What engines say of a result that they dispute.
struct Dispute {
    /// The value for the first player; if both dispute it, as the second agent sees it.
    value: f64,
    /// In words.
    views: String,
}

/// The most characters of a view in the record: the dead stones of a whole board.
const MAX_VIEW: usize = 2000;

fn view(said: &FinalScore) -> String {
    let result = said.result.as_deref().unwrap_or_default();
    let dead = if said.dead.is_empty() { String::new() } else { format!("(dead: {})", said.dead.join(" ")) };
    format!("{result} {dead}").trim().chars().take(MAX_VIEW).collect()
}

/// What a panic says.
pub(crate) fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}
