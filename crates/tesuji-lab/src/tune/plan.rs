//! What is tuned, and how.

use crate::adjudication::Adjudication;
use crate::agent_spec::AgentSpec;
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, check_positive, check_seed, faults};
use crate::experiment::match_config::MatchConfig;
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::number::{count, small};
use crate::matches::Match;
use crate::matches::MatchSpec;
use crate::store::{Disputed, PlannedMatch};
use serde::Deserialize;
use std::collections::HashSet;
use tesuji::Rng;
use tesuji_tune::{Acquisition, Parameter, Settings, Space, Value};

/// Parameters that are tuned: the fields of a file with `kind = "tuning"`.
///
/// With a `game`, an evaluation is a match of `base` with the suggested values against `opponent`.
/// In `base`, `{NAME}` stands for the value of a parameter, as in `gtp:engine --c {c}`; a parameter
/// that does not occur so is a key of the recipe, as in an override. Without a game, another
/// program asks for values and tells the results.
///
/// ```
/// # use tesuji_lab::{Experiment, Tuning};
/// let text = r#"
///     kind = "tuning"
///     name = "exploration"
///     game = "hex:5"
///     base = "uct"
///     evaluations = 20
///     games = 64
///     playouts = 100
///
///     [[parameter]]
///     name = "select.c"
///     kind = "log"
///     low = 0.05
///     high = 2.0
/// "#;
/// let experiment = Experiment::parse("exploration.toml", text)?;
/// let tuning: &Tuning = experiment.plan_as().expect("its kind says so");
/// assert_eq!(tuning.agent(&tuning.defaults()?)?, "uct,select.c=0.7");
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// The parameters. A `default` is needed where the recipe has none; the first evaluation has
    /// the defaults.
    pub parameter: Vec<Parameter>,
    /// The number of evaluations.
    pub evaluations: u64,
    /// The number of evaluations under way at a time; the threads are shared among them. Default:
    /// 1.
    #[serde(default = "count::<1>")]
    pub parallel: u64,
    /// The seed of all random numbers, below 2^63. Default: 1.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// The search for points.
    #[serde(default)]
    pub search: Search,
    /// The game; none: another program computes the values.
    pub game: Option<String>,
    /// Points for the second player, where the game has a komi.
    pub komi: Option<f64>,
    /// The agent whose parameters are tuned.
    #[serde(default)]
    pub base: String,
    /// Its opponent. Default: the agent with the defaults.
    pub opponent: Option<String>,
    /// Games of an evaluation. Default: 64.
    #[serde(default = "count::<64>")]
    pub games: u64,
    /// Simulations a move, for agents that do not name their own. Default: 1000.
    #[serde(default = "count::<1000>")]
    pub playouts: u64,
    /// Random moves at the beginning of a game. Default: the usual number for the game.
    pub opening_plies: Option<u32>,
    /// The openings, in place of random moves.
    pub openings: Option<Vec<String>>,
    /// A game of N moves is a draw. Default: 2000.
    #[serde(default = "small::<2000>")]
    pub longest: u32,
    /// The threshold of [`Adjudication`], which ends decided games. Default: 0, which never ends
    /// one.
    #[serde(default)]
    pub adjudicate: Adjudication,
    /// The value of a game whose result a third-party engine disputes: `"void"`, `"board"` or
    /// `"opponent"`.
    #[serde(default)]
    pub disputed: Disputed,
    /// The time limits of such an engine, see [`EngineLimits`].
    #[serde(default)]
    pub engine: EngineLimits,
    /// Matches of the final recommendation, on fresh openings. Default: one of 1000 games against
    /// the defaults.
    #[serde(default = "validations")]
    pub validation: Vec<Validation>,
}

/// A match of what is recommended.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// Its name.
    pub name: String,
    /// The opponent. Default: the agent with the default values.
    pub against: Option<String>,
    /// The number of games.
    pub games: u64,
}

/// The search for points.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// The acquisition function, which each suggestion maximizes: `kg`, the knowledge gradient,
    /// `log-ei`, the expected improvement by its logarithm, for which `ei` is another name, or
    /// `ucb`. Default: `kg` for games, which are noisy, else `log-ei`.
    pub acquisition: Option<String>,
    /// Standard deviations that `ucb` adds to the mean, at least 0. Default: 2.
    pub kappa: f64,
    /// The number of evenly spread evaluations at the beginning, including the defaults, at most 65
    /// 536. Default: 8.
    pub initial: usize,
    /// Draws of the process's parameters; 0: none, the most likely parameters. Default: 10.
    pub samples: usize,
    /// Joint draws of the evaluations under way, at least 1, of which `kg` uses the first 8.
    /// Default: 100.
    pub fantasies: usize,
}

