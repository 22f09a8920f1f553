//! Plays the evaluations of a tuning, and the matches of its recommendation.

use crate::error::LabError;
use crate::event::{Estimate, Event};
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::experiment::steps::{NextStep, Played, Steps};
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
            for (place, recommended) in record.recommended.iter().enumerate() {
                let round = (recommended.evaluations, record.earlier(place));
                let specs = self.validations(round, &recommended.values)?;
                matches.extend(specs.iter().map(recorded).collect::<Result<Vec<_>, _>>()?);
            }
        }
        Ok(StoredPlan { matches, ..StoredPlan::default() })
    }

    fn open<'a>(&'a self, session: &mut Session<'_>) -> Result<Option<Box<dyn Steps + 'a>>, LabError> {
        let mut state = TuningState::new(self, session.store)?;
        state.begin(session.store, session.options.changed)?;
        if session.options.games == Some(0) {
            return Ok(None);
        }
        if self.game.is_none() {
            return Err(TuningError::NoGame.into());
        }
        state.reopen(session.store)?;
        let (running, fault, validations) = (BTreeMap::new(), None, None);
        let is_evaluating = false;
        Ok(Some(Box::new(TuningSteps { tuning: self, state, running, is_evaluating, fault, validations })))
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.tables(store)
    }

    fn has_more(&self, store: &Store) -> Result<bool, LabError> {
        // Who computes the values elsewhere may end at any time.
        if self.game.is_none() {
            return Ok(false);
        }
        let record = TuningRecord::read(store)?;
        let evaluations = record.completions.len() as u64;
        let last = record.recommended.last().filter(|last| last.evaluations == evaluations);
        let Some(last) = last.filter(|_| evaluations >= self.evaluations) else { return Ok(true) };
        let round = (evaluations, record.earlier(record.recommended.len() - 1));
        let validations = self.validations(round, &last.values)?;
        store.lacks(validations.iter().map(|config| config.name.as_str()))
    }

    fn is_evaluation(&self, name: &str) -> bool {
        Tuning::is_evaluation(name)
    }

    fn faults(&self, store: &Store, _: &Path) -> Result<Vec<String>, LabError> {
        faults(self, store)
    }
}

/// Keeps N evaluations under way, as the tuning says, until it has all of them; then come the
/// validations of its recommendation.
struct TuningSteps<'a> {
    tuning: &'a Tuning,
    state: TuningState,
    /// Games played of each evaluation under way.
    running: BTreeMap<u64, u64>,
    /// Whether evaluations were told to have begun.
    is_evaluating: bool,
    fault: Option<LabError>,
    /// The matches of the recommendation that come next.
    validations: Option<VecDeque<NextStep<'static>>>,
}

impl Steps for TuningSteps<'_> {
    fn width(&self) -> Option<usize> {
        Some(self.tuning.parallel.min(self.tuning.evaluations) as usize)
    }

    fn ask(&mut self, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError> {
        let tuning = self.tuning;
        let is_complete = self.state.completions().len() as u64 >= tuning.evaluations;
        if !self.is_evaluating && !is_complete {
            self.is_evaluating = true;
            let (name, about, total) = ("evaluations", &tuning.base, tuning.evaluations * tuning.games);
            session.tell(Event::Started { name, about, number: 1, of: 2, total });
        }
        if self.is_evaluating {
            let goes_on = !session.is_stopped() && self.fault.is_none();
            if goes_on && let Some(number) = self.next_number(session)? {
                self.running.insert(number, 0);
                let m = tuning.evaluation(number, &self.state.suggestions()[number as usize].values)?;
                return Ok(NextStep::Part { played: m, games: tuning.games, label: format!("e{number}") });
            }
            if !self.running.is_empty() {
                return Ok(NextStep::Done);
            }
            self.is_evaluating = false;
            session.tell_end(self.fault.is_some());
        }
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if session.is_stopped() || !is_complete {
            return Ok(NextStep::Done);
        }
        if self.validations.is_none() {
            let Some(best) = self.state.finalize(session.store)? else { return Ok(NextStep::Done) };
            let record = &self.state.record;
            let round = (best.evaluations, record.earlier(record.recommended.len() - 1));
            let specs = tuning.validations(round, &best.values)?;
            let matches: Vec<Match> = specs.iter().map(checked).collect::<Result<_, _>>()?;
            self.validations = Some(NextStep::validations(matches, session).collect());
        }
        Ok(self.validations.as_mut().and_then(VecDeque::pop_front).unwrap_or(NextStep::Done))
    }

    fn done(&mut self, name: &str, games: u64) -> u64 {
        self.running.extend(Tuning::evaluation_number(name).map(|number| (number, games)));
        self.games()
    }

    /// Records the value of an evaluation if all of its games are played.
    fn tell(&mut self, session: &mut Session<'_>, name: &str, played: Played) -> Result<(), LabError> {
        let Some(number) = Tuning::evaluation_number(name) else { return played.map(drop) };
        self.running.remove(&number);
        let report = played.unwrap_or_else(|error| {
            self.fault = Some(error);
            RunReport::default()
        });
        let planned = self.state.planned[number as usize].clone();
        if session.store.played(&planned.matchup, planned.games)? == planned.games {
            self.state.played(session.store, number)?;
            if let Some(at) = self.state.observed.last() {
                let (value, sd) = (at.mean, at.deviation());
                let interval = [-1.0, 1.0].map(|side| value + side * z(0.95) * sd);
                session.tell(Event::Moved(Estimate { name, value, interval, counts: None }));
                session.tell(Event::Note(&format!("{name}: {}: {value:.3} +- {sd:.3}", planned.a)));
            }
        } else if report.failed == 0 && report.played > 0 {
            // Another evaluation has found that a worker of this one is wrong: it comes again.
        } else if self.fault.is_none() && !session.is_stopped() {
            let why = "some of its games failed; the same command plays them again";
            self.fault = Some(LabError::Failed(format!("evaluation {number}: {why}")));
        }
        session.tell(Event::Done(self.games()));
        Ok(())
    }

    /// Takes back evaluations that lack games.
    fn reopen(&mut self, session: &mut Session<'_>) -> Result<(), LabError> {
        self.validations = None;
        self.state.reopen(session.store)
    }
}

impl TuningSteps<'_> {
    /// The next evaluation, an earlier one or a new suggestion.
    fn next_number(&mut self, session: &Session<'_>) -> Result<Option<u64>, LabError> {
        let waiting = self.state.pending().into_iter().find(|number| !self.running.contains_key(number));
        if waiting.is_some() || self.state.suggestions().len() as u64 >= self.tuning.evaluations {
            return Ok(waiting);
        }
        self.state.ask(session.store).map(|suggestion| Some(suggestion.number))
    }

    /// The games of all evaluations so far.
    fn games(&self) -> u64 {
        let complete = self.state.completions().len() as u64 * self.tuning.games;
        complete + self.running.values().sum::<u64>()
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
        let lacks_recommendation = tuning.has_more(&Store::read(&dir.path().join("t")).unwrap());
        assert_eq!(lacks_recommendation, Ok(true));
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
