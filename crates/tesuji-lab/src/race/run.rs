//! Plays races.

use super::course::{Course, Next};
use super::draw::draw;
use super::plan::Racing;
use crate::LabError;
use crate::experiment::{ExperimentOptions, ExperimentProgress, play_one};
use crate::matches::{Match, Pass};
use crate::store::{Agenda, Store};
use tesuji::Stop;

/// What a record asks for so far: the games of the corpus, of the arms, and of what was accepted.
pub(crate) fn agenda(plan: &Racing, store: &Store) -> Result<Agenda, LabError> {
    let course = Course::read(plan, store)?;
    let (corpus, fresh) = (course.corpus()?, course.fresh()?);
    let arms = course.rounds.iter().flat_map(|round| &round.arms).map(|arm| &arm.duel);
    let planned = |m: &Match| m.planned().clone();
    let asked = store.matches()?;
    let is_asked = |m: &&Match| asked.iter().any(|planned| planned.name == m.planned().name);
    let matches = corpus.iter().chain(arms).chain(&fresh).filter(is_asked).map(planned).collect();
    Ok(Agenda { matches, ..Agenda::default() })
}

/// Plays what is missing of the races and, after each that accepted something, of its fresh games. Tells `ended` after each
/// batch. Gives how many games failed.
///
/// # Errors
/// If something is not possible, or the store fails.
pub(crate) fn play(
    plan: &Racing,
    store: &mut Store,
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(ExperimentProgress<'_>),
    ended: &mut dyn FnMut(&Store) -> Result<(), LabError>,
) -> Result<u64, LabError> {
    let course = Course::read(plan, store)?;
    if options.games == Some(0) {
        return Ok(0);
    }
    Play { course, store, options, stop, watch, ended, begun: 0, failed: 0 }.play()
}

struct Play<'a> {
    course: Course,
    store: &'a mut Store,
    options: &'a ExperimentOptions,
    stop: &'a Stop,
    watch: &'a mut dyn FnMut(ExperimentProgress<'_>),
    ended: &'a mut dyn FnMut(&Store) -> Result<(), LabError>,
    /// The last race that was told to have begun.
    begun: u64,
    failed: u64,
}

impl Play<'_> {
    fn play(mut self) -> Result<u64, LabError> {
        loop {
            let next = self.course.advance(self.store)?;
            self.fresh()?;
            match next {
                _ if self.stop.is_stopped() || self.failed > 0 => break,
                Next::Draw(race) => self.draw(race)?,
                Next::Play { arm, games } => self.batch(arm, games)?,
                Next::End => break,
            }
        }
        Ok(self.failed)
    }

    fn pass(&self, games: u64) -> Pass {
        let (threads, version) = (self.options.threads, self.options.version.clone());
        Pass { games, threads, files: None, version }
    }

    /// Plays what is missing of a match.
    fn complete(&mut self, m: &Match, about: &str, place: (usize, usize), most: u64) -> Result<(), LabError> {
        let planned = m.planned();
        let games = planned.games.min(most);
        if self.stop.is_stopped() || self.store.played(&planned.matchup, games)? >= games {
            return Ok(());
        }
        self.store.append_match(planned)?;
        let pass = self.pass(games);
        self.failed += play_one(m, about, place, self.store, &pass, self.stop, self.watch)?.failed;
        (self.ended)(self.store)
    }

    fn fresh(&mut self) -> Result<(), LabError> {
        let fresh = self.course.fresh()?;
        for (i, m) in fresh.iter().enumerate() {
            let about = format!("{} against {}", m.planned().a, m.planned().b);
            self.complete(m, &about, (i + 1, fresh.len()), self.options.games.unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    /// Draws the patterns of a race, from positions of the corpus.
    fn draw(&mut self, race: u64) -> Result<(), LabError> {
        let Some(corpus) = self.course.corpus()? else { return Ok(()) };
        self.complete(&corpus, "positions in which patterns are tried", (1, 1), u64::MAX)?;
        if self.failed > 0 || self.stop.is_stopped() {
            return Ok(());
        }
        match draw(&self.course, race, &corpus, self.store, self.stop)? {
            Some(drawn) => self.course.draw(self.store, race, drawn),
            None => Ok(()),
        }
    }

    /// Plays an arm of the last race up to so many games.
    fn batch(&mut self, arm: usize, games: u64) -> Result<(), LabError> {
        let Some(round) = self.course.rounds.last() else { return Ok(()) };
        let (number, contestant) = (round.number, &round.arms[arm]);
        if self.begun < number {
            self.begun = number;
            let plan = &self.course.plan;
            let total = plan.race.most.map_or(0, |most| most * round.arms.len() as u64);
            let about = format!("{} arms against {}", round.arms.len(), contestant.duel.planned().b);
            let (number, of) = (number as usize, plan.rounds() as usize);
            (self.watch)(ExperimentProgress::Begun { name: "race", about: &about, number, of, total });
        }
        self.store.append_match(contestant.duel.planned())?;
        let (pass, watch) = (self.pass(games), &mut *self.watch);
        let of_others = self.course.games_of_race() - round.race.arms()[arm].rewards.count;
        let report = contestant.duel.play(self.store, &pass, self.stop, &mut |state| {
            if let Some(note) = state.note {
                watch(ExperimentProgress::Note(&format!("{}: {note}", contestant.name)));
            }
            watch(ExperimentProgress::Done(of_others + state.counts.games()));
        })?;
        self.failed += report.failed;
        if report.failed > 0 || self.stop.is_stopped() {
            return Ok(());
        }
        let what = format!("race {number}, {} ({})", contestant.name, contestant.change);
        self.course.advance(self.store)?;
        let race = &self.course.rounds[number as usize - 1].race;
        let state = &race.arms()[arm];
        watch(ExperimentProgress::Note(&format!(
            "{what}: {:.4} of {} games, within [{:.4}, {:.4}]: {}",
            state.rewards.mean(),
            state.rewards.count,
            state.lower,
            state.upper,
            state.verdict,
        )));
        if race.winner().is_some() {
            watch(ExperimentProgress::Ended);
        }
        (self.ended)(self.store)
    }
}
