//! Servers, processes and experiments.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tesuji::Stop;
use tesuji_cluster::{Address, Coordinator, CoordinatorOptions, WorkerOptions, work};
use tesuji_lab::store::Store;
use tesuji_lab::{Cluster, Event, Experiment, ExperimentOptions, LabError, run_experiment};

/// How long something is waited for that comes within a moment on an idle machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until something holds.
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server with JetStream on a port of its own.
pub(crate) struct Server {
    child: Child,
    dir: TempDir,
    config: Option<PathBuf>,
    port: u16,
}

impl Server {
    /// None if tests with a server are left out.
    pub(crate) fn start() -> Option<Server> {
        Server::with_config(None)
    }

    /// A server with this configuration.
    pub(crate) fn with_config(config: Option<PathBuf>) -> Option<Server> {
        let dir = tempfile::tempdir().unwrap();
        let port = free_port();
        let child = spawn(dir.path(), config.as_deref(), port)?;
        let server = Server { child, dir, config, port };
        server.wait();
        Some(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Ends the server at once, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Loses everything that it had stored.
    pub(crate) fn wipe(&mut self) {
        std::fs::remove_dir_all(self.dir.path().join("jetstream")).unwrap();
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Starts it again, on what it had stored.
    pub(crate) fn restart(&mut self) {
        self.child = spawn(self.dir.path(), self.config.as_deref(), self.port).expect("it was there before");
        self.wait();
    }

    fn wait(&self) {
        wait_for("the server", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A proxy between workers and a server.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    is_frozen: Arc<AtomicBool>,
}

impl Proxy {
    /// Lets connections through to a port, those alone that begin as `begins` says, if that is
    /// given: then the client must speak first.
    pub(crate) fn start(to: u16, begins: Option<fn(&[u8]) -> bool>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_frozen: Arc<AtomicBool> = Arc::default();
        let frozen = is_frozen.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (mut client, mut first) = (client.unwrap(), Vec::new());
                if let Some(begins) = begins {
                    first.resize(2048, 0);
                    let count = client.read(&mut first).unwrap();
                    first.truncate(count);
                    if !begins(&first) {
                        continue;
                    }
                }
                let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                server.write_all(&first).unwrap();
                copy(client.try_clone().unwrap(), server.try_clone().unwrap(), frozen.clone());
                copy(server, client, frozen.clone());
            }
        });
        Proxy { port, is_frozen }
    }

    /// Lets nothing through for a while; no connection ends.
    pub(crate) fn freeze(&self, time: Duration) -> JoinHandle<()> {
        let is_frozen = self.is_frozen.clone();
        is_frozen.store(true, Ordering::Relaxed);
        std::thread::spawn(move || {
            std::thread::sleep(time);
            is_frozen.store(false, Ordering::Relaxed);
        })
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, is_frozen: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            while is_frozen.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn spawn(dir: &Path, config: Option<&Path>, port: u16) -> Option<Child> {
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(dir.join("jetstream"));
    if let Some(config) = config {
        // Certificates lie beside it.
        command.arg("-c").arg(config).current_dir(config.parent().unwrap());
    }
    match command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        Ok(child) => Some(child),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let message = "no nats-server is installed";
            assert!(std::env::var("TESUJI_REQUIRE_NATS").as_deref() != Ok("1"), "{message}");
            eprintln!("{message}: clusters were not tested");
            None
        }
        Err(error) => panic!("nats-server: {error}"),
    }
}

/// A process of this program that does what [`process`] says, killed when it is dropped.
pub(crate) struct Process(Child);

impl Process {
    fn start(words: &[&str]) -> Process {
        Process::start_in(&[], words)
    }

    fn start_in(environment: &[(&str, &str)], words: &[&str]) -> Process {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "support::process", "--ignored", "--nocapture"]);
        command
            .envs(environment.iter().copied())
            .env(PROCESS, words.join("\n"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Process(command.spawn().unwrap())
    }

    /// A worker of one thread.
    pub(crate) fn worker(url: &str) -> Process {
        Process::start(&["worker", url, "", ""])
    }

    /// The same with credentials, and a certificate that signs the server's, if there is one.
    pub(crate) fn worker_with(url: &str, credentials: &Path, ca: Option<&Path>) -> Process {
        let ca = ca.map_or("", |ca| ca.to_str().unwrap());
        Process::start(&["worker", url, credentials.to_str().unwrap(), ca])
    }

    /// A coordinator of an experiment file.
    pub(crate) fn coordinator(url: &str, dir: &Path, file: &str) -> Process {
        Process::coordinator_in(&[], url, dir, file)
    }

    /// The same with these variables in its environment.
    pub(crate) fn coordinator_in(environment: &[(&str, &str)], url: &str, dir: &Path, file: &str) -> Process {
        let path = dir.join("experiment.toml");
        std::fs::write(&path, file).unwrap();
        Process::start_in(environment, &["coordinator", url, dir.to_str().unwrap(), path.to_str().unwrap()])
    }

    /// The same with the lease that is usual, and its state in a file.
    pub(crate) fn patient_coordinator(url: &str, dir: &Path, file: &str, status: &Path) -> Process {
        let status = status.to_str().unwrap();
        let environment = [("TESUJI_CLUSTER_LEASE", "60"), ("TESUJI_CLUSTER_STATUS", status)];
        Process::coordinator_in(&environment, url, dir, file)
    }

    /// Simulated workers with N threads each that hand each trial in after a while.
    pub(crate) fn simulated(url: &str, workers: usize, threads: usize, hold_milliseconds: u64) -> Process {
        let [workers, threads, hold] =
            [workers as u64, threads as u64, hold_milliseconds].map(|n| n.to_string());
        Process::start(&["simulated", url, &workers, &threads, &hold])
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its end; whether all went well.
    pub(crate) fn wait(&mut self) -> bool {
        self.0.wait().unwrap().success()
    }

    /// Ends it at once, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Says what a process does.
const PROCESS: &str = "TESUJI_CLUSTER_PROCESS";

#[test]
#[ignore = "it is a process of other tests"]
fn process() {
    let Ok(words) = std::env::var(PROCESS) else { return };
    let words: Vec<&str> = words.split('\n').collect();
    match words[..] {
        ["worker", url, credentials, ca] => {
            let [credentials, ca] = [credentials, ca].map(|file| (!file.is_empty()).then(|| file.into()));
            let options = WorkerOptions {
                address: Address { url: url.to_owned(), credentials, ca },
                threads: 1,
                engines: Vec::new(),
                version: "test".to_owned(),
                files: None,
                note: Arc::new(|_| ()),
            };
            work(options, &Stop::default()).unwrap();
        }
        ["coordinator", url, dir, path] => {
            let file = std::fs::read_to_string(path).unwrap();
            let cluster = connect(url, 0.0);
            run(Path::new(dir), &file, Some(cluster)).unwrap();
        }
        ["simulated", url, workers, threads, hold] => {
            let hold = Duration::from_millis(hold.parse().unwrap());
            crate::load::simulate(url, workers.parse().unwrap(), threads.parse().unwrap(), hold);
        }
        _ => panic!("{words:?}"),
    }
}

/// Options with a short lease, for machines on which processes are killed.
pub(crate) fn options(url: &str, audit: f64) -> CoordinatorOptions {
    CoordinatorOptions {
        address: Address { url: url.to_owned(), credentials: None, ca: None },
        lease: Duration::from_secs(
            std::env::var("TESUJI_CLUSTER_LEASE").map_or(3, |seconds| seconds.parse().unwrap()),
        ),
        longest: Duration::from_secs(600),
        audit,
        wrong: Vec::new(),
        status: std::env::var_os("TESUJI_CLUSTER_STATUS").map(PathBuf::from),
        note: Arc::new(|_| ()),
    }
}

pub(crate) fn connect(url: &str, audit: f64) -> Arc<dyn Cluster> {
    Arc::new(Coordinator::connect(options(url, audit), &Stop::default()).unwrap())
}

/// The same, with what is noted.
pub(crate) fn connect_noted(url: &str, audit: f64) -> (Arc<dyn Cluster>, Arc<Mutex<Vec<String>>>) {
    let notes: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = notes.clone();
    let note = Arc::new(move |note: &str| noted.lock().unwrap().push(note.to_owned()));
    let options = CoordinatorOptions { note, ..options(url, audit) };
    (Arc::new(Coordinator::connect(options, &Stop::default()).unwrap()), notes)
}

/// Runs an experiment file in a directory.
pub(crate) fn run(dir: &Path, file: &str, cluster: Option<Arc<dyn Cluster>>) -> Result<(), LabError> {
    run_watched(dir, file, cluster, &mut |_| ())
}

pub(crate) fn run_watched(
    dir: &Path,
    file: &str,
    cluster: Option<Arc<dyn Cluster>>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
    let experiment = Experiment::parse("test.toml", file)?;
    let options = ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads: 2,
        cluster,
        changed: false,
        version: "test".to_owned(),
    };
    run_experiment(&experiment, &options, &Stop::default(), watch).map(drop)
}

/// The store of an experiment with the name `t`.
pub(crate) fn store(dir: &Path) -> Store {
    Store::read(&dir.join("out/t")).unwrap()
}

/// Everything in a store that does not depend on clocks: games, games of self-play, trials, and the
/// events that decide.
pub(crate) fn content(dir: &Path) -> Vec<String> {
    let store = store(dir);
    let mut lines: Vec<String> = Vec::new();
    for (place, game) in store.games().unwrap() {
        let (a, b, opening, replica) = (place.a, place.b, place.opening, place.replica);
        let (first, score) = (game.a_first, game.score_a);
        let game = tesuji_hash(format!("{:?}", game.reproducible()).as_bytes());
        lines.push(format!("{a} {b} {opening} {replica} {first} {score} {game}"));
    }
    for part in store.stored_plan().unwrap().parts {
        let name = part.name;
        store
            .each_self_play(&part.group, [0, 1 << 40], &mut |row| {
                let hash = tesuji_hash(&row.game);
                lines.push(format!("{name} {} {} {} {hash}", row.number, row.moves, row.black));
                Ok(())
            })
            .unwrap();
    }
    for (_, kind, detail) in store.events().unwrap() {
        if ["suggestion", "completion", "recommendation", "race", "drawn", "decision"]
            .contains(&kind.as_str())
        {
            lines.push(format!("{kind} {detail}"));
        }
    }
    lines.sort();
    lines
}

/// How many games are stored.
pub(crate) fn games_of(dir: &Path) -> usize {
    let store = Store::read(&dir.join("out/t")).ok();
    store.and_then(|store| store.games().ok()).map_or(0, |games| games.len())
}

/// A short name for bytes.
pub(crate) fn tesuji_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// Games of a match in a file of matches.
pub(crate) fn matches(games: u64) -> String {
    format!(
        "kind = \"matches\"\nname = \"t\"\ngame = \"connect-four\"\nplayouts = 60\nseed = 4\n\
         [[match]]\nname = \"m\"\na = \"grave,playout=uniform\"\nb = \"uct\"\ngames = {games}\n"
    )
}
