//! A small game for examples and tests.

use crate::game::{Game, Keyed, Knowledge, Notation, Playouts};
use crate::outcome::Value;
use crate::player::Player;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// One heap of counters: a move takes 1, 2 or 3 of them, and whoever takes the last wins. The
/// player to move loses exactly when the heap is a multiple of 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nim {
    counters: u8,
    player: Player,
}

impl Nim {
    /// A heap of this many counters, the first player to move.
    pub fn new(counters: u8) -> Nim {
        Nim { counters, player: Player::FIRST }
    }

    /// The counters left.
    pub fn counters(&self) -> u8 {
        self.counters
    }
}

impl Game for Nim {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.player
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.counters.min(3));
    }

    fn play(&mut self, m: u8) {
        self.counters -= m;
        self.player = self.player.other();
    }

    fn result(&self) -> Option<Value> {
        (self.counters == 0).then(|| Value::win(self.player.other()))
    }

    fn hash(&self) -> Option<u64> {
        Some(u64::from(self.counters) << 1 | self.player.index() as u64)
    }
}

impl Keyed for Nim {
    fn keys(&self) -> usize {
        8
    }
}

impl Playouts for Nim {}

impl Knowledge for Nim {}

impl Notation for Nim {
    fn move_text(&self, m: u8) -> String {
        m.to_string()
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} counters, player {} to move", self.counters, self.player.index() + 1)
    }
}
