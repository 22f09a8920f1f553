//! KataGo's extensions for rules and parameters.

use super::DONE;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::rule_set::RuleSet;
use crate::rules::Rules;
use serde_json::{Map, Value};
use std::time::Duration;

/// The named rules that the board can play but for their ko and handicap: suicide, and whether dead
/// stones are removed by agreement.
const NAMED: [(&str, bool, bool); 8] = [
    ("tromp-taylor", true, false),
    ("chinese", false, true),
    ("chinese-ogs", false, true),
    ("chinese-kgs", false, true),
    ("aga", false, true),
    ("bga", false, true),
    ("french", false, true),
    ("new-zealand", true, true),
];

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
    let name = asked.to_ascii_lowercase().replace(['_', ' '], "-");
    if let Some(&(name, suicide, agreement)) = NAMED.iter().find(|(named, ..)| *named == name) {
        if name != "tromp-taylor" {
            session.warn(&format!(
                "warning: {name} is played with positional superko, and without points for a handicap"
            ));
        }
        set(session, suicide, agreement);
        return DONE;
    }
    let names = NAMED.map(|(name, ..)| name).join(", ");
    let rules: Map<String, Value> = serde_json::from_str(asked).map_err(|_| {
        format!(
            "'{asked}' is not the name of rules with area scoring, {names}, and no object as kata-get-rules gives it"
        )
    })?;
    let (mut suicide, mut agreement) = (session.engine.rules().suicide, session.engine.agreement());
    let mut other = Vec::new();
    for (key, value) in &rules {
        let accepted = match (key.as_str(), value) {
            ("suicide", Value::Bool(yes)) => {
                suicide = *yes;
                continue;
            }
            ("friendlyPassOk", Value::Bool(yes)) => {
                agreement = *yes;
                continue;
            }
            ("ko" | "whiteHandicapBonus", Value::String(text)) => {
                let (own, known): (_, &[&str]) = match key.as_str() {
                    "ko" => ("POSITIONAL", &["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
                    _ => ("0", &["0", "N", "N-1"]),
                };
                if known.contains(&text.as_str()) {
                    if text != own {
                        other.push(format!("{key} {text} is played as {own}"));
                    }
                    continue;
                }
                known.join(", ")
            }
            ("suicide" | "friendlyPassOk", _) => "true, false".into(),
            ("ko", _) => "\"SIMPLE\", \"POSITIONAL\", \"SITUATIONAL\"".into(),
            ("whiteHandicapBonus", _) => "\"0\", \"N\", \"N-1\"".into(),
            ("scoring" | "tax" | "hasButton", value) if *value == said(session)[key] => continue,
            ("scoring" | "tax" | "hasButton", _) => said(session)[key].to_string(),
            _ => return Err(format!("'{key}' is not a rule that can be set; kata-get-rules names them")),
        };
        return Err(format!("{key} cannot be {value}; accepted: {accepted}"));
    }
    for text in other {
        session.warn(&format!("warning: {text}"));
    }
    set(session, suicide, agreement);
    DONE
}

fn set(session: &mut Session, suicide: bool, agreement: bool) {
    let rules = Rules { suicide, told: RuleSet::TROMP_TAYLOR, ..*session.engine.rules() };
    session.engine.set_rules(rules);
    session.engine.set_agreement(agreement);
}

const PARAMS: &str = "a parameter, maxPlayouts or maxTime";
/// What KataGo calls no limit.
const ALL_PLAYOUTS: u64 = 1 << 50;
const ALL_TIME: f64 = 1e20;

pub(super) fn list_params(_: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok("maxPlayouts maxTime".into())
}

/// The limits of a move's search where no clock is set.
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
