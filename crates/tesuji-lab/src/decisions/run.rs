//! Makes the decisions of an experiment.

use super::plan::{Cell, Decisions};
use super::problem::Problem;
use super::record::{ByTree, Decision, Record};
use super::row::{DecisionRow, rows};
use crate::LabError;
use crate::csv_table::csv_table;
use crate::experiment::ExperimentOptions;
use crate::store::hash;
use crate::tasks::do_tasks;
use crate::trials::TrialProgress;
use crate::write_whole::write_whole;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tesuji::{Bot, Budget, FinalMove, Reply, Rng, Stop, StopReason};
use tesuji_games::PGame;

/// What an experiment gave.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionReport {
    /// A row for each agent, setting, c and number of simulations with decisions, in the order of the file.
    pub rows: Vec<DecisionRow>,
    /// The table.
    pub table: PathBuf,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Makes the decisions of the experiment `name`, or what is missing of them; [`ExperimentOptions::games`] limits the
/// trees. The table of results is written anew after each agent. The numbers do not depend on the threads.
///
/// # Errors
/// If an agent is not possible: all are checked before the first decision. Also if the record fails or the table
/// cannot be written.
pub fn run_decisions(
    name: &str,
    plan: &Decisions,
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(TrialProgress<'_>),
) -> Result<DecisionReport, LabError> {
    let cells = plan.cells()?;
    let chosen = |cell: &Cell| {
        options.only.is_empty() || options.only.iter().any(|start| cell.name.starts_with(start))
    };
    let to_run: Vec<usize> = (0..cells.len()).filter(|&i| chosen(&cells[i])).collect();
    if to_run.is_empty() {
        let names: Vec<_> = cells.iter().map(|cell| cell.name.as_str()).collect();
        return Err(LabError::Input(format!(
            "no agent has a name that begins with {}; there are {}",
            options.only.join(" or "),
            names.join(", ")
        )));
    }
    let mut record = Record::open(&options.out.join(name))?;
    let mut problems = Vec::new();
    for setting in &plan.settings {
        problems.push(Problem::list(setting, plan.seed, plan.trees, options.threads, stop)?);
    }
    let mut decided = BTreeMap::new();
    for (i, cell) in cells.iter().enumerate() {
        for &simulations in &plan.simulations {
            let mut found = record.read(&key(plan, cell, simulations).0)?;
            let own = &problems[cell.setting];
            found.retain(|seed, _| own.binary_search_by_key(seed, |problem| problem.seed).is_ok());
            decided.insert((i, simulations), found);
        }
    }
    let table = options.results.join(format!("{name}.csv"));
    let most = options.games.map_or(plan.trees, |trees| trees.min(plan.trees));
    for (number, &i) in to_run.iter().enumerate() {
        let cell = &cells[i];
        let trees = &problems[cell.setting][..problems[cell.setting].len().min(most as usize)];
        let missing = |&simulations: &u64| {
            let found: &ByTree = &decided[&(i, simulations)];
            let missing = trees.iter().filter(|problem| !found.contains_key(&problem.seed));
            (simulations, missing.collect::<Vec<_>>())
        };
        let tasks: Vec<_> = plan.simulations.iter().map(missing).filter(|(_, m)| !m.is_empty()).collect();
        let decisions = tasks.iter().map(|(_, missing)| missing.len() as u64).sum();
        if decisions > 0 {
            watch(TrialProgress::Begun {
                name: &cell.name,
                number: number + 1,
                of: to_run.len(),
                trials: decisions,
            });
            let mut done = 0;
            for (simulations, missing) in tasks {
                let (hash, spec) = key(plan, cell, simulations);
                let by_tree = decided.entry((i, simulations)).or_default();
                let decide = |bot: &mut Option<_>, problem: &&Problem| {
                    let decided = decide(cell, bot, problem, simulations, stop)?;
                    Ok(decided.map(|decision| (problem.seed, decision)))
                };
                do_tasks(&missing, options.threads, decide, &mut |batch| {
                    record.insert(&hash, &spec, batch)?;
                    by_tree.extend(batch.iter().copied());
                    done += batch.len() as u64;
                    watch(TrialProgress::Done(done));
                    Ok(())
                })?;
            }
            watch(TrialProgress::Ended);
        }
        let last = number + 1 == to_run.len() || stop.is_stopped();
        if decisions > 0 || last {
            write_whole(&table, &csv_table(rows(plan, &cells, &decided))?)?;
        }
        if last {
            break;
        }
    }
    Ok(DecisionReport { rows: rows(plan, &cells, &decided), table, interrupted: stop.is_stopped() })
}

/// The identity of a search and its description: everything that decides its decisions but the seed of the tree.
fn key(plan: &Decisions, cell: &Cell, simulations: u64) -> (String, String) {
    let game = plan.settings[cell.setting].game();
    let spec = format!("# {game}, {simulations} simulations\n{}", cell.recipes[&simulations].to_toml());
    (hash(&[&spec]), spec)
}

/// One decision; none if it was stopped.
fn decide(
    cell: &Cell,
    bot: &mut Option<Box<dyn Bot<PGame> + Send>>,
    problem: &Problem,
    simulations: u64,
    stop: &Stop,
) -> Result<Option<Decision>, LabError> {
    let failed = |e: &dyn std::fmt::Display| LabError::Failed(format!("{}: {e}", cell.name));
    if stop.is_stopped() {
        return Ok(None);
    }
    let seed = Rng::derive(problem.seed, 0);
    let bot = match bot {
        Some(bot) => bot,
        None => bot.insert(cell.recipes[&simulations].bot(&problem.game, seed).map_err(|e| failed(&e))?),
    };
    bot.new_game(&problem.game, seed).map_err(|e| failed(&e))?;
    let budget = Budget { simulations: Some(simulations), stop: stop.clone(), ..Budget::default() };
    let Reply::Play(report) = bot.genmove(&problem.game, &budget, &mut ()).map_err(|e| failed(&e))? else {
        return Err(failed(&"it resigned"));
    };
    if report.reason == StopReason::Stopped {
        return Ok(None);
    }
    let fails = |rule: FinalMove| {
        let chosen = rule.choose_reported(&report.children).unwrap_or(report.best);
        !problem.solutions.contains(&chosen)
    };
    Ok(Some(Decision { robust_fails: fails(FinalMove::Robust), max_fails: fails(FinalMove::Max) }))
}
