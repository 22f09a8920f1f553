//! Agents by name.

use crate::LabError;
use crate::agent::{Factory, RandomBot};
use crate::gtp_bot::GtpBot;
use crate::store::Config;
use tesuji::recipe::Recipe;
use tesuji::{Bot, BotError, Notation};

/// An agent as the command line and experiment files name it.
#[derive(Clone, PartialEq, Debug)]
pub enum AgentSpec {
    /// `random`: uniformly random moves.
    Random,
    /// A built-in recipe or a TOML file, with any overrides.
    Recipe(Box<Recipe>),
    /// `gtp:COMMAND`: an engine of someone else.
    Gtp(String),
}

impl AgentSpec {
    /// Reads `random`, `gtp:COMMAND`, or a recipe as [`Recipe::parse`] does.
    ///
    /// # Errors
    /// If the text names none of these; the message says what is accepted.
    pub fn parse(text: &str) -> Result<AgentSpec, LabError> {
        if text == "random" {
            return Ok(AgentSpec::Random);
        }
        match text.strip_prefix("gtp:") {
            Some(command) if command.trim().is_empty() => {
                Err(LabError::Input("gtp: needs a command, such as \"gtp:gnugo --mode gtp\"".to_owned()))
            }
            Some(command) => Ok(AgentSpec::Gtp(command.trim().to_owned())),
            None => Recipe::parse(text).map(|recipe| AgentSpec::Recipe(Box::new(recipe))).map_err(|error| {
                let base = text.split(',').next().unwrap_or_default();
                let named = base.ends_with(".toml") || Recipe::built_in(base).is_some();
                LabError::Input(format!("{error}{}", if named { "" } else { "; or random, or gtp:COMMAND" }))
            }),
        }
    }

    /// Its description in a record.
    pub fn config(&self) -> Config {
        let table = |key: &str, value: &str| {
            toml::Table::from_iter([(key.to_owned(), toml::Value::String(value.to_owned()))]).to_string()
        };
        match self {
            AgentSpec::Random => Config { name: "random".to_owned(), spec: table("kind", "random") },
            AgentSpec::Recipe(recipe) => Config { name: recipe.name().to_owned(), spec: recipe.to_toml() },
            AgentSpec::Gtp(command) => Config { name: format!("gtp:{command}"), spec: table("gtp", command) },
        }
    }

    /// The agent for games that GTP engines prepare with the commands `gtp_setup`; none where they do not
    /// know the game.
    pub fn factory(&self, gtp_setup: Option<Vec<String>>) -> AgentFactory {
        AgentFactory { spec: self.clone(), gtp_setup }
    }
}

/// Makes the players of an [`AgentSpec`].
#[derive(Clone, Debug)]
pub struct AgentFactory {
    spec: AgentSpec,
    gtp_setup: Option<Vec<String>>,
}

impl<G> Factory<G> for AgentFactory
where
    G: Notation + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    fn bot(&self, start: &G) -> Result<Box<dyn Bot<G>>, BotError> {
        match &self.spec {
            AgentSpec::Random => Ok(Box::new(RandomBot::new(0))),
            AgentSpec::Recipe(recipe) => match recipe.bot(start, 0) {
                Ok(bot) => Ok(bot),
                Err(error) => Err(BotError(error.to_string())),
            },
            AgentSpec::Gtp(command) => match &self.gtp_setup {
                Some(setup) => Ok(Box::new(GtpBot::<G>::spawn(command, setup.clone())?)),
                None => Err(BotError("GTP engines play Go and Hex only".to_owned())),
            },
        }
    }
}
