//! The untried moves of nodes, with priors.

use crate::archive::{Archive, ArchiveError};
use crate::code::{Code, NodeId};
use crate::reserved::Reserved;
use alloc::collections::TryReserveError;

/// A move that is not expanded yet, and its prior.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate<C> {
    pub(crate) code: C,
    pub(crate) prior: f32,
}

/// For each node the moves that may be expanded under it, best prior first, in one pool.
///
/// All untried moves of a node have the same first-play urgency, so the best of them is the one
/// with the largest prior, and a search takes them in this order.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<C> {
    pool: Reserved<Candidate<C>>,
    /// The runs of the pool in its order: whose they are, and how long.
    runs: Reserved<(NodeId, u32)>,
    spans: Reserved<Span>,
    limit: usize,
    /// Whether no gaps are left to be closed.
    is_compact: bool,
    /// Each run has room for this number or more, so that a slot's next node finds room in the run
    /// of the last one.
    least: usize,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    next: u16,
    len: u16,
    room: u16,
}

impl Span {
    const NONE: Span = Span { start: u32::MAX, next: 0, len: 0, room: 0 };
}

/// The priors, negative ones as 0.
fn weights(priors: &[f32]) -> impl Iterator<Item = f32> {
    priors.iter().map(|&p| if p > 0.0 { p } else { 0.0 })
}

/// Fills a run where priors are negative, their sum exceeds 32 bits, or they cannot be normalized.
#[cold]
fn fill_otherwise<C>(run: &mut [Candidate<C>], codes: impl Iterator<Item = C>, priors: &[f32]) {
    let total: f64 = weights(priors).map(f64::from).sum();
    let is_sum = priors.len() == run.len() && total.is_finite() && total > 0.0;
    let same = 1.0 / run.len() as f32;
    let normal = weights(priors).map(|p| (f64::from(p) / total) as f32).filter(|_| is_sum);
    for ((slot, code), prior) in run.iter_mut().zip(codes).zip(normal.chain(core::iter::repeat(same))) {
        *slot = Candidate { code, prior };
    }
}

impl<C: Code> Candidates<C> {
    pub(crate) const BYTES_PER_NODE: usize = size_of::<Span>() + size_of::<(NodeId, u32)>();
    pub(crate) const BYTES_PER_MOVE: usize = size_of::<Candidate<C>>();

    pub(crate) fn new(limit: usize, least: usize) -> Self {
        // Their places are kept in 32 bits.
        let limit = limit.min(u32::MAX as usize);
        let (pool, runs, spans) = (Reserved::default(), Reserved::default(), Reserved::default());
        Candidates { pool, runs, spans, limit, is_compact: true, least }
    }

    pub(crate) fn reserve(&mut self, nodes: usize, moves_per_node: usize) -> Result<(), TryReserveError> {
        self.spans.make_room_for(nodes)?;
        self.runs.make_room_for(nodes)?;
        let moves = nodes.saturating_mul(moves_per_node).min(self.limit);
        self.pool.make_room_for(moves)
    }

    pub(crate) fn clear(&mut self) {
        self.pool.clear();
        self.runs.clear();
        self.spans.clear();
    }

    pub(crate) fn extend_to(&mut self, nodes: usize) {
        self.spans.resize(nodes, Span::NONE);
    }

    pub(crate) fn forget(&mut self, id: NodeId) {
        let span = &mut self.spans[id.index()];
        self.is_compact &= span.len == 0;
        (span.next, span.len) = (0, 0);
    }

