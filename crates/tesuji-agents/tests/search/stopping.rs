//! When a search ends, and what it answers then.

use crate::trees::{self, Count};
use crate::{legal_moves, recipes, search};
use std::time::Duration;
use tesuji::{Budget, FinalMove, Game, Keyed, Observer, Report, SearchError, StopReason};
use tesuji_games::*;

#[test]
fn no_simulations_still_answer_with_a_legal_move() {
    let game = ConnectFour::new();
    for recipe in recipes() {
        let report = search(recipe, &game, 1).run(&game, &Budget::simulations(0)).unwrap();
        assert!(legal_moves(&game).contains(&report.best), "{recipe}");
        assert_eq!(report.reason, StopReason::Simulations);
    }
}

#[test]
fn a_finished_game_is_refused() {
    let mut game = TicTacToe::new();
    for m in [0, 3, 1, 4, 2] {
        game.play(m);
    }
    for recipe in recipes() {
        let answer = search(recipe, &game, 1).run(&game, &Budget::simulations(10));
        assert_eq!(answer.unwrap_err(), SearchError::Over);
    }
}

#[test]
fn the_clock_ends_a_search() {
    let game = ConnectFour::new();
    let mut agent = search("uct", &game, 1);
    let report = agent.run(&game, &Budget::time(Duration::from_millis(5))).unwrap();
    assert_eq!(report.reason, StopReason::Time);
    assert!(report.elapsed >= Duration::from_millis(5));
    assert_eq!(u64::from(agent.tree().node(agent.tree().root()).visits()), report.simulations);
}

#[test]
fn another_thread_ends_a_search() {
    let game = ConnectFour::new();
    let mut agent = search("uct,memory.nodes=1000", &game, 1);
    let budget = Budget::default();
    let stop = budget.stop.clone();
    let report = std::thread::scope(|scope| {
        let searching = scope.spawn(|| agent.run(&game, &budget).unwrap());
        stop.stop();
        searching.join().unwrap()
    });
    assert_eq!(report.reason, StopReason::Stopped);
    assert!(report.simulations >= 1);
    trees::check(agent.tree(), &game, Count::AtLeast);
}

/// Stops the search that it watches.
struct Impatient(tesuji::Stop, Vec<u64>);

impl<M> Observer<M> for Impatient {
    fn every(&self) -> u64 {
        100
    }
    fn progress(&mut self, report: &Report<M>) {
        self.1.push(report.simulations);
        if report.simulations == 300 {
            self.0.stop();
        }
    }
}

#[test]
fn an_observer_sees_progress_and_may_end_it() {
    let game = ConnectFour::new();
    let budget = Budget::simulations(100_000);
    let mut observer = Impatient(budget.stop.clone(), Vec::new());
    let report = search("uct", &game, 1).run_observed(&game, &budget, &mut observer).unwrap();
    assert_eq!((report.simulations, report.reason), (300, StopReason::Stopped));
    assert_eq!(observer.1, [100, 200, 300]);
}

#[test]
fn max_robust_extends_the_search_by_half_at_most() {
    let game = ConnectFour::new();
    let (mut extended, mut whole) = (0, 0);
    for seed in 0..60 {
        let mut agent = search("uct,final_move=max-robust", &game, seed);
        let report = agent.run(&game, &Budget::simulations(200)).unwrap();
        assert_eq!(report.reason, StopReason::Simulations);
        assert!((200..=300).contains(&report.simulations) && report.simulations % 10 == 0);
        extended += u32::from(report.simulations > 200);
        whole += u32::from(report.simulations == 300);
        let tree = agent.tree();
        let choice =
            |rule: FinalMove| rule.choose(tree, tree.root()).map(|id| game.decode(tree.node(id).code()));
        if report.simulations < 300 {
            assert_eq!(choice(FinalMove::Max), choice(FinalMove::Robust), "then both agree");
        }
        assert_eq!(Some(report.best), choice(FinalMove::Robust));
    }
    assert!(extended > 5 && extended < 60 && whole < extended, "{extended} extended, {whole} to the limit");
}
