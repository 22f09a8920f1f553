//! Plays the evaluations of a tuning, and the matches of its recommendation.

use crate::error::LabError;
use crate::event::{Estimate, Event};
use crate::executor::{Ask, Executor, Threads, Told, TrialSource};
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::matches::Match;
use crate::runner::RunReport;
use crate::stats::z;
use crate::store::{Store, StoredPlan};
use crate::tune::faults::faults;
use crate::tune::plan::{Tuning, TuningError, checked, recorded};
use crate::tune::record::TuningRecord;
use crate::tune::state::TuningState;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

impl Kind for Tuning {
    fn kind(&self) -> &'static str {
        "tuning"
    }

    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        Ok(None)
    }

    /// Its evaluations, and the validations of what it recommends.
    fn stored_plan(&self, store: &Store) -> Result<StoredPlan, LabError> {
        self.check_agents()?;
        let record = TuningRecord::read(store)?;
        let mut matches = record.planned(self)?;
        if self.game.is_some() {
            for recommended in &record.recommended {
                let specs = self.validations(recommended.evaluations, &recommended.values)?;
                matches.extend(specs.iter().map(recorded).collect::<Result<Vec<_>, _>>()?);
            }
        }
        Ok(StoredPlan { matches, ..StoredPlan::default() })
    }

    fn make(&self, session: &mut Session<'_>) -> Result<(), LabError> {
        let mut state = TuningState::new(self, session.store)?;
        state.begin(session.store, session.options.changed)?;
        if self.game.is_none() {
            return Err(TuningError::NoGame.into());
        }
        if session.options.games == Some(0) {
            return Ok(());
        }
        loop {
            state.reopen(session.store)?;
            evaluate(&mut state, session)?;
            let complete = state.completions().len() as u64 >= self.evaluations;
            if session.is_stopped() || !complete {
                return Ok(());
            }
            let Some(best) = state.finalize(session.store)? else { return Ok(()) };
            let specs = self.validations(best.evaluations, &best.values)?;
            let validations: Vec<Match> = specs.iter().map(checked).collect::<Result<_, _>>()?;
            for (i, validation) in validations.iter().enumerate() {
                session.store.append_match(validation.planned())?;
                session.validate(validation, (i + 1, validations.len()))?;
            }
            if !session.take_voided() {
                return Ok(());
            }
        }
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.tables(store)
    }

    fn is_evaluation(&self, name: &str) -> bool {
        Tuning::is_evaluation(name)
    }

    fn faults(&self, store: &Store, _: &Path) -> Result<Vec<String>, LabError> {
        faults(self, store)
    }
}

/// What a worker tells.
enum Message {
    Games(u64, u64),
    Note(u64, String),
    Ended(u64, Result<RunReport, LabError>),
}

/// An evaluation to play, with a connection of its own to the record.
struct Evaluation {
    number: u64,
    played: Match,
    store: Store,
}

/// Keeps N evaluations under way, as the tuning says, until it has all of them.
fn evaluate(state: &mut TuningState, session: &mut Session<'_>) -> Result<(), LabError> {
    let Session { options, stop, .. } = *session;
    let (evaluations, parallel) = (state.tuning().evaluations, state.tuning().parallel);
    let missing = evaluations.saturating_sub(state.completions().len() as u64);
    if missing == 0 {
        return Ok(());
    }
    let total = evaluations * state.tuning().games;
    let (name, about) = ("evaluations", state.tuning().base.clone());
    session.tell(Event::Started { name, about: &about, number: 1, of: 2, total });
    let threads = (options.threads / parallel as usize).max(1);
    let waiting = state.pending().into();
    let mut source = Evaluations { state, session, waiting, running: BTreeMap::new(), fault: None };
    let play = |evaluations: &mut dyn Iterator<Item = Evaluation>, give: &dyn Fn(Message) -> bool| {
        for Evaluation { number, played, mut store } in evaluations {
            let limits = options.limits(played.planned().games, threads);
            // After a fault nobody listens.
            let ended = played.play(&mut store, &limits, stop, &mut |event| {
                let message = match event {
                    Event::Done(games) => Message::Games(number, games),
                    Event::Note(note) => Message::Note(number, note.to_owned()),
                    Event::Failed { why, .. } => Message::Note(number, format!("a game failed: {why}")),
                    _ => return,
                };
                let _ = give(message);
            });
            if !give(Message::Ended(number, ended)) {
                return;
            }
        }
    };
    Threads { threads: parallel.min(missing) as usize, work: &play }.execute(&mut source)?;
    let fault = source.fault.take();
    source.session.tell_end(fault.is_some());
    fault.map_or(Ok(()), Err)
}

