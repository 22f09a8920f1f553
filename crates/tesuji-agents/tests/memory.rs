//! What a search takes from the heap, by an allocator that counts.

// Its searches of recipes are compiled already.
use tesuji_agents as _;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use tesuji::recipe::Recipe;
use tesuji::{Advisor, Budget, ChildReport, InFlight, Incentives, Keyed, Rng, SearchGame};
use tesuji_games::*;
use tesuji_go::{Go9, Go13, Go19, Rules};

/// The system's allocator, counting for each thread.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    if bytes > 0 {
        CALLS.set(CALLS.get() + 1);
    }
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: every call is passed on to the system's allocator as it is; the counters allocate
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(-(layout.size() as isize));
        count(size as isize);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that the thread holds now.
fn held() -> isize {
    HELD.get()
}

/// The names of the recipes that come with the library, but those that need a network.
fn recipes() -> impl Iterator<Item = &'static str> {
    let plays = |name: &&str| Recipe::built_in(name).is_some_and(|recipe| recipe.network().is_none());
    Recipe::built_ins().map(|(name, _)| name).filter(plays)
}

/// Every recipe with every kind of memory limit, for a game with `keys` keys.
fn specs(keys: usize) -> impl Iterator<Item = String> {
    recipes().chain(["puct,root=gumbel", "puct,root=dirichlet"]).flat_map(move |name| {
        // MAXI keeps a number for each pair of keys.
        let pairs = if name == "maxi" { Incentives::bytes(keys, 0) } else { 0 };
        [
            String::new(),
            ",memory.nodes=500".to_string(),
            format!(",memory.bytes={}", 60_000 + pairs),
            format!(",reuse=true,memory.bytes={}", 120_000 + pairs),
            format!(",memory.bytes={}", 32_768 + pairs),
        ]
        .map(|rest| format!("{name}{rest}"))
    })
}

/// How often a list allocates that grows to this length item by item.
fn growth(len: usize) -> u64 {
    if len == 0 { 0 } else { 1 + u64::from(len.div_ceil(4).next_power_of_two().ilog2()) }
}

/// A warm search allocates for its report, and nothing for its simulations.
fn allocates_nothing<G: SearchGame>(start: &G) {
    for spec in specs(start.keys()) {
        let mut search = Recipe::parse(&spec).unwrap().search(start, 1).unwrap();
        let mut calls = |simulations| {
            let before = CALLS.get();
            let report = search.run(start, &Budget::simulations(simulations)).unwrap();
            let calls = CALLS.get() - before;
            calls.saturating_sub(report.children.iter().map(|child| growth(child.variation.len())).sum())
        };
        calls(1500);
        let (few, many) = (calls(100), calls(1500));
        // The report's lists grow by doubling: some steps more for more children or a longer
        // variation.
        assert!(few <= 12 && many <= 16, "{spec}: {few} allocations, then {many}");
    }
}

#[test]
fn warm_simulations_allocate_nothing() {
    allocates_nothing(&ConnectFour::new());
    allocates_nothing(&Hex::new(5).unwrap());
    allocates_nothing(&Hex::new(11).unwrap());
    allocates_nothing(&PGame::new(4, 8, 1).unwrap());
    allocates_nothing(&Go9::new(5, Rules::default()));
}

/// What the heap holds is what the report says, and never more than the limit; for games whose
/// positions hold nothing on the heap.
fn holds_what_it_says<G: SearchGame>(start: &G) {
    for spec in specs(start.keys()) {
        let recipe = Recipe::parse(&spec).unwrap();
        let before = held();
        PEAK.set(before);
        let mut search = recipe.search(start, 1).unwrap();
        for simulations in [10, 1500] {
            let report = search.run(start, &Budget::simulations(simulations)).unwrap();
            let (said, said_peak) = (report.bytes as f64, report.bytes_peak);
            // The report is the caller's; sorting its children takes as much again for a moment.
            let answer = 2 * report.children.capacity() * size_of::<ChildReport<G::Move>>()
                + (report.children.iter().map(|c| c.variation.capacity()).sum::<usize>()
                    + report.variation.capacity())
                    * size_of::<G::Move>()
                + 2 * spec.len();
            assert!(report.bytes <= said_peak);
            drop(report);
            // The name is no part of the search.
            let measured = (held() - before) as f64 - spec.len() as f64;
            assert!(measured <= 1.02 * said && measured >= 0.98 * said, "{spec}: {measured} of {said}");
            if let Some(limit) = search.options().memory.bytes {
                let peak = (PEAK.get() - before) as f64 - answer as f64;
                assert!(said_peak <= limit && measured <= limit as f64, "{spec}: {measured} of {limit}");
                assert!(peak <= 1.02 * limit as f64, "{spec}: {peak} of {limit} for a moment");
            }
        }
        drop(search);
        assert_eq!(held(), before, "all is given back");
    }
}

