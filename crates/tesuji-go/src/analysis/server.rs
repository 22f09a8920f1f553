//! The engine that answers queries.

use super::answer::{Position, without_results};
use super::fields::Warning;
use super::outlook::Source;
use super::query::{Action, Query, Request};
use super::queue::{Job, Queue};
use super::settings::Settings;
use super::watch::Watch;
use crate::engine::{Agents, Engine, Move, Options};
use crate::gtp::komi_note;
use serde_json::{Value, json};
use std::any::Any;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tesuji::{Budget, Observer, Player, Report};

/// Playouts that tell of the score and of points where no network does: a share near 1/2 is known
/// to 0.025 (standard error).
const ROOT_PLAYOUTS: u32 = 400;
/// The same for each of the first moves of an answer, of which there are [`TOLD_MOVES`].
const MOVE_PLAYOUTS: u32 = 100;
const TOLD_MOVES: usize = 10;

/// Analyses positions, several at a time.
///
/// Every position is searched from the same seed, so that an answer does not depend on the others:
/// with one thread a search and no limit of time it is reproducible.
pub struct Server<F> {
    agents: F,
    /// The settings, which a query may override for itself.
    pub settings: Settings,
    /// The number of positions analysed at a time. Default 1.
    pub threads: usize,
    /// The seed of all random numbers. Default 0.
    pub seed: u64,
    /// The answer to `query_version`.
    pub version: String,
    /// The networks that `query_models` lists.
    pub models: Vec<Value>,
    /// Whether searches end at once, with their results so far, when the input ends. Default: they
    /// are finished.
    pub quits: bool,
}

impl<F> fmt::Debug for Server<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<A: Agents + 'static, F: Fn(Watch) -> A + Sync> Server<F> {
    /// A server whose searches come from `agents`, which is called once for each thread. Agents
    /// with a network put the watch [over](Watch::over) its evaluator.
    pub fn new(agents: F, settings: Settings) -> Server<F> {
        let version = env!("CARGO_PKG_VERSION").into();
        Server { agents, settings, threads: 1, seed: 0, version, models: Vec::new(), quits: false }
    }

    /// Answers until the input ends. `ready` is called when the server can take queries.
    ///
    /// # Errors
    /// If the input cannot be read or the output cannot be written.
    pub fn run(
        &self,
        mut input: impl BufRead,
        output: impl Write + Send,
        ready: impl FnOnce(),
    ) -> io::Result<()> {
        let (queue, output) = (Queue::default(), Output::new(output));
        let read = thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| self.work(&queue, &output));
            }
            ready();
            let mut line = Vec::new();
            let read = loop {
                line.clear();
                match input.read_until(b'\n', &mut line) {
                    Ok(0) => break Ok(()),
                    Ok(_) if output.has_failed() => break Ok(()),
                    Ok(_) => self.hear(&String::from_utf8_lossy(&line), &queue, &output),
                    Err(error) => break Err(error),
                }
            };
            if self.quits || output.has_failed() {
                end(&queue, &output, |_| true);
            }
            queue.close();
            read
        });
        read.and(output.end())
    }

    /// Carries out a line.
    fn hear(&self, line: &str, queue: &Queue, output: &Output<impl Write>) {
        if line.trim().is_empty() {
            return;
        }
        match Request::read(line, &self.settings) {
            Err(refusal) => output.send(&refusal.to_json()),
            Ok(Request::Analyze(query, warnings)) => {
                warnings.iter().for_each(|warning| output.send(&warning.to_json(&query.id)));
                queue.add(*query);
            }
            Ok(Request::Act(action, mut echo)) => {
                match action {
                    Action::Version => {
                        echo["version"] = json!(self.version);
                        echo["git_hash"] = json!("");
                    }
                    Action::Models => echo["models"] = json!(self.models),
                    // Nothing is remembered from one position to another.
                    Action::ClearCache => {}
                    Action::Terminate { id, turns } => end(queue, output, |job| {
                        id.as_ref().is_none_or(|id| *id == job.query.id)
                            && turns.as_ref().is_none_or(|turns| turns.contains(&job.turn))
                    }),
                }
                output.send(&echo);
            }
        }
    }

    /// Analyses positions as long as there are any.
    fn work(&self, queue: &Queue, output: &Output<impl Write + Send>) {
        let watch = Watch::default();
        let mut engine = None;
        while let Some(job) = queue.next() {
            let analyze = AssertUnwindSafe(|| self.analyze(&job, &mut engine, &watch, output));
            // A query is answered whatever happens, and the others go on.
            let answer = catch_unwind(analyze).unwrap_or_else(|panic| Err(message_of(&*panic)));
            let answer = answer.unwrap_or_else(|text| {
                // A state that failed is not kept.
                engine = None;
                json!({ "id": job.query.id, "turnNumber": job.turn, "error": text })
            });
            output.send(&answer);
            queue.done(&job);
        }
    }

    /// The final answer for a position.
    fn analyze(
        &self,
        job: &Job,
        engine: &mut Option<Engine>,
        watch: &Watch,
        output: &Output<impl Write + Send>,
    ) -> Result<Value, String> {
        let query = &*job.query;
        let engine = match engine {
            Some(engine) => engine,
            None => {
                let options = Options { rules: query.rules, seed: self.seed, ..Options::default() };
                let opened = Engine::new((self.agents)(watch.clone()), query.size, options);
                engine.insert(opened.map_err(|error| error.to_string())?)
            }
        };
        set_up(engine, query, job.turn)?;
        let player = query.to_move(job.turn);
        let evaluation = engine.evaluate(player)?;
        let has_scores = evaluation.as_ref().is_some_and(|said| said.expectation.is_some());
        watch.begin(engine.moves().len(), query.settings.temperature());
        let source = if has_scores {
            Source::Network(watch)
        } else {
            Source::playouts(&engine.ownership(ROOT_PLAYOUTS), query.rules.komi.points())
        };
        if let Some(own) = engine.foreign_komi().filter(|_| query.turns.keys().next() == Some(&job.turn)) {
            let text = komi_note(engine.name(), engine.komi(), own);
            output.send(&Warning { field: "komi".into(), text }.to_json(&query.id));
        }
        // A search without a network prefers no move.
        let moves = legal_moves(engine, player);
        let mut position = Position { job, player, source, evaluation, moves };
        let budget = Budget {
            simulations: Some(query.settings.max_visits),
            time: query.settings.max_time,
            stop: job.stop.clone(),
        };
        let wait = query.report.map_or(Duration::MAX, |(first, _)| first);
        let mut reporter = Reporter { position: &position, output, last: Instant::now(), wait };
        let report = engine.analyze(player, query.restriction.as_ref(), &budget, &mut reporter)?;
        let Some(report) = report else { return Ok(without_results(job)) };
        if query.moves_ownership && !has_scores {
            for m in report.children.iter().take(TOLD_MOVES).map(|child| child.m) {
                engine.play(player, m)?;
                position.source.add(m, &engine.ownership(MOVE_PLAYOUTS));
                engine.undo()?;
            }
        }
        Ok(position.answer(&report, false))
    }
}

