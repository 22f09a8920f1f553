//! Root parallelisation: independent searches whose roots are added up.

use crate::bot::{Bot, BotError, Observer, Reply};
use crate::budget::Budget;
use crate::final_move::FinalMove;
use crate::game::SearchGame;
use crate::report::{ChildReport, Proven, Report, StopReason, sort_by_visits};
use crate::rng::Rng;
use std::format;
use std::string::String;
use std::thread::Builder;
use std::vec::Vec;

/// Several agents that search the same position on a thread each, with different random numbers;
/// visits and values of the root's moves are added up, and the rule for the final move decides on
/// the sums (Cazenave & Jouandeau 2007; Chaslot et al. 2008).
///
/// The simulations of a budget are divided among the agents; the first ones get the remainder. An
/// agent that gets none does not search. For a given number of agents and a budget of simulations
/// the outcome is reproducible.
#[derive(Clone, Debug)]
pub struct RootParallel<B> {
    agents: Vec<B>,
    final_move: FinalMove,
}

impl<B> RootParallel<B> {
    /// These agents together. The first also answers observers.
    ///
    /// # Panics
    /// If there is no agent.
    pub fn new(agents: Vec<B>, final_move: FinalMove) -> RootParallel<B> {
        assert!(!agents.is_empty(), "root parallelization needs an agent");
        RootParallel { agents, final_move }
    }
}

impl<G, B> Bot<G> for RootParallel<B>
where
    G: SearchGame + Sync,
    G::Move: Send,
    B: Bot<G> + Send,
{
    fn name(&self) -> String {
        self.agents[0].name()
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError> {
        for (index, agent) in (0..).zip(&mut self.agents) {
            agent.new_game(start, Rng::derive(seed, index))?;
        }
        Ok(())
    }

    fn played(&mut self, m: G::Move, after: &G) -> Result<(), BotError> {
        self.agents.iter_mut().try_for_each(|agent| agent.played(m, after))
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        let threads = budget.simulations.unwrap_or(u64::MAX).clamp(1, self.agents.len() as u64);
        let share = |index: u64| Budget {
            simulations: budget.simulations.map(|n| n / threads + u64::from(index < n % threads)),
            ..budget.clone()
        };
        let (first, others) = self.agents[..threads as usize].split_at_mut(1);
        let replies = std::thread::scope(|scope| -> Result<Vec<_>, BotError> {
            let handles = (1..).zip(others).map(|(index, agent)| {
                Builder::new().spawn_scoped(scope, move || agent.genmove(game, &share(index), &mut ()))
            });
            // With fewer threads than asked for the outcome would be another.
            let handles: Vec<_> = handles.collect::<Result<_, _>>().map_err(|error| {
                BotError(format!("root parallelization could not start its {threads} threads: {error}"))
            })?;
            let own = first[0].genmove(game, &share(0), observer);
            let others = handles.into_iter().map(|handle| {
                handle.join().unwrap_or_else(|_| Err(BotError(String::from("a search thread panicked"))))
            });
            Ok(core::iter::once(own).chain(others).collect())
        })?;
        let mut reports = Vec::new();
        for reply in replies {
            match reply? {
                Reply::Play(report) => reports.push(report),
                Reply::Resign => return Ok(Reply::Resign),
            }
        }
        Ok(Reply::Play(merge(reports, self.final_move)))
    }
}

/// Adds up reports of one position.
fn merge<M: Copy + PartialEq>(mut reports: Vec<Report<M>>, final_move: FinalMove) -> Report<M> {
    let mut children: Vec<ChildReport<M>> = Vec::new();
    for child in reports.iter().flat_map(|report| &report.children) {
        match children.iter_mut().find(|known| known.m == child.m) {
            Some(known) => {
                let (a, b) = (f64::from(known.visits), f64::from(child.visits));
                known.value = ((f64::from(known.value) * a + f64::from(child.value) * b) / (a + b)) as f32;
                known.visits = known.visits.saturating_add(child.visits);
                known.proven = known.proven.or(child.proven);
            }
            None => children.push(child.clone()),
        }
    }
    for child in &mut children {
        child.value = child.proven.map_or(child.value, Proven::value);
    }
    sort_by_visits(&mut children);
    let simulations: u64 = reports.iter().map(|report| report.simulations).sum();
    let value = reports.iter().map(|r| f64::from(r.value) * r.simulations as f64).sum::<f64>()
        / simulations.max(1) as f64;
    let best = final_move.choose_reported(&children).unwrap_or(reports[0].best);
    let variation = children.iter().find(|child| child.m == best);
    let variation = variation.map_or_else(|| Vec::from([best]), |child| child.variation.clone());
    let proof = reports.iter().find(|report| report.reason == StopReason::Proven);
    let (reason, value) = proof.map_or((reports[0].reason, value as f32), |r| (r.reason, r.value));
    let sum = |field: fn(&Report<M>) -> usize| reports.iter().map(field).sum();
    let (nodes, nodes_peak) = (sum(|r| r.nodes), sum(|r| r.nodes_peak));
    let (bytes, bytes_peak) = (sum(|r| r.bytes), sum(|r| r.bytes_peak));
    let depth = reports.iter().map(|report| report.depth).max().unwrap_or(0);
    let elapsed = reports.iter().map(|report| report.elapsed).max().unwrap_or_default();
    let first = reports.swap_remove(0);
    Report {
        best,
        value,
        variation,
        children,
        reason,
        simulations,
        nodes,
        nodes_peak,
        bytes,
        bytes_peak,
        depth,
        elapsed,
        ..first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Search;
    use crate::doc_game::Nim;

    fn run(threads: usize, simulations: u64) -> Report<u8> {
        let game = Nim::new(14);
        let agents = (0..threads).map(|_| Search::uct(&game, 0.7, 0)).collect();
        let mut bot = RootParallel::new(agents, FinalMove::Robust);
        bot.new_game(&game, 7).unwrap();
        match bot.genmove(&game, &Budget::simulations(simulations), &mut ()).unwrap() {
            Reply::Play(report) => report,
            Reply::Resign => panic!("a search never resigns"),
        }
    }

    #[test]
    fn the_same_threads_find_the_same() {
        let (a, b) = (run(3, 3001), run(3, 3001));
        assert_eq!(a.children, b.children);
        assert_eq!((a.simulations, a.best), (3001, 2));
        assert_eq!(a.children.iter().map(|c| c.visits).sum::<u32>(), 3001);
        assert_ne!(a.children, run(2, 3001).children);
    }

    #[test]
    fn there_are_no_more_simulations_than_asked_for() {
        for n in 1..6 {
            assert_eq!(run(4, n).simulations, n);
        }
    }

    #[test]
    fn values_are_weighted_by_visits() {
        let report = |visits, value| Report {
            children: Vec::from([ChildReport {
                m: 1u8,
                visits,
                value,
                prior: None,
                proven: None,
                variation: Vec::from([1]),
            }]),
            ..run(1, 10)
        };
        let merged = merge(Vec::from([report(10, 0.5), report(30, 0.9)]), FinalMove::Robust);
        assert_eq!(merged.children.len(), 1);
        assert_eq!(merged.children[0].visits, 40);
        assert!((merged.children[0].value - 0.8).abs() < 1e-6);
    }
}
