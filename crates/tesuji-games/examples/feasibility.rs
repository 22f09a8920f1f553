//! Does incentive learning suit a game? The test of Kao, Wu, Yen and Shan (2013, section VI): does
//! the list L\* agree more with the order of the search as its simulations rise? Prints CSV, a row
//! for each game and number of simulations: the percentage of pairs of moves of the root that L\*
//! has in the order of the search's values, the mean over positions and its standard error.
//!
//!     cargo run --release -p tesuji-games --example feasibility \
//!         > results/incentives/feasibility.csv

use tesuji::{Budget, FirstList, Maxi, Mean, Options, Rng, Search, SearchGame, Ucb, Value};
use tesuji_games::{Domineering, Hex};
use tesuji_go::{Go9, Rules};

const POSITIONS: u64 = 40;
const SIMULATIONS: [u64; 5] = [100, 316, 1000, 3162, 10_000];
/// Random moves of each player before the position.
const OPENING: usize = 4;

/// The percentage at one position; none if no two moves have different values.
fn agreement<G: SearchGame<Outcome = Value>>(
    start: &G,
    among: u32,
    seed: u64,
    simulations: u64,
) -> Option<f64> {
    let (mut rng, mut moves, mut game) = (Rng::new(seed), Vec::new(), start.clone());
    for _ in 0..2 * OPENING {
        let m = game.playout_move(&mut rng, &mut moves);
        game.playout_play(m, &mut ());
    }
    let maxi = Maxi::new(0.0, true, FirstList::Random).among(among);
    let mut search = Search::new(&game, Ucb { c: 0.5 }, Mean {}, maxi, Options::default(), seed).ok()?;
    let report = search.run(&game, &Budget::simulations(simulations)).ok()?;
    let list = search.playout().incentives(game.to_move())?;
    let place = |m: G::Move| list.place(game.key(m) % list.actions());
    let (mut agree, mut pairs) = (0, 0);
    for (i, a) in report.children.iter().enumerate() {
        for b in report.children[..i].iter().filter(|b| b.value != a.value) {
            pairs += 1;
            agree += u32::from((place(a.m) < place(b.m)) == (a.value > b.value));
        }
    }
    (pairs > 0).then(|| 100.0 * f64::from(agree) / f64::from(pairs))
}

fn rows<G: SearchGame<Outcome = Value>>(name: &str, start: &G) {
    for among in [0, 2] {
        for simulations in SIMULATIONS {
            let rates: Vec<f64> =
                (0..POSITIONS).filter_map(|seed| agreement(start, among, seed, simulations)).collect();
            let count = rates.len() as f64;
            let mean = rates.iter().sum::<f64>() / count;
            let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (count - 1.0);
            let se = (variance / count).sqrt();
            println!("{name},{among},{simulations},{},{mean:.3},{se:.3}", rates.len());
        }
    }
}

fn main() {
    println!("game,among,simulations,positions,rate,rate_se");
    rows("domineering", &Domineering::new(8, 8).expect("a size of the game"));
    rows("hex9", &Hex::new(9).expect("a size of the game"));
    rows("go9", &Go9::new(9, Rules::default()));
}
