//! Who makes the simulations of a search: one thread, or several in one tree.

use super::simulation::{Worker, all};
use super::*;
#[cfg(feature = "std")]
use {
    alloc::format,
    core::sync::atomic::{AtomicU64, Ordering::Relaxed},
    std::sync::{PoisonError, RwLock},
};

/// Makes simulations until the budget is spent, and says why it ended.
pub(super) type Drive<G, S, B, P, I> =
    fn(&mut Search<G, S, B, P, I>, &Limits<'_>, &mut dyn Observer<<G as Game>::Move>) -> StopReason;

/// When a search ends.
pub(super) struct Limits<'a> {
    pub(super) budget: &'a Budget,
    pub(super) clock: Clock,
    /// Simulations.
    pub(super) target: u64,
}

/// How a worker comes by what it shares with others.
trait Shared {
    /// Whether one worker has it for itself; its code is then one function.
    const ALONE: bool;

    type Core;

    /// Reads it.
    fn read<R>(&self, f: impl FnOnce(&Self::Core) -> R) -> R;

    /// Changes it.
    fn write<R>(&mut self, f: impl FnOnce(&mut Self::Core) -> R) -> R;

    /// Whether there is one more simulation to make, of `target` in all. It counts as begun.
    fn begin(&mut self, target: u64) -> bool;
}

/// What one worker has for itself.
struct Alone<'a, C> {
    core: &'a mut C,
    begun: u64,
}

impl<C> Shared for Alone<'_, C> {
    const ALONE: bool = true;

    type Core = C;

    #[inline(always)]
    fn read<R>(&self, f: impl FnOnce(&C) -> R) -> R {
        f(self.core)
    }

    #[inline(always)]
    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        f(self.core)
    }

    #[inline(always)]
    fn begin(&mut self, target: u64) -> bool {
        let more = self.begun < target;
        self.begun += u64::from(more);
        more
    }
}

/// What workers on several threads share: descents go on side by side, whatever changes the tree has it for itself.
#[cfg(feature = "std")]
struct Locked<'a, 'b, C> {
    core: &'a RwLock<&'b mut C>,
    begun: &'a AtomicU64,
}

#[cfg(feature = "std")]
impl<C> Shared for Locked<'_, '_, C> {
    const ALONE: bool = false;

    type Core = C;