    /// Stores the moves of a node; false if there is no room. Their priors are normalized; all
    /// moves have the same one if the list is not of one number for each, or its sum is no positive
    /// number. Negative priors count as 0.
    pub(crate) fn store(
        &mut self,
        id: NodeId,
        codes: impl ExactSizeIterator<Item = C>,
        priors: &[f32],
    ) -> bool {
        let moves = codes.len();
        let Ok(len) = u16::try_from(moves) else { return false };
        if len > 0 && !self.make_room(id, len, Candidate { code: C::new(0), prior: 0.0 }) {
            return false;
        }
        let span = &mut self.spans[id.index()];
        (span.next, span.len) = (0, len);
        let start = if len == 0 { 0 } else { span.start as usize };
        let run = &mut self.pool[start..start + moves];
        let total: f32 = priors.iter().sum();
        let has_negative = priors.iter().fold(0, |bits, p| bits | p.to_bits()) >> 31 == 1;
        if !has_negative && priors.len() == moves && total > 0.0 && total.is_finite() {
            for (slot, (code, &p)) in run.iter_mut().zip(codes.zip(priors)) {
                *slot = Candidate { code, prior: p / total };
            }
        } else {
            fill_otherwise(run, codes, priors);
        }
        insertion_sort(run);
        true
    }

    /// Whether a run for `len` moves of this node could be had; a new one is filled with `any`.
    fn make_room(&mut self, id: NodeId, len: u16, any: Candidate<C>) -> bool {
        if self.spans[id.index()].room >= len {
            return true;
        }
        let room = usize::from(len).max(self.least);
        let is_full = self.pool.len() + room > self.limit || self.runs.len() >= self.spans.len();
        if is_full && !self.is_compact {
            self.compact();
        }
        let Ok(room16) = u16::try_from(room) else { return false };
        if self.pool.len() + room > self.limit {
            return false;
        }
        let span = &mut self.spans[id.index()];
        // A smaller run that it had is a gap now.
        self.is_compact &= span.room == 0;
        *span = Span { start: self.pool.len() as u32, room: room16, ..Span::NONE };
        self.runs.push((id, room as u32));
        let len = self.pool.len() + room;
        self.pool.resize(len, any);
        true
    }

    #[inline]
    pub(crate) fn best(&self, id: NodeId) -> Option<Candidate<C>> {
        let span = self.spans[id.index()];
        (span.next < span.len).then(|| self.pool[span.start as usize + usize::from(span.next)])
    }

    /// Whether there were moves, and all are tried.
    pub(crate) fn is_spent(&self, id: NodeId) -> bool {
        let span = self.spans[id.index()];
        span.len > 0 && span.next >= span.len
    }

    /// All its moves, the tried ones included.
    pub(crate) fn all(&self, id: NodeId) -> &[Candidate<C>] {
        let span = self.spans[id.index()];
        if span.len > 0 { &self.pool[span.start as usize..][..usize::from(span.len)] } else { &[] }
    }

    /// The untried moves, best prior first.
    #[inline]
    pub(crate) fn rest(&self, id: NodeId) -> &[Candidate<C>] {
        let span = self.spans[id.index()];
        if span.next < span.len {
            &self.pool[span.start as usize..][usize::from(span.next)..usize::from(span.len)]
        } else {
            &[]
        }
    }

    /// Gives each of [`Candidates::rest`], in this order, another prior.
    pub(crate) fn map_priors(&mut self, id: NodeId, mut other: impl FnMut(f32) -> f32) {
        let span = self.spans[id.index()];
        if span.next < span.len {
            let run = &mut self.pool[span.start as usize..][usize::from(span.next)..usize::from(span.len)];
            run.iter_mut().for_each(|candidate| candidate.prior = other(candidate.prior));
            insertion_sort(run);
        }
    }

    /// Puts one of [`Candidates::rest`] before the others, which keep their order.
    pub(crate) fn promote(&mut self, id: NodeId, place: usize) {
        let span = self.spans[id.index()];
        let run = &mut self.pool[span.start as usize..][usize::from(span.next)..usize::from(span.len)];
        run[..=place].rotate_right(1);
    }

    pub(crate) fn take(&mut self, id: NodeId) {
        self.spans[id.index()].next += 1;
    }

    /// Puts a taken move back among the untried ones.
    pub(crate) fn give_back(&mut self, id: NodeId, code: C) {
        let span = &mut self.spans[id.index()];
        let run = &mut self.pool[span.start as usize..][..usize::from(span.len)];
        let taken = usize::from(span.next);
        let Some(place) = run[..taken].iter().position(|candidate| candidate.code == code) else { return };
        run.swap(place, taken - 1);
        let mut i = taken - 1;
        while i + 1 < run.len() && run[i + 1].prior > run[i].prior {
            run.swap(i, i + 1);
            i += 1;
        }
        span.next -= 1;
    }

