//! What searches over states learn, and how they play.

#[path = "../../examples/ceilings/ceiling.rs"]
mod ceiling;

use ceiling::ceiling;
use tesuji::{Bot, Budget, Game, Incentives, Outcome, Player, Reply, Report, Rng};
use tesuji_sums::{
    Analysis, Component, Domineering, FirstPlay, Groups, Growth, Heap, Identity, InitialList, StateOptions,
    StatePlayout, StateSearch, Sum, SumMove, Temperatures, Tree,
};

/// A random sum whose actions both players share.
fn random(heaps: usize, counters: usize, seed: u64) -> Sum<Heap> {
    let mut rng = Rng::new(seed);
    Sum::new((0..heaps).map(|_| Heap::random(counters, &mut rng)).collect()).with_shared_keys()
}

pub(crate) fn searched<C: Component>(
    sum: &Sum<C>,
    options: StateOptions,
    simulations: u64,
    seed: u64,
) -> (StateSearch, Report<SumMove<C::Move>>) {
    let mut search = StateSearch::new(sum, options, seed);
    let report = search.run(sum, &Budget::simulations(simulations), &mut ()).unwrap();
    (search, report)
}

/// The match rate of a list in percent.
fn rate(sum: &Sum<Heap>, incentives: &Incentives) -> f64 {
    let rate = Temperatures::new(sum).match_rate(|a, b| incentives.place(b).cmp(&incentives.place(a)));
    rate.percent().unwrap()
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let numbers: Vec<f64> = numbers.collect();
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The paper's Table I has 81.27 for 625 simulations of sums of 5 heaps of 5 counters.
#[test]
fn match_rates_are_those_of_the_paper() {
    let options = StateOptions { gathers_values: true, ..StateOptions::PAPER };
    let random_playouts = StateOptions { playout: StatePlayout::Uniform, ..options };
    let learn = |options, rates: fn(&Sum<Heap>, &StateSearch) -> f64| {
        mean((0..40).map(|game| {
            let sum = random(5, 5, game);
            rates(&sum, &searched(&sum, options, 625, game).0)
        }))
    };
    let ride = |sum: &Sum<Heap>, search: &StateSearch| rate(sum, search.incentives());
    let maxi = learn(options, ride);
    assert!((75.0..88.0).contains(&maxi), "{maxi}");
    let rave = learn(random_playouts, |sum, search| {
        let values = search.move_values().unwrap();
        let order = |a, b| values.outcome(a).unwrap().total_cmp(&values.outcome(b).unwrap());
        Temperatures::new(sum).match_rate(order).percent().unwrap()
    });
    let rand = learn(random_playouts, ride);
    assert!(rand > rave + 8.0, "{rand} and {rave}");
}

#[test]
fn without_simulations_lists_say_what_they_said_before() {
    let learn = |options| {
        mean((0..300).map(|game| {
            let sum = random(5, 5, game);
            rate(&sum, searched(&sum, options, 0, game).0.incentives())
        }))
    };
    let by_chance = learn(StateOptions::PLAY);
    assert!((48.0..52.0).contains(&by_chance), "{by_chance}");
    // A heap loses what is on top: the higher, the more may still follow.
    let top_first = learn(StateOptions::PAPER);
    assert!((58.0..64.0).contains(&top_first), "{top_first}");
}

#[test]
fn the_top_counters_come_first() {
    let heaps = ["b1b2b3", "r1", "b1r2"].map(|text| text.parse::<Heap>().unwrap());
    let sum = Sum::new(heaps.to_vec()).with_shared_keys();
    let (search, _) = searched(&sum, StateOptions::PAPER, 0, 1);
    // Keys: heap 1 has 0 to 2 from the lowest counter up, heap 2 has 3, heap 3 has 4 and 5.
    assert_eq!(search.incentives().list(), [2, 1, 5, 0, 3, 4]);
}

/// A few other games have about the means of `results/incentives/ceilings.csv`.
#[test]
fn exact_values_set_a_ceiling() {
    for (size, games, expected) in [(3, 40, 96.8), (4, 12, 94.9), (5, 3, 94.5)] {
        let rate = mean((0..games).filter_map(|game| ceiling(&random(size, size, 100 + game), size)));
        assert!((rate - expected).abs() < 1.5, "{size}x{size}: {rate}");
    }
}

#[test]
fn differences_are_antisymmetric_and_the_list_is_whole() {
    for options in [StateOptions::PLAY, StateOptions::PAPER, StateOptions::TREE] {
        let sum = random(4, 4, 3);
        let (search, _) = searched(&sum, options, 500, 1);
        let incentives = search.incentives();
        let mut compared = 0;
        for a in 0..16 {
            for b in 0..16 {
                assert_eq!(incentives.difference(a, b), -incentives.difference(b, a));
                assert_eq!(incentives.samples(a, b), incentives.samples(b, a));
                // Two actions of one heap never meet.
                assert!(a / 4 != b / 4 || incentives.samples(a, b) == 0);
                compared += incentives.samples(a, b);
            }
        }
        assert!(compared > 500);
        let mut list = incentives.list().to_vec();
        list.sort_unstable();
        assert!(list.into_iter().eq(0..16));
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let sum = random(5, 4, 9);
    for options in [StateOptions::PLAY, StateOptions::PAPER, StateOptions::TREE] {
        let [(a, x), (b, y), (c, _)] = [5, 5, 6].map(|seed| searched(&sum, options, 300, seed));
        assert_eq!(x.children, y.children);
        assert_eq!(a.incentives(), b.incentives());
        assert_ne!(a.incentives(), c.incentives());
    }
}

#[test]
fn a_table_stays_within_its_bytes() {
    let sum = random(12, 5, 5);
    let bytes = |options: StateOptions| {
        let report = searched(&sum, options, 500, 1).1;
        let mut moves = Vec::new();
        sum.moves(&mut moves);
        assert!(moves.contains(&report.best) && report.simulations == 500);
        report.bytes
    };
    for preset in [StateOptions::PLAY, StateOptions::PAPER, StateOptions::TREE] {
        let nothing = bytes(StateOptions { bytes: 0, ..preset });
        let whole = bytes(preset) - nothing;
        for limit in [1000, whole / 8, whole / 2] {
            let used = bytes(StateOptions { bytes: limit, ..preset }) - nothing;
            assert!((1..=limit).contains(&used), "{used} of {limit} of {whole} bytes");
        }
    }
}

/// The merged list begins as the list of one search does.
#[test]
fn groups_begin_with_the_list_of_the_options() {
    let sum = random(9, 4, 6);
    let begins =
        |options, groups, runs, seed| Groups { groups, runs }.learn(&sum, options, 0, seed).list().to_vec();
    let top_first = begins(StateOptions::PAPER, 1, 1, 1);
    assert_eq!(top_first[..9], [3, 7, 11, 15, 19, 23, 27, 31, 35]);
    for (groups, runs) in [(2, 1), (4, 3), (1, 2)] {
        assert_eq!(begins(StateOptions::PAPER, groups, runs, 2), top_first);
        let [random, again, other] = [3, 3, 4].map(|seed| begins(StateOptions::PLAY, groups, runs, seed));
        assert!(random == again && random != other && random != top_first);
    }
}

#[test]
fn groups_have_room_for_heaps_that_are_empty() {
    let heaps = ["b1b2", "r5"].map(|text| text.parse::<Heap>().unwrap());
    let mut sum = Sum::new(heaps.to_vec()).with_shared_keys();
    let mut moves = Vec::new();
    sum.moves(&mut moves);
    sum.play(*moves.iter().find(|m| m.component() == 0).unwrap());
    assert!(sum.components()[0].end().is_some(), "Left takes both counters");
    let learnt = Groups { groups: 2, runs: 1 }.learn(&sum, StateOptions::PLAY, 100, 1);
    assert_eq!(learnt.list().len(), 3);
}

#[test]
fn states_are_found_by_place_or_by_fingerprint() {
    let sum = random(40, 20, 1);
    let (search, report) = searched(&sum, StateOptions::PLAY, 20, 1);
    assert_eq!((report.simulations, search.scores(&sum).len()), (20, 40));
    assert!(report.nodes > 20 * 40);
}

#[test]
fn a_tree_grows_by_one_node_a_simulation() {
    let sum = random(5, 5, 2);
    let (_, report) = searched(&sum, StateOptions::TREE, 400, 1);
    assert_eq!(report.nodes, 400);
    let visits: u32 = report.children.iter().map(|child| child.visits).sum();
    assert_eq!(visits, 400);
    // The states of a whole game.
    let (_, report) = searched(&sum, StateOptions::PAPER, 1, 1);
    assert!(report.nodes >= 5);
    let one = StateOptions { growth: Growth::OneState, identity: Identity::Positions, ..StateOptions::PAPER };
    assert!(searched(&sum, one, 400, 1).1.nodes <= 400);
}

/// With a tenth of a second's simulations small sums are played as well as can be.
#[test]
fn small_sums_are_played_well() {
    let by = |first_play| StateOptions { first_play, ..StateOptions::PLAY };
    let to_come = StateOptions {
        playout: StatePlayout::ToCome { epsilon: 0.0 },
        gathers_values: true,
        ..StateOptions::TREE
    };
    let first_plays = [by(FirstPlay::ByOrder), by(FirstPlay::ByDifference)];
    let plain = [StateOptions::PLAY, StateOptions::PAPER, StateOptions::TREE];
    for options in plain.into_iter().chain(first_plays).chain([to_come]) {
        let mut lost = 0.0;
        for seed in 0..30 {
            let sum = random(3, 3, seed);
            let analysis = Analysis::new(&sum);
            let solution = analysis.solve().unwrap();
            let (_, report) = searched(&sum, options, 3000, seed);
            let mut after = sum.clone();
            after.play(report.best);
            lost += (analysis.optimal_score(&solution, &sum) - analysis.optimal_score(&solution, &after))
                .to_f64();
        }
        assert!((0.0..3.0).contains(&lost), "{lost} points lost in 30 moves by {options:?}");
    }
}

/// The expected score of the best move comes near to the optimal one.
#[test]
fn scores_are_in_points() {
    let heaps = ["b4b5", "r2r1"].map(|text| text.parse::<Heap>().unwrap());
    let sum = Sum::new(heaps.to_vec()).with_shared_keys();
    let (search, report) = searched(&sum, StateOptions::PLAY, 20_000, 1);
    let (_, _, best) = search.scores(&sum).into_iter().find(|&(m, ..)| m == report.best).unwrap();
    assert!((best - 6.0).abs() < 0.5, "{best}");
    assert!((report.value - (0.5 + 0.5 * 6.0 / 26.0)).abs() < 0.03, "{}", report.value);
}

/// With a list that stays, the actions of the root are tried in its order, one a simulation.
#[test]
fn untried_actions_come_in_the_order_of_the_list() {
    let fixed = StateOptions { learns: false, list: InitialList::TopFirst, ..StateOptions::TREE };
    let mut others = 0;
    for seed in 0..10 {
        let sum = random(6, 4, seed);
        for simulations in 1..=6 {
            let (_, report) =
                searched(&sum, StateOptions { first_play: FirstPlay::ByOrder, ..fixed }, simulations, 1);
            let mut found: Vec<usize> = report.children.iter().map(|child| child.m.component()).collect();
            found.sort_unstable();
            assert_eq!(found, (0..simulations as usize).collect::<Vec<_>>());
        }
        let (_, report) = searched(&sum, fixed, 3, 1);
        others += usize::from(report.children.iter().any(|child| child.m.component() > 2));
    }
    assert!(others > 5, "{others}");
}

/// What lost to other actions earlier in the game is not tried until their bounds come down.
#[test]
fn known_differences_spare_simulations() {
    let tried = |first_play, seed| {
        let mut sum = random(12, 3, seed);
        let options = StateOptions { first_play, exploration: 1.0, ..StateOptions::PLAY };
        let (mut search, report) = searched(&sum, options, 1000, seed);
        sum.play(report.best);
        let report = search.run(&sum, &Budget::simulations(30), &mut ()).unwrap();
        let mut moves = Vec::new();
        sum.moves(&mut moves);
        assert_eq!(report.children.iter().map(|child| child.visits).sum::<u32>(), 30);
        (report.children.len(), moves.len())
    };
    let mut spared = 0;
    for seed in 0..20 {
        for first_play in [FirstPlay::Random, FirstPlay::ByOrder] {
            let (tried, moves) = tried(first_play, seed);
            assert_eq!(tried, moves);
        }
        let (tried, moves) = tried(FirstPlay::ByDifference, seed);
        spared += moves - tried;
    }
    assert!(spared > 20, "{spared}");
}

fn plays_to_the_end<C: Component>(start: Sum<C>, options: StateOptions) {
    let mut bots = [1, 2].map(|seed| StateSearch::new(&start, options, seed));
    let mut sum = start.clone();
    for (bot, seed) in bots.iter_mut().zip(3..) {
        Bot::new_game(bot, &start, seed).unwrap();
    }
    while sum.result().is_none() {
        let bot = &mut bots[sum.to_move().index()];
        let Reply::Play(report) = bot.genmove(&sum, &Budget::simulations(50), &mut ()).unwrap() else {
            panic!("it resigned")
        };
        let mut moves = Vec::new();
        sum.moves(&mut moves);
        assert!(moves.contains(&report.best) && report.variation[0] == report.best);
        sum.play(report.best);
        for bot in &mut bots {
            bot.played(report.best, &sum).unwrap();
        }
    }
    assert!((0.0..=1.0).contains(&sum.result().unwrap().of(Player::FIRST)));
    assert!(bots[0].genmove(&sum, &Budget::simulations(5), &mut ()).is_err());
}

#[test]
fn sums_of_every_kind_are_played() {
    let soft = StateOptions {
        playout: StatePlayout::Maxi { epsilon: 0.3 },
        list: InitialList::TopFirst,
        ..StateOptions::PLAY
    };
    for options in [StateOptions::PLAY, StateOptions::PAPER, StateOptions::TREE, soft] {
        plays_to_the_end(random(4, 4, 7), options);
        plays_to_the_end(
            Sum::new(vec![Domineering::new(2, 3).unwrap(), Domineering::new(3, 3).unwrap()]),
            options,
        );
        let trees = ["{5|{1|-2}}", "{3,{9|1}|-1/2}"].map(|text| text.parse::<Tree>().unwrap());
        plays_to_the_end(Sum::new(trees.to_vec()), options);
    }
}
