//! An agent with modifications.

use crate::{AgentSpec, LabError};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    #[default]
    Good,
    Bad,
    Neutral,
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Worth::Good => "good",
            Worth::Bad => "bad",
            Worth::Neutral => "neutral",
        })
    }
}

/// An agent as it is named, and patterns that were added to it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variant {
    pub(super) agent: String,
    pub(super) patterns: Vec<PatternRule>,
}

/// A pattern that was added to an agent.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PatternRule {
    pub(super) pattern: String,
    pub(super) value: Worth,
    /// What is known of it.
    pub(super) evidence: String,
}

impl Variant {
    pub(super) fn new(agent: &str) -> Variant {
        Variant { agent: agent.to_owned(), patterns: Vec::new() }
    }

    /// The same with one more pattern.
    pub(super) fn with_pattern(&self, pattern: &str, value: Worth) -> Variant {
        let mut variant = self.clone();
        let added = PatternRule { pattern: pattern.to_owned(), value, evidence: String::new() };
        variant.patterns.push(added);
        variant
    }

    /// The agent, under this name.
    ///
    /// # Errors
    /// If there is no such agent, or patterns were added to one that is not described by a recipe.
    pub(super) fn spec(&self, _name: &str) -> Result<AgentSpec, LabError> {
        AgentSpec::parse(&self.agent)
    }

    /// The recipe as a file; none if the agent is no recipe.
    pub(super) fn recipe(&self) -> Option<String> {
        match self.spec("").ok()? {
            AgentSpec::Recipe { recipe, .. } => Some(recipe.to_toml()),
            _ => None,
        }
    }
}
