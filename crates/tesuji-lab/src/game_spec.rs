//! The games that have a name.

use crate::LabError;
use crate::record::{GoReferee, PlainReferee, Referee};
use std::fmt;
use tesuji::{Game, Rng};
use tesuji_agents::Playable;
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame, TicTacToe};
use tesuji_go::{Rules, with_go};
use tesuji_sums::{Heap, Sum};

/// A game, as `--game` and experiment files name it, with its initial position.
#[derive(Clone, Debug)]
pub enum GameSpec {
    /// `go9`, `go13`, `go19`, `go:N`.
    Go {
        /// Lines of the board.
        size: usize,
        /// Its rules, komi included.
        rules: Rules,
    },
    /// `hex:N`.
    Hex(Box<Hex>),
    /// `connect-four`.
    ConnectFour,
    /// `tic-tac-toe`.
    TicTacToe,
    /// `domineering:RxC`.
    Domineering {
        /// The empty board.
        start: Domineering,
        /// Rows and columns.
        size: (usize, usize),
    },
    /// `knightthrough`.
    Knightthrough,
    /// `p-game:B,D` or `p-game:B,D,SEED`.
    PGame {
        /// The root.
        start: PGame,
        /// Branching factor, depth, seed.
        tree: (usize, usize, usize),
    },
    /// `heap-go:MxN`, `heap-go:MxN,SEED` or `heap-go:HEAP,HEAP,...`.
    HeapGo {
        /// The heaps.
        start: Sum<Heap>,
        /// Number of heaps, counters in each and seed, if they are random.
        random: Option<(usize, usize, u64)>,
    },
}

/// What to do with a game of a type that is known only at run time.
pub trait GameVisitor {
    /// What it gives.
    type Out;

    /// Does it, with the game's initial position.
    fn visit<G: Playable>(self, start: G) -> Self::Out;
}

/// One line of the list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// How it is written, with parameters in capitals.
    pub syntax: &'static str,
    /// What it is, with the parameters' ranges.
    pub about: &'static str,
}

