//! `tesuji run`: experiment files are played in passes, resumed, and refused where they changed.

use std::path::Path;
use std::process::{Command, Output};

const FILE: &str = r#"
kind = "matches"
name = "small/sizes"
game = "connect-four"
games = 9
playouts = 20
b = "uct"

[[match]]
name = "flat"
a = "flat-mc"
claim = "a claim"
series = "flat"
x = 20

[[match]]
name = "more"
a = "uct,select.c=0.5,playouts=60"
games = 6
"#;

fn run(dir: &Path, file: &str, more: &[&str]) -> Output {
    std::fs::write(dir.join("file.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["run", "file.toml", "--json"]).args(more);
    command.output().expect("the binary runs")
}

/// The table, without what the clock and the system said.
fn table(dir: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(dir.join("results/small/sizes.csv")).unwrap();
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let timeless = |name: &str| !name.starts_with("seconds") && name != "process_bytes_peak";
    let row = |record: csv::StringRecord| {
        record
            .iter()
            .zip(&header)
            .filter(|(_, name)| timeless(name))
            .map(|(cell, _)| cell.to_owned())
            .collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn games(output: &Output) -> Vec<u64> {
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    object["matches"].as_array().unwrap().iter().map(|row| row["games"].as_u64().unwrap()).collect()
}

#[test]
fn passes_come_to_the_same_as_one_run() {
    let (passes, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (passes, whole) = (passes.path(), whole.path());
    assert_eq!(games(&run(passes, FILE, &["--only", "mo", "--limit", "2"])), [2]);
    assert_eq!(games(&run(passes, FILE, &["--limit", "4"])), [4, 4]);
    assert_eq!(games(&run(passes, FILE, &["--limit", "2"])), [4, 4], "what was played counts");
    assert_eq!(games(&run(passes, FILE, &[])), [9, 6]);
    assert_eq!(games(&run(whole, FILE, &["--threads", "1"])), [9, 6]);
    assert_eq!(table(passes), table(whole));
    let flat = &table(whole)[0];
    assert_eq!(flat[..9], ["flat", "a claim", "flat", "20.0", "flat-mc", "uct", "connect-four", "20", "20"]);
    assert_eq!(table(whole)[1][7..9], ["60", "20"]);
}

#[test]
fn a_change_is_refused_and_named_before_anything_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    assert!(run(dir, FILE, &["--limit", "2"]).status.success());
    let before = table(dir);
    for (from, to, expected) in [
        (
            "c=0.5",
            "c=0.6",
            "match more: out/small/sizes/more holds another experiment: a.select.c is 0.5 there",
        ),
        ("games = 6", "games = 6\nseed = 7", "seed is 1 there and 7 here"),
        ("playouts=60", "playouts=61", "a.playouts is 60 there and 61 here"),
        ("c=0.5", "c=x", "match more: "),
        ("flat-mc", "flat-mcc", "match flat: "),
    ] {
        let output = run(dir, &FILE.replace(from, to), &[]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(table(dir), before);
    let more = format!("{FILE}\n[[match]]\nname = \"mast\"\na = \"mast\"\n");
    assert_eq!(games(&run(dir, &more, &["--limit", "2"])), [2, 2, 2], "a match may be added");
}

#[test]
fn a_name_that_no_match_has_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), FILE, &["--only", "zzz"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("zzz") && message.contains("flat, more"), "{message}");
}
