//! Experiments that run in this server.

use crate::failure::Failure;
use crate::stream::Latest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji::Stop;
use tesuji_lab::stats::{Counts, Sprt};
use tesuji_lab::{Event, Experiment, ExperimentOptions, PairScore, run_experiment};
use tokio::sync::watch;

/// How often watchers hear of a run.
const NEWS: Duration = Duration::from_millis(250);
/// The most experiments that run at a time.
const MOST: usize = 4;
/// Notes that are kept of a run.
const NOTES: usize = 20;

/// A run and what is known of it.
#[derive(Debug)]
struct Run {
    stop: Stop,
    news: Value,
    runs: bool,
}

/// All runs since the server began, by the names of their directories.
#[derive(Debug)]
pub(crate) struct Runs {
    list: Arc<Mutex<BTreeMap<String, Run>>>,
    told: Arc<watch::Sender<Arc<str>>>,
    latest: Latest,
}

impl Default for Runs {
    fn default() -> Runs {
        let (told, latest) = watch::channel(Arc::from("[]"));
        Runs { list: Arc::default(), told: Arc::new(told), latest }
    }
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Run>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names of those that run.
    pub(crate) fn names(&self) -> Vec<String> {
        self.lock().iter().filter(|(_, run)| run.runs).map(|(name, _)| name.clone()).collect()
    }

    /// Stops all, and waits until they have ended.
    pub(crate) fn end(&self) {
        self.lock().values().for_each(|run| run.stop.stop());
        while !self.names().is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What happens in all of them.
    pub(crate) fn watch(&self) -> Latest {
        self.latest.clone()
    }

    /// Stops the one of this name after its running games; false if there is none.
    pub(crate) fn stop(&self, name: &str) -> bool {
        let list = self.lock();
        let run = list.get(name);
        run.iter().for_each(|run| run.stop.stop());
        run.is_some()
    }

    /// Runs an experiment whose record is the directory `name`.
    pub(crate) fn start(
        &self,
        name: String,
        experiment: Experiment,
        options: ExperimentOptions,
    ) -> Result<(), Failure> {
        let stop = Stop::default();
        let mut list = self.lock();
        if list.get(&name).is_some_and(|run| run.runs) {
            return Err(Failure::busy("the experiment runs already"));
        }
        if list.values().filter(|run| run.runs).count() >= MOST {
            return Err(Failure::busy(format!("{MOST} experiments run already")));
        }
        let news =
            json!({ "id": name, "name": experiment.name, "state": "running", "step": "", "notes": [] });
        list.insert(name.clone(), Run { stop: stop.clone(), news, runs: true });
        drop(list);
        let (begun, heard) = mpsc::channel();
        let mut watcher = Watcher::new(self, name, &experiment, begun);
        std::thread::spawn(move || {
            let run = || run_experiment(&experiment, &options, &stop, &mut |event| watcher.hear(event));
            // A fault of one experiment is not the end of the server.
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            let (state, error) = match ended {
                Ok(Ok(report)) if report.interrupted => ("stopped", None),
                Ok(Ok(_)) => ("done", None),
                Ok(Err(error)) => ("failed", Some(error.to_string())),
                Err(_) => ("failed", Some("a fault of this program".to_owned())),
            };
            watcher.end(state, error);
        });
        // Who asks for the experiment next finds its record.
        let _ = heard.recv();
        Ok(())
    }
}

/// Gathers the events of a run.
struct Watcher {
    list: Arc<Mutex<BTreeMap<String, Run>>>,
    told: Arc<watch::Sender<Arc<str>>>,
    name: String,
    begun: Instant,
    last: Instant,
    /// Trials of this run.
    made: u64,
    news: Value,
    notes: Vec<String>,
    score: Vec<[f64; 4]>,
    /// The sequential tests of the matches that have one.
    tests: BTreeMap<String, Sprt>,
    test: Option<RunningTest>,
    /// Is dropped when something happened.
    waits: Option<Sender<()>>,
}

/// A sequential test while its games come in.
struct RunningTest {
    sprt: Sprt,
    /// Values of games whose partners are missing, by opening and replica.
    single: BTreeMap<(u64, u32), f64>,
    pairs: [u64; 5],
    ratio: Vec<[f64; 2]>,
}

impl RunningTest {
    fn count(&mut self, pair: (u64, u32), value: f64) {
        let Some(other) = self.single.remove(&pair) else {
            self.single.insert(pair, value);
            return;
        };
        self.pairs[PairScore::of(other, value).index()] += 1;
        let counts = Counts::Pairs(self.pairs);
        self.ratio.push([counts.games() as f64, self.sprt.llr(&counts)]);
        thin(&mut self.ratio);
    }

