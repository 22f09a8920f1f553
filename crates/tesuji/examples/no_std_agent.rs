//! An agent for a device without an operating system: `core` and `alloc` only, in 32 KiB that are
//! handed to it once.
//!
//! The search is built inside the budget and allocates nothing after that, which the device here,
//! an allocator that counts, checks in every move of a game. Only what stands for the device needs
//! `std`; the library is meant to be built with `default-features = false`.

extern crate alloc;

use tesuji::{
    AmafCounts, AmafOptions, Budget, BuildError, Game, Grave, Keyed, Knowledge, Mast, Mean, Memory, Options,
    Player, Playouts, Rng, Search, Value,
};

/// Everything that the agent ever holds, in bytes.
const BUDGET: usize = 32 * 1024;

/// Lines on 7 by 7 cells: each move takes an empty cell; whoever first has a row (first player) or
/// a column (second player) with five own cells of seven wins. A full board is a draw.
#[derive(Clone)]
struct Lines {
    cells: [u64; 2],
    player: Player,
}

const SIDE: usize = 7;

impl Game for Lines {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.player
    }

    fn moves(&self, out: &mut alloc::vec::Vec<u8>) {
        let taken = self.cells[0] | self.cells[1];
        out.extend((0..(SIDE * SIDE) as u8).filter(|m| taken >> m & 1 == 0));
    }

    fn play(&mut self, m: u8) {
        self.cells[self.player.index()] |= 1 << m;
        self.player = self.player.other();
    }

    fn result(&self) -> Option<Value> {
        let last = self.player.other();
        let line = |i: usize| match last.index() {
            0 => 0x7f << (SIDE * i),
            _ => 0x0000_0408_1020_4081_u64 << i,
        };
        if (0..SIDE).any(|i| (self.cells[last.index()] & line(i)).count_ones() >= 5) {
            return Some(Value::win(last));
        }
        let full = (self.cells[0] | self.cells[1]).count_ones() as usize == SIDE * SIDE;
        full.then_some(Value::DRAW)
    }
}

impl Keyed for Lines {
    /// What AMAF tables and MAST learn by: one key for each player and cell.
    fn keys(&self) -> usize {
        2 * SIDE * SIDE
    }
}

impl Playouts for Lines {}

impl Knowledge for Lines {}

type Agent = Search<Lines, Grave, Mean, Mast, u16>;

/// GRAVE with recycled nodes, narrow links and narrow counts: what makes the most of little memory.
/// Few nodes ever have their table read, so that a node must earn one.
fn agent(start: &Lines, bytes: usize) -> Result<Agent, BuildError> {
    let options = Options {
        memory: Memory { bytes: Some(bytes), ..Memory::default() },
        recycle: true,
        depth: SIDE * SIDE,
        amaf: AmafOptions { counts: AmafCounts::Narrow, min_visits: 10, tables: None },
        ..Options::default()
    };
    Search::compact(start, Grave::default(), Mean {}, Mast::default(), options, 1)
}

fn main() {
    let start = Lines { cells: [0; 2], player: Player::FIRST };
    let before = device::held();
    let mut agent = agent(&start, BUDGET).expect("32 KiB are enough for this game");
    let held = device::held() - before;
    println!("{held} bytes held of {BUDGET}");
    assert!(held <= BUDGET);

    // A game against a random player. Without a clock a search is limited by simulations alone; the
    // budget holds a flag to stop it by, and is made once.
    let budget = Budget::simulations(3000);
    let (mut game, mut rng) = (start, Rng::new(7));
    let mut moves = alloc::vec::Vec::with_capacity(SIDE * SIDE);
    let calls = device::calls();
    let mut recycled = 0;
    while game.result().is_none() {
        let m = if game.to_move() == Player::FIRST {
            let choice = agent.choose(&game, &budget).expect("the game is not over");
            recycled += agent.tree().recycled();
            choice.best
        } else {
            moves.clear();
            game.moves(&mut moves);
            moves[rng.below(moves.len() as u32) as usize]
        };
        game.play(m);
    }
    assert_eq!(device::calls() - calls, 0, "nothing was allocated");
    assert_eq!(game.result(), Some(Value::win(Player::FIRST)));
    println!("won with {} nodes at a time, {recycled} recycled", agent.tree().peak());
}

/// The device: its heap, with counters.
mod device {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    struct Heap;

    static CALLS: AtomicUsize = AtomicUsize::new(0);
    static HELD: AtomicUsize = AtomicUsize::new(0);

    /// How often memory was asked for.
    pub(crate) fn calls() -> usize {
        CALLS.load(Relaxed)
    }

    /// Bytes held now.
    pub(crate) fn held() -> usize {
        HELD.load(Relaxed)
    }

    // SAFETY: every call is passed on to the system's allocator as it is; the counters allocate
    // nothing.
    unsafe impl GlobalAlloc for Heap {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            CALLS.fetch_add(1, Relaxed);
            HELD.fetch_add(layout.size(), Relaxed);
            // SAFETY: the caller's promise is the system's.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            HELD.fetch_sub(layout.size(), Relaxed);
            // SAFETY: as above.
            unsafe { System.dealloc(pointer, layout) }
        }
    }

    #[global_allocator]
    static HEAP: Heap = Heap;
}
