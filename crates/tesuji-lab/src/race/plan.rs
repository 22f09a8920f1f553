//! What is raced, and how.

use super::patterns::PatternPlan;
use super::variant::Variant;
use crate::agent_spec::AgentSpec;
use crate::error::LabError;
use crate::experiment::match_config::{MatchConfig, match_config_of};
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::number::count;
use crate::experiment::source::told;
use crate::game_spec::GameSpec;
use crate::matches::Match;
use serde::Deserialize;
use serde::de::Error as _;
use std::collections::HashSet;
use tesuji::Rng;
use tesuji::recipe::PatternEffect;
use tesuji_race::{RiskBudget, Settings};
use toml::de::Error;
use toml::{Table, Value};

/// Races between modifications of an agent: the keys of a file with `kind = "race"`.
///
/// The arms of a race play against the agent without them, every game from its own opening, until
/// one is accepted or none is left ([`tesuji_race::Race`]). The accepted change then plays fresh
/// games, and the next race starts from the agent with it.
///
/// Either the arms are listed, and arms that are still open race again; or they are patterns, drawn
/// at random for each race. `game`, `playouts` and the other keys of [`MatchConfig`] without
/// `games` and `openings` are the settings of all games.
///
/// ```
/// # use tesuji_lab::{Experiment, Racing};
/// let text = r#"
///     kind = "race"
///     name = "exploration"
///     game = "hex:5"
///     playouts = 100
///     base = "uct"
///     race = { accept = 0.505, reject = 0.53, most = 5000 }
///
///     [[arm]]
///     name = "less"
///     set = "select.c=0.4"        # keys of the base's recipe, as in an override
///
///     [[arm]]
///     name = "grave"
///     agent = "grave"             # another agent
/// "#;
/// let experiment = Experiment::parse("exploration.toml", text)?;
/// let plan: &Racing = experiment.plan_as().expect("its kind says so");
/// assert_eq!((plan.arms.len(), plan.rounds()), (2, 1));
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Racing {
    /// The agent that is modified.
    pub base: String,
    /// The modifications.
    #[serde(default, rename = "arm")]
    pub arms: Vec<ArmPlan>,
    /// Patterns in their place.
    pub patterns: Option<PatternPlan>,
    /// The rule of the races, their risk, thresholds and limits.
    #[serde(default)]
    pub race: Settings,
    /// Whether every race has the whole risk, or all races share it.
    #[serde(default)]
    pub risk_budget: RiskBudget,
    /// Races of listed arms.
    #[serde(default = "count::<1>")]
    rounds: u64,
    /// Fresh games of what was accepted.
    #[serde(default = "count::<2000>", alias = "fresh")]
    pub validation: u64,
    /// What all games have in common.
    #[serde(skip, default = "no_game")]
    game: MatchConfig,
}

/// Stands where the settings of all games are not read yet.
fn no_game() -> MatchConfig {
    MatchConfig::new("", [""; 2], "", 1, 1)
}

/// A modification of the base: one of `set`, `agent`, `pattern`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmPlan {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// Overrides of the base, such as `select.c=0.4`; an empty text, `""`, for an arm that changes
    /// nothing.
    pub set: Option<String>,
    /// Another agent, as the command line names it.
    pub agent: Option<String>,
    /// A pattern for the base's recipe.
    pub pattern: Option<String>,
    /// The effect of the pattern on its moves. Default: good.
    #[serde(default)]
    pub value: PatternEffect,
}

/// The keys of a race: its own, then the settings of all games.
const KEYS: [&str; 16] = [
    "base",
    "arm",
    "patterns",
    "race",
    "risk_budget",
    "rounds",
    "validation",
    "game",
    "komi",
    "playouts",
    "seed",
    "opening_plies",
    "longest",
    "adjudicate",
    "disputed",
    "engine",
];

/// The number of its own keys.
const OWN: usize = 7;

