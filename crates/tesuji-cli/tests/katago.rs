//! A network of KataGo's on the command line.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tesuji-go/tests/katago").join(name)
}

fn tesuji(args: &[&str], input: &str) -> Output {
    use std::io::Write as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("the binary runs");
    let _ = run.stdin.take().unwrap().write_all(input.as_bytes());
    run.wait_with_output().unwrap()
}

fn recipe() -> String {
    format!("puct-net,network.file={}", data("g170-b6c96.bin.gz").display())
}

/// A position of the fixture as a record.
fn record(line: &Value) -> String {
    let size = line["size"].as_u64().unwrap() as u8;
    let (komi, rules) = (&line["komi"], line["rules"].as_str().unwrap());
    let mut text = format!("(;GM[1]SZ[{size}]KM[{komi}]RU[{rules}]");
    for m in line["moves"].as_array().unwrap() {
        let (player, place) = (m[0].as_str().unwrap(), m[1].as_str().unwrap());
        let place = if place == "pass" {
            String::new()
        } else {
            let column = place.as_bytes()[0] - b'A' - u8::from(place.as_bytes()[0] > b'I');
            let row = size - place[1..].parse::<u8>().unwrap();
            [column, row].map(|at| char::from(b'a' + at)).iter().collect()
        };
        write!(text, ";{player}[{place}]").unwrap();
    }
    text + ")"
}

#[test]
fn analysis_says_what_katago_says() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    let positions = std::fs::read_to_string(data("katago-b6c96.jsonl")).unwrap();
    let lines: Vec<Value> = positions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // One position for each set of rules.
    let mut seen = Vec::new();
    for line in lines.iter().filter(|line| line["moves"].as_array().unwrap().len() > 20) {
        if seen.contains(&&line["rules"]) {
            continue;
        }
        seen.push(&line["rules"]);
        std::fs::write(&file, record(line)).unwrap();
        let output = tesuji(
            &["analyze", file.to_str().unwrap(), "--recipe", &recipe(), "--playouts", "2", "--json"],
            "",
        );
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let (network, raw) = (&said["network"], &line["raw"]);
        let number = |value: &Value| value.as_f64().unwrap();
        let is_white = line["to_move"] == "W";
        let sign = if is_white { 1.0 } else { -1.0 };
        let win = if is_white { &raw["whiteWin"] } else { &raw["whiteLoss"] };
        let value = number(win) + number(&raw["noResult"]) / 2.0;
        assert!((number(&network["value"]) - value).abs() < 1e-3, "{}", line["rules"]);
        assert!((sign * number(&network["lead"]) - number(&raw["whiteLead"])).abs() < 0.01);
        let ownership = network["ownership"].as_array().unwrap();
        let wanted = raw["whiteOwnership"].as_array().unwrap();
        assert_eq!(ownership.len(), wanted.len());
        let owners = ownership.iter().zip(wanted);
        assert!(owners.into_iter().all(|(a, b)| (sign * number(a) - number(b)).abs() < 1e-3));
        let policy = network["policy"].as_array().unwrap();
        let best = raw["policy"].as_array().unwrap().iter().filter_map(Value::as_f64).fold(0.0, f64::max);
        let best = best.max(number(&raw["policyPass"]));
        assert!((number(&policy[0]["prior"]) - best).abs() < 1e-3, "{}", line["rules"]);
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}

#[test]
fn it_plays_on_every_board() {
    let script = "boardsize 5\nkomi 0.5\ngenmove b\nboardsize 13\nplay b D4\ngenmove w\nboardsize 2\ngenmove b\nquit\n";
    let output = tesuji(&["gtp", "--recipe", &recipe(), "--playouts", "5"], script);
    let out = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = out.trim_end().split("\n\n").collect();
    assert_eq!(answers.len(), 9, "{out}");
    assert!(answers.iter().all(|answer| answer.starts_with('=')), "{out}");
}

#[test]
fn a_broken_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let content = std::fs::read(data("g170-b6c96.bin.gz")).unwrap();
    let file = dir.path().join("half.bin.gz");
    std::fs::write(&file, &content[..content.len() / 2]).unwrap();
    let recipe = format!("puct-net,network.file={}", file.display());
    let output = tesuji(&["gtp", "--recipe", &recipe], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    for part in ["half.bin.gz", "not a network of KataGo's", "layer", "too soon"] {
        assert!(error.contains(part), "{error} misses {part}");
    }
}
