//! Positions drawn by hand: every file of `tests/cases` is a list of cases.
//!
//! A line is `case NAME`, a row of a board from the top (`| . X O`), or a command: `set` puts the
//! rows above on a new board, `is` compares them; `suicide` allows suicide; `play B A1 W B2 ...`;
//! `legal B A1`; `illegal B A1 REASON`; `score N` in half points with komi 0; `captures B N`.

use tesuji::{Game, Player};
use tesuji_go::{Go9, Illegal, Komi, Rules, Vertex};

fn player(text: &str) -> Player {
    if text == "B" { Player::FIRST } else { Player::SECOND }
}

fn point(text: &str) -> Vertex<10> {
    Vertex::parse(text).unwrap_or_else(|| panic!("{text} is no vertex"))
}

fn stones(rows: &[String]) -> Vec<(Vertex<10>, Option<Player>)> {
    let mut stones = Vec::new();
    for (row, line) in rows.iter().rev().enumerate() {
        for (column, stone) in line.split_whitespace().enumerate() {
            let stone = match stone {
                "X" => Some(Player::FIRST),
                "O" => Some(Player::SECOND),
                _ => None,
            };
            stones.push((Vertex::new(column, row).unwrap(), stone));
        }
    }
    stones
}

fn run(text: &str) -> usize {
    let mut game = Go9::new(1, Rules::default());
    let (mut name, mut rows, mut checks) = (String::new(), Vec::new(), 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        checks += 1;
        match words[..] {
            [] | ["#", ..] => checks -= 1,
            ["case", ..] => name = line.to_string(),
            ["|", ref row @ ..] => rows.push(row.join(" ")),
            ["set"] => {
                game = Go9::new(rows.len(), Rules { komi: Komi::default(), ..Rules::default() });
                game.set_up(&stones(&rows)).unwrap();
                rows.clear();
            }
            ["suicide"] => {
                let old = game;
                game = Go9::new(old.size(), Rules { suicide: true, ..*old.rules() });
                let stones: Vec<_> = old.points().map(|v| (v, old.stone(v))).collect();
                game.set_up(&stones).unwrap();
            }
            ["is"] => {
                for (v, stone) in stones(&rows) {
                    assert_eq!(game.stone(v), stone, "{name}: {v}\n{game}");
                }
                rows.clear();
            }
            ["play", ref moves @ ..] => {
                for pair in moves.chunks(2) {
                    let legal = game.legal(player(pair[0]), point(pair[1]));
                    assert_eq!(legal, Ok(()), "{name}: {pair:?}\n{game}");
                    game.play_as(player(pair[0]), point(pair[1]));
                }
            }
            ["legal", p, v] => {
                assert_eq!(game.legal(player(p), point(v)), Ok(()), "{name}: {line}\n{game}");
            }
            ["illegal", p, v, reason] => {
                let reason = match reason {
                    "suicide" => Illegal::Suicide,
                    "superko" => Illegal::Superko,
                    "occupied" => Illegal::Occupied,
                    _ => Illegal::OffBoard,
                };
                assert_eq!(game.legal(player(p), point(v)), Err(reason), "{name}: {line}\n{game}");
            }
            ["score", n] => assert_eq!(game.score(), n.parse::<i32>().unwrap(), "{name}\n{game}"),
            ["captures", p, n] => {
                assert_eq!(game.captures(player(p)), n.parse::<u32>().unwrap(), "{name}\n{game}");
            }
            ["over"] => assert!(game.result().is_some(), "{name}"),
            _ => panic!("{name}: cannot read '{line}'"),
        }
    }
    checks
}

#[test]
fn drawn_positions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(run(&std::fs::read_to_string(&path).unwrap()) > 10, "{path:?} is almost empty");
        files += 1;
    }
    assert_eq!(files, 4);
}