/// The words of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a message"))
}

/// The legal moves, the pass among them.
fn legal_moves(engine: &Engine, player: Player) -> Vec<Move> {
    engine.legal_points(player).into_iter().map(Some).chain([None]).collect()
}

/// Ends the searches for these positions, and answers for those that were not begun.
fn end(queue: &Queue, output: &Output<impl Write>, named: impl Fn(&Job) -> bool) {
    queue.terminate(named).iter().for_each(|job| output.send(&without_results(job)));
}

/// Brings a game to the position after `turn` moves.
fn set_up(engine: &mut Engine, query: &Query, turn: usize) -> Result<(), String> {
    engine.set_rules(query.rules);
    engine.start_over(query.size)?;
    // Passes are no agreement that the game is over: the position is analysed all the same.
    engine.set_agreement(true);
    let stones: Vec<_> = query.stones.iter().map(|&(player, point)| (point, Some(player))).collect();
    engine.set_up(&stones)?;
    engine.set_to_move(query.first);
    query.moves[..turn].iter().try_for_each(|&(player, m)| engine.replay(player, m).map(|_| ()))
}

/// Lines for the one who asks. After a failure nothing more is written.
struct Output<W>(Mutex<Result<W, io::Error>>);

impl<W: Write> Output<W> {
    fn new(writer: W) -> Output<W> {
        Output(Mutex::new(Ok(writer)))
    }

    fn send(&self, value: &Value) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(open) = &mut *writer
            && let Err(error) = writeln!(open, "{value}").and_then(|()| open.flush())
        {
            *writer = Err(error);
        }
    }

    fn has_failed(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_err()
    }

    fn end(self) -> io::Result<()> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map(|_| ())
    }
}

/// Tells what a search finds while it goes on.
struct Reporter<'a, W> {
    position: &'a Position<'a>,
    output: &'a Output<W>,
    last: Instant,
    wait: Duration,
}

impl<W: Write> Observer<Move> for Reporter<'_, W> {
    /// Often enough for a network that looks at some twenty positions a second.
    fn every(&self) -> u64 {
        4
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.wait
    }

    fn progress(&mut self, report: &Report<Move>) {
        self.last = Instant::now();
        self.wait = self.position.job.query.report.map_or(Duration::MAX, |(_, every)| every);
        if report.simulations > 0 {
            self.output.send(&self.position.answer(report, true));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::AgentsOf;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tesuji::{Bot, BotError, Search, SearchGame};

    /// Agents the first of which panics.
    struct Panics<'a>(&'a AtomicBool);

    impl Agents for Panics<'_> {
        fn name(&self, _: usize) -> String {
            "uct".into()
        }
    }

    impl<G: SearchGame + 'static> AgentsOf<G> for Panics<'_> {
        fn agent(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError> {
            assert!(self.0.swap(true, Ordering::Relaxed), "the first one");
            Ok(Box::new(Search::uct(start, 0.7, seed)))
        }
    }

    #[test]
    fn a_panic_is_the_answer_to_its_query_alone() {
        static HAS_PANICKED: AtomicBool = AtomicBool::new(false);
        let server = Server::new(|_| Panics(&HAS_PANICKED), Settings::default());
        let query = |id: &str| {
            let query = json!({ "id": id, "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9,
                "maxVisits": 20 });
            format!("{query}\n")
        };
        let mut output = Vec::new();
        server.run((query("a") + &query("b")).as_bytes(), &mut output, || ()).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of =
            |id: &str| lines.iter().find(|line| line["id"] == id && line.get("warning").is_none()).unwrap();
        assert_eq!(of("a")["error"], "a panic: the first one", "{text}");
        assert_eq!(of("b")["rootInfo"]["visits"], 20, "{text}");
    }
}
