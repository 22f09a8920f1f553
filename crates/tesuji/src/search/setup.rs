//! Construction, and what happens between searches.

use super::Search;
use super::build_error::BuildError;
use super::common::{Core, Expansion};
use super::options::{Options, Ties};
use super::simulation::{Simulation, Worker};
use super::stay::Stay;
use crate::amaf::Tables;
use crate::backup::{Backup, Mean};
use crate::bias::Advisor;
use crate::candidates::Candidates;
use crate::code::{Code, Link};
use crate::columns::Columns;
use crate::game::{CodeOf, SearchGame};
use crate::halving::Halving;
use crate::memory::MemoryError;
use crate::node::Step;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::playout::{Playout, Uniform};
use crate::rng::Rng;
use crate::root_policy::RootPolicy;
use crate::select::{Child, Select, Shared, Ucb};
use crate::tree::{Advice, InFlight, Tree};
use crate::untried::Untried;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Most nodes reserved at once for a budget of simulations; beyond it the pool grows by doubling.
const RESERVE: u64 = if cfg!(test) { 1 << 10 } else { 1 << 24 };
/// Nodes and AMAF tables reserved for each of several threads beside those of a budget: at the end
/// it has taken up to 64 that it does not use, and its path has to find room as if it had no table.
const SPARE: usize = 128;

/// Playouts of a second-level search where neither nodes nor simulations are limited.
const UNLIMITED_BATCH: u32 = 100;

/// How many nodes and how many AMAF tables fit into `bytes`, given what one takes and the most that
/// are wanted of each, and the fewest tables. Where tables are `paired` with nodes there are as
/// many of both as possible; else, unless one of them wants less, each kind has half of the bytes.
fn share_out(
    bytes: usize,
    (node, nodes): (usize, usize),
    (table, fewest, tables): (usize, usize, usize),
    paired: bool,
) -> (usize, usize) {
    if table == 0 {
        return (nodes.min(bytes / node), 0);
    }
    let for_tables = if paired { bytes / (node + table) * table } else { bytes / 2 };
    // Two nodes, the root and a move, come first.
    let for_tables =
        for_tables.max(bytes.saturating_sub(nodes.saturating_mul(node))).min(bytes.saturating_sub(2 * node));
    let tables = tables.min(for_tables / table).max(fewest);
    (nodes.min((bytes - tables * table) / node), tables)
}

/// What decides how large a tree may be.
struct Plan<'a> {
    options: &'a Options,
    columns: Columns,
    /// Numbers that the backup keeps at each node.
    backup_state: usize,
    /// Moves of a position.
    width: usize,
    keys: usize,
    players: usize,
    /// Simulations in flight.
    simulations: usize,
    advised: bool,
    in_flight: Option<InFlight>,
    /// Whether several threads may change the tree at once.
    concurrent: bool,
    /// Heap bytes of the search beside its tree.
    beside: usize,
}

