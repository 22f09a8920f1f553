//! Fifteen.

use std::fmt;
use tesuji::{Game, Notation, PlainGame, Player, Value};
use tesuji_lab::{GameEntry, NamedGame};

/// Players in turn take a number from 1 to 9 that nobody has; who holds three numbers that add up
/// to 15 wins.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Fifteen {
    /// Bit n for the number n, by player.
    held: [u16; 2],
    to_move: Player,
}

impl Game for Fifteen {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((1..=9).filter(|n| (self.held[0] | self.held[1]) >> n & 1 == 0));
    }

    fn play(&mut self, n: u8) {
        self.held[self.to_move.index()] |= 1 << n;
        self.to_move = self.to_move.other();
    }

    fn result(&self) -> Option<Value> {
        let last = self.to_move.other();
        let held = |n: u32| n <= 9 && self.held[last.index()] >> n & 1 == 1;
        let wins = |a: u32, b: u32| held(a) && held(b) && a + b < 15 && 15 - a - b > b && held(15 - a - b);
        if (1..=9).any(|a| (a + 1..=9).any(|b| wins(a, b))) {
            return Some(Value::win(last));
        }
        ((self.held[0] | self.held[1]).count_ones() == 9).then_some(Value::DRAW)
    }
}

impl PlainGame for Fifteen {}

impl Notation for Fifteen {
    fn move_text(&self, n: u8) -> String {
        n.to_string()
    }
}

impl fmt::Display for Fifteen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = |player: usize| (1..=9).filter(move |n| self.held[player] >> n & 1 == 1);
        let text = |player| numbers(player).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        write!(f, "first: {}\nsecond: {}", text(0), text(1))
    }
}

impl NamedGame for Fifteen {
    const NAME: &'static str = "fifteen";
    const LIST: &'static [GameEntry] =
        &[GameEntry { syntax: "fifteen", about: "Take three numbers from 1 to 9 that add up to 15" }];

    fn start(parameters: Option<&str>) -> Result<Option<(Fifteen, Option<String>)>, String> {
        Ok(parameters.is_none().then(|| (Fifteen::default(), None)))
    }
}

tesuji_agents::playable!(Fifteen);

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::conformance;

    #[test]
    fn it_keeps_the_rules_of_games() {
        conformance::check(&Fifteen::default(), 1, 100);
        conformance::check_notation(&Fifteen::default(), 1, 100);
    }
}