    /// The moves of a node, the tried ones included.
    pub(crate) fn archive(&mut self, id: NodeId, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let Span { mut next, mut len, .. } = self.spans[id.index()];
        archive.number(&mut len)?;
        archive.number(&mut next)?;
        archive.check(next <= len, "candidates")?;
        if archive.reads() && len > 0 {
            let bytes = usize::from(len) * (size_of::<u32>() + size_of::<f32>());
            archive.check(bytes <= archive.left(), "candidates")?;
            let room = self.make_room(id, len, Candidate { code: C::new(0), prior: 0.0 });
            archive.check(room, "candidates")?;
        }
        let span = &mut self.spans[id.index()];
        (span.next, span.len) = (next, len);
        let start = span.start;
        for place in 0..usize::from(len) {
            let candidate = &mut self.pool[start as usize + place];
            let mut code = candidate.code.index() as u32;
            archive.number(&mut code)?;
            archive.number(&mut candidate.prior)?;
            archive.check(code as usize <= C::MOST, "moves")?;
            candidate.code = C::new(code as usize);
        }
        Ok(())
    }

    /// Closes the gaps that forgotten nodes left, in place.
    pub(crate) fn compact(&mut self) {
        let (mut from, mut to, mut kept) = (0, 0, 0);
        for i in 0..self.runs.len() {
            let (id, len) = self.runs[i];
            let span = &mut self.spans[id.index()];
            if span.start as usize == from && span.len == 0 {
                *span = Span::NONE;
            } else if span.start as usize == from {
                span.start = to as u32;
                self.pool.copy_within(from..from + len as usize, to);
                self.runs[kept] = (id, len);
                kept += 1;
                to += len as usize;
            }
            from += len as usize;
        }
        self.is_compact = true;
        self.pool.truncate(to);
        self.runs.truncate(kept);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pool.capacity() * size_of::<Candidate<C>>()
            + self.runs.capacity() * size_of::<(NodeId, u32)>()
            + self.spans.capacity() * size_of::<Span>()
    }
}

