//! What is trained, and how.

use crate::agent_spec::AgentSpec;
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, check_positive, check_seed, faults};
use crate::experiment::match_config::MatchConfig;
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::number::{count, small};
use crate::game_spec::GameSpec;
use crate::store::{Disputed, PlannedTrials, TrialGroup};
use crate::trials::check_count;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tesuji::{NetworkSymmetry, Rng};
use tesuji_net::Shape;
use tesuji_train::{Goal, Learning, SelfPlay, TrainableGame};

/// A network that is trained: the fields of a file with `kind = "train"`.
///
/// An iteration plays games of the network against itself, trains it on the latest positions, and
/// keeps it as the next checkpoint; checkpoint 0 has random weights or those of a file. Every few
/// iterations the newest one plays matches against fixed agents. With a table `[sgf]`, an iteration
/// trains on games of files instead.
///
/// ```
/// # use tesuji_lab::{Experiment, Training};
/// let text = r#"
///     kind = "train"
///     name = "small"
///     game = "go:5"
///     iterations = 10
///     games = 100              # of self-play in each iteration
///
///     [network]
///     filters = 8
///     blocks = 1
///
///     [evaluation]
///     every = 5
///     playouts = 32
///
///     [[opponent]]
///     name = "uct"
///     agent = "uct,playouts=200"
///     games = 20
/// "#;
/// let experiment = Experiment::parse("small.toml", text)?;
/// let plan: &Training = experiment.plan_as().expect("its kind says so");
/// assert_eq!(plan.evaluated().collect::<Vec<_>>(), [0, 5, 10]);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The game: any game on a board.
    pub game: String,
    /// Points for White. Default: what is usual for the game.
    pub komi: Option<f64>,
    /// The seed of all random numbers, below 2^63. Default: 1.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// The number of iterations, which may be raised at any time.
    pub iterations: u64,
    /// Games of self-play in an iteration, at most 10 million. Default: 1000.
    #[serde(default = "count::<1000>")]
    pub games: u64,
    /// The network.
    #[serde(default)]
    pub network: NetworkPlan,
    /// The settings of self-play.
    #[serde(default)]
    pub self_play: SelfPlay,
    /// Games of files in place of self-play.
    pub sgf: Option<SgfPlan>,
    /// A teacher: the network learns the teacher's policy and value in place of those from its own
    /// searches.
    pub teacher: Option<TeacherPlan>,
    /// The directory of the record of an earlier training of the same game: the window begins with
    /// its games.
    pub earlier: Option<PathBuf>,
    /// The settings of learning.
    #[serde(default)]
    pub learning: Learning,
    /// The evaluation of checkpoints.
    #[serde(default)]
    pub evaluation: EvaluationPlan,
    /// The opponents; the first one has Elo 0.
    #[serde(default)]
    pub opponent: Vec<Opponent>,
    /// Keep every N-th checkpoint, as well as measured checkpoints and the latest one. Default: 10.
    #[serde(default = "count::<10>")]
    pub keep: u64,
}

/// The measures of a network, as [`Shape`] has them. With `globals` it is a pooling network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkPlan {
    /// Input planes. In Go, see [`Inputs`](tesuji_go::network::Inputs); default: 11, for the
    /// present position, four earlier ones and the player's colour. Other games have a number of
    /// their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planes: Option<usize>,
    /// Channels. Default: 32.
    pub filters: usize,
    /// Residual blocks. Default: 4.
    pub blocks: usize,
    /// Channels of the policy head. Default: 2.
    pub policy_filters: usize,
    /// Channels of the value head. Default: 1.
    pub value_filters: usize,
    /// Hidden units of the value head. Default: 64.
    pub value_hidden: usize,
    /// Numbers for the whole position, as [`Inputs`](tesuji_go::network::Inputs) has them: 19 in
    /// Go, or none. Default: 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub globals: usize,
    /// Whether a pooling network also learns the policy of the opponent's reply. A teacher must
    /// then label every position. Default: no.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replies: bool,
    /// Values of the near future that a pooling network also learns, 0 to 3, see
    /// [`Shape::horizon`]. Default: 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub horizons: usize,
    /// A network file of this shape with the weights of checkpoint 0; the momentum of the descent
    /// starts at 0. Default: none, random weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl Default for NetworkPlan {
    fn default() -> NetworkPlan {
        let Shape { filters, blocks, policy_filters, value_filters, value_hidden, .. } = Shape::GO9;
        NetworkPlan {
            planes: None,
            filters,
            blocks,
            policy_filters,
            value_filters,
            value_hidden,
            globals: 0,
            replies: false,
            horizons: 0,
            file: None,
        }
    }
}

