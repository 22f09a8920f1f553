//! Asking and telling, with a record.

use super::incumbents::{Incumbents, incumbents};
use super::observation::observation;
use super::plan::Tuning;
use super::recommendation::Recommendation;
use super::record::{Completion, Recommended, Suggestion, TuningRecord, is_value};
use crate::error::{LabError, faults};
use crate::experiment::kind::Kind;
use crate::store::{PlannedMatch, Store, damaged};
use tesuji_tune::{Normal, Optimizer, Pending, Space, Value, win_rate};

/// The state of a tuning: suggestions, their results, and the next suggestion.
///
/// A suggestion depends on the seed, on the completed ones in the order of their completion and on
/// those under way, and on nothing else. A tuning that is resumed from its record goes on as if it
/// had not been stopped.
///
/// ```
/// use tesuji_lab::store::Store;
/// use tesuji_lab::{Experiment, Tuning, TuningState};
/// use tesuji_tune::Value;
///
/// let text = r#"
///     kind = "tuning"
///     name = "valley"
///     evaluations = 12
///     [[parameter]]
///     name = "x"
///     kind = "real"
///     low = -1.0
///     high = 1.0
///     default = 0.9
/// "#;
/// let experiment = Experiment::parse("valley.toml", text)?;
/// let tuning: &Tuning = experiment.plan_as().expect("its kind says so");
/// let store = Store::in_memory()?;
/// let mut state = TuningState::new(tuning, &store)?;
/// for _ in 0..12 {
///     let suggestion = state.ask(&store)?;
///     let Value::Number(x) = suggestion.values[0] else { unreachable!() };
///     state.tell(&store, suggestion.number, -(x - 0.3).powi(2), 1e-6)?;
/// }
/// let best = state.recommend()?.expect("something was told");
/// assert!((best.mean - 0.0).abs() < 0.01);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TuningState {
    tuning: Tuning,
    space: Space,
    optimizer: Optimizer,
    pub(super) record: TuningRecord,
    /// Of each suggestion the match as a store keeps it; none without a game.
    pub(super) planned: Vec<PlannedMatch>,
    /// Of each completion.
    pub(super) observed: Vec<Normal>,
}

impl TuningState {
    /// Resumes a tuning where its record ends.
    ///
    /// # Errors
    /// If the tuning is not possible, the record is one of other parameters, or the store fails.
    pub fn new(tuning: &Tuning, store: &Store) -> Result<TuningState, LabError> {
        tuning.check()?;
        let space = tuning.space()?;
        let optimizer = Optimizer::within(space.region(), tuning.settings()?, tuning.seed);
        let record = TuningRecord::read(store)?;
        let completions = record.completions.clone();
        let mut state = TuningState {
            tuning: tuning.clone(),
            space,
            optimizer,
            planned: record.planned(tuning)?,
            record: TuningRecord { completions: Vec::new(), ..record },
            observed: Vec::new(),
        };
        for suggestion in &state.record.suggestions {
            state.space.point(&suggestion.values).map_err(|error| {
                let (number, fault) = (suggestion.number, error.to_string());
                LabError::from(SuggestionError::Impossible { number, fault })
            })?;
        }
        completions.into_iter().try_for_each(|done| state.take(store, done))?;
        Ok(state)
    }

    /// Checks that the record has these parameters, unless `accept` allows others; earlier
    /// evaluations then still count. Records the parameters.
    ///
    /// # Errors
    /// If it has others, or the store fails.
    pub fn begin(&mut self, store: &Store, accept: bool) -> Result<(), LabError> {
        let (here, there) = (&self.tuning.parameter, &self.record.parameters);
        if there.as_ref() == Some(here) {
            return Ok(());
        }
        if there.is_some() && !accept {
            return Err(SuggestionError::OtherParameters.into());
        }
        TuningRecord::note(store, "parameters", here)?;
        self.record.parameters = Some(here.clone());
        Ok(())
    }

