//! Trials as pure data: a program that has a [`Job`] can do it.

use crate::agent_spec::AgentSpec;
use crate::conditions::Limit;
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, faults};
use crate::executor::Executor;
use crate::store::{GameRow, Origin, SelfPlayRow};
use serde::{Deserialize, Serialize};
use std::env::consts::{ARCH, OS};
use std::path::PathBuf;
use std::sync::LazyLock;
use tesuji::recipe::Recipe;
use tesuji::{AnyParallel, AnyPlayout};
use tesuji_go::network;
use tesuji_train::SelfPlay;

/// The version of the form that [`Job`] and [`JobResult`] have as text. Programs of one version
/// understand each other.
pub const JOB_FORMAT: u32 = 3;

/// The file in the directory of a record that holds the state of the cluster, as JSON.
pub const CLUSTER_STATUS: &str = "cluster.json";

/// Does jobs on other machines.
pub trait Cluster: Executor<Job, JobResult> + Send + Sync {
    /// All workers so far whose results do not count, each with the reason. An owner stands for all
    /// workers `OWNER.NAME`.
    fn convicted(&self) -> Vec<(String, String)>;
}

/// A trial, or some trials that are done at a time, as data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// [`JOB_FORMAT`].
    pub format: u32,
    /// Its identity: a hash of everything that decides it.
    pub id: String,
    /// The version of the program that asks.
    pub version: String,
    /// Where it must be done, see [`platform`]; none if every machine gives the same bits.
    pub platform: Option<String>,
    /// Whether every machine of this platform gives the same bits.
    pub is_reproducible: bool,
    /// What is done.
    pub work: JobWork,
    /// The paths of the files that the job names by the hashes of their contents.
    #[serde(skip)]
    pub files: Vec<(String, PathBuf)>,
}

/// What is done in a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobWork {
    /// One game of a match.
    Game(Box<GameJob>),
    /// Some games of a network against itself.
    SelfPlay(Box<SelfPlayJob>),
    /// Some trials of a group.
    Figures(FiguresJob),
}

/// One game of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameJob {
    /// The canonical TOML of the [`Conditions`](crate::Conditions).
    pub conditions: String,
    /// Both agents, the one whose side the result takes first.
    pub agents: [JobAgent; 2],
    /// The number of the opening.
    pub opening: u64,
    /// A number that distinguishes games of the same agents from the same opening.
    pub replica: u32,
    /// Whether the first agent begins.
    pub a_first: bool,
    /// How long engines are waited for.
    pub engine: EngineLimits,
}

/// An agent as data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobAgent {
    /// The hash of its description, as a record has it, except that the hash of its content names
    /// the file of a network. A worker that plays the agent must compute the same hash.
    pub hash: String,
    /// The agent.
    pub agent: AgentData,
}

/// What an agent consists of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentData {
    /// `random`, a strategy for sums by its name, or `alpha-beta` with its settings.
    Named(String),
    /// A recipe.
    Recipe {
        /// What people call it.
        name: String,
        /// The whole recipe; the file of a network is named by the hash of its content.
        toml: String,
    },
    /// A third-party engine, by its command.
    Gtp(String),
}

/// Some games of a network against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayJob {
    /// The game, with its size.
    pub game: String,
    /// Points for White, where the game has a komi.
    pub komi: Option<String>,
    /// The hash of the network's file.
    pub network: String,
    /// How it plays.
    pub settings: SelfPlay,
    /// The number and the seed of each game.
    pub games: Vec<(u64, u64)>,
    /// The network that labels the games.
    pub teacher: Option<JobTeacher>,
}

/// A network that labels games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobTeacher {
    /// The hash of its file.
    pub network: String,
    /// The symmetry in which it sees positions.
    pub symmetry: tesuji::NetworkSymmetry,
    /// It labels every Nth position of a game.
    pub every: u32,
}

/// Some trials of a group of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiguresJob {
    /// The text of the experiment's file.
    pub file: String,
    /// The name of the group.
    pub group: String,
    /// The hash of everything that decides its trials. A worker that does them must compute the
    /// same hash.
    pub hash: String,
    /// The numbers of the trials.
    pub numbers: Vec<u64>,
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// [`JOB_FORMAT`].
    pub format: u32,
    /// The identity of the job.
    pub id: String,
    /// Who did it.
    pub origin: Origin,
    /// The outcome.
    pub done: JobDone,
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobDone {
    /// A finished game of a match.
    Game(Box<GameRow>),
    /// Finished games of self-play.
    SelfPlay(Vec<SelfPlayRow>),
    /// Trials with their figures, as the bits of 64-bit floating-point numbers.
    Figures(Vec<(u64, Vec<u64>)>),
    /// The job could not be done, for this reason.
    Failed(String),
}

/// What decides the bits that this machine computes, such as `x86_64-linux-0123abcd`: the
/// processor, the system, and a hash of what its mathematical library gives. All
/// [`Instructions`](tesuji_net::Instructions) give the same bits, but networks and playouts by
/// patterns take tanh and the like from that library, and libraries differ in the last bit.
pub fn platform() -> String {
    static MATH: LazyLock<String> = LazyLock::new(|| hash_of(&MATH_FUNCTIONS));
    format!("{ARCH}-{OS}-{}", *MATH)
}

