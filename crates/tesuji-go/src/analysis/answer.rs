//! Answers as JSON.

use super::outlook::{Outlook, Source};
use super::queue::Job;
use super::settings::Side;
use crate::engine::{Evaluation, Move, best_first, move_text};
use serde_json::{Map, Value, json};
use tesuji::{ChildReport, Player, Report};

/// The answer for a position of which nothing is known.
pub(super) fn without_results(job: &Job) -> Value {
    json!({ "id": job.query.id, "turnNumber": job.turn, "isDuringSearch": false, "noResults": true })
}

/// What is known of a position beside what the search reports.
#[derive(Debug)]
pub(super) struct Position<'a> {
    pub(super) job: &'a Job,
    pub(super) player: Player,
    pub(super) source: Source<'a>,
    /// What the network says without a search, if there is one.
    pub(super) evaluation: Option<Evaluation>,
    /// The legal moves; without a network each is as likely as the others.
    pub(super) moves: Vec<Move>,
}

impl Position<'_> {
    /// The answer of a search that goes on, or of one that has ended.
    pub(super) fn answer(&self, report: &Report<Move>, goes_on: bool) -> Value {
        let query = &self.job.query;
        if report.simulations == 0 {
            return without_results(self.job);
        }
        let children = best_first(report).into_iter().filter(|child| child.visits > 0);
        let infos: Vec<Value> =
            (0..).zip(children).map(|(order, child)| self.move_info(order, child)).collect();
        let mut answer = json!({
            "id": query.id,
            "turnNumber": self.job.turn,
            "isDuringSearch": goes_on,
            "moveInfos": infos,
            "rootInfo": self.root_info(report),
        });
        if query.ownership
            && let Some(outlook) = self.source.root(self.black(report.value))
        {
            answer["ownership"] = self.ownership(&outlook);
        }
        if query.policy {
            answer["policy"] = self.policy();
        }
        answer
    }

    fn root_info(&self, report: &Report<Move>) -> Value {
        let value = report.value.into();
        let mut info = self.figures(value, report.simulations);
        info.insert("currentPlayer".into(), colour(self.player).into());
        if let Some(outlook) = self.source.root(self.black(report.value)) {
            self.add_score(&mut info, &outlook);
        }
        if let Some(Evaluation { value, expectation, .. }) = &self.evaluation {
            info.insert("rawWinrate".into(), rounded(self.winrate((*value).into())));
            if let Some(expectation) = expectation {
                info.insert("rawLead".into(), rounded(self.sign() * f64::from(expectation.lead)));
            }
        }
        Value::Object(info)
    }

    fn move_info(&self, order: usize, child: &ChildReport<Move>) -> Value {
        let query = &self.job.query;
        let mut info = self.figures(child.value.into(), child.visits.into());
        let pv: Vec<String> =
            child.variation.iter().take(1 + query.settings.pv_len).map(|&m| move_text(m)).collect();
        let more = [
            ("move", json!(move_text(child.m))),
            ("order", json!(order)),
            ("edgeVisits", json!(child.visits)),
            ("prior", rounded(child.prior.map_or(self.even(), f64::from))),
            ("pv", json!(pv)),
        ];
        info.extend(more.map(|(key, value)| (key.to_owned(), value)));
        let black = self.black(child.value);
        let behind = self.source.behind(child.m, black, query.size);
        // The game is over behind some moves, of which no evaluation says anything.
        if let Some(outlook) = behind.or_else(|| self.source.root(black)) {
            self.add_score(&mut info, &outlook);
            if query.moves_ownership && !outlook.ownership.is_empty() {
                info.insert("ownership".into(), self.ownership(&outlook));
            }
        }
        Value::Object(info)
    }

    /// What both the root and its moves have, for a value in [0, 1] for the player to move.
    fn figures(&self, value: f64, visits: u64) -> Map<String, Value> {
        let lcb = crate::engine::lower_bound(value, visits);
        let figures = [
            ("visits", json!(visits)),
            ("winrate", rounded(self.winrate(value))),
            ("lcb", rounded(self.winrate(lcb))),
            ("utility", rounded(2.0 * self.winrate(value) - 1.0)),
            ("utilityLcb", rounded(2.0 * self.winrate(lcb) - 1.0)),
        ];
        figures.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    }

    fn add_score(&self, info: &mut Map<String, Value>, outlook: &Outlook) {
        let lead = rounded(self.black_sign() * outlook.lead);
        for key in ["scoreLead", "scoreMean", "scoreSelfplay"] {
            info.insert(key.into(), lead.clone());
        }
        info.insert("scoreStdev".into(), rounded(outlook.deviation));
    }

    /// In rows from the top.
    fn ownership(&self, outlook: &Outlook) -> Value {
        let sign = self.black_sign();
        let rows = outlook.ownership.chunks(self.job.query.size).rev();
        rows.flatten().map(|o| rounded(sign * o)).collect()
    }

    /// The share of each legal move where none is preferred.
    fn even(&self) -> f64 {
        1.0 / self.moves.len().max(1) as f64
    }

    /// The policy in rows from the top and then of the pass, -1 where a move is not legal.
    fn policy(&self) -> Value {
        let size = self.job.query.size;
        let mut policy = vec![json!(-1.0); size * size + 1];
        let place = |m: Move| {
            m.map_or(size * size, |p| (size - 1 - usize::from(p.row)) * size + usize::from(p.column))
        };
        match &self.evaluation {
            Some(said) => said.policy.iter().for_each(|&(m, prior)| policy[place(m)] = rounded(prior.into())),
            None => self.moves.iter().for_each(|&m| policy[place(m)] = rounded(self.even())),
        }
        Value::Array(policy)
    }

    /// Whose side the answer takes.
    fn side(&self) -> Player {
        match self.job.query.settings.side {
            Side::Black => Player::FIRST,
            Side::White => Player::SECOND,
            Side::ToMove => self.player,
        }
    }

    /// A value for the player to move as the answer's side has it.
    fn winrate(&self, value: f64) -> f64 {
        if self.side() == self.player { value } else { 1.0 - value }
    }

    /// 1 if the answer takes the side of the player to move, else -1.
    fn sign(&self) -> f64 {
        if self.side() == self.player { 1.0 } else { -1.0 }
    }

    /// 1 if the answer takes Black's side, else -1.
    fn black_sign(&self) -> f64 {
        if self.side() == Player::FIRST { 1.0 } else { -1.0 }
    }

    /// A value for the player to move as Black has it.
    fn black(&self, value: f32) -> f64 {
        let value = f64::from(value);
        if self.player == Player::FIRST { value } else { 1.0 - value }
    }
}

fn colour(player: Player) -> &'static str {
    if player == Player::FIRST { "B" } else { "W" }
}

/// A number with six digits after the point.
fn rounded(x: f64) -> Value {
    json!((x * 1e6).round() / 1e6)
}
