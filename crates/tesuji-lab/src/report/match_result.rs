//! The result of a match among the others of its experiment.

use crate::counted::counted;
use crate::match_summary::{MatchSummary, SprtSummary};
use crate::stats::{Verdict, holm_of_some};
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
    /// The p-value corrected by the method of Holm for the number of matches of the experiment that
    /// have one; those without games count.
    pub p_holm: Option<f64>,
}

impl MatchResult {
    /// Those of some matches, by their names, the games asked for, and what their games say.
    pub(crate) fn all<'a>(
        matches: impl Iterator<Item = (&'a str, u64, &'a MatchSummary)>,
    ) -> Vec<MatchResult> {
        let matches: Vec<_> = matches.collect();
        let p: Vec<Option<f64>> = matches.iter().map(|(_, _, summary)| summary.p).collect();
        let result = |((name, planned, summary), p_holm): ((&str, u64, &MatchSummary), _)| MatchResult {
            name: name.to_owned(),
            planned,
            summary: summary.clone(),
            p_holm,
        };
        matches.into_iter().zip(holm_of_some(&p)).map(result).collect()
    }

    /// The verdict of the match, in a sentence: `grave is stronger than uct: 62 % [57, 67], 400
    /// games.` A difference counts if the corrected p-value is below .05. A sequential test says
    /// what it has decided.
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
        let is_clear = self.is_clear();
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

    /// Whether the match shows a difference.
    fn is_clear(&self) -> bool {
        self.summary.games > 0 && self.p_holm.is_some_and(|p| p < SIGNIFICANT)
    }
}

/// The verdict of all matches of an experiment: that of the only match with games; or the number of
/// those that show a difference and the verdict of the one with the largest, then what sequential
/// tests decided. Empty without games.
pub fn verdict(results: &[MatchResult]) -> String {
    let results: Vec<&MatchResult> = results.iter().filter(|result| result.summary.games > 0).collect();
    if let [only] = results[..] {
        return only.verdict();
    }
    let (tested, fixed): (Vec<&MatchResult>, Vec<&MatchResult>) =
        results.into_iter().partition(|result| result.summary.sprt.is_some());
    let (fixed, tested) = (differences(&fixed), decisions(&tested));
    fixed.into_iter().chain(tested).collect::<Vec<_>>().join(" ")
}

/// What matches of a fixed number of games show, if there are any.
fn differences(matches: &[&MatchResult]) -> Option<String> {
    let clear: Vec<&&MatchResult> = matches.iter().filter(|result| result.is_clear()).collect();
    let what = match (clear.len(), matches.len()) {
        (_, 0) => return None,
        (0, 1) => "One match shows no difference".to_owned(),
        (0, n) => format!("None of the {n} matches shows a difference"),
        (1, 1) => "One match shows a difference".to_owned(),
        (k, n) if k == n => format!("All {n} matches show a difference"),
        (1, n) => format!("One of the {n} matches shows a difference"),
        (k, n) => format!("{k} of the {n} matches show a difference"),
    };
    let distance = |result: &MatchResult| (result.summary.score - 0.5).abs();
    let most = clear.iter().max_by(|s, t| distance(s).total_cmp(&distance(t)));
    let most = most.map_or(String::new(), |most| format!(" The largest: {}", most.verdict()));
    Some(format!("{what} after Holm's correction.{most}"))
}

/// What sequential tests decided, if there are any. Each errs by itself, so the number of decisions
/// says nothing of all together.
fn decisions(matches: &[&MatchResult]) -> Option<String> {
    let count = |verdict| {
        matches
            .iter()
            .filter(|result| result.summary.sprt.is_some_and(|sprt| sprt.verdict == verdict))
            .count()
    };
    let (greater, lesser, n) = (count(Verdict::Elo1), count(Verdict::Elo0), matches.len() as u64);
    (n > 0).then(|| {
        let tests = counted(n, "sequential test");
        format!("Of {tests}, {greater} decided for the greater Elo and {lesser} for the lesser, each with its own risk.")
    })
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
        MatchResult { name: name.to_owned(), planned: games, summary, p_holm: Some(p) }
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
        (tested.summary.p, tested.p_holm) = (None, None);
        let fixed = match_result("", 248, 400, 1e-6);
        let Sprt { elo0, elo1, .. } = Sprt::new(0.0, 30.0);
        for (verdict, start, of_both) in [
            (
                Verdict::Elo1,
                "A passes the sequential test of 0 against 30 Elo against B: 62 %",
                "Of 2 sequential tests, 2 decided for the greater Elo and 0 for the lesser, each",
            ),
            (
                Verdict::Elo0,
                "A fails the sequential test of 0 against 30 Elo against B: 62 %",
                "Of 2 sequential tests, 0 decided for the greater Elo and 2 for the lesser, each",
            ),
            (
                Verdict::Undecided,
                "A and B: the sequential test of 0 against 30 Elo is not decided: 62 %",
                "Of 2 sequential tests, 0 decided for the greater Elo and 0 for the lesser, each",
            ),
        ] {
            tested.summary.sprt = Some(SprtSummary { elo0, elo1, llr: 0.0, lower: 0.0, upper: 0.0, verdict });
            assert!(tested.verdict().starts_with(start), "{}", tested.verdict());
            assert!(tested.verdict().ends_with("400 games, 2 of them forfeited."));
            let both = super::verdict(&[tested.clone(), tested.clone()]);
            assert!(both.starts_with(of_both), "{both}");
            let mixed = super::verdict(&[fixed.clone(), tested.clone(), fixed.clone()]);
            assert!(
                mixed.starts_with(
                    "All 2 matches show a difference after Holm's correction. The largest: A is"
                )
            );
            assert!(mixed.contains("400 games. Of 1 sequential test, "), "{mixed}");
        }
    }
}
