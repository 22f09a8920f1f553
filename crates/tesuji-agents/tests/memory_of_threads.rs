//! What a search by several threads takes from the heap, by an allocator that counts all of them.

// Its searches of recipes are compiled already.
use tesuji_agents as _;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};
use tesuji::recipe::Recipe;
use tesuji::{Budget, InFlight};
use tesuji_games::ConnectFour;

/// The system's allocator, counting bytes.
struct Counting;

static HELD: AtomicIsize = AtomicIsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is; the counter allocates
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: the caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The only test here: another one would be counted too.
#[test]
fn threads_hold_what_they_say_and_keep_to_a_limit() {
    let start = ConnectFour::new();
    for name in ["uct", "uct,memory.nodes=500", "mast", "grave", "grave2", "graver2", "puct", "ucb1-tuned"] {
        for bytes in [None, Some(40_000), Some(100_000)] {
            let limit = bytes.map(|bytes| format!(",memory.bytes={bytes}"));
            let spec = format!("{name}{}", limit.unwrap_or_default());
            let recipe = Recipe::parse(&spec).unwrap();
            let before = HELD.load(Relaxed);
            let search = recipe.search(&start, 1).unwrap();
            let Ok(mut search) = search.with_threads(4, InFlight::Lost(1)) else { continue };
            let report = search.run(&start, &Budget::simulations(3000)).unwrap();
            let (said, peak) = (report.bytes as f64, report.bytes_peak);
            drop(report);
            // The name is no part of the search.
            let measured = (HELD.load(Relaxed) - before) as f64 - spec.len() as f64;
            assert!(measured <= 1.02 * said && measured >= 0.98 * said, "{spec}: {measured} of {said}");
            let limit = bytes.unwrap_or(usize::MAX);
            assert!(peak <= limit && measured <= limit as f64, "{spec}: {measured}, {peak} of {limit}");
        }
    }
}
