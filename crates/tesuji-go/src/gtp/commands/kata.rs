//! KataGo's extensions for rules and parameters.

use super::DONE;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::rule_set::{RuleSet, Scoring, Tax, object};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// What `kata-set-rules` reads besides an object.
const NAMES: &str =
    "tromp-taylor, chinese, chinese-ogs, chinese-kgs, aga, bga, french, new-zealand, nz, goe, ing";

/// The rules in force, in KataGo's words.
pub(super) fn get_rules(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(said(session).to_string())
}

fn said(session: &Session) -> Value {
    session.engine.played().to_json(session.engine.rules().suicide)
}

/// Rules by name, as an object or in its short form. Suicide and the agreement on dead stones can
/// be chosen. Ko is always positional superko, and White gets nothing for a handicap: the log says
/// so where other rules were asked for.
pub(super) fn set_rules(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let asked = call.command.rest.as_str();
    let own = said(session);
    match object(asked) {
        Some(object) => check(&object)?,
        None if asked.starts_with('{') => {
            return Err(format!(
                "{asked} is no object as kata-get-rules gives it; accepted besides: {NAMES}"
            ));
        }
        None => {}
    }
    let by_area = |(set, _): &(RuleSet, bool)| set.scoring() == Scoring::Area && set.tax() == Tax::None;
    let (set, suicide) = RuleSet::parse(asked).filter(by_area).ok_or_else(|| {
        format!("'{asked}' is not the name of rules with area scoring and no tax; accepted: {NAMES}")
    })?;
    let set_said = set.to_json(suicide);
    for key in ["ko", "whiteHandicapBonus"].into_iter().filter(|&key| set_said[key] != own[key]) {
        session.warn(&format!("warning: {key} {} is played as {}", set_said[key], own[key]));
    }
    session.set_rules(suicide, set.friendly_pass());
    DONE
}

/// Whether every rule of an object can be set as it says.
fn check(asked: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in asked {
        let accepted = match key.as_str() {
            "suicide" | "friendlyPassOk" => vec![json!(true), json!(false)],
            "ko" => vec![json!("SIMPLE"), json!("POSITIONAL"), json!("SITUATIONAL")],
            "whiteHandicapBonus" => vec![json!("0"), json!("N"), json!("N-1")],
            "scoring" | "score" => vec![json!("AREA")],
            "tax" => vec![json!("NONE")],
            "hasButton" => vec![json!(false)],
            _ => return Err(format!("'{key}' is not a rule that can be set; kata-get-rules names them")),
        };
        if !accepted.contains(value) {
            let accepted: Vec<String> = accepted.iter().map(Value::to_string).collect();
            return Err(format!("{key} cannot be {value}; accepted: {}", accepted.join(", ")));
        }
    }
    Ok(())
}

const PARAMS: &str = "a parameter, maxPlayouts or maxTime";
/// What KataGo calls no limit.
const ALL_PLAYOUTS: u64 = 1 << 50;
const ALL_TIME: f64 = 1e20;

pub(super) fn list_params(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok("maxPlayouts maxTime".into())
}

/// The limits of a move's search; that of time holds where no clock is set.
pub(super) fn get_param(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let options = session.engine.options();
    match call.arg(0, PARAMS)? {
        "maxPlayouts" => Ok(options.playouts.unwrap_or(ALL_PLAYOUTS).to_string()),
        "maxTime" => {
            Ok(options.time.map_or_else(|| format!("{ALL_TIME:e}"), |t| t.as_secs_f64().to_string()))
        }
        other => Err(format!("'{other}' is not {PARAMS}")),
    }
}

pub(super) fn set_param(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let (name, value) = (call.arg(0, PARAMS)?, call.arg(1, "a parameter and a value")?);
    let (mut playouts, mut time) = (session.engine.options().playouts, session.engine.options().time);
    match name {
        "maxPlayouts" => {
            let count = value.parse::<u64>().ok().filter(|&n| n > 0);
            let count = count.ok_or_else(|| format!("'{value}' is not a number of playouts, at least 1"))?;
            playouts = Some(count).filter(|&n| n < ALL_PLAYOUTS);
        }
        "maxTime" => {
            let seconds = value.parse::<f64>().ok().filter(|&s| s > 0.0);
            let seconds = seconds.ok_or_else(|| format!("'{value}' is not a time in seconds above 0"))?;
            time = if seconds < ALL_TIME { Duration::try_from_secs_f64(seconds).ok() } else { None };
        }
        other => return Err(format!("'{other}' is not {PARAMS}")),
    }
    session.engine.set_limits(playouts, time);
    DONE
}