impl Default for Search {
    fn default() -> Search {
        let Settings { initial, samples, fantasies, .. } = Settings::default();
        Search { acquisition: None, kappa: 2.0, initial, samples, fantasies }
    }
}

/// The columns of the table of evaluations beside those of the parameters.
const COLUMNS: [&str; 6] = ["number", "completed", "pending", "games", "value", "sd"];

fn validations() -> Vec<Validation> {
    vec![Validation { name: "default".to_owned(), against: None, games: 1000 }]
}

impl Tuning {
    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// If the parameters are no space, or an evaluation or validation is not possible.
    pub(crate) fn check(&self) -> Result<(), LabError> {
        self.space()?;
        self.settings()?;
        check_positive([("evaluations", self.evaluations), ("parallel", self.parallel)])?;
        check_seed(self.seed)?;
        let mut names = HashSet::new();
        for Validation { name, .. } in &self.validation {
            if !is_plain(name) || !names.insert(name) {
                let (name, accepted) = (name.clone(), PLAIN);
                return Err(TuningError::Validation { name, accepted }.into());
            }
        }
        // Only text that has a place for a value becomes part of a command.
        let is_put_in = |parameter: &&Parameter| self.base.contains(&format!("{{{}}}", parameter.name));
        if AgentSpec::is_engine(&self.base)
            && let Some(parameter) = self.parameter.iter().find(|parameter| !is_put_in(parameter))
        {
            let (name, base) = (parameter.name.clone(), self.base.clone());
            return Err(TuningError::Engine { name, base }.into());
        }
        let defaults = self.defaults()?;
        if self.game.is_some() {
            let is_taken = |parameter: &&Parameter| COLUMNS.contains(&&*parameter.name);
            if let Some(parameter) = self.parameter.iter().find(is_taken) {
                return Err(TuningError::Column { name: parameter.name.clone() }.into());
            }
            self.check_ends(&defaults)?;
            self.first_specs()?.iter().try_for_each(check_recipes)?;
        }
        Ok(())
    }

    /// Makes sure that all agents can play. This starts the engines among them, which reading a
    /// file or a record never does.
    pub(super) fn check_agents(&self) -> Result<(), LabError> {
        if self.game.is_none() {
            return Ok(());
        }
        self.first_specs()?.iter().try_for_each(|spec| checked(spec).map(drop))
    }

    /// The evaluation of the defaults and their validations.
    fn first_specs(&self) -> Result<Vec<MatchSpec>, LabError> {
        let defaults = self.defaults()?;
        let mut specs = vec![self.evaluation_spec(0, &defaults)?];
        specs.extend(self.validations((0, 0), &defaults)?);
        Ok(specs)
    }

    /// Makes sure that the agent takes each parameter's least and greatest value.
    fn check_ends(&self, defaults: &[Value]) -> Result<(), LabError> {
        for (i, parameter) in self.parameter.iter().enumerate() {
            for end in parameter.domain.ends() {
                let mut values = defaults.to_vec();
                values[i] = end;
                let place = format!("parameter {} = {}", parameter.name, values[i]);
                AgentSpec::parse(&self.agent(&values)?).map_err(|error| error.within(place))?;
            }
        }
        Ok(())
    }

    /// The parameters as a space.
    ///
    /// # Errors
    /// If [`Space::new`] refuses them.
    pub fn space(&self) -> Result<Space, LabError> {
        Space::new(self.parameter.clone()).map_err(LabError::input)
    }

    /// The settings of the optimizer.
    ///
    /// # Errors
    /// If the acquisition is none that is known, or a number is out of its range.
    pub fn settings(&self) -> Result<Settings, LabError> {
        let Search { acquisition, kappa, initial, samples, fantasies } = &self.search;
        let usual = if self.game.is_some() { "kg" } else { "log-ei" };
        let acquisition = match acquisition.as_deref().unwrap_or(usual) {
            "kg" => Acquisition::KnowledgeGradient,
            "log-ei" | "ei" => Acquisition::ExpectedImprovement,
            "ucb" => Acquisition::UpperConfidenceBound { kappa: *kappa },
            other => return Err(TuningError::Acquisition { name: other.to_owned() }.into()),
        };
        let (initial, samples, fantasies) = (*initial, *samples, *fantasies);
        let settings = Settings { acquisition, initial, samples, fantasies, ..Settings::default() };
        settings.check().map_err(LabError::input)?;
        Ok(settings)
    }