#[test]
fn the_report_tells_the_truth_about_memory() {
    holds_what_it_says(&ConnectFour::new());
    holds_what_it_says(&Hex::new(5).unwrap());
    holds_what_it_says(&Hex::new(11).unwrap());
    holds_what_it_says(&PGame::new(4, 8, 1).unwrap());
    holds_what_it_says(&Knightthrough::new());
}

/// A clone is the same search within the same limit, of a fresh search and of one that goes on.
fn a_clone_is_the_same<G: SearchGame>(start: &G) {
    for spec in specs(start.keys()) {
        let mut search = Recipe::parse(&spec).unwrap().search(start, 1).unwrap();
        for simulations in [1500, 700] {
            let mut clone = search.clone();
            let report = clone.run(start, &Budget::simulations(simulations)).unwrap();
            let own = search.run(start, &Budget::simulations(simulations)).unwrap();
            assert!(report.children == own.children && report.nodes == own.nodes, "{spec}");
            if let Some(limit) = search.options().memory.bytes {
                assert_eq!((report.bytes_peak, report.bytes), (own.bytes_peak, own.bytes), "{spec}");
                assert!(own.bytes_peak <= limit, "{spec}");
            }
        }
    }
}

#[test]
fn a_clone_of_a_search_is_the_same_search() {
    a_clone_is_the_same(&ConnectFour::new());
    a_clone_is_the_same(&Hex::new(7).unwrap());
    a_clone_is_the_same(&Go9::new(5, Rules::default()));
}

#[test]
fn a_budget_of_simulations_reserves_the_tables_that_it_needs() {
    let start = Hex::new(5).unwrap();
    let bytes = |spec: &str, threads, simulations| {
        let search = Recipe::parse(spec).unwrap().search(&start, 1).unwrap();
        let mut search = search.with_threads(threads, InFlight::Lost(1)).unwrap();
        search.run(&start, &Budget::simulations(simulations)).unwrap().bytes_peak
    };
    for name in ["rave", "grave", "hrave", "grave,amaf.counts=narrow"] {
        for simulations in [100, 1000, 3000] {
            let bounded = bytes(&format!("{name},memory.nodes={}", simulations + 1), 1, simulations);
            let free = bytes(name, 1, simulations);
            assert!(10 * free <= 11 * bounded, "{name}, {simulations}: {free} bytes, bounded {bounded}");
        }
        let (one, two) = (bytes(name, 1, 3000), bytes(name, 2, 3000));
        assert!(10 * two <= 13 * one, "{name}: {two} bytes by two threads, {one} by one");
    }
}

#[test]
fn no_slot_is_lost_to_a_thread() {
    let start = Hex::new(7).unwrap();
    let search = Recipe::parse("uct").unwrap().search(&start, 1).unwrap();
    let mut search = search.with_threads(2, InFlight::Lost(1)).unwrap();
    for simulations in [300, 3000] {
        let report = search.run(&start, &Budget::simulations(simulations)).unwrap();
        let (tree, mut nodes) = (search.tree(), vec![search.tree().root()]);
        let mut next = 0;
        while let Some(&id) = nodes.get(next) {
            nodes.extend(tree.children(id).map(|(child, _)| child));
            next += 1;
        }
        assert_eq!(report.nodes, nodes.len(), "{simulations}");
    }
}

/// Takes every third cell for good, and the next one for bad.
#[derive(Debug)]
struct Thirds;

impl<G: SearchGame> Advisor<G> for Thirds {
    fn advise(&self, _: &G, advice: &mut [i8]) {
        advice.iter_mut().zip([127, -127, 0].into_iter().cycle()).for_each(|(advice, h)| *advice = h);
    }
}

#[test]
fn advice_is_within_the_limit() {
    let start = Hex::new(5).unwrap();
    let advisor: Arc<dyn Advisor<Hex>> = Arc::new(Thirds);
    for spec in specs(start.keys()) {
        let recipe = Recipe::parse(&spec).unwrap();
        let before = held();
        let search = recipe.search(&start, 1).unwrap();
        let mut search =
            search.with_advisor(advisor.clone()).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let report = search.run(&start, &Budget::simulations(1500)).unwrap();
        let (said, said_peak) = (report.bytes as f64, report.bytes_peak);
        drop(report);
        let measured = (held() - before) as f64 - spec.len() as f64;
        assert!(measured <= 1.02 * said && measured >= 0.98 * said, "{spec}: {measured} of {said}");
        let limit = search.options().memory.bytes.unwrap_or(usize::MAX);
        assert!(said_peak <= limit && measured <= limit as f64, "{spec}: {said_peak} of {limit}");
    }
}

