//! Agents by name.

use crate::LabError;
use crate::agent::{Factory, RandomBot};
use crate::store::Config;
use tesuji::{Bot, BotError, Game};

/// An agent as the command line and experiment files name it.
#[derive(Clone, Debug)]
pub enum AgentSpec {
    /// `random`: uniformly random moves.
    Random,
}

impl AgentSpec {
    /// Reads `random`.
    pub fn parse(text: &str) -> Result<AgentSpec, LabError> {
        match text {
            "random" => Ok(AgentSpec::Random),
            _ => Err(LabError::Input(format!("unknown agent {text:?}; accepted is random"))),
        }
    }

    /// Its description in a record.
    pub fn config(&self) -> Config {
        match self {
            AgentSpec::Random => Config { name: "random".to_owned(), spec: "kind = \"random\"\n".to_owned() },
        }
    }
}

impl<G: Game + 'static> Factory<G> for AgentSpec {
    fn bot(&self, _: &G) -> Result<Box<dyn Bot<G>>, BotError> {
        match self {
            AgentSpec::Random => Ok(Box::new(RandomBot::new(0))),
        }
    }
}
