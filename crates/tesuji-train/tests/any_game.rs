//! Networks that learn games other than Go, from the planes that the games write.

use tesuji::recipe::Recipe;
use tesuji::{Budget, Code, Reply, Rng, Stop};
use tesuji_agents::Playable;
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame, TicTacToe};
use tesuji_net::{Batch, Notes, Parameters, ReadyNetwork, Sgd, Shape, Symmetry, Trainer};
use tesuji_train::{
    End, Goal, KomiRange, Learner, Learning, Pick, ReplayError, SelfPlay, TrainableGame, TrainingGame,
    Window, trainable,
};

const GOAL: Goal = Goal { search_value: 0.0 };

/// A small network for a game.
fn shape(game: &dyn TrainableGame) -> Shape {
    let [planes, actions] = game.fixed().unwrap();
    let board = game.board();
    Shape { board, planes, actions, filters: 4, blocks: 1, value_hidden: 8, ..Shape::GO9 }
}

fn games(game: &dyn TrainableGame, parameters: &Parameters, settings: &SelfPlay) -> Vec<TrainingGame> {
    let mut player = game.self_player(&[ReadyNetwork::new(parameters)], settings).unwrap();
    let mut numbers = (0..24).map(|number| (number, number));
    let games = std::iter::from_fn(|| player.play(&mut numbers, &Stop::default()));
    let mut games: Vec<_> = games.collect();
    games.sort_by_key(|game| game.number);
    games.into_iter().map(|played| played.game).collect()
}

/// Games follow from their seeds, come back from bytes and from their moves, and a network learns
/// from them and plays.
fn learns<G: Playable>(start: &G, board: usize, planes: usize) {
    let game = trainable(start).unwrap();
    assert_eq!((game.board(), game.fixed().unwrap()[0]), (board, planes));
    let shape = shape(&*game);
    game.check(&shape).unwrap();
    let parameters = game.new_network(shape, 3);
    let settings = SelfPlay { simulations: 8, cache: 1, opening: Some(2), ..SelfPlay::default() };
    let records = games(&*game, &parameters, &settings);
    assert_eq!(records, games(&*game, &parameters, &SelfPlay { pool: 3, cache: 0, ..settings }));
    let mut window = Window::new(u64::MAX);
    for record in &records {
        let bytes = record.to_bytes();
        assert_eq!(TrainingGame::from_bytes(&bytes).map(|game| game.to_bytes()), Ok(bytes.clone()));
        let replayed = game.replay(record).unwrap();
        assert_eq!(replayed.moves.len(), record.turns.len());
        let value = record.winner.map_or(0.5, |winner| if winner.index() == 0 { 1.0 } else { 0.0 });
        assert_eq!((record.end, replayed.result), (End::Passes, Some(value)), "{:?}", replayed.moves);
        window.push(record);
    }
    let learning = Learning { batch: 32, ..Learning::default() };
    let trainer = Trainer::new(parameters, Sgd::default());
    let mut learner = Learner::new(&*game, trainer, &window, GOAL, &learning, 7);
    let mut policy = Vec::new();
    learner.train(60, &Stop::default(), &mut |_, losses| policy.push(losses.policy)).unwrap();
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    assert!(mean(&policy[50..]) < mean(&policy[..10]), "{policy:?}");

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("network.safetensors");
    learner.trainer.parameters().save(&file, &Notes::new()).unwrap();
    let (again, _) = Parameters::load(&file).unwrap();
    assert_eq!(&again, learner.trainer.parameters());
    let recipe = Recipe::parse(&format!("puct-net,network.file={}", file.display())).unwrap();
    let mut bot = start.bot(&recipe, 1).unwrap();
    assert!(matches!(bot.genmove(start, &Budget::simulations(20), &mut ()), Ok(Reply::Play(_))));
}

#[test]
fn every_game_on_a_board_is_learnt() {
    learns(&ConnectFour::new(), 7, 4);
    learns(&Hex::new(5).unwrap(), 5, 3);
    learns(&Hex::new(4).unwrap().with_swap(), 4, 3);
    learns(&TicTacToe::new(), 3, 3);
    learns(&Domineering::new(4, 6).unwrap(), 6, 4);
    learns(&Knightthrough::new(), 8, 3);
}

