//! MAXI's playouts, compared with a look at every playable move, and what it learns from a tree.

use crate::search;
use tesuji::{
    Budget, FirstList, Incentives, Keyed, Maxi, Mean, Options, Played, Player, Playout, Rng, Search,
    SearchGame, Ucb, Value,
};
use tesuji_games::{ConnectFour, Domineering, Hex};
use tesuji_go::{Go9, Rules};

/// The list of a game's keys for the player to move, and the first key in it.
fn list<'a, G: SearchGame>(maxi: &'a Maxi, game: &G) -> (&'a Incentives, usize) {
    let block = game.keys() / 2;
    let first = if G::FINDS_MOVES { game.to_move().index() * block } else { 0 };
    (maxi.incentives(game.to_move()).expect("a list"), first)
}

/// Follows playouts of a search that has learned, and finds at each move that no playable one
/// stands before it.
fn first_is_played<G: SearchGame<Outcome = Value>>(start: &G, playouts: u32) {
    let maxi = Maxi::new(0.0, true, FirstList::Random);
    let mut trained = Search::new(start, Ucb { c: 0.5 }, Mean {}, maxi, Options::default(), 3).unwrap();
    trained.run(start, &Budget::simulations(200)).unwrap();
    let mut maxi = trained.playout().clone();
    let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
    for i in 0..playouts {
        let mut game = start.clone();
        for _ in 0..i {
            let m = game.playout_move(&mut rng, &mut buffer);
            game.playout_play(m, &mut ());
            assert!(game.playout_result().is_none(), "{i} moves are too many");
        }
        let mut line: Vec<Played> = Vec::new();
        let outcome = maxi.run(&mut game.clone(), &mut rng, &mut buffer, &mut line);
        for played in line {
            game.playout_moves(&mut buffer);
            let m = buffer.iter().copied().find(|&m| game.key(m) == played.key()).expect("a playable move");
            let (list, first) = list(&maxi, &game);
            let place = |m: &G::Move| list.place(game.key(*m) - first);
            assert_eq!(buffer.iter().map(place).min(), Some(place(&m)), "move {m:?} after {i} random ones");
            buffer.clear();
            let chosen = maxi.choose(&game, &mut rng, &mut buffer);
            assert_eq!(chosen, m);
            game.playout_play(m, &mut ());
        }
        assert_eq!(game.playout_result(), Some(outcome));
    }
}

#[test]
fn playouts_take_the_first_of_the_list() {
    first_is_played(&ConnectFour::new(), 6);
    first_is_played(&Domineering::new(6, 6).unwrap(), 8);
    first_is_played(&Hex::new(7).unwrap(), 20);
    first_is_played(&Go9::new(9, Rules::default()), 30);
}

#[test]
fn siblings_are_compared_once_a_simulation() {
    // One level of tree: every simulation after the first compares the chosen child with all those
    // tried.
    let start = ConnectFour::new();
    let mut search = search("maxi,depth=1,playout.list=keys", &start, 1);
    let report = search.run(&start, &Budget::simulations(300)).unwrap();
    let visits: Vec<u32> = report.children.iter().map(|child| child.visits).collect();
    let tesuji::AnyPlayout::Maxi(maxi) = search.playout().policy() else { panic!("another playout policy") };
    let learned = maxi.incentives(Player::FIRST).unwrap();
    for (a, first) in report.children.iter().enumerate() {
        for (b, second) in report.children.iter().enumerate().skip(a + 1) {
            let samples = learned.samples(start.key(first.m), start.key(second.m));
            // Whoever was tried first was not yet compared in its first visit.
            assert_eq!(samples, visits[a] + visits[b] - 1, "{:?} and {:?}", first.m, second.m);
        }
    }
}

#[test]
fn of_a_few_random_moves_the_first_is_played() {
    let start = Hex::new(5).unwrap();
    let keys = start.keys() / 2;
    let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
    let mut maxi = Maxi::new(0.0, true, FirstList::Keys).among(3);
    Playout::<Hex>::new_game(&mut maxi, &start);
    let mut counts = vec![0_u32; keys];
    for _ in 0..20_000 {
        counts[start.key(maxi.choose(&start, &mut rng, &mut buffer))] += 1;
    }
    // The least of three draws from n is above place k with probability ((n - k) / n)^3.
    let above = |k: usize| ((keys - k) as f64 / keys as f64).powi(3);
    for k in [1, 5, 12, 20] {
        let share = f64::from(counts[k..].iter().sum::<u32>()) / 20_000.0;
        assert!(
            (share - above(k)).abs() < 0.02,
            "{share} of the choices from place {k} on, not {}",
            above(k)
        );
    }
}
