//! Positions that one thread solves are solved by several in one tree.
//!
//! Each line of `proofs.txt` has a game and the moves from the start. The positions were drawn at
//! random, and do not depend on how several threads do. `TESUJI_WRITE_PROOFS=1` draws them anew.

use std::fmt::Write;
use tesuji::{
    Budget, InFlight, Mean, Notation, Options, Report, Rng, Search, SearchGame, StopReason, Ucb, Uniform,
};
use tesuji_games::{ConnectFour, Domineering};

/// Numbers of threads beside one.
const THREADS: [usize; 2] = [2, 4];
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proofs.txt");

/// Searches by `threads` threads until the result is proven, for N simulations at most.
fn solve<G>(game: &G, threads: usize, simulations: u64, seed: u64) -> Report<G::Move>
where
    G: SearchGame<Move: Send> + Send + Sync,
{
    let options = Options { solver: true, ..Options::default() };
    let search = Search::new(game, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, seed).unwrap();
    let mut search = search.with_threads(threads, InFlight::Lost(1)).unwrap();
    search.run(game, &Budget::simulations(simulations)).unwrap()
}

/// The value of a position, and the median over five seeds of the simulations that prove it.
fn proof<G>(game: &G, threads: usize) -> (f32, u64)
where
    G: SearchGame<Move: Send> + Notation + Send + Sync,
{
    let mut reports = [1, 2, 3, 4, 5].map(|seed| solve(game, threads, 1_000_000, seed));
    reports.sort_by_key(|report| report.simulations);
    let value = reports[0].value;
    for report in &reports {
        assert_eq!((report.reason, report.value), (StopReason::Proven, value), "{threads} threads");
    }
    (value, reports[2].simulations)
}

/// Checks a line of the file. By how much simulations grow with each number of `THREADS`, as the
/// logarithm of their ratio to those of one thread.
fn check<G>(start: &G, moves: &[&str]) -> [f64; THREADS.len()]
where
    G: SearchGame<Move: Send> + Notation + Send + Sync,
{
    let mut game = start.clone();
    for text in moves {
        let mut legal = Vec::new();
        game.moves(&mut legal);
        let m = legal.into_iter().find(|&m| game.move_text(m) == **text);
        game.play(m.unwrap_or_else(|| panic!("{text} is not legal")));
    }
    let (value, one) = proof(&game, 1);
    THREADS.map(|threads| {
        let (same, several) = proof(&game, threads);
        assert_eq!(same, value, "{threads} threads: {moves:?}");
        (several as f64 / one as f64).ln()
    })
}

/// Ten lines of the file: positions after N random moves that take one thread 2000 to 20 000
/// simulations.
fn draw<G>(name: &str, start: &G, plies: usize, file: &mut String)
where
    G: SearchGame<Move: Send> + Notation + Send + Sync,
{
    let mut lines = 0;
    for seed in 0.. {
        let (mut game, mut rng, mut moves) = (start.clone(), Rng::new(seed), Vec::new());
        while moves.len() < plies && game.result().is_none() {
            let mut legal = Vec::new();
            game.moves(&mut legal);
            let m = legal[rng.below(legal.len() as u32) as usize];
            moves.push(game.move_text(m));
            game.play(m);
        }
        if game.result().is_some() {
            continue;
        }
        let report = solve(&game, 1, 20_000, 1);
        if report.reason == StopReason::Proven && report.simulations >= 2000 {
            writeln!(file, "{name} {}", moves.join(" ")).unwrap();
            lines += 1;
        }
        if lines == 10 {
            return;
        }
    }
}

#[test]
fn several_threads_solve_what_one_solves() {
    let domineering = Domineering::new(6, 6).unwrap();
    let connect_four = ConnectFour::new();
    if std::env::var_os("TESUJI_WRITE_PROOFS").is_some() {
        let mut file = String::new();
        draw("domineering-6x6", &domineering, 8, &mut file);
        draw("connect-four", &connect_four, 22, &mut file);
        std::fs::write(FILE, file).unwrap();
    }
    let file = std::fs::read_to_string(FILE).unwrap();
    let mut growths = Vec::new();
    for line in file.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        growths.push(match words[0] {
            "domineering-6x6" => check(&domineering, &words[1..]),
            "connect-four" => check(&connect_four, &words[1..]),
            other => panic!("`{other}` is not a game of this file"),
        });
    }
    assert_eq!(growths.len(), 20);
    // Single positions vary: threads may prove one with a third or with three times as many.
    for (i, threads) in THREADS.into_iter().enumerate() {
        let ratio = (growths.iter().map(|growth| growth[i]).sum::<f64>() / 20.0).exp();
        assert!(ratio <= 1.5, "{threads} threads need {ratio:.2} times as many simulations");
    }
}
