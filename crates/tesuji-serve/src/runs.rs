//! Experiments that run in this server.

use crate::directories::Directories;
use crate::failure::{Answer, Failure, json_answer};
use crate::request::{Body, aside};
use crate::state::State;
use crate::stream::{Latest, events};
use axum::extract::State as Shared;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{Event, Experiment, ExperimentOptions, LabError, run_experiment};
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

    /// Runs an experiment whose record is the directory `name`.
    fn start(&self, name: String, experiment: Experiment, options: ExperimentOptions) -> Result<(), Failure> {
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
        let mut watcher = Watcher::new(self, name);
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
}

impl Watcher {
    fn new(runs: &Runs, name: String) -> Watcher {
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
        };
        watcher.tell("running", None);
        watcher
    }

    fn hear(&mut self, event: Event<'_>) {
        match event {
            Event::Started { name, about, number, of, total } => {
                self.news = json!({
                    "step": name, "about": about, "number": number, "of": of, "total": total, "done": 0,
                });
                self.score.clear();
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
                self.score.push([games as f64, estimate.value, lo, hi]);
                if self.score.len() > 400 {
                    // Every other point says as much.
                    let mut place = 0;
                    self.score.retain(|_| {
                        place += 1;
                        place % 2 == 0
                    });
                }
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
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = list.get_mut(&self.name) {
            run.news = news;
            run.runs = state == "running";
        }
        let all: Vec<&Value> = list.values().map(|run| &run.news).collect();
        self.told.send_replace(Arc::from(json!(all).to_string()));
    }

    fn end(&self, state: &str, error: Option<String>) {
        self.tell(state, error);
    }
}

/// `GET /api/runs/events`.
pub(crate) async fn watch(Shared(state): Shared<Arc<State>>) -> Answer {
    Ok(events(state.runs.latest.clone()))
}

/// What is run: a new file in the N-th directory, or the record of a directory.
#[derive(Clone, Deserialize, Debug)]
#[serde(untagged)]
pub(crate) enum Asked {
    New { directory: usize, file: String },
    Old { id: String },
}

/// `POST /api/runs/check`: reads a file, and says what it is.
pub(crate) async fn check(Body(asked): Body<Asked>) -> Answer {
    let Asked::New { file, .. } = asked else { return Err(Failure::bad("there is no file")) };
    let experiment = aside(move || read(&file)).await?;
    Ok(json_answer(
        &json!({ "name": experiment.name, "kind": experiment.plan.kind(), "about": experiment.about }),
    ))
}

/// Reads a file that came from a page. It may not start programs.
fn read(file: &str) -> Result<Experiment, Failure> {
    let experiment = Experiment::parse("experiment", file)?;
    let commands = experiment.commands()?;
    if let Some(command) = commands.first() {
        return Err(Failure::forbidden(format!(
            "the experiment executes {command:?}; accepted: agents of this program. `tesuji run` executes others"
        )));
    }
    Ok(experiment)
}

/// A text that names a file outside of the directories, if there is one: in an experiment file, paths begin where the program
/// was started.
fn foreign<'a>(value: &'a toml::Value, directories: &Directories) -> Option<&'a str> {
    let is_foreign = |word: &str| {
        let leads_away = word.starts_with(['/', '~']) || word.split(['/', '\\']).any(|part| part == "..");
        // Of a pattern of names, the directory counts.
        let fixed = word.split(['*', '?', '[']).next().unwrap_or_default();
        let path =
            if fixed == word { Path::new(word) } else { Path::new(fixed).parent().unwrap_or(Path::new("")) };
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let is_path = word.contains(['.', '/', '\\', '*']);
        (leads_away || (is_path && path.exists())) && !directories.has(path)
    };
    match value {
        toml::Value::String(text) => {
            text.split([',', '=', '"', '\'', ' ', '\n']).any(is_foreign).then_some(text)
        }
        toml::Value::Array(list) => list.iter().find_map(|value| foreign(value, directories)),
        toml::Value::Table(table) => {
            let values = table.iter().filter(|(key, _)| !["name", "about", "claim"].contains(&key.as_str()));
            values.filter_map(|(_, value)| foreign(value, directories)).next()
        }
        _ => None,
    }
}

