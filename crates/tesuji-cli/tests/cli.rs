//! The command line's contract: fields, exit status, streams, messages.

use serde_json::Value;
use std::process::{Command, Output};

fn tesuji(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).args(args).output().expect("the binary runs")
}

/// The JSON object on the last line of standard output of a command that succeeds.
fn json(args: &[&str]) -> Value {
    let output = tesuji(args);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{args:?}: {err}");
    let last = out.lines().last().unwrap_or_default();
    let value: Value = serde_json::from_str(last).unwrap_or_else(|e| panic!("{args:?}: {e} in {last:?}"));
    assert!(value.is_object(), "{last}");
    value
}

fn has_fields(value: &Value, fields: &[&str]) {
    for field in fields {
        assert!(value.get(field).is_some(), "no {field} in {value}");
    }
}

fn near(value: &Value, wanted: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((got - wanted).abs() < 1e-8, "{got} {wanted}");
}

#[test]
fn stats_of_games() {
    let value = json(&["stats", "520", "0", "480", "--elo0", "0", "--elo1", "10", "--json"]);
    assert_eq!(value["n"], 1000);
    near(&value["score"], 0.52);
    near(&value["agresti_coull"][0], 0.489017630);
    near(&value["wilson"][1], 0.550829205);
    near(&value["clopper_pearson"][0], 0.488514882);
    near(&value["los"], 0.897229891);
    near(&value["p"], 0.217448293);
    near(&value["llr"], 0.737139258);
    near(&value["llr_normalized"], 0.737094494);
    assert!((value["elo"].as_f64().unwrap() - 13.904829).abs() < 1e-6);
}

#[test]
fn stats_of_pairs() {
    let value = json(&["stats", "10", "200", "480", "230", "15", "--elo0=-5", "--elo1=0", "--json"]);
    assert_eq!(value["n"], 1870);
    near(&value["llr"], 2.711193992);
    near(&value["los"], 0.959096887);
    assert!(json(&["stats", "1", "2", "3", "--json"]).get("llr").is_none());
    let text = |args: &[&str]| String::from_utf8(tesuji(args).stdout).unwrap();
    let seven = text(&["stats", "0", "0", "0", "0", "7"]);
    assert!(seven.contains("\np                0.016\n"), "{seven}");
    let even = text(&["stats", "1", "10", "20", "10", "1", "--elo0=-5", "--elo1=5"]);
    assert!(!even.contains("-0.00"), "{even}");
    assert!(
        even.contains("\nLLR              +0.000000 of [-2.944439, 2.944439], Elo -5 against 5\n"),
        "{even}"
    );
}

#[test]
fn thermo_of_heaps_and_braces() {
    let value = json(&["thermo", "b4b5", "r2r1", "{{5|2}|-1}", "--json"]);
    let heap = &value["heaps"][2];
    assert_eq!(
        *heap,
        serde_json::json!({
            "heap": "{{5|2}|-1}", "mean": "5/4", "temperature": "9/4", "left_stop": "2", "right_stop": "-1",
            "walls": {
                "left": [["0", "2"], ["3/2", "2"], ["9/4", "5/4"]],
                "right": [["0", "-1"], ["9/4", "5/4"]],
            },
        })
    );
    assert_eq!(value["heaps"][0]["heap"], "b4b5");
    let value = json(&["thermo", "b4b5", "r2r1", "--json"]);
    assert_eq!(value["sum"], serde_json::json!({ "left_first": 6, "right_first": -2 }));
    let value = json(&["thermo", "{1|0}", "1/2", "--json"]);
    assert_eq!(value["sum"], serde_json::json!({ "left_first": 1.5, "right_first": 0.5 }));
    // No double is this score; a fraction is as in the text.
    let fine = format!("{}1/1048576{}", "{0|".repeat(60), "}".repeat(60));
    let score = "1208925819614629174706176000000001/1208925819614629174706176";
    let value = json(&["thermo", &fine, "1000000000", "--json"]);
    assert_eq!(value["sum"], serde_json::json!({ "left_first": score, "right_first": score }));
    let output = tesuji(&["thermo", &fine, "1000000000"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.ends_with(&format!("Left first {score}, Right first {score}\n")), "{shown}");
    let value = json(&["thermo", "-", "b4b5", "--json"]);
    assert_eq!((&value["heaps"][0]["heap"], &value["heaps"][0]["mean"]), (&"-".into(), &"0".into()));
    let nine = "b1r1b1r1b1r1b1r1b1";
    assert!(json(&[&["thermo"], &[nine; 9][..], &["--json"]].concat())["sum"].is_null());

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("thermo.svg");
    let output = tesuji(&["thermo", "b3r5b5", "--svg", file.to_str().unwrap()]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("mean"));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));
}

