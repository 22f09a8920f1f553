//! `tesuji analysis`: KataGo's protocol.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/analysis").join(name)
}

fn katago() -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tesuji-go/tests/katago/g170-b6c96.bin.gz");
    file.display().to_string()
}

/// The program, spoken to line by line.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.arg("analysis").args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Engine { input: child.stdin.take(), output, child }
    }

    fn send(&mut self, line: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.output.next().unwrap().unwrap()).unwrap()
    }

    /// All that is left to say once the input has ended, and what standard error said.
    fn end(mut self) -> (Vec<Value>, String) {
        drop(self.input.take());
        let rest = self.output.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        let Output { status, stderr, .. } = self.child.wait_with_output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(status.success(), "{stderr}");
        (rest, stderr)
    }
}

/// A query on 5x5, where everything is quick.
fn query(id: &str, more: Value) -> Value {
    let mut query =
        json!({ "id": id, "moves": [], "rules": "tromp-taylor", "boardXSize": 5, "boardYSize": 5 });
    query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    query
}

/// The lines of a file in blocks of a line in braces and those that follow it.
fn blocks(name: &str, begins: impl Fn(usize, &str) -> bool) -> Vec<(String, Vec<String>)> {
    let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
    for (i, line) in read_to_string(file(name)).unwrap().lines().filter(|l| !l.starts_with('#')).enumerate() {
        match blocks.last_mut() {
            Some((_, lines)) if !begins(i, line) => lines.push(line.to_owned()),
            _ => blocks.push((line.to_owned(), Vec::new())),
        }
    }
    blocks
}

#[test]
fn malformed_lines_get_one_error_each_and_nothing_else() {
    let mut engine = Engine::start(&[]);
    for (line, expected) in blocks("malformed.txt", |i, _| i % 2 == 0) {
        writeln!(engine.input.as_mut().unwrap(), "{line}").unwrap();
        let answer = engine.next();
        let (field, text) = expected[0].split_once(": ").unwrap();
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(error.contains(text), "{line}: {answer}");
        if field != "error" {
            assert_eq!((&answer["field"], &answer["id"]), (&json!(field), &json!("x")), "{line}");
        }
    }
    let mut input = engine.input.take().unwrap();
    input.write_all(b"\n  \n\xff\xfe{}\n").unwrap();
    drop(input);
    let (rest, stderr) = engine.end();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(stderr.contains("Started, ready") && !stderr.to_lowercase().contains("error"), "{stderr}");
}

#[test]
fn answers_have_what_clients_read() {
    let blocks = blocks("answers.txt", |_, line| line.starts_with('{'));
    let mut engine = Engine::start(&["-override-config", "numAnalysisThreads=2"]);
    for (query, _) in &blocks {
        writeln!(engine.input.as_mut().unwrap(), "{query}").unwrap();
    }
    let (answers, _) = engine.end();
    for (query, lines) in blocks {
        let id = serde_json::from_str::<Value>(&query).unwrap()["id"].clone();
        let own: Vec<&Value> = answers.iter().filter(|answer| answer["id"] == id).collect();
        for line in &lines {
            let (turn, rest) = line.split_once(' ').unwrap();
            if turn == "warning" {
                let warnings =
                    own.iter().filter(|answer| answer["field"] == *rest && answer["warning"].is_string());
                assert_eq!(warnings.count(), 1, "{id}: {line}: {own:?}");
                continue;
            }
            let turn: u64 = turn.parse().unwrap();
            let finals: Vec<_> = own.iter().filter(|answer| answer["turnNumber"] == turn).collect();
            let [answer] = finals[..] else { panic!("{id}: turn {turn}: {own:?}") };
            match (rest.strip_prefix('!'), rest.split_once(" = ")) {
                (Some(absent), _) => assert_eq!(answer.pointer(absent), None, "{id}: {line}"),
                (_, Some((pointer, value))) => {
                    let value: Value = serde_json::from_str(value).unwrap();
                    assert_eq!(answer.pointer(pointer), Some(&value), "{id}: {line}");
                }
                _ => assert!(answer.pointer(rest).is_some(), "{id}: {line}: {answer}"),
            }
        }
        let warnings = lines.iter().filter(|line| line.starts_with("warning")).count();
        assert_eq!(own.iter().filter(|answer| answer.get("warning").is_some()).count(), warnings, "{own:?}");
    }
}

/// LizzieYzy needs all of these, KaTrain most.
const OF_EACH_MOVE: &[&str] =
    &["order", "move", "visits", "winrate", "lcb", "prior", "scoreLead", "scoreStdev", "pv"];

