//! When a search ends, and what it asks of its simulations.

use super::access::Access;
use super::clock::Clock;
use super::common::Core;
use crate::backup::Backup;
use crate::budget::Budget;
use crate::code::Link;
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::playout::Playout;
use crate::report::StopReason;
use crate::select::Select;

/// When a search ends.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) budget: Budget,
    pub(super) clock: Clock,
    /// Simulations.
    pub(super) target: u64,
    /// Simulations at most, if the root's best move is not decided by then.
    pub(super) most: u64,
    /// Simulations more each time that it is not.
    pub(super) step: u64,
}

impl Limits {
    /// Why a search ends before its next simulation, which has begun otherwise; `done` are made.
    #[inline(always)]
    pub(super) fn reached<G, S, B, I, A>(
        &self,
        shared: &mut A,
        solver: bool,
        done: u64,
        reads_clock: bool,
    ) -> Option<StopReason>
    where
        G: SearchGame,
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        if solver && shared.read(Core::is_proven) {
            return Some(StopReason::Proven);
        }
        if !shared.begin(self.target) {
            return Some(StopReason::Simulations);
        }
        // One simulation is made in any case.
        let reason = if done > 0 && self.budget.stop.is_stopped() {
            StopReason::Stopped
        } else if done > 0 && reads_clock && self.budget.time.is_some_and(|time| self.clock.elapsed() >= time)
        {
            StopReason::Time
        } else {
            return None;
        };
        shared.withdraw();
        Some(reason)
    }

    /// Allows more simulations to a search that has made all, if its best move is not decided.
    pub(super) fn extend(&mut self, is_undecided: impl FnOnce() -> bool) -> bool {
        let more = self.target < self.most && is_undecided();
        if more {
            self.target = (self.target + self.step).min(self.most);
        }
        more
    }
}

/// What a search asks of its simulations.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// Whether their moves are recorded.
    pub(super) records: bool,
    /// Whether somebody reads the priors of moves.
    pub(super) priors: bool,
    /// Whether an evaluation takes the place of a playout.
    pub(super) evaluates: bool,
    pub(super) two_level: bool,
    /// Whether the update of a leaf depends on who is to move there.
    pub(super) turns: bool,
}

impl Traits {
    /// Those of a search with this playout policy.
    pub(super) fn of<G, S, B, P, I>(core: &Core<G, S, B, I>, playout: &P) -> Traits
    where
        G: SearchGame,
        S: Select,
        B: Backup,
        P: Playout<G>,
        I: Link,
    {
        Traits {
            records: core.records,
            priors: core.tree.columns().has(Columns::PRIOR),
            evaluates: playout.evaluates(),
            two_level: core.batch > 1,
            turns: core.options.solver || core.backup.turns_values(),
        }
    }

    /// Whether a second evaluation of a leaf says nothing new.
    pub(super) fn answers_once(self) -> bool {
        self.evaluates && !self.two_level
    }
}
