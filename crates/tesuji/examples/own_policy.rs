//! A tree policy, a backup and a playout policy of one's own, in one search.

use tesuji::doc_game::Nim;
use tesuji::{
    Backup, Budget, Child, NodeMut, Options, Parent, Playout, Rng, Search, SearchGame, Select, Shared,
};

/// Tree policy: x + c sqrt(N) / n, which explores more than UCT does.
struct Polynomial {
    c: f32,
}

impl Select for Polynomial {
    fn shared(&self, parent: &Parent) -> Shared {
        Shared { scale: self.c * (parent.visits as f32).sqrt(), first_play: 0.0 }
    }

    fn score(&self, shared: Shared, child: &Child) -> f32 {
        child.value + shared.scale / child.visits as f32
    }
}

/// Backup: an average in which late samples count more than early ones, v += (r - v) max(1/n,
/// rate).
struct Fading {
    rate: f64,
}

impl Backup for Fading {
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = f64::from(node.visit());
        let value = node.value();
        node.set_value(value + (sample - value) * (1.0 / n).max(self.rate));
        sample
    }
}

/// Playout policy: a move that ends the game if there is one, else any move.
struct Decisive;

impl<G: SearchGame> Playout<G> for Decisive {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_moves(buffer);
        let ends = |&&m: &&G::Move| {
            let mut next = game.clone();
            next.play(m);
            next.result().is_some()
        };
        let any = buffer[rng.below(buffer.len() as u32) as usize];
        let m = buffer.iter().find(ends).copied().unwrap_or(any);
        buffer.clear();
        m
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Nim::new(21);
    let mut search =
        Search::new(&game, Polynomial { c: 0.2 }, Fading { rate: 0.001 }, Decisive, Options::default(), 1)?;
    let report = search.run(&game, &Budget::simulations(20_000))?;
    for child in &report.children {
        println!("take {}: {} visits, value {:.3}", child.m, child.visits, child.value);
    }
    assert_eq!(report.best, 1, "leaves a multiple of four");
    Ok(())
}
