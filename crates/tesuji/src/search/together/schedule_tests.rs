//! Threads in one tree under schedules drawn at random. One thread runs at a time; between any two
//! changes of the tree another may come. A schedule is a function of its seed. The tree is compared
//! with the game again and again.

use super::*;
use crate::atomic::schedule;
use crate::budget::Budget;
use crate::code::NodeId;
use crate::doc_game::Nim;
use crate::game::{CodeOf, Game, Keyed};
use crate::recipe::Recipe;
use crate::report::Proven;
use crate::rng::Rng;
use crate::search::clock::Clock;
use alloc::boxed::Box;
use alloc::sync::Arc;
use std::sync::{Condvar, Mutex};

/// Which thread runs.
struct Turns {
    state: Mutex<(usize, Vec<usize>, Rng)>,
    changed: Condvar,
}

impl Turns {
    fn new(threads: usize, seed: u64) -> Turns {
        let state = (0, (0..threads).collect(), Rng::new(seed));
        Turns { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Draws the next thread, which runs from now on; `last` if this one will not run again.
    fn pass(&self, number: usize, last: bool) {
        let mut state = self.state.lock().unwrap();
        let (next, alive, rng) = &mut *state;
        alive.retain(|&other| !(last && other == number));
        if !alive.is_empty() {
            *next = alive[rng.below(alive.len() as u32) as usize];
        }
        self.changed.notify_all();
        drop(state);
        if !last {
            self.wait(number);
        }
    }

    /// Waits until a thread runs.
    fn wait(&self, number: usize) {
        let state = self.state.lock().unwrap();
        drop(self.changed.wait_while(state, |state| state.0 != number).unwrap());
    }
}

/// [`Locked`], by turns.
struct Scheduled<'a, 'b, C> {
    locked: Locked<'a, 'b, C>,
    turns: &'a Turns,
    number: usize,
    check: &'a (dyn Fn(&C) + Sync),
}

impl<C> Scheduled<'_, '_, C> {
    /// What the lock yields as soon as it does; meanwhile others run.
    fn by_turns<T>(&self, attempt: impl Fn() -> Option<T>) -> T {
        self.turns.pass(self.number, false);
        loop {
            match attempt() {
                Some(held) => return held,
                None => self.turns.pass(self.number, false),
            }
        }
    }
}

impl<C> Access for Scheduled<'_, '_, C> {
    const ALONE: bool = false;

    type Core = C;

    fn read<R>(&mut self, f: impl FnOnce(&C) -> R) -> R {
        let core = self.by_turns(|| self.locked.core.try_read().ok());
        let result = f(&core);
        (self.check)(&core);
        result
    }

    fn write<R>(&mut self, f: impl FnOnce(&mut C) -> R) -> R {
        let mut core = self.by_turns(|| self.locked.core.try_write().ok());
        let result = f(&mut core);
        (self.check)(&core);
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
        let counts = Counts::new(1);
        let turns = Arc::new(Turns::new(threads, seed));
        let concurrent = search.core.tree.is_concurrent();
        let sound = |core: &Core<Nim, _, _, _>, still: bool| {
            let nodes = compare(core, core.tree.root(), &game, still);
            assert!(!still || nodes == core.tree.len(), "{spec}, {seed}: a leaked slot");
            assert!(core.tree.len() <= core.tree.limit());
        };
        let check = |core: &Core<Nim, _, _, _>| sound(core, !concurrent);
        let core = RwLock::new(&mut search.core);
        let workers = core::iter::once(&mut search.worker).chain(&mut search.others);
        std::thread::scope(|scope| {
            for (number, worker) in workers.enumerate() {
                let (core, counts, turns, check, limits, about) =
                    (&core, &counts, &turns, &check, &limits, &about);
                scope.spawn(move || {
                    let (mut rng, own) = (Rng::new(Rng::derive(seed, number as u64)), Arc::clone(turns));
                    turns.wait(number);
                    schedule::at_points(Some(Box::new(move || {
                        if rng.below(8) == 0 {
                            own.pass(number, false);
                        }
                    })));
                    let locked = Locked::new(core, counts, concurrent);
                    let mut shared = Scheduled { locked, turns, number, check };
                    worker.work(&mut shared, limits, &mut (), about);
                    drop(shared);
                    schedule::at_points(None);
                    turns.pass(number, true);
                });
            }
        });
        sound(&search.core, true);
        let tree = search.tree();
        let told = counts.begun.load(Relaxed);
        assert!(told == target || tree.node(tree.root()).proven().is_some(), "{spec}, {seed}");
        if concurrent {
            assert_eq!(u64::from(tree.node(tree.root()).visits()), told, "{spec}, {seed}: a lost update");
        }
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