impl GameSpec {
    /// Every game.
    pub const LIST: &'static [GameEntry] = &[
        GameEntry { syntax: "go9", about: "Go on 9 lines, area scoring, positional superko, komi 7.5" },
        GameEntry { syntax: "go13", about: "Go on 13 lines" },
        GameEntry { syntax: "go19", about: "Go on 19 lines" },
        GameEntry { syntax: "go:N", about: "Go on N lines, 2 to 19" },
        GameEntry { syntax: "hex:N", about: "Hex on N rows, 2 to 19" },
        GameEntry { syntax: "connect-four", about: "Connect Four, 7 columns of 6" },
        GameEntry { syntax: "tic-tac-toe", about: "Tic-tac-toe" },
        GameEntry { syntax: "domineering:RxC", about: "Domineering on R rows and C columns, 1 to 8" },
        GameEntry { syntax: "knightthrough", about: "Knightthrough on 8 by 8" },
        GameEntry {
            syntax: "p-game:B,D[,SEED]",
            about: "a random tree of branching factor B and depth D, 1 to 1000; seed 0 unless given",
        },
        GameEntry {
            syntax: "heap-go:MxN[,SEED]",
            about: "Heap-Go with M random heaps of N counters, 1 to 60; weights 1 to 10; seed 0 unless given",
        },
        GameEntry { syntax: "heap-go:HEAP,...", about: "Heap-Go with 1 to 60 heaps such as b3r5b5,r2b1" },
    ];

    /// Reads a game; `komi` is accepted where the game has one.
    ///
    /// # Errors
    /// If the name or a parameter is not one of [`GameSpec::LIST`]; the message says what is accepted.
    pub fn parse(text: &str, komi: Option<&str>) -> Result<GameSpec, LabError> {
        let (name, parameters) = match text.split_once(':') {
            Some(("heap-go", heaps)) => match (heap_go(heaps)?, komi) {
                (spec, None) => return Ok(spec),
                (spec, Some(_)) => return Err(no_komi(&spec)),
            },
            Some((name, parameters)) => {
                (name, numbers(parameters, if name == "domineering" { 'x' } else { ',' }))
            }
            None => (text, Some(Vec::new())),
        };
        let spec = match (name, parameters.as_deref()) {
            ("go9", Some([])) => go(9)?,
            ("go13", Some([])) => go(13)?,
            ("go19", Some([])) => go(19)?,
            ("go", Some(&[size])) => go(size)?,
            ("hex", Some(&[size])) => GameSpec::Hex(Box::new(Hex::new(size).map_err(LabError::input)?)),
            ("connect-four", Some([])) => GameSpec::ConnectFour,
            ("tic-tac-toe", Some([])) => GameSpec::TicTacToe,
            ("domineering", Some(&[rows, columns])) => {
                let start = Domineering::new(rows, columns).map_err(LabError::input)?;
                if start.result().is_some() {
                    return Err(LabError::Input(format!(
                        "on {rows}x{columns} Domineering is over before it begins; accepted: at least two rows"
                    )));
                }
                GameSpec::Domineering { start, size: (rows, columns) }
            }
            ("knightthrough", Some([])) => GameSpec::Knightthrough,
            ("p-game", Some(&[b, d])) => p_game(b, d, 0)?,
            ("p-game", Some(&[b, d, seed])) => p_game(b, d, seed)?,
            _ => {
                let accepted: Vec<_> = GameSpec::LIST.iter().map(|entry| entry.syntax).collect();
                let accepted = accepted.join(", ");
                return Err(LabError::Input(format!("unknown game {text:?}; accepted are {accepted}")));
            }
        };
        match (spec, komi) {
            (GameSpec::Go { size, mut rules }, Some(komi)) => {
                rules.komi = komi.parse().map_err(LabError::input)?;
                Ok(GameSpec::Go { size, rules })
            }
            (spec, Some(_)) => Err(no_komi(&spec)),
            (spec, None) => Ok(spec),
        }
    }

    /// How many random moves begin a game unless one says otherwise.
    pub fn opening_plies(&self) -> u32 {
        match self {
            GameSpec::Go { .. } => 4,
            GameSpec::ConnectFour => 3,
            GameSpec::Hex(_)
            | GameSpec::TicTacToe
            | GameSpec::Domineering { .. }
            | GameSpec::Knightthrough
            | GameSpec::HeapGo { .. } => 2,
            GameSpec::PGame { .. } => 0,
        }
    }

    /// Points for the second player, where the game has a komi.
    pub fn komi(&self) -> Option<String> {
        match self {
            GameSpec::Go { rules, .. } => Some(rules.komi.to_string()),
            _ => None,
        }
    }

    /// How an engine is told by GTP to prepare for the game; none where GTP does not know it.
    pub fn gtp_setup(&self) -> Option<Vec<String>> {
        match self {
            GameSpec::Go { size, rules } => {
                Some(vec![format!("boardsize {size}"), format!("komi {}", rules.komi)])
            }
            GameSpec::Hex(hex) => Some(vec![format!("boardsize {}", hex.size())]),
            _ => None,
        }
    }

    /// Who reads the results of finished games.
    pub fn referee(&self) -> Box<dyn Referee> {
        match *self {
            GameSpec::Go { size, rules } => Box::new(GoReferee { size, rules }),
            _ => Box::new(PlainReferee),
        }
    }

    /// Hands the initial position to `visitor`.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Out {
        match self {
            GameSpec::Go { size, rules } => with_go!(*size, *rules, |start| visitor.visit(start)),
            GameSpec::Hex(start) => visitor.visit(Hex::clone(start)),
            GameSpec::ConnectFour => visitor.visit(ConnectFour::new()),
            GameSpec::TicTacToe => visitor.visit(TicTacToe::new()),
            GameSpec::Domineering { start, .. } => visitor.visit(start.clone()),
            GameSpec::Knightthrough => visitor.visit(Knightthrough::new()),
            GameSpec::PGame { start, .. } => visitor.visit(start.clone()),
            GameSpec::HeapGo { start, .. } => visitor.visit(start.clone()),
        }
    }
}

/// The name under which the game is recorded: `go:9` is `go9`.
impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSpec::Go { size: size @ (9 | 13 | 19), .. } => write!(f, "go{size}"),
            GameSpec::Go { size, .. } => write!(f, "go:{size}"),
            GameSpec::Hex(hex) => write!(f, "hex:{}", hex.size()),
            GameSpec::ConnectFour => f.write_str("connect-four"),
            GameSpec::TicTacToe => f.write_str("tic-tac-toe"),
            GameSpec::Domineering { size: (rows, columns), .. } => write!(f, "domineering:{rows}x{columns}"),
            GameSpec::Knightthrough => f.write_str("knightthrough"),
            GameSpec::PGame { tree: (b, d, seed), .. } => write!(f, "p-game:{b},{d},{seed}"),
            GameSpec::HeapGo { random: Some((m, n, seed)), .. } => write!(f, "heap-go:{m}x{n},{seed}"),
            GameSpec::HeapGo { start, random: None } => {
                let heaps: Vec<_> = start.components().iter().map(Heap::to_string).collect();
                write!(f, "heap-go:{}", heaps.join(","))
            }
        }
    }
}

