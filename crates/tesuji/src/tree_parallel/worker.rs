//! One thread of a search by several in one tree.

use super::{BLOCK, TreeParallel};
use crate::node::NodeId;
use crate::search::{DRAWS, LONG, most_moves};
use crate::shared_tree::{Places, SharedNode, SharedTree};
use crate::untried::Untried;
use crate::{
    Budget, Child, Game, Line, Observer, Options, Outcome, Parent, Player, Playout, Rng, Select, StopReason,
    Trace,
};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use std::vec::Vec;

/// What a thread has done, and why it ended, if not for the number of simulations.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    pub(super) done: u64,
    /// Places for nodes that it took and did not use.
    pub(super) unused: usize,
    pub(super) deepest: usize,
    pub(super) reason: Option<StopReason>,
}

/// How many of `left` a thread takes at a time: few, so that all threads end together.
fn share(left: u64, threads: usize) -> u64 {
    (left / (8 * threads as u64)).clamp(1, BLOCK)
}

/// What a thread needs beside the tree and its positions.
pub(super) struct Scratch<G: Game> {
    path: Vec<(NodeId, Player)>,
    line: Line,
    moves: Vec<G::Move>,
    untried: Untried,
    /// The root's children. Other threads change them all the time; read from a list of their places the
    /// changes arrive side by side, along the links one after the other.
    root_children: Vec<NodeId>,
}

impl<G: Game> Scratch<G> {
    pub(super) fn new(start: &G, options: &Options, records: bool) -> Self {
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let width = moves.len().max(1);
        let most = most_moves(start, width);
        Scratch {
            path: Vec::with_capacity(options.depth.min(LONG) + 1),
            line: if records { Line::of_search(width, options) } else { Line::default() },
            moves: Vec::with_capacity(most),
            untried: Untried::new(start.keys()),
            root_children: Vec::with_capacity(most),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<(NodeId, Player)>()
            + self.line.bytes()
            + self.moves.capacity() * size_of::<G::Move>()
            + self.untried.bytes()
            + self.root_children.capacity() * size_of::<NodeId>()
    }
}

/// One thread of the search.
pub(super) struct Worker<'a, G: Game, S, P> {
    search: &'a TreeParallel<G, S, P>,
    root: &'a G,
    playout: &'a mut P,
    rng: Rng,
    game: G,
    own: Scratch<G>,
    places: Places,
    /// Places to take at a time.
    block: u32,
    /// Simulations that all threads had begun, or were about to, when this one last asked: the root's visits.
    claimed: u32,
    /// How many simulations this thread has finished, and their mean: the root's value.
    finished: f32,
    mean: f32,
    records: bool,
}

impl<'a, G: Game, S: Select, P: Playout<G> + Clone> Worker<'a, G, S, P> {
    pub(super) fn new(search: &'a TreeParallel<G, S, P>, root: &'a G, playout: &'a mut P, rng: Rng) -> Self {
        let records = playout.learns();
        let own = Scratch::new(root, &search.options, records);
        let block = share(search.tree.capacity() as u64, search.threads) as u32;
        let places = Places::default();
        let game = root.clone();
        Worker {
            search,
            root,
            playout,
            rng,
            game,
            own,
            places,
            block,
            claimed: 1,
            finished: 0.0,
            mean: 0.0,
            records,
        }
    }

    /// Simulates until the budget, which all threads share, is spent.
    pub(super) fn work(
        mut self,
        budget: &Budget,
        clock: Instant,
        claimed: &AtomicU64,
        observer: &mut dyn Observer<G::Move>,
    ) -> Work {
        let target = budget.simulations.unwrap_or(u64::MAX).max(1);
        let every = observer.every().max(1);
        let mut work = Work::default();
        let mut mine = 0..0;
        loop {
            if mine.is_empty() {
                let left = target.saturating_sub(claimed.load(Relaxed));
                let count = share(left, self.search.threads);
                let first = claimed.fetch_add(count, Relaxed);
                mine = first.min(target)..first.saturating_add(count).min(target);
                self.claimed = mine.end.min(u32::MAX.into()) as u32;
            }
            if mine.next().is_none() {
                break;
            }
            if work.done > 0 && budget.stop.is_stopped() {
                work.reason = Some(StopReason::Stopped);
                break;
            }
            if work.done % 16 == 1 && budget.time.is_some_and(|time| clock.elapsed() >= time) {
                work.reason = Some(StopReason::Time);
                break;
            }
            self.simulate();
            work.done += 1;
            work.deepest = work.deepest.max(self.own.path.len() - 1);
            if work.done % every == 0 && observer.is_due() {
                let all = claimed.load(Relaxed).min(target) - (mine.end - mine.start);
                observer.progress(&self.search.report(
                    self.root,
                    StopReason::Stopped,
                    all,
                    self.places.len(),
                    work.deepest,
                    clock,
                ));
            }
        }
        work.unused = self.places.len();
        work
    }