/// The functions of the system's mathematical library that decide searches.
const MATH_FUNCTIONS: [fn(f32) -> f32; 4] = [f32::tanh, f32::exp, |x| x.abs().ln_1p(), |x| x.abs().powf(x)];

/// A short hash of the values of functions at 2048 places from -16 to 16.
fn hash_of(functions: &[fn(f32) -> f32]) -> String {
    let mut hasher = blake3::Hasher::new();
    for function in functions {
        for place in -1024..1024 {
            // A compiler would have a value of its own for what it knows.
            let x = std::hint::black_box(place as f32 / 64.0 + 0.003);
            hasher.update(&function(x).to_bits().to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..8].to_owned()
}

impl Job {
    /// What a worker whose program has this version needs for the job and does not have, in words:
    /// the permission to start an engine, the platform, or for self-play the version.
    pub fn lacks(&self, engines: &[String], version: &str) -> Option<String> {
        if let Some(needed) = self.platform.as_deref().filter(|&needed| needed != platform()) {
            return Some(format!("platform {needed}: its own is {}", platform()));
        }
        match &self.work {
            JobWork::Game(game) => game.agents.iter().find_map(|agent| match &agent.agent {
                AgentData::Gtp(command) if !engines.contains(command) => {
                    Some(format!("permission to start the engine {command:?}"))
                }
                _ => None,
            }),
            // Nothing but the version says how such games are played.
            JobWork::SelfPlay(_) if self.version != version => {
                Some(format!("version {} for self-play: its own is {version}", self.version))
            }
            JobWork::SelfPlay(_) | JobWork::Figures(_) => None,
        }
    }
}

impl JobDone {
    /// The number of trials that it has.
    pub fn trials(&self) -> u64 {
        match self {
            JobDone::Game(_) => 1,
            JobDone::SelfPlay(games) => games.len() as u64,
            JobDone::Figures(trials) => trials.len() as u64,
            JobDone::Failed(_) => 0,
        }
    }

    /// A hash of the part that must be the same on every machine; none for a failure.
    pub fn digest(&self) -> Option<[u8; 16]> {
        let text = match self {
            JobDone::Game(game) => serde_json::to_string(&game.as_ref().clone().reproducible()).ok()?,
            JobDone::SelfPlay(games) => {
                let mut games: Vec<_> = games.iter().map(|row| (row.number, &row.game, row.black)).collect();
                games.sort_by_key(|game| game.0);
                serde_json::to_string(&games).ok()?
            }
            JobDone::Figures(trials) => serde_json::to_string(trials).ok()?,
            JobDone::Failed(_) => return None,
        };
        blake3::hash(text.as_bytes()).as_bytes()[..16].try_into().ok()
    }
}

/// The agents of a match as data, with the files that they need.
pub(crate) struct DataOfAgents {
    pub(crate) agents: [JobAgent; 2],
    pub(crate) files: Vec<(String, PathBuf)>,
    pub(crate) needs_platform: bool,
    pub(crate) is_reproducible: bool,
}

impl DataOfAgents {
    /// # Errors
    /// If the searches of an agent are limited by the clock, or the file of a network cannot be
    /// read.
    pub(crate) fn of(agents: &[AgentSpec; 2], limit: Limit) -> Result<DataOfAgents, LabError> {
        let (mut files, mut needs_platform, mut is_reproducible) = (Vec::new(), false, true);
        let mut data = |agent: &AgentSpec| {
            let limit = agent.limit().unwrap_or(limit);
            if matches!(limit, Limit::Milliseconds(_)) {
                return Err(LabError::from(JobError::Clock));
            }
            let mut hash = agent.config_in_job(limit).hash();
            let agent = match agent {
                AgentSpec::Random => AgentData::Named("random".to_owned()),
                AgentSpec::Strategy(strategy) => AgentData::Named(strategy.name().to_owned()),
                AgentSpec::AlphaBeta(spec) => AgentData::Named(spec.to_string()),
                AgentSpec::Gtp(command) => {
                    is_reproducible = false;
                    AgentData::Gtp(command.clone())
                }
                AgentSpec::Recipe(recipe) => {
                    let mut recipe = recipe.as_ref().clone();
                    if matches!(recipe.parallel(), AnyParallel::Tree(tree) if tree.threads > 1) {
                        is_reproducible = false;
                    }
                    needs_platform |= has_own_playouts(&recipe);
                    if let Some(options) = recipe.network() {
                        needs_platform = true;
                        if let Some(file) = network::file(&options) {
                            let path = PathBuf::from(file);
                            let content = network::content(&options).map_err(|fault| JobError::Network {
                                file: file.to_owned(),
                                fault: fault.to_string(),
                            })?;
                            let hash = blake3::hash(&content).to_hex().to_string();
                            recipe = recipe.with_network(hash.clone());
                            files.push((hash, path));
                        }
                    }
                    let (name, toml) = (recipe.name().to_owned(), recipe.to_toml());
                    hash = AgentSpec::Recipe(Box::new(recipe)).config_in_job(limit).hash();
                    AgentData::Recipe { name, toml }
                }
            };
            Ok(JobAgent { hash, agent })
        };
        let agents = [data(&agents[0])?, data(&agents[1])?];
        Ok(DataOfAgents { agents, files, needs_platform, is_reproducible })
    }
}

/// Whether a recipe has playouts that belong to a game: those of Go weigh moves by e^x and powers
/// of the system's mathematical library.
fn has_own_playouts(recipe: &Recipe) -> bool {
    let table: toml::Table = recipe.to_toml().parse().unwrap_or_default();
    let playout = table.get("playout").cloned().map(toml::Value::try_into);
    matches!(playout, Some(Ok(AnyPlayout::Own(_))))
}

impl JobAgent {
    /// The agent, with the network whose file `file_of` gives for its hash.
    ///
    /// # Errors
    /// If this program does not know such an agent, or another one by this description.
    pub(crate) fn spec(
        &self,
        limit: Limit,
        file_of: &dyn Fn(&str) -> Result<PathBuf, String>,
    ) -> Result<AgentSpec, LabError> {
        // The file of a network is named by the hash of its content on both sides.
        let named = match &self.agent {
            AgentData::Named(name) => match AgentSpec::parse(name)? {
                agent @ (AgentSpec::Random | AgentSpec::Strategy(_) | AgentSpec::AlphaBeta(_)) => agent,
                _ => return Err(JobError::Named { name: name.clone() }.into()),
            },
            AgentData::Gtp(command) => AgentSpec::parse(&format!("gtp:{command}"))?,
            AgentData::Recipe { name, toml } => {
                AgentSpec::Recipe(Box::new(Recipe::from_toml(name, toml).map_err(LabError::input)?))
            }
        };
        let config = named.config_in_job(named.limit().unwrap_or(limit));
        if config.hash() != self.hash {
            return Err(JobError::OtherAgent { name: config.name }.into());
        }
        Ok(match named {
            AgentSpec::Recipe(recipe) => match recipe.network().as_ref().and_then(network::file) {
                Some(hash) => {
                    let path = file_of(hash).map_err(LabError::Failed)?;
                    AgentSpec::Recipe(Box::new(recipe.with_network(path.display().to_string())))
                }
                None => AgentSpec::Recipe(recipe),
            },
            agent => agent,
        })
    }
}

faults! {
    /// Why a trial cannot be done on another machine, or by this program.
    JobError {
        Clock => "searches that end by the clock differ from machine to machine; accepted on a cluster: a number of simulations",
        Named { name: String } => "{name:?} is not random, a strategy for sums or alpha-beta",
        OtherAgent { name: String } => "this program plays {name} differently; accepted: a worker of the coordinator's version",
        OtherGroup { name: String } => "this program does the trials {name} differently; accepted: a worker of the coordinator's version",
        Network { file: String, fault: String } => "network.file: {file}: {fault}",
        Format { format: u32, own: u32 } => "the job has the form {format}; this program knows {own}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_names_the_mathematical_library() {
        let own = platform();
        assert_eq!((own.split('-').count(), &own), (3, &platform()));
        assert!(own.ends_with(&hash_of(&MATH_FUNCTIONS)));
        // Another library, in which one value in 2048 differs by one bit.
        let other = |x: f32| if x > 15.97 { f32::from_bits(x.exp().to_bits() ^ 1) } else { x.exp() };
        assert_ne!(hash_of(&[other]), hash_of(&[f32::exp]));
    }

    #[test]
    fn playouts_by_patterns_need_the_platform() {
        tesuji_go::register_playouts();
        let needs_platform = |spec: &str| {
            let agents = ["uct", spec].map(|spec| AgentSpec::parse(spec).unwrap());
            DataOfAgents::of(&agents, Limit::Playouts(10)).unwrap().needs_platform
        };
        let specs = ["uct", "grave,playout=mast", "uct,playout=patterns", "uct,playout=tactics"];
        assert_eq!(specs.map(needs_platform), [false, false, true, true]);
    }

    #[test]
    fn self_play_needs_the_version() {
        let settings = SelfPlay::default();
        let (game, network) = ("go:4".to_owned(), String::new());
        let work = SelfPlayJob { game, komi: None, network, settings, games: Vec::new(), teacher: None };
        let job = Job {
            format: JOB_FORMAT,
            id: String::new(),
            version: "1".to_owned(),
            platform: Some(platform()),
            is_reproducible: true,
            work: JobWork::SelfPlay(Box::new(work)),
            files: Vec::new(),
        };
        assert_eq!(job.lacks(&[], "1"), None);
        assert_eq!(job.lacks(&[], "2").unwrap(), "version 1 for self-play: its own is 2");
        let elsewhere = Job { platform: Some("x".to_owned()), ..job };
        assert!(elsewhere.lacks(&[], "1").unwrap().starts_with("platform x: its own is "));
    }
}
