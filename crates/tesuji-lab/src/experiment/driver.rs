//! The driver of all experiments: it asks for steps, does them, stores and tells what came out.

use crate::error::LabError;
use crate::event::Event;
use crate::executor::{Ask, Executor, Threads, Told, TrialSource};
use crate::experiment::session::Session;
use crate::experiment::steps::{NextStep, Played, Steps};
use crate::matches::Match;
use crate::runner::RunReport;
use crate::store::Store;

/// Does all steps.
///
/// # Errors
/// The first error of a step, after which none is begun.
pub(super) fn drive(steps: &mut dyn Steps, session: &mut Session<'_>) -> Result<(), LabError> {
    let Session { options, stop, .. } = *session;
    let width = steps.width();
    let mut driver = Driver { steps, session };
    let Some(width) = width else { return driver.ask(0).map(drop) };
    let threads = (options.threads / width).max(1);
    let work = |parts: &mut dyn Iterator<Item = Part>, give: &dyn Fn(Message) -> bool| {
        for (played, games, label, mut store) in parts {
            let name = &played.planned().name;
            let result = played.play(&mut store, &options.limits(games, threads), stop, &mut |event| {
                let heard = match event {
                    Event::Done(games) => Heard::Done(games),
                    Event::Note(note) => Heard::Note(format!("{label}: {note}")),
                    Event::Failed { why, .. } => Heard::Note(format!("{label}: a game failed: {why}")),
                    _ => return,
                };
                // After a failure nobody listens.
                let _ = give((name.clone(), heard));
            });
            if !give((name.clone(), Heard::Ended(result))) {
                return;
            }
        }
    };
    Threads { threads: width, work: &work }.execute(&mut driver)
}

struct Driver<'a, 'b> {
    steps: &'a mut dyn Steps,
    session: &'a mut Session<'b>,
}

/// A match to play beside others, up to N games; its label, and a connection of its own.
type Part = (Match, u64, String, Store);

/// The name of a match, and what its thread tells of it.
type Message = (String, Heard);

enum Heard {
    Done(u64),
    Note(String),
    Ended(Played),
}

impl TrialSource<Part, Message> for Driver<'_, '_> {
    /// Does steps here until there is a part for a thread.
    fn ask(&mut self, under_way: usize) -> Result<Ask<Part>, LabError> {
        let width = self.steps.width();
        while under_way < width.unwrap_or(1) {
            self.reopen()?;
            match self.steps.ask(self.session)? {
                NextStep::Play { played, games, about, place } => {
                    let result = self.play(&played, games, &about, place);
                    self.end(&played.planned().name, result)?;
                }
                NextStep::Part { played, games, label } => {
                    self.session.store.append_match(played.planned())?;
                    if width.is_some() {
                        let store = self.session.store.reconnect()?;
                        return Ok(Ask::Run((played, games, label, store)));
                    }
                    let result = self.play_part(&played, games, &label);
                    self.end(&played.planned().name, result)?;
                }
                NextStep::Make { trial, place } => self.session.make_trials(trial, place)?,
                NextStep::Worked => self.session.end_step()?,
                NextStep::Done => break,
            }
        }
        Ok(Ask::Wait)
    }

    fn tell(&mut self, (name, heard): Message) -> Result<Told, LabError> {
        match heard {
            Heard::Done(games) => self.session.tell(Event::Done(self.steps.done(&name, games))),
            Heard::Note(note) => self.session.tell(Event::Note(&note)),
            Heard::Ended(played) => {
                self.end(&name, played)?;
                return Ok(Told::Ended);
            }
        }
        Ok(Told::GoesOn)
    }
}

impl Driver<'_, '_> {
    /// Plays what is missing of a match up to N games.
    fn play(&mut self, m: &Match, games: u64, about: &str, place: (usize, usize)) -> Played {
        let Session { store, options, stop, watch, .. } = &mut *self.session;
        if stop.is_stopped() {
            return Ok(RunReport::default());
        }
        // Its games may be there though the plan does not have it.
        store.append_match(m.planned())?;
        if store.missing(m.planned(), games)? == 0 {
            return Ok(RunReport::default());
        }
        m.play_step(about, place, store, &options.limits(games, options.threads), stop, watch)
    }

    /// Plays a part on all threads.
    fn play_part(&mut self, played: &Match, games: u64, label: &str) -> Played {
        let Session { store, options, stop, watch, .. } = &mut *self.session;
        let (steps, name) = (&mut *self.steps, &played.planned().name);
        let limits = options.limits(games, options.threads);
        played.play(store, &limits, stop, &mut |event| match event {
            Event::Note(note) => watch(Event::Note(&format!("{label}: {note}"))),
            Event::Done(games) => watch(Event::Done(steps.done(name, games))),
            Event::Game { .. } | Event::Failed { .. } => watch(event),
            _ => {}
        })
    }

    /// Tells how a match went.
    fn end(&mut self, name: &str, played: Played) -> Result<(), LabError> {
        let report = played.as_ref().copied().unwrap_or_default();
        self.session.failed += report.failed;
        self.session.voided += report.voided;
        self.reopen()?;
        self.steps.tell(self.session, name, played)?;
        if report == RunReport::default() { Ok(()) } else { self.session.end_step() }
    }

    /// Goes back if trials became void.
    fn reopen(&mut self) -> Result<(), LabError> {
        match std::mem::take(&mut self.session.voided) {
            0 => Ok(()),
            _ => self.steps.reopen(self.session),
        }
    }
}