#[test]
fn every_move_has_what_lizzieyzy_reads() {
    for (args, size) in [(vec![], 9), (vec![], 7), (vec!["-model", &katago()], 6)] {
        let mut engine = Engine::start(&args);
        let board = json!({"maxVisits": 30, "boardXSize": size, "boardYSize": size, "moves": [["W", "C3"]]});
        engine.send(&query("q", board));
        let (answers, _) = engine.end();
        let moves = answers[0]["moveInfos"].as_array().unwrap();
        assert!(!moves.is_empty(), "{answers:?}");
        for (order, info) in moves.iter().enumerate() {
            assert!(OF_EACH_MOVE.iter().all(|&key| info.get(key).is_some()), "{info}");
            assert!(info["order"] == order && info["pv"][0] == info["move"], "{info}");
        }
    }
}

#[test]
fn a_katago_network_tells_score_and_ownership_of_each_move() {
    let mut engine =
        Engine::start(&["-model", &katago(), "-override-config", "reportAnalysisWinratesAs=WHITE"]);
    let sides = ["BLACK", "WHITE", "SIDETOMOVE"];
    for side in sides {
        engine.send(&json!({
            "id": side, "moves": [["B", "C3"]], "rules": "japanese", "komi": -20.5, "boardXSize": 7, "boardYSize": 7,
            "maxVisits": 20, "includeOwnership": true, "includeMovesOwnership": true,
            "overrideSettings": {"reportAnalysisWinratesAs": side},
        }));
    }
    let (answers, _) = engine.end();
    let answers: BTreeMap<&str, &Value> = answers
        .iter()
        .filter(|answer| answer.get("rootInfo").is_some())
        .map(|answer| (answer["id"].as_str().unwrap(), answer))
        .collect();
    let number = |side: &str, pointer: &str| answers[side].pointer(pointer).unwrap().as_f64().unwrap();
    // Black, with 20 points, is ahead.
    for base in ["/rootInfo", "/moveInfos/0"] {
        assert!(number("BLACK", &format!("{base}/scoreLead")) > 10.0);
        assert!(number("BLACK", &format!("{base}/winrate")) > 0.9);
        assert!(number("BLACK", &format!("{base}/scoreStdev")) > 1.0);
        for key in ["scoreLead", "utility"] {
            let pointer = format!("{base}/{key}");
            assert_eq!(number("WHITE", &pointer), -number("BLACK", &pointer), "{pointer}");
        }
        let pointer = format!("{base}/lcb");
        assert!((number("WHITE", &pointer) + number("BLACK", &pointer) - 1.0).abs() < 1e-5);
    }
    assert!(number("BLACK", "/rootInfo/rawLead") > 10.0);
    for (side, sign) in [("BLACK", 1.0), ("WHITE", -1.0)] {
        // C3 is in the fifth row from the top.
        assert!(sign * number(side, "/ownership/30") > 0.5);
        assert!(sign * number(side, "/moveInfos/0/ownership/30") > 0.5);
    }
    assert_eq!(answers["SIDETOMOVE"]["rootInfo"], answers["WHITE"]["rootInfo"]);
}

