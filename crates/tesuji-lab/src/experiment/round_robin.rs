//! Round robins: every agent against every other.

use super::Cell;
use super::cell::{cell_of, slug};
use crate::LabError;
use crate::csv_table::rounded;
use crate::stats::{Encounter, ratings};
use crate::store::Store;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// Matches of every agent against every other one.
///
/// ```
/// # use tesuji_lab::{Experiment, Plan};
/// let text = r#"
///     kind = "round-robin"
///     name = "baselines"
///     game = "connect-four"
///     games = 40               # of each two agents
///     playouts = 100
///     agents = ["uct", "mast", "flat-mc,playouts=400"]
///     anchor = "uct"           # has Elo 0; without it the mean of all has
/// "#;
/// let Plan::RoundRobin(plan) = Experiment::parse("baselines.toml", text)?.plan else { unreachable!() };
/// assert_eq!(plan.cells.len(), 3);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RoundRobin {
    /// The agents, at least two, each once.
    pub agents: Vec<String>,
    /// The index of the agent whose Elo is 0.
    pub anchor: Option<usize>,
    /// The matches: those of the first agent, those of the second against later ones, and so on. The other keys of the file
    /// are their settings.
    pub cells: Vec<Cell>,
}

/// The rating of one agent of a round robin: a line of the CSV file `EXPERIMENT-ratings`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatingRow {
    /// The agent.
    pub agent: String,
    /// Its Elo by [`ratings`] with one drawn game more for each two that met, relative to the anchor's or to the mean of all; none
    /// if no games connect it with them.
    pub elo: Option<f64>,
    /// Lower end of its interval, 95 %.
    pub elo_lo: Option<f64>,
    /// Its upper end.
    pub elo_hi: Option<f64>,
    /// Its games.
    pub games: u64,
    /// Its points over its games.
    pub score: f64,
}

impl RoundRobin {
    /// From the keys of a file.
    pub(super) fn read(mut common: Table) -> Result<RoundRobin, String> {
        let accepted = "accepted: agents = [\"uct\", \"mast\", ...], at least two, all different";
        let Some(Value::Array(list)) = common.remove("agents") else {
            return Err(format!("agents is missing or no list; {accepted}"));
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
                cells.push(cell_of(table)?);
            }
        }
        Ok(RoundRobin { agents, anchor, cells })
    }

    /// The ratings, best first.
    ///
    /// # Errors
    /// If the store fails.
    pub fn ratings(&self, store: &Store) -> Result<Vec<RatingRow>, LabError> {
        let place = |agent: &str| self.agents.iter().position(|own| own == agent);
        let (mut encounters, mut records) = (Vec::new(), vec![(0, 0.0); self.agents.len()]);
        for planned in store.matches()? {
            let (Some(a), Some(b)) = (place(&planned.a), place(&planned.b)) else { continue };
            let counted = store.counted_games(&planned)?;
            let counts = store.tally(&planned.matchup, counted, planned.disputed)?.best_counts();
            if counts.games() == 0 {
                continue;
            }
            encounters.push(Encounter::of(a, b, &counts));
            for (side, points) in [(a, counts.points()), (b, counts.games() as f64 - counts.points())] {
                records[side].0 += counts.games();
                records[side].1 += points;
            }
        }
        let rated = ratings(self.agents.len(), &encounters, self.anchor, 1.0, 0.95);
        let elo = |x: f64| rounded(x, 1);
        let mut rows: Vec<RatingRow> = (self.agents.iter().zip(rated).zip(records))
            .map(|((agent, rating), (games, points))| RatingRow {
                agent: agent.clone(),
                elo: rating.map(|r| elo(r.elo)),
                elo_lo: rating.map(|r| elo(r.elo - r.error)),
                elo_hi: rating.map(|r| elo(r.elo + r.error)),
                games,
                score: rounded(points / (games as f64).max(1.0), 6),
            })
            .collect();
        let strength = |row: &RatingRow| row.elo.unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        Ok(rows)
    }
}
