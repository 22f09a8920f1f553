//! Plays random games from the empty board and prints their mean length and Black's share of wins:
//! `playouts SIZE GAMES [SEED]`.

use tesuji::{Outcome, Played, Player, Playouts, Rng};
use tesuji_go::{Rules, with_go};

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse().expect("a number"));
    let size = args.next().unwrap_or(9) as usize;
    let games = args.next().unwrap_or(10_000);
    let trace = std::env::var_os("TRACE").is_some();
    let mut rng = Rng::new(args.next().unwrap_or(1));
    with_go!(size, Rules::default(), |start| {
        let mut game = start.clone();
        let mut buffer = Vec::new();
        let (mut moves, mut black) = (0, 0.0);
        let mut played: Vec<Played> = Vec::new();
        for _ in 0..games {
            game.clone_from(&start);
            let value = if trace {
                played.clear();
                let value = game.playout(&mut rng, &mut buffer, &mut played);
                moves += played.len();
                value
            } else {
                game.playout(&mut rng, &mut buffer, &mut ())
            };
            black += f64::from(value.of(Player::FIRST));
        }
        println!("length {} black {}", moves as f64 / games as f64, black / games as f64);
    });
}
