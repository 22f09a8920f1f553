//! The search for trees with known winning moves.

use super::Setting;
use super::plan::DecisionsError;
use super::problem::Problem;
use crate::error::LabError;
use crate::executor::{SOON, execute_list};
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::{Game, Player, Stop, Value};

/// Seeds that are looked at before the count is taken again.
const CHUNK: u64 = 512;

impl Problem {
    /// The problem of this seed, if its tree is one and the search for it is not stopped.
    fn of(setting: &Setting, seed: u64, stop: &Stop) -> Result<Option<Problem>, LabError> {
        let game = setting.tree(seed)?;
        let (mut moves, mut solutions) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        for &m in &moves {
            if stop.is_stopped() {
                return Ok(None);
            }
            let mut child = game.clone();
            child.play(m);
            if child.solve() == Value::win(Player::FIRST) {
                solutions.push(m);
                if 4 * solutions.len() > moves.len() {
                    return Ok(None);
                }
            }
        }
        Ok((!solutions.is_empty()).then_some(Problem { seed, game, solutions }))
    }

    /// The first `count` problems of a setting among the seeds from `seed` on; fewer if stopped.
    /// `progress` grows with the seeds.
    ///
    /// # Errors
    /// If there is hardly any, as in wide trees in which the first player has the last move, or no
    /// thread can be started.
    pub(super) fn list(
        setting: &Setting,
        seed: u64,
        count: u64,
        threads: usize,
        (stop, progress): (&Stop, &AtomicU64),
    ) -> Result<Vec<Problem>, LabError> {
        let mut problems = Vec::new();
        let mut first = seed;
        while (problems.len() as u64) < count && !stop.is_stopped() {
            let seeds: Vec<u64> = (first..first + CHUNK).collect();
            let of = |_: &mut Option<()>, &seed: &u64| {
                progress.fetch_add(1, Ordering::Relaxed);
                Problem::of(setting, seed, stop).map(Some)
            };
            let mut found = Vec::new();
            execute_list(&seeds, threads, SOON, of, &mut |batch| {
                found.extend(batch.iter().flatten().cloned());
                Ok(())
            })?;
            found.sort_by_key(|problem| problem.seed);
            problems.append(&mut found);
            first += CHUNK;
            if first - seed > 10_000 && (problems.len() as u64) < (first - seed) / 1000 {
                let (setting, trees, found) = (setting.name.clone(), first - seed, problems.len());
                return Err(DecisionsError::FewTrees { setting, trees, found }.into());
            }
        }
        problems.truncate(count as usize);
        Ok(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_few_winning_moves_and_do_not_depend_on_the_threads() {
        let setting = Setting {
            name: "U".to_owned(),
            branching: 5,
            depth: 4,
            values: None,
            recipe: "uct".to_owned(),
            c: Vec::new(),
        };
        let watched = (&Stop::default(), &AtomicU64::new(0));
        let list = |seed, threads| Problem::list(&setting, seed, 60, threads, watched).unwrap();
        let problems = list(3, 1);
        assert_eq!(problems.len(), 60);
        let seeds = |problems: &[Problem]| problems.iter().map(|p| p.seed).collect::<Vec<_>>();
        assert_eq!(seeds(&problems), seeds(&list(3, 3)));
        assert_eq!(seeds(&problems)[1..], seeds(&list(problems[0].seed + 1, 2))[..59]);
        for problem in problems {
            assert_eq!(problem.solutions.len(), 1, "a quarter of 5, rounded down");
            assert_eq!(problem.game.solve(), Value::win(Player::FIRST));
        }
    }
}
