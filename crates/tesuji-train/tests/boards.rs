//! Self-play and training on boards of several sizes are those on each board.

use tesuji::{NetworkOptions, Stop};
use tesuji_go::Rules;
use tesuji_net::{Parameters, Sgd, Shape, Trainer};
use tesuji_train::{
    Goal, Learner, Learning, Measures, SelfPlay, TrainableGame, TrainingGame, Window, trainable_go,
    trainable_go_on,
};

const SHAPE: Shape = Shape {
    board: 5,
    filters: 8,
    blocks: 2,
    policy_filters: 4,
    value_filters: 4,
    value_hidden: 8,
    horizons: 1,
    ..Shape::POOLING
};

fn settings() -> SelfPlay {
    SelfPlay { simulations: 4, boards: vec![(7, 1), (5, 3)], cache: 1, ..SelfPlay::default() }
}

fn game() -> Box<dyn TrainableGame> {
    trainable_go_on(5, &settings(), Rules::default())
}

/// Games of these numbers, which are their seeds, too.
fn play(
    game: &dyn TrainableGame,
    settings: &SelfPlay,
    numbers: impl IntoIterator<Item = u64>,
) -> Vec<TrainingGame> {
    let networks = game.ready(&Parameters::random(SHAPE, 1).on_board(game.board()));
    let mut player = game.self_player(&networks, settings).unwrap();
    let mut numbers = numbers.into_iter().map(|number| (number, number));
    let games = std::iter::from_fn(|| player.play(&mut numbers, &Stop::default()));
    let mut games: Vec<_> = games.collect();
    games.sort_by_key(|game| game.number);
    games.into_iter().map(|played| played.game).collect()
}

#[test]
fn a_game_is_that_of_its_board() {
    let games = play(&*game(), &settings(), 0..60);
    assert_eq!(games.len(), 60);
    let on =
        |size: usize| (0..60).filter(|&number| games[number as usize].size == size).collect::<Vec<u64>>();
    assert!((6..=24).contains(&on(7).len()), "a quarter: {}", on(7).len());
    for size in [5, 7] {
        let (one, alone) = (trainable_go(size, Rules::default()), SelfPlay { boards: vec![], ..settings() });
        for number in on(size).into_iter().take(6) {
            assert_eq!(games[number as usize], play(&*one, &alone, [number])[0], "{size}: {number}");
        }
    }
    // Games side by side do not change each other.
    let one_by_one = SelfPlay { pool: 1, ..settings() };
    assert_eq!(play(&*game(), &one_by_one, 0..8), games[..8]);
}

#[test]
fn a_network_learns_on_all_boards() {
    let (game, learning) = (game(), Learning { batch: 16, window: 100_000, ..Learning::default() });
    let games = play(&*game, &settings(), 0..24);
    let mut window = Window::of(&learning);
    games.iter().for_each(|game| window.push(game));
    let boards: Vec<usize> = (0..40)
        .map(|step| {
            let batch = window.batch(&*game, SHAPE, &Goal { search_value: 0.5 }, 16, 1, step).unwrap();
            assert_eq!(batch.len(), 16);
            batch.shape().board
        })
        .collect();
    assert!(boards.contains(&5) && boards.contains(&7), "{boards:?}");

    let trainer = Trainer::new(Parameters::random(SHAPE, 1), Sgd::default());
    let goal = Goal { search_value: 0.5 };
    let measure = |parameters: &Parameters| {
        let all = Measures::of(&*game, parameters, &goal, &games, 10_000).unwrap();
        assert_eq!(all.positions, games.iter().map(|game| game.positions() as u64).sum::<u64>());
        all.policy - all.target_entropy
    };
    let before = measure(trainer.network());
    let mut learner = Learner::new(&*game, trainer, &window, goal, &learning, 1);
    learner.train(60, &Stop::default(), &mut |_, _| {}).unwrap();
    let after = measure(learner.trainer.network());
    assert!(after < before, "{before} {after}");
}

#[test]
fn a_teacher_labels_on_all_boards() {
    let path = std::env::temp_dir().join(format!("tesuji-train-boards-{}", std::process::id()));
    let parameters = Parameters::random(SHAPE, 5);
    parameters.save(&path, &Default::default()).unwrap();
    let options = NetworkOptions { file: Some(path.display().to_string()), ..NetworkOptions::default() };
    let game = game();
    let mut both = [
        game.teacher(&options, 1).unwrap(),
        game.teacher_of(&game.ready(&parameters), &NetworkOptions::default(), 1).unwrap(),
    ];
    for unlabelled in play(&*game, &settings(), 0..8) {
        let one = trainable_go(unlabelled.size, Rules::default());
        let wanted = one.teacher(&options, 1).unwrap().label(unlabelled.clone()).unwrap();
        assert_ne!(wanted, unlabelled);
        for teacher in &mut both {
            assert_eq!(teacher.boxed().label(unlabelled.clone()).unwrap(), wanted);
        }
    }
    std::fs::remove_file(path).unwrap();
    let other = TrainingGame { size: 9, actions: 82, ..play(&*game, &settings(), [0]).remove(0) };
    let error = both[0].label(other.clone()).unwrap_err().to_string();
    assert!(error.contains("the game is on 9x9"), "{error}");
    assert_eq!(game.replay(&other).unwrap_err().to_string(), error.replace("7x7", "5x5"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let game = game();
    assert_eq!((game.board(), game.boards()), (5, vec![7, 5]));
    let plain = Shape { board: 5, planes: 5, ..Shape::GO9 };
    assert!(game.check(&plain).unwrap_err().to_string().contains("accepted with several: globals = 19"));
    assert_eq!(game.check(&SHAPE), Ok(()));
    let networks = game.ready(&Parameters::random(SHAPE, 1));
    let error = game.self_player(&networks[..1], &settings()).err().unwrap().to_string();
    assert_eq!(error, "there are 1 networks for 2 boards");
    for (boards, expected) in [
        (vec![(1, 1)], "a size of boards is 1; accepted: 2 to 19, each once"),
        (vec![(9, 1), (9, 2)], "a size of boards is 9"),
        (vec![(9, 0)], "a share of boards is 0; accepted: 1 to 1000000"),
    ] {
        let error = SelfPlay { boards, ..settings() }.check().unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
