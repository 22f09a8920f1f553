//! The Go commands: a session over GTP, the analysis of a file, and that every help and example
//! works.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tesuji_go::sgf::{Property, parse};

fn tesuji(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("the binary runs");
    // A program that refuses its arguments does not read.
    let _ = run.stdin.take().unwrap().write_all(input.as_bytes());
    run.wait_with_output().unwrap()
}

fn succeeds(args: &[&str], input: &str) -> String {
    let output = tesuji(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_session_gets_one_answer_for_each_command() {
    let session = [
        ("name", "= tesuji"),
        ("1 boardsize 5", "=1"),
        ("komi 0.5", "="),
        ("play b c3", "="),
        ("genmove w", "= "),
        ("7 frobnicate", "?7 unknown command"),
        ("play b c3", "? illegal move: the point is occupied"),
        ("boardsize 40", "? unacceptable size: boards have 2 to 19 lines"),
        ("final_score", "= "),
        ("quit", "="),
    ];
    let script: String = session.iter().map(|(command, _)| format!("{command}\n")).collect();
    let args = ["gtp", "--playouts", "50", "--seed", "3"];
    let out = succeeds(&args, &script);
    let answers: Vec<&str> = out.trim_end().split("\n\n").map(str::trim_end).collect();
    assert_eq!(answers.len(), session.len(), "{out}");
    for ((command, wanted), answer) in session.iter().zip(&answers) {
        // The engine is free in what it plays and how the game ends.
        if wanted.ends_with(' ') {
            assert!(answer.len() > wanted.len() && answer.starts_with(wanted), "{command}: {answer}");
        } else {
            assert_eq!(answer, wanted, "{command}");
        }
    }
    assert_eq!(out, succeeds(&args, &script), "the same seed gives the same session");
}

#[test]
fn the_end_of_the_input_ends_a_session() {
    assert_eq!(succeeds(&["gtp"], "protocol_version\n"), "= 2\n\n");
}

#[test]
fn analysis_is_one_object() {
    let dir = tempfile::tempdir().unwrap();
    let (file, dot) = (dir.path().join("game.sgf"), dir.path().join("search.dot"));
    std::fs::write(&file, "(;FF[4]SZ[5]KM[0.25];B[cc];W[bb])").unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let args = ["analyze", &text(&file), "--playouts", "60", "--json", "--dot", &text(&dot)];
    let value: Value = serde_json::from_str(succeeds(&args, "").trim_end()).unwrap();
    for (field, wanted) in [("size", 5), ("move_number", 3), ("simulations", 60)] {
        assert_eq!(value[field], wanted, "{field} in {value}");
    }
    assert_eq!((&value["komi"], &value["to_move"]), (&0.5.into(), &"black".into()));
    assert_eq!(value["best"], value["variation"][0]);
    let visits = value["moves"].as_array().unwrap().iter().map(|m| m["visits"].as_u64().unwrap());
    assert_eq!(visits.sum::<u64>(), 60);
    assert!(std::fs::read_to_string(&dot).unwrap().starts_with("digraph"));

    let plain = succeeds(&["analyze", &text(&file), "--move", "2", "--playouts", "60"], "");
    assert!(plain.contains("White (O) to move, move 2") && plain.contains("variation:"), "{plain}");
}

#[test]
fn faults_of_a_file_are_warnings_of_an_analysis() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;SZ[5]KM[0.25];B[cc];W[bb])) and more").unwrap();
    for more in ["--json", "--all-moves"] {
        let output = tesuji(&["analyze", file.to_str().unwrap(), "--playouts", "10", more], "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{error}");
        for fault in ["KM[0.25] is not a komi such as 6.5; it is 0.5", "the text after a game is no game"] {
            assert_eq!(error.matches(fault).count(), 1, "{more}: {error}");
        }
    }
}