impl Plan<'_> {
    /// An empty tree that has what the memory limits leave.
    fn tree<C: Code, I: Link>(&self) -> Result<Tree<C, I>, MemoryError> {
        let &Plan { columns, backup_state, width, keys, players, simulations, advised, in_flight, .. } = self;
        let beside = self.beside;
        let Options { memory, recycle, amaf, two_level, solver, ties, bias, .. } = self.options;
        let mut node = Tree::<C, I>::bytes_per_node(columns, backup_state, *recycle, in_flight.is_some());
        if columns.has(Columns::PRIOR) {
            node += width * Candidates::<C>::BYTES_PER_MOVE;
        }
        let advice = advised.then(|| Advice::new(*bias, keys / players));
        if advised {
            node += Advice::bytes_per_node(keys / players);
        }
        let with_amaf = columns.has(Columns::AMAF) && keys > 0;
        let tables = |limit| with_amaf.then(|| Tables::new(amaf, limit, keys));
        let table = if with_amaf { Tables::<I>::bytes_per_table(amaf.counts, keys) } else { 0 };
        let apart = if two_level.lambda > 0.0 && !two_level.share { simulations } else { 0 };
        let mut limit = memory.nodes.map_or(usize::MAX, |n| n.saturating_add(1)).min(I::NODES);
        let mut most = amaf.tables.map_or(limit, |n| n.min(limit)).saturating_add(apart);
        if let Some(bytes) = memory.bytes {
            let fixed = beside
                + tables(0).map_or(0, |tables| tables.bytes())
                + advice.as_ref().map_or(0, Advice::bytes);
            let least = fixed + 2 * node + (1 + apart) * table;
            if bytes < least {
                return Err(MemoryError::TooSmall { bytes, least });
            }
            (limit, most) =
                share_out(bytes - fixed, (node, limit), (table, 1 + apart, most), amaf.min_visits == 0);
        }
        let second = two_level.second(limit.saturating_sub(1)).saturating_sub(1);
        let tables = tables(most);
        let concurrent = self.concurrent && tables.as_ref().is_none_or(|tables| !tables.is_bounded());
        // Later positions may have more moves.
        let moves = if memory.bytes.is_none() { 2 * width + 64 } else { width };
        let candidates = (limit.saturating_mul(moves), if *recycle { width } else { 0 });
        let mut tree = Tree::new(columns, [limit - second, second], candidates)
            .comparing(*solver, *ties == Ties::Random)
            .recycling(*recycle)
            .sharing(in_flight, concurrent)
            .with_backup_state(backup_state)
            .with_amaf(tables.map(|tables| tables.shared(concurrent)))
            .with_advice(advice);
        if let Some(bytes) = memory.bytes {
            tree.reserve(limit, width, most).map_err(|_| MemoryError::Unavailable { bytes })?;
        }
        Ok(tree)
    }
}

impl<G: SearchGame> Search<G> {
    /// Plain UCT with uniform playouts and without a limit of memory.
    ///
    /// The constant `c` of exploration is 0 or more; 0.1 to 1.4 are usual where results are 0 to 1.
    /// The same `seed` gives the same search.
    #[expect(clippy::missing_panics_doc, reason = "these parts go together, and there is no limit of memory")]
    pub fn uct(start: &G, c: f32, seed: u64) -> Self {
        Search::new(start, Ucb { c }, Mean {}, Uniform {}, Options::default(), seed)
            .expect("these parts go together, and without a memory limit there is room")
    }
}

impl<G: SearchGame, S: Select, B: Backup, P: Playout<G>> Search<G, S, B, P> {
    /// A search of games that begin at `start`. With `memory.bytes` everything is allocated here.
    ///
    /// # Errors
    /// If `memory.bytes` is too small for these parts, or more than there is; if two parts or
    /// settings clash: Gumbel with the solver or two levels, a root policy with a tree policy that
    /// reads no priors, a tree policy that reads both priors and AMAF values; if
    /// [`TwoLevel::lambda`](crate::TwoLevel::lambda) is not from 0 to 0.99; if a part learns by the
    /// keys of moves and the game has none, if the game has not two players and the solver is asked
    /// for, or more than two and the backup [turns values](Backup::turns_values).
    pub fn new(
        start: &G,
        select: S,
        backup: B,
        playout: P,
        options: Options,
        seed: u64,
    ) -> Result<Self, BuildError> {
        Search::build(start, select, backup, playout, options, seed)
    }
}

impl<G: SearchGame, S: Select, B: Backup, P: Playout<G>> Search<G, S, B, P, u16> {
    /// [`Search::new`] with narrow links: the same search in less memory, with at most 65 535
    /// nodes.
    ///
    /// # Errors
    /// As [`Search::new`].
    pub fn compact(
        start: &G,
        select: S,
        backup: B,
        playout: P,
        options: Options,
        seed: u64,
    ) -> Result<Self, BuildError> {
        Search::build(start, select, backup, playout, options, seed)
    }
}