    /// The default of each parameter: its own, else that of the recipe.
    ///
    /// # Errors
    /// If one has none, or one that is not in its domain.
    pub fn defaults(&self) -> Result<Vec<Value>, LabError> {
        // In the present spelling, and in the first one.
        let recipe: Vec<toml::Table> = match AgentSpec::parse(&self.base) {
            Ok(AgentSpec::Recipe(recipe)) => [recipe.to_toml(), recipe.identity(None)]
                .into_iter()
                .filter_map(|text| text.parse().ok())
                .collect(),
            _ => Vec::new(),
        };
        let of = |parameter: &Parameter| {
            let of_recipe = || recipe.iter().find_map(|table| of_recipe(table, &parameter.name));
            let given = parameter.default.clone().or_else(of_recipe);
            given.ok_or_else(|| {
                let (name, base) = (parameter.name.clone(), self.base.clone());
                LabError::from(TuningError::Default { name, base })
            })
        };
        let defaults: Vec<Value> = self.parameter.iter().map(of).collect::<Result<_, _>>()?;
        self.space()?
            .point(&defaults)
            .map_err(|error| TuningError::DefaultValue { fault: error.to_string() })?;
        Ok(defaults)
    }

    /// The agent with these values.
    ///
    /// # Errors
    /// If there is not a value for each parameter.
    pub fn agent(&self, values: &[Value]) -> Result<String, LabError> {
        self.space()?.point(values).map_err(LabError::input)?;
        Ok(self.named(values))
    }

    /// The agent with a value for each parameter.
    fn named(&self, values: &[Value]) -> String {
        let mut agent = self.base.clone();
        for (parameter, value) in self.parameter.iter().zip(values) {
            let place = format!("{{{}}}", parameter.name);
            if self.base.contains(&place) {
                agent = agent.replace(&place, &value.to_string());
            } else {
                agent += &format!(",{}={value}", parameter.name);
            }
        }
        agent
    }

    /// Whether a match of this name is an evaluation.
    pub(crate) fn is_evaluation(name: &str) -> bool {
        Tuning::evaluation_number(name).is_some()
    }

    /// The number of the evaluation that is a match of this name.
    pub(super) fn evaluation_number(name: &str) -> Option<u64> {
        name.strip_prefix('e')?.parse().ok()
    }

    /// The match of an evaluation.
    pub(super) fn evaluation(&self, number: u64, values: &[Value]) -> Result<Match, LabError> {
        self.evaluation_spec(number, values).and_then(|spec| checked(&spec))
    }

    /// The matches of these evaluations as a store keeps them, unchecked; none without a game. No
    /// agent is built, and what they share is read once, so that hundreds of them take no time.
    pub(super) fn evaluation_records<'a>(
        &self,
        evaluations: impl IntoIterator<Item = (u64, &'a [Value])>,
    ) -> Result<Vec<PlannedMatch>, LabError> {
        if self.game.is_none() {
            return Ok(Vec::new());
        }
        let (space, first) = (self.space()?, self.evaluation_spec(0, &self.defaults()?)?);
        let opponent = AgentSpec::parse(&first.b)?.config(first.limit);
        let record = |(number, values): (u64, &[Value])| {
            space.point(values).map_err(LabError::input)?;
            let (name, a, seed) = (format!("e{number}"), self.named(values), self.seed_of(number));
            let spec = MatchSpec { name, a, seed, ..first.clone() };
            let agent = AgentSpec::parse(&spec.a)?.config(spec.limit);
            Ok(Match::plan_between(&agent, &opponent, &spec))
        };
        evaluations.into_iter().map(record).collect()
    }

    fn evaluation_spec(&self, number: u64, values: &[Value]) -> Result<MatchSpec, LabError> {
        let opponent = match &self.opponent {
            Some(opponent) => opponent.clone(),
            None => self.agent(&self.defaults()?)?,
        };
        self.spec(&format!("e{number}"), self.agent(values)?, opponent, self.games, number)
    }

    /// The validations of the values recommended after `evaluations` evaluations, and after
    /// `earlier` other recommendations from as many.
    pub(super) fn validations(
        &self,
        (evaluations, earlier): (u64, usize),
        values: &[Value],
    ) -> Result<Vec<MatchSpec>, LabError> {
        let round = match earlier {
            0 => format!("v{evaluations}"),
            n => format!("v{evaluations}.{}", n + 1),
        };
        let defaults = self.agent(&self.defaults()?)?;
        let validation = |(i, validation): (usize, &Validation)| {
            let name = format!("{round}-{}", validation.name);
            let opponent = validation.against.clone().unwrap_or_else(|| defaults.clone());
            self.spec(&name, self.agent(values)?, opponent, validation.games, (1 << 32) + i as u64)
        };
        self.validation.iter().enumerate().map(validation).collect()
    }

