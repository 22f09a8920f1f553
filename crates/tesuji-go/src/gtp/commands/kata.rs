//! KataGo's extensions for rules and parameters.

use super::DONE;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::rule_set::{RuleSet, Scoring, Tax};
use crate::rules::Rules;
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

/// Rules by name or as an object. Suicide and the agreement on dead stones can be chosen. Ko is
/// always positional superko, and White gets nothing for a handicap: the log says so where other
/// rules were asked for.
pub(super) fn set_rules(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let asked = call.command.rest.as_str();
    let own = said(session);
    let named = if asked.starts_with('{') { completed(asked, &own)? } else { asked.to_owned() };
    let by_area = |(set, _): &(RuleSet, bool)| set.scoring() == Scoring::Area && set.tax() == Tax::None;
    let (set, suicide) = RuleSet::parse(&named).filter(by_area).ok_or_else(|| {
        format!("'{asked}' is not the name of rules with area scoring and no tax; accepted: {NAMES}")
    })?;
    let set_said = set.to_json(suicide);
    for key in ["ko", "whiteHandicapBonus"].into_iter().filter(|&key| set_said[key] != own[key]) {
        session.warn(&format!("warning: {key} {} is played as {}", set_said[key], own[key]));
    }
    let rules = Rules { suicide, told: RuleSet::TROMP_TAYLOR, ..*session.engine.rules() };
    session.engine.set_rules(rules);
    session.engine.set_agreement(set.friendly_pass());
    DONE
}

/// An object of rules that can be set, with what it leaves out as the game has it.
fn completed(asked: &str, own: &Value) -> Result<String, String> {
    let asked: Map<String, Value> = serde_json::from_str(asked)
        .map_err(|_| format!("{asked} is no object as kata-get-rules gives it; accepted besides: {NAMES}"))?;
    let mut rules = own.clone();
    for (key, value) in asked {
        let accepted = match key.as_str() {
            "suicide" | "friendlyPassOk" => vec![json!(true), json!(false)],
            "ko" => vec![json!("SIMPLE"), json!("POSITIONAL"), json!("SITUATIONAL")],
            "whiteHandicapBonus" => vec![json!("0"), json!("N"), json!("N-1")],
            "scoring" | "tax" | "hasButton" => vec![own[&key].clone()],
            _ => return Err(format!("'{key}' is not a rule that can be set; kata-get-rules names them")),
        };
        if !accepted.contains(&value) {
            let accepted: Vec<String> = accepted.iter().map(Value::to_string).collect();
            return Err(format!("{key} cannot be {value}; accepted: {}", accepted.join(", ")));
        }
        rules[&key] = value;
    }
    Ok(rules.to_string())
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
