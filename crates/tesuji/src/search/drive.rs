//! Who makes the simulations of a search: one thread, or several in one tree.

use super::simulation::Worker;
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

    /// Whether there is one more simulation to make, of so many in all. It counts as begun.
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

impl<G: Game, P: Playout<G>> Worker<G, P> {
    /// One simulation: descend, expand, evaluate, back up. Apart from its caller the compiler finds registers for more of it.
    #[inline(never)]
    fn simulate<S, B, I, A>(&mut self, shared: &mut A, (records, priors, two_level): (bool, bool, bool))
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Shared<Core = Core<G, S, B, I>>,
    {
        let simulation = &mut self.simulation;
        let mut started = false;
        let end = loop {
            let halt = shared.read(|core| {
                if !started {
                    core.start(simulation);
                }
                if A::ALONE { core.descend(simulation) } else { core.descend_apart(simulation) }
            });
            started = true;
            if let Halt::Known(_) | Halt::Leaf = halt {
                break halt;
            }
            let end = shared.write(|core| {
                if A::ALONE { core.resume(simulation, halt) } else { core.resume_apart(simulation, halt) }
            });
            if let Some(end) = end {
                break end;
            }
        };
        if two_level {
            shared.write(|core| core.focus_here(simulation));
        }
        let outcome = match end {
            Halt::Known(outcome) => outcome,
            _ => {
                if priors && simulation.grown {
                    simulation.list_priors(&mut self.playout);
                    shared.write(|core| core.offer_candidates(simulation));
                }
                self.evaluate(records)
            }
        };
        shared.write(|core| core.tell(&mut self.simulation, &mut self.playout, &outcome));
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
            let priors = core.tree.columns().has(Columns::PRIOR);
            ((core.records, priors, core.batch > 1), core.options.solver)
        });
        let (mut done, every) = (0u64, observer.every().max(1));
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
            if done % 16 == 1 && limits.budget.time.is_some_and(|time| limits.clock.elapsed() >= time) {
                break StopReason::Time;
            }
            self.simulate(shared, traits);
            done += 1;
            if done % every == 0 && observer.is_due() {
                let simulation = &mut self.simulation;
                let report = shared.read(|core| core.report(simulation, about, StopReason::Stopped));
                observer.progress(&report);
            }
        };
        shared.write(|core| core.unfocus(&mut self.simulation));
        reason
    }
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: Game,
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
}

#[cfg(feature = "std")]
impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: Game<Move: Send> + Send + Sync,
    S: Select + Send + Sync,
    B: Backup + Send + Sync,
    P: Playout<G> + Clone + Send,
    I: Link,
{
    /// Searches by so many threads (at least one) in one tree. What was searched so far is forgotten.
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
                let simulation = Simulation::new(root, options, columns, self.core.records);
                Worker { simulation, playout: self.worker.playout.clone() }
            })
            .collect();
        let several = !self.others.is_empty();
        self.drive = if several { Self::drive_threads } else { Self::drive_alone };
        self.plan_tree(several.then_some(in_flight))?;
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
