//! Plays the evaluations of a tuning, and the matches of what it recommends.

use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::run::{ExperimentOptions, ExperimentProgress};
use crate::experiment::session::Session;
use crate::matches::{Match, MatchProgress};
use crate::runner::RunReport;
use crate::store::{Agenda, Store};
use crate::tune::course::Course;
use crate::tune::faults::faults;
use crate::tune::plan::Tuning;
use crate::tune::record::Record;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use tesuji::Stop;

impl Kind for Tuning {
    fn kind(&self) -> &'static str {
        "tuning"
    }

    /// Its evaluations, and the validations of what it recommends.
    fn agenda(&self, store: &Store) -> Result<Agenda, LabError> {
        self.check_agents()?;
        let record = Record::read(store)?;
        let mut matches = record.planned(self)?;
        if self.game.is_some() {
            for recommended in &record.recommended {
                matches.extend(self.validation_records(recommended.evaluations, &recommended.values)?);
            }
        }
        Ok(Agenda { matches, ..Agenda::default() })
    }

    fn make(&self, session: &mut Session<'_>) -> Result<(), LabError> {
        let mut course = Course::new(self, session.store)?;
        course.begin(session.store, session.options.changed)?;
        if self.game.is_none() {
            return Err(LabError::Input(
                "the tuning names no game, so another program computes its values: see --ask and --tell"
                    .to_owned(),
            ));
        }
        if session.options.games == Some(0) {
            return Ok(());
        }
        evaluate(&mut course, session)?;
        let complete = course.completions().len() as u64 >= self.evaluations;
        if session.is_stopped() || !complete {
            return Ok(());
        }
        let Some(best) = course.settle(session.store)? else { return Ok(()) };
        let validations = self.validations(best.evaluations, &best.values)?;
        for (i, validation) in validations.iter().enumerate() {
            session.store.append_match(validation.planned())?;
            session.validate(validation, (i + 1, validations.len()))?;
        }
        Ok(())
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
    Game(u64, MatchProgress),
    Ended(u64, Result<RunReport, LabError>),
}

/// Keeps so many evaluations under way as the tuning says, until it has all of them.
fn evaluate(course: &mut Course, session: &mut Session<'_>) -> Result<(), LabError> {
    let Session { options, stop, .. } = *session;
    let tuning = course.tuning().clone();
    let total = tuning.evaluations * tuning.games;
    let before = course.completions().len() as u64;
    if before >= tuning.evaluations {
        return Ok(());
    }
    let (name, about) = ("evaluations", tuning.base.as_str());
    session.tell(ExperimentProgress::Begun { name, about, number: 1, of: 2, total });
    let mut waiting: VecDeque<u64> = course.pending().into();
    let mut running: BTreeMap<u64, u64> = BTreeMap::new();
    let mut fault = None;
    let threads = (options.threads / tuning.parallel as usize).max(1);
    let (send, receive) = channel::<Message>();
    std::thread::scope(|scope| -> Result<(), LabError> {
        loop {
            while (running.len() as u64) < tuning.parallel && !stop.is_stopped() && fault.is_none() {
                let number = match waiting.pop_front() {
                    Some(number) => number,
                    None if (course.suggestions().len() as u64) < tuning.evaluations => {
                        course.ask(session.store)?.number
                    }
                    None => break,
                };
                let values = &course.suggestions()[number as usize].values;
                let evaluation = tuning.evaluation(number, values)?;
                session.store.append_match(evaluation.planned())?;
                let (own, send) = (session.store.again()?, send.clone());
                running.insert(number, 0);
                scope.spawn(move || work(number, &evaluation, own, options, threads, stop, &send));
            }
            if running.is_empty() {
                return Ok(());
            }
            let Ok(message) = receive.recv() else { return Ok(()) };
            match message {
                Message::Game(number, state) => {
                    running.insert(number, state.played);
                    if let Some(note) = state.note {
                        session.tell(ExperimentProgress::Note(&format!("e{number}: {note}")));
                    }
                }
                Message::Ended(number, result) => {
                    running.remove(&number);
                    match result {
                        Ok(report) => session.failed += report.failed,
                        Err(error) => fault = Some(error),
                    }
                    let planned = course.planned[number as usize].clone();
                    if session.store.played(&planned.matchup, planned.games)? == planned.games {
                        course.played(session.store, number)?;
                        if let Some(at) = course.observed.last() {
                            let (mean, sd) = (at.mean, at.deviation());
                            let line = format!("e{number}: {}: {mean:.3} +- {sd:.3}", planned.a);
                            session.tell(ExperimentProgress::Note(&line));
                        }
                        session.end_step()?;
                    } else if fault.is_none() && !stop.is_stopped() {
                        let why = "some of its games failed; the same command plays them again";
                        fault = Some(LabError::Failed(format!("evaluation {number}: {why}")));
                    }
                }
            }
            let done = course.completions().len() as u64 * tuning.games + running.values().sum::<u64>();
            session.tell(ExperimentProgress::Done(done));
        }
    })?;
    session.tell(ExperimentProgress::Ended);
    fault.map_or(Ok(()), Err)
}

