//! Trains networks.

use super::Training;
use super::earlier;
use super::files;
use super::jobs::SelfPlayJobs;
use super::labels::{self, TeacherLabels};
use super::networks::{CheckpointError, Networks};
use super::plan::{Against, CheckpointMatch, SgfPlan};
use super::state::{Figures, TrainingState};
use crate::agent_spec::AgentSpec;
use crate::elsewhere::{tell_voided, void_convicted};
use crate::error::{LabError, faults};
use crate::event::Event;
use crate::experiment::{Experiment, NextStep, Session, Steps, named};
use crate::matches::Match;
use crate::store::{Config, PlannedMatch, SelfPlayRow, Store, StoredPlan};
use cpu_time::{ProcessTime, ThreadTime};
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};
use tesuji::Rng;
use tesuji_net::Losses;
use tesuji_train::{Learner, Measures, SelfPlayer, SgfFiles, Teacher, TrainableGame, TrainingGame, Window};

/// What a record asks for so far: the iterations, and the matches of checkpoints.
///
/// # Errors
/// If the store fails, or is of a training with other rates.
pub(super) fn stored_plan(plan: &Training, store: &Store) -> Result<StoredPlan, LabError> {
    let state = TrainingState::read(plan, store)?;
    let recorded = store.description()?.and_then(|recorded| Experiment::parse("", &recorded.file).ok());
    match recorded.as_ref().and_then(Experiment::plan_as::<Training>) {
        Some(recorded) => state.check_rates(plan, &recorded.learning.rate)?,
        _ => state.check_rates(plan, &plan.learning.rate)?,
    }
    let asked: HashSet<String> = store.matches()?.into_iter().map(|planned| planned.name).collect();
    let mut matches = Vec::new();
    for checkpoint in plan.evaluated().take_while(|&checkpoint| checkpoint <= state.done()) {
        for checkpoint_match in plan.matches_of(checkpoint) {
            if asked.contains(&checkpoint_match.cell.name) {
                matches.push(identified(plan, &state, &checkpoint_match)?);
            }
        }
    }
    Ok(StoredPlan { matches, parts: vec![state.part] })
}

/// The agents of a checkpoint's match, without the networks of checkpoints.
fn agents(checkpoint_match: &CheckpointMatch) -> Result<[AgentSpec; 2], LabError> {
    Ok([AgentSpec::parse(&checkpoint_match.cell.a)?, AgentSpec::parse(&checkpoint_match.cell.b)?])
}

/// The match with agents that are recorded as checkpoints of this run, wherever their files are.
fn identified(
    plan: &Training,
    state: &TrainingState,
    checkpoint_match: &CheckpointMatch,
) -> Result<PlannedMatch, LabError> {
    let agents = agents(checkpoint_match)?;
    let mut planned = Match::plan(&agents, &checkpoint_match.cell.spec()?);
    let config = |checkpoint: u64| {
        let mut table = toml::Table::new();
        if let AgentSpec::Recipe(recipe) = &agents[0] {
            let recipe = recipe.identity(recipe.playouts().or(Some(plan.evaluation.playouts)));
            table.extend(recipe.parse::<toml::Table>().expect("a recipe is TOML"));
        }
        table.insert("checkpoint".to_owned(), toml::Value::Integer(checkpoint as i64));
        table.insert("training".to_owned(), toml::Value::String(state.part.group.hash()));
        Config { name: format!("checkpoint-{checkpoint}"), spec: table.to_string() }
    };
    planned.matchup.a = config(checkpoint_match.checkpoint);
    planned.a = planned.matchup.a.name.clone();
    match checkpoint_match.against {
        Against::Checkpoint(earlier) => {
            planned.matchup.b = config(earlier);
            planned.b = planned.matchup.b.name.clone();
        }
        Against::Opponent(i) => planned.b = plan.opponent[i].name.clone(),
    }
    Ok(planned)
}

