//! The result of a match among the others of its experiment.

use crate::counted::counted;
use crate::match_summary::{MatchSummary, SprtSummary};
use crate::stats::{Verdict, holm};
use serde::Serialize;

/// P-values below are those of a difference.
const SIGNIFICANT: f64 = 0.05;

/// The result of one match of an experiment, from the side of its first agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchResult {
    /// Its name.
    pub name: String,
    /// Games asked for.
    pub planned: u64,
    /// The summary of its games.
    #[serde(flatten)]
    pub summary: MatchSummary,
    /// The p-value corrected for the number of matches of the experiment by the method of Holm;
    /// matches without games count.
    pub p_holm: f64,
}

impl MatchResult {
    /// Those of some matches, by their names, the games asked for, and what their games say.
    pub(crate) fn all<'a>(
        matches: impl Iterator<Item = (&'a str, u64, &'a MatchSummary)>,
    ) -> Vec<MatchResult> {
        let matches: Vec<_> = matches.collect();
        let corrected = holm(&matches.iter().map(|(_, _, summary)| summary.p).collect::<Vec<_>>());
        let result = |((name, planned, summary), p_holm): ((&str, u64, &MatchSummary), f64)| MatchResult {
            name: name.to_owned(),
            planned,
            summary: summary.clone(),
            p_holm,
        };
        matches.into_iter().zip(corrected).map(result).collect()
    }

    /// The verdict of the match, in a sentence: `grave is stronger than uct: 62 % [57, 67], 400
    /// games.` A difference counts if the corrected p-value is below .05, or if the sequential test
    /// of the match found it.
    pub fn verdict(&self) -> String {
        let MatchSummary { a, b, games, score, ci95, .. } = &self.summary;
        if *games == 0 {
            return format!("{a} and {b} have not played yet.");
        }
        // A table of matches does not have the bounds.
        let test = |sprt: SprtSummary| match sprt.elo0.is_nan() {
            true => "the sequential test".to_owned(),
            false => format!("the sequential test of {} against {} Elo", sprt.elo0, sprt.elo1),
        };
        let is_clear = self.p_holm < SIGNIFICANT;
        let what = match self.summary.sprt {
            Some(sprt) if sprt.verdict == Verdict::Elo1 => format!("{a} passes {} against {b}", test(sprt)),
            Some(sprt) if sprt.verdict == Verdict::Elo0 => format!("{a} fails {} against {b}", test(sprt)),
            Some(sprt) => format!("{a} and {b}: {} is not decided", test(sprt)),
            None if is_clear && *score > 0.5 => format!("{a} is stronger than {b}"),
            None if is_clear => format!("{a} is weaker than {b}"),
            None => format!("No difference between {a} and {b} is shown"),
        };
        // A narrow interval needs a decimal.
        let decimals = usize::from(ci95.hi - ci95.lo < 0.05);
        let percent = |x: f64| format!("{:.decimals$}", 100.0 * x);
        let forfeits = match self.summary.forfeits_a + self.summary.forfeits_b {
            0 => String::new(),
            n => format!(", {n} of them forfeited"),
        };
        let [score, lo, hi] = [*score, ci95.lo, ci95.hi].map(percent);
        format!("{what}: {score} % [{lo}, {hi}], {}{forfeits}.", counted(*games, "game"))
    }

    /// Whether the match shows a difference, as [`MatchResult::verdict`] counts it.
    fn is_clear(&self) -> bool {
        let MatchSummary { games, sprt, .. } = &self.summary;
        *games > 0 && sprt.map_or(self.p_holm < SIGNIFICANT, |sprt| sprt.verdict == Verdict::Elo1)
    }
}

