//! Commands for controllers that know no rules.

use super::{colour_text, points_text};
use crate::engine::result_text;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use tesuji::Player;

pub(super) fn game_id(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok("Go".into())
}

/// The stones, the upper line first: `X`, `O` or `.`.
pub(super) fn board(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let stones = session.engine.stones();
    let points: Vec<_> = stones.points().collect();
    let rows: Vec<String> = points
        .chunks(stones.size())
        .rev()
        .map(|row| {
            let marks = row.iter().map(|&p| match stones.get(p) {
                Some(Player::FIRST) => "X",
                Some(_) => "O",
                None => ".",
            });
            marks.collect::<Vec<_>>().join(" ")
        })
        .collect();
    Ok(rows.join("\n"))
}

pub(super) fn board_size(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(session.engine.size().to_string())
}

/// Every legal move of the player to move; nothing once the game is over.
pub(super) fn legal_moves(session: &mut Session, _: &mut Call<'_>) -> Answer {
    if session.engine.is_over() {
        return Ok(String::new());
    }
    let points = session.engine.legal_points(session.engine.to_move());
    Ok(format!("{} pass", points_text(&points)).trim_start().into())
}

pub(super) fn side_to_move(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(colour_text(session.engine.to_move()).into())
}

/// The result by Tromp and Taylor's count, every stone alive; nothing before the game is over.
pub(super) fn final_result(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let engine = &session.engine;
    Ok(if engine.is_over() { result_text(engine.score()) } else { String::new() })
}