fn go(size: usize) -> Result<GameSpec, LabError> {
    if (2..=19).contains(&size) {
        Ok(GameSpec::Go { size, rules: Rules::default() })
    } else {
        Err(LabError::Input(format!("a Go board has 2 to 19 lines, not {size}")))
    }
}

fn p_game(branching: usize, depth: usize, seed: usize) -> Result<GameSpec, LabError> {
    let start = PGame::new(branching, depth, seed as u64).map_err(LabError::input)?;
    Ok(GameSpec::PGame { start, tree: (branching, depth, seed) })
}

/// The heaps of `5x5`, `5x5,7` or `b3r5b5,r2b1`.
fn heap_go(text: &str) -> Result<GameSpec, LabError> {
    let (size, seed) = text.split_once(',').unwrap_or((text, "0"));
    if let (Some([heaps, counters]), Ok(seed)) = (numbers(size, 'x').as_deref(), seed.parse()) {
        for (what, number) in [("heaps", *heaps), ("counters", *counters)] {
            if !(1..=Heap::HIGHEST).contains(&number) {
                let most = Heap::HIGHEST;
                return Err(LabError::Input(format!("heap-go has 1 to {most} {what}, not {number}")));
            }
        }
        let mut rng = Rng::new(seed);
        let start = Sum::new((0..*heaps).map(|_| Heap::random(*counters, &mut rng)).collect());
        return Ok(GameSpec::HeapGo { start, random: Some((*heaps, *counters, seed)) });
    }
    let heap = |text: &str| {
        text.parse::<Heap>().map_err(|error| {
            let accepted = "accepted are heap-go:MxN, heap-go:MxN,SEED and heaps such as heap-go:b3r5b5,r2b1";
            LabError::Input(format!("heap {text:?}: {error}; {accepted}"))
        })
    };
    let heaps = text.split(',').map(heap).collect::<Result<Vec<_>, _>>()?;
    if heaps.len() > Heap::HIGHEST {
        return Err(LabError::Input(format!(
            "heap-go has 1 to {} heaps, not {}",
            Heap::HIGHEST,
            heaps.len()
        )));
    }
    let start = Sum::new(heaps);
    if start.result().is_some() {
        return Err(LabError::Input(format!("heap-go:{text} has no counters; accepted: at least one")));
    }
    Ok(GameSpec::HeapGo { start, random: None })
}

fn no_komi(spec: &GameSpec) -> LabError {
    LabError::Input(format!("{spec} has no komi; it belongs to Go"))
}

/// Whole numbers with `separator` between them; none if something else is there.
fn numbers(text: &str, separator: char) -> Option<Vec<usize>> {
    text.split(separator).map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_and_named() {
        for (text, name) in [
            ("go9", "go9"),
            ("go:9", "go9"),
            ("go:7", "go:7"),
            ("hex:11", "hex:11"),
            ("domineering:4x5", "domineering:4x5"),
            ("p-game:2,20", "p-game:2,20,0"),
            ("p-game:2,20,7", "p-game:2,20,7"),
            ("knightthrough", "knightthrough"),
            ("heap-go:5x4", "heap-go:5x4,0"),
            ("heap-go:5x4,7", "heap-go:5x4,7"),
            ("heap-go:B3r5,r2", "heap-go:b3r5,r2"),
        ] {
            assert_eq!(GameSpec::parse(text, None).unwrap().to_string(), name);
        }
        assert_eq!(GameSpec::parse("go9", Some("5.5")).unwrap().komi().as_deref(), Some("5.5"));
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let error = |text, komi| GameSpec::parse(text, komi).unwrap_err().to_string();
        assert!(error("go:20", None).contains("2 to 19"));
        assert!(error("hex:1", None).contains("2 to 19"));
        assert!(error("go9:3", None).contains("accepted are go9"));
        assert!(error("hex:a", None).contains("accepted are go9"));
        assert!(error("p-game:2", None).contains("p-game:B,D"));
        assert!(error("go9", Some("7.3")).contains("7.3"));
        assert!(error("hex:5", Some("7")).contains("no komi"));
        assert!(error("heap-go:5x5", Some("7")).contains("no komi"));
        assert!(error("heap-go:5x61", None).contains("1 to 60 counters"));
        assert!(error("heap-go:0x5", None).contains("1 to 60 heaps"));
        assert!(error("heap-go:b3,x", None).contains("heap \"x\": character 1"));
        assert!(error("heap-go:-,-", None).contains("has no counters"));
        assert!(error("heap-go", None).contains("heap-go:MxN"));
        assert!(error("domineering:1x4", None).contains("at least two rows"));
    }
}
