//! Several simulations at once: batches, searches that are driven from outside, and threads.

use super::Search;
use super::access::{Access, Alone};
use super::build_error::BuildError;
use super::common::{Core, Halt};
use super::drive::finish;
use super::flight::Flight;
use super::limits::Traits;
use super::simulation::{Simulation, Worker, all};
use crate::backup::Backup;
use crate::code::Link;
use crate::evaluate::Evaluation;
use crate::game::SearchGame;
use crate::playout::Playout;
use crate::report::StopReason;
use crate::select::Select;
use crate::tree::{InFlight, MOST_IN_FLIGHT};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use {
    super::access::{Counts, Locked},
    super::limits::Limits,
    super::reporting::About,
    crate::bot::Observer,
    alloc::format,
    core::sync::atomic::Ordering::Relaxed,
    std::sync::RwLock,
};

impl<G: SearchGame, P: Playout<G>> Worker<G, P> {
    /// Simulations in flight together, whose positions the playout policy evaluates. Says how many
    /// it made.
    pub(super) fn simulate_together<S, B, I, A>(&mut self, shared: &mut A, traits: Traits, target: u64) -> u64
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let made = self.ask(shared, traits, target);
        let Worker { simulation, others, playout } = self;
        let questions = all(simulation, others).filter_map(|simulation| simulation.question(traits));
        let mut asked: Vec<_> = questions.collect();
        if !asked.is_empty() {
            playout.prime(&mut asked);
        }
        drop(asked);
        self.finish_waiting(shared, traits);
        made
    }

    /// Leads a simulation that has begun, and those beside it for which there is room, to their
    /// leaves. Those that need nothing end there, the others wait. Says how many there are.
    #[inline(never)]
    fn ask<S, B, I, A>(&mut self, shared: &mut A, traits: Traits, target: u64) -> u64
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let Worker { simulation, others, playout } = self;
        let mut begun = 0;
        for simulation in all(simulation, others) {
            if begun > 0 && !shared.begin(target) {
                break;
            }
            let end = simulation.reach(shared, traits);
            if begun > 0 && traits.answers_once() && shared.write(|core| core.give_up_second(simulation)) {
                shared.withdraw();
                break;
            }
            begun += 1;
            match end {
                Halt::Known(outcome) => finish(shared, simulation, playout, &outcome),
                _ => simulation.waits = true,
            }
        }
        begun
    }

    /// Ends the simulations that wait: by the answers, or by playouts.
    fn finish_waiting<S, B, I, A>(&mut self, shared: &mut A, traits: Traits)
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let Worker { simulation, others, playout } = self;
        for simulation in all(simulation, others).filter(|simulation| simulation.waits) {
            simulation.waits = false;
            if traits.priors && simulation.expanded {
                shared.write(|core| core.offer_candidates(simulation));
            }
            let outcome = simulation.evaluate(playout, traits);
            finish(shared, simulation, playout, &outcome);
        }
    }
}

impl<G: SearchGame, P: Playout<G>> Worker<G, P> {
    /// Leads simulations to their leaves, unless a limit is reached.
    pub(super) fn set_off<S, B, I>(&mut self, core: &mut Core<G, S, B, I>, flight: &mut Flight)
    where
        S: Select,
        B: Backup,
        I: Link,
    {
        let (traits, solver, told) = (Traits::of(core, &self.playout), core.options.solver, core.told);
        let mut alone = Alone { core, begun: told };
        let limits = &mut flight.limits;
        flight.ended = loop {
            match limits.reached(&mut alone, solver, told, true) {
                Some(StopReason::Simulations) if limits.extend(|| alone.core.is_undecided()) => {}
                reason => break reason,
            }
        };
        if flight.ended.is_some() {
            self.end_all(alone.core);
        } else {
            self.ask(&mut alone, traits, limits.target);
        }
        alone.core.told = alone.begun;
    }

    /// Ends what simulations of a search that is driven from outside have begun beyond a leaf:
    /// second levels, and slots and tables that they took and did not use.
    pub(super) fn end_all<S, B, I>(&mut self, core: &mut Core<G, S, B, I>)
    where
        S: Select,
        B: Backup,
        I: Link,
    {
        for simulation in self.simulations_mut() {
            core.end_second_level(simulation);
            core.give_back(simulation);
        }
    }

