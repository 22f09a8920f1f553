//! The commands of the server KGS.

use super::DONE;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::rule_set::RuleSet;

/// Something to be taken note of, and nothing to be done about.
pub(super) fn accept(_: &mut Session, _: &mut Call<'_>) -> Answer {
    DONE
}

/// The rules of the game. They decide whether suicide is legal; the board always plays by area
/// scoring and positional superko. Where the players agree on dead stones at the end, a pass need
/// not wait for their capture.
pub(super) fn rules(session: &mut Session, call: &mut Call<'_>) -> Answer {
    const NAMES: &str = "the name of rules, chinese, japanese, aga, new_zealand or tromp-taylor";
    let name = call.arg(0, NAMES)?;
    let agreement = match name.to_ascii_lowercase().as_str() {
        "chinese" | "japanese" | "aga" | "new_zealand" => true,
        "tromp-taylor" | "cgos" => false,
        _ => return Err(format!("'{name}' is not {NAMES}")),
    };
    // The server CGOS, whose rules have no name elsewhere, forbids it.
    let suicide = RuleSet::parse(name).is_some_and(|(_, suicide)| suicide);
    session.set_rules(suicide, agreement);
    DONE
}

/// Answers people who ask about the engine.
pub(super) fn chat(session: &mut Session, _: &mut Call<'_>) -> Answer {
    Ok(format!("I am tesuji {}. {}", session.engine.name(), session.explanation))
}

/// What the server says of the opponent does not matter.
pub(super) fn opponent(_: &mut Session, call: &mut Call<'_>) -> Answer {
    call.arg(0, "a name or a rating")?;
    DONE
}