    /// The seed of a match: each evaluation has random openings of its own, the validations too.
    fn seed_of(&self, part: u64) -> u64 {
        Rng::derive(self.seed, part) >> 1
    }

    fn spec(&self, name: &str, a: String, b: String, games: u64, part: u64) -> Result<MatchSpec, LabError> {
        let game = self.game.as_deref().unwrap_or_default();
        let config = MatchConfig {
            komi: self.komi,
            seed: self.seed_of(part),
            opening_plies: self.opening_plies,
            longest: self.longest,
            openings: self.openings.clone(),
            adjudicate: self.adjudicate,
            disputed: self.disputed,
            engine: self.engine,
            ..MatchConfig::new(name, [&a, &b], game, games, self.playouts)
        };
        config.spec().map_err(|error| error.within(name))
    }
}

/// A match that is possible.
pub(super) fn checked(spec: &MatchSpec) -> Result<Match, LabError> {
    Match::new(spec).map_err(|error| error.within(&spec.name))
}

/// Makes sure that a match is possible, as far as that shows without starting an engine.
fn check_recipes(spec: &MatchSpec) -> Result<(), LabError> {
    let agents = [AgentSpec::parse(&spec.a)?, AgentSpec::parse(&spec.b)?];
    Match::without_engines(agents, spec).map(drop).map_err(|error| error.within(&spec.name))
}

/// A match as a store keeps it, unchecked.
pub(super) fn recorded(spec: &MatchSpec) -> Result<PlannedMatch, LabError> {
    Ok(Match::plan(&[AgentSpec::parse(&spec.a)?, AgentSpec::parse(&spec.b)?], spec))
}

/// The value of a dotted key of a recipe.
fn of_recipe(recipe: &toml::Table, key: &str) -> Option<Value> {
    let mut parts = key.split('.');
    let first = recipe.get(parts.next()?)?;
    let value = parts.try_fold(first, |value, part| value.get(part))?;
    let kind = if let toml::Value::Table(table) = value { table.get("kind")? } else { value };
    kind.clone().try_into().ok()
}

faults! {
    /// Why a tuning is not possible, apart from faults of its matches and of numbers out of their
    /// [range](crate::RangeError).
    TuningError {
        Validation { name: String, accepted: &'static str } => "validation: name is {name:?}; accepted: {accepted}, each once",
        Acquisition { name: String } => "acquisition is {name:?}; accepted: \"kg\", \"log-ei\" or \"ei\", \"ucb\"",
        Default { name: String, base: String } => "parameter {name:?} has no default in {base:?}; give it one",
        Engine { name: String, base: String } => "parameter {name:?} has no place in {base:?}; accepted: {{NAME}} in the command of an engine",
        Column { name: String } =>
            "parameter {name:?} has the name of another column of the results; accepted: a name that is none of number, completed, \
             pending, games, value, sd",
        DefaultValue { fault: String } => "the default of {fault}",
        NoGame => "the tuning names no game, so another program computes its values: see --ask and --tell",
    }
}

#[cfg(test)]
mod tests {
    use super::Tuning;
    use crate::experiment::Experiment;
    use tesuji_tune::Value;

    #[test]
    fn the_record_of_an_evaluation_is_that_of_its_match() {
        for opponent in ["", "opponent = \"mast\""] {
            let text = format!(
                "kind = \"tuning\"\nname = \"t\"\ngame = \"go:5\"\nkomi = 3.5\nbase = \"uct\"\n{opponent}\n\
                 evaluations = 9\n[[parameter]]\nname = \"select.c\"\nkind = \"real\"\nlow = 0\nhigh = 1\n"
            );
            let experiment = Experiment::parse("t.toml", &text).unwrap();
            let tuning = experiment.plan_as::<Tuning>().unwrap();
            for (number, c) in [(0, 0.7), (8, 0.25)] {
                let values = [Value::Number(c)];
                let evaluation = tuning.evaluation(number, &values).unwrap();
                let records = tuning.evaluation_records([(number, &values[..])]).unwrap();
                assert_eq!(&records[0], evaluation.planned());
            }
        }
    }
}