/// The training as far as its record, networks and files lead; none if nothing shall be made.
///
/// # Errors
/// If something is not possible, or the store or a file fails.
pub(super) fn open<'a>(
    plan: &'a Training,
    session: &mut Session<'_>,
) -> Result<Option<TrainingSteps<'a>>, LabError> {
    plan.check_earlier(session.store.dir())?;
    let state = TrainingState::read(plan, session.store)?;
    let networks = session.store.dir().map(|dir| Networks::new(dir, &state.part.group, plan)).transpose()?;
    // Those of a training that was begun are in its checkpoint 0.
    if state.done() == 0 && networks.as_ref().is_none_or(|networks| !networks.path(0).exists()) {
        plan.first_weights()?;
    }
    let files = plan.sgf.as_ref().map(|sgf| read_files(plan, sgf, &state, session)).transpose()?;
    // A training that is complete does not need its teacher.
    let needed = plan.teacher.as_ref().filter(|_| state.done() < plan.iterations);
    let game = plan.trainable()?;
    let teacher = needed.map(|teacher| labels::open(teacher, &*game, session.store)).transpose()?;
    if session.options.games == Some(0) {
        if state.done() == 0 {
            plan.earlier_games()?;
        }
        plan.matches_of(0).iter().try_for_each(check_opponent)?;
        return Ok(None);
    }
    let Some(networks) = networks else {
        return Err(LabError::Failed("a training needs a directory for its networks".to_owned()));
    };
    networks.begin(plan, state.done())?;
    session.store.prepare_self_play()?;
    let (window, held) = match files {
        Some(files) => (files.window, files.held_out.into_iter().map(|game| (0, game)).collect()),
        None => (Window::of(&plan.learning), VecDeque::new()),
    };
    let (recorded, matches, play_seconds) = (VecDeque::new(), VecDeque::new(), 0.0);
    let mut steps =
        TrainingSteps { plan, game, state, recorded, networks, teacher, window, held, matches, play_seconds };
    steps.void_games(session)?;
    steps.step_back(session)?;
    steps.check_opponents()?;
    steps.networks.sweep(plan, steps.state.done());
    if plan.sgf.is_none() {
        let played = steps.state.done() * plan.games;
        let first = steps.window_start(session.store, played)?.0;
        // A training that is complete does not need them.
        if first == 0 && steps.state.done() < plan.iterations {
            let games = plan.earlier_games()?;
            earlier::note(&games, session.store, steps.state.done())?;
            games.iter().for_each(|game| steps.window.push(game));
        }
        steps.take_games(session.store, [first, played])?;
    }
    steps.measure(0);
    Ok(Some(steps))
}

/// Makes sure that the opponent of a checkpoint's match can play, without a network to play
/// against.
fn check_opponent(checkpoint_match: &CheckpointMatch) -> Result<(), LabError> {
    let [_, b] = agents(checkpoint_match)?;
    Match::between([AgentSpec::Random, b], &checkpoint_match.cell.spec()?)
        .map(drop)
        .map_err(|error| named(&checkpoint_match.cell.name, error))
}

/// The games of files, which are noted in the record.
fn read_files(
    plan: &Training,
    sgf: &SgfPlan,
    state: &TrainingState,
    session: &mut Session<'_>,
) -> Result<SgfFiles, LabError> {
    let read = SgfFiles::read(&sgf.directory, plan.go_size()?, plan.learning.held_out)
        .map_err(|error| CheckpointError::Sgf { fault: error.to_string() })?;
    files::note(&read.census, session.store, state.done())?;
    session.tell(Event::Started { name: "files", about: "", number: 1, of: 1, total: 0 });
    session.tell(Event::Note(&read.census.to_string()));
    session.tell_end(false);
    Ok(read)
}

/// Makes what is missing of the iterations, and plays the matches of the checkpoints that are
/// measured.
pub(super) struct TrainingSteps<'a> {
    plan: &'a Training,
    game: Box<dyn TrainableGame>,
    /// As far as the network has come.
    state: TrainingState,
    /// Iterations that are recorded already and learned again, as their checkpoints are damaged or
    /// gone.
    recorded: VecDeque<Figures>,
    networks: Networks,
    teacher: Option<TeacherLabels>,
    window: Window,
    /// Games that are not trained on, as old as those of the window.
    held: VecDeque<(u64, TrainingGame)>,
    /// The matches of checkpoints that come next, each with its place among those of its
    /// checkpoint.
    matches: VecDeque<(CheckpointMatch, (usize, usize))>,
    /// The time of the self-play that nothing was learnt from yet.
    play_seconds: f64,
}

/// What is said of a network that has one value for all positions.
const DEAD: &str = "the value head has died: it answers every position alike. Lower rates, or rates that rise at first, may help";

