//! The game: setting up, playing, choosing moves.

use super::{DONE, colour, points_text, vertex};
use crate::engine::{Decision, Move, move_text};
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::restriction::Restriction;
use crate::rules::Komi;
use crate::sgf::Point;
use std::sync::Arc;
use tesuji::{Observer, Player, Stop};

pub(super) fn boardsize(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let size = call.number(0, "the size of a board")?;
    if call.command.args.len() > 1 && call.number(1, "the number of rows")? != size {
        return Err("unacceptable size: the board is square".into());
    }
    begin(session, size)
}

pub(super) fn clear_board(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let size = session.engine.size();
    begin(session, size)
}

fn begin(session: &mut Session, size: usize) -> Answer {
    session.engine.new_game(size)?;
    session.begun();
    DONE
}

pub(super) fn komi(session: &mut Session, call: &mut Call<'_>) -> Answer {
    const KOMI: &str = "a komi such as 7.5";
    let text = call.arg(0, KOMI)?;
    let points = text.parse().ok().filter(|points: &f32| points.is_finite());
    session.engine.set_komi(Komi::from_points(points.ok_or_else(|| format!("'{text}' is not {KOMI}"))?));
    DONE
}

pub(super) fn get_komi(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(session.engine.komi().to_string())
}

pub(super) fn play(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour and a vertex")?)?;
    let m = vertex(call.arg(1, "a colour and a vertex")?, &session.engine)?;
    follow(session, player, m).map_err(|e| format!("illegal move: {e}"))?;
    DONE
}

/// Plays a move of the controller, which may know no superko.
pub(super) fn follow(session: &mut Session, player: Player, m: Move) -> Result<(), String> {
    if session.engine.play_by_simple_ko(player, m)? {
        let m = move_text(m);
        session.warn(&format!("warning: {m} repeats an earlier position; it was played all the same"));
    }
    Ok(())
}

pub(super) fn undo(session: &mut Session, _: &mut Call<'_>) -> Answer {
    session.engine.undo()?;
    DONE
}

/// Takes several moves back, or one.
pub(super) fn gg_undo(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let count = if call.command.args.is_empty() { 1 } else { call.number(0, "a number of moves")? };
    let played = session.engine.moves().len();
    if count > played {
        return Err(format!("cannot undo {count} moves: {played} have been played"));
    }
    (0..count).try_for_each(|_| session.engine.undo())?;
    DONE
}

pub(super) fn genmove(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    Ok(choose(session, &call.inbox.until_interrupt(), player, Mode::Play, None, &mut ())?.to_string())
}

pub(super) fn genmove_cleanup(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    Ok(choose(session, &call.inbox.until_interrupt(), player, Mode::Cleanup, None, &mut ())?.to_string())
}

pub(super) fn reg_genmove(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    Ok(choose(session, &call.inbox.until_interrupt(), player, Mode::Dry, None, &mut ())?.to_string())
}

/// How a move is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// And played.
    Play,
    /// And played, after the dead stones are gone.
    Cleanup,
    /// And not played.
    Dry,
}

/// Chooses a move and explains it.
pub(super) fn choose(
    session: &mut Session,
    stop: &Stop,
    player: Player,
    mode: Mode,
    restriction: Option<&Arc<Restriction>>,
    observer: &mut dyn Observer<Move>,
) -> Result<Decision, String> {
    session.note_komi();
    let engine = &mut session.engine;
    let how = (mode == Mode::Cleanup, mode == Mode::Dry);
    let decision = engine.genmove(player, how, restriction, stop, observer)?;
    session.may_ponder = mode == Mode::Play && matches!(decision, Decision::Play(Some(_)));
    session.explanation = match engine.last_report() {
        Some(report) => format!(
            "value {:.3}, {} simulations, {} nodes, depth {}",
            report.value, report.simulations, report.nodes, report.depth
        ),
        None if decision == Decision::Resign => "the agent resigns".into(),
        None => "a pass wins".into(),
    };
    Ok(decision)
}

pub(super) fn fixed_handicap(session: &mut Session, call: &mut Call<'_>) -> Answer {
    place(session, call, true)
}

pub(super) fn place_free_handicap(session: &mut Session, call: &mut Call<'_>) -> Answer {
    place(session, call, false)
}

fn place(session: &mut Session, call: &Call<'_>, fixed: bool) -> Answer {
    let count = call.number(0, "a number of handicap stones")?;
    let points = session.engine.handicap_points(count, fixed)?;
    session.engine.place_handicap(&points)?;
    Ok(points_text(&points))
}

pub(super) fn set_free_handicap(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let size = session.engine.size();
    let points: Result<Vec<Point>, _> = call.command.args.iter().map(|t| Point::parse(t, size)).collect();
    session.engine.place_handicap(&points.map_err(|e| e.to_string())?)?;
    DONE
}

pub(super) fn showboard(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(format!("\n{}", session.engine.board_text()))
}

/// 1 or 0, as GNU Go answers.
pub(super) fn is_legal(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour and a vertex")?)?;
    let m = vertex(call.arg(1, "a colour and a vertex")?, &session.engine)?;
    Ok(if session.engine.legal(player, m).is_ok() { "1" } else { "0" }.into())
}

pub(super) fn all_legal(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    Ok(points_text(&session.engine.legal_points(player)))
}