    fn json(&self) -> Value {
        let (lower, upper) = self.sprt.bounds();
        json!({
            "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "lower": lower, "upper": upper, "curve": self.ratio,
        })
    }
}

/// The most points of a curve.
const POINTS: usize = 400;

/// Of a long curve every other point says as much.
fn thin<T>(curve: &mut Vec<T>) {
    if curve.len() > POINTS {
        let mut place = 0;
        curve.retain(|_| {
            place += 1;
            place % 2 == 0
        });
    }
}

impl Watcher {
    fn new(runs: &Runs, name: String, experiment: &Experiment, waits: Sender<()>) -> Watcher {
        let matches = experiment.plan().matches().unwrap_or_default();
        let test = |[elo0, elo1]: [f64; 2]| Sprt::asked(elo0, elo1).ok();
        let tests = matches.iter().filter_map(|m| Some((m.name.clone(), test(m.sprt?)?))).collect();
        let news = json!({ "step": "", "done": 0, "total": 0 });
        let (list, told, begun) = (runs.list.clone(), runs.told.clone(), Instant::now());
        let watcher = Watcher {
            list,
            told,
            name,
            begun,
            last: begun,
            made: 0,
            news,
            notes: Vec::new(),
            score: Vec::new(),
            tests,
            test: None,
            waits: Some(waits),
        };
        watcher.tell("running", None);
        watcher
    }

    fn hear(&mut self, event: Event<'_>) {
        self.waits = None;
        match event {
            Event::Started { name, about, number, of, total } => {
                self.news = json!({
                    "step": name, "about": about, "number": number, "of": of, "total": total, "done": 0,
                });
                self.score.clear();
                self.test = self.tests.get(name).map(|&sprt| RunningTest {
                    sprt,
                    single: BTreeMap::new(),
                    pairs: [0; 5],
                    ratio: Vec::new(),
                });
            }
            Event::Game { pairing, value: Some(value), .. } => {
                if let Some(test) = &mut self.test {
                    test.count((pairing.opening, pairing.replica), value);
                }
            }
            Event::Done(trials) => {
                let known = self.news["done"].as_u64().unwrap_or(0);
                // What an earlier run made is told at once, and took no time of this one.
                let is_old = known == 0 && trials > 1;
                self.made += if is_old { 0 } else { trials.saturating_sub(known) };
                self.news["done"] = json!(trials);
            }
            Event::Moved(estimate) => {
                let games = estimate.counts.map_or(0, |counts| counts.iter().sum::<u64>());
                self.news["estimate"] = json!({
                    "name": estimate.name, "value": estimate.value, "interval": estimate.interval, "games": games,
                });
                let [lo, hi] = estimate.interval;
                // An estimate without games moves with each evaluation.
                let x = if games > 0 {
                    games as f64
                } else {
                    self.score.last().map_or(0.0, |last| last[0]) + 1.0
                };
                self.score.push([x, estimate.value, lo, hi]);
                thin(&mut self.score);
            }
            Event::Note(text) => self.note(text),
            Event::Failed { why, .. } => self.note(why),
            Event::Game { .. } | Event::Stopped(_) => {}
        }
        if self.last.elapsed() >= NEWS {
            self.last = Instant::now();
            self.tell("running", None);
        }
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
        if self.notes.len() > NOTES {
            self.notes.remove(0);
        }
    }

    fn tell(&self, state: &str, error: Option<String>) {
        let mut news = self.news.clone();
        let seconds = self.begun.elapsed().as_secs_f64();
        news["id"] = json!(self.name);
        news["state"] = json!(state);
        news["error"] = json!(error);
        news["hourly"] = json!(3600.0 * self.made as f64 / seconds.max(1e-3));
        news["notes"] = json!(self.notes);
        news["curve"] = json!(self.score);
        news["test"] = json!(self.test.as_ref().map(RunningTest::json));
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = list.get_mut(&self.name) {
            run.news = news;
            run.runs = state == "running";
        }
        let all: Vec<&Value> = list.values().map(|run| &run.news).collect();
        self.told.send_replace(Arc::from(json!(all).to_string()));
    }

    fn end(&mut self, state: &str, error: Option<String>) {
        self.waits = None;
        self.tell(state, error);
    }
}
