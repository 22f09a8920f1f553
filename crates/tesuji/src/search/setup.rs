//! Construction, and what happens between searches.

use super::*;
use crate::candidates::Candidates;
use crate::{MemoryError, Shared};

/// Most nodes reserved at once for a budget of simulations; beyond it the pool grows by doubling.
const RESERVE: u64 = 1 << 24;

impl<G: Game> Search<G> {
    /// Plain UCT with uniform playouts.
    pub fn uct(start: &G, c: f32, seed: u64) -> Self {
        Search::new(start, Ucb { c }, Mean {}, Uniform {}, Options::default(), seed)
            .expect("without a memory limit there is room")
    }
}

impl<G, S, B, P> Search<G, S, B, P>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
{
    /// A search of games that begin at `start`. With `memory.bytes` everything is allocated here.
    ///
    /// # Errors
    /// If `memory.bytes` is too small for these parts, or more than there is.
    pub fn new(
        start: &G,
        select: S,
        backup: B,
        playout: P,
        options: Options,
        seed: u64,
    ) -> Result<Self, MemoryError> {
        let columns = select.needs() | backup.needs();
        let records = playout.learns();
        let tries_first =
            !columns.has(Columns::PRIOR) && select.untried(Shared::default(), 0.0) == f32::INFINITY;
        let mut moves = Vec::new();
        start.moves(&mut moves);
        let width = moves.len().max(1);
        let path = Vec::with_capacity(options.depth + 1);
        let line = Line::with_capacity(if records { (4 * width).max(64) } else { 0 });
        let moves = Vec::with_capacity((width + width / 4).max(16));
        let priors = Vec::with_capacity(if columns.has(Columns::PRIOR) { moves.capacity() } else { 0 });
        let mut search = Search {
            select,
            backup,
            playout,
            options,
            name: String::from("search"),
            seed,
            searches: 0,
            rng: Rng::new(seed),
            tree: Tree::new(columns, 0, 0),
            root: start.clone(),
            game: start.clone(),
            kept: false,
            path,
            line,
            moves,
            priors,
            untried: Untried::new(start.keys()),
            tries_first,
            records,
            deepest: 0,
            nodes_peak: 0,
            bytes_peak: 0,
        };
        search.playout.new_game(start);
        search.plan_tree(columns, width)?;
        Ok(search)
    }

    /// Gives the tree what the memory limits leave after everything else.
    fn plan_tree(&mut self, columns: Columns, width: usize) -> Result<(), MemoryError> {
        let mut node = Tree::<G::Move>::bytes_per_node(columns);
        if columns.has(Columns::PRIOR) {
            node += width * Candidates::<G::Move>::BYTES_PER_MOVE;
        }
        let mut limit = self.options.memory.nodes.map_or(usize::MAX, |n| n.saturating_add(1));
        if let Some(bytes) = self.options.memory.bytes {
            let fixed = self.bytes();
            let least = fixed + 2 * node;
            if bytes < least {
                return Err(MemoryError::TooSmall { bytes, least });
            }
            limit = limit.min((bytes - fixed) / node);
        }
        self.tree = Tree::new(columns, limit, limit.saturating_mul(width))
            .comparing(self.options.solver, self.options.ties == Ties::Random);
        if let Some(bytes) = self.options.memory.bytes {
            self.tree.reserve(limit, width).map_err(|_| MemoryError::Unavailable { bytes })?;
        }
        Ok(())
    }

    /// Gives the agent a name for reports. Default: `search`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The tree of the latest search.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The playout policy, with what it has learnt.
    pub fn playout(&self) -> &P {
        &self.playout
    }

    /// Heap bytes held for the search: tree, side tables, scratch space. The two positions that it works on
    /// are not counted.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.path.capacity() * size_of::<Step>()
            + self.line.bytes()
            + self.moves.capacity() * size_of::<G::Move>()
            + self.priors.capacity() * size_of::<f32>()
            + self.untried.bytes()
            + self.playout.bytes(&self.root)
    }

    /// Forgets the game so far and starts anew from `seed`.
    pub fn start_game(&mut self, start: &G, seed: u64) {
        self.seed = seed;
        self.searches = 0;
        self.kept = false;
        self.root.clone_from(start);
        self.playout.new_game(start);
        self.untried = Untried::new(start.keys());
    }

    /// Follows a move of the game, so that the tree below it may be kept.
    pub fn follow(&mut self, m: G::Move) {
        if !self.options.reuse || self.tree.is_empty() {
            return;
        }
        let mover = self.root.to_move();
        let child = self.tree.children(self.tree.root()).find(|(_, child)| child.m() == m);
        let child = child.map(|(id, _)| id);
        match child {
            Some(id) => self.tree.reroot(id, mover),
            None => self.tree.clear(),
        }
        self.root.play(m);
        self.kept = child.is_some();
    }

    /// Makes the tree ready for a search of `game`: kept where [`Search::follow`] led to this very
    /// position, else one fresh root.
    pub(super) fn prepare(&mut self, game: &G, simulations: Option<u64>) {
        let same = self.kept
            && !self.tree.node(self.tree.root()).is_terminal()
            && game.hash().is_some()
            && game.hash() == self.root.hash()
            && game.to_move() == self.root.to_move();
        self.root.clone_from(game);
        self.rng = Rng::new(Rng::derive(self.seed, self.searches));
        if self.searches > 0 {
            self.playout.new_move();
        }
        self.searches += 1;
        self.deepest = 0;
        self.kept = false;

        self.moves.clear();
        game.moves(&mut self.moves);
        let (first, width) = (self.moves[0], self.moves.len());
        if let (Some(n), None) = (simulations, self.options.memory.bytes) {
            let kept = if same { self.tree.len() as u64 } else { 1 };
            // Without so much memory the tree grows as it needs to.
            let _ = self.tree.reserve((kept + n.min(RESERVE)) as usize, width);
        }
        if !same {
            let players = G::Outcome::PLAYERS;
            let mover = Player::new((game.to_move().index() + players - 1) % players);
            self.tree.plant(mover, first);
            if self.tree.columns().has(Columns::PRIOR) {
                self.game.clone_from(game);
                self.offer_candidates(self.tree.root());
            }
        }
    }

    /// Stores the moves of the current position and their priors at a fresh node. Without room for them the
    /// node stays a leaf.
    pub(super) fn offer_candidates(&mut self, node: NodeId) {
        self.moves.clear();
        self.priors.clear();
        self.list_moves();
        self.playout.priors(&self.game, &self.moves, &mut self.priors);
        if !self.tree.set_candidates(node, &self.moves, &self.priors) {
            self.tree.node_mut(node).set_complete(true);
        }
        self.moves.clear();
    }
}
