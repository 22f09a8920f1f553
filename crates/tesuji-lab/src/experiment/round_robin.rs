//! Round robins: every agent against every other.

use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::match_config::{MatchConfig, match_config_of, slug};
use crate::experiment::match_table::match_table;
use crate::experiment::results::Results;
use crate::stats::{Encounter, Rating, ratings};
use crate::store::Store;
use crate::table::{Row, Table, rounded};
use serde_json::json;
use std::collections::HashSet;
use toml::Value;

/// Matches of every agent against every other one.
///
/// ```
/// # use tesuji_lab::{Experiment, RoundRobin};
/// let text = r#"
///     kind = "round-robin"
///     name = "baselines"
///     game = "connect-four"
///     games = 40               # of each two agents
///     playouts = 100
///     agents = ["uct", "mast", "flat-mc,playouts=400"]
///     anchor = "uct"           # has Elo 0; without it the mean of all has
/// "#;
/// let experiment = Experiment::parse("baselines.toml", text)?;
/// let plan: &RoundRobin = experiment.plan_as().expect("its kind says so");
/// assert_eq!(plan.cells.len(), 3);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RoundRobin {
    /// The agents, at least two, each once.
    pub agents: Vec<String>,
    /// The index of the agent whose Elo is 0.
    pub anchor: Option<usize>,
    /// The matches: those of the first agent, those of the second against later ones, and so on.
    /// The other keys of the file are their settings.
    pub cells: Vec<MatchConfig>,
}

impl Kind for RoundRobin {
    fn kind(&self) -> &'static str {
        "round-robin"
    }

    fn matches(&self) -> Result<Vec<MatchConfig>, LabError> {
        Ok(self.cells.clone())
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.rated(store)
    }
}

impl RoundRobin {
    /// From the keys of a file.
    pub(super) fn read(mut common: toml::Table) -> Result<RoundRobin, String> {
        let accepted = "accepted: agents = [\"uct\", \"mast\", ...], at least two, all different";
        let Some(Value::Array(list)) = common.remove("agents") else {
            return Err(format!("agents is missing or not a list; {accepted}"));
        };
        let agents: Vec<String> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let slugs: Vec<String> = agents.iter().map(|agent| slug(agent)).collect();
        if agents.len() != list.len() || agents.len() < 2 {
            return Err(format!("agents is {}; {accepted}", Value::Array(list)));
        }
        if let Some(i) = (1..slugs.len()).find(|&i| slugs[..i].contains(&slugs[i])) {
            return Err(format!(
                "agents has {:?} twice, or one that is named like it; {accepted}",
                agents[i]
            ));
        }
        let anchor = match common.remove("anchor") {
            None => None,
            Some(anchor) => {
                let index =
                    anchor.as_str().and_then(|anchor| agents.iter().position(|agent| agent == anchor));
                Some(index.ok_or_else(|| format!("anchor is {anchor}; accepted: {}", agents.join(", ")))?)
            }
        };
        let mut cells = Vec::new();
        for a in 0..agents.len() {
            for b in a + 1..agents.len() {
                let mut table = common.clone();
                for (key, text) in
                    [("name", &format!("{}-{}", slugs[a], slugs[b])), ("a", &agents[a]), ("b", &agents[b])]
                {
                    if table.insert(key.to_owned(), Value::String(text.clone())).is_some() {
                        return Err(format!("a round robin has no key {key}; {accepted}"));
                    }
                }
                cells.push(match_config_of(table)?);
            }
        }
        let mut names = HashSet::new();
        if let Some(twice) = cells.iter().find(|cell| !names.insert(&cell.name)) {
            return Err(format!(
                "two matches would be named {}; accepted: other names of agents",
                twice.name
            ));
        }
        Ok(RoundRobin { agents, anchor, cells })
    }

    /// What a store says: the matches, and the ratings of the agents, best first.
    fn rated(&self, store: &Store) -> Result<Results, LabError> {
        let (matches, ratings) = (match_table("matches", store, |_| true)?, self.ratings(store)?);
        let json = json!({ "ratings": ratings.json(), "matches": matches.json() });
        let line = |row: usize| {
            let at = |column| ratings.at(row, column);
            let [elo, lo, hi] = ["elo", "elo_lo", "elo_hi"]
                .map(|column| at(column).number().map_or("?".to_owned(), |x| format!("{x:+.1}")));
            format!(
                "{:<32} Elo {elo}  95 % in [{lo}, {hi}]  {} games  score {:.3}",
                at("agent"),
                at("games"),
                at("score").number().unwrap_or(0.0)
            )
        };
        let ending = (0..ratings.len()).map(line).collect();
        Ok(Results { tables: vec![matches, ratings], ending, json, unit: "games", ..Results::default() })
    }

    /// Elo by [`ratings`] with one drawn game more for each two that met, relative to the anchor's
    /// or to the mean of all; empty if no games connect an agent with them.
    fn ratings(&self, store: &Store) -> Result<Table, LabError> {
        let place = |agent: &str| self.agents.iter().position(|own| own == agent);
        let (mut encounters, mut records) = (Vec::new(), vec![(0_u64, 0.0); self.agents.len()]);
        for planned in store.matches()? {
            let (Some(a), Some(b)) = (place(&planned.a), place(&planned.b)) else { continue };
            let counted = store.counted_games(&planned)?;
            let tally = store.tally(&planned.matchup, counted, planned.disputed)?;
            let counts = tally.counts();
            if counts.games() == 0 {
                continue;
            }
            encounters.push(Encounter::of(a, b, &tally.independent_counts()));
            for (side, points) in [(a, counts.points()), (b, counts.games() as f64 - counts.points())] {
                records[side].0 += counts.games();
                records[side].1 += points;
            }
        }
        let rated = ratings(self.agents.len(), &encounters, self.anchor, 1.0, 0.95);
        let mut rows: Vec<_> = self.agents.iter().zip(rated).zip(records).collect();
        let strength = |rating: &Option<Rating>| rating.map_or(f64::NEG_INFINITY, |r| rounded(r.elo, 1));
        rows.sort_by(|((_, a), _), ((_, b), _)| strength(b).total_cmp(&strength(a)));
        let row = |((agent, rating), (games, points)): ((&String, Option<Rating>), (u64, f64))| {
            let elo = |of: fn(Rating) -> f64| rating.map(|rating| rounded(of(rating), 1));
            Row::new()
                .with("agent", agent)
                .with("elo", elo(|r| r.elo))
                .unit("Elo")
                .with("elo_lo", elo(|r| r.elo - r.error))
                .unit("Elo")
                .with("elo_hi", elo(|r| r.elo + r.error))
                .unit("Elo")
                .with("games", games)
                .with("score", rounded(points / (games as f64).max(1.0), 6))
        };
        Ok(Table::new("ratings", rows.into_iter().map(row)))
    }
}
