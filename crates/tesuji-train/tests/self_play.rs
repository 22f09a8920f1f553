//! Games of small networks against themselves, and what comes of training on them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::{Dirichlet, Gumbel, Player, RootPolicy, Stop};
use tesuji_go::{Komi, Rules};
use tesuji_net::{Parameters, ReadyNetwork, Schedule, Sgd, Shape, Symmetry, Trainer};
use tesuji_train::{
    End, Goal, KomiRange, LearnError, Learner, Learning, Measures, Pick, SelfPlay, SelfPlayed, TrainableGame,
    TrainingGame, Window, trainable_go,
};

const SHAPE: Shape = Shape {
    board: 5,
    planes: 5,
    filters: 4,
    blocks: 1,
    policy_filters: 2,
    value_filters: 1,
    value_hidden: 8,
    globals: 0,
    actions: 0,
    replies: 0,
    horizons: 0,
};

fn go() -> &'static dyn TrainableGame {
    Box::leak(trainable_go(5, Rules::default()))
}

fn goal(search_value: f32) -> Goal {
    Goal { search_value }
}

fn network() -> ReadyNetwork {
    ReadyNetwork::new(&Parameters::random(SHAPE, 3))
}

fn gumbel() -> SelfPlay {
    let root = RootPolicy::Gumbel(Gumbel { considered: 4, ..Gumbel::default() });
    SelfPlay { simulations: 8, root, cache: 1, ..SelfPlay::default() }
}

fn dirichlet() -> SelfPlay {
    SelfPlay {
        simulations: 12,
        root: RootPolicy::Dirichlet(Dirichlet::default()),
        full: 0.4,
        cheap: 4,
        resign: 0.3,
        no_resign: 0.5,
        tempered: 6,
        ..gumbel()
    }
}

