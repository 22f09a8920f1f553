//! Extensions for the graphical program GoGui.

use super::{DONE, colour, play, vertex};
use crate::engine::{Move, move_text};
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::sgf::Point;
use std::collections::BTreeMap;
use tesuji::{Player, Report};

/// Kind, label and command of everything that can be shown.
pub(super) fn analyze_commands(_: &mut Session, _: &mut Call<'_>) -> Answer {
    let lines = [
        "gfx/Search Visits/tesuji-visits",
        "gfx/Search Values/tesuji-values",
        "gfx/Principal Variation/tesuji-variation",
        "dboard/Ownership/tesuji-ownership",
        "plist/Legal Points/all_legal %c",
        "plist/Dead Stones/final_status_list dead",
        "plist/Stones in Seki/final_status_list seki",
        "string/Final Score/final_score",
        "string/Last Move Explained/gomill-explain_last_move",
        "hstring/Engine/gomill-describe_engine",
        "move/Move Without Playing/reg_genmove %c",
    ];
    Ok(lines.join("\n"))
}

fn last(session: &Session) -> Result<&Report<Move>, String> {
    session.engine.last_report().ok_or_else(|| "nothing has been searched yet".into())
}

/// `kind A1 value B2 value ...` of the searched points.
fn labels(report: &Report<Move>, value: impl Fn(&tesuji::ChildReport<Move>) -> String) -> String {
    let label = |c: &tesuji::ChildReport<Move>| c.m.map(|p| format!("{p} {}", value(c)));
    report.children.iter().filter_map(label).collect::<Vec<_>>().join(" ")
}

/// The visits of the moves of the last search.
pub(super) fn visits(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let report = last(session)?;
    let text = format!("TEXT {} simulations, value {:.3}", report.simulations, report.value);
    Ok(format!("LABEL {}\n{text}", labels(report, |c| c.visits.to_string())))
}

/// The values of the moves of the last search, in percent; their colour shows how they compare with
/// the best.
pub(super) fn values(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let report = last(session)?;
    let percent = labels(report, |c| format!("{:.0}", 100.0 * c.value));
    let influence = labels(report, |c| format!("{:.2}", 2.0 * c.value - 1.0));
    Ok(format!("INFLUENCE {influence}\nLABEL {percent}\nTEXT value {:.3}", report.value))
}

/// The line of play that the last search thinks best.
pub(super) fn variation(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let report = last(session)?;
    // The search may have been before or after its move was played.
    let moves = session.engine.moves();
    let mut player = match moves.last() {
        Some(&(player, m)) if Some(&m) == report.variation.first() => player,
        _ => session.engine.to_move(),
    };
    let mut text = "VAR".to_owned();
    for &m in &report.variation {
        let colour = if player == Player::FIRST { 'b' } else { 'w' };
        text += &format!(" {colour} {}", move_text(m));
        player = player.other();
    }
    Ok(text)
}

/// Who owns each point in the end: from 1 (Black) to -1 (White), the upper line first.
pub(super) fn ownership(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let engine = &session.engine;
    let sign = if engine.to_move() == Player::FIRST { 1.0 } else { -1.0 };
    let owners = engine.owners(engine.to_move())?;
    let row = |row: &[f32]| row.iter().map(|o| format!("{:.2}", sign * o)).collect::<Vec<_>>().join(" ");
    Ok(owners.chunks(engine.size()).map(row).collect::<Vec<_>>().join("\n"))
}

/// Plays moves: `gogui-play_sequence b D4 w E5 ...`. All of them or none.
pub(super) fn play_sequence(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let (pairs, rest) = call.command.args.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("gogui-play_sequence needs pairs of a colour and a vertex".into());
    }
    let mut played = 0;
    let mut follow = |[player, point]: &[String; 2]| {
        let m = vertex(point, &session.engine)?;
        play::follow(session, colour(player)?, m).map_err(|e| format!("illegal move {point}: {e}"))?;
        played += 1;
        Ok(())
    };
    let result: Result<(), String> = pairs.iter().try_for_each(&mut follow);
    if result.is_err() {
        (0..played).try_for_each(|_| session.engine.undo())?;
    }
    result?;
    DONE
}

/// A position: `gogui-setup b D4 w E5 ...` on a cleared board.
pub(super) fn setup(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let (pairs, rest) = call.command.args.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("gogui-setup needs pairs of a colour and a point".into());
    }
    let size = session.engine.size();
    let edit = |[player, point]: &[String; 2]| {
        Ok((Point::parse(point, size).map_err(|e| e.to_string())?, Some(colour(player)?)))
    };
    // The last stone of a point stays.
    let edits: Result<BTreeMap<_, _>, String> = pairs.iter().map(edit).collect();
    session.engine.set_up(&edits?.into_iter().collect::<Vec<_>>())?;
    DONE
}

pub(super) fn setup_player(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour")?)?;
    session.engine.set_to_move(player);
    DONE
}

pub(super) fn title(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(format!("tesuji {}", session.engine.name()))
}
