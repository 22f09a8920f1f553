//! Threads in one tree under schedules drawn at random: between two holds of the lock any other thread may come. A schedule
//! is a function of its seed. After each hold the tree is compared with the game.

use super::*;
use crate::doc_game::Nim;
use crate::recipe::Recipe;
use crate::{CodeOf, Keyed, Proven};
use std::sync::{Condvar, Mutex};

/// Who may hold the lock next.
struct Turns {
    state: Mutex<(usize, Vec<usize>, Rng)>,
    changed: Condvar,
}

impl Turns {
    fn new(threads: usize, seed: u64) -> Turns {
        let state = (0, (0..threads).collect(), Rng::new(seed));
        Turns { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for a turn, takes it, and draws the next thread; `last` if this one will take no more.
    fn take<R>(&self, number: usize, last: bool, f: impl FnOnce() -> R) -> R {
        let held = self.state.lock().unwrap();
        let mut held = self.changed.wait_while(held, |state| state.0 != number).unwrap();
        let result = f();
        let (next, alive, rng) = &mut *held;
        alive.retain(|&other| !(last && other == number));
        if !alive.is_empty() {
            *next = alive[rng.below(alive.len() as u32) as usize];
        }
        self.changed.notify_all();
        result
    }
}

/// [`Locked`], by turns.
struct Scheduled<'a, 'b, C> {
    core: &'a RwLock<&'b mut C>,
    begun: &'a AtomicU64,
    turns: &'a Turns,
    number: usize,
    check: &'a (dyn Fn(&C) + Sync),
}

impl<C> Shared for Scheduled<'_, '_, C> {
    const ALONE: bool = false;

    type Core = C;

    fn read<R>(&self, f: impl FnOnce(&C) -> R) -> R {
        self.turns.take(self.number, false, || {
            let core = self.core.read().unwrap();
            let result = f(&core);
            (self.check)(&core);
            result
        })
    }

    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        self.turns.take(self.number, false, || {
            let mut core = self.core.write().unwrap();
            let result = f(&mut core);
            (self.check)(&core);
            result
        })
    }

    fn begin(&mut self, target: u64) -> bool {
        self.turns.take(self.number, false, || Locked { core: self.core, begun: self.begun }.begin(target))
    }
}

/// Compares a node and all below it with the game: what is complete has every move, what is proven is true, no move has two
/// nodes, and no node has more simulations on their way than the one above it.
fn compare<S, B, I: Link>(core: &Core<Nim, S, B, I>, id: NodeId, game: &Nim) -> usize {
    let (tree, mut nodes, mut in_flight) = (&core.tree, 1, 0);
    let node = tree.node(id);
    let mut codes: Vec<CodeOf<Nim>> = tree.children(id).map(|(_, child)| child.code()).collect();
    let children = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), children, "a move with two nodes");
    let legal = usize::from(game.counters().min(3));
    assert!(children == legal || !node.is_complete(), "{children} of {legal} moves are all");
    if let Some(proven) = node.proven() {
        let expected = if game.counters().is_multiple_of(4) { Proven::Win } else { Proven::Loss };
        assert_eq!(proven, expected, "{game}");
    }
    for (child, below) in tree.children(id) {
        let mut next = *game;
        next.play(next.decode(below.code()));
        nodes += compare(core, child, &next);
        in_flight += tree.pending(child);
    }
    assert!(in_flight <= tree.pending(id), "{in_flight} below {}", tree.pending(id));
    nodes
}

/// Searches by these schedules.
fn search(spec: &str, counters: u8, threads: usize, seeds: u64) {
    let (game, recipe) = (Nim::new(counters), Recipe::parse(spec).unwrap());
    for seed in 0..seeds {
        let in_flight = [InFlight::Lost(1), InFlight::Unobserved][seed as usize % 2];
        let mut search = recipe.search(&game, seed).unwrap().with_threads(threads, in_flight).unwrap();
        search.run(&game, &Budget::simulations(1)).unwrap();
        let about = About { name: "", seed, clock: Clock::start(), bytes: 0 };
        let target = 60;
        let budget = Budget::simulations(target);
        let limits = Limits { budget: budget.clone(), clock: about.clock, target, most: target, step: 1 };
        let begun = AtomicU64::new(search.core.told);
        let turns = Turns::new(threads, seed);
        let check = |core: &Core<Nim, _, _, _>| {
            assert_eq!(
                compare(core, core.tree.root(), &game),
                core.tree.len(),
                "{spec}, {seed}: a leaked slot"
            );
            assert!(core.tree.len() <= core.tree.limit());
        };
        let core = RwLock::new(&mut search.core);
        let workers = core::iter::once(&mut search.worker).chain(&mut search.others);
        std::thread::scope(|scope| {
            for (number, worker) in workers.enumerate() {
                let (core, begun, turns, check, limits, about) =
                    (&core, &begun, &turns, &check, &limits, &about);
                scope.spawn(move || {
                    let mut shared = Scheduled { core, begun, turns, number, check };
                    worker.work(&mut shared, limits, &mut (), about);
                    turns.take(number, true, || ());
                });
            }
        });
        let tree = search.tree();
        assert!(search.core.told == target || tree.node(tree.root()).proven().is_some(), "{spec}, {seed}");
        assert_eq!(tree.pending(tree.root()), 0, "{spec}, {seed}");
    }
}

#[test]
fn every_schedule_leaves_a_sound_tree() {
    for spec in ["uct", "grave", "uct2", "grave2,two_level.share=false", "puct", "puct,root=gumbel", "maxi"] {
        search(spec, 9, 3, 15);
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
        search(spec, 9, 3, 15);
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
        search(spec, 8, 3, 15);
        search(spec, 9, 4, 15);
    }
}

#[test]
fn a_tree_of_three_nodes_holds_up_nobody() {
    for spec in ["uct,memory.nodes=3", "uctr,memory.nodes=3", "graver,memory.nodes=3", "puct,memory.nodes=3"]
    {
        search(spec, 9, 8, 4);
    }
}
