//! The table of decisions.

use crate::decisions::plan::Decisions;
use crate::decisions::trials::{Decision, DecisionTrials};
use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::experiment::steps::{ListedSteps, Steps};
use crate::stats::{McNemar, holm, wilson};
use crate::store::Store;
use crate::table::{Row, Shown, Table, rounded, significant};
use crate::trials::{Trial, found};
use std::collections::BTreeMap;

/// A rule for the final move: the most visited move of the root, then the move of the highest
/// value.
type Rule = (&'static str, fn(&Decision) -> bool);

const RULES: [Rule; 2] =
    [("robust", |decision| decision.robust_fails != 0.0), ("max", |decision| decision.max_fails != 0.0)];

/// Decisions by the number of their tree.
type ByTree = BTreeMap<u64, Decision>;

/// The failures of an agent in a setting with one number of simulations, and the tests against its
/// rival.
struct Failures<'a> {
    index: usize,
    simulations: u64,
    own: &'a ByTree,
    /// The rival's index, and a test by each rule.
    rival: Option<(usize, [McNemar; 2])>,
}

impl Kind for Decisions {
    fn kind(&self) -> &'static str {
        "decisions"
    }

    fn trials(&self) -> Result<Vec<Box<dyn Trial + '_>>, LabError> {
        Ok(self.parts()?.into_iter().map(|part| Box::new(part) as Box<dyn Trial>).collect())
    }

    fn open<'a>(&'a self, session: &mut Session<'_>) -> Result<Option<Box<dyn Steps + 'a>>, LabError> {
        if session.options.cluster.is_some() {
            self.check_recipes_elsewhere()?;
        }
        Ok(Some(Box::new(ListedSteps::new(self.matches()?, self.trials()?, session)?)))
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.table(store)
    }
}

impl Decisions {
    /// What a store says: the failures of each agent, compared tree by tree with those of the
    /// baseline.
    fn table(&self, store: &Store) -> Result<Results, LabError> {
        let (cells, parts) = (self.cells()?, self.parts()?);
        let of = |part: &DecisionTrials<'_>| {
            let trials = found(part, store)?.into_iter();
            let decision =
                |(tree, figures): (u64, Vec<f64>)| (tree, Decision::of_list(&figures).unwrap_or_default());
            Ok((part.place(), trials.map(decision).collect()))
        };
        let decided: BTreeMap<(usize, u64), ByTree> =
            parts.iter().map(of).collect::<Result<_, LabError>>()?;
        let mut made = Vec::new();
        for index in 0..cells.len() {
            for &simulations in &self.simulations {
                let Some(own) = decided.get(&(index, simulations)).filter(|own| !own.is_empty()) else {
                    continue;
                };
                let rival = self.rival(&cells, index).and_then(|rival| {
                    let other = decided.get(&(rival, simulations))?;
                    let test =
                        |(_, fails): Rule| {
                            McNemar::of(own.iter().filter_map(|(tree, decision)| {
                                Some((fails(decision), fails(other.get(tree)?)))
                            }))
                        };
                    Some((rival, RULES.map(test)))
                });
                made.push(Failures { index, simulations, own, rival });
            }
        }
        // Corrected by the method of Holm for the comparisons with as many simulations. What was
        // not compared yet will be: it counts as a comparison that shows nothing.
        let comparisons = (0..cells.len()).filter(|&i| self.rival(&cells, i).is_some()).count();
        let corrected = |cell: &Failures<'_>, rule: usize| {
            let p = |cell: &Failures<'_>| cell.rival.as_ref().map(|(_, tests)| significant(tests[rule].p()));
            let alike =
                made.iter().filter(|other| other.simulations == cell.simulations && other.rival.is_some());
            let place = alike.clone().position(|other| other.index == cell.index)?;
            let mut all: Vec<f64> = alike.filter_map(p).collect();
            all.resize(comparisons.max(all.len()), 1.0);
            Some(significant(holm(&all)[place]))
        };
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        for cell in &made {
            let own = &cells[cell.index];
            let (setting, trees) = (&self.settings[own.setting], cell.own.len() as u64);
            let mut row = Row::new()
                .with("name", &own.name)
                .with("setting", &setting.name)
                .with("agent", &own.agent)
                .with("recipe", own.recipes[&cell.simulations].name())
                .with("game", setting.game())
                .with("c", own.c)
                .with("simulations", cell.simulations)
                .with("seed", self.seed)
                .with("planned", self.trees)
                .with("trees", trees);
            let rate = |x: f64| rounded(x, 5);
            let failed =
                RULES.map(|(_, fails)| cell.own.values().filter(|decision| fails(decision)).count() as u64);
            for ((rule, _), failures) in RULES.iter().zip(failed) {
                let interval = wilson(failures as f64, trees as f64, 0.95);
                row = row
                    .with(format!("{rule}_failures"), failures)
                    .with(format!("{rule}_rate"), rate(failures as f64 / trees as f64))
                    .with(format!("{rule}_lo"), rate(interval.lo))
                    .with(format!("{rule}_hi"), rate(interval.hi));
            }
            row = row.with("against", cell.rival.as_ref().map(|(rival, _)| &cells[*rival].name));
            // Trees at which this agent fails and the other does not, and the other way round; z is
            // below 0 if this agent fails less often, p exact and two-sided.
            for (i, (rule, _)) in RULES.iter().enumerate() {
                let test = cell.rival.as_ref().map(|(_, tests)| &tests[i]);
                row = row
                    .with(format!("{rule}_worse"), test.map(|test| test.worse))
                    .with(format!("{rule}_better"), test.map(|test| test.better))
                    .with(format!("{rule}_z"), test.map(|test| rounded(test.z(), 3)))
                    .with(format!("{rule}_p"), test.map(|test| significant(test.p())))
                    .with(format!("{rule}_holm"), corrected(cell, i));
            }
            let z = |i: usize| {
                let test = cell.rival.as_ref().map(|(_, tests)| rounded(tests[i].z(), 3));
                test.map_or(String::new(), |z| format!("  z {z:+.1}"))
            };
            let [robust, max] = failed.map(|failures| rate(failures as f64 / trees as f64));
            lines.push(format!(
                "{:<32} {:>6} simulations {trees:>5}/{} trees  most visited fails {robust:.4}{}  best value fails {max:.4}{}",
                own.name,
                cell.simulations,
                self.trees,
                z(0),
                z(1),
            ));
            rows.push(row);
        }
        let table = Table::new("decisions", rows).shown(Shown::Before("Results"));
        Ok(Results::rows(table, "decisions", lines))
    }
}