#[test]
fn incentives_are_learnt() {
    let args = [
        "incentive",
        "--heaps",
        "4",
        "--counters",
        "4",
        "--simulations",
        "256",
        "--games",
        "12",
        "--seed",
        "3",
    ];
    let help = tesuji(&["incentive", "--help"]).stdout;
    assert!(String::from_utf8_lossy(&help).contains("at most 400 counters in all"));
    let learn = |more: &[&str]| {
        let mut value = json(&[&args, more, &["--json"]].concat());
        for timed in ["seconds", "simulations_per_second"] {
            assert!(value.as_object_mut().unwrap().remove(timed).unwrap().as_f64().unwrap() > 0.0);
        }
        value
    };
    let value = learn(&["--threads", "1"]);
    has_fields(
        &value,
        &["match_rate_se", "rave_match_rate", "rave_left_match_rate", "to_come_match_rate_se"],
    );
    assert_eq!((&value["games"], &value["pairs"]), (&serde_json::json!(12), &serde_json::json!(12 * 96)));
    assert_eq!((value["reading"].as_str(), value["list"].as_str()), (Some("p"), Some("top-first")));
    let rate = value["match_rate"].as_f64().unwrap();
    let tied = value["tied_pairs"].as_f64().unwrap() / (12.0 * 96.0);
    assert!((75.0..95.0).contains(&rate) && (0.0..0.15).contains(&tied), "{value}");
    assert_eq!(learn(&["--threads", "2"]), value);
    assert_ne!(learn(&["--policy", "rand"])["match_rate"], value["match_rate"]);
    let other = learn(&["--reading", "r", "--epsilon", "0.1", "--exploration", "30", "--list", "top-first"]);
    assert_eq!((&other["exploration"], other["reading"].as_str()), (&serde_json::json!(30.0), Some("r")));

    let output = tesuji(&args);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("{rate:.2} +- ")));
}

#[test]
fn strategies_play_heap_go() {
    let value = json(&["match", "hotstrat", "random", "--game", "heap-go:3x3,1", "--games", "10", "--json"]);
    assert_eq!(
        (&value["game"], &value["games"]),
        (&serde_json::json!("heap-go:3x3,1"), &serde_json::json!(10))
    );
}

#[test]
fn perft_counts() {
    let value = json(&["perft", "tic-tac-toe", "5", "--json"]);
    assert_eq!(value["game"], "tic-tac-toe");
    assert_eq!(value["counts"], serde_json::json!([9, 72, 504, 3024, 15120]));
    let value = json(&["perft", "go:2", "6", "--json"]);
    assert_eq!(value["counts"], serde_json::json!([5, 21, 68, 156, 316, 604]));
}

#[test]
fn bench_measures_playouts_and_searches() {
    let cases = |filter| json(&["bench", filter, "--milliseconds", "1", "--json"])["cases"].clone();
    let playout = &cases("playout connect-four")[0];
    assert_eq!((&playout["name"], &playout["unit"]), (&"playout".into(), &"playouts/s".into()));
    assert!(playout["value"].as_f64().unwrap() > 0.0);
    let search = &cases("uct connect-four")[0];
    has_fields(search, &["name", "game", "unit", "value", "bytes_per_node"]);
    near(&search["allocations_per_simulation"], 0.0);
}

#[test]
fn list_has_games_recipes_and_parameters() {
    let value = json(&["list", "--json"]);
    has_fields(&value, &["games", "recipes", "parts"]);
    let plain = String::from_utf8(tesuji(&["list"]).stdout).unwrap();
    assert!(["connect-four", "flat-mc", "select.c"].iter().all(|word| plain.contains(word)), "{plain}");
}

