//! Where a match stands.

use super::MatchRecord;
use crate::match_summary::MatchSummary;
use crate::stats::holm;
use serde::Serialize;

/// The result of one match of an experiment, from the side of its first agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Games asked for.
    pub planned: u64,
    /// What its games say.
    #[serde(flatten)]
    pub summary: MatchSummary,
    /// The p-value corrected for the number of matches of the experiment by the method of Holm; matches without games
    /// count.
    pub p_holm: f64,
}

impl Standing {
    /// Those of some matches.
    pub(super) fn all(matches: &[&MatchRecord]) -> Vec<Standing> {
        let p: Vec<f64> = matches.iter().map(|m| m.summary.p).collect();
        let corrected = matches.iter().zip(holm(&p));
        corrected
            .map(|(m, p_holm)| Standing {
                name: m.planned.name.clone(),
                planned: m.planned.games,
                summary: m.summary.clone(),
                p_holm,
            })
            .collect()
    }

    /// The Elo difference as people write it: `+12`, `-inf`; nothing without a game.
    pub fn elo_text(&self) -> String {
        if self.summary.games == 0 {
            return String::new();
        }
        let infinite = if self.summary.score > 0.5 { "+inf" } else { "-inf" };
        self.summary.elo.map_or(infinite.to_owned(), |elo| format!("{elo:+.0}"))
    }

    /// Its interval likewise: `[-inf, +3]`.
    pub fn elo_ci95_text(&self) -> String {
        if self.summary.games == 0 {
            return String::new();
        }
        let end =
            |end: Option<f64>, infinite: &str| end.map_or(infinite.to_owned(), |elo| format!("{elo:+.0}"));
        format!("[{}, {}]", end(self.summary.elo_ci95[0], "-inf"), end(self.summary.elo_ci95[1], "+inf"))
    }

    /// The p-value and the corrected one as people write them.
    pub fn p_texts(&self) -> [String; 2] {
        [self.summary.p, self.p_holm].map(|p| match p {
            _ if p < 1e-300 => "<1e-300".to_owned(),
            _ if p < 1e-3 => format!("{p:.1e}"),
            _ => format!("{p:.3}"),
        })
    }
}
