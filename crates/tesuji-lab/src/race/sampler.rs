//! Random patterns that are worth a race.

use super::patterns::PatternPlan;
use super::sample::SampledPattern;
use super::variant::{RaceError, Variant};
use crate::agent::Factory;
use crate::agent_spec::AgentSpec;
use crate::conditions::Limit;
use crate::engine_limits::EngineLimits;
use crate::error::LabError;
use std::collections::HashSet;
use tesuji::recipe::PatternEffect;
use tesuji::{Budget, Reply, Rng, Stop};
use tesuji_agents::Playable;
use tesuji_go::pattern::Generator;

/// The number of patterns that the sampler looks at for each that is wanted.
const TRIES: usize = 2000;

/// Where the patterns of a race are drawn from, and which are kept.
pub(crate) struct PatternSampler<'a> {
    pub(super) plan: &'a PatternPlan,
    pub(super) base: Variant,
    pub(super) value: PatternEffect,
    pub(super) seen: HashSet<&'a str>,
    pub(super) games: &'a [Vec<String>],
    pub(super) budget: Budget,
    pub(super) seed: u64,
    pub(super) stop: &'a Stop,
}

impl PatternSampler<'_> {
    pub(crate) fn run<G: Playable>(self, start: &G) -> Result<Option<Vec<SampledPattern>>, LabError> {
        let PatternSampler { plan, base, value, seen, games, budget, seed, stop } = self;
        let corpus = positions(start, games);
        let step = (corpus.len() / plan.searches).max(1);
        let places: Vec<usize> = (0..corpus.len()).step_by(step).take(plan.searches).collect();
        let choices = |variant: &Variant| choices(start, variant, &corpus, &places, &budget, seed);
        let usual = choices(&base)?;
        let mut drawn = Vec::new();
        let patterns = Generator::new(seed, plan.radius).absolute(plan.absolute);
        for pattern in patterns.take(TRIES * plan.each) {
            if stop.is_stopped() {
                return Ok(None);
            }
            let pattern = pattern.to_string();
            if seen.contains(pattern.as_str()) {
                continue;
            }
            let match_rate = match_rate(start, &pattern, &corpus)?;
            if !(plan.match_rate[0]..=plan.match_rate[1]).contains(&match_rate) {
                continue;
            }
            let other = choices(&base.with_pattern(&pattern, value))?;
            // What a search chose that was stopped counts for nothing.
            if stop.is_stopped() {
                return Ok(None);
            }
            let changed = usual.iter().zip(&other).filter(|(a, b)| a != b).count();
            let changed = changed as f64 / places.len() as f64;
            if value == PatternEffect::Neutral || changed >= plan.changed {
                drawn.push(SampledPattern { pattern, match_rate, changed });
            }
            if drawn.len() == plan.each {
                return Ok(Some(drawn));
            }
        }
        let (found, tried, needed) = (drawn.len(), TRIES * plan.each, plan.each);
        Err(RaceError::FewPatterns { found, tried, needed }.into())
    }
}

/// The positions of the games in which a move was played.
fn positions<G: Playable>(start: &G, games: &[Vec<String>]) -> Vec<G> {
    let mut positions = Vec::new();
    for moves in games {
        let mut game = start.clone();
        for text in moves {
            let Some(m) = game.parse_move(text) else { break };
            positions.push(game.clone());
            game.play(m);
        }
    }
    positions
}

/// The share of the moves worth a search that the pattern matches.
fn match_rate<G: Playable>(start: &G, pattern: &str, corpus: &[G]) -> Result<f64, LabError> {
    let advisor = start.advisor(&[(pattern, i8::MAX)]).map_err(LabError::input)?;
    let share = start.keys() / 2;
    let (mut moves, mut matched, mut all) = (Vec::new(), 0, 0);
    for game in corpus {
        let mut advice = vec![0; share];
        advisor.advise(game, &mut advice);
        moves.clear();
        game.search_moves(&mut moves);
        let first = game.to_move().index() * share;
        matched += moves.iter().filter(|&&m| advice[game.key(m) - first] != 0).count();
        all += moves.len();
    }
    Ok(matched as f64 / all.max(1) as f64)
}

/// What the variant plays in these positions.
fn choices<G: Playable>(
    start: &G,
    variant: &Variant,
    corpus: &[G],
    places: &[usize],
    budget: &Budget,
    seed: u64,
) -> Result<Vec<Option<G::Move>>, LabError> {
    let spec: AgentSpec = variant.spec("")?;
    let budget = match spec.limit() {
        Some(Limit::Playouts(own)) => &Budget { simulations: Some(own), ..budget.clone() },
        _ => budget,
    };
    let mut bot =
        Factory::<G>::bot(&spec.factory(None, EngineLimits::default()), start).map_err(LabError::input)?;
    let choice = |&place: &usize| {
        bot.new_game(start, Rng::derive(seed, place as u64)).map_err(LabError::failed)?;
        match bot.genmove(&corpus[place], budget, &mut ()).map_err(LabError::failed)? {
            Reply::Play(report) => Ok(Some(report.best)),
            Reply::Resign => Ok(None),
        }
    };
    places.iter().map(choice).collect()
}
