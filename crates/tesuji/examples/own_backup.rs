//! A backup of one's own: it looks at the children, and keeps a number at each node.

use tesuji::doc_game::Nim;
use tesuji::{Backup, Budget, Mean, NodeMut, Options, Search, Ucb, Uniform};

/// The value of the most visited child, blended with the mean of all samples: (mean + best) / 2.
struct Halfway;

impl Backup for Halfway {
    fn backup_state(&self) -> usize {
        1
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = f64::from(node.visit());
        let mean = node.backup_state().get(0);
        let mean = mean + (sample - mean) / n;
        node.backup_state().set(0, mean);
        let best = node.children().max_by_key(|&(visits, _)| visits);
        node.set_value(best.map_or(mean, |(_, x)| (mean + node.turn(x)) / 2.0));
        sample
    }
}

/// The root's value for the player to move.
fn value<B: Backup>(backup: B) -> Result<f32, Box<dyn std::error::Error>> {
    let game = Nim::new(10);
    let mut search = Search::new(&game, Ucb { c: 0.7 }, backup, Uniform {}, Options::default(), 1)?;
    let report = search.run(&game, &Budget::simulations(10_000))?;
    assert_eq!(report.best, 2, "leaves a multiple of four");
    Ok(report.value)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mean, halfway) = (value(Mean {})?, value(Halfway)?);
    println!("a won position: {mean:.3} by the mean, {halfway:.3} halfway to the best child");
    assert!(halfway > mean);
    Ok(())
}
