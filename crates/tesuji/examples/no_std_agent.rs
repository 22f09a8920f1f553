//! An agent for a device without an operating system: `core` and `alloc` only, within 4 KiB of heap.
//!
//! Only the last function, which stands for the device, needs `std`. The library is meant to be built with
//! `default-features = false`.

extern crate alloc;

use alloc::vec::Vec;
use tesuji::{
    Budget, FinalMove, Game, Mean, Memory, MemoryError, Options, Search, Ucb, Uniform, doc_game::Nim,
};

/// Everything that the agent ever allocates for its search, in bytes.
const HEAP: usize = 4096;

/// The search of a game of Nim.
fn agent(start: &Nim) -> Result<Search<Nim>, MemoryError> {
    let options = Options {
        depth: 32,
        final_move: FinalMove::Secure(1.0),
        memory: Memory { bytes: Some(HEAP), ..Memory::default() },
        ..Options::default()
    };
    Search::new(start, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, 1)
}

/// A move for each of these heaps.
fn moves(heaps: &[u8]) -> Result<Vec<u8>, MemoryError> {
    let mut search = agent(&Nim::new(heaps[0]))?;
    let mut answers = Vec::with_capacity(heaps.len());
    for &counters in heaps {
        // Without a clock a search is limited by simulations alone.
        let game = Nim::new(counters);
        debug_assert!(game.result().is_none());
        if let Ok(report) = search.run(&game, &Budget::simulations(2000)) {
            debug_assert!(report.bytes_peak <= HEAP);
            answers.push(report.best);
        }
    }
    Ok(answers)
}

fn main() {
    let answers = moves(&[5, 6, 7, 9]).expect("4 KiB are enough for Nim");
    println!("{answers:?}");
    assert_eq!(answers, [1, 2, 3, 1]);
}
