//! Strategies against perfect play.

use crate::common::heaps;
use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use tesuji::{Bot, Budget, Game, Notation, Player, Reply, Rng};
use tesuji_sums::{
    Analysis, Component, Domineering, Dyadic, Heap, Strategy, StrategyBot, StrategyMemory, Sum, Tree,
};

/// The final score if `players[0]` is Left.
fn play<C: Component>(start: &Sum<C>, players: [Strategy; 2], seed: u64) -> Dyadic {
    let analysis = Analysis::new(start);
    let mut rng = Rng::new(seed);
    let mut memories = [StrategyMemory::default(), StrategyMemory::default()];
    let mut sum = start.clone();
    while sum.result().is_none() {
        let player = sum.to_move().index();
        let m = players[player].choose(&analysis, &sum, &mut memories[player], &mut rng);
        memories.iter_mut().for_each(|memory| memory.moved(m.component()));
        sum.play(m);
    }
    sum.score()
}

/// The mean loss in points of Left's strategy against perfect play of Right, Left first.
fn loss(strategy: Strategy, games: u64) -> f64 {
    let mut total = 0.0;
    for game in 0..games {
        let mut rng = Rng::new(game);
        let start = Sum::new((0..4).map(|_| Heap::random(4, &mut rng)).collect::<Vec<_>>());
        let analysis = Analysis::new(&start);
        let solution = analysis.solve().unwrap();
        let mut memory = StrategyMemory::default();
        let mut sum = start.clone();
        while sum.result().is_none() {
            let m = if sum.to_move() == Player::FIRST {
                strategy.choose(&analysis, &sum, &mut memory, &mut rng)
            } else {
                let mut moves = Vec::new();
                sum.moves(&mut moves);
                let after = |&m: &_| {
                    let mut after = sum.clone();
                    after.play(m);
                    analysis.optimal_score(&solution, &after)
                };
                moves.into_iter().min_by_key(after).unwrap()
            };
            memory.moved(m.component());
            sum.play(m);
        }
        let optimal = analysis.optimal_score(&solution, &start);
        assert!(sum.score() <= optimal, "nobody does better than the optimum against perfect play");
        total += (optimal - sum.score()).to_f64();
    }
    total / games as f64
}

/// Fixed games, so that the order is no matter of luck.
#[test]
fn strategies_by_temperature_lose_little() {
    let [random, greedy, hotstrat, thermostrat, sentestrat] = Strategy::ALL.map(|s| loss(s, 300));
    assert!(hotstrat < 2.0 && thermostrat < 2.0 && sentestrat < 2.0, "{hotstrat} {thermostrat} {sentestrat}");
    assert!(greedy > 3.0 * hotstrat && random > greedy, "{hotstrat} {greedy} {random}");
}

