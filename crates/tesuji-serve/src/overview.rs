//! An experiment at a glance, without a look at its games.

use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;
use tesuji_lab::SprtSummary;
use tesuji_lab::report::{MatchResult, Record, verdict};
use tesuji_lab::stats::{Verdict, p_text};

/// The file of a record, and the largest that is summed up here if no summary is there.
pub(crate) const STORE: &str = "games.sqlite";
const LARGEST: u64 = 4 << 20;
/// The largest summary that is read.
const SUMMARY: u64 = 16 << 20;

/// What the list says of the experiment in a directory.
pub(crate) fn overview(dir: &Path, name: String) -> Value {
    let changed = modified(&dir.join(STORE));
    let seconds = changed.and_then(|time| time.elapsed().ok()).map(|age| age.as_secs());
    let summary = summary(dir);
    let (kind, title, about, standings) = match &summary {
        Some(summary) => said(summary),
        None => return without_summary(dir, name, seconds),
    };
    let is_finished = summary.as_ref().is_some_and(is_finished);
    json!({
        "id": name, "kind": kind, "name": title, "about": about, "verdict": verdict(&standings),
        "age": seconds, "finished": is_finished, "games": games(&standings), "matches": rows(&standings),
    })
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The summary that the last run left.
fn summary(dir: &Path) -> Option<Value> {
    let mut text = String::new();
    File::open(dir.join("summary.json")).ok()?.take(SUMMARY).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// An experiment that never came to an end: what its store says, if that is soon said.
fn without_summary(dir: &Path, name: String, age: Option<u64>) -> Value {
    let size = dir.join(STORE).metadata().map_or(0, |file| file.len());
    let record = if size <= LARGEST { Record::read(dir).ok() } else { None };
    match record {
        Some(record) => json!({
            "id": name, "kind": kind_of(&record.file), "name": record.name, "about": record.about, "age": age,
            "verdict": record.verdict().join(" "), "finished": !record.progress.is_unfinished,
            "games": record.progress.made, "planned": record.progress.planned, "matches": rows(&record.match_results()),
        }),
        None => json!({
            "id": name, "kind": "", "name": name, "about": "", "age": age, "finished": false, "matches": [],
            "verdict": "No summary yet.",
        }),
    }
}

fn kind_of(file: &str) -> String {
    let table: toml::Table = file.parse().unwrap_or_default();
    table.get("kind").and_then(toml::Value::as_str).unwrap_or("match").to_owned()
}

/// Kind, name, sentence and matches of a summary.
fn said(summary: &Value) -> (&'static str, String, String, Vec<MatchResult>) {
    let text = |key: &str| summary[key].as_str().unwrap_or_default().to_owned();
    let results = &summary["results"];
    if results.is_null() {
        let standing = single(summary);
        let title = format!("{} against {}", text("a"), text("b"));
        return ("match", title, String::new(), standing.into_iter().collect());
    }
    let has = |key: &str| results.get(key).is_some();
    let kind = match () {
        () if has("ratings") => "round-robin",
        () if has("arms") => "race",
        () if has("recommended") => "tuning",
        () if has("iterations") => "train",
        () => "matches",
    };
    (kind, text("name"), text("about"), rows_of(results).filter_map(of_row).collect())
}

/// Whether nothing is missing. Summaries of earlier programs say so only in the rows of matches.
fn is_finished(summary: &Value) -> bool {
    let results = &summary["results"];
    if results.is_null() {
        return summary["interrupted"] != true && summary["failed"].as_u64().unwrap_or(0) == 0;
    }
    summary["is_unfinished"] != true && rows_of(results).all(has_all_games)
}

/// Whether a match has its games, or a sequential test has ended it. Disputed games may not count.
fn has_all_games(row: &Map<String, Value>) -> bool {
    let count = |key: &str| row.get(key).and_then(Value::as_u64);
    count("games").zip(count("planned")).is_none_or(|(games, planned)| games >= planned)
        || count("disputes").is_some_and(|disputes| disputes > 0)
        || decision(row).is_some_and(|verdict| verdict != Verdict::Undecided)
}

/// What the sequential test of a match says, if there is one.
fn decision(row: &Map<String, Value>) -> Option<Verdict> {
    serde_json::from_value(row.get("verdict")?.clone()).ok()
}

/// The rows of the matches that are judged.
fn rows_of(results: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let rows = ["matches", "validation", "fresh"].into_iter().find_map(|key| results.get(key)?.as_array());
    rows.or(results.as_array()).into_iter().flatten().filter_map(Value::as_object)
}

/// The summary of a single match.
fn single(summary: &Value) -> Option<MatchResult> {
    let summary: tesuji_lab::MatchSummary = serde_json::from_value(summary.clone()).ok()?;
    Some(MatchResult { name: String::new(), planned: summary.games, p_holm: summary.p, summary })
}

/// A row of the table of matches.
fn of_row(row: &Map<String, Value>) -> Option<MatchResult> {
    let number = |key: &str| row.get(key).and_then(Value::as_f64);
    let count = |key: &str| row.get(key).and_then(Value::as_u64).unwrap_or(0);
    let usage = json!({ "simulations": 0, "seconds": 0.0, "nodes_peak": 0, "bytes_peak": 0 });
    let summary = json!({
        "a": row.get("a")?, "b": row.get("b")?, "game": row.get("game")?, "komi": null,
        "games": count("games"), "wins": count("wins"), "losses": count("losses"), "draws": count("draws"),
        "score": number("score")?, "ci95": [number("ci95_lo")?, number("ci95_hi")?],
        "elo": number("elo"), "elo_ci95": [number("elo_lo"), number("elo_hi")], "los": 0.5,
        "p": number("p"), "pairs": [0, 0, 0, 0, 0], "seed": count("seed"),
        "playouts": null, "milliseconds": null, "playouts_a": null, "playouts_b": null,
        "seconds": 0.0, "game_seconds": 0.0, "forfeits_a": count("forfeits"), "forfeits_b": 0, "adjudicated": 0,
        "disputes": 0, "duplicates": 0, "failed": 0, "interrupted": false, "process_bytes_peak": null,
        "sprt": null, "a_stats": usage, "b_stats": usage,
    });
    let summary = tesuji_lab::MatchSummary {
        sprt: decision(row).map(|verdict| SprtSummary {
            elo0: f64::NAN,
            elo1: f64::NAN,
            llr: number("llr").unwrap_or(0.0),
            lower: f64::NAN,
            upper: f64::NAN,
            verdict,
        }),
        ..serde_json::from_value(summary).ok()?
    };
    Some(MatchResult {
        name: row.get("name")?.as_str()?.to_owned(),
        planned: row.get("planned").and_then(Value::as_u64)?,
        summary,
        p_holm: number("p_holm"),
    })
}

fn games(standings: &[MatchResult]) -> u64 {
    standings.iter().map(|s| s.summary.games).sum()
}

/// The matches as the page lists them.
pub(crate) fn rows(standings: &[MatchResult]) -> Value {
    let row = |s: &MatchResult| {
        json!({
            "name": s.name, "a": s.summary.a, "b": s.summary.b, "game": s.summary.game, "games": s.summary.games,
            "planned": s.planned, "score": s.summary.score, "lo": s.summary.ci95.lo, "hi": s.summary.ci95.hi,
            "elo": s.summary.elo_text(), "elo_ci95": s.summary.elo_ci95_text(), "p": p_text(s.p_holm),
            "verdict": s.verdict(),
        })
    };
    standings.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_all_kinds_are_read() {
        let stores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tesuji-cli/tests/stores");
        let see = |name: &str| overview(&stores.join(name), name.to_owned());
        let one = see("match-go");
        assert!(one["verdict"].as_str().unwrap().contains("80 % [36, 98], 5 games."), "{one}");
        let list = see("matches");
        assert!(
            list["matches"].as_array().unwrap().len() > 1 && list["games"].as_u64().unwrap() > 5,
            "{list}"
        );
        assert!(list["verdict"].as_str().unwrap().contains("after Holm's correction"), "{list}");
        for (name, kind) in
            [("round-robin", "round-robin"), ("race", "race"), ("tuning", "tuning"), ("train", "train")]
        {
            assert_eq!(see(name)["kind"], kind);
        }
        assert_eq!(see("sweep")["kind"], "matches");
        assert_eq!(see("nothing")["finished"], false);
        for name in ["match-go", "matches", "round-robin", "race", "tuning", "train", "points", "decisions"] {
            assert_eq!(see(name)["finished"], true, "{name}");
        }
    }

    /// What is said of the kept experiment `name` after a change of its summary.
    fn changed(name: &str, change: &dyn Fn(&mut Value)) -> Value {
        let stores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tesuji-cli/tests/stores");
        let mut summary = super::summary(&stores.join(name)).unwrap();
        change(&mut summary);
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("summary.json"), summary.to_string()).unwrap();
        overview(dir.path(), name.to_owned())
    }

    #[test]
    fn an_interrupted_experiment_is_unfinished() {
        let finished = |name: &str, change: &dyn Fn(&mut Value)| changed(name, change)["finished"] == true;
        assert!(finished("matches", &|_| ()));
        assert!(!finished("match-go", &|summary| summary["interrupted"] = json!(true)));
        assert!(!finished("match-go", &|summary| summary["failed"] = json!(1)));
        assert!(!finished("train", &|summary| summary["is_unfinished"] = json!(true)));
        let lacks = |summary: &mut Value| summary["results"][0]["games"] = json!(3);
        assert!(!finished("matches", &lacks));
        assert!(finished("matches", &|summary| {
            lacks(summary);
            summary["results"][0]["verdict"] = json!("elo0");
        }));
    }

    #[test]
    fn a_sequential_test_decides_in_place_of_the_p_value() {
        let said = |verdict: &str| {
            let change = |summary: &mut Value| {
                let rows = summary["results"].as_array_mut().unwrap();
                rows.iter_mut().for_each(|row| (row["p_holm"], row["verdict"]) = (json!(1.0), Value::Null));
                (rows[1]["p_holm"], rows[1]["verdict"]) = (Value::Null, json!(verdict));
            };
            changed("matches", &change)["verdict"].as_str().unwrap().to_owned()
        };
        assert!(said("undecided").starts_with("None of the "));
        let decided = said("elo1");
        assert!(
            decided.ends_with("1 decided for the greater Elo and 0 for the lesser, each with its own risk."),
            "{decided}"
        );
    }
}
