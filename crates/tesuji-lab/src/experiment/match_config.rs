//! One match of an experiment.

use super::source::told;
use crate::adjudication::Adjudication;
use crate::agent_spec::AgentSpec;
use crate::conditions::{Limit, Openings};
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, check_positive, check_seed, faults};
use crate::experiment::number::{count, positive, small};
use crate::experiment::run::named;
use crate::game_spec::GameSpec;
use crate::matches::{Match, MatchSpec};
use crate::stats::Sprt;
use crate::store::{Disputed, Labels, PlannedMatch};
use serde::Deserialize;

/// One match of an experiment, with the settings that all matches share filled in.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The claim that it bears on.
    #[serde(default)]
    pub claim: String,
    /// The curve of a figure to which it belongs.
    #[serde(default)]
    pub series: String,
    /// Its place on the horizontal axis of that figure.
    pub x: Option<f64>,
    /// The agent whose side the result takes.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: String,
    /// Points for the second player, where the game has a komi.
    pub komi: Option<f64>,
    /// The number of games.
    #[serde(deserialize_with = "positive")]
    pub games: u64,
    /// Simulations a move, for agents that do not name their own.
    #[serde(deserialize_with = "positive")]
    pub playouts: u64,
    /// The seed of all random numbers, below 2^63. The same seed gives the same openings to all
    /// matches.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// Random moves at the beginning of a game. Default: the usual number for the game.
    pub opening_plies: Option<u32>,
    /// Each game has its own opening, so that all games are independent. Otherwise the two games of
    /// a pair share one.
    #[serde(default)]
    pub unpaired: bool,
    /// A game of N moves is a draw.
    #[serde(default = "small::<2000>")]
    pub longest: u32,
    /// The openings, in place of random moves: lines of moves in turn, such as `["e5 c3", "c3
    /// e5"]`.
    pub openings: Option<Vec<String>>,
    /// Ends the match as soon as a sequential test over pairs decides between two Elo differences:
    /// `[0, 10]`.
    pub sprt: Option<[f64; 2]>,
    /// The threshold of [`Adjudication`], which ends decided games. Default: 0, which never ends
    /// one.
    #[serde(default)]
    pub adjudicate: Adjudication,
    /// The value of a game whose result a third-party engine disputes: `"void"`, `"board"` or
    /// `"opponent"`.
    #[serde(default)]
    pub disputed: Disputed,
    /// The time limits of such an engine: `{ handshake = 10, move = 600 }`, in seconds.
    #[serde(default)]
    pub engine: EngineLimits,
}

/// The match that a table describes.
pub(crate) fn match_config_of(table: toml::Table) -> Result<MatchConfig, String> {
    toml::Value::Table(table).try_into().map_err(|error| told(&error))
}

/// A name for a file from any text: of what is not plain, `_` is left.
pub(super) fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
    text.trim_start_matches('.').chars().map(plain).collect()
}

impl MatchConfig {
    /// The match.
    ///
    /// # Errors
    /// If there is no such game, or a number is out of its range.
    pub(crate) fn spec(&self) -> Result<MatchSpec, LabError> {
        check_positive([("games", self.games), ("playouts", self.playouts)])?;
        check_seed(self.seed)?;
        if self.openings.as_ref().is_some_and(Vec::is_empty)
            || self.openings.is_some() && self.opening_plies.is_some()
        {
            return Err(MatchError::Openings.into());
        }
        if let Some(x) = self.x.filter(|x| !x.is_finite()) {
            return Err(MatchError::Place { x }.into());
        }
        self.engine.check()?;
        let sprt = self.sprt.map(|[elo0, elo1]| Sprt::asked(elo0, elo1)).transpose()?;
        let lines = self.openings.clone().map(Openings::Lines);
        let komi = self.komi.map(|komi| komi.to_string());
        // Without its komi first: a message of the komi names that key itself.
        GameSpec::parse(&self.game, None).map_err(|error| error.within("game"))?;
        Ok(MatchSpec {
            name: self.name.clone(),
            labels: Labels { claim: self.claim.clone(), series: self.series.clone(), x: self.x },
            a: self.a.clone(),
            b: self.b.clone(),
            game: GameSpec::parse(&self.game, komi.as_deref())?,
            games: self.games,
            limit: Limit::Playouts(self.playouts),
            seed: self.seed,
            openings: lines.or(self.opening_plies.map(Openings::RandomPlies)),
            unpaired: self.unpaired,
            longest: self.longest,
            adjudicate: self.adjudicate,
            sprt,
            disputed: self.disputed,
            engine: self.engine,
        })
    }

    /// The match of these agents under this name, with defaults for all other settings.
    pub fn new(name: &str, [a, b]: [&str; 2], game: &str, games: u64, playouts: u64) -> MatchConfig {
        MatchConfig {
            name: name.to_owned(),
            claim: String::new(),
            series: String::new(),
            x: None,
            a: a.to_owned(),
            b: b.to_owned(),
            game: game.to_owned(),
            komi: None,
            games,
            playouts,
            seed: 1,
            opening_plies: None,
            unpaired: false,
            longest: 2000,
            openings: None,
            sprt: None,
            adjudicate: Adjudication::NEVER,
            disputed: Disputed::default(),
            engine: EngineLimits::default(),
        }
    }

    /// The match, of which no agent is built: what it asks for is pure data.
    pub(super) fn unchecked(&self) -> Result<Match, LabError> {
        Match::unchecked([AgentSpec::parse(&self.a)?, AgentSpec::parse(&self.b)?], &self.spec()?)
    }

    /// The match as a store keeps it.
    pub(crate) fn planned(&self) -> Result<PlannedMatch, LabError> {
        Ok(self.unchecked()?.planned().clone())
    }

    /// Makes sure that the match is possible. This may start engines.
    pub(super) fn check(&self) -> Result<(), LabError> {
        let checked = self.spec().and_then(|spec| Match::new(&spec));
        checked.map(drop).map_err(|error| named(&self.name, error))
    }

    /// Checks that its agents are known; recipes may be files.
    ///
    /// # Errors
    /// What an agent is that is none.
    pub(super) fn check_agents(&self) -> Result<(), LabError> {
        for (key, agent) in [("a", &self.a), ("b", &self.b)] {
            AgentSpec::parse(agent).map_err(|error| error.within(key))?;
        }
        Ok(())
    }
}

faults! {
    /// Why a match of an experiment is not possible, apart from faults of its agents, of its game
    /// and of numbers out of their [range](crate::RangeError).
    MatchError {
        Place { x: f64 } => "x is {x}; accepted: a finite number",
        Openings => "openings is empty or not alone; accepted: at least one line of moves, and no opening_plies beside it",
    }
}
