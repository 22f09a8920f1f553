//! The laboratory: matches between search agents, honest statistics, and records that survive a
//! kill.
//!
//! * [`run_match`]: a match between two agents in a game, all given by name, as `tesuji match`
//!   plays it.
//! * [`Experiment`]: the content of an experiment file: matches, decisions in trees of known value,
//!   incentives of sums, or matches for points. [`run_experiment`] runs it, as `tesuji run` does,
//!   and gives [`Results`].
//! * [`Event`]: what happens meanwhile, in one stream for progress and pages.
//! * [`Arena`]: plays the games of a [`MatchSchedule`] between any [`Bot`](tesuji::Bot)s of any
//!   game for two.
//! * [`store`]: the record of an experiment, one SQLite file; [`export()`] writes it in other
//!   formats.
//! * [`verify()`]: a check whether the record is sound.
//! * [`report`]: tables and figures of a page, from recorded results.
//! * [`stats`]: intervals, Elo, sequential tests, as pure functions of counts.
//! * [`bench`](bench()): speed and memory on this machine.
//!
//! ```
//! use tesuji::{Bot, Stop};
//! use tesuji_games::TicTacToe;
//! use tesuji_lab::store::{Config, Disputed, Matchup, Store};
//! use tesuji_lab::*;
//!
//! // An agent is a description for the record and a way to make its players: here the same one twice.
//! let config = Config { name: "random".into(), spec: "kind = \"random\"".into() };
//! let player = |_: &TicTacToe| Ok(Box::new(RandomBot::new(0)) as Box<dyn Bot<TicTacToe>>);
//! let agents = [MatchAgent { config: &config, factory: &player as &dyn Factory<TicTacToe>, limit: None }; 2];
//! let conditions = Conditions {
//!     game: "tic-tac-toe".into(),
//!     komi: None,
//!     seed: 1,
//!     longest: 9,
//!     adjudicate: Adjudication::NEVER,
//!     limit: Limit::Playouts(100),
//!     openings: Openings::RandomPlies(1),
//!     unpaired: false,
//! };
//! let arena = Arena {
//!     start: &TicTacToe::new(),
//!     deal: None,
//!     conditions: &conditions,
//!     agents: &agents,
//!     referee: &PlainReferee,
//!     disputed: Disputed::default(),
//!     threads: 2,
//!     stop: &Stop::default(),
//! };
//! let mut store = Store::in_memory()?;
//! arena.run(&mut MatchSchedule::new(20, None), &mut store, &mut |_| {})?;
//! let matchup = Matchup::new(&conditions, &config, &config);
//! assert_eq!(store.tally(&matchup, 20, Disputed::default())?.counts().games(), 20);
//! # Ok::<(), LabError>(())
//! ```

mod adjudication;
mod agent;
mod agent_spec;
mod alpha_beta;
mod analysis;
mod bench;
mod bench_case;
mod components;
mod conditions;
mod counted;
mod deal;
mod decisions;
mod elsewhere;
mod engine_limits;
mod error;
mod event;
mod executor;
mod experiment;
mod export;
mod game_jobs;
mod game_player;
mod game_spec;
mod gtp_bot;
mod incentives;
mod job;
mod job_worker;
mod live_search;
mod match_games;
mod match_summary;
mod matches;
mod opening;
mod opening_file;
mod picture;
mod play;
mod position;
mod printable;
mod process;
mod race;
mod record;
pub mod report;
mod root_samples;
mod runner;
mod schedule;
mod searches;
pub mod stats;
pub mod store;
mod table;
mod train;
mod tree_files;
mod trial_jobs;
mod trials;
mod tune;
mod verify;
mod whole_game;
mod write_atomic;

pub use adjudication::Adjudication;
pub use agent::{Factory, MatchAgent, RandomBot};
pub use agent_spec::{AgentError, AgentFactory, AgentSpec};
pub use alpha_beta::{AlphaBetaError, AlphaBetaSpec};
pub use analysis::{Analysis, AnalysisOptions, report_json};
pub use bench::{BenchCase, BenchError, bench};
pub use bench_case::BenchOptions;
pub use components::{ComponentError, NamedComponent, components_json, sum_scores};
pub use conditions::{Conditions, Limit, Openings};
pub use counted::counted;
pub use deal::Deal;
pub use decisions::{DecisionAgent, Decisions, DecisionsError, NoisyValues, Setting};
pub use engine_limits::EngineLimits;
pub use error::{Fault, LabError, RangeError};
pub use event::{Estimate, Event, Why};
pub use executor::{Ask, Executor, Told, TrialSource};
pub use experiment::{
    ChoiceError, Experiment, ExperimentOptions, ExperimentReport, Kind, MatchConfig, MatchError, NextStep,
    OwnKind, Played, PoolError, Results, RoundRobin, Session, Steps, Sweep, pool, run_experiment, run_kind,
};
pub use export::{Format, export};
pub use game_spec::{GameEntry, GameError, GameSpec, NamedGame};
pub use gtp_bot::GtpBot;
pub use incentives::{
    Learning, LearningResult, ListOrder, PlayoutPolicy, PointMatch, Rates, SearchPreset, SumsError,
    learn_incentives,
};
pub use job::{
    AgentData, CLUSTER_STATUS, Cluster, FiguresJob, GameJob, JOB_FORMAT, Job, JobAgent, JobDone, JobError,
    JobResult, JobTeacher, JobWork, SelfPlayJob, platform,
};
pub use job_worker::{FileOfHash, JobWorker};
pub use live_search::LiveSearch;
pub use match_games::RunLimits;
pub use match_summary::{DisputedScores, MatchSummary, PointsSummary, SprtSummary};
pub use matches::{Match, MatchOptions, MatchSpec, run_match};
pub use opening::{MoveError, opening};
pub use picture::picture;
pub use play::{FinishedGame, Unfinished, play};
pub use position::{NamedMove, Position};
pub use printable::printable;
pub use process::peak_memory;
pub use race::{ArmPlan, PatternPlan, RaceError, Racing};
pub use record::{GoReferee, PlainReferee, Referee, plain_result};
pub use root_samples::{BackupCurve, RootSamples};
pub use runner::{Arena, RunReport};
pub use schedule::{MatchSchedule, PairScore, Pairing};
pub use searches::{Found, PlanesAnswer, PlanesNetwork, Searches, SearchesError};
pub use table::{Column, ColumnError, Field, Row, Shown, Table};
pub use tesuji_agents::Playable;
pub use train::{
    CheckpointError, EvaluationPlan, NetworkPlan, Opponent, SgfPlan, TeacherPlan, Training, TrainingError,
    UNREPRODUCIBLE,
};
pub use tree_files::TreeFiles;
pub use trials::{Trial, Worker};
pub use tune::{
    Completion, Recommendation, Search, Suggestion, SuggestionError, Tuning, TuningError, TuningState,
    Validation,
};
pub use verify::{Verification, verify};
pub use whole_game::{JudgedMove, WholeGame};
pub use write_atomic::write_atomic;
