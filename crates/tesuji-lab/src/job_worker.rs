//! Does jobs.

use crate::agent_spec::AgentSpec;
use crate::conditions::Conditions;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::game_player::{GamePlace, GamePlayer};
use crate::game_spec::GameSpec;
use crate::job::{AgentData, FiguresJob, GameJob, JOB_FORMAT, Job, JobDone, JobError, JobWork, SelfPlayJob};
use crate::match_games::MatchGames;
use crate::play::Unfinished;
use crate::runner::message_of;
use crate::store::SelfPlayRow;
use cpu_time::ThreadTime;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::{NetworkOptions, Stop};
use tesuji_net::Parameters;
use tesuji_train::{SelfPlayer, Teacher};

/// The matches whose players a worker keeps; engines of the latest one only.
const MATCHES: usize = 8;

/// Returns the path of a file on this machine whose content has this hash, or the reason why there
/// is none.
pub type FileOfHash = dyn Fn(&str) -> Result<PathBuf, String>;

/// Plays games of self-play, and labels them if there is a teacher.
type PlayerAndTeacher = (Box<dyn SelfPlayer>, Option<Box<dyn Teacher>>);

/// Does one job after the other, on the thread that made it, and keeps players and networks for the
/// next one.
pub struct JobWorker {
    file_of: Box<FileOfHash>,
    /// The latest last.
    matches: VecDeque<(GameJob, Box<dyn GamePlayer>)>,
    self_play: Option<(SelfPlayJob, PlayerAndTeacher)>,
    experiment: Option<Experiment>,
}

impl std::fmt::Debug for JobWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JobWorker").finish_non_exhaustive()
    }
}

impl JobWorker {
    /// A worker that finds files by the hashes of their contents.
    pub fn new(file_of: Box<FileOfHash>) -> JobWorker {
        JobWorker { file_of, matches: VecDeque::new(), self_play: None, experiment: None }
    }

    /// Does a job; none if it was stopped. `progress` grows with the simulations that are done. A
    /// panic is a failure of the job.
    pub fn work(&mut self, job: &Job, stop: &Stop, progress: &Arc<AtomicU64>) -> Option<JobDone> {
        let done = catch_unwind(AssertUnwindSafe(|| self.try_work(job, stop, progress)));
        if done.as_ref().is_ok_and(Result::is_ok) {
            return done.ok()?.ok()?;
        }
        // What has failed may be left in any state.
        (self.self_play, self.experiment) = (None, None);
        self.matches.clear();
        match done {
            _ if stop.is_stopped() => None,
            Ok(Err(error)) => Some(JobDone::Failed(error.to_string())),
            Err(panic) => Some(JobDone::Failed(message_of(&*panic))),
            Ok(Ok(done)) => done,
        }
    }

    fn try_work(
        &mut self,
        job: &Job,
        stop: &Stop,
        progress: &Arc<AtomicU64>,
    ) -> Result<Option<JobDone>, LabError> {
        if job.format != JOB_FORMAT {
            return Err(JobError::Format { format: job.format, own: JOB_FORMAT }.into());
        }
        match &job.work {
            JobWork::Game(game) => self.play(&job.id, game, stop, progress),
            JobWork::SelfPlay(games) => self.play_self(games, stop, progress),
            JobWork::Figures(trials) => self.make(trials, stop, progress),
        }
    }

    fn play(
        &mut self,
        id: &str,
        job: &GameJob,
        stop: &Stop,
        progress: &Arc<AtomicU64>,
    ) -> Result<Option<JobDone>, LabError> {
        // Games of a match differ in their places alone.
        let common = GameJob { opening: 0, replica: 0, a_first: true, ..job.clone() };
        // An engine is a process, which would live on beside those of the match that is played.
        self.matches.retain(|(of, _)| {
            *of == common || !of.agents.iter().any(|agent| matches!(agent.agent, AgentData::Gtp(_)))
        });
        let place = self.matches.iter().position(|(of, _)| *of == common);
        let (_, mut player) = match place.and_then(|place| self.matches.remove(place)) {
            Some(known) => known,
            None => (common.clone(), self.player(job)?),
        };
        let place = GamePlace { opening: job.opening, replica: job.replica, a_first: job.a_first };
        let played = player.play(id, place, stop, progress);
        if self.matches.len() == MATCHES {
            self.matches.pop_front();
        }
        self.matches.push_back((common, player));
        match played {
            Ok(game) => Ok(Some(JobDone::Game(Box::new(game)))),
            Err(Unfinished::Stopped) => Ok(None),
            Err(Unfinished::Failed(why)) => Err(LabError::Failed(why)),
        }
    }