#[test]
fn the_highest_priority_is_next_and_ties_keep_their_order() {
    let mut engine = Engine::start(&["-analysis-threads", "1"]);
    engine.send(&query("long", json!({"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01})));
    assert_eq!(engine.next()["isDuringSearch"], true);
    let moves = json!([["B", "C3"], ["W", "C4"]]);
    engine.send(&query("low", json!({"maxVisits": 5, "priority": -3})));
    engine.send(&query("first", json!({"maxVisits": 5, "priority": 7})));
    engine.send(&query("second", json!({"maxVisits": 5, "priority": 7})));
    let turns = json!({"maxVisits": 5, "moves": moves, "analyzeTurns": [0, 1, 2], "priorities": [1, 20, -9]});
    engine.send(&query("turns", turns));
    engine.send(&json!({"id": "end", "action": "terminate", "terminateId": "long"}));
    let (rest, _) = engine.end();
    let finals = rest.iter().filter(|answer| answer["isDuringSearch"] == false);
    let order: Vec<String> =
        finals.map(|answer| format!("{}{}", answer["id"].as_str().unwrap(), answer["turnNumber"])).collect();
    assert_eq!(order, ["long0", "turns1", "first0", "second0", "turns0", "low0", "turns2"]);
}

#[test]
fn terminated_queries_have_one_final_answer_with_what_there_is() {
    let mut engine = Engine::start(&["-analysis-threads", "1"]);
    let endless = json!({"maxVisits": 1_000_000_000_000_u64, "reportDuringSearchEvery": 0.01});
    engine.send(&query("running", endless.clone()));
    let partial = engine.next();
    assert!(
        partial["isDuringSearch"] == true && partial["rootInfo"]["visits"].as_u64() > Some(0),
        "{partial}"
    );
    let moves = json!({"moves": [["B", "C3"]], "analyzeTurns": [0, 1]});
    engine.send(&query("waiting", moves));
    engine.send(&query("other", endless));
    engine.send(&json!({"id": "t1", "action": "terminate", "terminateId": "waiting", "turnNumbers": [1]}));
    engine.send(&json!({"id": "t2", "action": "terminate_all"}));
    engine.send(&json!({"id": "t3", "action": "terminate", "terminateId": "nobody"}));
    let (rest, _) = engine.end();
    let finals = |id: &str| -> Vec<&Value> {
        rest.iter().filter(|answer| answer["id"] == *id && answer["isDuringSearch"] == false).collect()
    };
    assert!(finals("running")[0]["rootInfo"]["visits"].as_u64() > Some(0));
    for (id, count) in [("running", 1), ("waiting", 2), ("other", 1)] {
        assert_eq!(finals(id).len(), count, "{id}: {rest:?}");
    }
    assert!(finals("waiting").iter().all(|answer| answer["noResults"] == true), "{rest:?}");
    assert_eq!(rest.iter().filter(|answer| answer.get("action").is_some()).count(), 3);
}

#[test]
fn the_end_of_the_input_finishes_or_ends_what_is_going_on() {
    let mut waits = Engine::start(&["-analysis-threads", "1"]);
    (0..5).for_each(|i| waits.send(&query(&i.to_string(), json!({"maxVisits": 50}))));
    let (answers, _) = waits.end();
    assert!(answers.len() == 5 && answers.iter().all(|answer| answer["rootInfo"]["visits"] == 50));
    let begun = Instant::now();
    let mut quits = Engine::start(&["-quit-without-waiting", "-human-model", "none.bin.gz"]);
    (0..5).for_each(|i| quits.send(&query(&i.to_string(), json!({"maxVisits": 1_000_000_000}))));
    let (answers, stderr) = quits.end();
    assert!(answers.len() == 5 && begun.elapsed() < Duration::from_secs(60), "{answers:?}");
    assert!(stderr.contains("Warning: the human model"), "{stderr}");
}

#[test]
fn equal_queries_have_equal_answers_whatever_went_before() {
    let mut engine = Engine::start(&["-analysis-threads", "1"]);
    for size in [5, 9, 5, 9] {
        let board = json!({"maxVisits": 40, "boardXSize": size, "boardYSize": size});
        engine.send(&query(&size.to_string(), board));
    }
    let (answers, _) = engine.end();
    assert_eq!((&answers[0], &answers[1]), (&answers[2], &answers[3]));
}

#[test]
fn configuration_files_of_katago_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("analysis.cfg");
    let text =
        "logErrorsAndWarnings = true\nmaxVisits = 7\nnumAnalysisThreads = 12\ncpuctExploration = 1.0\n";
    std::fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let mut engine =
        Engine::start(&["-config", config, "-override-config", "homeDataDir=/tmp,warnUnusedFields=false"]);
    engine.send(&query("q", json!({"misspelt": 1})));
    let (answers, stderr) = engine.end();
    assert_eq!((answers.len(), &answers[0]["rootInfo"]["visits"]), (1, &json!(7)));
    assert!(stderr.contains("cpuctExploration") && !stderr.to_lowercase().contains("error"), "{stderr}");
    for (args, named) in [
        (["-config", "none.cfg"], "none.cfg"),
        (["-model", "none.bin.gz"], "none.bin.gz"),
        (["-override-config", "maxVisits=0"], "maxVisits = 0; accepted"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).arg("analysis").args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && stderr.contains(named), "{stderr}");
    }
}

/// Megabytes that the process holds.
#[cfg(target_os = "linux")]
fn resident(child: &Child) -> u64 {
    let status = read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_queries_leave_nothing_behind() {
    let mut engine = Engine::start(&[]);
    let ask = |engine: &mut Engine, first: u32, count: u32| {
        for i in first..first + count {
            let line = json!({"maxVisits": 2, "boardXSize": 2, "boardYSize": 2, "includeOwnership": true});
            engine.send(&query(&i.to_string(), line));
            engine.next();
        }
    };
    ask(&mut engine, 0, 1000);
    let before = resident(&engine.child);
    ask(&mut engine, 1000, 9000);
    let after = resident(&engine.child);
    assert!(after <= before + 5, "{before} MB, then {after} MB");
    assert!(engine.end().0.is_empty());
}
