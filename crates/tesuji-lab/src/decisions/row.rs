//! One line of a table of decisions.

use super::part::{Decision, Part};
use super::plan::{Cell, Decisions};
use crate::LabError;
use crate::csv_table::{rounded, significant};
use crate::stats::{McNemar, holm, wilson};
use crate::store::Store;
use crate::trials::found;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The failures of one agent in one setting with one number of simulations: a line of the experiment's CSV file.
/// The `robust_` columns are about the most visited move of the root, the `max_` columns about the move of the
/// highest value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DecisionRow {
    /// The setting, the agent and c.
    pub name: String,
    /// The setting.
    pub setting: String,
    /// The agent.
    pub agent: String,
    /// Its recipe.
    pub recipe: String,
    /// The kind of tree.
    pub game: String,
    /// The exploration constant.
    pub c: f64,
    /// Simulations.
    pub simulations: u64,
    /// The first seed of the trees.
    pub seed: u64,
    /// Trees asked for by the file.
    pub planned: u64,
    /// Trees decided.
    pub trees: u64,
    /// Trees at which the agent failed.
    pub robust_failures: u64,
    /// Failures over trees.
    pub robust_rate: f64,
    /// Lower end of Wilson's interval, 95 %.
    pub robust_lo: f64,
    /// Its upper end.
    pub robust_hi: f64,
    /// The same for the move of the highest value.
    pub max_failures: u64,
    /// Failures over trees.
    pub max_rate: f64,
    /// Lower end of Wilson's interval, 95 %.
    pub max_lo: f64,
    /// Its upper end.
    pub max_hi: f64,
    /// The name of the row with which this one is compared, tree by tree.
    pub against: Option<String>,
    /// Trees at which this agent fails and the other does not.
    pub robust_worse: Option<u64>,
    /// Trees at which the other fails and this one does not.
    pub robust_better: Option<u64>,
    /// McNemar's z, below 0 if this agent fails less often.
    pub robust_z: Option<f64>,
    /// McNemar's exact p-value, two-sided.
    pub robust_p: Option<f64>,
    /// The same, corrected by the method of Holm for the number of comparisons with as many simulations.
    pub robust_holm: Option<f64>,
    /// As `robust_worse`.
    pub max_worse: Option<u64>,
    /// As `robust_better`.
    pub max_better: Option<u64>,
    /// As `robust_z`.
    pub max_z: Option<f64>,
    /// As `robust_p`.
    pub max_p: Option<f64>,
    /// As `robust_holm`.
    pub max_holm: Option<f64>,
}

/// One rule for the final move: what it looks at, and where its numbers go.
type Rule = (fn(&Decision) -> bool, fn(&mut DecisionRow) -> Columns<'_>);

struct Columns<'a> {
    worse: &'a mut Option<u64>,
    better: &'a mut Option<u64>,
    z: &'a mut Option<f64>,
    p: &'a mut Option<f64>,
    holm: &'a mut Option<f64>,
}

const RULES: [Rule; 2] = [
    (
        |decision| decision.robust_fails,
        |row| Columns {
            worse: &mut row.robust_worse,
            better: &mut row.robust_better,
            z: &mut row.robust_z,
            p: &mut row.robust_p,
            holm: &mut row.robust_holm,
        },
    ),
    (
        |decision| decision.max_fails,
        |row| Columns {
            worse: &mut row.max_worse,
            better: &mut row.max_better,
            z: &mut row.max_z,
            p: &mut row.max_p,
            holm: &mut row.max_holm,
        },
    ),
];

/// Decisions by the number of their tree.
type ByTree = BTreeMap<u64, Decision>;

/// The rows of all cells with decisions.
pub(crate) fn rows(plan: &Decisions, store: &Store) -> Result<Vec<DecisionRow>, LabError> {
    let (cells, parts) = (plan.cells()?, plan.parts()?);
    let by_tree = |trials: BTreeMap<u64, Vec<f64>>| -> ByTree {
        trials.into_iter().map(|(tree, figures)| (tree, Decision::of(&figures))).collect()
    };
    let decided: BTreeMap<(usize, u64), ByTree> =
        parts.iter().map(Part::place).zip(found(&parts, store)?.into_iter().map(by_tree)).collect();
    let mut rows: Vec<DecisionRow> = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        for &simulations in &plan.simulations {
            let Some(own) = decided.get(&(i, simulations)).filter(|own| !own.is_empty()) else { continue };
            let mut row = row(plan, cell, simulations, own);
            let rival = plan.rival(&cells, i);
            if let Some((rival, other)) = rival.and_then(|j| Some((j, decided.get(&(j, simulations))?))) {
                row.against = Some(cells[rival].name.clone());
                for (fails, columns) in RULES {
                    let pairs = own
                        .iter()
                        .filter_map(|(tree, decision)| Some((fails(decision), fails(other.get(tree)?))));
                    let test = McNemar::of(pairs);
                    let columns = columns(&mut row);
                    *columns.worse = Some(test.worse);
                    *columns.better = Some(test.better);
                    *columns.z = Some(rounded(test.z(), 3));
                    *columns.p = Some(significant(test.p()));
                }
            }
            rows.push(row);
        }
    }
    // What was not compared yet will be: it counts as a comparison that shows nothing.
    let comparisons = (0..cells.len()).filter(|&i| plan.rival(&cells, i).is_some()).count();
    for &simulations in &plan.simulations {
        for (_, columns) in RULES {
            let mut compared: Vec<&mut DecisionRow> = rows
                .iter_mut()
                .filter(|row| row.simulations == simulations && row.against.is_some())
                .collect();
            let mut p: Vec<f64> = compared.iter_mut().map(|row| (*columns(row).p).unwrap_or(1.0)).collect();
            p.resize(comparisons.max(p.len()), 1.0);
            for (row, p) in compared.into_iter().zip(holm(&p)) {
                *columns(row).holm = Some(significant(p));
            }
        }
    }
    Ok(rows)
}

fn row(plan: &Decisions, cell: &Cell, simulations: u64, own: &ByTree) -> DecisionRow {
    let setting = &plan.settings[cell.setting];
    let trees = own.len() as u64;
    let [robust, max] =
        RULES.map(|(fails, _)| own.values().filter(|decision| fails(decision)).count() as u64);
    let interval = |failures: u64| wilson(failures as f64, trees as f64, 0.95);
    let rate = |x: f64| rounded(x, 5);
    DecisionRow {
        name: cell.name.clone(),
        setting: setting.name.clone(),
        agent: cell.agent.clone(),
        recipe: cell.recipes[&simulations].name().to_owned(),
        game: setting.game(),
        c: cell.c,
        simulations,
        seed: plan.seed,
        planned: plan.trees,
        trees,
        robust_failures: robust,
        robust_rate: rate(robust as f64 / trees as f64),
        robust_lo: rate(interval(robust).lo),
        robust_hi: rate(interval(robust).hi),
        max_failures: max,
        max_rate: rate(max as f64 / trees as f64),
        max_lo: rate(interval(max).lo),
        max_hi: rate(interval(max).hi),
        against: None,
        robust_worse: None,
        robust_better: None,
        robust_z: None,
        robust_p: None,
        robust_holm: None,
        max_worse: None,
        max_better: None,
        max_z: None,
        max_p: None,
        max_holm: None,
    }
}
