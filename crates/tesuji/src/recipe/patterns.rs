//! Patterns in recipes.

use super::{Recipe, RecipeError};
use crate::bias::{Advisor, Bias};
use crate::game::SearchGame;
use core::fmt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// A pattern of a recipe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PatternRule {
    /// The pattern as the game writes it, as in `+2+1:O +3+0:* -1-1:.` for Go.
    pub pattern: String,
    /// The kind of the moves that the pattern matches. Default: good.
    #[serde(default)]
    pub value: PatternEffect,
    /// The size of h for a good or bad pattern, see part `bias`. Default: 1.
    ///
    /// Range: 0 to 1.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight: f32,
    /// The evidence for the pattern, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// Whether the moves that a pattern matches are better or worse than others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PatternEffect {
    /// Better.
    #[default]
    Good,
    /// Worse.
    Bad,
    /// Neither: the pattern changes nothing.
    Neutral,
}

impl fmt::Display for PatternEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PatternEffect::Good => "good",
            PatternEffect::Bad => "bad",
            PatternEffect::Neutral => "neutral",
        })
    }
}

impl PatternRule {
    /// A pattern of which nothing is known.
    pub fn new(pattern: impl Into<String>, value: PatternEffect) -> PatternRule {
        PatternRule { pattern: pattern.into(), value, weight: 1.0, evidence: String::new() }
    }

    /// 127 h.
    fn advice(&self) -> i8 {
        (self.weight * f32::from(self.value.advice())).round() as i8
    }
}

impl PatternEffect {
    /// 127 h.
    fn advice(self) -> i8 {
        match self {
            PatternEffect::Good => i8::MAX,
            PatternEffect::Bad => -i8::MAX,
            PatternEffect::Neutral => 0,
        }
    }
}

impl Recipe {
    /// The patterns that bias the tree policy, and playouts that
    /// [take](crate::Playout::take_patterns) them.
    pub fn patterns(&self) -> &[PatternRule] {
        &self.agent.patterns
    }

    /// The same agent under another name, with one more pattern.
    pub fn with_pattern(&self, rule: PatternRule, name: impl Into<String>) -> Recipe {
        let mut recipe = Recipe { name: name.into(), agent: self.agent.clone() };
        recipe.agent.patterns.push(rule);
        recipe
    }

    /// The patterns with their weights 127 h.
    pub(super) fn advice(&self) -> Vec<(&str, i8)> {
        self.patterns().iter().map(|rule| (rule.pattern.as_str(), rule.advice())).collect()
    }

    /// What the game makes of the patterns, if there are any.
    pub(super) fn advisor<G: SearchGame>(
        &self,
        start: &G,
    ) -> Result<Option<Arc<dyn Advisor<G>>>, RecipeError> {
        let patterns = self.advice();
        if patterns.is_empty() {
            return Ok(None);
        }
        start.advisor(&patterns).map(Some).map_err(|error| self.clash(&std::format!("`patterns`: {error}")))
    }
}

fn whole() -> f32 {
    1.0
}

// Serde gives a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_whole(weight: &f32) -> bool {
    *weight == 1.0
}

/// The bias as a table of a recipe.
pub(super) fn bias_text(bias: Bias) -> String {
    #[derive(Serialize)]
    struct Settings {
        bias: Bias,
    }
    toml::to_string(&Settings { bias }).unwrap_or_default()
}
