//! Threads in one tree under schedules drawn at random, by shuttle. One thread runs at a time.
//! Before a thread reads or changes anything in the tree, another may come. The tree is compared
//! with the game again and again.

use super::*;
use crate::atomic::schedule;
use crate::budget::Budget;
use crate::code::NodeId;
use crate::doc_game::Nim;
use crate::game::{CodeOf, Game, Keyed};
use crate::memory::Memory;
use crate::recipe::Recipe;
use crate::report::Proven;
use crate::search::Options;
use crate::search::clock::Clock;
use crate::search::threads_tests::count;
use shuttle::rand::RngCore;
use shuttle::scheduler::RandomScheduler;
use shuttle::{Config, MaxSteps, Runner};

/// [`Locked`], by a schedule.
struct Scheduled<'a, 'b, C> {
    locked: Locked<'a, 'b, C>,
    check: &'a (dyn Fn(&C) + Sync),
}

impl<C> Scheduled<'_, '_, C> {
    /// Compares the tree with the game; meanwhile no other thread runs.
    fn check(&self, core: &C) {
        schedule::set(false);
        (self.check)(core);
        schedule::set(true);
    }
}

/// What the lock yields as soon as it does; meanwhile others run.
fn by_schedule<T>(attempt: impl Fn() -> Option<T>) -> T {
    loop {
        schedule::point();
        if let Some(held) = attempt() {
            return held;
        }
    }
}

impl<C> Access for Scheduled<'_, '_, C> {
    const ALONE: bool = false;

    type Core = C;

    fn read<R>(&mut self, f: impl FnOnce(&C) -> R) -> R {
        let core = by_schedule(|| self.locked.core.try_read().ok());
        let result = f(&core);
        self.check(&core);
        result
    }

    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        let mut core = by_schedule(|| self.locked.core.try_write().ok());
        let result = f(&mut core);
        self.check(&core);
        result
    }

    fn is_concurrent(&self) -> bool {
        self.locked.is_concurrent()
    }

    fn begin(&mut self, target: u64) -> bool {
        self.locked.begin(target)
    }

    fn withdraw(&mut self) {
        self.locked.withdraw();
    }

    fn begun(&self) -> u64 {
        self.locked.begun()
    }
}

/// Compares a node and all below it with the game: what is complete has every move, what is proven
/// is true, no move has two nodes. If no other thread is at work in the tree, no node has more
/// simulations on their way than the one above it. Returns the number of nodes.
fn compare<S, B, I: Link>(core: &Core<Nim, S, B, I>, id: NodeId, game: &Nim, still: bool) -> usize {
    let (tree, mut nodes, mut in_flight) = (&core.tree, 1, 0);
    let node = tree.node(id);
    let complete = node.is_complete();
    let mut codes: Vec<CodeOf<Nim>> = tree.children(id).map(|(_, child)| child.code()).collect();
    let children = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), children, "a move with two nodes");
    let legal = usize::from(game.counters().min(3));
    assert!(children == legal || !complete, "{children} of {legal} moves are all");
    if let Some(proven) = node.proven() {
        let expected = if game.counters().is_multiple_of(4) { Proven::Win } else { Proven::Loss };
        assert_eq!(proven, expected, "{game}");
    }
    for (child, below) in tree.children(id) {
        let mut next = *game;
        next.play(next.decode(below.code()));
        nodes += compare(core, child, &next, still);
        in_flight += tree.pending(child);
    }
    assert!(!still || in_flight <= tree.pending(id), "{in_flight} below {}", tree.pending(id));
    nodes
}

/// Searches by 40 schedules.
fn search(spec: &'static str, counters: u8, threads: usize, simulations: u64) {
    let mut config = Config::new();
    config.stack_size = 1 << 20;
    config.max_steps = MaxSteps::FailAfter(10_000_000);
    Runner::new(RandomScheduler::new_from_seed(1, 40), config).run(move || {
        search_once(spec, counters, threads, simulations, shuttle::rand::thread_rng().next_u64());
    });
}

