//! Several simulations on their way through a tree at once.

use super::Tree;
use super::passage::InFlight;
use crate::atomic::Held;
use crate::code::{Code, Link, NodeId};
use crate::node::Step;

impl<C: Code, I: Link> Tree<C, I> {
    /// Lets several simulations be on their way at once, and several threads change the tree at
    /// once.
    #[must_use]
    pub(crate) fn sharing(mut self, in_flight: Option<InFlight>, concurrent: bool) -> Self {
        self.in_flight = in_flight;
        self.concurrent = concurrent && in_flight.is_some();
        self.has_overrides |= in_flight.is_some();
        self
    }

    /// Whether several threads change the tree at once: they expand moves and back up outcomes
    /// while others do, or descend.
    #[inline]
    pub(crate) fn is_concurrent(&self) -> bool {
        self.concurrent
    }

    /// Holds a node that several threads may change at once: nobody else expands a move under it or
    /// updates it meanwhile.
    #[inline]
    pub(crate) fn hold(&self, id: NodeId) -> Option<Held<'_, u8>> {
        self.concurrent.then(|| self.passages[id.index()].held.hold())
    }

    /// What simulations on their way count for, where there may be several.
    #[inline]
    pub(crate) fn in_flight(&self) -> Option<InFlight> {
        self.in_flight
    }

    /// Whether children are compared by their scores alone, with the simulations on their way.
    #[inline]
    pub(crate) fn is_plain_in_flight(&self) -> bool {
        self.in_flight.is_some() && !self.solver && !self.random_ties && self.advice.is_none()
    }

    /// The simulations that are on their way through a node, where there may be several.
    #[inline]
    pub(crate) fn pending(&self, id: NodeId) -> u32 {
        self.passages.get(id.index()).map_or(0, |passage| u32::from(passage.under_way.get()))
    }

    /// The visits that the simulations on their way through a node count for.
    #[inline]
    pub(crate) fn visits_in_flight(&self, id: NodeId) -> u32 {
        match self.in_flight {
            None => 0,
            Some(InFlight::Lost(visits)) => visits.saturating_mul(self.pending(id)),
            Some(InFlight::Unobserved) => self.pending(id),
        }
    }

    /// A simulation enters a node.
    #[inline]
    pub(crate) fn enter(&self, id: NodeId) {
        if let Some(passage) = self.passages.get(id.index()) {
            passage.under_way.add(1);
        }
    }

    /// Counts `simulations` simulations that enter each node of a path.
    pub(crate) fn enter_often(&self, path: &[Step], simulations: u32) {
        path.iter().for_each(|step| self.passages[step.node.index()].under_way.add(simulations as u16));
    }

    /// Takes back `simulations` simulations that entered each node of a path and do not come.
    pub(crate) fn leave_often(&self, path: &[Step], simulations: u32) {
        path.iter().for_each(|step| self.passages[step.node.index()].under_way.subtract(simulations as u16));
    }

    /// A simulation that went along this path ends.
    #[inline]
    pub(crate) fn leave(&self, path: &[Step]) {
        if self.in_flight.is_some() {
            path.iter().for_each(|step| self.passages[step.node.index()].under_way.subtract(1));
        }
    }
}