    fn read<R>(&self, f: impl FnOnce(&C) -> R) -> R {
        // A panic of another thread goes on when all have ended.
        f(&self.core.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        f(&mut self.core.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn begin(&mut self, target: u64) -> bool {
        self.begun.fetch_update(Relaxed, Relaxed, |begun| (begun < target).then_some(begun + 1)).is_ok()
    }
}

/// What a search asks of its simulations.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// Whether their moves are recorded.
    pub(super) records: bool,
    /// Whether somebody reads the priors of moves.
    priors: bool,
    /// Whether an evaluation takes the place of a playout.
    pub(super) evaluates: bool,
    two_level: bool,
}

impl<G: SearchGame> Simulation<G> {
    /// Descends and expands a move: comes to a leaf, whose outcome may be known.
    #[inline(always)]
    fn reach<S, B, I, A>(&mut self, shared: &mut A, two_level: bool) -> HaltOf<G>
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Shared<Core = Core<G, S, B, I>>,
    {
        let mut started = false;
        let end = loop {
            let halt = shared.read(|core| {
                if !started {
                    core.start(self);
                }
                if A::ALONE { core.descend(self) } else { core.descend_apart(self) }
            });
            started = true;
            if let Halt::Known(_) | Halt::Leaf = halt {
                break halt;
            }
            let end = shared
                .write(|core| if A::ALONE { core.resume(self, halt) } else { core.resume_apart(self, halt) });
            if let Some(end) = end {
                break end;
            }
        };
        if two_level {
            shared.write(|core| core.focus_here(self));
        }
        end
    }
}

impl<G: SearchGame, P: Playout<G>> Worker<G, P> {
    /// One simulation: descend, expand, evaluate, back up. Apart from its caller the compiler finds registers for more of it.
    #[inline(never)]
    fn simulate<S, B, I, A>(&mut self, shared: &mut A, traits: Traits)
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Shared<Core = Core<G, S, B, I>>,
    {
        let Worker { simulation, playout, .. } = self;
        let outcome = match simulation.reach(shared, traits.two_level) {
            Halt::Known(outcome) => outcome,
            _ => {
                let priors = traits.priors && simulation.grown;
                if priors || traits.evaluates {
                    simulation.prime(playout, priors);
                }
                if priors {
                    shared.write(|core| core.offer_candidates(simulation));
                }
                simulation.evaluate(playout, traits)
            }
        };
        shared.write(|core| core.tell(simulation, playout, &outcome));
    }

    /// A simulation that has begun and those beside it for which there is room, whose positions are evaluated together. Says how
    /// many it made.
    #[inline(never)]
    fn simulate_together<S, B, I, A>(&mut self, shared: &mut A, traits: Traits, target: u64) -> u64
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Shared<Core = Core<G, S, B, I>>,
    {
        let Worker { simulation, others, playout } = self;
        let mut made = 0;
        for simulation in all(simulation, others) {
            simulation.waits = false;
            if made > 0 && !shared.begin(target) {
                continue;
            }
            made += 1;
            match simulation.reach(shared, traits.two_level) {
                Halt::Known(outcome) => shared.write(|core| core.tell(simulation, playout, &outcome)),
                _ => simulation.waits = true,
            }
        }
        let waiting = all(simulation, others).filter(|simulation| simulation.waits);
        let asked = waiting.filter_map(|simulation| {
            let priors = traits.priors && simulation.grown;
            (priors || traits.evaluates).then(|| simulation.asks(priors))
        });
        let mut asked: Vec<_> = asked.collect();
        if !asked.is_empty() {
            playout.prime(&mut asked);
        }
        drop(asked);
        for simulation in all(simulation, others).filter(|simulation| simulation.waits) {
            if traits.priors && simulation.grown {
                shared.write(|core| core.offer_candidates(simulation));
            }
            let outcome = simulation.evaluate(playout, traits);
            shared.write(|core| core.tell(simulation, playout, &outcome));
        }
        made
    }

    /// Makes simulations until a limit is reached, and says which.
    fn work<S, B, I, A>(
        &mut self,
        shared: &mut A,
        limits: &Limits<'_>,
        observer: &mut dyn Observer<G::Move>,
        about: &About<'_>,
    ) -> StopReason
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Shared<Core = Core<G, S, B, I>>,
    {
        let (traits, solver) = shared.read(|core| {
            let traits = Traits {
                records: core.records,
                priors: core.tree.columns().has(Columns::PRIOR),
                evaluates: self.playout.evaluates(),
                two_level: core.batch > 1,
            };
            (traits, core.options.solver)
        });
        let together = !self.others.is_empty();
        let every = observer.every().max(1);
        let (mut done, mut due) = (0u64, every);
        let reason = loop {
            if solver && shared.read(Core::is_proven) {
                break StopReason::Proven;
            }
            if !shared.begin(limits.target) {
                break StopReason::Simulations;
            }
            if done > 0 && limits.budget.stop.is_stopped() {
                break StopReason::Stopped;
            }
            if (together || done % 16 == 1)
                && limits.budget.time.is_some_and(|time| limits.clock.elapsed() >= time)
            {
                break StopReason::Time;
            }
            if together {
                done += self.simulate_together(shared, traits, limits.target);
            } else {
                self.simulate(shared, traits);
                done += 1;
            }
            if done >= due {
                due = done.saturating_add(every);
                if observer.is_due() {
                    let simulation = &mut self.simulation;
                    let report = shared.read(|core| core.report(simulation, about, StopReason::Stopped));
                    observer.progress(&report);
                }
            }
        };
        self.simulations_mut().for_each(|simulation| shared.write(|core| core.unfocus(simulation)));
        reason
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
    /// Makes the simulations on this thread.
    pub(super) fn drive_alone(
        &mut self,
        limits: &Limits<'_>,
        observer: &mut dyn Observer<G::Move>,
    ) -> StopReason {
        let about =
            About { name: &self.name, seed: self.seed, clock: limits.clock, bytes: self.bytes_beside_tree() };
        let begun = self.core.told;
        self.worker.work(&mut Alone { core: &mut self.core, begun }, limits, observer, &about)
    }

    /// Keeps `batch` simulations (at least one) in flight on each thread. The playout policy evaluates their leaves at once
    /// ([`Evaluate::evaluate_many`](crate::Evaluate::evaluate_many)). The search forgets its tree.
    ///
    /// A batch begins when all simulations of the batch before it have ended. A simulation in flight counts for its nodes as
    /// `in_flight` says, so that the next ones look elsewhere. If the tree knows the outcome of a leaf, the simulation ends at
    /// once. On one thread the same seed gives the same tree. If a batch has more simulations than the tree has leaves, some
    /// leaves are evaluated twice.
    ///
    /// # Errors
    /// As [`Search::new`], as each simulation has scratch space of its own within the limit in bytes.
    pub fn with_batch(mut self, batch: usize, in_flight: InFlight) -> Result<Self, BuildError> {
        let columns = self.core.tree.columns();
        let Core { root, options, records, .. } = &self.core;
        let fresh = || (1..batch).map(|_| Simulation::new(root, options, columns, *records)).collect();
        self.worker.others = fresh();
        self.others.iter_mut().for_each(|worker| worker.others = fresh());
        self.share(in_flight)?;
        Ok(self)
    }

    /// Makes the tree ready for as many simulations in flight as there are.
    fn share(&mut self, in_flight: InFlight) -> Result<(), BuildError> {
        let several = self.workers().flat_map(Worker::simulations).nth(1).is_some();
        self.plan_tree(several.then_some(in_flight))?;
        Ok(())
    }
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
    /// A thread descends beside the others, and has the tree for itself while it expands a move or backs an outcome up; its
    /// playouts and evaluations hold nobody up. No update is lost. A simulation on its way counts for its nodes as `in_flight`
    /// says, so that the others look elsewhere. Each thread has its own playout policy; one that learns does so from its own
    /// simulations. In a two-level search the second level of a leaf belongs to one thread. Which thread comes first is up to
    /// the machine: results are not reproducible with more than one. If the machine refuses threads, the search goes on with
    /// those that it has.
    ///
    /// # Errors
    /// As [`Search::new`], as each thread has scratch space of its own within the limit in bytes.
    pub fn with_threads(mut self, threads: usize, in_flight: InFlight) -> Result<Self, BuildError> {
        let columns = self.core.tree.columns();
        self.others = (1..threads)
            .map(|_| {
                let (root, options) = (&self.core.root, &self.core.options);
                let simulation = || Simulation::new(root, options, columns, self.core.records);
                let others = self.worker.others.iter().map(|_| simulation()).collect();
                Worker { simulation: simulation(), others, playout: self.worker.playout.clone() }
            })
            .collect();
        self.drive = if self.others.is_empty() { Self::drive_alone } else { Self::drive_threads };
        self.share(in_flight)?;
        Ok(self)
    }

    fn drive_threads(&mut self, limits: &Limits<'_>, observer: &mut dyn Observer<G::Move>) -> StopReason {
        let about =
            About { name: &self.name, seed: self.seed, clock: limits.clock, bytes: self.bytes_beside_tree() };
        let begun = AtomicU64::new(self.core.told);
        let core = RwLock::new(&mut self.core);
        let (begun, core, about) = (&begun, &core, &about);
        let work = |worker: &mut Worker<G, P>, observer: &mut dyn Observer<G::Move>| {
            worker.work(&mut Locked { core, begun }, limits, observer, about)
        };
        std::thread::scope(|scope| {
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
        })
    }
}

#[cfg(all(test, feature = "recipe"))]
mod schedule_tests;
