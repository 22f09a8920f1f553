//! Counts that others have published: move sequences, legal positions.

use tesuji::{Keyed, Outcome, Played, Player, Playouts, Rng, SearchGame};
use tesuji_go::{Go9, Rules, Vertex, with_go};

/// How many legal sequences of exactly `depth` moves start at `game`.
fn perft<G: SearchGame>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.result().is_some() {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            let mut next = game.clone();
            next.play(m);
            perft(&next, depth - 1)
        })
        .sum()
}

#[test]
fn sequences_of_moves() {
    let two = Go9::new(2, Rules::default());
    for (depth, count) in (1..).zip([5, 21, 68, 156, 316, 604, 1088]) {
        assert_eq!(perft(&two, depth), count, "2x2, depth {depth}");
    }
    let three = Go9::new(3, Rules::default());
    for (depth, count) in (1..).zip([10, 91, 738, 5281, 33384]) {
        assert_eq!(perft(&three, depth), count, "3x3, depth {depth}");
    }
}

/// How many colourings of the board leave every chain a liberty.
fn legal_positions(size: usize) -> u64 {
    let empty = Go9::new(size, Rules::default());
    let mut colouring: Vec<(Vertex<10>, Option<Player>)> = empty.points().map(|v| (v, None)).collect();
    let mut game = empty.clone();
    let mut count = 0;
    loop {
        count += u64::from(game.set_up(&colouring).is_ok());
        let Some(i) = colouring.iter().position(|&(_, stone)| stone != Some(Player::SECOND)) else {
            return count;
        };
        colouring[..i].iter_mut().for_each(|(_, stone)| *stone = None);
        let next = if colouring[i].1.is_none() { Player::FIRST } else { Player::SECOND };
        colouring[i].1 = Some(next);
    }
}

/// Tromp and Farneback, Combinatorics of Go (2007).
#[test]
fn positions() {
    assert_eq!([1, 2, 3].map(legal_positions), [1, 57, 12675]);
}

#[test]
#[ignore = "half a minute in release builds"]
fn positions_on_4x4() {
    assert_eq!(legal_positions(4), 24_318_165);
}

/// Mean and standard deviation of the length of uniformly random games were measured with another
/// implementation: 111.08 and 16.0 on 9x9, 455.2 and 27.3 on 19x19; Black wins 42.2 % and 46.4 % of
/// them at komi 7.5.
#[test]
fn uniform_games() {
    for (size, games, length, deviation, black) in
        [(9, 8000, 111.08, 16.0, 0.422), (19, 800, 455.2, 27.3, 0.464)]
    {
        with_go!(size, Rules::default(), |start| {
            let mut rng = Rng::new(20);
            let (mut sums, mut wins) = ([0, 0], [0.0, 0.0]);
            // By the fast path and by the single steps.
            for _ in 0..games {
                let mut trace: Vec<Played> = Vec::new();
                let value = start.clone().playout(&mut rng, &mut Vec::new(), &mut trace);
                assert!(trace.iter().all(|p| p.key() < start.keys()));
                sums[0] += trace.len();
                wins[0] += f64::from(value.of(Player::FIRST));
                let mut game = start.clone();
                let value = loop {
                    if let Some(value) = game.playout_result() {
                        break value;
                    }
                    let m = game.playout_move(&mut rng, &mut Vec::new());
                    game.playout_play(m, &mut ());
                    sums[1] += 1;
                };
                wins[1] += f64::from(value.of(Player::FIRST));
            }
            let n = f64::from(games);
            for (sum, wins) in sums.into_iter().zip(wins) {
                let error = (sum as f64 / n - length) / (deviation / n.sqrt());
                assert!(error.abs() < 4.0, "{size}: length {} is {error} errors off", sum as f64 / n);
                let error = (wins / n - black) / (0.25 / n).sqrt();
                assert!(error.abs() < 4.0, "{size}: Black wins {}", wins / n);
            }
        });
    }
}

/// Every playable first move is equally likely, wherever on the board.
#[test]
fn choice_is_uniform() {
    let mut start = Go9::new(4, Rules::default());
    let mut rng = Rng::new(3);
    let mut moves = Vec::new();
    // Late in a game most candidates are refused.
    while {
        moves.clear();
        start.playout_moves(&mut moves);
        moves.len() != 3
    } {
        if start.playout_result().is_some() {
            start = Go9::new(4, Rules::default());
        }
        let m = start.playout_move(&mut rng, &mut Vec::new());
        start.playout_play(m, &mut ());
    }
    let mut counts = [0; 3];
    let mut first = [0; 3];
    for _ in 0..30_000 {
        let m = start.playout_move(&mut rng, &mut Vec::new());
        counts[moves.iter().position(|&v| v == m).unwrap()] += 1;
        let mut trace: Vec<Played> = Vec::new();
        start.clone().playout(&mut rng, &mut Vec::new(), &mut trace);
        first[moves.iter().position(|&v| start.key(v) == trace[0].key()).unwrap()] += 1;
    }
    // Chi-square with two degrees of freedom: above 18.4 once in ten thousand.
    for counts in [counts, first] {
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 18.4, "{counts:?}");
    }
}
