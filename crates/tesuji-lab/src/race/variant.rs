//! An agent with modifications.

use crate::agent_spec::AgentSpec;
use crate::error::{LabError, faults};
use tesuji::recipe::{PatternEffect, PatternRule, Recipe};

/// An agent as it is named, and patterns that were added to it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variant {
    pub(super) agent: String,
    pub(super) patterns: Vec<PatternRule>,
}

impl Variant {
    pub(super) fn new(agent: &str) -> Variant {
        Variant { agent: agent.to_owned(), patterns: Vec::new() }
    }

    /// The same with one more pattern.
    pub(super) fn with_pattern(&self, pattern: &str, value: PatternEffect) -> Variant {
        let mut variant = self.clone();
        variant.patterns.push(PatternRule::new(pattern, value));
        variant
    }

    /// The agent; with patterns, under this name.
    ///
    /// # Errors
    /// If there is no such agent, or patterns were added to one that is not described by a recipe.
    pub(super) fn spec(&self, name: &str) -> Result<AgentSpec, LabError> {
        match AgentSpec::parse(&self.agent)? {
            spec if self.patterns.is_empty() => Ok(spec),
            AgentSpec::Recipe(recipe) => Ok(AgentSpec::Recipe(Box::new(self.added(*recipe, name)))),
            _ => Err(RaceError::NoRecipe { agent: self.agent.clone() }.into()),
        }
    }

    /// The recipe as a file; none if the agent is described by none.
    pub(super) fn recipe(&self) -> Option<String> {
        match self.spec(&self.agent).ok()? {
            AgentSpec::Recipe(recipe) => Some(recipe.to_toml()),
            _ => None,
        }
    }

    fn added(&self, recipe: Recipe, name: &str) -> Recipe {
        self.patterns.iter().cloned().fold(recipe, |recipe, rule| recipe.with_pattern(rule, name))
    }
}

faults! {
    /// Why patterns do not race.
    RaceError {
        NoRecipe { agent: String } => "{agent} is not a recipe, so no pattern can be added to it",
        FewPatterns { found: usize, tried: usize, needed: usize } =>
            "only {found} of {tried} random patterns match often enough and change enough searches; {needed} are needed; allow other rates",
    }
}