#[test]
fn a_network_tells_who_owns_the_points() {
    let script = "boardsize 7\nplay b D4\nplay w pass\nplay b D3\nkata-raw-nn 0\ntesuji-ownership\n\
        kata-genmove_analyze w ownership true\n";
    let out = succeeds(&["gtp", "--playouts", "8"], script);
    let numbers = |text: &str| -> Vec<f64> {
        text.split_whitespace().map_while(|word| word.parse().ok()).take(49).collect()
    };
    let after = |word: &str| numbers(out.split_once(word).unwrap_or_else(|| panic!("{out}")).1);
    let white = after("whiteOwnership");
    let answers: Vec<&str> = out.split("\n\n").collect();
    let black = numbers(answers[5].trim_start_matches("= "));
    let [white_of_raw, black, white] = [white, black, after(" ownership")];
    assert_eq!([white_of_raw.len(), black.len(), white.len()], [49; 3], "{out}");
    // Numbers have two digits.
    assert!(white_of_raw.iter().zip(&black).all(|(white, black)| (white + black).abs() < 0.0051), "{out}");
    assert!(black.iter().zip(&white).all(|(black, white)| black + white == 0.0), "{out}");
    assert!(black.iter().sum::<f64>() > 10.0, "{out}");
}

#[test]
fn every_move_of_a_game_has_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;FF[4]SZ[5]KM[0.5]AB[bb][dd];W[cc];B[cb];W[];B[bd])").unwrap();
    let file = file.to_str().unwrap();
    let common = ["--recipe", "grave", "--playouts", "300", "--seed", "7"];
    let lines = |args: &[&str]| -> Vec<Value> {
        let out = succeeds(&[&["analyze", "--all-moves", "--json"], args, &common].concat(), "");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let judged = lines(&[file]);
    assert_eq!(judged.len(), 4);
    for (number, line) in (1..).zip(&judged) {
        // What the search of the position alone says.
        let number = format!("{number}");
        let alone = succeeds(&[&["analyze", file, "--move", &number, "--json"], &common[..]].concat(), "");
        let alone: Value = serde_json::from_str(alone.trim_end()).unwrap();
        assert_eq!(line["move_number"].to_string(), number);
        assert_eq!((&line["best"], &line["to_move"]), (&alone["best"], &alone["to_move"]));
        assert_eq!(line["variation"], alone["variation"]);
        let best = alone["moves"].as_array().unwrap().iter().find(|m| m["move"] == alone["best"]).unwrap();
        assert_eq!(line["best_value"], best["value"]);
    }
    assert_eq!((&judged[0]["move"], &judged[2]["move"]), (&"C3".into(), &"pass".into()));
    let connect_four = ["--game", "connect-four", "--moves", "4 4 3"];
    let judged = lines(&connect_four);
    assert_eq!((judged.len(), &judged[1]["to_move"]), (3, &2.into()));
    let text = succeeds(&[&["analyze", "--all-moves"], &connect_four[..], &common].concat(), "");
    let [head, first, ..] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert_eq!(
        head.split_whitespace().collect::<Vec<_>>(),
        ["no.", "move", "value", "best", "value", "loss"]
    );
    let value = |name: &str| format!("{:.3}", judged[0][name].as_f64().unwrap());
    let words: Vec<&str> = first.split_whitespace().collect();
    assert_eq!(
        words,
        [
            "1",
            "4",
            &value("value"),
            judged[0]["best"].as_str().unwrap(),
            &value("best_value"),
            &value("loss")
        ]
    );
    for (args, words) in [
        (&["--game", "connect-four"][..], &["accepted: a game with moves"][..]),
        (&[file, "--recipe", "uct,parallel=root"], &["root parallelization", "`tree` can"]),
        (&[file, "--time", "1s"], &["--time", "--all-moves"]),
        (&[file, "--move", "2"], &["--move", "--all-moves"]),
    ] {
        let output = tesuji(&[&["analyze", "--all-moves"], args].concat(), "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn a_judged_game_is_written_into_its_record() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    let record: &[u8] = b"(;FF[4]SZ[5]KM[0.5]CA[ISO-8859-1]AB[bb][dd]PB[caf\xe9]\
        ;W[cc]C[by hand];B[cb](;W[aa];B[bd])(;W[dc]C[other];B[ab]))";
    std::fs::write(&file, record).unwrap();
    let common = ["analyze", file.to_str().unwrap(), "--all-moves", "--recipe", "grave", "--playouts", "300"];
    let lines = succeeds(&[&common[..], &["--json"]].concat(), "");
    let judged: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = succeeds(&[&common[..], &["--sgf"]].concat(), "");
    let tree = parse(&text).unwrap().games.swap_remove(0);
    let property = |node: usize, name: &str| tree.node(node).get(name).map(Property::text);
    assert_eq!(property(0, "PB").as_deref(), Some("caf\u{e9}"));
    assert_eq!(property(0, "CA").as_deref(), Some("UTF-8"));
    let line = tree.main_line();
    let moves =
        ["W", "B", "W", "B"].iter().zip(&line[1..]).map(|(name, &node)| property(node, name).unwrap());
    assert_eq!(moves.collect::<Vec<_>>(), ["cc", "cb", "aa", "bd"]);
    assert!(property(line[1], "C").unwrap().starts_with("by hand\n\nvalue "));
    let large = |judged: &&Value| judged["loss"].as_f64().unwrap() >= 0.02;
    assert_eq!(property(0, "C").unwrap().lines().count(), 3 + judged.iter().filter(large).count());
    for (judged, (&before, &node)) in judged.iter().zip(line.iter().zip(&line[1..])) {
        let value = |name: &str| format!("value {:.3}", judged[name].as_f64().unwrap());
        assert!(property(node, "C").unwrap().contains(&value("value")));
        assert_eq!(property(node, "BM").is_some(), large(&judged));
        let expected: Vec<&str> =
            judged["variation"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        // The line of the best move hangs beside the move, as long as the search expected.
        let added = tree
            .node(before)
            .children()
            .iter()
            .find(|&&child| property(child, "C").is_some_and(|comment| comment == value("best_value")));
        let loses = judged["loss"].as_f64().unwrap() > 0.0;
        assert_eq!(added.is_some(), loses, "{text}");
        let mut found = Vec::new();
        let mut next = added.copied();
        while let Some(node) = next {
            let m = property(node, "B").or(property(node, "W")).unwrap();
            let point = m.as_bytes();
            let [column, row] = *point else { panic!("{m}") };
            found.push(format!("{}{}", (column - b'a' + b'A') as char, 5 - (row - b'a')));
            next = tree.node(node).children().first().copied();
        }
        assert!(!loses || found == expected, "{found:?} {expected:?}");
    }
    assert!(judged.iter().any(|judged| large(&judged)) && text.contains("W[dc]C[other]"));
    for args in [&["--sgf"][..], &["--all-moves", "--sgf", "--json"]] {
        let output = tesuji(&[&["analyze", file.to_str().unwrap()], args].concat(), "");
        assert_eq!(output.status.code(), Some(2));
    }
    let output = tesuji(&["analyze", "--game", "go9", "--moves", "E5", "--all-moves", "--sgf"], "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_position_that_cannot_be_taken_is_refused() {
    let analyze = |args: &[&str]| {
        let output = tesuji(&[&["analyze", "--playouts=10"], args].concat(), "");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for (args, words) in [
        (&[][..], &["an SGF file", "--game"][..]),
        (&["--moves", "a1"], &["--game"]),
        (&["game.sgf", "--moves", "a1"], &["--moves", "cannot be used"]),
        (
            &["--game", "hex:5", "--recipe", "puct-net,network.file=built-in:pooling"],
            &["no network for this game"],
        ),
    ] {
        let (code, _, error) = analyze(args);
        assert_eq!(code, Some(2), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    // A search is not lost because its picture cannot be written.
    let (code, text, error) = analyze(&["--game", "hex:5", "--svg", "no-directory/hex.svg"]);
    assert!(code == Some(1) && error.contains("no-directory/hex.svg"), "{error}");
    assert!(text.contains("10 simulations"), "{text}");
}

/// All that an analysis says but times and sizes.
fn said(mut value: Value) -> Value {
    let fields = value.as_object_mut().unwrap();
    fields.retain(|name, _| name != "seconds" && name != "bytes");
    value
}

#[test]
fn a_saved_tree_goes_on_in_another_process() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (sgf, first, second) = (path("game.sgf"), path("first"), path("second"));
    std::fs::write(&sgf, "(;FF[4]SZ[5]KM[0.5]AB[bb];W[cc];B[dd])").unwrap();
    let json = |args: &[&str]| -> Value {
        let args = [&["analyze"], args, &["--json"]].concat();
        said(serde_json::from_str(succeeds(&args, "").trim_end()).unwrap())
    };
    for (position, recipe) in [
        (&["--game", "connect-four", "--moves", "4 4  3"][..], "graver"),
        (&[&sgf, "--after", "E1"], "grave"),
        (&[&sgf, "--move", "1"], "mast"),
    ] {
        let position = [position, &["--recipe", recipe]].concat();
        let whole = json(&[&position[..], &["--playouts", "500", "--seed", "3"]].concat());
        json(&[&position[..], &["--playouts", "200", "--seed", "3", "--save-tree", &first]].concat());
        json(&[&position[..], &["--playouts", "200", "--tree", &first, "--save-tree", &second]].concat());
        let parts = json(&[&position[..], &["--playouts", "100", "--tree", &second]].concat());
        assert_eq!(parts, whole);
    }
    let refused = |args: &[&str], words: &[&str]| {
        let output = tesuji(&[&["analyze", "--playouts=10"], args].concat(), "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    let connect_four = ["--game", "connect-four", "--recipe", "graver", "--tree", &first];
    refused(&connect_four, &["first", "another game", "go:5 with komi 0.5", "accepted"]);
    let position = [&sgf, "--move", "1", "--tree", &first];
    refused(&[&position[..], &["--recipe", "uct"]].concat(), &["first", "another recipe", "accepted"]);
    refused(&[&sgf, "--recipe", "mast", "--tree", &first], &["first", "another position", "\"\""]);
    refused(&[&sgf, "--tree", &sgf], &["game.sgf: this is not a saved tree", "--save-tree"]);
    refused(&[&sgf, "--tree", "/dev/zero"], &["/dev/zero: this is not a file"]);
    refused(&[&sgf, "--tree", "/no/such"], &["/no/such"]);
    refused(&[&sgf, "--recipe", "uct,parallel=root", "--save-tree", &first], &["`serial` or `tree`"]);
    refused(&[&position[..], &["--seed", "1"]].concat(), &["--seed"]);
    // A search is not lost though its tree is.
    let nowhere = format!("{first}/x");
    for position in [&["--game", "connect-four"][..], &[&sgf]] {
        let args = [&["analyze", "--playouts=10", "--save-tree", &nowhere], position].concat();
        let output = tesuji(&args, "");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stdout).unwrap().contains("variation: "));
    }
}

#[test]
fn analysis_shows_what_the_network_thinks() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;SZ[9];B[cc];W[gg])").unwrap();
    let args = ["analyze", file.to_str().unwrap(), "--playouts", "20", "--recipe", "puct-net"];
    let value: Value =
        serde_json::from_str(succeeds(&[&args[..], &["--json"]].concat(), "").trim_end()).unwrap();
    let policy = value["network"]["policy"].as_array().unwrap();
    let priors: Vec<f64> = policy.iter().map(|m| m["prior"].as_f64().unwrap()).collect();
    assert_eq!(priors.len(), 80, "79 points and the pass");
    assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-5 && priors.is_sorted_by(|a, b| a >= b));
    assert!((0.0..=1.0).contains(&value["network"]["value"].as_f64().unwrap()));
    // The search's own priors are the same, but for its choice of moves.
    let first = &value["moves"][0];
    let raw = policy.iter().find(|m| m["move"] == first["move"]).unwrap()["prior"].as_f64().unwrap();
    assert!((raw / first["prior"].as_f64().unwrap() - 1.0).abs() < 0.1, "{value}");
    let text = succeeds(&args, "");
    assert!(text.contains("network: value ") && text.contains("value   prior"), "{text}");
    // A recipe without a network has nothing to show.
    let plain = succeeds(&["analyze", file.to_str().unwrap(), "--playouts", "20", "--json"], "");
    assert!(plain.contains("\"network\":null"), "{plain}");
}

#[test]
fn a_network_plays_over_gtp() {
    let out = succeeds(
        &["gtp", "--recipe", "puct-net", "--playouts", "20"],
        "genmove b\nlz-genmove_analyze w\nboardsize 13\nkata-raw-nn 0\nquit\n",
    );
    let answers: Vec<&str> = out.trim_end().split("\n\n").collect();
    assert_eq!(answers.len(), 5, "{out}");
    assert!(answers[3].starts_with("= symmetry 0\nwhiteWin 0."), "{out}");
    assert!(answers[1].contains(" prior ") && answers[1].contains("play "), "{out}");
    assert!(answers[2].starts_with("? ") && answers[2].contains("network.file"), "{out}");
}

#[test]
fn an_agent_with_a_network_plays_on_every_board_where_none_is_named() {
    let script = "version\ngenmove b\nboardsize 9\nversion\ngenmove b\nboardsize 13\ngenmove b\nkata-raw-nn 0\n\
                  boardsize 2\ngenmove b\nquit\n";
    let out = succeeds(&["gtp", "--playouts", "20"], script);
    let answers: Vec<&str> = out.trim_end().split("\n\n").collect();
    let agent = " puct-net,network.file=built-in:pooling,select.first_play.parent-minus=0.1,playouts=1000,\
                 recycle=true,memory.bytes=536870912";
    for version in [0, 3] {
        assert!(answers[version].ends_with(agent), "{version}: {out}");
    }
    assert!(answers[7].contains("whiteLead"), "a pooling network predicts the score: {out}");
    assert!(answers.iter().all(|answer| answer.starts_with('=')), "{out}");
}

/// The nodes that the explanation of a move counts.
fn nodes(args: &[&str]) -> usize {
    let out = succeeds(&[&["gtp"], args].concat(), "genmove b\ngomill-explain_last_move\nquit\n");
    let words: Vec<&str> = out.split_whitespace().collect();
    let place = words.iter().position(|word| *word == "nodes,").unwrap_or_else(|| panic!("{out}"));
    words[place - 1].parse().unwrap()
}

#[test]
fn the_default_agent_keeps_to_its_memory_and_goes_on() {
    for (size, memory) in [("9", "6100000"), ("7", "3900000")] {
        let within = |memory| nodes(&["--size", size, "--playouts", "1500", "--memory", memory]);
        assert_eq!(within("64MiB"), 1501, "size {size}: every simulation adds a node");
        let few = within(memory);
        assert!(few > 10 && few < 1000, "size {size}: {few} nodes");
    }
}

#[test]
fn the_version_can_be_overridden() {
    assert_eq!(succeeds(&["gtp", "--override-version", "0.17"], "3 version\nquit\n"), "=3 0.17\n\n=\n\n");
}

#[test]
fn a_network_that_ignores_the_komi_says_so() {
    let warnings = |output: &Output| {
        assert!(output.status.success(), "{output:?}");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let said =
            |text: &str| text.lines().filter(|l| l.contains("ignores it")).map(str::to_owned).collect();
        (said(&out), said(&err)) as (Vec<String>, Vec<String>)
    };
    let game = |komi: &str| {
        let script = format!("boardsize 9\nkomi {komi}\ngenmove b\ngenmove w\nquit\n");
        warnings(&tesuji(&["gtp", "--recipe", "puct-net", "--playouts", "5"], &script)).1
    };
    assert!(game("7.5").is_empty());
    let [line] = &game("6.5")[..] else { panic!("{:?}", game("6.5")) };
    assert!(line.starts_with("tesuji: warning: the komi is 6.5") && line.contains("komi 7.5"), "{line}");

    let dir = tempfile::tempdir().unwrap();
    let analysis = |komi: &str| {
        let file = dir.path().join("game.sgf");
        std::fs::write(&file, format!("(;SZ[9]KM[{komi}];B[cc])")).unwrap();
        let args = ["analyze", file.to_str().unwrap(), "--playouts", "5", "--recipe", "puct-net", "--json"];
        warnings(&tesuji(&args, ""))
    };
    assert_eq!(analysis("7.5"), (vec![], vec![]));
    let (out, err) = analysis("0");
    assert!(out.is_empty() && err.len() == 1 && err[0].contains("the komi is 0"), "{err:?}");

    let games = |komi: &str, more: &[&str]| {
        let args = ["match", "puct-net", "random", "--games", "2", "--playouts", "2", "--komi", komi];
        warnings(&tesuji(&[&args, more].concat(), ""))
    };
    assert_eq!(games("7.5", &[]), (vec![], vec![]));
    assert_eq!(games("5.5", &[]).0.len(), 1);
    let (out, err) = games("5.5", &["--json"]);
    assert!(out.is_empty() && err.len() == 1, "{out:?} {err:?}");

    let experiment = |komi: &str| {
        let file = dir.path().join("komi.toml");
        let text = format!(
            "kind = \"matches\"\nname = \"komi\"\ngame = \"go9\"\nkomi = {komi}\ngames = 2\nplayouts = 2\nb = \"random\"\n\
             [[match]]\nname = \"one\"\na = \"puct-net\"\n[[match]]\nname = \"two\"\na = \"uct\"\nkomi = 3.5\n"
        );
        std::fs::write(&file, text).unwrap();
        let [out, results] = ["out", "results"].map(|name| dir.path().join(name).display().to_string());
        let args = ["run", file.to_str().unwrap(), "--limit", "0", "--out", &out, "--results", &results];
        warnings(&tesuji(&args, ""))
    };
    assert_eq!(experiment("7.5"), (vec![], vec![]));
    let (out, err) = experiment("5.5");
    assert!(out.is_empty() && err.len() == 1 && err[0].contains("the komi is 5.5"), "{err:?}");
}

#[test]
fn an_explanation_tells_what_each_backup_makes_of_the_samples() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;SZ[5];B[cc];W[bb])").unwrap();
    let recipe = "uct,backup.kind=weights,backup.weights=[1,1]";
    let args =
        ["analyze", file.to_str().unwrap(), "--playouts", "300", "--recipe", recipe, "--after", "D4 pass"];
    let text = succeeds(&[&args[..], &["--json", "--explain"]].concat(), "");
    let value: Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(value["move_number"], 5);
    let said = value["backups"].as_array().unwrap();
    let of = |name: &str| said.iter().find(|b| b["backup"] == name).unwrap()["value"].as_f64().unwrap();
    // Equal weights are the mean, and the mean is what the search found.
    assert!(
        (of("the recipe's") - of("mean")).abs() < 1e-9
            && (of("mean") - value["value"].as_f64().unwrap()).abs() < 1e-4
    );
    assert!(of("max") > of("softmax") && of("softmax") > of("mean"), "{text}");
    assert!(said.len() > 10 && said.iter().all(|b| (0.0..=1.0).contains(&b["value"].as_f64().unwrap())));
    let plain = succeeds(&[&args[..], &["--explain"]].concat(), "");
    assert!(plain.contains("max-mcts") && plain.contains("from the same samples"), "{plain}");
}

#[test]
fn a_limit_of_memory_is_that_override_of_each_recipe() {
    let play = |first: &str, second: &str, more: &[&str]| -> Value {
        let args = ["match", first, second, "--game", "go:5", "--games", "2", "--playouts", "500", "--json"];
        serde_json::from_str(succeeds(&[&args, more].concat(), "").trim_end()).unwrap()
    };
    let limited = play("uct", "random", &["--memory", "8KiB"]);
    assert_eq!((&limited["a"], &limited["b"]), (&"uct,memory.bytes=8192".into(), &"random".into()));
    let bytes = |value: &Value| value["a_stats"]["bytes_peak"].as_u64().unwrap();
    assert!(bytes(&limited) <= 8192, "{limited}");
    assert!(bytes(&play("uct", "random", &[])) > 8192);

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;SZ[5];B[cc])").unwrap();
    let args = ["analyze", file.to_str().unwrap(), "--playouts", "500", "--memory", "8kB", "--json"];
    let value: Value = serde_json::from_str(succeeds(&args, "").trim_end()).unwrap();
    assert!(value["bytes"].as_u64().unwrap() <= 8000, "{value}");
    let args = ["bench", "uct connect-four", "--milliseconds", "1", "--memory", "16KiB"];
    assert!(succeeds(&args, "").contains("simulations/s"));
}