/// Positions that are held out and looked at after an iteration, at most.
const HELD: usize = 4096;

impl Steps for TrainingSteps<'_> {
    fn ask(&mut self, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError> {
        if let Some(step) = self.next_match(session)? {
            return Ok(step);
        }
        let iteration = self.state.done();
        let goes_on = iteration < session.most(self.plan.iterations)
            && !session.is_stopped()
            && (self.plan.sgf.is_some() || self.play_games(iteration, session)?)
            && self.learn(iteration, session)?;
        Ok(if goes_on { NextStep::Worked } else { NextStep::Done })
    }

    fn reopen(&mut self, _: &mut Session<'_>) -> Result<(), LabError> {
        self.matches.clear();
        self.measure(0);
        Ok(())
    }
}

impl TrainingSteps<'_> {
    /// Has the matches of checkpoints from this one on played.
    fn measure(&mut self, first: u64) {
        let done = self.state.done();
        for checkpoint in self.plan.evaluated().take_while(|&k| k <= done).filter(|&k| k >= first) {
            let matches = self.plan.matches_of(checkpoint);
            let of = matches.len();
            self.matches.extend(matches.into_iter().enumerate().map(|(i, m)| (m, (i + 1, of))));
        }
    }

    /// Goes back to the newest checkpoint that can be read. Its successors follow from it and from
    /// the stored games.
    ///
    /// # Errors
    /// If there is none, or games that it would learn from are left without their targets.
    fn step_back(&mut self, session: &mut Session<'_>) -> Result<(), LabError> {
        let done = self.state.done();
        let (newest, lost) = self.networks.newest(done, self.plan.learning.sgd())?;
        let Some(why) = lost else { return Ok(()) };
        if self.plan.sgf.is_none() {
            let (first, _) = self.window_start(session.store, (newest + 1) * self.plan.games)?;
            let range = [first, done * self.plan.games];
            if let Some(game) = session.store.self_play_without_targets(&self.state.part.group, range)? {
                return Err(LabError::Failed(format!(
                    "checkpoint {done} is needed to continue: {why}; it cannot be rebuilt from checkpoint {newest}, because game {game} \
                     no longer has its training data; accepted: a copy of checkpoint {done} or {}",
                    done - 1
                )));
            }
        }
        self.recorded = self.state.iterations.split_off(newest as usize).into();
        let line = format!("{why}; it is rebuilt from checkpoint {newest} and the stored games");
        session.tell(Event::Started { name: "checkpoints", about: "", number: 1, of: 1, total: 0 });
        session.tell(Event::Note(&line));
        session.tell_end(false);
        Ok(())
    }

    /// Makes sure that every opponent can play, before anything is done.
    fn check_opponents(&self) -> Result<(), LabError> {
        if self.plan.evaluated().next().is_some() {
            for checkpoint_match in self.plan.matches_of(0) {
                // The latest network is there in any case.
                self.match_of(&CheckpointMatch { checkpoint: self.state.done(), ..checkpoint_match })?;
            }
        }
        Ok(())
    }

    fn match_of(&self, checkpoint_match: &CheckpointMatch) -> Result<Match, LabError> {
        let [a, b] = agents(checkpoint_match)?;
        let a = a.with_network(&self.networks.path(checkpoint_match.checkpoint))?;
        let b = match checkpoint_match.against {
            Against::Checkpoint(earlier) => b.with_network(&self.networks.path(earlier))?,
            Against::Opponent(_) => b,
        };
        let planned = Match::between([a, b], &checkpoint_match.cell.spec()?)
            .map_err(|error| named(&checkpoint_match.cell.name, error))?;
        Ok(planned.recorded_as(identified(self.plan, &self.state, checkpoint_match)?))
    }

    /// The next match of a checkpoint that lacks games.
    fn next_match(&mut self, session: &mut Session<'_>) -> Result<Option<NextStep<'static>>, LabError> {
        while !session.is_stopped()
            && let Some((checkpoint_match, place)) = self.matches.pop_front()
        {
            let planned = identified(self.plan, &self.state, &checkpoint_match)?;
            if !session.is_due(&planned, planned.games)? {
                // Its games may have been played under another name.
                session.store.append_match(&planned)?;
                continue;
            }
            let checkpoint = checkpoint_match.checkpoint;
            let files = match checkpoint_match.against {
                Against::Checkpoint(earlier) => vec![checkpoint, earlier],
                Against::Opponent(_) => vec![checkpoint],
            };
            if let Some(gone) = files.iter().find(|&&k| !self.networks.path(k).exists()) {
                let line =
                    format!("match {}: checkpoint {gone} was not kept, so it is not played", planned.name);
                session.tell(Event::Note(&line));
                continue;
            }
            return Ok(Some(NextStep::between(self.match_of(&checkpoint_match)?, planned.games, place)));
        }
        Ok(None)
    }

    /// The number of the first game of the window if games before `end` are played, and the
    /// positions of all of them that are trained on.
    fn window_start(&self, store: &Store, end: u64) -> Result<(u64, u64), LabError> {
        let mut games = store.self_play_positions(&self.state.part.group, end)?;
        games.retain(|&(number, _)| !self.plan.learning.is_held_out(number));
        let all = games.iter().fold(0, |all: u64, &(_, positions)| all.saturating_add(positions));
        let most = self.plan.learning.window(all);
        let (mut first, mut inside) = (end, 0_u64);
        for (number, positions) in games {
            inside = inside.saturating_add(positions);
            // One game may be larger than the window.
            if inside > most && first != end {
                break;
            }
            first = number;
        }
        Ok((first, all))
    }

    /// Takes games of the store into the window, or among those that are held out.
    fn take_games(&mut self, store: &Store, range: [u64; 2]) -> Result<(), LabError> {
        let (_, all) = self.window_start(store, range[1])?;
        let (window, held, plan) = (&mut self.window, &mut self.held, self.plan);
        window.resize(plan.learning.window(all));
        store.each_self_play(&self.state.part.group, range, &mut |row| {
            let game = TrainingGame::from_bytes(&row.game).map_err(LabError::failed)?;
            if plan.learning.is_held_out(row.number) {
                held.push_back((row.number, game));
            } else {
                window.push(&game);
            }
            Ok(())
        })
    }

    /// Plays what is missing of the games of an iteration; false if it was stopped.
    fn play_games(&mut self, iteration: u64, session: &mut Session<'_>) -> Result<bool, LabError> {
        let (begun, range) = (Instant::now(), self.plan.games_of(iteration));
        loop {
            let is_whole = self.play_missing(iteration, range, session)?;
            let voided = self.void_games(session)?;
            if !is_whole {
                return Ok(false);
            }
            if voided == 0 {
                break;
            }
        }
        self.take_games(session.store, range)?;
        self.play_seconds = begun.elapsed().as_secs_f64();
        Ok(true)
    }

    /// The number of games that iterations have learnt from, those that are learned again included.
    fn learnt_games(&self) -> u64 {
        (self.state.done() + self.recorded.len() as u64) * self.plan.games
    }

    /// Declares void the games of workers that are wrong from which nothing was learnt; gives their
    /// number. An earlier run may have been interrupted before it could.
    ///
    /// # Errors
    /// If iterations have learnt from games of such a worker.
    fn void_games(&self, session: &mut Session<'_>) -> Result<u64, LabError> {
        if let Some(cluster) = &session.options.cluster {
            session.voided += void_convicted(&**cluster, session.store, session.watch)?;
        }
        let (mut all, first) = (0, self.learnt_games());
        for (worker, why) in session.store.wrong_workers()? {
            let voided = session.store.void_self_play(&worker, &why, &self.state.part.group, first)?;
            tell_voided(&worker, voided, session.watch);
            all += voided;
        }
        self.check_workers(session)?;
        Ok(all)
    }

    /// Makes sure that nothing was learnt from games of a worker that is wrong, unless that is
    /// allowed.
    fn check_workers(&self, session: &Session<'_>) -> Result<(), LabError> {
        let (store, end) = (&session.store, self.learnt_games());
        for (worker, why) in store.wrong_workers()? {
            let games = store.self_play_of_worker(&worker, &self.state.part.group)?;
            let first = games.into_iter().map(|game| game as u64).filter(|&game| game < end).min();
            if let Some(game) = first.filter(|_| !session.options.changed) {
                let iteration = game / self.plan.games;
                return Err(WrongWorkerError::Learnt { worker, why, iteration }.into());
            }
        }
        Ok(())
    }

    /// Plays the missing games of an iteration; false if it was stopped.
    fn play_missing(
        &self,
        iteration: u64,
        range: [u64; 2],
        session: &mut Session<'_>,
    ) -> Result<bool, LabError> {
        let (plan, group) = (self.plan, &self.state.part.group);
        let mut played = HashSet::new();
        session.store.each_self_play(group, range, &mut |row| {
            played.insert(row.number);
            Ok(())
        })?;
        let missing: Vec<u64> = (range[0]..range[1]).filter(|number| !played.contains(number)).collect();
        if missing.is_empty() {
            return Ok(true);
        }
        self.begun("self-play", iteration, missing.len() as u64, session);
        let game = &*self.game;
        let trainer = self.networks.load(iteration, plan.learning.sgd())?;
        let networks = game.ready(trainer.network());
        let seed = Rng::derive(plan.seed_of_games(), iteration);
        let (labels, stop, version) = (&self.teacher, session.stop, &session.options.version);
        if let Some(labels) = labels {
            labels.note(session.store)?;
        }
        type Worker = (Box<dyn SelfPlayer>, Option<Box<dyn Teacher>>);
        let work = |state: &mut Option<Worker>, numbers: &mut dyn Iterator<Item = &u64>| {
            let (player, teacher) = match state {
                Some(worker) => worker,
                None => {
                    let player = game.self_player(&networks, &plan.self_play);
                    let teacher = labels.as_ref().map(|labels| labels.teacher.clone());
                    state.insert((player.map_err(LabError::input)?, teacher))
                }
            };
            let begun = ThreadTime::now();
            let mut games = numbers.map(|&number| (number, Rng::derive(seed, number - range[0])));
            let Some(mut played) = player.play(&mut games, stop) else { return Ok(None) };
            if let Some(teacher) = teacher {
                played.game = teacher.label(played.game).map_err(LabError::failed)?;
            }
            Ok(Some(SelfPlayRow::of(played, begun.elapsed().as_secs_f64())))
        };
        let path = self.networks.path(iteration);
        let jobs = || SelfPlayJobs::new(plan, group, &path, version, [seed, range[0]]);
        let done = session.make(&missing, Duration::ZERO, work, jobs, |store, games, origin| {
            store.insert_self_plays(group, games, origin)
        })?;
        session.tell_end(false);
        Ok(done == missing.len() as u64)
    }

    fn begun(&self, name: &str, iteration: u64, total: u64, session: &mut Session<'_>) {
        let name = format!("{name} {iteration}");
        let (number, of) = (iteration as usize + 1, self.plan.iterations as usize);
        session.tell(Event::Started { name: &name, about: "", number, of, total });
    }

    /// Trains the network on the window and records the iteration; false if it was stopped.
    fn learn(&mut self, iteration: u64, session: &mut Session<'_>) -> Result<bool, LabError> {
        let plan = self.plan;
        let games = if plan.sgf.is_some() { 0 } else { (iteration + 1) * plan.games };
        let (first, positions) = match plan.sgf {
            Some(_) => (0, self.window.positions()),
            None => self.window_start(session.store, games)?,
        };
        let trainer = self.networks.load(iteration, plan.learning.sgd())?;
        let before = trainer.steps();
        let steps = match &plan.sgf {
            Some(sgf) => (iteration + 1) * sgf.steps,
            None => plan.learning.steps(positions),
        };
        self.begun("training", iteration, steps.saturating_sub(before), session);
        let begun = ProcessTime::now();
        let goal = plan.goal();
        let seed = plan.seed_of_batches();
        let mut learner = Learner::new(&*self.game, trainer, &self.window, goal, &plan.learning, seed);
        let watch = &mut *session.watch;
        let mut shown = Instant::now();
        let losses = learner
            .train(steps, session.stop, &mut |step, _| {
                if shown.elapsed().as_millis() > 200 {
                    shown = Instant::now();
                    watch(Event::Done(step));
                }
            })
            .map_err(LabError::failed)?;
        if session.is_stopped() {
            session.tell_end(false);
            return Ok(false);
        }
        let seconds = begun.elapsed().as_secs_f64() / plan.learning.threads as f64;
        let trainer = learner.trainer;
        while self.held.front().is_some_and(|(number, _)| *number < first) {
            self.held.pop_front();
        }
        let held = self.held.iter().rev().map(|(_, game)| game);
        let measures = Measures::of(&*self.game, trainer.network(), &goal, held, HELD);
        let measures = measures.map_err(LabError::failed)?;
        let unknown = Losses::default().of(|_| f64::NAN);
        let losses = losses.unwrap_or(unknown);
        let known = |x: f64| if measures.positions > 0 { x } else { f64::NAN };
        let figures = Figures {
            steps: trainer.steps() as f64,
            positions: positions as f64,
            rate: plan.learning.rate.rate(trainer.steps().saturating_sub(1)).into(),
            policy: losses.policy,
            value: losses.value,
            held: measures.positions as f64,
            held_policy: known(measures.policy),
            held_value: known(measures.value),
            top1: known(measures.top1),
            entropy: known(measures.entropy),
            target_entropy: known(measures.target_entropy),
            seconds,
            threads: plan.learning.threads as f64,
        };
        if measures.positions > 1 && measures.value_range == 0.0 {
            session.tell(Event::Note(DEAD));
        }
        self.networks.save(iteration + 1, games, &trainer)?;
        let recorded = self.recorded.pop_front();
        if recorded.is_none() {
            session.store.insert_trials(&self.state.part.group, &[(iteration, figures.to_list())])?;
        }
        self.state.iterations.push(recorded.unwrap_or(figures));
        self.networks.sweep(plan, iteration + 1);
        // The iteration could be made again from the checkpoint before it.
        let (spare, _) = self.window_start(session.store, iteration * plan.games)?;
        session.store.prune_self_play(&self.state.part.group, spare)?;
        self.measure(iteration + 1);
        self.tell_iteration(iteration, &figures, trainer.steps() - before, session)?;
        Ok(true)
    }

    /// Says what an iteration came to, and that it ended.
    fn tell_iteration(
        &self,
        iteration: u64,
        figures: &Figures,
        steps: u64,
        session: &mut Session<'_>,
    ) -> Result<(), LabError> {
        let mut parts = Vec::new();
        if self.plan.sgf.is_none() {
            let range = self.plan.games_of(iteration);
            let totals = session.store.self_play_totals(&self.state.part.group, range)?;
            let (games, seconds) = (totals.games as f64, self.play_seconds);
            parts.push(format!(
                "{games} games in {seconds:.0} s, {:.1} moves, Black {:.3}, {:.0} positions/s and thread",
                totals.moves as f64 / games,
                totals.black / games,
                totals.moves as f64 / totals.seconds,
            ));
        }
        parts.extend(learnt(figures, steps * self.plan.learning.batch as u64));
        let line = format!("iteration {iteration}: {}", parts.join("; "));
        session.tell(Event::Note(&line));
        session.tell_end(false);
        Ok(())
    }
}

