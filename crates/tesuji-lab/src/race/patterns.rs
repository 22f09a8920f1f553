//! Which patterns are drawn for races.

use serde::Deserialize;
use tesuji::recipe::PatternEffect;

/// Patterns, drawn at random, that race.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatternPlan {
    /// The effect of the patterns in each race: good, bad, or neutral, which changes nothing.
    /// Default: good, then bad.
    pub races: Vec<PatternEffect>,
    /// Patterns in each race. Default: 8.
    pub each: usize,
    /// The radius of the patterns around a point, 1 to 3. Default: 3.
    pub radius: i8,
    /// Whether patterns name stones by colour instead of by owner. Default: false.
    pub absolute: bool,
    /// The least and the largest share of the moves of a corpus of positions that a pattern must
    /// match. Default: 0.001 and 0.05.
    pub match_rate: [f64; 2],
    /// The least share of searches whose move it must change. Neutral patterns need not change any.
    /// Default:
    /// 0.01.
    pub changed: f64,
    /// Games of the base against itself for the corpus. Default: 40.
    pub games: u64,
    /// Searches, from positions of the corpus. Default: 200.
    pub searches: usize,
}

impl Default for PatternPlan {
    /// A race of 8 good ones and a race of 8 bad ones, radius 3, own and enemy stones, a match rate
    /// between 0.001 and 0.05, 0.01 of 200 searches changed, 40 games.
    fn default() -> PatternPlan {
        PatternPlan {
            races: vec![PatternEffect::Good, PatternEffect::Bad],
            each: 8,
            radius: 3,
            absolute: false,
            match_rate: [0.001, 0.05],
            changed: 0.01,
            games: 40,
            searches: 200,
        }
    }
}

impl PatternPlan {
    pub(super) fn check(&self) -> Result<(), String> {
        let [least, most] = self.match_rate;
        let wrong = |key: &str, value: &dyn std::fmt::Debug, accepted: &str| {
            Err(format!("patterns: {key} is {value:?}; accepted: {accepted}"))
        };
        if self.races.is_empty() {
            return wrong("races", &self.races, "a list of \"good\", \"bad\" and \"neutral\"");
        }
        if self.each == 0 {
            return wrong("each", &self.each, "at least 1");
        }
        if !(1..=tesuji_go::pattern::RADIUS).contains(&self.radius) {
            return wrong("radius", &self.radius, "1 to 3");
        }
        if !(least >= 0.0 && least < most && most <= 1.0) {
            return wrong("match_rate", &self.match_rate, "two rates, the lower one first");
        }
        if !(0.0..1.0).contains(&self.changed) {
            return wrong("changed", &self.changed, "at least 0, below 1");
        }
        if self.games == 0 || self.searches == 0 {
            return Err("patterns: games or searches is 0; accepted: at least 1".to_owned());
        }
        Ok(())
    }
}