/// Searches by the schedule that runs now.
fn search_once(spec: &str, counters: u8, threads: usize, target: u64, seed: u64) {
    let (game, recipe) = (Nim::new(counters), Recipe::parse(spec).unwrap());
    let in_flight = [InFlight::Lost(1), InFlight::Unobserved][seed as usize % 2];
    let mut search = recipe.search(&game, seed).unwrap().with_threads(threads, in_flight).unwrap();
    search.run(&game, &Budget::simulations(1)).unwrap();
    let about = About { name: "", seed, clock: Clock::start(), bytes: 0 };
    let budget = Budget::simulations(target);
    let limits = Limits { budget: budget.clone(), clock: about.clock, target, most: target, step: 1 };
    let counts = Counts::new(1);
    let concurrent = search.core.tree.is_concurrent();
    let sound = |core: &Core<Nim, _, _, _>, still: bool| {
        let nodes = compare(core, core.tree.root(), &game, still);
        assert!(!still || nodes == core.tree.len(), "{spec}, {seed}: a leaked slot");
        assert!(core.tree.len() <= core.tree.limit());
    };
    let check = |core: &Core<Nim, _, _, _>| sound(core, !concurrent);
    let core = RwLock::new(&mut search.core);
    let workers = core::iter::once(&mut search.worker).chain(&mut search.others);
    schedule::set(true);
    shuttle::thread::scope(|scope| {
        for worker in workers {
            let (core, counts, check, limits, about) = (&core, &counts, &check, &limits, &about);
            scope.spawn(move || {
                let mut shared = Scheduled { locked: Locked::new(core, counts, concurrent), check };
                worker.work(&mut shared, limits, &mut (), about);
            });
        }
    });
    schedule::set(false);
    sound(&search.core, true);
    let tree = search.tree();
    let Options { memory, two_level, .. } = search.options();
    let all_stored = *memory == Memory::default() && two_level.lambda == 0.0;
    count(&search, tree.root(), concurrent && all_stored);
    let told = counts.begun.load(Relaxed);
    assert!(told == target || tree.node(tree.root()).proven().is_some(), "{spec}, {seed}");
    if concurrent {
        assert_eq!(u64::from(tree.node(tree.root()).visits()), told, "{spec}, {seed}: a lost update");
    }
    assert_eq!(tree.pending(tree.root()), 0, "{spec}, {seed}");
}

#[test]
fn every_schedule_leaves_a_sound_tree() {
    for spec in ["uct", "grave", "uct2", "grave2,two_level.share=false", "puct", "puct,root=gumbel", "maxi"] {
        search(spec, 9, 3, 60);
    }
}

#[test]
fn a_tree_that_grows_loses_nothing() {
    for spec in ["uct", "grave", "rave", "puct"] {
        search(spec, 40, 3, 300);
    }
}

#[test]
fn what_is_recycled_meanwhile_is_tried_again() {
    for spec in [
        "uctr,memory.nodes=6",
        "graver,memory.nodes=8",
        "uctr2,memory.nodes=9",
        "puct,recycle=true,memory.nodes=7",
    ] {
        search(spec, 9, 3, 60);
    }
}

#[test]
fn what_is_proven_is_true() {
    for spec in [
        "uct-solver",
        "uctr,solver=true,memory.nodes=8",
        "uct2,solver=true",
        "uctr2,solver=true,memory.nodes=9",
        "puct,solver=true",
    ] {
        search(spec, 8, 3, 60);
        search(spec, 9, 4, 60);
    }
}

#[test]
fn a_tree_of_three_nodes_holds_up_nobody() {
    for spec in ["uct,memory.nodes=3", "uctr,memory.nodes=3", "graver,memory.nodes=3", "puct,memory.nodes=3"]
    {
        search(spec, 9, 8, 60);
    }
}
