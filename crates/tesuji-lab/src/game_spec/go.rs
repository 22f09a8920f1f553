//! Go, whose type depends on the size of the board.

use super::any_game::{AnyGame, Start};
use super::error::GameError;
use super::family::Family;
use super::{GameEntry, GameSpec};
use crate::error::LabError;
use crate::report::Board;
use std::sync::Arc;
use tesuji_go::{Rules, with_go};

pub(super) const FAMILY: Family = Family {
    names: &["go9", "go13", "go19", "go"],
    list: &[
        GameEntry { syntax: "go9", about: "Go on 9 lines, area scoring, positional superko, komi 7.5" },
        GameEntry { syntax: "go13", about: "Go on 13 lines" },
        GameEntry { syntax: "go19", about: "Go on 19 lines" },
        GameEntry { syntax: "go:N", about: "Go on N lines, 2 to 19" },
    ],
    read,
};

fn read(name: &str, parameters: Option<&str>, komi: Option<&str>) -> Result<Option<GameSpec>, LabError> {
    let size = match (name, parameters.map(str::parse)) {
        ("go9", None) => 9,
        ("go13", None) => 13,
        ("go19", None) => 19,
        ("go", Some(Ok(size))) => size,
        _ => return Ok(None),
    };
    if !(2..=19).contains(&size) {
        return Err(GameError::Lines { lines: size }.into());
    }
    let mut rules = Rules::default();
    if let Some(komi) = komi {
        rules.komi = komi.parse().map_err(LabError::input)?;
    }
    Ok(Some(GameSpec {
        name: if [9, 13, 19].contains(&size) { format!("go{size}") } else { format!("go:{size}") },
        start: with_go!(size, rules, |start| Arc::new(Start { start, deal: None }) as Arc<dyn AnyGame>),
        opening_plies: 4,
        gtp_setup: Some(vec![format!("boardsize {size}"), format!("komi {}", rules.komi)]),
        board: Some(Board::Go { size }),
        go: Some((size, rules)),
        draws: false,
    }))
}
