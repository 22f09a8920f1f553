//! A complete game of one's own, checked and searched.

use tesuji::{Budget, Game, PlainGame, Player, Search, Value, conformance};

/// Fifteen: players in turn take a number from 1 to 9 that nobody has; who holds three numbers that
/// add up to 15 wins.
#[derive(Clone, Default)]
struct Fifteen {
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Fifteen::default();
    conformance::check(&game, 1, 100);

    let mut search = Search::uct(&game, 0.7, 1);
    while game.result().is_none() {
        let report = search.run(&game, &Budget::simulations(5000))?;
        println!("player {} takes {}, value {:.2}", game.to_move().index() + 1, report.best, report.value);
        game.play(report.best);
    }
    assert_eq!(game.result(), Some(Value::DRAW), "neither player errs");
    Ok(())
}
