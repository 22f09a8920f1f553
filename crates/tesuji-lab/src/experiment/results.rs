//! What the record of an experiment says.

use super::{Experiment, Plan, RatingRow, Row};
use crate::LabError;
use crate::csv_table::csv_table;
use crate::decisions::{self, DecisionRow};
use crate::incentives::{LearningRow, PointRow};
use crate::race::RaceResults;
use crate::store::Store;
use crate::train::TrainingResults;
use crate::trials::found;
use crate::tune::TuningResults;
use serde::Serialize;

/// The table of an experiment: a line for everything that has games or trials, in the order of the file.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Results {
    /// Of matches.
    Matches(Vec<Row>),
    /// Of a round robin.
    RoundRobin {
        /// The agents, best first.
        ratings: Vec<RatingRow>,
        /// The matches.
        matches: Vec<Row>,
    },
    /// Of a tuning.
    Tuning(Box<TuningResults>),
    /// Of races.
    Race(Box<RaceResults>),
    /// Of a training.
    Train(Box<TrainingResults>),
    /// Of decisions.
    Decisions(Vec<DecisionRow>),
    /// Of incentives.
    Incentives(Vec<LearningRow>),
    /// Of matches for points.
    Points(Vec<PointRow>),
}

impl Results {
    /// What a store says that was begun by an experiment or by a match; none if nothing was begun in it.
    ///
    /// # Errors
    /// If the store fails, or its experiment file is none that this program reads.
    pub fn read(store: &Store) -> Result<Option<Results>, LabError> {
        let Some(description) = store.description()? else { return Ok(None) };
        if description.kind == "match" {
            return Row::all(store).map(Results::Matches).map(Some);
        }
        let experiment = Experiment::parse("experiment.toml", &description.file)?;
        Results::of(&experiment.plan, store).map(Some)
    }

    /// What a store says of a plan that was begun in it.
    ///
    /// # Errors
    /// If the store fails.
    pub fn of(plan: &Plan, store: &Store) -> Result<Results, LabError> {
        Ok(match plan {
            Plan::Matches(_) | Plan::Sweep(_) => Results::Matches(Row::all(store)?),
            Plan::RoundRobin(plan) => {
                Results::RoundRobin { ratings: plan.ratings(store)?, matches: Row::all(store)? }
            }
            Plan::Tuning(plan) => Results::Tuning(Box::new(TuningResults::of(plan, store)?)),
            Plan::Race(plan) => Results::Race(Box::new(RaceResults::of(plan, store)?)),
            Plan::Train(plan) => Results::Train(Box::new(TrainingResults::of(plan, store)?)),
            Plan::Decisions(plan) => Results::Decisions(decisions::rows(plan, store)?),
            Plan::Incentives(cells) => {
                let made = cells.iter().zip(found(cells, store)?);
                Results::Incentives(
                    made.filter_map(|(cell, trials)| LearningRow::of(cell, &trials)).collect(),
                )
            }
            Plan::Points(cells) => {
                let made = cells.iter().zip(found(cells, store)?);
                Results::Points(made.filter_map(|(cell, trials)| PointRow::of(cell, &trials)).collect())
            }
        })
    }

    /// Of a plan of which nothing was done.
    pub(super) fn none(plan: &Plan) -> Results {
        match plan {
            Plan::Matches(_) | Plan::Sweep(_) => Results::Matches(Vec::new()),
            Plan::RoundRobin(_) => Results::RoundRobin { ratings: Vec::new(), matches: Vec::new() },
            Plan::Tuning(_) => Results::Tuning(Box::default()),
            Plan::Race(_) => Results::Race(Box::default()),
            Plan::Train(_) => Results::Train(Box::default()),
            Plan::Decisions(_) => Results::Decisions(Vec::new()),
            Plan::Incentives(_) => Results::Incentives(Vec::new()),
            Plan::Points(_) => Results::Points(Vec::new()),
        }
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        match self {
            Results::Matches(rows) | Results::RoundRobin { matches: rows, .. } => rows.is_empty(),
            Results::Tuning(tuning) => tuning.evaluations.is_empty(),
            Results::Race(races) => races.arms.is_empty(),
            Results::Train(training) => training.iterations.is_empty(),
            Results::Decisions(rows) => rows.is_empty(),
            Results::Incentives(rows) => rows.is_empty(),
            Results::Points(rows) => rows.is_empty(),
        }
    }

    /// Further tables as CSV, each with what is added to its name: the ratings of a round robin; what a tuning recommends,
    /// its validation and what is drawn of it; what races accepted, its fresh games and the bounds of all arms; the measured checkpoints of a
    /// training.
    ///
    /// # Errors
    /// None in practice.
    pub fn further_csv(&self) -> Result<Vec<(&'static str, String)>, LabError> {
        match self {
            Results::RoundRobin { ratings, .. } => Ok(vec![("ratings", csv_table(ratings)?)]),
            Results::Tuning(tuning) => tuning.further(),
            Results::Race(races) => races.further(),
            Results::Train(training) => training.further(),
            _ => Ok(Vec::new()),
        }
    }

    /// The agent that came out of it, as a recipe in TOML.
    pub fn recipe(&self) -> Option<&str> {
        match self {
            Results::Race(races) => races.recipe.as_deref(),
            _ => None,
        }
    }

    /// A picture of what came out of it, as SVG.
    pub fn picture(&self) -> Option<String> {
        match self {
            Results::Race(races) => races.sheet(),
            _ => None,
        }
    }

    /// As CSV, under a header; of a round robin the matches.
    ///
    /// # Errors
    /// None in practice: a row is a list of numbers and texts.
    pub fn csv(&self) -> Result<String, LabError> {
        match self {
            Results::Matches(rows) | Results::RoundRobin { matches: rows, .. } => csv_table(rows),
            Results::Tuning(tuning) => tuning.csv(),
            Results::Race(races) => races.csv(),
            Results::Train(training) => training.csv(),
            Results::Decisions(rows) => csv_table(rows),
            Results::Incentives(rows) => csv_table(rows),
            Results::Points(rows) => csv_table(rows),
        }
    }
}