#[test]
fn list_tells_all_about_a_name() {
    let text = |name: &str| String::from_utf8(tesuji(&["list", name]).stdout).unwrap();
    let grave = text("grave");
    for word in ["recipe grave (values of all moves", "bias = 0.01", "select=grave:", "select.reference"] {
        assert!(grave.contains(word), "{word}: {grave}");
    }
    assert!(text("hex").contains("hex:N"));
    assert!(text("c").contains("key of select=uct") && text("select.c").contains("key of select=puct"));
    assert!(text("backup").contains("backup=softmax:"));
    assert!(text("thermostrat").contains("agent thermostrat"));
    for (name, words) in [
        ("memory", &["memory.nodes", "memory.bytes"][..]),
        ("network", &["network.file", "network.cache"]),
        ("amaf", &["amaf.counts"]),
        ("patterns", &["patterns[].pattern"]),
        ("gtp", &["agent gtp:COMMAND"]),
        ("max-robust", &["final_move"]),
        ("secure", &["final_move"]),
        ("go:9", &["go:N"]),
        ("hex:7", &["hex:N"]),
    ] {
        assert!(words.iter().all(|word| text(name).contains(word)), "{name}: {}", text(name));
    }
    let value = json(&["list", "grave", "--json"]);
    assert_eq!(value["recipe"]["group"], "values of all moves as first (AMAF)");
    assert_eq!(value["parts"][0]["axis"], "select");
    assert_eq!(json(&["list", "select.c", "--json"])["keys"][0]["parameter"]["default"], "0.7");
    let groups = json(&["list", "--json"])["recipes"].as_array().unwrap().clone();
    let group = |name: &str| groups.iter().find(|r| r["name"] == name).unwrap()["group"].clone();
    for (name, wanted) in [
        ("uct", "UCT and its relatives"),
        ("softmax", "backups"),
        ("uct2", "little memory"),
        ("flat-mc", "without a tree"),
        ("puct-net-softmax", "with a network"),
    ] {
        assert_eq!(group(name), wanted, "{name}");
    }
}

#[test]
fn help_says_what_an_option_is_for() {
    for (command, words) in [
        ("run", ["a tuning or race plays at most n games of each", "a training makes at most n iterations"]),
        ("analyze", ["before this move of the sgf file", "a position of an sgf file with means"]),
    ] {
        let help = String::from_utf8(tesuji(&[command, "--help"]).stdout).unwrap().to_lowercase();
        assert!(words.iter().all(|word| help.contains(word)), "{help}");
    }
}

/// Every file of `tesuji new` for an experiment runs, and its Rust is that of
/// `examples/own-program`.
#[test]
fn new_files_run() {
    let dir = tempfile::tempdir().unwrap();
    for (what, command, limit) in [
        ("match", "run", "2"),
        ("sweep", "run", "2"),
        ("tune", "tune", "0"),
        ("race", "race", "0"),
        ("train", "train", "1"),
    ] {
        let file = dir.path().join(format!("{what}.toml"));
        let text = String::from_utf8(tesuji(&["new", what]).stdout).unwrap();
        assert!(!text.contains("examples/"), "{text}");
        std::fs::write(&file, text).unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let output = run.arg(command).arg(&file).args(["--limit", limit]).current_dir(&dir).output().unwrap();
        assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
        let is_recorded = limit != "0";
        assert_eq!(dir.path().join("out").join(what).is_dir(), is_recorded, "{what}");
    }
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/own-program/src/");
    for (what, file) in [("game", "fifteen.rs"), ("part", "polynomial.rs")] {
        let text = String::from_utf8(tesuji(&["new", what]).stdout).unwrap();
        let source = std::fs::read_to_string(format!("{sources}{file}")).unwrap();
        let (head, rest) = text.split_once("//!").unwrap();
        assert_eq!(format!("//!{rest}"), source);
        assert!(head.lines().all(|line| line.is_empty() || line.starts_with("//")), "{head}");
    }
}

