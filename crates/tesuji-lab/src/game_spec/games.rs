//! The names of the other games of the workspace.

use super::{GameEntry, NamedGame};
use crate::deal::Deal;
use crate::report::{Board, Cells, Moves};
use tesuji::{Game, Rng};
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame, TicTacToe};
use tesuji_sums::{Heap, Sum};

/// An initial position with its parameters as records write them.
type Start<G> = Result<Option<(G, Option<String>)>, String>;

impl NamedGame for Hex {
    const NAME: &'static str = "hex";
    const LIST: &'static [GameEntry] = &[GameEntry { syntax: "hex:N", about: "Hex on N rows, 2 to 19" }];

    fn start(parameters: Option<&str>) -> Start<Hex> {
        let Some(&[size]) = numbers(parameters, ',').as_deref() else { return Ok(None) };
        let start = Hex::new(size).map_err(|e| e.to_string())?;
        Ok(Some((start, Some(size.to_string()))))
    }

    fn gtp_setup(&self) -> Option<Vec<String>> {
        Some(vec![format!("boardsize {}", self.size())])
    }

    fn board(&self) -> Option<Board> {
        let (columns, rows) = (self.size(), self.size());
        let shape = Cells::Hexagons;
        Some(Board::Cells { shape, columns, rows, moves: Moves::Place, bottom_up: false, start: Vec::new() })
    }
}

impl NamedGame for ConnectFour {
    const NAME: &'static str = "connect-four";
    const LIST: &'static [GameEntry] =
        &[GameEntry { syntax: "connect-four", about: "Connect Four, 7 columns of 6" }];
    const OPENING_PLIES: u32 = 3;

    fn start(parameters: Option<&str>) -> Start<ConnectFour> {
        Ok(parameters.is_none().then(|| (ConnectFour::new(), None)))
    }

    fn board(&self) -> Option<Board> {
        Some(Board::Cells {
            shape: Cells::Squares,
            columns: 7,
            rows: 6,
            moves: Moves::Drop,
            bottom_up: true,
            start: Vec::new(),
        })
    }
}

impl NamedGame for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const LIST: &'static [GameEntry] = &[GameEntry { syntax: "tic-tac-toe", about: "Tic-tac-toe" }];

    fn start(parameters: Option<&str>) -> Start<TicTacToe> {
        Ok(parameters.is_none().then(|| (TicTacToe::new(), None)))
    }

    fn board(&self) -> Option<Board> {
        Some(Board::squares(3, 3, Moves::Place))
    }
}

impl NamedGame for Domineering {
    const NAME: &'static str = "domineering";
    const LIST: &'static [GameEntry] =
        &[GameEntry { syntax: "domineering:RxC", about: "Domineering on R rows and C columns, 1 to 8" }];

    fn start(parameters: Option<&str>) -> Start<Domineering> {
        let Some(&[rows, columns]) = numbers(parameters, 'x').as_deref() else { return Ok(None) };
        let start = Domineering::new(rows, columns).map_err(|e| e.to_string())?;
        if start.result().is_some() {
            return Err(format!(
                "on {rows}x{columns} Domineering is over before it begins; accepted: at least two rows"
            ));
        }
        Ok(Some((start, Some(format!("{rows}x{columns}")))))
    }

    fn board(&self) -> Option<Board> {
        let (rows, columns) = self.size();
        Some(Board::squares(columns, rows, Moves::Domino))
    }
}

impl NamedGame for Knightthrough {
    const NAME: &'static str = "knightthrough";
    const LIST: &'static [GameEntry] =
        &[GameEntry { syntax: "knightthrough", about: "Knightthrough on 8 by 8" }];

    fn start(parameters: Option<&str>) -> Start<Knightthrough> {
        Ok(parameters.is_none().then(|| (Knightthrough::new(), None)))
    }

    fn board(&self) -> Option<Board> {
        Some(Board::Cells {
            shape: Cells::Squares,
            columns: 8,
            rows: 8,
            moves: Moves::Step,
            bottom_up: true,
            start: ["x", "x", ".", ".", ".", ".", "o", "o"].map(|piece| piece.repeat(8)).to_vec(),
        })
    }
}