    /// Appends what is to be evaluated of simulations that wait.
    pub(super) fn append_questions<'a, S, B, I>(
        &'a mut self,
        core: &Core<G, S, B, I>,
        asked: &mut Vec<Evaluation<'a, G>>,
    ) where
        S: Select,
        B: Backup,
        I: Link,
    {
        let traits = Traits::of(core, &self.playout);
        asked.extend(self.simulations_mut().filter_map(|simulation| simulation.question(traits)));
    }

    /// Evaluates what nobody has answered.
    pub(super) fn answer<S, B, I>(&mut self, core: &Core<G, S, B, I>)
    where
        S: Select,
        B: Backup,
        I: Link,
    {
        let traits = Traits::of(core, &self.playout);
        let Worker { simulation, others, playout } = self;
        all(simulation, others).for_each(|simulation| simulation.answer(playout, traits));
    }

    /// Ends the simulations that wait.
    pub(super) fn land<S, B, I>(&mut self, core: &mut Core<G, S, B, I>)
    where
        S: Select,
        B: Backup,
        I: Link,
    {
        self.answer(core);
        let (traits, begun) = (Traits::of(core, &self.playout), core.told);
        self.finish_waiting(&mut Alone { core, begun }, traits);
    }
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// Keeps `batch` simulations (at least one) in flight on each thread. The playout policy
    /// evaluates their leaves at once
    /// ([`Evaluate::evaluate_many`](crate::Evaluate::evaluate_many)). The search forgets its tree.
    ///
    /// A batch begins when all simulations of the batch before it have ended. A simulation in
    /// flight counts for its nodes as `in_flight` says, so that the next ones look elsewhere. If
    /// the tree knows the outcome of a leaf, the simulation ends at once. If the next simulation
    /// would reach a leaf that another one is about to evaluate, the batch ends early with fewer
    /// simulations. Playouts from one leaf do not end it: each is a sample of its own. On one
    /// thread the same seed gives the same tree.
    ///
    /// # Errors
    /// As [`Search::new`], as each simulation has scratch space of its own within the limit in
    /// bytes; if more than 16 383 were in flight.
    pub fn with_batch(mut self, batch: usize, in_flight: InFlight) -> Result<Self, BuildError> {
        self.make_batch(batch)?;
        self.plan_tree(Some(in_flight))?;
        Ok(self)
    }

    /// Makes the simulations of a batch. The tree is to be planned anew.
    pub(crate) fn make_batch(&mut self, batch: usize) -> Result<(), BuildError> {
        check_in_flight(self.workers().count(), batch)?;
        let columns = self.core.tree.columns();
        let Core { root, options, records, .. } = &self.core;
        let fresh = || (1..batch).map(|_| Simulation::new(root, options, columns, *records)).collect();
        self.worker.others = fresh();
        self.others.iter_mut().for_each(|worker| worker.others = fresh());
        core::iter::once(&mut self.worker)
            .chain(&mut self.others)
            .for_each(|worker| worker.playout.reserve(batch));
        Ok(())
    }
}

/// Refuses more simulations in flight than nodes can count.
fn check_in_flight(threads: usize, batch: usize) -> Result<(), BuildError> {
    let simulations = threads.saturating_mul(batch);
    if simulations <= usize::from(MOST_IN_FLIGHT) {
        return Ok(());
    }
    Err(BuildError::Clash(alloc::format!(
        "{simulations} simulations are to be in flight at once; accepted: at most {MOST_IN_FLIGHT}"
    )))
}