    /// One simulation: descend, expand, evaluate, back up.
    fn simulate(&mut self) {
        let (tree, entering) = (&self.search.tree, self.search.virtual_visits);
        self.game.clone_from(self.root);
        self.own.path.clear();
        self.own.line.clear();
        let players = G::Outcome::PLAYERS;
        let mover = Player::new((self.game.to_move().index() + players - 1) % players);
        let (mut step, mut grown) = ((SharedTree::<G::Move>::ROOT, mover), false);

        // Descend, and expand one move.
        loop {
            self.own.path.push(step);
            if grown || self.stops_at(step.0) {
                break;
            }
            let mover = self.game.to_move();
            let child = if let Some(m) = self.pick_untried(step.0) {
                // Played before it is linked, so that other threads never pass through a game that is over.
                self.play(m);
                let over = self.game.result().is_some();
                let expanded = tree.expand(step.0, m, over, entering, &mut self.places);
                let (child, new) = expanded.expect("a move is picked where there is a place for it");
                grown = new;
                child
            } else if let Some(child) = self.pick(step) {
                tree.node(child).enter(entering);
                self.play(tree.node(child).m());
                child
            } else {
                break;
            };
            step = (child, mover);
        }

        // Evaluate.
        let outcome = self.evaluate(step.0);

        // Back up, but for the root: nobody compares it with others, and all threads would write to it.
        self.finished += 1.0;
        self.mean += (outcome.of(self.own.path[0].1) - self.mean) / self.finished;
        for &(id, mover) in &self.own.path[1..] {
            tree.node(id).leave(entering, outcome.of(mover));
        }
        if self.records {
            self.playout.learn(self.own.line.moves(), &outcome);
        }
    }

    fn play(&mut self, m: G::Move) {
        if self.records {
            self.own.line.record(self.game.to_move(), self.game.key(m));
        }
        self.game.play(m);
    }

    fn stops_at(&self, id: NodeId) -> bool {
        let (node, options) = (self.search.tree.node(id), &self.search.options);
        node.is_terminal()
            || self.own.path.len() > options.depth
            || (self.own.path.len() > 1
                && node.visits() < options.expand_at.saturating_add(self.search.virtual_visits))
    }

    fn pick(&mut self, (id, mover): (NodeId, Player)) -> Option<NodeId> {
        let tree = &self.search.tree;
        let own_view = |value: f32| if mover == self.game.to_move() { value } else { 1.0 - value };
        if id != SharedTree::<G::Move>::ROOT {
            let node = tree.node(id);
            return self.best(node.visits(), own_view(node.value()), tree.children(id));
        }
        let value = own_view(self.mean);
        if tree.children(id).next().map(|(first, _)| first) != self.own.root_children.first().copied() {
            self.own.root_children.clear();
            self.own.root_children.extend(tree.children(id).map(|(child, _)| child));
        }
        let children = self.own.root_children.iter().map(|&child| (child, tree.node(child)));
        self.best(self.claimed, value, children)
    }

    /// The best of the children of a node with so many visits and this value for the player to move.
    #[inline(always)]
    fn best<'t>(
        &self,
        visits: u32,
        value: f32,
        children: impl Iterator<Item = (NodeId, &'t SharedNode<G::Move>)>,
    ) -> Option<NodeId>
    where
        G::Move: 't,
    {
        let shared = self.search.select.shared(&Parent {
            visits: visits.max(1),
            value,
            tried_prior: 0.0,
            tried_visits: 0,
        });
        let (mut best, mut highest) = (NodeId::NONE, f32::NEG_INFINITY);
        for (id, node) in children {
            let visits = node.visits();
            let child = Child { visits, value: node.value_of(visits), ..Child::default() };
            let score = self.search.select.score(shared, &child);
            if score < highest {
                continue;
            }
            (best, highest) = (id, score);
        }
        best.some()
    }

    /// A uniformly random move of the current position that no thread has given a node yet.
    fn pick_untried(&mut self, id: NodeId) -> Option<G::Move> {
        let tree = &self.search.tree;
        if tree.node(id).is_complete() || !tree.has_place(&mut self.places, self.block) {
            return None;
        }
        for _ in 0..DRAWS {
            let Some(m) = self.game.draw_search_move(&mut self.rng) else { continue };
            if tree.children(id).all(|(_, child)| child.m() != m) {
                return Some(m);
            }
        }
        self.own.moves.clear();
        self.game.search_moves(&mut self.own.moves);
        self.own.untried.retain(
            &self.game,
            &mut self.own.moves,
            tree.children(id).map(|(_, child)| self.game.code(child.m())),
        );
        match self.own.moves.len() {
            0 => {
                tree.node(id).set_complete();
                None
            }
            n => Some(self.own.moves[self.rng.below(n as u32) as usize]),
        }
    }

    fn evaluate(&mut self, id: NodeId) -> G::Outcome {
        if self.search.tree.node(id).is_terminal()
            && let Some(outcome) = self.game.result()
        {
            return outcome;
        }
        self.own.moves.clear();
        if self.records {
            self.playout.run(&mut self.game, &mut self.rng, &mut self.own.moves, &mut self.own.line)
        } else {
            self.playout.run(&mut self.game, &mut self.rng, &mut self.own.moves, &mut ())
        }
    }
}
