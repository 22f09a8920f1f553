//! KataGo's `kata-raw-nn`: the outputs of the network, without a search.

use super::colour;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::network::{RawEvaluation, RawScore, katago_symmetry};
use std::fmt::Write;
use tesuji::Player;

/// `kata-raw-nn [COLOUR] SYMMETRY`, a number or `all`.
pub(super) fn evaluate(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let mut words = call.command.args.iter().map(String::as_str).peekable();
    let to_move = session.engine.to_move();
    let player = words.next_if(|word| colour(word).is_ok()).map_or(Ok(to_move), colour)?;
    let accepted = "accepted: a symmetry, 0 to 7 or all, after a colour if that player is to move";
    let Some(asked) = words.next() else { return Err(format!("kata-raw-nn needs a symmetry; {accepted}")) };
    let numbers = match asked.parse() {
        _ if asked.eq_ignore_ascii_case("all") => 0..=7,
        Ok(number @ 0..=7) => number..=number,
        _ => return Err(format!("'{asked}' is not a symmetry; {accepted}")),
    };
    if let Some(more) = words.next() {
        return Err(format!("kata-raw-nn does not read '{more}'; {accepted}"));
    }
    let symmetries: Vec<_> = numbers.clone().filter_map(katago_symmetry).collect();
    let said = session.engine.raw_evaluations(player, &symmetries)?;
    let said = said.ok_or("the agent has no network; a recipe such as puct-net has one")?;
    let size = session.engine.size();
    let texts = numbers.zip(&said).map(|(number, said)| text(number, said, player, size));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// What the network says, from White's side, in KataGo's words. A network of this project says
/// nothing of the score and of points: its ownership is `NAN`, since LizzieYzy shows the policy
/// only after the last row of the ownership.
fn text(number: u8, said: &RawEvaluation, player: Player, size: usize) -> String {
    let is_white = player == Player::SECOND;
    let sign = if is_white { 1.0 } else { -1.0 };
    let [win, loss, none] = said.result;
    let [win, loss] = if is_white { [win, loss] } else { [loss, win] };
    let mut out = format!("symmetry {number}\nwhiteWin {win:.6}\nwhiteLoss {loss:.6}\nnoResult {none:.6}\n");
    if let Some(RawScore { lead, mean, square, .. }) = &said.score {
        let (lead, mean) = (sign * lead, sign * mean);
        let scores =
            format!("whiteLead {lead:.3}\nwhiteScoreSelfplay {mean:.3}\nwhiteScoreSelfplaySq {square:.3}");
        out += &scores;
        out.push('\n');
    }
    let (points, pass) = said.policy.split_at(size * size);
    let policy = |prior: &Option<f32>| prior.map_or("     NAN".into(), |prior| format!("{prior:.6}"));
    let _ = write!(out, "policy\n{}\npolicyPass {}", grid(points, size, policy), policy(&pass[0]).trim());
    let ownership = said.score.as_ref().map_or(&[][..], |score| &score.ownership);
    let owners: Vec<_> = (0..size * size).map(|i| ownership.get(i)).collect();
    let owner = |owner: &Option<&f32>| {
        owner.map_or("       NAN".into(), |&owner| format!("{:10.7}", sign * f64::from(owner)))
    };
    let _ = write!(out, "\nwhiteOwnership\n{}", grid(&owners, size, owner));
    out
}

/// Numbers in rows from A1, written in rows from the top.
fn grid<T>(numbers: &[T], size: usize, text: impl Fn(&T) -> String) -> String {
    let rows = numbers.chunks_exact(size).rev();
    rows.map(|row| row.iter().map(&text).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
}
