//! One search on its own thread, which clients watch while it goes on.

use crate::icicle::icicle;
use crate::snapshot::{Progress, SearchState, snapshot};
use crate::stream::Latest;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tesuji::{NodeReport, TreeLabel};
use tesuji_lab::{LabError, LiveSearch};
use tokio::sync::{oneshot, watch};

/// Between two snapshots of a search that is watched.
const SNAPSHOTS: Duration = Duration::from_millis(250);
/// A piece of a search lasts about so long; then its commands are read.
const PIECE: Duration = Duration::from_millis(8);
/// A search without an end that nobody watches pauses after so long.
const ALONE: Duration = Duration::from_secs(20);

/// What a search is told.
enum Command {
    Pause,
    Resume,
    Inspect(String, oneshot::Sender<Result<Option<NodeReport<String>>, LabError>>),
    Icicle(String, oneshot::Sender<Result<Option<Value>, LabError>>),
    Save(TreeLabel, oneshot::Sender<Result<Vec<u8>, LabError>>),
}

/// A running or paused search. Who drops it ends it.
#[derive(Debug)]
pub(crate) struct RunningSearch {
    commands: Sender<Command>,
    latest: Latest,
    /// What its saved tree is called.
    pub(crate) label: TreeLabel,
}

impl RunningSearch {
    /// Starts a search, or leaves it paused. One `with_end` goes on though nobody watches.
    pub(crate) fn start(search: LiveSearch, label: TreeLabel, runs: bool, with_end: bool) -> RunningSearch {
        let (commands, heard) = mpsc::channel();
        let (told, latest) =
            watch::channel(Arc::from(json!({ "state": "running", "moves": [] }).to_string()));
        let driver = Driver {
            search,
            heard,
            told,
            state: if runs { SearchState::Runs } else { SearchState::Paused },
            with_end,
            piece: 1,
            spent: Duration::ZERO,
            rate: 0.0,
            made: 0,
        };
        std::thread::spawn(move || driver.run());
        RunningSearch { commands, latest, label }
    }

    /// Its snapshots.
    pub(crate) fn watch(&self) -> Latest {
        self.latest.clone()
    }

    pub(crate) fn pause(&self) {
        let _ = self.commands.send(Command::Pause);
    }

    pub(crate) fn resume(&self) {
        let _ = self.commands.send(Command::Resume);
    }

    /// The node after some moves from the searched position.
    pub(crate) async fn inspect(&self, line: String) -> Result<Option<NodeReport<String>>, LabError> {
        let (reply, answer) = oneshot::channel();
        let _ = self.commands.send(Command::Inspect(line, reply));
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    /// The part of the tree after some moves.
    pub(crate) async fn icicle(&self, line: String) -> Result<Option<Value>, LabError> {
        let (reply, answer) = oneshot::channel();
        let _ = self.commands.send(Command::Icicle(line, reply));
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Its tree as a file.
    pub(crate) async fn save(&self) -> Result<Vec<u8>, LabError> {
        let (reply, answer) = oneshot::channel();
        let _ = self.commands.send(Command::Save(self.label.clone(), reply));
        answer.await.unwrap_or_else(|_| Err(gone()))
    }
}

fn gone() -> LabError {
    LabError::Failed("the search has failed".to_owned())
}

/// What the thread holds.
struct Driver {
    search: LiveSearch,
    heard: Receiver<Command>,
    told: watch::Sender<Arc<str>>,
    state: SearchState,
    with_end: bool,
    /// Simulations of a piece.
    piece: u64,
    /// Time of searching.
    spent: Duration,
    /// Simulations a second.
    rate: f64,
    /// Simulations since the last snapshot.
    made: u64,
}

impl Driver {
    fn run(mut self) {
        if self.state == SearchState::Paused {
            // An opened tree is shown before it grows.
            self.tell();
        }
        let (mut last, mut searched, mut watched) = (Instant::now(), Duration::ZERO, Instant::now());
        loop {
            let command = if self.state == SearchState::Runs {
                self.heard.try_recv().map_err(|error| error == mpsc::TryRecvError::Empty)
            } else {
                match self.heard.recv_timeout(Duration::from_secs(3600)) {
                    Ok(command) => Ok(command),
                    Err(RecvTimeoutError::Timeout) => Err(true),
                    Err(RecvTimeoutError::Disconnected) => Err(false),
                }
            };
            match command {
                Ok(command) => {
                    self.obey(command);
                    watched = Instant::now();
                }
                Err(true) => {}
                // Nobody can ask any more.
                Err(false) => return,
            }
            if self.state != SearchState::Runs {
                continue;
            }
            searched += self.step();
            let now = Instant::now();
            // The session itself holds one receiver.
            if self.told.receiver_count() > 1 {
                watched = now;
            } else if !self.with_end && now - watched > ALONE {
                self.state = SearchState::Paused;
            }
            let due = now - last >= SNAPSHOTS && self.told.receiver_count() > 1;
            if due || self.state != SearchState::Runs {
                self.rate = self.made as f64 / searched.as_secs_f64().max(1e-9);
                (last, searched, self.made) = (now, Duration::ZERO, 0);
                self.tell();
            }
        }
    }

    /// Searches a piece; says how long it took.
    fn step(&mut self) -> Duration {
        let begun = Instant::now();
        let ended = self.search.step(self.piece);
        let took = begun.elapsed();
        self.made += self.piece;
        self.spent += took;
        if took < PIECE / 2 {
            self.piece = (self.piece * 2).min(1 << 14);
        } else if took > PIECE * 2 {
            self.piece = (self.piece / 2).max(1);
        }
        if let Some(reason) = ended {
            self.state = SearchState::Ended(reason);
        }
        took
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Pause if self.state == SearchState::Runs => {
                self.state = SearchState::Paused;
                self.tell();
            }
            Command::Resume if self.state == SearchState::Paused => {
                self.state = SearchState::Runs;
                self.tell();
            }
            Command::Pause | Command::Resume => {}
            Command::Inspect(line, reply) => _ = reply.send(self.search.inspect(&line)),
            Command::Icicle(line, reply) => _ = reply.send(icicle(&self.search, &line)),
            Command::Save(label, reply) => _ = reply.send(self.search.save(&label)),
        }
    }

    fn tell(&mut self) {
        let Some(report) = self.search.report() else { return };
        let node = self.search.inspect("").ok().flatten();
        let progress = Progress {
            state: self.state,
            rate: self.rate,
            seconds: self.spent.as_secs_f64(),
            nodes: self.search.node_counts(),
        };
        let text = snapshot(&report, node.as_ref(), &self.search.last_line(), progress);
        self.told.send_replace(Arc::from(text.to_string()));
    }
}
