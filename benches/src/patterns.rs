//! Random patterns, as a search for good ones would try them.

use std::hint::black_box;
use tesuji::recipe::{PatternEffect, PatternRule, Recipe};
use tesuji::{Advisor, Budget, Game, Playouts, Rng};
use tesuji_go::pattern::{Feature, FeatureAdvisor, Generator, Matcher, Pattern};
use tesuji_go::{Go9, Rules};

/// Shares of the empty points of random positions that a pattern worth a trial matches.
const RATES: (f64, f64) = (0.001, 0.05);

/// Positions on 9x9 after up to 60 random moves.
fn positions() -> Vec<Go9> {
    let mut rng = Rng::new(1);
    let mut position = || {
        let mut go = Go9::new(9, Rules::default());
        for _ in 0..rng.below(60) {
            let m = go.playout_move(&mut rng, &mut Vec::new());
            go.play(m);
        }
        go
    };
    (0..256).map(|_| position()).collect()
}

/// The first `count` random patterns that match often enough and not too often.
fn patterns(count: usize, positions: &[Go9]) -> Vec<Pattern> {
    let empty: usize =
        positions.iter().map(|go| go.points().filter(|&v| go.stone(v).is_none()).count()).sum();
    let is_worth_a_trial = |pattern: &Pattern| {
        let (matcher, mut found) = (Matcher::new(9, std::slice::from_ref(pattern)), 0);
        positions.iter().for_each(|go| matcher.find(go, |_, _| found += 1));
        (RATES.0..=RATES.1).contains(&(f64::from(found) / empty as f64))
    };
    Generator::new(1, 3).filter(is_worth_a_trial).take(count).collect()
}

/// Advice by `count` patterns on `n` positions.
pub(crate) fn advise(count: usize, n: u64) -> u64 {
    let positions = positions();
    let patterns = patterns(count, &positions);
    let features = patterns.into_iter().map(Feature::Pattern);
    let weighted: Vec<(Feature, i8)> = features.zip([127, -127].into_iter().cycle()).collect();
    let advisor = FeatureAdvisor::new(9, &weighted);
    let mut sum = 0;
    for go in positions.iter().cycle().take(n as usize) {
        let mut advice = [0; 82];
        advisor.advise(black_box(go), &mut advice);
        sum += advice.iter().filter(|&&h| h != 0).count() as u64;
    }
    sum
}

/// Searches from the empty board with `count` patterns.
pub(crate) fn searches(spec: &str, count: usize, n: u64) -> u64 {
    let recipe = patterns(count, &positions())
        .into_iter()
        .zip([PatternEffect::Good, PatternEffect::Bad].into_iter().cycle());
    let recipe = recipe.fold(Recipe::parse(spec).unwrap(), |recipe, (pattern, value)| {
        recipe.with_pattern(PatternRule::new(pattern.to_string(), value), "patterns")
    });
    let start = Go9::new(9, Rules::default());
    let nodes = |seed| {
        let mut search = recipe.search(&start, seed).unwrap();
        search.run(&start, &Budget::simulations(n)).unwrap().nodes as u64
    };
    (1..=5).map(nodes).sum()
}
