//! Clocks.

use super::{DONE, colour};
use crate::engine::TimeSettings;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use std::time::Duration;

const MAIN: &str = "a main time in seconds";
const PERIOD: &str = "a byo-yomi time in seconds";

/// Absolute or Canadian time. A byo-yomi time without stones means no limit, and so does no time at
/// all.
pub(super) fn time_settings(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let (main, period) = (call.seconds(0, MAIN)?, call.seconds(1, PERIOD)?);
    let stones = call.number(2, "a number of byo-yomi stones")?;
    let nothing = main + period == Duration::ZERO;
    session.engine.set_time(match u32::try_from(stones).unwrap_or(u32::MAX) {
        0 if period > Duration::ZERO || nothing => TimeSettings::Unlimited,
        0 => TimeSettings::Absolute { main },
        _ if period == Duration::ZERO => TimeSettings::Absolute { main },
        stones => TimeSettings::Canadian { main, period, stones },
    });
    DONE
}

/// The same with the kind named first.
pub(super) fn kgs_time_settings(session: &mut Session, call: &mut Call<'_>) -> Answer {
    const KINDS: &str = "a kind of time, none, absolute, byoyomi or canadian";
    let kind = call.arg(0, KINDS)?;
    let count = |what| {
        let count = call.number(3, what)?;
        let count = u32::try_from(count).ok().filter(|&n| n > 0);
        count.ok_or_else(|| format!("kgs-time_settings {kind} needs {what}"))
    };
    let settings = match kind {
        "none" => TimeSettings::Unlimited,
        "absolute" => TimeSettings::Absolute { main: call.seconds(1, MAIN)? },
        "byoyomi" => TimeSettings::ByoYomi {
            main: call.seconds(1, MAIN)?,
            period: call.seconds(2, PERIOD)?,
            periods: count("a number of periods above 0")?,
        },
        "canadian" => TimeSettings::Canadian {
            main: call.seconds(1, MAIN)?,
            period: call.seconds(2, PERIOD)?,
            stones: count("a number of stones above 0")?,
        },
        _ => return Err(format!("'{kind}' is not {KINDS}")),
    };
    session.engine.set_time(settings);
    DONE
}

pub(super) fn time_left(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let player = colour(call.arg(0, "a colour, a time and a number of stones")?)?;
    // Some servers let a clock run below zero.
    let time = match call.arg(1, "a time in seconds")? {
        text if text.starts_with('-') && text.parse::<f64>().is_ok() => Duration::ZERO,
        _ => call.seconds(1, "a time in seconds")?,
    };
    let stones = call.number(2, "a number of stones")?;
    session.engine.clock().set_left(player, time, u32::try_from(stones).unwrap_or(u32::MAX));
    DONE
}
