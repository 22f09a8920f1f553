//! A search that is watched while it runs, and ended from another thread.

use std::sync::mpsc;
use std::thread;
use tesuji::doc_game::Nim;
use tesuji::{Budget, Observer, Report, Search, StopReason};

/// Prints what the search would play, and tells another thread how sure it is.
struct Watcher(mpsc::Sender<f32>);

impl Observer<u8> for Watcher {
    fn every(&self) -> u64 {
        1000
    }

    fn progress(&mut self, report: &Report<u8>) {
        println!("{} simulations: take {}, value {:.3}", report.simulations, report.best, report.value);
        // A receiver that is gone has heard enough.
        _ = self.0.send(report.value);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Nim::new(10);
    let mut search = Search::uct(&game, 0.7, 1);
    let (sender, values) = mpsc::channel();
    let budget = Budget::default();

    let stop = budget.stop.clone();
    let judge = thread::spawn(move || {
        if values.iter().any(|value| value > 0.9) {
            stop.stop();
        }
    });
    let report = search.run_observed(&game, &budget, &mut Watcher(sender))?;
    judge.join().map_err(|_| "the judge panicked")?;

    assert_eq!((report.best, report.reason), (2, StopReason::Stopped));
    println!("stopped after {} simulations: take {}", report.simulations, report.best);
    Ok(())
}