/// The verdict of all matches of an experiment: that of the only match with games, or the number of
/// those that show a difference and the verdict of the one with the largest. Empty without games.
pub fn verdict(results: &[MatchResult]) -> String {
    let results: Vec<&MatchResult> = results.iter().filter(|result| result.summary.games > 0).collect();
    match &results[..] {
        [] => String::new(),
        [only] => only.verdict(),
        several => {
            let clear: Vec<&&MatchResult> = several.iter().filter(|result| result.is_clear()).collect();
            let mut text = match (clear.len(), several.len()) {
                (0, n) => format!("None of the {n} matches shows a difference"),
                (k, n) if k == n => format!("All {n} matches show a difference"),
                (1, n) => format!("One of the {n} matches shows a difference"),
                (k, n) => format!("{k} of the {n} matches show a difference"),
            };
            // Sequential tests need no correction.
            let is_corrected = several.iter().any(|result| result.summary.sprt.is_none());
            text += if is_corrected { " after Holm's correction." } else { "." };
            let distance = |result: &MatchResult| (result.summary.score - 0.5).abs();
            if let Some(most) = clear.iter().max_by(|s, t| distance(s).total_cmp(&distance(t))) {
                text += &format!(" The largest: {}", most.verdict());
            }
            text
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::stats::{Sprt, agresti_coull};

    /// A match that A won, lost or drew as often.
    pub(crate) fn match_result(name: &str, wins: u64, games: u64, p: f64) -> MatchResult {
        let score = wins as f64 / games.max(1) as f64;
        let usage = r#"{"simulations":0,"seconds":0,"nodes_peak":0,"bytes_peak":0}"#;
        let text = format!(
            r#"{{"a":"A","b":"B","game":"go9","komi":7.5,"games":{games},"wins":{wins},"losses":{},"draws":0,"score":{score},
            "ci95":{},"elo":null,"elo_ci95":[900.4,null],"los":1,"p":{p},"pairs":[0,0,0,0,0],"seed":1,"playouts":1,
            "milliseconds":null,"playouts_a":1,"playouts_b":1,"seconds":0,"game_seconds":0,"forfeits_a":0,"forfeits_b":0,
            "adjudicated":0,"disputes":0,"duplicates":3,"failed":0,"interrupted":false,"process_bytes_peak":null,"sprt":null,
            "a_stats":{usage},"b_stats":{usage}}}"#,
            games - wins,
            serde_json::json!(agresti_coull(wins as f64, games as f64, 0.95)),
        );
        let summary = serde_json::from_str(&text).unwrap();
        MatchResult { name: name.to_owned(), planned: games, summary, p_holm: p }
    }

    #[test]
    fn a_verdict_says_what_the_games_show() {
        let verdict = |wins, games, p| match_result("", wins, games, p).verdict();
        assert_eq!(verdict(248, 400, 1e-6), "A is stronger than B: 62 % [57, 67], 400 games.");
        assert_eq!(verdict(152, 400, 1e-6), "A is weaker than B: 38 % [33, 43], 400 games.");
        assert_eq!(
            verdict(208, 400, 0.4),
            "No difference between A and B is shown: 52 % [47, 57], 400 games."
        );
        assert_eq!(verdict(0, 0, 1.0), "A and B have not played yet.");
        // An interval below five points needs a decimal.
        assert!(verdict(5100, 10_000, 0.04).contains("51.0 % [50.0, 52.0], 10000 games"));

        let mut tested = match_result("", 248, 400, 1e-6);
        tested.summary.forfeits_b = 2;
        let Sprt { elo0, elo1, .. } = Sprt::new(0.0, 30.0);
        for (verdict, start, is_clear) in [
            (Verdict::Elo1, "A passes the sequential test of 0 against 30 Elo against B: 62 %", true),
            (Verdict::Elo0, "A fails the sequential test of 0 against 30 Elo against B: 62 %", false),
            (
                Verdict::Undecided,
                "A and B: the sequential test of 0 against 30 Elo is not decided: 62 %",
                false,
            ),
        ] {
            tested.summary.sprt = Some(SprtSummary { elo0, elo1, llr: 0.0, lower: 0.0, upper: 0.0, verdict });
            assert!(tested.verdict().starts_with(start), "{}", tested.verdict());
            assert!(tested.verdict().ends_with("400 games, 2 of them forfeited."));
            assert_eq!(tested.is_clear(), is_clear);
            let both = super::verdict(&[tested.clone(), tested.clone()]);
            let start = if is_clear {
                "All 2 matches show a difference. The"
            } else {
                "None of the 2 matches shows a difference."
            };
            assert!(both.starts_with(start), "{both}");
        }
    }
}