#[test]
fn an_engine_is_checked_before_a_board_program_has_it() {
    let check = |args: &[&str]| tesuji(&[&["gtp", "--check"], args].concat());
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let good = check(&["--size", "9", "--memory", "64MiB"]);
    assert!(good.status.success(), "{}", text(&good));
    for word in [
        "Lizzie warns",
        "built-in:pooling",
        "every board",
        "67108864 bytes",
        "simulations per second",
        "ready",
    ] {
        assert!(text(&good).contains(word), "{word}: {}", text(&good));
    }
    let light = check(&["--recipe", "uct", "--override-version", "0.17"]);
    assert!(light.status.success() && !text(&light).contains("Lizzie"), "{}", text(&light));
    for (args, words) in [
        (&["--recipe", "grve"][..], &["FAIL", "did you mean `grave`?"][..]),
        (&["--recipe", "puct-net,network.file=missing.bin"], &["FAIL", "missing.bin"]),
        (&["--recipe", "puct-net,network.file=built-in:pool"], &["FAIL", "accepted: built-in:pooling"]),
        (&["--recipe", "src/main.rs"], &["FAIL", "network.file=src/main.rs"]),
        (&["--recipe", "uct", "--memory", "99999999GiB"], &["FAIL  memory", "are free"]),
        (&["--recipe", "uct", "--memory", "100"], &["FAIL  19x19", "memory.bytes = 100"]),
        (&["--recipe", "puct-net", "--size", "19"], &["FAIL  19x19", "ok    9x9"]),
    ] {
        let output = check(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
        assert!(words.iter().all(|word| text(&output).contains(word)), "{args:?}: {}", text(&output));
    }
    let one = String::from_utf8(check(&["--recipe", "grve"]).stderr).unwrap();
    assert!(one.contains("1 check failed"), "{one}");
}

#[test]
fn a_match_tells_what_the_contract_says() {
    let args = ["match", "uct", "random", "--game", "connect-four", "--games", "8", "--playouts", "50"];
    let value = json(&[&args[..], &["--seed", "7", "--threads", "2", "--json"]].concat());
    has_fields(
        &value,
        &["wins", "losses", "draws", "ci95", "elo", "elo_ci95", "seconds", "a_stats", "b_stats"],
    );
    for (field, wanted) in [("a", "uct"), ("b", "random"), ("game", "connect-four")] {
        assert_eq!(value[field], wanted);
    }
    for (field, wanted) in [("games", 8), ("seed", 7), ("playouts", 50)] {
        assert_eq!(value[field], wanted);
    }
    let count = |field: &str| value[field].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), 8);
    near(&value["score"], (count("wins") as f64 + count("draws") as f64 / 2.0) / 8.0);
    for agent in ["a_stats", "b_stats"] {
        has_fields(&value[agent], &["simulations", "seconds", "nodes_peak", "bytes_peak"]);
    }
    let simulations = value["a_stats"]["simulations"].as_u64().unwrap();
    assert!(simulations > 0 && simulations.is_multiple_of(50), "{simulations}");
    assert!(value["a_stats"]["nodes_peak"].as_u64().unwrap() > 0);
    assert!(value["a_stats"]["bytes_peak"].as_u64().unwrap() > 0);
}

#[test]
fn a_sequential_test_ends_a_match() {
    let args = ["match", "uct,select.c=0.5", "random", "--game=tic-tac-toe", "--games=4000", "--playouts=30"];
    let run = |threads| json(&[&args[..], &["--sprt=0,100", "--json", threads]].concat());
    let (one, two) = (run("--threads=1"), run("--threads=2"));
    assert_eq!(one["sprt"]["verdict"], "elo1");
    assert!(one["games"].as_u64().unwrap() < 400, "{one}");
    for field in ["games", "wins", "pairs", "sprt"] {
        assert_eq!(one[field], two[field]);
    }
}

#[test]
fn a_match_is_printed_with_p_and_pairs() {
    let args = ["match", "uct", "random", "--game", "tic-tac-toe", "--games", "8", "--playouts", "30"];
    let text = |more: &[&str]| String::from_utf8(tesuji(&[&args[..], more].concat()).stdout).unwrap();
    let paired = text(&[]);
    assert!(paired.contains("]; p 0.") && paired.contains("\n  pairs LL "), "{paired}");
    let tested = text(&["--sprt=0,30"]);
    assert!(!tested.contains("; p ") && tested.contains("\n  pairs LL "), "{tested}");
    assert!(tested.contains("\n  sequential test of Elo 0 against 30: not decided (LLR "), "{tested}");
    let unpaired = text(&["--unpaired"]);
    assert!(unpaired.contains("]; p 0.") && !unpaired.contains("pairs"), "{unpaired}");
}

/// A stream whose reader has gone.
fn closed() -> std::io::PipeWriter {
    let (_, writer) = std::io::pipe().unwrap();
    writer
}