/// Games of files.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SgfPlan {
    /// The directory; files `.sgf` in directories below it count.
    pub directory: PathBuf,
    /// Steps of an iteration. Default: 1000.
    #[serde(default = "count::<1000>")]
    pub steps: u64,
}

/// The network that labels the positions of self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherPlan {
    /// Its file: one of this project or one of KataGo's. The record has a hash of the content,
    /// wherever the file is.
    #[serde(skip_serializing)]
    pub file: PathBuf,
    /// The symmetry in which it sees a position. Default: no change.
    #[serde(default)]
    pub symmetry: NetworkSymmetry,
    /// It labels every Nth position of a game, and the network learns from these alone. Which one
    /// is the first differs from game to game. Default: 1.
    #[serde(default = "small::<1>", skip_serializing_if = "is_one")]
    pub every: u32,
}

/// The evaluation of checkpoints.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationPlan {
    /// Measure checkpoint 0 and every N-th one. Default: 10.
    pub every: u64,
    /// The recipe in which checkpoints play, each with its own network. Default: `puct-net`.
    pub agent: String,
    /// Simulations a move of checkpoints, and of opponents that do not name their own.
    /// Default: 100.
    pub playouts: u64,
    /// Games against the checkpoint that was measured before. Default: 0.
    pub before: u64,
    /// Random moves at the beginning of a game. Default: the usual number for the game.
    pub opening_plies: Option<u32>,
    /// A game of N moves is a draw. Default: 2000.
    pub longest: u32,
    /// The value of a game whose result a third-party engine disputes: `"void"`, `"board"` or
    /// `"opponent"`. Default: `"void"`.
    pub disputed: Disputed,
    /// The time limits of such an engine, see [`EngineLimits`].
    pub engine: EngineLimits,
}

impl Default for EvaluationPlan {
    fn default() -> EvaluationPlan {
        EvaluationPlan {
            every: 10,
            agent: "puct-net".to_owned(),
            playouts: 100,
            before: 0,
            opening_plies: None,
            longest: 2000,
            disputed: Disputed::default(),
            engine: EngineLimits::default(),
        }
    }
}

/// A fixed opponent.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The agent, as the command line names it.
    pub agent: String,
    /// Games of each measured checkpoint against it. Default: 20.
    #[serde(default = "count::<20>")]
    pub games: u64,
}

/// The input planes of a network for Go.
const PLANES: usize = 11;

impl NetworkPlan {
    /// The same with the planes of a game.
    fn of(&self, game: &dyn TrainableGame) -> NetworkPlan {
        let planes = self.planes.unwrap_or_else(|| game.fixed().map_or(PLANES, |[planes, _]| planes));
        NetworkPlan { planes: Some(planes), ..self.clone() }
    }

    fn shape(&self, game: &dyn TrainableGame) -> Shape {
        let NetworkPlan { filters, blocks, policy_filters, value_filters, value_hidden, .. } = *self;
        let planes = self.of(game).planes.unwrap_or(PLANES);
        let (board, actions) = (game.board(), game.fixed().map_or(0, |[_, actions]| actions));
        Shape {
            board,
            planes,
            filters,
            blocks,
            policy_filters,
            value_filters,
            value_hidden,
            globals: self.globals,
            actions,
            replies: self.replies.into(),
            horizons: self.horizons,
        }
    }
}

// Serde gives a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_one(number: &u32) -> bool {
    *number == 1
}

// Serde gives a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Everything that decides the course, but for the learning rates: those of steps to come may be
/// changed.
#[derive(Serialize)]
struct Spec<'a> {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    komi: Option<String>,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    /// Which files there are is recorded by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    network: NetworkPlan,
    learning: toml::Table,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_play: Option<&'a SelfPlay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    teacher: Option<&'a TeacherPlan>,
}

/// A match of a checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CheckpointMatch {
    pub(super) checkpoint: u64,
    pub(super) against: Against,
    pub(super) cell: MatchConfig,
}

/// Whom a checkpoint plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Against {
    /// The opponent with this index.
    Opponent(usize),
    /// This checkpoint.
    Checkpoint(u64),
}

impl Training {
    /// The numbers of the games of self-play of an iteration: the first one, and that after the
    /// last.
    pub(super) fn games_of(&self, iteration: u64) -> [u64; 2] {
        [iteration, iteration + 1].map(|iteration| iteration * self.games)
    }

