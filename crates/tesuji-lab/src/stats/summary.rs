//! What counts say, as JSON.

use super::{Counts, Sprt, agresti_coull, clopper_pearson, wilson};
use serde_json::json;

/// Score, intervals, Elo, p and, with a sequential test, its likelihood ratios, as
/// `tesuji stats --json` prints them.
pub fn summary_json(counts: &Counts, sprt: Option<Sprt>) -> serde_json::Value {
    let (k, n, elo) = (counts.points(), counts.games() as f64, counts.elo());
    let normalized = counts.normalized_elo();
    let mut object = json!({
        "n": counts.games(),
        "score": counts.score(),
        "agresti_coull": agresti_coull(k, n, 0.95),
        "wilson": wilson(k, n, 0.95),
        "clopper_pearson": clopper_pearson(k, n, 0.95),
        "elo": elo.elo,
        "elo_ci95": [elo.lo, elo.hi],
        "normalized_elo": normalized.elo,
        "normalized_elo_ci95": [normalized.lo, normalized.hi],
        "los": counts.los(),
        "p": counts.p_value(),
    });
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        object["llr"] = json!(sprt.llr(counts));
        object["llr_normalized"] = json!(sprt.llr_normalized(counts));
        object["llr_bounds"] = json!([lower, upper]);
        object["verdict"] = json!(sprt.verdict(counts));
    }
    object
}