impl NamedGame for PGame {
    const NAME: &'static str = "p-game";
    const LIST: &'static [GameEntry] = &[GameEntry {
        syntax: "p-game:B,D[,SEED]",
        about: "a random tree of branching factor B and depth D, 1 to 1000; seed 0 unless given",
    }];
    const OPENING_PLIES: u32 = 0;

    fn start(parameters: Option<&str>) -> Start<PGame> {
        let (branching, depth, seed) = match numbers(parameters, ',').as_deref() {
            Some(&[branching, depth]) => (branching, depth, 0),
            Some(&[branching, depth, seed]) => (branching, depth, seed),
            _ => return Ok(None),
        };
        let start = PGame::new(branching, depth, seed as u64).map_err(|e| e.to_string())?;
        Ok(Some((start, Some(format!("{branching},{depth},{seed}")))))
    }
}

impl NamedGame for Sum<Heap> {
    const NAME: &'static str = "heap-go";
    const LIST: &'static [GameEntry] = &[
        GameEntry {
            syntax: "heap-go:MxN[,SEED]",
            about: "Heap-Go with M random heaps of N counters, 1 to 60; weights 1 to 10; seed 0 unless given",
        },
        GameEntry {
            syntax: "heap-go:random:MxN",
            about: "the same with other heaps for each pair of games of a match, which then reports points",
        },
        GameEntry { syntax: "heap-go:HEAP,...", about: "Heap-Go with 1 to 60 heaps such as b3r5b5,r2b1" },
    ];

    /// The heaps of `5x5`, `5x5,7`, `random:5x5` or `b3r5b5,r2b1`.
    fn start(parameters: Option<&str>) -> Start<Sum<Heap>> {
        const MOST: usize = Heap::HIGHEST;
        let Some(text) = parameters else { return Ok(None) };
        let is_drawn = text.strip_prefix(RANDOM);
        let (size, seed) = match is_drawn {
            Some(size) => (size, "0"),
            None => text.split_once(',').unwrap_or((text, "0")),
        };
        if let (Some(&[heaps, counters]), Ok(seed)) =
            (numbers(Some(size), 'x').as_deref(), seed.parse::<u64>())
        {
            for (what, number) in [("heaps", heaps), ("counters", counters)] {
                if !(1..=MOST).contains(&number) {
                    return Err(format!("heap-go has 1 to {MOST} {what}, not {number}"));
                }
            }
            let mut rng = Rng::new(seed);
            let start = Sum::new((0..heaps).map(|_| Heap::random(counters, &mut rng)).collect());
            let name = match is_drawn {
                Some(_) => format!("{RANDOM}{heaps}x{counters}"),
                None => format!("{heaps}x{counters},{seed}"),
            };
            return Ok(Some((start, Some(name))));
        }
        if is_drawn.is_some() {
            return Err(format!("heap-go:{text} has no size; accepted: heap-go:random:MxN"));
        }
        let heap = |text: &str| {
            text.parse::<Heap>().map_err(|error| {
                let accepted =
                    "accepted are heap-go:MxN, heap-go:MxN,SEED and heaps such as heap-go:b3r5b5,r2b1";
                format!("heap {text:?}: {error}; {accepted}")
            })
        };
        let heaps = text.split(',').map(heap).collect::<Result<Vec<_>, _>>()?;
        if heaps.len() > MOST {
            return Err(format!("heap-go has 1 to {MOST} heaps, not {}", heaps.len()));
        }
        let name = heaps.iter().map(Heap::to_string).collect::<Vec<_>>().join(",");
        let start = Sum::new(heaps);
        if start.result().is_some() {
            return Err(format!("heap-go:{text} has no counters; accepted: at least one"));
        }
        Ok(Some((start, Some(name))))
    }

    fn deal(parameters: Option<&str>) -> Option<Deal<Sum<Heap>>> {
        /// As many heaps with as many counters.
        fn draw(like: &Sum<Heap>, seed: u64) -> Sum<Heap> {
            let mut rng = Rng::new(seed);
            Sum::new(like.components().iter().map(|heap| Heap::random(heap.height(), &mut rng)).collect())
        }
        let points = |sum: &Sum<Heap>| sum.score().to_f64();
        parameters?.starts_with(RANDOM).then_some(Deal { draw, points })
    }

    fn board(&self) -> Option<Board> {
        Some(Board::Heaps { heaps: self.components().iter().map(Heap::to_string).collect() })
    }
}

/// What begins the parameters of sums that each pair of games draws.
const RANDOM: &str = "random:";

/// Whole numbers with `separator` between them; none if something else is there.
fn numbers(text: Option<&str>, separator: char) -> Option<Vec<usize>> {
    text?.split(separator).map(|number| number.parse().ok()).collect()
}
