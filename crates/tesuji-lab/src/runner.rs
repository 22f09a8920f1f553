//! Plays what a schedule asks for, on several threads, into a store.

use crate::LabError;
use crate::agent::Entrant;
use crate::conditions::Conditions;
use crate::opening::opening;
use crate::play::{Played, play, seeds};
use crate::record::Referee;
use crate::schedule::{PairScore, Pairing, Schedule};
use crate::store::{Ending, GameRow, Matchup, Store};
use crate::tasks::start_threads;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use tesuji::{Bot, Notation, Stop};

/// What a run tells while it goes on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game of an earlier run was found in the store.
    Found {
        /// Its value for the first agent of the pair.
        a_value: f64,
    },
    /// A game was played and is stored.
    Played {
        /// Whose game.
        pairing: Pairing,
        /// The game.
        game: &'a GameRow,
    },
    /// A game could not be played to its end by a fault of this program; running again plays it again.
    Failed {
        /// Whose game.
        pairing: Pairing,
        /// What happened.
        why: &'a str,
    },
}

/// How a run went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunReport {
    /// Games found in the store.
    pub found: u64,
    /// Games played.
    pub played: u64,
    /// Games that failed.
    pub failed: u64,
    /// Whether the run was stopped before the schedule's end.
    pub stopped: bool,
}

/// Where games are played.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a, G> {
    /// The initial position.
    pub start: &'a G,
    /// What all games have in common.
    pub conditions: &'a Conditions,
    /// The agents; pairings name them by index.
    pub entrants: &'a [Entrant<'a, G>],
    /// Reads the result of a finished game.
    pub referee: &'a dyn Referee,
    /// How many games are played at a time, at least 1; fewer where the system grants fewer threads.
    pub threads: usize,
    /// Stops the run: searches end at once, running games are dropped, finished ones are kept.
    pub stop: &'a Stop,
}

/// One game to play.
#[derive(Clone, Debug)]
struct Task {
    pairing: Pairing,
    a_first: bool,
    id: String,
}

/// A pair that is being played.
#[derive(Default)]
struct Open {
    missing: usize,
    /// The values for `a` of its finished games.
    values: Vec<f64>,
}