fn work(
    number: u64,
    evaluation: &Match,
    mut store: Store,
    options: &ExperimentOptions,
    threads: usize,
    stop: &Stop,
    send: &Sender<Message>,
) {
    let pass = options.pass(evaluation.planned().games, threads);
    // Whoever listened no longer does after a fault: then nobody has to be told.
    let result = evaluation.play(&mut store, &pass, stop, &mut |state| {
        let _ = send.send(Message::Game(number, state));
    });
    let _ = send.send(Message::Ended(number, result));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Experiment, Plan, run_experiment};
    use crate::store::{Description, Ending, GameRow};
    use crate::tune::record::{Completion, Suggestion};
    use std::fs;
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
        store.begin(&description, &Agenda::default(), false).unwrap();
        Record::note(&store, "parameters", &tuning.parameter).unwrap();
        for number in 0..count {
            let values = vec![Value::Number((618 * number % 1000) as f64 / 1e3)];
            let planned = tuning.evaluation_records([(number, &values[..])]).unwrap().remove(0);
            store.append_match(&planned).unwrap();
            let suggestion = Suggestion { number, values, pending: Vec::new() };
            Record::note(&store, "suggestion", &suggestion).unwrap();
            for game in 0..planned.games {
                let (opening, a_first) = (game / 2, game % 2 == 0);
                let row = GameRow {
                    id: planned.matchup.game_id(opening, 0, a_first),
                    a_first,
                    seed: game,
                    opening: Vec::new(),
                    moves: vec!["a1".to_owned()],
                    a_value: f64::from(u8::from((number + game).is_multiple_of(3))),
                    result: "B+R".to_owned(),
                    ending: Ending::Resign,
                    detail: None,
                    dispute: None,
                    dispute_value: None,
                    seconds: 0.1,
                    searches: Vec::new(),
                };
                store.insert(&planned.matchup, opening, 0, &row).unwrap();
            }
            Record::note(&store, "completion", &Completion { number, told: None }).unwrap();
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
        let Plan::Tuning(tuning) = &experiment.plan else { panic!() };
        record(tuning, &text, &dir.path().join("t"), 447);
        assert!(!starts.exists(), "identities are pure data");
        let options = ExperimentOptions {
            out: dir.path().to_owned(),
            results: dir.path().to_owned(),
            games: Some(0),
            only: Vec::new(),
            threads: 1,
            changed: false,
            version: "test".to_owned(),
        };
        let report = run_experiment(&experiment, &options, &Stop::default(), &mut |_| ()).unwrap();
        assert_eq!(report.results.table("evaluations").unwrap().numbers("games"), [2.0; 447]);
        // Both agents of the first evaluation, to see that they can play.
        assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 2);
    }
}