/// The evaluations that are missing.
struct Evaluations<'a, 'b> {
    state: &'a mut TuningState,
    session: &'a mut Session<'b>,
    /// Suggestions of an earlier run without a value.
    waiting: VecDeque<u64>,
    /// Games played of each evaluation under way.
    running: BTreeMap<u64, u64>,
    fault: Option<LabError>,
}

impl TrialSource<Evaluation, Message> for Evaluations<'_, '_> {
    fn ask(&mut self, under_way: usize) -> Result<Ask<Evaluation>, LabError> {
        let (state, session) = (&mut *self.state, &mut *self.session);
        let (evaluations, parallel) = (state.tuning().evaluations, state.tuning().parallel);
        if under_way as u64 >= parallel || session.is_stopped() || self.fault.is_some() {
            return Ok(Ask::Wait);
        }
        let number = match self.waiting.pop_front() {
            Some(number) => number,
            None if (state.suggestions().len() as u64) < evaluations => state.ask(session.store)?.number,
            None => return Ok(Ask::Wait),
        };
        let values = &state.suggestions()[number as usize].values;
        let played = state.tuning().evaluation(number, values)?;
        session.store.append_match(played.planned())?;
        self.running.insert(number, 0);
        Ok(Ask::Run(Evaluation { number, played, store: session.store.reconnect()? }))
    }

    fn tell(&mut self, message: Message) -> Result<Told, LabError> {
        let has_ended = matches!(message, Message::Ended(..));
        match message {
            Message::Games(number, games) => drop(self.running.insert(number, games)),
            Message::Note(number, note) => self.session.tell(Event::Note(&format!("e{number}: {note}"))),
            Message::Ended(number, result) => self.end(number, result)?,
        }
        let complete = self.state.completions().len() as u64 * self.state.tuning().games;
        let done = complete + self.running.values().sum::<u64>();
        self.session.tell(Event::Done(done));
        Ok(if has_ended { Told::Ended } else { Told::GoesOn })
    }
}

