//! About the engine itself.

use super::{DONE, find, listed};
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};

pub(super) fn protocol_version(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok("2".into())
}

pub(super) fn name(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok("tesuji".into())
}

pub(super) fn version(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let own = || format!("{} {}", env!("CARGO_PKG_VERSION"), session.engine.name());
    Ok(session.version.clone().unwrap_or_else(own))
}

pub(super) fn known_command(_: &mut Session, call: &mut Call<'_>) -> Answer {
    Ok(find(call.arg(0, "the name of a command")?).is_some().to_string())
}

pub(super) fn list_commands(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(listed().collect::<Vec<_>>().join("\n"))
}

pub(super) fn quit(session: &mut Session, _: &mut Call<'_>) -> Answer {
    session.over = true;
    DONE
}

/// The time spent on searches, as a clock on the wall shows it, whatever the number of threads.
pub(super) fn cpu_time(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(format!("{:.3}", session.engine.thinking_time().as_secs_f64()))
}

pub(super) fn describe(session: &mut Session, _: &mut Call<'_>) -> Answer {
    let options = session.engine.options();
    let mut text = format!("tesuji {}\nrecipe: {}", env!("CARGO_PKG_VERSION"), session.engine.name());
    if let Some(playouts) = options.playouts {
        text += &format!("\nplayouts a move: {playouts}");
    }
    if let Some(time) = options.time {
        text += &format!("\nseconds a move: {}", time.as_secs_f64());
    }
    text += &match options.resign {
        Some(value) => format!("\nresigns below: {value}"),
        None => "\nnever resigns".into(),
    };
    text += &format!("\nseed: {}", options.seed);
    Ok(text)
}

pub(super) fn explain(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(session.explanation.clone())
}