impl<G: Notation + Sync> Arena<'_, G> {
    /// Plays the schedule to its end, or until it is stopped. Games that the store has already are not
    /// played again.
    ///
    /// # Errors
    /// If the store fails, or no thread can be started. A game that fails is told to `watch`, and the run goes on.
    pub fn run(
        &self,
        schedule: &mut dyn Schedule,
        store: &mut Store,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunReport, LabError> {
        let (to_workers, tasks) = mpsc::channel::<Task>();
        let (to_main, results) = mpsc::channel();
        let tasks = Mutex::new(tasks);
        std::thread::scope(|scope| {
            let tasks = &tasks;
            let threads = start_threads(scope, self.threads.max(1), move || self.work(tasks, &to_main))?;
            let mut report = RunReport::default();
            let (mut open, mut queue, mut running) = (HashMap::<Pairing, Open>::new(), VecDeque::new(), 0);
            loop {
                while running < threads && !self.stop.is_stopped() {
                    if let Some(task) = queue.pop_front() {
                        running += 1;
                        to_workers
                            .send(task)
                            .map_err(|_| LabError::Failed("no worker is left".to_owned()))?;
                        continue;
                    }
                    let Some(pairing) = schedule.next() else { break };
                    let mut pair = Open::default();
                    for task in self.tasks(pairing) {
                        if let Some(a_value) = store.value_of(&task.id)? {
                            report.found += 1;
                            pair.values.push(a_value);
                            watch(Event::Found { a_value });
                        } else {
                            pair.missing += 1;
                            queue.push_back(task);
                        }
                    }
                    if pair.missing == 0 {
                        schedule.played(pairing, pair.score());
                    } else {
                        open.insert(pairing, pair);
                    }
                }
                if running == 0 {
                    report.stopped = self.stop.is_stopped();
                    break;
                }
                let (task, outcome): (Task, Outcome) =
                    results.recv().map_err(|_| LabError::Failed("all workers have died".to_owned()))?;
                running -= 1;
                let pairing = task.pairing;
                let mut value = None;
                match outcome {
                    Outcome::Stopped => continue,
                    Outcome::Finished(game) => {
                        store.insert(&self.matchup(pairing), pairing.opening, pairing.replica, &game)?;
                        report.played += 1;
                        value = Some(game.a_value);
                        watch(Event::Played { pairing, game: &game });
                    }
                    Outcome::Failed(why) => {
                        let detail = serde_json::json!({ "game": task.id, "why": why });
                        store.event("game failed", &detail)?;
                        report.failed += 1;
                        watch(Event::Failed { pairing, why: &why });
                    }
                }
                if let Some(pair) = open.get_mut(&pairing) {
                    pair.values.extend(value);
                    pair.missing -= 1;
                    if pair.missing == 0 {
                        let score = pair.score();
                        open.remove(&pairing);
                        schedule.played(pairing, score);
                    }
                }
            }
            drop(to_workers);
            Ok(report)
        })
    }

    fn matchup(&self, pairing: Pairing) -> Matchup {
        let config = |i: usize| self.entrants[i].config;
        Matchup::new(self.conditions, config(pairing.a), config(pairing.b))
    }

    fn tasks(&self, pairing: Pairing) -> Vec<Task> {
        let matchup = self.matchup(pairing);
        let colours: &[bool] = if pairing.both { &[true, false] } else { &[true] };
        let id = |a_first| matchup.game_id(pairing.opening, pairing.replica, a_first);
        colours.iter().map(|&a_first| Task { pairing, a_first, id: id(a_first) }).collect()
    }

    /// Plays games until no more come. A player that erred or panicked is replaced by a new one.
    fn work(&self, tasks: &Mutex<mpsc::Receiver<Task>>, results: &mpsc::Sender<(Task, Outcome)>) {
        let mut players = Players { arena: self, bots: HashMap::new() };
        loop {
            let task = match tasks.lock() {
                Ok(tasks) => tasks.recv(),
                Err(_) => return,
            };
            let Ok(task) = task else { return };
            let outcome = catch_unwind(AssertUnwindSafe(|| players.play(&task))).unwrap_or_else(|panic| {
                players.bots.clear();
                Outcome::Failed(message_of(&*panic))
            });
            if results.send((task, outcome)).is_err() {
                return;
            }
        }
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

/// How a task went.
enum Outcome {
    Finished(Box<GameRow>),
    Failed(String),
    Stopped,
}

/// The players of one thread. One for each agent and side, so that an agent can play itself.
struct Players<'a, G> {
    arena: &'a Arena<'a, G>,
    bots: HashMap<(usize, bool), Box<dyn Bot<G>>>,
}

impl<G: Notation + Sync> Players<'_, G> {
    fn play(&mut self, task: &Task) -> Outcome {
        match self.try_play(task) {
            Ok(Some(game)) => Outcome::Finished(Box::new(game)),
            Ok(None) => Outcome::Stopped,
            Err(why) => Outcome::Failed(why),
        }
    }

    fn try_play(&mut self, task: &Task) -> Result<Option<GameRow>, String> {
        let Task { pairing, a_first, .. } = *task;
        let (start, conditions) = (self.arena.start, self.arena.conditions);
        let opening = opening(start, conditions, conditions.opening_number(pairing.opening, a_first))
            .map_err(|e| e.to_string())?;
        let seed = conditions.game_seed(pairing.opening, pairing.replica, a_first);
        let mut a = self.take(pairing.a, true)?;
        let mut b = self.take(pairing.b, false)?;
        let [seed_a, seed_b] = seeds(seed);
        let [budget_a, budget_b] = [pairing.a, pairing.b].map(|agent| {
            self.arena.entrants[agent].limit.unwrap_or(conditions.limit).budget(self.arena.stop)
        });
        let (bots, bot_seeds, budgets): ([&mut dyn Bot<G>; 2], _, _) = if a_first {
            ([&mut *a, &mut *b], [seed_a, seed_b], [&budget_a, &budget_b])
        } else {
            ([&mut *b, &mut *a], [seed_b, seed_a], [&budget_b, &budget_a])
        };
        let Some(played) = play(start, &opening, bots, bot_seeds, budgets, conditions) else {
            return Ok(None);
        };
        let game = self.row(task, seed, opening.len(), played, [&mut *a, &mut *b]);
        if game.detail.is_none() {
            self.bots.insert((pairing.a, true), a);
            self.bots.insert((pairing.b, false), b);
        }
        Ok(Some(game))
    }

    fn take(&mut self, agent: usize, as_a: bool) -> Result<Box<dyn Bot<G>>, String> {
        match self.bots.remove(&(agent, as_a)) {
            Some(bot) => Ok(bot),
            None => self.arena.entrants[agent].factory.bot(self.arena.start).map_err(|e| e.0),
        }
    }

    fn row(
        &self,
        task: &Task,
        seed: u64,
        opening: usize,
        played: Played<G>,
        bots: [&mut dyn Bot<G>; 2],
    ) -> GameRow {
        let dispute = if played.ending == Ending::Rules { dispute(&played, bots) } else { None };
        let mut game = self.arena.start.clone();
        let mut moves = Vec::with_capacity(played.moves.len());
        for &m in &played.moves {
            moves.push(game.move_text(m));
            game.play(m);
        }
        let mut searches = played.searches;
        for search in &mut searches {
            search.by_a = search.by_a == task.a_first;
        }
        GameRow {
            id: task.id.clone(),
            a_first: task.a_first,
            seed,
            opening: moves[..opening.min(moves.len())].to_vec(),
            a_value: if task.a_first { played.value } else { 1.0 - played.value },
            result: self.arena.referee.result(&moves, played.value, played.ending),
            ending: played.ending,
            detail: played.detail,
            dispute,
            seconds: played.seconds,
            searches,
            moves,
        }
    }
}

/// What those players say of the result who see another winner than the referee.
fn dispute<G: Notation>(played: &Played<G>, bots: [&mut dyn Bot<G>; 2]) -> Option<String> {
    let winner = match played.value {
        1.0 => 'B',
        0.0 => 'W',
        _ => '0',
    };
    let views = bots.into_iter().filter_map(|bot| {
        let view = bot.final_score(&played.last)?;
        (!view.starts_with(winner)).then(|| format!("{} says {view}", bot.name()))
    });
    let views: Vec<String> = views.collect();
    (!views.is_empty()).then(|| views.join("; "))
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}