fn some_heaps() -> impl proptest::strategy::Strategy<Value = Vec<Heap>> {
    prop::collection::vec(heaps(4, 10), 1..=4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Against any play thermostrat is at most the largest temperature below the optimum
    /// (Berlekamp, Conway and Guy 1982).
    #[test]
    fn thermostrat_keeps_its_promise(heaps in some_heaps(), seed in any::<u64>()) {
        let start = Sum::new(heaps);
        let analysis = Analysis::new(&start);
        let optimal = analysis.optimal_score(&analysis.solve().unwrap(), &start);
        let hottest = (0..start.components().len())
            .map(|i| analysis.thermograph(i, analysis.graph(i).start()).temperature().max(Dyadic::ZERO))
            .max()
            .unwrap();
        for opponent in Strategy::ALL {
            let score = play(&start, [Strategy::Thermostrat, opponent], seed);
            prop_assert!(score >= optimal - hottest, "{score} {optimal} {hottest}");
        }
    }

    /// In a single game thermostrat has at least its stop against any play, and no more against
    /// itself.
    #[test]
    fn alone_thermostrat_reaches_the_stops(tree in trees(), seed in any::<u64>()) {
        for first in [Player::FIRST, Player::SECOND] {
            let start = Sum::new(vec![tree.clone()]).with_to_move(first);
            let stop = stop(&start);
            prop_assert_eq!(play(&start, [Strategy::Thermostrat; 2], seed), stop);
            for other in Strategy::ALL {
                prop_assert!(play(&start, [Strategy::Thermostrat, other], seed) >= stop);
                prop_assert!(play(&start, [other, Strategy::Thermostrat], seed) <= stop);
            }
        }
    }

    /// So does hotstrat where one option is the best at every temperature.
    #[test]
    fn alone_the_stops_are_reached_if_an_option_is_best_throughout(game in graded()) {
        let tree: Tree = game.to_string().parse().unwrap();
        for first in [Player::FIRST, Player::SECOND] {
            let start = Sum::new(vec![tree.clone()]).with_to_move(first);
            for strategy in [Strategy::Hotstrat, Strategy::Thermostrat, Strategy::Sentestrat] {
                prop_assert_eq!(play(&start, [strategy; 2], 0), stop(&start), "{}", strategy);
            }
        }
    }
}

/// The score of a sum of one game if both players play it alone.
fn stop<C: Component>(sum: &Sum<C>) -> Dyadic {
    let analysis = Analysis::new(sum);
    let thermograph = analysis.thermograph(0, analysis.graph(0).start());
    if sum.to_move() == Player::FIRST { thermograph.left_stop() } else { thermograph.right_stop() }
}

/// At its own temperature hotstrat prefers a threat of 10 that leaves 2 points to a sure 3.
#[test]
fn alone_hotstrat_can_miss_a_stop() {
    let start = Sum::new(vec!["{3,{10|2}|0}".parse::<Tree>().unwrap()]);
    assert_eq!(stop(&start), Dyadic::from(3));
    assert_eq!(play(&start, [Strategy::Thermostrat; 2], 0), Dyadic::from(3));
    assert_eq!(play(&start, [Strategy::Hotstrat; 2], 0), Dyadic::from(2));
}

/// Games of one to three options, hot and cold.
fn trees() -> impl proptest::strategy::Strategy<Value = Tree> {
    let leaf = (-20i32..=20).prop_map(|n| n.to_string());
    let text = leaf.prop_recursive(4, 40, 3, |game| {
        let options = || prop::collection::vec(game.clone(), 1..=3).prop_map(|options| options.join(","));
        (options(), options()).prop_map(|(left, right)| format!("{{{left}|{right}}}"))
    });
    text.prop_map(|text| text.parse().unwrap())
}

/// A game whose numbers are whole.
#[derive(Clone, Debug)]
enum Whole {
    Number(i64),
    Options([Vec<Whole>; 2]),
}

impl Whole {
    /// The game plus a number, for games that are hot throughout.
    fn plus(&self, more: i64) -> Whole {
        match self {
            Whole::Number(x) => Whole::Number(x + more),
            Whole::Options(options) => Whole::Options(
                options.each_ref().map(|options| options.iter().map(|option| option.plus(more)).collect()),
            ),
        }
    }

    fn largest(&self) -> i64 {
        match self {
            Whole::Number(x) => x.abs(),
            Whole::Options(options) => options.iter().flatten().map(Whole::largest).max().unwrap(),
        }
    }
}

impl std::fmt::Display for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Whole::Number(x) => write!(f, "{x}"),
            Whole::Options(options) => {
                let text =
                    |options: &Vec<Whole>| options.iter().map(Whole::to_string).collect::<Vec<_>>().join(",");
                write!(f, "{{{}|{}}}", text(&options[0]), text(&options[1]))
            }
        }
    }
}

/// Hot games in which each player has an option and up to two others that are the same game with
/// fewer points for the player.
fn graded() -> impl proptest::strategy::Strategy<Value = Whole> {
    let leaf = (-9i64..=9).prop_map(Whole::Number);
    let losses = || prop::collection::vec(0i64..=5, 0..=2);
    leaf.prop_recursive(4, 16, 2, move |game| {
        (game.clone(), game, losses(), losses()).prop_map(|(left, right, left_losses, right_losses)| {
            // Left's points are above 0, Right's below: it is urgent to move.
            let far = 1 + left.largest().max(right.largest());
            let options = |game: &Whole, sign: i64, mut losses: Vec<i64>| -> Vec<Whole> {
                let far = far + losses.iter().max().unwrap_or(&0);
                losses.insert(losses.len() / 2, 0);
                losses.into_iter().map(|loss| game.plus(sign * (far - loss))).collect()
            };
            Whole::Options([options(&left, 1, left_losses), options(&right, -1, right_losses)])
        })
    })
}