    /// Checks what can be checked without a network.
    ///
    /// # Errors
    /// What is out of its range, and what is accepted.
    pub(crate) fn check(&self) -> Result<(), LabError> {
        let game = self.trainable()?;
        check_positive([
            ("iterations", self.iterations),
            ("keep", self.keep),
            ("evaluation.every", self.evaluation.every),
            ("evaluation.playouts", self.evaluation.playouts),
            ("evaluation.longest", self.evaluation.longest.into()),
            ("sgf.steps", self.sgf.as_ref().map_or(1, |sgf| sgf.steps)),
            ("teacher.every", self.teacher.as_ref().map_or(1, |teacher| teacher.every.into())),
        ])?;
        check_count("games", self.games)?;
        check_seed(self.seed)?;
        if self.teacher.is_some() && self.sgf.is_some() {
            return Err(TrainingError::TeacherOfFiles.into());
        }
        if self.network.replies && self.teacher.as_ref().is_some_and(|teacher| teacher.every > 1) {
            return Err(TrainingError::Replies.into());
        }
        if self.earlier.is_some() && self.sgf.is_some() {
            return Err(TrainingError::EarlierOfFiles.into());
        }
        if self.sgf.is_some() {
            self.go_size()?;
        }
        let size = self.spec()?.go().map(|(size, _)| size);
        if self.self_play.komi.is_some() && size.is_none() {
            return Err(TrainingError::Komi.into());
        }
        let boards = &self.self_play.boards;
        if !boards.is_empty() && !boards.iter().any(|&(board, _)| Some(board) == size) {
            let game = self.game.clone();
            return Err(TrainingError::Boards { game }.into());
        }
        if !boards.is_empty() && self.sgf.is_some() {
            return Err(TrainingError::BoardsOfFiles.into());
        }
        game.check(&self.shape()?).map_err(|error| LabError::input(error).within("network"))?;
        self.learning.check().map_err(|fault| LabError::input(fault).within("learning"))?;
        let mut names = HashSet::new();
        for opponent in &self.opponent {
            let Opponent { name, agent, games } = opponent;
            if !is_plain(name) || name == "before" || !names.insert(name) {
                let (name, accepted) = (name.clone(), PLAIN);
                return Err(TrainingError::Opponent { name, accepted }.into());
            }
            let own = |error: LabError| error.within(format_args!("opponent {name}"));
            AgentSpec::parse(agent).map_err(own)?;
            check_positive([("games", *games)]).map_err(|error| own(error.into()))?;
        }
        AgentSpec::parse(&self.evaluation.agent)
            .and_then(|agent| agent.with_network(Path::new("")))
            .map_err(|error| error.within("evaluation.agent"))?;
        for checkpoint_match in self.matches_of(0) {
            checkpoint_match.cell.spec()?;
        }
        Ok(())
    }

    /// The game.
    pub(super) fn spec(&self) -> Result<GameSpec, LabError> {
        let komi = self.komi.map(|komi| komi.to_string());
        GameSpec::parse(&self.game, komi.as_deref())
    }

    /// The game as networks learn it.
    ///
    /// # Errors
    /// If there is no such game, or networks cannot learn it.
    pub fn trainable(&self) -> Result<Box<dyn TrainableGame>, LabError> {
        self.spec()?.trainable(&self.self_play)
    }

    /// The name of the game in records, `go:N` for Go on every board; and its komi.
    pub(super) fn named_game(&self) -> Result<(String, Option<String>), LabError> {
        let spec = self.spec()?;
        let go = spec.go().map(|(size, _)| format!("go:{size}"));
        Ok((go.unwrap_or_else(|| spec.to_string()), spec.komi()))
    }

    /// Lines of the board of Go, which games of files need.
    ///
    /// # Errors
    /// If the game is not Go.
    pub fn go_size(&self) -> Result<usize, LabError> {
        let spec = self.spec()?;
        let go = spec.go().ok_or_else(|| TrainingError::SgfGame { game: spec.to_string() })?;
        Ok(go.0)
    }

    /// The measures of the network.
    ///
    /// # Errors
    /// If a measure is out of its range.
    pub fn shape(&self) -> Result<Shape, LabError> {
        let shape = self.network.shape(&*self.trainable()?).checked();
        let shape = shape.map_err(|error| LabError::input(error).within("network"))?;
        let (count, most) = (shape.parameters(), Shape::MOST_PARAMETERS);
        if count > most {
            return Err(TrainingError::Network { count, most }.into());
        }
        Ok(shape)
    }

    /// The seed of the games of self-play.
    pub fn seed_of_games(&self) -> u64 {
        Rng::derive(self.seed, 0x0067_616d_6573)
    }

    /// The seed of the batches.
    pub fn seed_of_batches(&self) -> u64 {
        Rng::derive(self.seed, 0x0062_6174_6368_6573)
    }