    /// Takes back the completions whose games are void, in part or all, and what follows from them
    /// in the plan. Suggestions stay: whatever led to them, they are values that can be evaluated.
    ///
    /// # Errors
    /// If the store fails.
    pub(super) fn reopen(&mut self, store: &mut Store) -> Result<(), LabError> {
        let mut open = Vec::new();
        for done in self.completions().iter().filter(|done| done.told.is_none()) {
            if let Some(planned) = self.planned.get(done.number as usize)
                && store.missing(planned, planned.games)? > 0
            {
                open.push(done.number);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        TuningRecord::note_reopened(store, open)?;
        *self = TuningState::new(&self.tuning.clone(), store)?;
        store.replan(&self.tuning.stored_plan(store)?)
    }

    /// The parameters.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The suggestions so far, in order.
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.record.suggestions
    }

    /// The completed evaluations so far, in order.
    pub fn completions(&self) -> &[Completion] {
        &self.record.completions
    }

    /// The suggestions that are not completed, in order.
    pub fn pending(&self) -> Vec<u64> {
        self.record.pending()
    }

    /// The next suggestion, which is recorded. The first one has the defaults.
    ///
    /// # Errors
    /// If the store fails.
    pub fn ask(&mut self, store: &Store) -> Result<Suggestion, LabError> {
        let pending = self.pending();
        let number = self.record.suggestions.len() as u64;
        let values = if number == 0 {
            let defaults = self.tuning.defaults()?.into_iter().zip(&self.tuning.parameter);
            defaults.map(|(value, parameter)| parameter.domain.own(value)).collect()
        } else {
            let under_way = pending.iter().map(|&number| {
                let x = self.point(number)?;
                Ok(Pending { x, variance: self.noise() })
            });
            let under_way: Vec<Pending> = under_way.collect::<Result<_, LabError>>()?;
            let x = self.optimizer.ask(&under_way);
            self.space.values(&x)
        };
        let suggestion = Suggestion { number, values, pending };
        self.planned.extend(self.tuning.evaluation_records([(number, &suggestion.values[..])])?);
        TuningRecord::note(store, "suggestion", &suggestion)?;
        self.record.suggestions.push(suggestion.clone());
        Ok(suggestion)
    }

    /// The variance of the noise of an evaluation that is under way, as far as it is known.
    fn noise(&self) -> f64 {
        if self.tuning.game.is_some() {
            return 0.25 / (self.tuning.games as f64 + 1.0);
        }
        let n = self.observed.len().max(1) as f64;
        self.observed.iter().map(|at| at.variance).sum::<f64>() / n
    }

    /// The point of a suggestion.
    fn point(&self, number: u64) -> Result<Vec<f64>, LabError> {
        let suggestion = self.record.suggestions.get(number as usize).ok_or_else(|| {
            let count = self.record.suggestions.len();
            SuggestionError::Unknown { number, count }
        })?;
        self.space.point(&suggestion.values).map_err(LabError::input)
    }

    /// Records the value of a suggestion, and the variance of its noise as far as it is known, at
    /// least 0.
    ///
    /// # Errors
    /// If there is no such suggestion, its value is known, or a number is out of its range.
    pub fn tell(&mut self, store: &Store, number: u64, value: f64, variance: f64) -> Result<(), LabError> {
        if !is_value([value, variance]) {
            return Err(SuggestionError::Value { value, variance }.into());
        }
        self.complete(store, Completion { number, told: Some([value, variance]) })
    }

    /// Records the win rate of a suggestion over games that another program played: the mean and
    /// variance of [`win_rate`], as of the tuning's own games.
    ///
    /// # Errors
    /// If there is no such suggestion, its value is known, the rate is not in [0, 1], or there is
    /// no game.
    pub fn tell_games(&mut self, store: &Store, number: u64, rate: f64, games: u64) -> Result<(), LabError> {
        if games == 0 || !(0.0..=1.0).contains(&rate) {
            return Err(SuggestionError::Rate { rate, games }.into());
        }
        let Normal { mean, variance } = win_rate(rate * games as f64, games as f64);
        self.tell(store, number, mean, variance)
    }

    /// Records that the games of a suggestion are played.
    pub(super) fn played(&mut self, store: &Store, number: u64) -> Result<(), LabError> {
        self.complete(store, Completion { number, told: None })
    }

    fn complete(&mut self, store: &Store, done: Completion) -> Result<(), LabError> {
        self.point(done.number)?;
        if !self.pending().contains(&done.number) {
            return Err(SuggestionError::Known { number: done.number }.into());
        }
        TuningRecord::note(store, "completion", &done)?;
        self.take(store, done)
    }

    /// Learns what is recorded.
    fn take(&mut self, store: &Store, done: Completion) -> Result<(), LabError> {
        let x = self.point(done.number)?;
        let at = match done.told {
            Some([mean, variance]) => Normal { mean, variance },
            None => {
                let no_game = || damaged(format_args!("evaluation {} has games, but no value", done.number));
                let planned = self.planned.get(done.number as usize).ok_or_else(no_game)?;
                observation(
                    &store.tally(&planned.matchup, planned.games, planned.disputed)?.independent_counts(),
                )
            }
        };
        self.optimizer.tell(x, at.mean, at.variance);
        self.observed.push(at);
        self.record.completions.push(done);
        Ok(())
    }

    /// The values with the highest posterior mean; none before anything was completed.
    ///
    /// # Errors
    /// None in practice.
    pub fn recommend(&mut self) -> Result<Option<Recommendation>, LabError> {
        let Some((x, _)) = self.optimizer.recommend() else { return Ok(None) };
        let values = self.space.values(&x);
        self.recommendation(values).map(Some)
    }

    /// What is expected of values, beside the defaults.
    pub(super) fn recommendation(&mut self, values: Vec<Value>) -> Result<Recommendation, LabError> {
        let defaults = self.tuning.defaults()?;
        let points = [&values, &defaults].map(|values| self.space.point(values));
        let points: Vec<Vec<f64>> = points.into_iter().collect::<Result<_, _>>().map_err(LabError::input)?;
        let at = self.optimizer.predict(&points).unwrap_or_default();
        let (at, default) = (at[0], at[1]);
        Ok(Recommendation {
            evaluations: self.observed.len() as u64,
            agent: if self.tuning.base.is_empty() { String::new() } else { self.tuning.agent(&values)? },
            names: self.space.parameters().iter().map(|parameter| parameter.name.clone()).collect(),
            values,
            mean: at.mean,
            sd: at.deviation(),
            default_mean: default.mean,
            default_sd: default.deviation(),
        })
    }

    /// A hash of what decides recommendations beside the observations.
    fn model(&self) -> Result<String, LabError> {
        let decisive = format!("{:?}", (self.tuning.seed, &self.tuning.settings()?, self.space.parameters()));
        Ok(blake3::hash(decisive.as_bytes()).to_hex().to_string())
    }

    /// What would have been recommended after each completion; what the record has of it is taken
    /// from there.
    pub(super) fn incumbents(&self) -> Result<Incumbents, LabError> {
        let model = self.model()?;
        let (region, settings, seed) = (self.space.region(), self.tuning.settings()?, self.tuning.seed);
        let observed = self.completions().iter().zip(&self.observed);
        let observed = observed.map(|(done, at)| Ok((self.point(done.number)?, *at)));
        let observed: Vec<_> = observed.collect::<Result<_, LabError>>()?;
        let known = self.record.recommended.last().and_then(|last| last.incumbents.clone());
        let known = known.filter(|known| known.model == model).map_or(Vec::new(), |known| known.rows);
        let new = || Optimizer::within(region.clone(), settings.clone(), seed);
        Ok(Incumbents { model, rows: incumbents(known, &observed, new)? })
    }

    /// What is recommended when all is done, from the record if the same model recommended it
    /// before.
    pub(super) fn finalize(&mut self, store: &Store) -> Result<Option<Recommendation>, LabError> {
        let (evaluations, model) = (self.observed.len() as u64, self.model()?);
        // The record of an earlier version does not name its model.
        if let Some(recommended) = self.record.recommended.last()
            && recommended.evaluations == evaluations
            && recommended.incumbents.as_ref().is_none_or(|known| known.model == model)
        {
            let values = recommended.values.clone();
            return self.recommendation(values).map(Some);
        }
        let Some(best) = self.recommend()? else { return Ok(None) };
        let incumbents = Some(self.incumbents()?);
        let recommended = Recommended { evaluations, values: best.values.clone(), incumbents };
        TuningRecord::note(store, "recommendation", &recommended)?;
        self.record.recommended.push(recommended);
        Ok(Some(best))
    }

    /// The optimizer.
    pub(super) fn optimizer(&mut self) -> &mut Optimizer {
        &mut self.optimizer
    }
}

faults! {
    /// Why a tuning cannot be resumed from its record, or refuses a value.
    SuggestionError {
        Impossible { number: u64, fault: String } => "suggestion {number} of the record is not possible here: {fault}",
        OtherParameters => "the parameters are not those of the record; repeat them to resume it, choose another directory, or allow the \
            change with --allow-changes: earlier evaluations will count",
        Unknown { number: u64, count: usize } => "there is no suggestion {number}; {count} were made, from 0",
        Known { number: u64 } => "the value of suggestion {number} is known already",
        Value { value: f64, variance: f64 } => "the value is {value} and its variance {variance}; accepted: -1e100 to 1e100, and at least 0 with a root, the \
            standard deviation, of at most 1e100",
        Rate { rate: f64, games: u64 } => "{rate} is the win rate over {games} games; accepted: 0 to 1, over at least 1 game",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::run::ExperimentOptions;
    use crate::experiment::{Experiment, run_experiment};
    use tesuji::Stop;

    #[test]
    fn suggestions_of_a_parallel_tuning_follow_from_what_is_stored() {
        let text = "kind = \"tuning\"\nname = \"t\"\ngame = \"hex:3\"\nbase = \"uct\"\nevaluations = 12\ngames = 2\n\
                    playouts = 10\nseed = 3\nparallel = 3\nvalidation = []\nsearch = { initial = 4, samples = 3 }\n\
                    [[parameter]]\nname = \"select.c\"\nkind = \"log\"\nlow = 0.05\nhigh = 2.0\n";
        let experiment = Experiment::parse("t.toml", text).unwrap();
        let tuning = experiment.plan_as::<Tuning>().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let options = ExperimentOptions {
            out: dir.path().to_owned(),
            results: dir.path().to_owned(),
            games: None,
            only: Vec::new(),
            threads: 3,
            cluster: None,
            changed: false,
            version: "test".to_owned(),
        };
        run_experiment(&experiment, &options, &Stop::default(), &mut |_| ()).unwrap();
        let store = Store::read(&dir.path().join("t")).unwrap();
        let mut values = TuningState::new(tuning, &store).unwrap().observed.into_iter();
        // The optimizer is told what the record says, in its order, and nothing else.
        let memory = Store::in_memory().unwrap();
        let (mut fresh, mut side_by_side) = (TuningState::new(tuning, &memory).unwrap(), 0);
        for (_, kind, detail) in store.events().unwrap() {
            match kind.as_str() {
                "suggestion" => {
                    let suggestion: Suggestion = serde_json::from_value(detail).unwrap();
                    side_by_side = side_by_side.max(suggestion.pending.len());
                    assert_eq!(fresh.ask(&memory), Ok(suggestion));
                }
                "completion" => {
                    let done: Completion = serde_json::from_value(detail).unwrap();
                    let at = values.next().unwrap();
                    fresh.tell(&memory, done.number, at.mean, at.variance).unwrap();
                }
                _ => {}
            }
        }
        assert_eq!((fresh.suggestions().len(), fresh.completions().len(), side_by_side), (12, 12, 2));
    }
}
