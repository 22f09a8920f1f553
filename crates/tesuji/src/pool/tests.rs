//! Games in lockstep beside the same games one by one.

use super::*;
use crate::doc_game::Nim;
use crate::dump::Dump;
use crate::outcome::Value;
use crate::recipe::Recipe;
use crate::report::StopReason;
use crate::search::{Choice, Search};
use crate::tree::InFlight;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An evaluator that has an opinion on every position, and counts calls and positions.
#[derive(Clone, Debug, Default)]
struct Opinion {
    counts: Arc<[AtomicUsize; 2]>,
    /// The call in which it panics; 0: none.
    panics: usize,
}

impl Opinion {
    fn count(&self) -> [usize; 2] {
        core::array::from_fn(|i| self.counts[i].load(Relaxed))
    }
}

impl Evaluate<Nim> for Opinion {
    fn evaluate(&mut self, position: &Nim, moves: &[u8], priors: &mut Vec<f32>) -> Value {
        self.counts[1].fetch_add(1, Relaxed);
        priors.extend(moves.iter().map(|&m| 1.0 + f32::from(m)));
        let x = u32::from(position.counters()) * 37 % 11;
        Value::new(position.to_move(), x as f32 / 10.0)
    }

    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Nim>]) {
        let call = self.counts[0].fetch_add(1, Relaxed) + 1;
        assert!(call != self.panics, "this evaluator panics");
        for asked in asked {
            *asked.outcome = Some(self.evaluate(asked.position, asked.moves, asked.priors));
        }
    }

    fn boxed(&self) -> Box<dyn Evaluate<Nim>> {
        Box::new(self.clone())
    }
}

/// The search of a recipe with simulations in flight.
fn search(spec: &str, game: &Nim, seed: u64, batch: usize) -> Driven {
    let batch = format!("{spec},parallel.kind=tree,parallel.threads=1,parallel.batch={batch}");
    Recipe::parse(&batch).unwrap().driven_by(game, Some(Opinion::default().boxed()), seed).unwrap()
}

type Driven = Box<dyn AskTell<Nim> + Send>;

/// What a search has found, in full.
fn found(search: &mut Driven) -> (Choice<u8>, String) {
    let mut report = search.report().unwrap();
    report.elapsed = Duration::ZERO;
    (search.decide().unwrap(), format!("{report:?}"))
}

/// Recipes with every kind of need: playouts, outcomes, priors, both, playouts at leaves of two
/// levels, tables that learn.
const RECIPES: [&str; 9] = [
    "uct,reuse=true",
    "grave,reuse=true",
    "puct,reuse=true",
    "puct,playout=net,reuse=true",
    "puct,playout=net,root=gumbel",
    "puct,playout=mast,root=dirichlet",
    "uct-solver,playout=net,final_move=max-robust",
    "graver,memory.nodes=40,playout=net",
    "grave2,playout=net,two_level.playouts=9",
];

/// Simulations of the moves of a game: not the same for all games.
fn budget(number: usize) -> Budget {
    Budget::simulations(60 + 7 * (number as u64 % 5))
}

fn game(number: usize) -> Nim {
    Nim::new(9 + number as u8 % 14)
}

#[test]
fn games_in_lockstep_are_those_played_one_by_one() {
    for (spec, batch) in RECIPES.into_iter().flat_map(|spec| [(spec, 1), (spec, 8)]) {
        let mut lockstep = alloc::vec![Vec::new(); 64];
        let mut games: Vec<Nim> = (0..64).map(game).collect();
        let mut pool: Pool<Nim> = Pool::new(Some(Opinion::default().boxed()));
        for (number, game) in games.iter().enumerate() {
            // Some join later.
            if number % 8 == 0 && number > 0 {
                assert_eq!(pool.step().len(), 0);
            }
            let search = search(spec, game, number as u64, batch);
            pool.add(number, search, game, &budget(number)).unwrap();
        }
        pool.run(|pool, Ended { name: number, mut search, .. }| {
            let found = found(&mut search);
            let (game, best) = (&mut games[number], found.0.best);
            lockstep[number].push(found);
            game.play(best);
            search.played(best, game).unwrap();
            if game.result().is_none() {
                pool.add(number, search, game, &budget(number)).unwrap();
            }
        });
        for (number, lockstep) in lockstep.iter().enumerate() {
            let (mut game, mut moves) = (game(number), lockstep.iter());
            let mut alone = search(spec, &game, number as u64, batch);
            while game.result().is_none() {
                let reply = alone.genmove(&game, &budget(number), &mut ()).unwrap();
                let crate::bot::Reply::Play(mut report) = reply else { panic!("a search never resigns") };
                report.elapsed = Duration::ZERO;
                let (choice, found) = moves.next().unwrap();
                assert_eq!(*found, format!("{report:?}"), "{spec}, batch {batch}, game {number}");
                assert_eq!((choice.best, choice.simulations), (report.best, report.simulations));
                game.play(report.best);
                alone.played(report.best, &game).unwrap();
            }
            assert!(moves.next().is_none());
        }
    }
}