#[cfg(feature = "std")]
impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame<Move: Send> + Send + Sync,
    S: Select + Send + Sync,
    B: Backup + Send + Sync,
    P: Playout<G> + Clone + Send,
    I: Link,
{
    /// Searches by `threads` threads (at least one) in one tree. The search forgets its tree.
    ///
    /// Threads descend, expand moves and back outcomes up side by side. If the search recycles
    /// nodes, has two levels, reads priors or the variance of samples, takes advice, or has AMAF
    /// tables and a limit of nodes, bytes or tables, then a thread has the tree to itself while it
    /// expands or backs up. Playouts and evaluations block nobody then; else a thread that makes
    /// room for more nodes waits for those of the others. No update is lost.
    ///
    /// If the tree has only visits, means and an unlimited number of AMAF tables, each of 2 to 31
    /// threads makes some simulations in a row below one node: a quarter of the node's visits, but
    /// 8 to 512. Then it updates the nodes above. A simulation in progress counts for its nodes as
    /// `in_flight` says, so that the other threads look elsewhere. Of simulations in a row, every
    /// other one counts, and only above that node.
    ///
    /// Each thread has its own playout policy; one that learns does so from its own simulations. In
    /// a two-level search the second level of a leaf belongs to one thread. Which thread comes
    /// first is up to the machine: results are not reproducible with more than one. If the machine
    /// refuses threads, the search goes on with those that it has.
    ///
    /// # Errors
    /// As [`Search::new`], as each thread has scratch space of its own within the limit in bytes;
    /// if more than 16 383 simulations were in flight.
    pub fn with_threads(mut self, threads: usize, in_flight: InFlight) -> Result<Self, BuildError> {
        self.make_threads(threads)?;
        self.plan_tree(Some(in_flight))?;
        Ok(self)
    }

    /// Makes what each thread works with. The tree is to be planned anew.
    pub(crate) fn make_threads(&mut self, threads: usize) -> Result<(), BuildError> {
        check_in_flight(threads, self.worker.simulations().count())?;
        let columns = self.core.tree.columns();
        let (root, options, records) = (&self.core.root, &self.core.options, self.core.records);
        let (playout, others) = (&self.worker.playout, self.worker.others.len());
        let simulation = || Simulation::new(root, options, columns, records);
        let scratch = || (simulation(), (0..others).map(|_| simulation()).collect());
        // Each has scratch space from a thread of its own. Small pieces that one thread allocates
        // have common lines of memory, which would change hands with every move that is listed.
        self.others = std::thread::scope(|scope| {
            let made: Vec<_> =
                (1..threads).map(|_| std::thread::Builder::new().spawn_scoped(scope, scratch).ok()).collect();
            let made = made.into_iter().map(|thread| thread.and_then(|thread| thread.join().ok()));
            let worker = |(simulation, others)| Worker { simulation, others, playout: playout.clone() };
            made.map(|made| worker(made.unwrap_or_else(scratch))).collect()
        });
        self.drive = if self.others.is_empty() { Self::drive_alone } else { Self::drive_threads };
        Ok(())
    }

    fn drive_threads(&mut self, limits: &Limits, observer: &mut dyn Observer<G::Move>) -> StopReason {
        let about =
            About { name: &self.name, seed: self.seed, clock: limits.clock, bytes: self.bytes_beside_tree() };
        let concurrent = self.core.tree.is_concurrent();
        let counts = Counts::new(self.core.told);
        let core = RwLock::new(&mut self.core);
        let (counts, core, about) = (&counts, &core, &about);
        let work = |worker: &mut Worker<G, P>, observer: &mut dyn Observer<G::Move>| {
            worker.work(&mut Locked::new(core, counts, concurrent), limits, observer, about)
        };
        let reason = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..)
                .zip(&mut self.others)
                .map_while(|(number, worker)| {
                    let thread = std::thread::Builder::new().name(format!("search {number}"));
                    thread.spawn_scoped(scope, move || work(worker, &mut ())).ok()
                })
                .collect();
            let own = work(&mut self.worker, observer);
            let ended = threads.into_iter().map(|thread| thread.join());
            ended.fold(own, |reason, other| match other {
                // Why the first of those ended that did not go on to the last simulation.
                Ok(other) if reason == StopReason::Simulations => other,
                Ok(_) => reason,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        });
        self.core.told = counts.begun.load(Relaxed);
        reason
    }
}

#[cfg(all(test, feature = "recipe"))]
mod schedule_tests;