impl Evaluations<'_, '_> {
    /// Records the value of an evaluation if all of its games are played.
    fn end(&mut self, number: u64, result: Result<RunReport, LabError>) -> Result<(), LabError> {
        let (state, session) = (&mut *self.state, &mut *self.session);
        self.running.remove(&number);
        let report = result.unwrap_or_else(|error| {
            self.fault = Some(error);
            RunReport::default()
        });
        session.failed += report.failed;
        if report.voided > 0 {
            self.waiting.extend(state.reopen(session.store)?);
        }
        let planned = state.planned[number as usize].clone();
        if session.store.played(&planned.matchup, planned.games)? == planned.games {
            state.played(session.store, number)?;
            if let Some(at) = state.observed.last() {
                let (mean, sd) = (at.mean, at.deviation());
                let (name, interval) =
                    (format!("e{number}"), [-1.0, 1.0].map(|side| mean + side * z(0.95) * sd));
                session.tell(Event::Moved(Estimate { name: &name, value: mean, interval, counts: None }));
                let line = format!("e{number}: {}: {mean:.3} +- {sd:.3}", planned.a);
                session.tell(Event::Note(&line));
            }
            session.end_step()?;
        } else if report.failed == 0 && report.played > 0 {
            // Another evaluation has found that a worker of this one is wrong.
            self.waiting.push_back(number);
        } else if self.fault.is_none() && !session.is_stopped() {
            let why = "some of its games failed; the same command plays them again";
            self.fault = Some(LabError::Failed(format!("evaluation {number}: {why}")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::run::ExperimentOptions;
    use crate::experiment::{Experiment, run_experiment};
    use crate::store::{Description, GameRow};
    use crate::tune::record::{Completion, Suggestion};
    use std::fs;
    use tesuji::Stop;
    use tesuji_tune::Value;

    /// An engine that notes each of its starts in the file `starts` beside it.
    const ENGINE: &str = r#"#!/bin/sh
echo start >> "$(dirname "$0")/starts"
while read -r number command; do
    printf '=%s 2\n\n' "$number"
done
"#;

    /// Records N evaluations of a tuning as a run would have.
    fn record(tuning: &Tuning, file: &str, dir: &Path, count: u64) {
        let mut store = Store::open(dir).unwrap();
        let description = Description {
            kind: "tuning".to_owned(),
            name: "t".to_owned(),
            about: String::new(),
            file: file.to_owned(),
            version: "test".to_owned(),
        };
        store.begin(&description, &StoredPlan::default(), false).unwrap();
        TuningRecord::note(&store, "parameters", &tuning.parameter).unwrap();
        for number in 0..count {
            let values = vec![Value::Number((618 * number % 1000) as f64 / 1e3)];
            let planned = tuning.evaluation_records([(number, &values[..])]).unwrap().remove(0);
            store.append_match(&planned).unwrap();
            let suggestion = Suggestion { number, values, pending: Vec::new() };
            TuningRecord::note(&store, "suggestion", &suggestion).unwrap();
            for game in 0..planned.games {
                let (opening, a_first) = (game / 2, game % 2 == 0);
                let score_a = f64::from(u8::from((number + game).is_multiple_of(3)));
                let row = GameRow { score_a, ..GameRow::resigned(&planned.matchup, opening, a_first) };
                store.insert(&planned.matchup, opening, 0, &row).unwrap();
            }
            TuningRecord::note(&store, "completion", &Completion { number, told: None }).unwrap();
        }
    }

    #[test]
    fn four_hundred_observations_are_taken_up_without_building_a_bot() {
        let dir = tempfile::tempdir().unwrap();
        let (engine, starts) = (dir.path().join("engine"), dir.path().join("starts"));
        fs::write(&engine, ENGINE).unwrap();
        let text = format!(
            "kind = \"tuning\"\nname = \"t\"\ngame = \"hex:3\"\nbase = \"gtp:sh {} {{x}}\"\nevaluations = 447\n\
             games = 2\nvalidation = []\n[[parameter]]\nname = \"x\"\nkind = \"real\"\nlow = 0\nhigh = 1\ndefault = 0.5\n",
            engine.display()
        );
        let experiment = Experiment::parse("t.toml", &text).unwrap();
        let tuning = experiment.plan_as::<Tuning>().unwrap();
        record(tuning, &text, &dir.path().join("t"), 447);
        assert!(!starts.exists(), "identities are pure data");
        let options = ExperimentOptions {
            out: dir.path().to_owned(),
            results: dir.path().to_owned(),
            games: Some(0),
            only: Vec::new(),
            threads: 1,
            cluster: None,
            changed: false,
            version: "test".to_owned(),
        };
        let report = run_experiment(&experiment, &options, &Stop::default(), &mut |_| ()).unwrap();
        assert_eq!(report.results.table("evaluations").unwrap().numbers("games"), [2.0; 447]);
        // Both agents of the first evaluation, to see that they can play.
        assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 2);
    }
}