/// `hotstrat` moves where it is hottest; `greedy` where it gains most; `sentestrat` answers a
/// threat.
#[test]
fn strategies_differ_where_they_should() {
    let choice = |strategy: Strategy, texts: &[&str], moved: &[(&str, &str)]| {
        let start = Sum::new(texts.iter().map(|text| text.parse::<Tree>().unwrap()).collect());
        let mut bot = StrategyBot::new(strategy);
        bot.new_game(&start, 1).unwrap();
        let mut sum = start;
        for (own, answer) in moved {
            let Ok(Reply::Play(report)) = bot.genmove(&sum, &Budget::default(), &mut ()) else { panic!() };
            assert_eq!(sum.move_text(report.best), *own);
            for text in [own, answer] {
                let m = sum.parse_move(text).unwrap();
                sum.play(m);
                bot.played(m, &sum).unwrap();
            }
        }
        let Ok(Reply::Play(report)) = bot.genmove(&sum, &Budget::default(), &mut ()) else { panic!() };
        sum.move_text(report.best)
    };
    // The second one is colder, since Right's move there leaves Left one for sente.
    let sum = &["{4|-4}", "{6|{5|-20}}"];
    assert_eq!(choice(Strategy::Hotstrat, sum, &[]), "1.4");
    assert_eq!(choice(Strategy::Greedy, sum, &[]), "2.6");
    // Left threatens 20, Right threatens 12 elsewhere: both are hotter than 5, at which Left began.
    let sum = &["{{20|0}|-5}", "{1|{0|-12}}"];
    let threats = [("1.{20|0}", "2.{0|-12}")];
    assert_eq!(choice(Strategy::Hotstrat, sum, &threats), "1.20");
    assert_eq!(choice(Strategy::Sentestrat, sum, &threats), "2.0");
    // Left may leave to Right what Right can have with sente anyway, hot as it is: 5 points in all
    // against 2.
    let sum = &["{5|-5}", "{7|{0|-100}}"];
    assert_eq!(choice(Strategy::Hotstrat, sum, &[]), "2.7");
    assert_eq!(choice(Strategy::Thermostrat, sum, &[]), "1.5");
}

#[test]
fn a_bot_plays_any_position_that_it_is_shown() {
    let region = |text: &str| Sum::new(vec![text.parse::<Domineering>().unwrap(); 2]);
    for strategy in Strategy::ALL {
        let mut bot = StrategyBot::new(strategy);
        for sum in [region("../.."), region(".../...")] {
            let reply = bot.genmove(&sum, &Budget::default(), &mut ()).unwrap();
            let Reply::Play(report) = reply else { panic!("{strategy} resigns") };
            let mut moves = Vec::new();
            sum.moves(&mut moves);
            assert!(moves.contains(&report.best));
        }
        let over = Sum::new(vec!["#".parse::<Domineering>().unwrap()]);
        assert!(bot.genmove(&over, &Budget::default(), &mut ()).is_err());
        assert_eq!(strategy.name().parse(), Ok(strategy));
    }
    assert!("warmstrat".parse::<Strategy>().unwrap_err().to_string().contains("thermostrat"));
}

#[test]
fn bots_learn_of_a_new_game() {
    let heap = |text: &str| Sum::new(vec![text.parse::<Heap>().unwrap()]);
    let mut bot = StrategyBot::new(Strategy::Thermostrat);
    bot.new_game(&heap("b3r5b5"), 1).unwrap();
    assert!(bot.genmove(&heap("b1"), &Budget::default(), &mut ()).is_ok());
    assert!(bot.genmove(&heap("b3r5b5b1r9"), &Budget::default(), &mut ()).is_ok());
}
