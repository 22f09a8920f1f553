//! What a search must find. Seeds are fixed and margins wide.

use crate::games::{Bandit, RandomTree};
use crate::{legal_moves, search};
use tesuji::{Budget, Game, Outcome, PlainGame, Player, Scores, SearchGame, Value};
use tesuji_games::PGame;

const ARMS: &[f32] = &[0.3, 0.45, 0.4, 0.6, 0.35, 0.45];
const BEST: u8 = 3;

fn bandit() -> Bandit {
    Bandit { arms: ARMS, chosen: None }
}

#[test]
fn upper_confidence_bounds_find_the_best_arm() {
    for recipe in ["flat-ucb", "ucb1-tuned,depth=1", "flat-ucb,select.c=1.4142135"] {
        let (mut found, mut share) = (0, 0.0);
        for seed in 0..40 {
            let report = search(recipe, &bandit(), seed).run(&bandit(), &Budget::simulations(4000)).unwrap();
            found += u32::from(report.best == BEST);
            let visits = report.children.iter().find(|child| child.m == BEST).unwrap().visits;
            share += f64::from(visits) / 4000.0 / 40.0;
        }
        assert!(found >= 39 && share > 0.45, "{recipe}: {found} of 40, {share}");
    }
}

#[test]
fn epsilon_greedy_explores_with_probability_epsilon() {
    let (mut found, simulations) = (0, 6000);
    for seed in 0..40 {
        let mut agent = search("epsilon-greedy,select.epsilon=0.3", &bandit(), seed);
        let report = agent.run(&bandit(), &Budget::simulations(simulations)).unwrap();
        let visits = |m| report.children.iter().find(|child| child.m == m).unwrap().visits;
        if report.best == BEST {
            found += 1;
            // Every other arm has its share of the random choices at least: 300, standard error 17.
            let least = (0..6).filter(|&m| m != BEST).map(visits).min().unwrap();
            assert!(least > 225, "{least}");
            // And the best no more than the rest: 4500, standard error 35.
            assert!(visits(BEST) < 4650, "{}", visits(BEST));
        }
    }
    assert!(found >= 39, "{found} of 40");
}

#[test]
fn flat_monte_carlo_finds_the_best_arm() {
    let found = (0..40).filter(|&seed| {
        let report = search("flat-mc", &bandit(), seed).run(&bandit(), &Budget::simulations(3000)).unwrap();
        report.best == BEST
    });
    assert!(found.count() >= 39);
}

/// Trees in which the first player wins, but at most a quarter of the moves does: a move is right
/// or wrong.
fn failure_rate(simulations: u64, trees: usize) -> f64 {
    let (mut failures, mut seen) = (0, 0);
    for seed in 0.. {
        let game = PGame::new(4, 8, seed).unwrap();
        let wins = |m: u16| {
            let mut child = game.clone();
            child.play(m);
            child.solve() == Value::win(Player::FIRST)
        };
        if (0..4).filter(|&m| wins(m)).count() != 1 {
            continue;
        }
        let report = search("uct", &game, seed).run(&game, &Budget::simulations(simulations)).unwrap();
        failures += usize::from(!wins(report.best));
        seen += 1;
        if seen == trees {
            break;
        }
    }
    failures as f64 / trees as f64
}

#[test]
fn failures_on_p_games_fall_with_the_number_of_simulations() {
    let rates = [10, 100, 1000].map(|simulations| failure_rate(simulations, 200));
    // Chance fails three times in four; differences of 0.1 are three standard errors.
    assert!(rates[0] < 0.75 && rates[1] < rates[0] - 0.1 && rates[2] < rates[1] - 0.1, "{rates:?}");
    assert!(rates[2] < 0.1, "{rates:?}");
}

/// Every player takes the move that is best for them, the first of equals.
fn best_for_each<G: SearchGame>(game: &G) -> G::Outcome {
    if let Some(outcome) = game.result() {
        return outcome;
    }
    let player = game.to_move();
    let outcomes = legal_moves(game).into_iter().map(|m| {
        let mut child = game.clone();
        child.play(m);
        best_for_each(&child)
    });
    outcomes.reduce(|a, b| if b.of(player) > a.of(player) { b } else { a }).expect("a move")
}

/// With no exploration term left to speak of, a search by vectors of values plays as each player
/// should.
#[test]
fn three_players_each_look_after_themselves() {
    let (mut right, mut trees) = (0, 0);
    for seed in 0..120 {
        let game = RandomTree::<Scores<3>>::new(5, seed);
        let player = game.to_move();
        let values: Vec<f32> = legal_moves(&game)
            .into_iter()
            .map(|m| {
                let mut child = game.clone();
                child.play(m);
                best_for_each(&child).of(player)
            })
            .collect();
        let best = values.iter().copied().fold(0.0, f32::max);
        if values.iter().all(|&v| v == best) {
            continue;
        }
        trees += 1;
        let report = search("uct", &game, seed).run(&game, &Budget::simulations(5000)).unwrap();
        right += u32::from(values[usize::from(report.best)] == best);
    }
    assert!(trees > 40, "{trees}");
    assert!(right * 100 >= trees * 85, "{right} of {trees}");
}

/// The same of three who take one to three counters from a heap, and whoever takes the last wins.
#[test]
fn three_players_take_the_last_counter() {
    #[derive(Clone)]
    struct Heap(u8, usize);
    impl Game for Heap {
        type Move = u8;
        type Outcome = Scores<3>;
        fn to_move(&self) -> Player {
            Player::new(self.1)
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(1..=self.0.min(3));
        }
        fn play(&mut self, m: u8) {
            self.0 -= m;
            self.1 = (self.1 + 1) % 3;
        }
        fn result(&self) -> Option<Scores<3>> {
            let mut scores = [0.0; 3];
            scores[(self.1 + 2) % 3] = 1.0;
            (self.0 == 0).then_some(Scores(scores))
        }
    }

    impl PlainGame for Heap {}
    for counters in 1..=3 {
        let game = Heap(counters, 1);
        let report = search("uct", &game, 1).run(&game, &Budget::simulations(200)).unwrap();
        assert_eq!(report.best, counters, "takes all {counters}");
        assert!(report.value > 0.8);
    }
}
