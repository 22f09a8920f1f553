//! Plays races.

use super::course::{Course, Next};
use super::draw::draw;
use super::plan::Racing;
use crate::LabError;
use crate::experiment::{ExperimentOptions, ExperimentProgress, play_one};
use crate::matches::{Match, Pass};
use crate::store::{Agenda, Store};
use tesuji::Stop;

/// What a record asks for: the games of the corpus, of the arms so far, and of what was accepted.
pub(crate) fn agenda(plan: &Racing, store: &Store) -> Result<Agenda, LabError> {
    let course = Course::read(plan, store)?;
    let corpus = course.corpus()?;
    let arms = course.rounds.iter().flat_map(|round| &round.arms).map(|arm| &arm.duel);
    let planned = |m: &Match| m.planned().clone();
    let asked = store.matches()?;
    let is_asked = |m: &&Match| asked.iter().any(|planned| planned.name == m.planned().name);
    let matches = corpus.iter().chain(arms).chain(&course.fresh).filter(is_asked).map(planned).collect();
    Ok(Agenda { matches, ..Agenda::default() })
}

/// Plays what is missing of the races, then of the fresh games. Tells `ended` after each batch. Gives how many games failed.
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
    let mut course = Course::read(plan, store)?;
    if options.games == Some(0) {
        return Ok(0);
    }
    let pass =
        |games| Pass { games, threads: options.threads, files: None, version: options.version.clone() };
    let mut begun = 0;
    while !stop.is_stopped() {
        match course.advance(store)? {
            Next::Draw(race) => {
                let Some(corpus) = course.corpus()? else { return Ok(0) };
                let planned = corpus.planned();
                store.append_match(planned)?;
                if store.played(&planned.matchup, planned.games)? < planned.games {
                    let about = "positions in which patterns are tried";
                    let place = (race as usize, plan.rounds() as usize);
                    let failed =
                        play_one(&corpus, about, place, store, &pass(planned.games), stop, watch)?.failed;
                    if failed > 0 || stop.is_stopped() {
                        return Ok(failed);
                    }
                }
                if let Some(drawn) = draw(&course, race, &corpus, store, stop)? {
                    course.draw(store, race, drawn)?;
                }
            }
            Next::Play { arm, games } => {
                let Some(round) = course.rounds.last() else { return Ok(0) };
                let (number, contestant) = (round.number, &round.arms[arm]);
                if begun < number {
                    begun = number;
                    let total = plan.race.most.map_or(0, |most| most * round.arms.len() as u64);
                    let about = format!("{} arms against {}", round.arms.len(), contestant.duel.planned().b);
                    let (number, of) = (number as usize, plan.rounds() as usize);
                    watch(ExperimentProgress::Begun { name: "race", about: &about, number, of, total });
                }
                store.append_match(contestant.duel.planned())?;
                let before = course.games_of_race();
                let mut played = 0;
                let report = contestant.duel.play(store, &pass(games), stop, &mut |state| {
                    played += 1;
                    if let Some(note) = state.note {
                        watch(ExperimentProgress::Note(&format!("{}: {note}", contestant.name)));
                    }
                    watch(ExperimentProgress::Done(before + played));
                })?;
                if report.failed > 0 {
                    return Ok(report.failed);
                }
                if stop.is_stopped() {
                    break;
                }
                let (name, change) = (contestant.name.clone(), contestant.change.clone());
                course.advance(store)?;
                let race = &course.rounds[number as usize - 1].race;
                let state = &race.arms()[arm];
                watch(ExperimentProgress::Note(&format!(
                    "race {number}, {name} ({change}): {:.4} of {} games, within [{:.4}, {:.4}]: {}",
                    state.rewards.mean(),
                    state.rewards.count,
                    state.lower,
                    state.upper,
                    state.verdict,
                )));
                if race.winner().is_some() {
                    watch(ExperimentProgress::Ended);
                }
                ended(store)?;
            }
            Next::Fresh => break,
        }
    }
    let mut failed = 0;
    for (i, fresh) in course.fresh.iter().enumerate() {
        let planned = fresh.planned();
        store.append_match(planned)?;
        let games = options.games.map_or(planned.games, |games| games.min(planned.games));
        if store.played(&planned.matchup, games)? < games && !stop.is_stopped() {
            let about = format!("{} against {}", planned.a, planned.b);
            let place = (i + 1, course.fresh.len());
            failed += play_one(fresh, &about, place, store, &pass(games), stop, watch)?.failed;
            ended(store)?;
        }
    }
    Ok(failed)
}