/// The words about an iteration that trained on `trained` positions, without figures that were not
/// measured.
fn learnt(figures: &Figures, trained: u64) -> Vec<String> {
    let mut parts = Vec::new();
    if trained > 0 {
        parts.push(format!(
            "trained on {:.0} positions/s: policy {:.3} value {:.3}",
            trained as f64 / figures.seconds,
            figures.policy,
            figures.value
        ));
    }
    if figures.held > 0.0 {
        parts.push(format!(
            "held out: policy {:.3} value {:.3} top-1 {:.3} entropy {:.2}",
            figures.held_policy, figures.held_value, figures.top1, figures.entropy
        ));
    }
    parts
}

faults! {
    /// Why a training does not go on.
    WrongWorkerError {
        Learnt { worker: String, why: String, iteration: u64 } =>
            "worker {worker} is wrong ({why}), and iteration {iteration} has learnt from its games; accepted: another directory with --out, \
             or the same command with --allow-changes, which keeps what was learnt",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_what_was_not_measured() {
        let nothing = [f64::NAN; Figures::COLUMNS.len()];
        let mut figures = Figures::of_list(&nothing).unwrap();
        figures.held = 0.0;
        assert_eq!(learnt(&figures, 0), [""; 0]);
        (figures.seconds, figures.policy, figures.value) = (2.0, 3.0, 0.5);
        assert_eq!(learnt(&figures, 64), ["trained on 32 positions/s: policy 3.000 value 0.500"]);
        (figures.held, figures.held_policy) = (1.0, 4.0);
        assert!(learnt(&figures, 64)[1].starts_with("held out: policy 4.000"));
    }
}