#[test]
fn the_least_limit_that_is_named_works() {
    let game = ConnectFour::new();
    for name in recipes() {
        let with = |bytes: usize| Recipe::parse(&format!("{name},memory.bytes={bytes}")).unwrap();
        let error = with(20).search(&game, 1).unwrap_err().to_string();
        let number = error.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
        let least = number.max().expect("the message names a number");
        let mut search = with(least).search(&game, 1).unwrap_or_else(|error| panic!("{error}"));
        let report = search.run(&game, &Budget::simulations(1000)).unwrap();
        assert!(report.bytes_peak <= least && report.nodes >= 2, "{name}: {report:?}");
        assert!(with(least - 1).search(&game, 1).is_err());
    }
}

#[test]
fn the_least_limit_that_is_named_is_that_of_all_threads() {
    let game = ConnectFour::new();
    for name in ["uct,parallel.threads=3", "grave2,parallel.threads=2,parallel.batch=4"] {
        let with = |bytes: usize| {
            let recipe = format!("{name},parallel=tree,memory.bytes={bytes}");
            Recipe::parse(&recipe).unwrap().driven_by(&game, None, 1)
        };
        let error = with(100).err().expect("there is no room").to_string();
        let least = error.split_whitespace().filter_map(|word| word.parse().ok()).max().unwrap();
        assert!(with(least).is_ok() && with(least - 1).is_err(), "{name}: {error}");
    }
}

/// What a small device might have.
const SMALL: usize = 32 * 1024;

/// Recipes that a game is too large for are refused with the least that would do, and that is
/// enough; the others keep to the limit, and allocate nothing once they are built, but for the
/// `lists` that the game's positions keep and that grow by doubling. Games go to their end, with
/// random moves between the searches.
fn fits_a_small_device<G: SearchGame>(name: &str, start: &G, lists: u64) {
    let (mut played, budget) = (0, Budget::simulations(if lists > 0 { 40 } else { 400 }));
    for recipe in recipes().chain(["puct,root=dirichlet"]) {
        let build = |bytes: usize| {
            Recipe::parse(&format!("{recipe},memory.bytes={bytes}")).unwrap().compact_search(start, 1)
        };
        let mut game = start.clone();
        let (mut search, limit) = match build(SMALL) {
            Ok(search) => (search, SMALL),
            Err(error) => {
                let error = error.to_string();
                if start.keys() == 0 {
                    assert!(error.contains("this game has none"), "{name}: {error}");
                    continue;
                }
                assert!(error.contains("memory.bytes = 32768 leaves no room"), "{name}: {error}");
                let least = error.split_whitespace().filter_map(|word| word.parse().ok()).max().unwrap();
                assert!(least > SMALL, "{name}: {error}");
                (build(least).unwrap_or_else(|error| panic!("{name}: {error}")), least)
            }
        };
        let bytes = search.bytes();
        assert!(bytes <= limit, "{name} {recipe}: {bytes} of {limit}");
        let (mut rng, mut legal) = (Rng::new(1), Vec::new());
        for ply in 0.. {
            let m = if ply < 3 || ply % 8 == 0 {
                let before = CALLS.get();
                let choice = search.choose(&game, &budget).unwrap();
                let calls = CALLS.get() - before;
                assert!(calls <= 8 * lists, "{name} {recipe}: {calls} allocations");
                assert_eq!(search.bytes(), bytes, "{name} {recipe}, move {ply}");
                choice.best
            } else {
                legal.clear();
                game.playout_move(&mut rng, &mut legal)
            };
            search.follow(m);
            game.play(m);
            if game.result().is_some() {
                break;
            }
        }
        played += 1;
    }
    assert!(played > 0);
}

#[test]
fn every_recipe_fits_a_small_device_or_says_what_it_needs() {
    fits_a_small_device("go9", &Go9::new(9, Rules::default()), 1);
    fits_a_small_device("go13", &Go13::new(13, Rules::default()), 1);
    fits_a_small_device("go19", &Go19::new(19, Rules::default()), 1);
    fits_a_small_device("hex:11", &Hex::new(11).unwrap(), 0);
    fits_a_small_device("connect-four", &ConnectFour::new(), 0);
    fits_a_small_device("tic-tac-toe", &TicTacToe::new(), 0);
    fits_a_small_device("domineering:8x8", &Domineering::new(8, 8).unwrap(), 0);
    fits_a_small_device("knightthrough", &Knightthrough::new(), 0);
    fits_a_small_device("p-game:4,12", &PGame::new(4, 12, 1).unwrap(), 0);
}
