//! Priors of nodes, and of the moves that have no node yet.

use super::Tree;
use crate::candidates::Candidate;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;

impl<C: Code, I: Link> Tree<C, I> {
    /// The prior of a node, 0 without the column.
    #[inline]
    pub fn prior(&self, id: NodeId) -> f32 {
        self.priors.get(id.index()).copied().unwrap_or(0.0)
    }

    pub(crate) fn set_prior(&mut self, id: NodeId, prior: f32) {
        self.priors[id.index()] = prior;
    }

    /// Stores the moves of a fresh node, best prior first. False if there is no room for them.
    pub(crate) fn set_candidates(
        &mut self,
        id: NodeId,
        codes: impl ExactSizeIterator<Item = C>,
        priors: &[f32],
    ) -> bool {
        self.candidates.store(id, codes, priors)
    }

    /// Gives each move of a node, first the tried and then the untried ones, another prior.
    pub(crate) fn map_priors(&mut self, id: NodeId, mut other: impl FnMut(f32) -> f32) {
        let mut child = self.nodes[id.index()].first_child.id();
        while let Some(node) = self.nodes.get(child.index()) {
            let prior = &mut self.priors[child.index()];
            *prior = other(*prior);
            child = node.next_sibling.id();
        }
        self.candidates.map_priors(id, other);
    }

    /// The untried candidate with the best prior.
    #[inline]
    pub(crate) fn best_candidate(&self, id: NodeId) -> Option<Candidate<C>> {
        self.candidates.best(id)
    }

    /// The untried candidates, best prior first.
    #[inline]
    pub(crate) fn candidates(&self, id: NodeId) -> &[Candidate<C>] {
        self.candidates.rest(id)
    }

    /// Takes the candidate of this move away, which gets a node.
    pub(crate) fn take_candidate(&mut self, id: NodeId, code: C) -> Option<Candidate<C>> {
        let place = self.candidates(id).iter().position(|candidate| candidate.code == code)?;
        if place > 0 {
            self.candidates.promote(id, place);
        }
        let candidate = self.best_candidate(id);
        self.candidates.take(id);
        candidate
    }

    /// Whether its moves were listed with priors, and all were taken.
    pub(crate) fn is_spent(&self, id: NodeId) -> bool {
        self.candidates.is_spent(id)
    }

    /// The move of a child that is no more, or was not to be, is a candidate again.
    pub(crate) fn give_back_candidate(&mut self, parent: NodeId, code: C) {
        if self.columns.has(Columns::PRIOR) {
            self.candidates.give_back(parent, code);
        }
    }
}
