//! The decisions of one agent in one setting with one number of simulations.

use super::plan::{AgentInSetting, Decisions, Setting};
use super::problem::Problem;
use crate::error::LabError;
use crate::store::TrialGroup;
use crate::trials::{Trial, Worker, figures};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tesuji::{Bot, Budget, FinalMove, Reply, Rng, Stop, StopReason};
use tesuji_agents::Playable;
use tesuji_games::PGame;
use toml::{Table, Value};

figures! {
    /// Whether an agent failed at a tree: 1, or 0.
    Decision:
    /// By the most visited move.
    robust_fails,
    /// By the move of the highest value.
    max_fails,
}

/// A cell with one number of simulations. The number of a trial is that of its tree among those
/// that qualify.
pub(crate) struct DecisionTrials<'a> {
    name: String,
    plan: &'a Decisions,
    /// The cell's index, and the cell.
    index: usize,
    cell: AgentInSetting,
    simulations: u64,
}

impl Decisions {
    /// All parts, cell by cell.
    pub(crate) fn parts(&self) -> Result<Vec<DecisionTrials<'_>>, LabError> {
        let mut parts = Vec::new();
        for (index, cell) in self.cells()?.into_iter().enumerate() {
            for &simulations in &self.simulations {
                let (cell, name) = (cell.clone(), format!("{}, {simulations} simulations", cell.name));
                parts.push(DecisionTrials { name, plan: self, index, cell, simulations });
            }
        }
        Ok(parts)
    }
}

impl DecisionTrials<'_> {
    /// The cell's index and the number of simulations.
    pub(super) fn place(&self) -> (usize, u64) {
        (self.index, self.simulations)
    }

    fn setting(&self) -> &Setting {
        &self.plan.settings[self.cell.setting]
    }
}

impl Trial for DecisionTrials<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.plan.trees
    }

    fn group(&self) -> TrialGroup {
        let recipe = self.cell.recipes[&self.simulations].identity(Some(self.simulations));
        let recipe = recipe.parse::<Table>().unwrap_or_default();
        let spec = Table::from_iter([
            ("game".to_owned(), Value::String(self.setting().game())),
            ("seed".to_owned(), Value::Integer(self.plan.seed as i64)),
            ("simulations".to_owned(), Value::Integer(self.simulations as i64)),
            ("recipe".to_owned(), Value::Table(recipe)),
        ]);
        TrialGroup {
            spec: spec.to_string(),
            columns: Decision::COLUMNS.iter().map(ToString::to_string).collect(),
        }
    }

    fn prepare(&self, stop: &Stop, progress: &AtomicU64) -> Result<(), LabError> {
        self.problems(stop, progress).map(drop)
    }

    fn worker(&self) -> Worker<'_> {
        let mut bot = None;
        Box::new(move |number, stop| self.decide(&mut bot, number, stop))
    }
}

impl DecisionTrials<'_> {
    /// The trees of the setting; fewer if stopped.
    fn problems(&self, stop: &Stop, progress: &AtomicU64) -> Result<Arc<Vec<Problem>>, LabError> {
        let Decisions { seed, trees, problems, .. } = self.plan;
        problems.of_setting(self.cell.setting, stop, || {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            Problem::list(self.setting(), *seed, *trees, threads, (stop, progress))
        })
    }

    /// Makes one decision; none if it was stopped.
    fn decide(
        &self,
        bot: &mut Option<Box<dyn Bot<PGame> + Send>>,
        number: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<f64>>, LabError> {
        let problems = self.problems(stop, &AtomicU64::new(0))?;
        let Some(problem) = problems.get(number as usize) else { return Ok(None) };
        let failed = |e: &dyn std::fmt::Display| LabError::Failed(format!("{}: {e}", self.name));
        let seed = Rng::derive(problem.seed, 0);
        let bot = match bot {
            Some(bot) => bot,
            None => {
                let recipe = &self.cell.recipes[&self.simulations];
                bot.insert(problem.game.bot(recipe, seed).map_err(|e| failed(&e))?)
            }
        };
        bot.new_game(&problem.game, seed).map_err(|e| failed(&e))?;
        let budget = Budget { simulations: Some(self.simulations), stop: stop.clone(), ..Budget::default() };
        let Reply::Play(report) = bot.genmove(&problem.game, &budget, &mut ()).map_err(|e| failed(&e))?
        else {
            return Err(failed(&"it resigned"));
        };
        if report.reason == StopReason::Stopped {
            return Ok(None);
        }
        let fails = |rule: FinalMove| {
            let chosen = rule.choose_reported(&report.children).unwrap_or(report.best);
            f64::from(u8::from(!problem.solutions.contains(&chosen)))
        };
        let decision = Decision { robust_fails: fails(FinalMove::Robust), max_fails: fails(FinalMove::Max) };
        Ok(Some(decision.to_list()))
    }
}