/// What does not go together, if anything.
fn clash(
    players: usize,
    select: &impl Select,
    backup: &impl Backup,
    options: &Options,
) -> Option<&'static str> {
    let gumbel = matches!(options.root, RootPolicy::Gumbel(_));
    let clashes = [
        (
            options.root != RootPolicy::Plain && !select.needs().has(Columns::PRIOR),
            "`root` needs priors, which `select` does not read; puct does",
        ),
        (
            select.needs().has(Columns::PRIOR) && select.needs().has(Columns::AMAF),
            "`select` reads both priors and AMAF values, by which a search could not choose an untried move",
        ),
        (!(0.0..=0.99).contains(&options.two_level.lambda), "`two_level.lambda` is not from 0 to 0.99"),
        (gumbel && options.solver, "root policy `gumbel` does not go with `solver`"),
        (gumbel && options.two_level.lambda > 0.0, "root policy `gumbel` does not go with `two_level`"),
        (
            players > 2 && backup.turns_values(),
            "`backup` derives one player's value from that of the other, but this game has more than two players",
        ),
        (
            players != 2 && options.solver,
            "`solver` proves results for two players, but this game has another number of players",
        ),
    ];
    clashes.into_iter().find_map(|(clashes, what)| clashes.then_some(what))
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    fn build(
        start: &G,
        select: S,
        backup: B,
        playout: P,
        options: Options,
        seed: u64,
    ) -> Result<Self, BuildError> {
        let mut search = Search::without_tree(start, select, backup, playout, options, seed)?;
        search.plan_tree(None)?;
        Ok(search)
    }

    /// A search whose tree is still to be [planned](Search::plan_tree).
    pub(crate) fn without_tree(
        start: &G,
        select: S,
        backup: B,
        playout: P,
        options: Options,
        seed: u64,
    ) -> Result<Self, BuildError> {
        if let Some(what) = clash(G::Outcome::PLAYERS, &select, &backup, &options) {
            return Err(BuildError::Clash(String::from(what)));
        }
        let columns = select.needs() | backup.needs() | playout.needs();
        let records = playout.learns() || columns.has(Columns::AMAF);
        if (records || columns.has(Columns::KEY)) && start.keys() == 0 {
            let what = "a part learns by the keys of moves, but this game has none";
            return Err(BuildError::Clash(String::from(what)));
        }
        let tries_first = !columns.has(Columns::PRIOR)
            && !columns.has(Columns::AMAF)
            && select.untried(Shared::default(), &Child::default()) == f32::INFINITY;
        let expansion = if tries_first { Expansion::First } else { Expansion::Compared };
        let has_overrides = options.solver;
        let simulation = Simulation::new(start, &options, columns, records);
        let halving = match &options.root {
            RootPolicy::Gumbel(rule) if columns.has(Columns::PRIOR) => {
                Some(Halving::new(rule.clone(), simulation.moves.capacity()))
            }
            _ => None,
        };
        let core = Core {
            select,
            backup,
            options,
            tree: Tree::new(columns, [0, 0], (0, 0)),
            root: start.clone(),
            told: 0,
            batch: 1,
            expansion,
            advisor: None,
            halving,
            has_overrides,
            records,
        };
        let mut search = Search {
            core,
            worker: Worker { simulation, others: Vec::new(), playout },
            others: Vec::new(),
            drive: Self::drive_alone,
            flight: None,
            name: Cow::Borrowed("search"),
            seed,
            searches: 0,
            resumes: false,
            kept: false,
            nodes_peak: 0,
            bytes_peak: 0,
        };
        search.worker.playout.new_game(start);
        search.core.backup.new_game(start);
        Ok(search)
    }

    /// Lets an advisor bias the tree policy, as [`Options::bias`] says. What was searched so far is
    /// forgotten. In a game without [keys](crate::Keyed::keys) nothing is biased.
    ///
    /// # Errors
    /// As [`Search::new`]: each node keeps a byte of advice for each cell.
    pub fn with_advisor(mut self, advisor: Arc<dyn Advisor<G>>) -> Result<Self, BuildError> {
        self.take_advisor(advisor);
        self.plan_tree(self.core.tree.in_flight())?;
        Ok(self)
    }

    /// Lets an advisor bias the tree policy. The tree is to be [planned](Search::plan_tree) anew.
    pub(crate) fn take_advisor(&mut self, advisor: Arc<dyn Advisor<G>>) {
        self.core.advisor = Some(advisor);
        self.core.has_overrides = true;
        if self.core.expansion == Expansion::Compared {
            self.core.expansion = Expansion::Advised;
        }
    }

    /// Gives an empty tree what the memory limits leave after everything else. Of several
    /// simulations, each in flight counts as `in_flight` says.
    pub(crate) fn plan_tree(&mut self, in_flight: Option<InFlight>) -> Result<(), MemoryError> {
        let columns = self.core.tree.columns();
        self.core.tree = Tree::new(columns, [0, 0], (0, 0));
        (self.kept, self.resumes, self.flight) = (false, false, None);
        let stays = self.worker.others.is_empty() && self.core.stays(1 + self.others.len());
        for simulation in self.workers_mut().flat_map(Worker::simulations_mut) {
            simulation.stay = Stay::new(stays);
        }
        let moves = &mut self.worker.simulation.moves;
        moves.clear();
        self.core.root.moves(moves);
        let width = moves.len().max(1);
        let simulations = self.workers().map(|worker| worker.simulations().count()).sum();
        self.core.tree = Plan {
            options: &self.core.options,
            columns,
            backup_state: self.core.backup.backup_state(),
            width,
            keys: self.core.root.keys(),
            players: G::Outcome::PLAYERS,
            simulations,
            advised: self.core.advisor.is_some(),
            in_flight: in_flight.filter(|_| simulations > 1),
            concurrent: !self.others.is_empty() && self.core.only_adds(),
            beside: self.bytes(),
        }
        .tree()?;
        Ok(())
    }

    /// Gives the agent a name for reports. Default: `search`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Cow::Owned(name.into());
        self
    }

    /// The tree of the latest search.
    pub fn tree(&self) -> &Tree<CodeOf<G>, I> {
        &self.core.tree
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.core.options
    }

    /// The playout policy, with what it has learned; of several threads, that of the first.
    pub fn playout(&self) -> &P {
        &self.worker.playout
    }

    /// Heap bytes held for the search: tree, side tables, scratch space. The positions that it
    /// works on are not counted.
    pub fn bytes(&self) -> usize {
        self.core.tree.bytes() + self.bytes_beside_tree()
    }

    /// [`Search::bytes`] without the tree's.
    pub(super) fn bytes_beside_tree(&self) -> usize {
        let core = &self.core;
        core.backup.bytes()
            + core.halving.as_ref().map_or(0, Halving::bytes)
            + core.advisor.as_ref().map_or(0, |advisor| advisor.bytes())
            + self.others.capacity() * size_of::<Worker<G, P>>()
            + self.workers().map(|worker| worker.bytes(&core.root)).sum::<usize>()
    }

    pub(super) fn workers(&self) -> impl Iterator<Item = &Worker<G, P>> {
        core::iter::once(&self.worker).chain(&self.others)
    }

    pub(super) fn workers_mut(&mut self) -> impl Iterator<Item = &mut Worker<G, P>> {
        core::iter::once(&mut self.worker).chain(&mut self.others)
    }

    /// Whether it suits games with its number of keys alone: something beside the playout policy
    /// has a place for each key, or a limit in bytes was shared out for that number.
    pub(super) fn is_for_its_keys(&self) -> bool {
        let Core { tree, advisor, options, .. } = &self.core;
        tree.amaf().is_some() || advisor.is_some() || options.memory.bytes.is_some()
    }

    /// Forgets the game so far and starts anew from `seed`.
    ///
    /// # Panics
    /// If the search has AMAF tables, an advisor or a limit in bytes, and `start` has another
    /// number of [keys](crate::Keyed::keys) than the game that the search was made for.
    pub fn start_game(&mut self, start: &G, seed: u64) {
        assert!(
            self.core.root.keys() == start.keys() || !self.is_for_its_keys(),
            "the tables of this search, or its limit in bytes, are for a game with another number of keys of moves"
        );
        self.seed = seed;
        self.searches = 0;
        (self.nodes_peak, self.bytes_peak) = (0, 0);
        self.core.tree.forget();
        (self.kept, self.resumes, self.flight) = (false, false, None);
        self.core.root.clone_from(start);
        self.core.backup.new_game(start);
        for worker in self.workers_mut() {
            worker.playout.new_game(start);
            worker.simulations_mut().for_each(|simulation| simulation.untried = Untried::new(start));
        }
    }

    /// Follows a move of the game, so that the tree below it may be kept.
    ///
    /// A search that is driven from outside ends here.
    pub fn follow(&mut self, m: G::Move) {
        self.break_off();
        self.resumes = false;
        if !self.core.options.reuse || self.core.tree.is_empty() {
            return;
        }
        let (mover, code) = (self.core.root.to_move(), self.core.root.code(m));
        let child = self.core.tree.child(self.core.tree.root(), code);
        self.kept = child.is_some();
        match child {
            Some(id) => {
                self.core.tree.reroot(id, mover);
                self.core.root.play(m);
            }
            // The game may have taken moves back, so that this one is not legal at the root.
            None => self.core.tree.clear(),
        }
    }

    /// Ends a search that is driven from outside, if there is one: its simulations leave the tree
    /// as those of a search that has spent its budget do.
    fn break_off(&mut self) {
        self.take_answers();
        if self.flight.take().is_some() {
            self.worker.end_all(&mut self.core);
        }
    }

    /// Makes the tree ready for a search of `game`: as it is if the search
    /// [resumes](Search::resume), kept where [`Search::follow`] led to this very position and a
    /// proof of it can be played, else one fresh root. If a fresh root needs priors, then the first
    /// simulation waits for them, and [`Search::open_root`] comes next.
    pub(super) fn prepare(&mut self, game: &G, simulations: Option<u64>) {
        if core::mem::take(&mut self.resumes) && self.is_at(game) {
            return self.reserve(game, simulations, true);
        }
        let same = self.kept
            && !self.core.is_root_spent()
            && game.hash().is_some()
            && game.hash() == self.core.root.hash()
            && game.to_move() == self.core.root.to_move()
            && self.core.can_play_proof();
        self.core.root.clone_from(game);
        let (seed, again) = (Rng::derive(self.seed, self.searches), self.searches > 0);
        if again {
            self.workers_mut().for_each(|worker| worker.playout.new_move());
        }
        for (number, simulation) in (0..).zip(self.workers_mut().flat_map(Worker::simulations_mut)) {
            simulation.rng = Rng::new(if number == 0 { seed } else { Rng::derive(seed, number) });
            (simulation.deepest, simulation.second_level, simulation.waits) = (0, None, false);
            if !same {
                simulation.leave_tree();
            }
        }
        self.searches += 1;
        self.core.told = 0;
        self.kept = false;

        self.core.batch = self.core.playouts_a_leaf(simulations);
        self.reserve(game, simulations, same);
        if !same {
            let first = self.worker.simulation.moves[0];
            let players = G::Outcome::PLAYERS;
            let mover = Player::new((game.to_move().index() + players - 1) % players);
            self.core.tree.plant(mover, game.code(first));
            self.prepare_apart();
            if self.core.tree.columns().has(Columns::PRIOR) {
                let simulation = &mut self.worker.simulation;
                simulation.game.clone_from(game);
                simulation.path.clear();
                simulation.path.push(Step { node: self.core.tree.root(), mover });
                (simulation.expanded, simulation.waits) = (true, true);
                return;
            }
        }
        self.prepare_root(simulations);
    }

    /// Gives each simulation that stays below nodes, or searches a second level apart, a table for
    /// what AMAF tables above are still to learn.
    pub(super) fn prepare_apart(&mut self) {
        let Search { core, worker, others, .. } = self;
        let two_level = &core.options.two_level;
        let apart = two_level.lambda > 0.0 && !two_level.share;
        let Some(tables) = core.tree.amaf_mut() else { return };
        let workers = core::iter::once(worker).chain(others);
        for simulation in
            workers.flat_map(Worker::simulations_mut).filter(|simulation| apart || simulation.stay.has_room())
        {
            simulation.apart = tables.begin_apart(simulation.apart);
        }
    }

    /// Makes room for `simulations` simulations on top of the tree, if it is kept. Leaves the moves
    /// of the position in the scratch list.
    fn reserve(&mut self, game: &G, simulations: Option<u64>, keeps: bool) {
        let moves = &mut self.worker.simulation.moves;
        moves.clear();
        game.moves(moves);
        let width = moves.len();
        if let (Some(n), None) = (simulations, self.core.options.memory.bytes) {
            let kept = if keeps { self.core.tree.len() as u64 } else { 1 };
            let batch = u64::from(self.core.batch);
            let new = if batch > 1 { n / batch + batch + 1 } else { n };
            let spare = if self.others.is_empty() { 0 } else { self.workers().count() * SPARE };
            let nodes = (kept + new.min(RESERVE)) as usize + spare;
            let stays = self.workers().filter(|worker| worker.simulation.stay.has_room()).count();
            let tables = if self.core.options.amaf.min_visits == 0 { nodes + stays } else { 0 };
            // Without so much memory the tree grows as it needs to.
            let _ = self.core.tree.reserve(nodes, width, tables);
        }
    }

    /// Takes the answers to what a search asked, if it waits for some.
    pub(super) fn take_answers(&mut self) {
        let Some(flight) = &mut self.flight else { return };
        if !core::mem::take(&mut flight.asked) {
            return;
        }
        if core::mem::take(&mut flight.opens) {
            let simulations = flight.limits.budget.simulations;
            self.worker.answer(&self.core);
            self.open_root(simulations);
        } else {
            self.worker.land(&mut self.core);
        }
    }

    /// Gives a new root the priors of its moves, which the first simulation has asked for.
    pub(super) fn open_root(&mut self, simulations: Option<u64>) {
        self.worker.simulation.waits = false;
        self.core.offer_candidates(&mut self.worker.simulation);
        self.prepare_root(simulations);
    }
}

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// Whether a simulation does no more to the tree than to add a node and to update those of its
    /// path, so that several threads may change the tree at once.
    pub(super) fn only_adds(&self) -> bool {
        let columns = self.tree.columns();
        let has_more = columns.has(Columns::PRIOR) || columns.has(Columns::SQUARES);
        let Options { recycle, two_level, .. } = &self.options;
        !has_more && !recycle && two_level.lambda <= 0.0 && self.advisor.is_none()
    }

    /// Whether nothing can be expanded under the root: the game is over there, or there was no room
    /// for its candidates.
    fn is_root_spent(&self) -> bool {
        let root = self.tree.node(self.tree.root());
        root.is_terminal() || (root.is_complete() && root.is_leaf())
    }

    /// Whether the root is unproven, or has a child to play that keeps the proven result. Pruning
    /// and recycling drop children whose proofs have gone up.
    fn can_play_proof(&self) -> bool {
        let (tree, root) = (&self.tree, self.tree.root());
        let Some(proven) = tree.node(root).proven() else { return true };
        let proven = if tree.root_mover() == self.root.to_move() { proven } else { proven.flip() };
        tree.children(root).any(|(_, child)| child.visits() > 0 && child.proven() == Some(proven))
    }

    /// Playouts of each second-level search; 1 if there is only one level.
    fn playouts_a_leaf(&self, simulations: Option<u64>) -> u32 {
        let two_level = &self.options.two_level;
        if two_level.lambda <= 0.0 {
            return 1;
        }
        let limit = self.tree.limit();
        let playouts = two_level.playouts.unwrap_or_else(|| match simulations {
            _ if limit < I::NODES => two_level.second(limit - 1) as u32,
            Some(n) => {
                // N = sqrt(P / (lambda (1 - lambda))), of which lambda N.
                let odds = two_level.lambda / (1.0 - two_level.lambda);
                (crate::math::sqrt(n as f32 * odds) + 0.5) as u32
            }
            None => UNLIMITED_BATCH,
        });
        playouts.max(1)
    }

    /// Stores the moves that a simulation has listed at its last node. Without room for them the
    /// node stays a leaf.
    #[inline(never)]
    pub(super) fn offer_candidates(&mut self, simulation: &mut Simulation<G>) {
        let node = simulation.path[simulation.path.len() - 1].node;
        let codes = simulation.moves.iter().map(|&m| simulation.game.code(m));
        if !self.tree.set_candidates(node, codes, &simulation.priors) {
            self.tree.node(node).set_complete(true);
        }
        simulation.moves.clear();
    }
}