#[test]
fn nobody_has_to_read_what_is_written() {
    let command = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(args);
        command
    };
    let output = command(&["list"]).stdout(closed()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let played = ["match", "random", "random", "--game", "tic-tac-toe", "--games", "2"];
    let output = command(&played).stderr(closed()).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
    let output = command(&["stats", "1", "2"]).stderr(closed()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn threads_without_a_game_are_not_started() {
    let args = ["match", "random", "random", "--game", "tic-tac-toe", "--games", "2", "--threads", "65535"];
    assert_eq!(json(&[&args[..], &["--json"]].concat())["games"], 2);
}

#[test]
fn bad_input_is_refused_with_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let openings = dir.path().join("openings.txt");
    std::fs::write(&openings, "b2 a1\n\nb2 b2\n").unwrap();
    let twice = ["match", "uct", "uct", "--game", "tic-tac-toe", "--openings", openings.to_str().unwrap()];
    let most = u64::MAX.to_string();
    let missing = ["match", "uct", "uct", "--game", "tic-tac-toe", "--openings", "/no/such/file"];
    for (args, words) in [
        (&["stats", "1", "2"][..], &["2 counts", "three", "five"][..]),
        (&["stats", "0", "0", "0"], &["at least one game"]),
        (&["stats", &most, &most, "1"], &[&most, "0 to 1000000000000000"]),
        (&["stats", "1", "1", "1", "--elo0", "5", "--elo1", "0"], &["the lower one first"]),
        (&["perft", "chess", "2"], &["unknown game \"chess\"", "tic-tac-toe"]),
        (&["bench", "oops"], &["no case", "go19, hex:11, connect-four", "for go9, connect-four"]),
        (&["match", "uct", "oops"], &["oops", "uct", "gtp:COMMAND"]),
        (&["match", "garve", "uct"], &["did you mean `grave`?"]),
        (&["match", "uct,c=1", "uct"], &["did you mean `select.c`?"]),
        (&["match", "uct", "uct", "--game", "hexx:5"], &["did you mean `hex`?"]),
        (&["list", "grvae"], &["did you mean `grave`?"]),
        (&["match", "uct,select.c=-1", "uct"], &["select.c", "0 to 100"]),
        (&["match", "uct", "missing.toml"], &["missing.toml"]),
        (&["match", "uct", "uct", "--game", "tic-tac-toe", "--komi", "7"], &["no komi"]),
        (&["match", "uct", "gtp:x", "--game", "tic-tac-toe"], &["GTP engines play Go and Hex"]),
        (&["thermo", "b3x5"], &["b3x5", "character 3", "{3|-1}"]),
        (&["thermo", "{3|1"], &["character 5", "or }"]),
        (&["incentive", "--heaps", "1"], &["heaps is 1, counters 5", "2 to 60"]),
        (&["incentive", "--heaps", "21", "--counters", "20"], &["heaps is 21, counters 20", "at most 400"]),
        (&["incentive", "--games", "0"], &["games is 0"]),
        (&["incentive", "--games", &most], &["games is 18446744073709551615", "1 to 10000000"]),
        (&["incentive", "--epsilon", "2"], &["epsilon is 2", "0 to 1"]),
        (&["incentive", "--reading", "q"], &["'q'", "p, r, tree"]),
        (&["match", "uct", "gtp:"], &["gtp: needs a command"]),
        (&["match", "uct", "uct", "--komi", "7.2"], &["7.2"]),
        (&["match", "uct", "uct", "--game", "go:25"], &["2 to 19"]),
        (&["match", "uct", "gtp:/no/such/engine"], &["/no/such/engine"]),
        (&["match", "uct", "uct", "--sprt", "3"], &["0,10"]),
        (&["match", "uct", "uct", "--time", "5"], &["500ms"]),
        (&["match", "uct", "uct", "--games", "0"], &["--games", "accepted: a whole number from 1"]),
        (
            &["match", "uct,playout=tactics", "uct", "--game", "connect-four"],
            &["playout `tactics` is not for this game"],
        ),
        (
            &["analyze", "--game", "connect-four", "--recipe", "alpha-beta"],
            &["`alpha-beta` is an agent without a tree; accepted: a recipe"],
        ),
        (&["analyze", "--game", "go9", "--recipe", "gtp:x"], &["`gtp:x` is an agent without a tree"]),
        (&missing, &["/no/such/file"]),
        (&twice, &["openings.txt: line 3", "move 2, \"b2\", is not legal", "accepted: a1"]),
        (&["frobnicate"], &["frobnicate"]),
    ] {
        let output = tesuji(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|word| message.contains(word)), "{args:?}: {message}");
    }
}
