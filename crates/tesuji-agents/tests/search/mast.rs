//! The greedy choice of MAST, compared with a look at every playable move.

use tesuji::{Mast, Outcome, Played, Player, Playout, Rng, SearchGame, Value};
use tesuji_games::{ConnectFour, Hex};
use tesuji_go::{Go9, Rules};

/// A policy that has learned from `lines` random lines of `keys` keys: few results, so that means
/// are often equal.
fn taught<G: SearchGame<Outcome = Value>>(start: &G, lines: u32, rng: &mut Rng) -> Mast {
    let mut mast = Mast::new(0.0, 0.2);
    Playout::<G>::new_game(&mut mast, start);
    let block = start.keys() / Value::PLAYERS;
    for _ in 0..lines {
        let line: Vec<Played> = (0..10)
            .map(|_| {
                let player = rng.below(2) as usize;
                Played::new(Player::new(player), player * block + rng.below(block as u32) as usize)
            })
            .collect();
        Playout::<G>::learn(&mut mast, &line, &Value::win(Player::new(rng.below(2) as usize)));
    }
    mast
}

/// The playable moves with the highest mean.
fn best<G: SearchGame>(mast: &Mast, game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.playout_moves(&mut moves);
    let mean = |m: &G::Move| mast.mean(game.key(*m));
    let highest = moves.iter().map(mean).fold(0.0, f32::max);
    moves.retain(|m| mean(m) == highest);
    moves
}

/// Follows greedy playouts from random positions, and draws from the ties of some.
fn greedy_is_best<G: SearchGame<Outcome = Value>>(start: &G, playouts: u32) {
    let mut rng = Rng::new(5);
    let mut buffer = Vec::new();
    let mut tied = 0;
    for i in 0..playouts {
        let mut mast = taught(start, i, &mut rng);
        let mut game = start.clone();
        for _ in 0..rng.below(60) {
            let m = game.playout_move(&mut rng, &mut buffer);
            let mut next = game.clone();
            next.playout_play(m, &mut ());
            if next.playout_result().is_some() {
                break;
            }
            game = next;
        }
        let mut trace: Vec<Played> = Vec::new();
        mast.run(&mut game.clone(), &mut rng, &mut buffer, &mut trace);

        let ties = best(&mast, &game);
        let mut drawn = vec![0_u32; ties.len()];
        for _ in 0..200 * ties.len() {
            let m = mast.choose(&game, &mut rng, &mut buffer);
            drawn[ties.iter().position(|&tie| tie == m).expect("one of the best")] += 1;
        }
        // Six standard deviations.
        assert!(drawn.iter().all(|&n| n.abs_diff(200) < 85), "{drawn:?}");
        tied += u32::from(ties.len() > 1);

        for played in trace {
            let ties = best(&mast, &game);
            let m = ties.into_iter().find(|&m| game.key(m) == played.key()).expect("one of the best");
            game.playout_play(m, &mut ());
        }
    }
    assert!(tied > 2, "there were ties");
}

#[test]
fn the_greedy_choice_is_a_best_playable_move() {
    greedy_is_best(&Go9::new(9, Rules::default()), 40);
    greedy_is_best(&Go9::new(4, Rules::default()), 40);
    greedy_is_best(&Hex::new(6).unwrap(), 40);
    greedy_is_best(&Hex::new(5).unwrap().with_swap(), 40);
    greedy_is_best(&ConnectFour::new(), 40);
}
