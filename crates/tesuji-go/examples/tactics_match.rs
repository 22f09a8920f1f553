//! Plays GRAVE with tactical playouts against GRAVE with uniform ones on 9x9, from two random moves
//! that begin two games:
//!
//! ```text
//! cargo run --release -p tesuji-go --example tactics_match -- GAMES PLAYOUTS UNIFORM [EXPONENT [SEED]]
//! ```
//!
//! PLAYOUTS are those of a search with tactics, UNIFORM those of the other. EXPONENT (default 150)
//! is a percentage. After each game it prints the standing as a line of CSV.

use std::error::Error;
use std::time::{Duration, Instant};
use tesuji::{Budget, Game, Grave, Mean, Options, Outcome, Player, Playout, Playouts, Rng, Search, Uniform};
use tesuji_go::tactics::Tactics;
use tesuji_go::{Go9, Rules, Vertex};

const USAGE: &str = "usage: tactics_match GAMES PLAYOUTS UNIFORM [EXPONENT [SEED]]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: Option<u64>| match (arguments.next(), default) {
        (Some(text), _) => text.parse().map_err(|error| format!("{text}: {error}; {USAGE}")),
        (None, default) => default.ok_or_else(|| USAGE.to_owned()),
    };
    let [games, playouts, uniform] = [number(None)?, number(None)?, number(None)?];
    let (percent, seed) = (number(Some(150))?, number(Some(1))?);
    let (mut wins, mut spent) = (0.0, [Duration::ZERO; 2]);
    println!("exponent,playouts,playouts_uniform,seed,games,wins,seconds,seconds_uniform");
    for number in 0..games {
        let mut rng = Rng::new(Rng::derive(seed, number / 2));
        let mut game = Go9::new(9, Rules::default());
        for _ in 0..2 {
            let m = game.playout_move(&mut rng, &mut Vec::new());
            game.play(m);
        }
        let tactical = Player::new((number % 2) as usize);
        while game.result().is_none() && game.move_number() < 200 {
            let (begun, is_tactical) = (Instant::now(), game.to_move() == tactical);
            let m = if is_tactical {
                best(&game, Tactics::new(percent as f32 / 100.0), playouts, rng.bits())?
            } else {
                best(&game, Uniform {}, uniform, rng.bits())?
            };
            spent[usize::from(!is_tactical)] += begun.elapsed();
            game.play(m);
        }
        wins += game.value().of(tactical);
        let [own, other] = spent.map(|spent| spent.as_secs_f64());
        let exponent = percent as f32 / 100.0;
        println!("{exponent},{playouts},{uniform},{seed},{},{wins},{own:.1},{other:.1}", number + 1);
    }
    Ok(())
}

fn best<P: Playout<Go9>>(
    game: &Go9,
    playout: P,
    playouts: u64,
    seed: u64,
) -> Result<Vertex<10>, Box<dyn Error>> {
    let mut search = Search::new(game, Grave::default(), Mean {}, playout, Options::default(), seed)?;
    Ok(search.run(game, &Budget::simulations(playouts))?.best)
}