    /// What is learned.
    pub fn goal(&self) -> Goal {
        Goal { search_value: self.learning.search_value }
    }

    /// The iterations as trials: a change of what decides them makes others of them.
    pub(crate) fn part(&self, columns: &[&str]) -> Result<PlannedTrials, LabError> {
        let (game, komi) = self.named_game()?;
        let plays = self.sgf.is_none();
        let mut learning = toml::Table::try_from(&self.learning).map_err(LabError::failed)?;
        learning.remove("rate");
        let spec = Spec {
            game,
            komi,
            seed: self.seed,
            games: plays.then_some(self.games),
            steps: self.sgf.as_ref().map(|sgf| sgf.steps),
            network: self.network.of(&*self.trainable()?),
            learning,
            self_play: plays.then_some(&self.self_play),
            teacher: self.teacher.as_ref(),
        };
        let spec = toml::to_string(&spec).map_err(LabError::failed)?;
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Ok(PlannedTrials {
            name: "iterations".to_owned(),
            group: TrialGroup { spec, columns },
            trials: self.iterations,
        })
    }

    /// The checkpoints that are measured.
    pub fn evaluated(&self) -> impl Iterator<Item = u64> {
        let every = usize::try_from(self.evaluation.every).unwrap_or(usize::MAX);
        self.measures().then(|| (0..=self.iterations).step_by(every)).into_iter().flatten()
    }

    /// Whether there are matches at all.
    fn measures(&self) -> bool {
        !self.opponent.is_empty() || self.evaluation.before > 0
    }

    /// Whether a checkpoint is measured.
    pub(super) fn is_evaluated(&self, checkpoint: u64) -> bool {
        self.measures() && checkpoint <= self.iterations && checkpoint.is_multiple_of(self.evaluation.every)
    }

    /// Whether a checkpoint that is not the latest is kept.
    pub(super) fn keeps(&self, checkpoint: u64) -> bool {
        checkpoint.is_multiple_of(self.keep) || self.is_evaluated(checkpoint)
    }

    /// The matches of a checkpoint, whose network is still to be put in.
    pub(super) fn matches_of(&self, checkpoint: u64) -> Vec<CheckpointMatch> {
        let EvaluationPlan { every, playouts, before, opening_plies, longest, disputed, engine, .. } =
            self.evaluation;
        let own = &self.evaluation.agent;
        let cell = |name: &str, b: &str, games: u64| MatchConfig {
            series: name.to_owned(),
            x: Some(checkpoint as f64),
            komi: self.komi,
            // Other openings for each checkpoint: an unlucky choice of them does not stay.
            seed: Rng::derive(self.seed ^ OPENINGS, checkpoint) >> 1,
            opening_plies,
            longest,
            disputed,
            engine,
            ..MatchConfig::new(&format!("{checkpoint}-{name}"), [own, b], &self.game, games, playouts)
        };
        let opponents = self.opponent.iter().enumerate().map(|(i, opponent)| CheckpointMatch {
            checkpoint,
            against: Against::Opponent(i),
            cell: cell(&opponent.name, &opponent.agent, opponent.games),
        });
        let mut matches: Vec<CheckpointMatch> = opponents.collect();
        if before > 0 && checkpoint >= every {
            let earlier = checkpoint - every;
            matches.push(CheckpointMatch {
                checkpoint,
                against: Against::Checkpoint(earlier),
                cell: cell("before", own, before),
            });
        }
        matches
    }
}

/// Keeps the random numbers of openings apart from all others.
const OPENINGS: u64 = 0x6f70_656e;

faults! {
    /// Why a training is not possible, apart from faults of its matches and of numbers out of their
    /// [range](crate::RangeError).
    TrainingError {
        SgfGame { game: String } => "game is {game}; accepted with [sgf]: go9, go13, go19, go:N",
        Boards { game: String } => "self_play: boards do not have that of the game {game}; accepted: sizes of Go, one of them that of the game",
        BoardsOfFiles => "self_play: boards are for games of self-play; accepted: boards without [sgf]",
        Komi => "self_play: komi is for Go; accepted in other games: no komi",
        Network { count: usize, most: usize } => "network: it has {count} parameters; accepted: at most {most}, as its file is not read otherwise",
        EarlierOfFiles => "earlier has games of self-play; accepted: earlier without [sgf]",
        TeacherOfFiles => "teacher labels games of self-play; accepted: [teacher] without [sgf]",
        Replies => "network.replies learns from the labels of the next position; accepted: teacher.every = 1, or network.replies = false",
        Opponent { name: String, accepted: &'static str } => "opponent: name is {name:?}; accepted: {accepted}, each once, and not \"before\"",
    }
}