    fn player(&self, job: &GameJob) -> Result<Box<dyn GamePlayer>, LabError> {
        let conditions = Conditions::parse(&job.conditions)?;
        let spec = GameSpec::parse(&conditions.game, conditions.komi.as_deref())?;
        let agent = |i: usize| job.agents[i].spec(conditions.limit, &*self.file_of);
        let agents = [agent(0)?, agent(1)?];
        let configs = agents.each_ref().map(|agent: &AgentSpec| agent.config(conditions.limit));
        let games = MatchGames { agents, conditions, engine: job.engine, gtp_setup: spec.gtp_setup() };
        spec.start().player(games, configs, spec.referee())
    }

    fn play_self(
        &mut self,
        job: &SelfPlayJob,
        stop: &Stop,
        progress: &Arc<AtomicU64>,
    ) -> Result<Option<JobDone>, LabError> {
        let common = SelfPlayJob { games: Vec::new(), ..job.clone() };
        if self.self_play.as_ref().is_none_or(|(of, ..)| *of != common) {
            self.self_play = None;
            self.self_play = Some((common, self.self_player(job)?));
        }
        let Some((_, (player, teacher))) = &mut self.self_play else { return Ok(None) };
        player.count_simulations(progress.clone());
        let mut games = job.games.iter().copied();
        let mut rows = Vec::with_capacity(job.games.len());
        loop {
            let begun = ThreadTime::now();
            let Some(mut played) = player.play(&mut games, stop) else { break };
            if let Some(teacher) = teacher {
                played.game = teacher.label(played.game).map_err(LabError::failed)?;
            }
            rows.push(SelfPlayRow::of(played, begun.elapsed().as_secs_f64()));
        }
        let is_whole = rows.len() == job.games.len();
        if !is_whole {
            // Its games are half played.
            self.self_play = None;
        }
        Ok(is_whole.then_some(JobDone::SelfPlay(rows)))
    }

    fn self_player(&self, job: &SelfPlayJob) -> Result<PlayerAndTeacher, LabError> {
        let game = GameSpec::parse(&job.game, job.komi.as_deref())?.trainable(&job.settings)?;
        let file = (self.file_of)(&job.network).map_err(LabError::Failed)?;
        let (parameters, _) = Parameters::load(&file).map_err(LabError::input)?;
        game.check(parameters.shape()).map_err(LabError::input)?;
        let networks = game.ready(&parameters);
        let player = game.self_player(&networks, &job.settings).map_err(LabError::input)?;
        let teacher = job.teacher.as_ref().map(|teacher| {
            let file = (self.file_of)(&teacher.network).map_err(LabError::Failed)?.display().to_string();
            let options =
                NetworkOptions { file: Some(file), symmetry: teacher.symmetry, ..NetworkOptions::default() };
            game.teacher(&options, teacher.every).map_err(LabError::input)
        });
        Ok((player, teacher.transpose()?))
    }

    fn make(
        &mut self,
        job: &FiguresJob,
        stop: &Stop,
        progress: &AtomicU64,
    ) -> Result<Option<JobDone>, LabError> {
        if self.experiment.as_ref().is_none_or(|experiment| experiment.file != job.file) {
            self.experiment = Some(Experiment::parse("the experiment", &job.file)?);
        }
        let Some(experiment) = &self.experiment else { return Ok(None) };
        let trials = experiment.plan().trials()?;
        let group = trials.iter().find(|trial| trial.name() == job.group && trial.group().hash() == job.hash);
        let group = group.ok_or_else(|| JobError::OtherGroup { name: job.group.clone() })?;
        group.prepare(stop, progress)?;
        let (mut worker, mut made) = (group.worker(), Vec::new());
        for &number in &job.numbers {
            let Some(figures) = worker(number, stop)? else { return Ok(None) };
            progress.fetch_add(1, Ordering::Relaxed);
            made.push((number, figures.into_iter().map(f64::to_bits).collect()));
        }
        Ok(Some(JobDone::Figures(made)))
    }
}