/// Black's B1 would remove both stones. Earlier records of tesuji named Tromp and Taylor's rules,
/// but were played without suicide.
#[test]
fn suicide_is_legal_where_the_record_was_played_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.sgf");
    let object = |suicide: bool| format!(r#"{{"ko":"POSITIONAL","scoring":"AREA","suicide":{suicide}}}"#);
    for (application, rules, legal) in [
        ("tesuji", "Tromp-Taylor".to_owned(), false),
        ("tesuji:0.1", "Tromp-Taylor".to_owned(), false),
        ("GNU Go:3.8", "Tromp-Taylor".to_owned(), true),
        ("tesuji", object(false), false),
        ("tesuji", object(true), true),
    ] {
        let moves = "B[ae];W[ad];B[ea];W[bd];B[eb];W[ce]";
        std::fs::write(&path, format!("(;GM[1]AP[{application}]SZ[5]RU[{rules}];{moves})")).unwrap();
        let output = tesuji(&["analyze", path.to_str().unwrap(), "--after", "B1", "--playouts=10"], "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), legal, "{application} {rules}: {message}");
        assert_eq!(message.contains("suicide"), !legal, "{application} {rules}: {message}");
    }
}

#[test]
fn threads_of_a_search_are_that_override_of_each_recipe() {
    let args = ["match", "grave", "random", "--game", "go:5", "--games", "2", "--playouts", "300", "--json"];
    let value: Value =
        serde_json::from_str(succeeds(&[&args[..], &["--search-threads", "2"]].concat(), "").trim_end())
            .unwrap();
    assert_eq!(value["a"], "grave,parallel=tree,parallel.threads=2");
    let moves =
        succeeds(&["gtp", "--size", "5", "--time", "50ms", "--search-threads", "3"], "genmove b\nquit\n");
    assert!(moves.starts_with("= "), "{moves}");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.sgf");
    std::fs::write(&file, "(;SZ[5];B[cc])").unwrap();
    let args = ["analyze", file.to_str().unwrap(), "--playouts", "500", "--search-threads", "2", "--json"];
    let value: Value = serde_json::from_str(succeeds(&args, "").trim_end()).unwrap();
    assert_eq!(value["simulations"], 500, "{value}");
    let args = ["bench", "uct connect-four", "--milliseconds", "1", "--search-threads", "2"];
    assert!(succeeds(&args, "").contains("simulations/s"));
}

#[test]
fn bad_arguments_and_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (broken, game) = (file("broken.sgf", "(;B["), file("game.sgf", "(;SZ[5];B[cc];W[bb])"));
    let tiny = file("tiny.sgf", "(;SZ[1])");
    for (args, words) in [
        (&["gtp", "--size", "40"][..], &["--size", "2..=19"][..]),
        (&["gtp", "--recipe", "oops"], &["oops", "uct"]),
        (&["gtp", "--recipe", "uct,select.c=-1"], &["select.c", "0 to 100"]),
        (&["gtp", "--komi", "7.2"], &["7.2", "multiple of 0.5"]),
        (&["gtp", "--lag", "61m"], &["--lag", "60m"]),
        (&["gtp", "--resign", "2"], &["off", "0 to 1"]),
        (&["gtp", "--resign-after", "5"], &["--resign-after", "0 to 1"]),
        (&["gtp", "--time", "5"], &["500ms"]),
        (&["gtp", "--memory", "32XB"], &["32XB", "32KiB"]),
        (&["gtp", "--memory", "100"], &["memory.bytes = 100", "at least"]),
        (&["gtp", "--playouts", "0"], &["--playouts"]),
        (&["gtp", "--search-threads", "0"], &["--search-threads", "1..=1024"]),
        (&["gtp", "--recipe", "flat-mc", "--search-threads", "2"], &["`depth` = 1", "grows none"]),
        (&["gtp", "--override-version", ""], &["--override-version", "0.17"]),
        (&["analyze", "/no/such.sgf"], &["/no/such.sgf"]),
        (&["analyze", &broken], &["broken.sgf", "line 1"]),
        (&["analyze", &tiny], &["tiny.sgf", "line 1", "2 to 19"]),
        (&["analyze", &game, "--move", "9"], &["before move 9", "2 moves"]),
        (&["analyze", &game, "--recipe", "oops"], &["oops"]),
        (&["analyze", &game, "--after", "Z9"], &["--after", "Z9"]),
        (&["analyze", &game, "--after", "C3"], &["--after", "C3"]),
    ] {
        let output = tesuji(args, "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|word| message.contains(word)), "{args:?}: {message}");
    }
}

#[test]
fn every_command_has_help() {
    let help = succeeds(&["--help"], "");
    for command in ["match", "gtp", "analyze", "bench", "perft", "stats", "list"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} in {help}");
        assert!(succeeds(&[command, "--help"], "").contains(&format!("Usage: tesuji {command}")));
    }
}