/// A move changes the planes at its place.
fn changes_its_place<G: Playable>(start: &G) {
    let numbers = start.planes_shape().unwrap().iter().product::<usize>();
    let places = start.planes_shape().unwrap()[1..].iter().product::<usize>();
    let planes = |game: &G| {
        let mut planes = vec![0.0; numbers];
        game.write_planes(&mut planes);
        planes
    };
    let (mut game, mut rng, mut moves) = (start.clone(), Rng::new(5), Vec::new());
    while game.result().is_none() {
        moves.clear();
        game.moves(&mut moves);
        let m = moves[rng.below(moves.len() as u32) as usize];
        let (before, place) = (planes(&game), start.place(game.code(m).index()));
        game.play(m);
        if let Some(place) = place {
            let [before, after] =
                [before, planes(&game)].map(|planes| (planes[place], planes[places + place]));
            assert!(before != (after.1, after.0), "{}: place {place}", game);
        }
    }
}

#[test]
fn moves_belong_to_the_places_that_they_change() {
    changes_its_place(&ConnectFour::new());
    changes_its_place(&Hex::new(5).unwrap());
    changes_its_place(&Hex::new(4).unwrap().with_swap());
    changes_its_place(&TicTacToe::new());
    changes_its_place(&Domineering::new(4, 6).unwrap());
    changes_its_place(&Knightthrough::new());
}

#[test]
fn planes_lie_in_a_square() {
    let game = trainable(&ConnectFour::new()).unwrap();
    let parameters = Parameters::random(shape(&*game), 3);
    let record = &games(&*game, &parameters, &SelfPlay { simulations: 4, ..SelfPlay::default() })[0];
    let mut batch = Batch::new(*parameters.shape());
    let picks = [0, 1].map(|position| Pick { position, symmetry: Symmetry::ALL[3] });
    game.add_positions(record, &GOAL, &picks, &mut batch).unwrap();
    let planes: Vec<&[f32]> = batch.planes().chunks(49).collect();
    assert_eq!(planes.len(), 8);
    // Yellow moves second and sees one stone of the opponent's, in the lowest row.
    assert_eq!([planes[4], planes[5]].map(|plane| plane.iter().sum::<f32>()), [0.0, 1.0]);
    let column = usize::from(record.turns[0].m) / 7;
    assert_eq!(planes[5][column], 1.0);
    // 42 places on the board, which has no seventh row.
    for on_board in [planes[3], planes[7]] {
        assert_eq!(on_board[..42], [1.0; 42]);
        assert_eq!(on_board[42..], [0.0; 7]);
    }
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let error = trainable(&PGame::new(2, 5, 1).unwrap()).unwrap_err().to_string();
    assert!(error.contains("no planes"), "{error}");
    let game = trainable(&Hex::new(5).unwrap()).unwrap();
    let go = Shape { board: 5, planes: 3, ..Shape::GO9 };
    let error = game.check(&go).unwrap_err().to_string();
    assert!(error.contains("26 moves") && error.contains("accepted in this game"), "{error}");
    let error = |network: &Parameters, settings: &SelfPlay| {
        game.self_player(&[ReadyNetwork::new(network)], settings).err().unwrap().to_string()
    };
    let own = Parameters::random(shape(&*game), 1);
    let komi = Some(KomiRange { mean: 0.0, spread: 1.0 });
    assert!(error(&own, &SelfPlay { komi, ..SelfPlay::default() }).contains("komi is for Go"));
    assert!(error(&Parameters::random(go, 1), &SelfPlay::default()).contains("the network is for 5x5"));
    let pooling = Parameters::random(Shape { board: 5, filters: 4, blocks: 1, ..Shape::POOLING }, 1);
    assert!(error(&pooling, &SelfPlay::default()).contains("pooling networks are for Go"));

    let mut record = games(&*game, &own, &SelfPlay { simulations: 4, ..SelfPlay::default() }).remove(0);
    let other = trainable(&Hex::new(6).unwrap()).unwrap();
    assert_eq!(other.replay(&record), Err(ReplayError::Board { found: 5, wanted: 6 }));
    record.turns.push(record.turns[0].clone());
    assert_eq!(game.replay(&record), Err(ReplayError::Over(record.turns.len() - 1)));
    record.turns[1].m = record.turns[0].m;
    assert_eq!(game.replay(&record), Err(ReplayError::Move(1)));
}
