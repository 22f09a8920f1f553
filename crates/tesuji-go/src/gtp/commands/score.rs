//! The end of the game.

use super::points_text;
use crate::engine::{Status, result_text};
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};

/// The area count without the stones judged dead.
pub(super) fn final_score(session: &mut Session, call: &mut Call<'_>) -> Answer {
    Ok(result_text(session.engine.final_score(&call.inbox.until_interrupt())))
}

/// The stones of a fate, a chain a line.
pub(super) fn final_status_list(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let status = match call.arg(0, "a status, dead, alive or seki")? {
        "dead" => Status::Dead,
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        other => return Err(format!("'{other}' is not a status, dead, alive or seki")),
    };
    let judgement = session.engine.final_judgement(&call.inbox.until_interrupt());
    let chains: Vec<String> = judgement.chains_of(status).map(|chain| points_text(&chain.stones)).collect();
    Ok(chains.join("\n"))
}