/// `POST /api/runs`: starts an experiment, or resumes one.
pub(crate) async fn start(Shared(state): Shared<Arc<State>>, Body(asked): Body<Asked>) -> Answer {
    aside(move || {
        let (out, file) = match asked {
            Asked::New { directory, file } => {
                let root = state.directories.roots().get(directory);
                (root.ok_or_else(|| Failure::bad("there is no such directory"))?.clone(), file)
            }
            Asked::Old { id } => of_record(&state.directories.existing(&id)?)?,
        };
        let experiment = read(&file)?;
        let table: toml::Value = file.parse::<toml::Table>().map(toml::Value::Table).map_err(Failure::bad)?;
        if let Some(path) = foreign(&table, &state.directories) {
            return Err(Failure::forbidden(format!(
                "{path:?} names a file; accepted: none outside of the directories"
            )));
        }
        let id = state.directories.name(&out.join(&experiment.name));
        let id = id.ok_or_else(|| Failure::forbidden("the record is outside of the directories"))?;
        let options = ExperimentOptions {
            results: out.join("results"),
            out,
            games: None,
            only: Vec::new(),
            threads: state.options.threads,
            changed: false,
            version: state.options.version.clone(),
        };
        state.runs.start(id.clone(), experiment, options)?;
        Ok(json_answer(&json!({ "id": id })))
    })
    .await
}

/// The directory of records and the file of an experiment that was begun.
fn of_record(dir: &Path) -> Result<(PathBuf, String), Failure> {
    let description = Store::read(dir)?.description()?;
    let description = description.ok_or_else(|| Failure::bad("nothing was begun in this directory"))?;
    if description.kind == "match" {
        return Err(Failure::bad("the record is one of `tesuji match`, which resumes it"));
    }
    let depth = Path::new(&description.name).components().count();
    let out = dir.ancestors().nth(depth).filter(|out| out.join(&description.name) == dir);
    let moved = || {
        let (dir, name) = (dir.display(), &description.name);
        LabError::Input(format!("{dir} is the record of {name:?}; accepted: a directory of this name"))
    };
    Ok((out.ok_or_else(moved)?.to_owned(), description.file))
}

/// `POST /api/runs/stop`.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Named {
    id: String,
}

pub(crate) async fn stop(Shared(state): Shared<Arc<State>>, Body(Named { id }): Body<Named>) -> Answer {
    let list = state.runs.lock();
    let run = list.get(&id).ok_or_else(|| Failure::missing("the experiment does not run in this server"))?;
    run.stop.stop();
    Ok(json_answer(&json!({})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_starts_no_programs_and_names_no_files() {
        let file = |a: &str| {
            format!(
                "kind = \"matches\"\nname = \"x\"\ngame = \"tic-tac-toe\"\ngames = 2\nplayouts = 5\nb = \"uct\"\n[[match]]\nname = \"m\"\na = {a:?}\n"
            )
        };
        assert!(read(&file("uct,select.c=0.3")).is_ok());
        assert!(read(&file("gtp:touch x")).unwrap_err().message.contains("executes \"touch x\""));
        let inside = tempfile::tempdir().unwrap();
        std::fs::write(inside.path().join("own.toml"), "").unwrap();
        let directories = Directories::new(&[inside.path().to_owned()]).unwrap();
        let foreign =
            |text: &str| foreign(&toml::Value::Table(text.parse().unwrap()), &directories).map(str::to_owned);
        assert_eq!(foreign(&file("uct,select.c=0.3")), None);
        assert_eq!(foreign(&file(&inside.path().join("own.toml").display().to_string())), None);
        // The tests run in the directory of the crate.
        for agent in [
            "puct-net,network.file=/etc/passwd",
            "../x.toml",
            "puct-net,network.file=a/../../b",
            "~/x",
            "Cargo.toml",
            "uct,x=src/lib.rs",
            "*.toml",
            "src/*.rs",
        ] {
            assert_eq!(foreign(&file(agent)).as_deref(), Some(agent));
        }
    }
}