/// Best prior first; stable and without allocation. Runs are short, and often equal.
fn insertion_sort<C: Code>(run: &mut [Candidate<C>]) {
    for i in 1..run.len() {
        let new = run[i];
        let mut j = i;
        while j > 0 && run[j - 1].prior < new.prior {
            run[j] = run[j - 1];
            j -= 1;
        }
        run[j] = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn runs_are_sorted_taken_in_order_and_compacted() {
        let mut c = Candidates::<u16>::new(100, 0);
        let ids: Vec<NodeId> = (0..3).map(NodeId).collect();
        c.extend_to(3);
        for &id in &ids {
            assert!(c.store(id, [10, 11, 12].into_iter(), &[1.0, 3.0, 0.0]));
        }
        assert_eq!(c.best(ids[1]), Some(Candidate { code: 11, prior: 0.75 }));
        c.take(ids[1]);
        c.forget(ids[0]);
        c.compact();
        assert_eq!(c.pool.len(), 6);
        assert_eq!(c.best(ids[1]), Some(Candidate { code: 10, prior: 0.25 }));
        assert_eq!(c.best(ids[2]).unwrap().code, 11);
        assert_eq!(c.best(ids[0]), None);
    }

    #[test]
    fn priors_are_normalized_whatever_is_given() {
        let normal = |priors: &[f32]| {
            let mut c = Candidates::<u16>::new(100, 0);
            c.extend_to(1);
            assert!(c.store(NodeId(0), [1, 2, 3, 4].into_iter(), priors));
            let mut given: Vec<Candidate<u16>> = c.pool.to_vec();
            given.sort_by_key(|candidate| candidate.code);
            assert_eq!(given.iter().map(|candidate| candidate.code).collect::<Vec<_>>(), [1, 2, 3, 4]);
            given.iter().map(|candidate| candidate.prior).collect::<Vec<f32>>()
        };
        assert_eq!(normal(&[1.0, 2.0, 0.0, 1.0]), [0.25, 0.5, 0.0, 0.25]);
        assert_eq!(normal(&[f32::MAX; 4]), [0.25; 4]);
        assert_eq!(normal(&[1.0, -5.0, f32::NAN, 1.0]), [0.5, 0.0, 0.0, 0.5]);
        for unusable in
            [&[][..], &[1.0; 3], &[1.0; 5], &[0.0; 4], &[-1.0; 4], &[1.0, f32::INFINITY, 1.0, 1.0]]
        {
            assert_eq!(normal(unusable), [0.25; 4], "{unusable:?}");
        }
    }

    #[test]
    fn a_move_given_back_takes_its_place_again() {
        let mut c = Candidates::<u16>::new(6, 6);
        c.extend_to(1);
        let id = NodeId(0);
        assert!(c.store(id, [1, 2, 3, 4].into_iter(), &[4.0, 3.0, 2.0, 1.0]));
        (0..3).for_each(|_| c.take(id));
        c.give_back(id, 2);
        c.give_back(id, 3);
        c.give_back(id, 1);
        let rest: Vec<u16> = core::iter::from_fn(|| c.best(id).map(|b| (b.code, c.take(id)).0)).collect();
        assert_eq!(rest, [1, 2, 3, 4]);
        c.forget(id);
        assert_eq!(c.best(id), None);
        assert!(c.store(id, [1, 2, 3, 4, 5, 6].into_iter(), &[1.0; 6]), "the slot keeps its run");
    }

    #[test]
    fn a_full_pool_is_compacted_once_per_gap() {
        let mut c = Candidates::<u16>::new(6, 0);
        c.extend_to(4);
        let ids: Vec<NodeId> = (0..4).map(NodeId).collect();
        assert!(c.store(ids[0], [1, 2, 3].into_iter(), &[1.0; 3]));
        assert!(c.store(ids[1], [1, 2, 3].into_iter(), &[1.0; 3]));
        assert!(!c.store(ids[2], [1, 2].into_iter(), &[1.0; 2]) && c.is_compact);
        c.forget(ids[0]);
        assert!(c.store(ids[2], [1, 2].into_iter(), &[1.0; 2]) && c.pool.len() == 5);
        assert!(c.store(ids[3], [7].into_iter(), &[1.0]) && !c.store(ids[0], [1].into_iter(), &[1.0]));
        // A node that takes a longer run leaves its first one.
        let mut c = Candidates::<u16>::new(5, 0);
        c.extend_to(2);
        assert!(
            c.store(ids[0], [1].into_iter(), &[1.0]) && c.store(ids[0], [1, 2, 3].into_iter(), &[1.0; 3])
        );
        assert!(c.store(ids[1], [1, 2].into_iter(), &[1.0; 2]) && c.pool.len() == 5);
    }

    #[test]
    fn a_promoted_move_comes_next_and_the_others_keep_their_order() {
        let mut c = Candidates::<u16>::new(8, 0);
        c.extend_to(1);
        let id = NodeId(0);
        assert!(c.store(id, [1, 2, 3, 4].into_iter(), &[4.0, 3.0, 2.0, 1.0]));
        c.take(id);
        c.promote(id, 2);
        let rest: Vec<u16> = c.rest(id).iter().map(|candidate| candidate.code).collect();
        assert_eq!((c.best(id).unwrap().code, rest), (4, vec![4, 2, 3]));
    }

    #[test]
    fn a_full_pool_refuses() {
        let mut c = Candidates::<u16>::new(3, 0);
        c.extend_to(1);
        assert!(!c.store(NodeId(0), [1, 2, 3, 4].into_iter(), &[1.0; 4]));
        assert!(c.store(NodeId(0), [1, 2].into_iter(), &[0.0; 2]));
        assert_eq!(c.best(NodeId(0)).unwrap().prior, 0.5);
    }
}
