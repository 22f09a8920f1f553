//! Plays random games and says how they end: `playouts GAME COUNT`, with `GAME` one of
//! `connect-four` and `hex:N`. Under `valgrind --tool=callgrind` it counts the instructions of a
//! playout.

use tesuji::{Outcome, Player, Rng, SearchGame};
use tesuji_games::{ConnectFour, Hex};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, game, count] = &arguments[..] else {
        return Err("usage: playouts GAME COUNT".into());
    };
    let count = count.parse()?;
    let mean = match game.split_once(':') {
        None if game == "connect-four" => mean_result(&ConnectFour::new(), count),
        Some(("hex", size)) => mean_result(&Hex::new(size.parse()?)?, count),
        _ => return Err("the game must be connect-four or hex:N".into()),
    };
    println!("{count} playouts, mean result of the first player {mean:.4}");
    Ok(())
}

fn mean_result<G: SearchGame>(start: &G, count: u32) -> f64 {
    let (mut rng, mut buffer, mut sum) = (Rng::new(1), Vec::new(), 0.0);
    let mut game = start.clone();
    for _ in 0..count {
        game.clone_from(start);
        sum += f64::from(game.playout(&mut rng, &mut buffer, &mut ()).of(Player::FIRST));
    }
    sum / f64::from(count)
}