#[test]
fn trees_in_lockstep_are_those_of_searches_alone() {
    let net = |game: &Nim, seed, batch| {
        let recipe = Recipe::parse("puct,playout=net").unwrap();
        let search = recipe.search_by(game, Some(Opinion::default().boxed()), seed).unwrap();
        search.with_batch(batch, InFlight::Lost(1)).unwrap()
    };
    let tree = |search: &crate::recipe::RecipeSearch<Nim>, game: &Nim| {
        search.tree().to_json(game, Dump { depth: 99, visits: 0 }, |_, m| m.to_string())
    };
    for batch in [1, 8] {
        let mut pool = Pool::new(Some(Opinion::default().boxed()));
        for number in 0..64 {
            let search = Box::new(net(&game(number), number as u64, batch));
            pool.add(number, search, &game(number), &budget(number)).unwrap();
        }
        let mut ended = 0;
        pool.run(|_, Ended { name: number, search, .. }| {
            let game = game(number);
            let mut alone = net(&game, number as u64, batch);
            let report = alone.run(&game, &budget(number)).unwrap();
            // A batch that ends early counts no simulation that it did not make.
            assert_eq!(report.simulations, u64::from(alone.tree().node(alone.tree().root()).visits()));
            assert_eq!(tree(&search, &game), tree(&alone, &game), "batch {batch}, game {number}");
            ended += 1;
        });
        assert_eq!(ended, 64);
    }
}

#[test]
fn one_call_answers_all_searches() {
    // A batch that would evaluate a leaf twice ends early.
    for (batch, simulations, most) in [(1, 100, 101), (8, 800, 105)] {
        let opinion = Opinion::default();
        let mut pool: Pool<Nim, ()> = Pool::new(Some(opinion.boxed()));
        let game = Nim::new(250);
        for seed in 0..64 {
            let search = search("puct,playout=net", &game, seed, batch);
            pool.add((), search, &game, &Budget::simulations(simulations)).unwrap();
        }
        assert_eq!(pool.len(), 64);
        pool.run(|_, Ended { name: (), mut search, .. }| {
            assert_eq!(search.decide().unwrap().simulations, simulations)
        });
        // The roots, and then a call for each batch.
        let [calls, positions] = opinion.count();
        assert!((101..=most).contains(&calls), "{calls} calls");
        assert!(positions > 64 * simulations as usize * 3 / 4, "{positions} positions");
    }
}

#[test]
fn stops_and_times_end_searches_in_the_pool() {
    let game = Nim::new(250);
    let mut pool = Pool::new(Some(Opinion::default().boxed()));
    let add = |pool: &mut Pool<Nim, StopReason>, reason, budget: &Budget| {
        pool.add(reason, search("puct,playout=net", &game, 1, 4), &game, budget).unwrap();
    };
    let (stopped, short) = (Budget::default(), Budget::simulations(10));
    add(&mut pool, StopReason::Stopped, &stopped);
    add(&mut pool, StopReason::Time, &Budget::time(Duration::from_millis(300)));
    add(&mut pool, StopReason::Simulations, &short);
    let mut seen = Vec::new();
    pool.run(|_, Ended { name: expected, mut search, .. }| {
        let choice = search.decide().unwrap();
        assert_eq!(choice.reason, expected);
        assert!(choice.simulations > 0);
        seen.push(expected);
        if expected == StopReason::Time {
            stopped.stop.stop();
        }
    });
    assert_eq!(seen, [StopReason::Simulations, StopReason::Time, StopReason::Stopped]);
    let over = Nim::new(0);
    let error = pool.add(StopReason::Time, search("uct", &game, 1, 1), &over, &short).unwrap_err();
    assert!(error == SearchError::Over && pool.is_empty());
}

#[test]
fn a_pool_survives_an_evaluator_that_panics() {
    let game = Nim::new(250);
    let mut pool: Pool<Nim, u64> = Pool::new(Some(Opinion { panics: 3, ..Opinion::default() }.boxed()));
    for seed in 0..5 {
        let search = search("puct,playout=net", &game, seed, 4);
        pool.add(seed, search, &game, &Budget::simulations(40)).unwrap();
    }
    let panics = (0..5).filter(|_| catch_unwind(AssertUnwindSafe(|| pool.step())).is_err()).count();
    assert_eq!((panics, pool.len()), (1, 5));
    pool.run(|_, Ended { name: seed, mut search, .. }| {
        let mut alone = self::search("puct,playout=net", &game, seed, 4);
        let crate::bot::Reply::Play(report) =
            alone.genmove(&game, &Budget::simulations(40), &mut ()).unwrap()
        else {
            panic!("a search never resigns")
        };
        assert_eq!(search.report().unwrap().children, report.children);
    });
}

#[test]
fn a_search_that_is_asked_out_of_turn_does_no_harm() {
    let game = Nim::new(50);
    let mut search = Search::uct(&game, 0.7, 1).with_batch(4, InFlight::Lost(1)).unwrap();
    assert_eq!(search.ask(&mut Vec::new()), Some(StopReason::Stopped));
    search.tell();
    assert!(search.decide().is_none() && search.report().is_none());
    let budget = Budget::simulations(10);
    search.begin(&game, &budget).unwrap();
    assert_eq!(search.ask(&mut Vec::new()), None);
    assert_eq!(search.report().unwrap().simulations, 4);
    // Without being told between.
    while search.ask(&mut Vec::new()).is_none() {}
    assert_eq!(search.decide().unwrap().simulations, 10);
    search.begin(&game, &budget).unwrap();
    assert_eq!(search.ask(&mut Vec::new()), None);
    search.follow(1);
    assert!(search.decide().is_none());
    assert_eq!(search.run(&game, &budget).unwrap().simulations, 10);
}