impl Racing {
    /// From the keys of a file.
    pub(crate) fn read(mut common: Table) -> Result<Racing, String> {
        let own = KEYS[..OWN].iter().chain(&["fresh"]);
        let own = Table::from_iter(own.filter_map(|&key| Some((key.to_owned(), common.remove(key)?))));
        if common.contains_key("openings") {
            // Games of arms are unpaired, see [`MoveError::Unpaired`](crate::opening::MoveError).
            return Err(
                "a race has no key openings: each game has an opening of its own; accepted: opening_plies"
                    .to_owned(),
            );
        }
        for key in ["a", "b", "games", "sprt", "unpaired"] {
            if common.contains_key(key) {
                return Err(format!(
                    "a race has no key {key}: the arms play against the base, as many games as the rule needs"
                ));
            }
        }
        if let Some(key) = common.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(told(&Error::unknown_field(key, &KEYS)));
        }
        let mut plan: Racing = Value::Table(own).try_into().map_err(|error| told(&error))?;
        for (key, text) in [("name", "race"), ("a", plan.base.as_str()), ("b", plan.base.as_str())] {
            common.insert(key.to_owned(), Value::String(text.to_owned()));
        }
        common.insert("games".to_owned(), Value::Integer(1));
        plan.game = match_config_of(common)?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks what can be checked without playing.
    fn check(&self) -> Result<(), String> {
        self.race.check().map_err(|message| format!("race: {message}"))?;
        // The last race has the least risk.
        self.settings(self.rounds().max(1)).check().map_err(|message| format!("the last race: {message}"))?;
        let spec = self.game.spec().map_err(|error| error.to_string())?;
        AgentSpec::parse(&self.base).map_err(|error| format!("base: {error}"))?;
        match &self.patterns {
            None if self.arms.is_empty() => {
                return Err("nothing is raced; expected [[arm]] tables or a table [patterns]".to_owned());
            }
            None if self.rounds == 0 => return Err("rounds is 0; accepted: at least 1".to_owned()),
            Some(_) if !self.arms.is_empty() || self.rounds != 1 => {
                return Err("[patterns] excludes [[arm]] and rounds; accepted: its own key races".to_owned());
            }
            Some(_) if spec.game.go().is_none() => {
                let game = &spec.game;
                return Err(format!("patterns are drawn for Go, not for {game}; list them as arms"));
            }
            Some(patterns) => patterns.check()?,
            None => {}
        }
        let mut names = HashSet::new();
        for arm in &self.arms {
            if !is_plain(&arm.name) || !names.insert(&arm.name) {
                return Err(format!("arm: name is {:?}; accepted: {PLAIN}, each once", arm.name));
            }
            arm.of(&Variant::new(&self.base)).map_err(|message| format!("arm {}: {message}", arm.name))?;
        }
        Ok(())
    }

    /// The greatest number of races.
    pub fn rounds(&self) -> u64 {
        self.patterns.as_ref().map_or(self.rounds, |patterns| patterns.races.len() as u64)
    }

    /// The settings of a race, from 1.
    ///
    /// # Panics
    /// If `race` is 0.
    pub fn settings(&self, race: u64) -> Settings {
        Settings { risk: self.risk_budget.of_race(self.race.risk, race), ..self.race }
    }

    /// The seed of all random numbers.
    pub(super) fn seed(&self) -> u64 {
        self.game.seed
    }

    /// A match of two variants, each with its name. Games from the same `part` have the same
    /// openings.
    pub(super) fn variant_match(
        &self,
        name: &str,
        (a, a_name): (&Variant, &str),
        (b, b_name): (&Variant, &str),
        part: u64,
        unpaired: bool,
    ) -> Result<Match, LabError> {
        let cell = MatchConfig {
            name: name.to_owned(),
            a: a_name.to_owned(),
            b: b_name.to_owned(),
            seed: Rng::derive(self.game.seed, part) >> 1,
            unpaired,
            ..self.game.clone()
        };
        let agents = [a.spec(a_name)?, b.spec(b_name)?];
        cell.spec().and_then(|spec| Match::without_engines(agents, &spec)).map_err(|error| error.within(name))
    }

    /// Whether a match of this name has no result of its own: it belongs to an arm, or to the
    /// corpus.
    pub(crate) fn is_arm(name: &str) -> bool {
        !name.starts_with("fresh-")
    }

    /// The game and its limit a move.
    pub(super) fn game(&self) -> Result<(GameSpec, u64), LabError> {
        Ok((self.game.spec()?.game, self.game.playouts))
    }
}

impl ArmPlan {
    /// The base with this modification.
    pub(super) fn of(&self, base: &Variant) -> Result<Variant, String> {
        let variant = match (&self.set, &self.agent, &self.pattern) {
            (Some(set), None, None) if set.is_empty() => base.clone(),
            (Some(_), None, None) if AgentSpec::is_engine(&base.agent) => {
                return Err(format!("{:?} is an engine, which set cannot change", base.agent));
            }
            (Some(set), None, None) => {
                Variant { agent: format!("{},{set}", base.agent), patterns: base.patterns.clone() }
            }
            (None, Some(agent), None) => Variant::new(agent),
            (None, None, Some(pattern)) => base.with_pattern(pattern, self.value),
            _ => return Err("accepted: one of set, agent, pattern".to_owned()),
        };
        variant.spec("").map(|_| variant).map_err(|error| error.to_string())
    }

    /// What it changes, in a word.
    pub(super) fn change(&self) -> &str {
        [&self.set, &self.agent, &self.pattern].into_iter().flatten().next().map_or("", |text| text)
    }
}