fn play(settings: &SelfPlay, seeds: impl IntoIterator<Item = u64>) -> Vec<SelfPlayed> {
    let mut player = trainable_go(5, Rules::default()).self_player(&[network()], settings).unwrap();
    let mut seeds = seeds.into_iter().map(|seed| (seed, seed));
    let mut games = Vec::from_iter(std::iter::from_fn(|| player.play(&mut seeds, &Stop::default())));
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn simulations_are_counted_before_a_game_ends() {
    let mut player = trainable_go(5, Rules::default()).self_player(&[network()], &gumbel()).unwrap();
    let count = Arc::new(AtomicU64::new(0));
    player.count_simulations(count.clone());
    let game = player.play(&mut [(1, 1)].into_iter(), &Stop::default()).unwrap();
    let simulations = count.load(Ordering::Relaxed);
    assert!(game.evaluations > 0 && simulations >= game.evaluations, "{simulations}");
}

#[test]
fn a_game_follows_from_its_seed() {
    for settings in [gumbel(), dirichlet(), SelfPlay { cache: 0, ..gumbel() }] {
        let games = play(&settings, 0..4);
        let again = play(&settings, [3, 1]);
        assert_eq!([&games[3].game, &games[1].game], [&again[1].game, &again[0].game]);
        assert_ne!(games[0].game, games[1].game);
    }
    // Memory for evaluations changes nothing but the time.
    let (with, without) = (play(&gumbel(), [5]), play(&SelfPlay { cache: 0, ..gumbel() }, [5]));
    assert_eq!(with[0].game, without[0].game);
    assert!(with[0].hits > 0 && without[0].hits == 0 && with[0].evaluations == without[0].evaluations);
}

#[test]
fn games_side_by_side_are_those_played_one_after_the_other() {
    for settings in [gumbel(), dirichlet(), SelfPlay { cache: 0, ..dirichlet() }] {
        let games = |pool| play(&SelfPlay { pool, ..settings.clone() }, 0..20);
        let one_by_one = games(1);
        for pool in [3, 16, 64] {
            for (one, other) in one_by_one.iter().zip(&games(pool)) {
                assert_eq!((&one.game, one.evaluations), (&other.game, other.evaluations), "{pool}");
            }
        }
    }
}

#[test]
fn every_full_search_is_learnt_and_games_end() {
    for played in play(&gumbel(), 0..4) {
        let game = played.game;
        assert_eq!(game.positions(), game.turns.len());
        assert!(game.winner.is_some() && matches!(game.end, End::Passes | End::Length), "{game:?}");
        assert!(played.evaluations >= 7 * game.turns.len() as u64, "{}", played.evaluations);
    }
    let games = play(&dirichlet(), 0..12);
    let [positions, moves] = games.iter().fold([0, 0], |[positions, moves], played| {
        [positions + played.game.positions(), moves + played.game.turns.len()]
    });
    assert!((0.25..0.6).contains(&(positions as f64 / moves as f64)), "{positions} of {moves}");
    let short = play(&SelfPlay { longest: 7, ..gumbel() }, [1]);
    assert_eq!((short[0].game.turns.len(), short[0].game.end), (7, End::Length));
}

#[test]
fn a_player_who_is_behind_resigns() {
    let komi = Rules { komi: Komi::from_halves(15), ..Rules::default() };
    // No value is as low as that for long.
    let settings = SelfPlay { resign: 0.499, no_resign: 0.0, ..gumbel() };
    let play = |settings: &SelfPlay| {
        let mut player = trainable_go(5, komi).self_player(&[network()], settings).unwrap();
        player.play(&mut [(1, 1)].into_iter(), &Stop::default()).unwrap().game
    };
    let game = play(&settings);
    assert_eq!(game.end, End::Resignation);
    assert_eq!(game.winner, Some(game.to_move(game.turns.len()).other()));
    let never = SelfPlay { no_resign: 1.0, ..settings };
    let game = play(&never);
    assert_ne!(game.end, End::Resignation);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refused = |size, settings: &SelfPlay| {
        trainable_go(size, Rules::default()).self_player(&[network()], settings).err().unwrap().to_string()
    };
    assert!(refused(9, &gumbel()).contains("the network is for 5x5"));
    assert!(refused(5, &SelfPlay { simulations: 0, ..gumbel() }).contains("simulations is 0"));
    let stop = Stop::default();
    stop.stop();
    let mut player = trainable_go(5, Rules::default()).self_player(&[network()], &gumbel()).unwrap();
    assert_eq!(player.play(&mut [(1, 1)].into_iter(), &stop), None);
}

#[test]
fn positions_are_turned_with_their_policies_and_values_mixed() {
    let game = &play(&gumbel(), [2])[0].game;
    let batch = |search_value: f32, symmetry: Symmetry| {
        let mut batch = tesuji_net::Batch::new(SHAPE);
        let picks = [Pick { position: 5, symmetry }, Pick { position: 8, symmetry }];
        go().add_positions(game, &goal(search_value), &picks, &mut batch).unwrap();
        batch
    };
    let plain = batch(0.0, Symmetry::ALL[0]);
    for symmetry in Symmetry::ALL {
        let turned = batch(0.0, symmetry);
        let (mut planes, mut policy) = (vec![0.0; SHAPE.inputs()], vec![0.0; SHAPE.moves()]);
        symmetry.planes(5, &plain.planes()[SHAPE.inputs()..], &mut planes);
        symmetry.policy(5, &plain.policies()[SHAPE.moves()..], &mut policy);
        assert_eq!(turned.planes()[SHAPE.inputs()..], planes);
        assert_eq!(turned.policies()[SHAPE.moves()..], policy);
    }
    let result = game.result_of(Player::SECOND);
    assert_eq!(plain.values()[0], 2.0 * result - 1.0, "White is to move after five moves");
    let searched = game.turns[5].target.as_ref().unwrap().value;
    let mixed = batch(0.25, Symmetry::ALL[0]).values()[0];
    assert!((mixed - (0.75 * (2.0 * result - 1.0) + 0.25 * (2.0 * searched - 1.0))).abs() < 1e-6);
    let beyond = Pick { position: game.positions(), symmetry: Symmetry::ALL[0] };
    let mut batch = tesuji_net::Batch::new(SHAPE);
    let error = go().add_positions(game, &goal(0.0), &[beyond], &mut batch).unwrap_err();
    assert!(error.to_string().contains("no position"), "{error}");
}

/// A pooling network sees rows from the top, komi and rules, and learns the end of a game that was
/// counted, the opponent's reply and the near future.
#[test]
fn pooling_networks_play_and_learn_score_and_ownership() {
    let shape = Shape { board: 5, filters: 8, blocks: 2, replies: 1, horizons: 2, ..Shape::POOLING };
    let shape = Shape { policy_filters: 4, value_filters: 4, ..shape };
    let network = ReadyNetwork::new(&Parameters::random(shape, 1));
    let komi = KomiRange { mean: 1.0, spread: 2.5 };
    let settings = SelfPlay { komi: Some(komi), opening: Some(4), ..gumbel() };
    let mut player = trainable_go(5, Rules::default()).self_player(&[network], &settings).unwrap();
    let games: Vec<TrainingGame> = (0..12)
        .map(|seed| player.play(&mut [(seed, seed)].into_iter(), &Stop::default()).unwrap().game)
        .collect();
    let komis: std::collections::BTreeSet<i16> = games.iter().map(|game| game.komi.halves()).collect();
    assert!(komis.len() > 4 && komis.iter().all(|komi| (-3..=7).contains(komi)), "{komis:?}");
    let openings: Vec<usize> = games.iter().map(|game| game.turns.len() - game.positions()).collect();
    assert!(
        openings.contains(&0) && openings.contains(&4) && openings.iter().all(|&n| n <= 4),
        "{openings:?}"
    );
    let game = &games[3];
    for (position, symmetry) in Symmetry::ALL.into_iter().enumerate() {
        let mut batch = tesuji_net::Batch::new(shape);
        go().add_positions(game, &goal(0.0), &[Pick { position, symmetry }], &mut batch).unwrap();
        let ply = position + openings[3];
        let own = if game.to_move(ply) == Player::FIRST { 1.0 } else { -1.0 };
        let lead = batch.leads()[0];
        let komi = own * f32::from(game.komi.halves()) / 2.0;
        assert_eq!(batch.ownerships().iter().sum::<f32>() - komi, lead);
        assert_eq!(batch.values()[0], lead.signum(), "{lead}");
        // The policy is where the stones of the planes are not.
        let stones = batch.planes()[25..50].iter().zip(&batch.planes()[50..75]);
        assert!(stones.zip(batch.policies()).all(|((own, other), p)| own + other == 0.0 || *p == 0.0));
        let mut next = tesuji_net::Batch::new(shape);
        let pick = Pick { position: position + 1, symmetry };
        go().add_positions(game, &goal(0.0), &[pick], &mut next).unwrap();
        assert_eq!(batch.replies(), next.policies());
        let searched = 2.0 * game.turns[ply].target.as_ref().unwrap().value - 1.0;
        for (i, (soon, later)) in batch.soon().iter().zip(next.soon()).enumerate() {
            let share = 1.0 / shape.horizon(i);
            assert!((soon - (share * searched - (1.0 - share) * later)).abs() < 1e-6);
        }
    }
    let last = Pick { position: game.positions() - 1, symmetry: Symmetry::ALL[0] };
    let mut batch = tesuji_net::Batch::new(shape);
    go().add_positions(game, &goal(0.0), &[last], &mut batch).unwrap();
    assert!(batch.replies().iter().all(|&p| p == 0.0), "nobody replies to the last move");
    let window = window(&games, u64::MAX);
    let learning = Learning { batch: 32, threads: 2, ..Learning::default() };
    let trainer = Trainer::new(Parameters::random(shape, 1), Sgd::default());
    let mut learner = Learner::new(go(), trainer, &window, goal(0.0), &learning, 7);
    let mut all = Vec::new();
    learner.train(60, &Stop::default(), &mut |_, losses| all.push(losses.list())).unwrap();
    let mean = |losses: &[[f64; 6]], i: usize| losses.iter().map(|l| l[i]).sum::<f64>() / losses.len() as f64;
    for i in 0..6 {
        assert!(mean(&all[50..], i) < mean(&all[..10], i), "loss {i}: {all:?}");
    }
}

#[test]
fn a_game_with_an_illegal_move_is_refused() {
    let mut game = play(&gumbel(), [2]).remove(0).game;
    game.turns[2].m = game.turns[1].m;
    let mut batch = tesuji_net::Batch::new(SHAPE);
    let pick = Pick { position: 4, symmetry: Symmetry::ALL[0] };
    let error = go().add_positions(&game, &goal(0.0), &[pick], &mut batch).unwrap_err();
    assert_eq!(error.to_string(), "move 3 of the game is not legal");
}

/// A window of games, for at most `most` positions.
fn window(games: &[TrainingGame], most: u64) -> Window {
    let mut window = Window::new(most);
    games.iter().for_each(|game| window.push(game));
    window
}

#[test]
fn batches_follow_from_the_random_numbers_and_the_window_alone() {
    let games: Vec<TrainingGame> = play(&gumbel(), 0..6).into_iter().map(|played| played.game).collect();
    let all: u64 = games[2..].iter().map(|game| game.positions() as u64).sum();
    let (grown, built) = (window(&games, all), window(&games[2..], u64::MAX));
    let batch = |window: &Window, seed| window.batch(go(), SHAPE, &goal(0.0), 16, seed, 0).unwrap();
    assert_eq!(batch(&grown, 1), batch(&built, 1));
    assert_ne!(batch(&grown, 1), batch(&grown, 2));
    let empty = Window::new(10).batch(go(), SHAPE, &goal(0.0), 16, 1, 0).unwrap_err();
    assert!(empty.to_string().contains("no position"), "{empty}");
}

#[test]
fn training_goes_on_from_a_file_with_the_same_bits_and_learns() {
    let games: Vec<TrainingGame> = play(&gumbel(), 0..24).into_iter().map(|played| played.game).collect();
    let (window, dir) = (window(&games[4..], u64::MAX), tempfile::tempdir().unwrap());
    let learning = Learning { batch: 32, ..Learning::default() };
    let learner = |trainer| Learner::new(go(), trainer, &window, goal(0.0), &learning, 7);
    let first = || Trainer::new(Parameters::random(SHAPE, 3), Sgd::default());
    let measure =
        |trainer: &Trainer| Measures::of(go(), trainer.parameters(), &goal(0.0), &games[..4], 1000).unwrap();
    let before = measure(&first());
    let stop = Stop::default();
    let mut whole = learner(first());
    let losses = whole.train(60, &stop, &mut |_, _| {}).unwrap().unwrap();
    let mut part = learner(first());
    part.train(25, &stop, &mut |_, _| {}).unwrap();
    let file = dir.path().join("net.safetensors");
    part.trainer.save(&file, &Default::default()).unwrap();
    let mut rest = learner(Trainer::load(&file, Sgd::default()).unwrap().0);
    rest.train(60, &stop, &mut |_, _| {}).unwrap();
    assert_eq!(whole.trainer.parameters(), rest.trainer.parameters());
    let after = measure(&whole.trainer);
    assert!(after.policy < before.policy && after.positions == before.positions, "{before:?} {after:?}");
    assert!(losses.policy > after.target_entropy && after.policy > after.target_entropy);
    assert_eq!(rest.train(60, &stop, &mut |_, _| {}).unwrap(), None, "no step is left");
    stop.stop();
    assert_eq!(rest.train(61, &stop, &mut |_, _| {}).unwrap(), None);
}

#[test]
fn a_training_that_diverges_ends() {
    let games: Vec<TrainingGame> = play(&gumbel(), 0..4).into_iter().map(|played| played.game).collect();
    let window = window(&games, u64::MAX);
    let rate = Schedule::Constant { rate: 1e30 };
    let trainer = Trainer::new(Parameters::random(SHAPE, 3), Sgd { rate, ..Sgd::default() });
    let mut learner = Learner::new(go(), trainer, &window, goal(0.0), &Learning::default(), 7);
    let error = learner.train(20, &Stop::default(), &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, LearnError::Diverged(1..=20)), "{error}");
}

#[test]
fn a_value_head_that_is_dead_has_no_range() {
    let games = [play(&gumbel(), [2]).remove(0).game];
    let mut parameters = Parameters::<f32>::random(SHAPE, 3);
    let range = |parameters: &Parameters| {
        Measures::of(go(), parameters, &goal(0.0), &games, 1000).unwrap().value_range
    };
    assert!(range(&parameters) > 0.0);
    parameters.tensor_mut("value.bn.bias").unwrap().fill(-1e6);
    assert_eq!(range(&parameters), 0.0);
}
