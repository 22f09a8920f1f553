//! `tesuji run`: experiment files are played in passes, resumed, and refused where they changed.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tesuji_lab::Table;
use tesuji_lab::store::Store;

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

fn command(dir: &Path, file: &str, more: &[&str]) -> Command {
    std::fs::write(dir.join("file.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["run", "file.toml", "--json"]).args(more);
    command
}

fn run(dir: &Path, file: &str, more: &[&str]) -> Output {
    command(dir, file, more).output().expect("the binary runs")
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

/// Bars, JSON lines and whoever else looks read one stream of events.
#[test]
fn progress_is_told_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let told = |more: &[&str]| -> Vec<serde_json::Value> {
        let output = run(dir.path(), FILE, &[&["--progress", "json", "--only", "more"], more].concat());
        assert_eq!(games(&output).len(), 1);
        let lines = String::from_utf8(output.stderr).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let events = told(&["--limit", "4"]);
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    let started = of("started")[0];
    assert_eq!((&started["name"], &started["of"], &started["total"]), (&"more".into(), &1.into(), &4.into()));
    assert!(of("game").len() == 4 && of("game").iter().all(|game| game["is_new"] == true));
    assert_eq!(
        (of("done").last().unwrap()["done"].as_u64(), &of("stopped")[0]["why"]),
        (Some(4), &"complete".into())
    );
    let counts = of("moved").last().unwrap()["counts"].as_array().unwrap().clone();
    assert_eq!(counts.iter().filter_map(serde_json::Value::as_u64).sum::<u64>(), 4);
    // What an earlier run played is told as found.
    let found = |event: &&serde_json::Value| event["event"] == "game" && event["is_new"] == false;
    assert_eq!(told(&[]).iter().filter(found).count(), 4);
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
fn killed_in_each_match_it_ends_with_the_table_of_an_undisturbed_run() {
    let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (killed, whole) = (killed.path(), whole.path());
    let file = FILE.replace("games = 9", "games = 1200").replace("games = 6", "games = 900");
    for cell in ["flat", "more"] {
        let mut command = command(killed, &file, &[]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let store = killed.join("out/small/sizes");
        let played = || {
            let store = Store::read(&store).ok()?;
            let matches = store.matches().ok()?;
            let planned = matches.iter().find(|planned| planned.name == cell)?;
            store.played(&planned.matchup, planned.games).ok()
        };
        while played().is_none_or(|played| played < 20) {
            assert!(run.try_wait().unwrap().is_none(), "the run ended too early");
            std::thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    assert!(run(killed, &file, &["--limit", "0"]).status.success());
    let rows = table(killed);
    let played: Vec<u64> = rows.iter().map(|row| row[11].parse().unwrap()).collect();
    assert_eq!(played[0], 1200);
    assert!((1..900).contains(&played[1]), "{played:?}");
    assert!(run(killed, &file, &[]).status.success());
    assert!(run(whole, &file, &[]).status.success());
    assert_eq!(table(killed), table(whole));
}

#[test]
fn a_table_that_counts_more_games_stays() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    assert_eq!(games(&run(dir, FILE, &[])), [9, 6]);
    let whole = table(dir);
    let elsewhere = run(dir, FILE, &["--limit", "4", "--out", "elsewhere"]);
    assert_eq!(games(&elsewhere), [4, 4]);
    let said = String::from_utf8_lossy(&elsewhere.stderr);
    assert!(said.contains("sizes.csv says more than this record and stays"), "{said}");
    assert_eq!(table(dir), whole);
}

#[test]
fn a_limit_of_nothing_checks_and_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(games(&run(dir.path(), FILE, &["--limit", "0"])), [0; 0]);
    assert!(!dir.path().join("out").exists() && !dir.path().join("results").exists());
    assert_eq!(run(dir.path(), &FILE.replace("flat-mc", "flat"), &["--limit", "0"]).status.code(), Some(2));
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
            "out/small/sizes holds results of other settings: more: a is uct,select.c=0.5,playouts=60 there and uct,select.c=0.6,playouts=60 here; repeat",
        ),
        ("games = 6", "games = 6\nseed = 7", "seed is 1 there and 7 here"),
        (
            "playouts=60",
            "playouts=61",
            "a is uct,select.c=0.5,playouts=60 there and uct,select.c=0.5,playouts=61 here",
        ),
        ("games = 6", "games = 6\nadjudicate = 0.1", "adjudicate is not set there and 0.1 here"),
        (
            "games = 6",
            "games = 6\nadjudicate = 0.5",
            "line 20: adjudicate: the threshold of adjudication is 0.5",
        ),
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
    let output = run(dir, FILE, &["--limit", "2"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("mast: it has 2 games there and is not asked for here"), "{message}");
    let changed = more.replace("c=0.5", "c=0.6").replace("games = 9", "games = 1");
    let output = run(dir, &changed, &["--limit", "0", "--changed"]);
    assert_eq!(games(&output), [1, 1], "of flat and mast the first game is the same");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("changed: flat: it has 2 games there and asks for 1 here"), "{message}");
    assert!(
        message.contains(
            "changed: more: a is uct,select.c=0.5,playouts=60 there and uct,select.c=0.6,playouts=60 here"
        ),
        "{message}"
    );
    let store = Store::read(&dir.join("out/small/sizes")).unwrap();
    let events = store.events().unwrap();
    let (_, _, detail) = events.iter().rfind(|(_, kind, _)| kind == "changed").unwrap();
    assert_eq!((detail["changes"].as_array().unwrap().len(), &detail["file_before"]), (3, &more.into()));
    assert_eq!(store.description().unwrap().unwrap().file, changed);
    assert_eq!(
        games(&run(dir, FILE, &["--limit", "2", "--changed"])),
        [2, 2],
        "and counts when it is asked for again"
    );
}

#[test]
fn matches_of_the_same_agents_share_their_games() {
    let dir = tempfile::tempdir().unwrap();
    let twice = format!("{FILE}\n[[match]]\nname = \"again\"\na = \"flat-mc\"\ngames = 12\n");
    assert_eq!(games(&run(dir.path(), &twice, &[])), [9, 6, 12]);
    let store = Store::read(&dir.path().join("out/small/sizes")).unwrap();
    assert_eq!(store.ids().unwrap().len(), 18);
}

#[test]
fn decided_games_end_early_unless_a_match_says_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    let game = FILE.replace("connect-four", "go:5").replace("flat-mc", "uct").replace("= 20\nb", "= 100\nb");
    let file = game.replace("games = 9", "games = 9\nadjudicate = 0.1");
    let file = file.replace("games = 6", "games = 6\nadjudicate = 0");
    let output = run(dir.path(), &file, &[]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let adjudicated = |i: usize| object["matches"][i]["adjudicated"].as_u64().unwrap();
    assert!(adjudicated(0) > 0 && adjudicated(1) == 0, "{object}");
}

#[test]
fn a_sequential_test_ends_a_match_where_its_pairs_decide() {
    let sprt = FILE.replace("games = 9", "games = 400\nsprt = [0, 200]").replace("flat-mc", "random");
    let decided = |dir: &Path, threads: &str| -> serde_json::Value {
        let output = run(dir, &sprt, &["--only", "flat", "--threads", threads]);
        let mut object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        object["matches"][0].take()
    };
    let (one, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (row, again) = (decided(one.path(), "1"), decided(three.path(), "3"));
    assert!(row["verdict"] == "elo0" && row["llr"].as_f64().unwrap() < -2.94, "{row}");
    assert!((10..200).contains(&row["games"].as_u64().unwrap()), "{row}");
    assert_eq!((&row["games"], &row["llr"]), (&again["games"], &again["llr"]), "on any number of threads");
    let played = |dir: &Path| Store::read(&dir.join("out/small/sizes")).unwrap().ids().unwrap().len();
    let before = played(three.path());
    assert_eq!(decided(three.path(), "3")["games"], row["games"]);
    assert_eq!(played(three.path()), before, "nothing is played after the decision");

    let other = sprt.replace("[0, 200]", "[0, 100]");
    let message = String::from_utf8(run(one.path(), &other, &["--only", "flat"]).stderr).unwrap();
    assert!(message.contains("flat: its sequential test is another one"), "{message}");
}

#[test]
fn games_may_begin_with_given_lines() {
    let lines = FILE
        .replace("connect-four", "tic-tac-toe")
        .replace("games = 9", "games = 5\nopenings = [\"b2 a1\", \"a1\"]");
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(games(&run(dir.path(), &lines, &["--only", "flat"])), [5]);
    let store = Store::read(&dir.path().join("out/small/sizes")).unwrap();
    let openings: Vec<String> =
        store.games().unwrap().iter().map(|(_, game)| game.opening.join(" ")).collect();
    assert_eq!(openings, ["b2 a1", "b2 a1", "a1", "a1", "b2 a1"]);
    for (from, to, expected) in [
        ("\"a1\"]", "\"z9\"]", "move 1, \"z9\", is not legal there"),
        ("[\"b2 a1\", \"a1\"]", "[]", "openings is empty"),
        ("games = 5", "games = 5\nsprt = [5, 0]", "the lower one first"),
    ] {
        let message = String::from_utf8(run(dir.path(), &lines.replace(from, to), &[]).stderr).unwrap();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_name_that_no_match_has_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), FILE, &["--only", "zzz"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("zzz") && message.contains("flat, more"), "{message}");
}

#[test]
fn decisions_are_counted_limited_and_resumed() {
    let file = r#"
kind = "decisions"
name = "small/trees"
trees = 30
simulations = [10, 50]
baseline = "mean"
setting = [{ name = "U", branching = 4, depth = 4, recipe = "uct", c = [0.7] }]
agent = [{ name = "mean" }, { name = "proving", parts = "solver=true" }]
"#;
    let dir = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| -> serde_json::Value {
        let output = run(dir.path(), file, more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(run(&["--limit", "4", "--only", "U-m"])["decisions"].as_array().unwrap().len(), 2);
    let object = run(&[]);
    let rows = object["decisions"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["trees"] == 30), "{object}");
    assert_eq!((&rows[3]["against"], &rows[1]["against"]), (&"U-mean-0.7".into(), &serde_json::Value::Null));
    assert_eq!(object["table"], "results/small/trees.csv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = command.current_dir(dir.path()).args(["run", "file.toml", "--limit", "0"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() == 4 && text.contains("30/30 trees") && text.contains("  z "), "{text}");
}

fn pool(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).current_dir(dir).arg("pool").args(args).output().unwrap()
}

#[test]
fn runs_with_other_seeds_are_pooled() {
    let dir = tempfile::tempdir().unwrap();
    let text = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let tables = ["1", "2", "3"].map(|seed| {
        let file = FILE.replace("game = ", &format!("seed = {seed}\ngame = "));
        // The third run has one of the matches alone.
        let only: &[&str] = if seed == "3" { &["--only", "more"] } else { &[] };
        let more = [&["--out", seed, "--results", seed], only].concat();
        assert!(run(dir.path(), &file, &more).status.success());
        format!("{seed}/small/sizes.csv")
    });
    let [one, two, three] = tables.each_ref().map(String::as_str);
    let pooled = pool(dir.path(), &[one, two, three]);
    assert!(pooled.status.success(), "{}", text(&pooled));
    let read = |table: &str| Table::read(&dir.path().join(table)).unwrap();
    std::fs::write(dir.path().join("all.csv"), &pooled.stdout).unwrap();
    let [all, one_rows, two_rows, three_rows] = ["all.csv", one, two, three].map(read);
    let count = |table: &Table, row, column| table.at(row, column).count().unwrap();
    let (flat, more) = (0, 1);
    assert_eq!((all.len(), count(&all, flat, "games"), count(&all, more, "games")), (2, 18, 18));
    assert_eq!((count(&all, more, "planned"), all.at(flat, "seed").text()), (6, "1+2"));
    assert_eq!(all.at(more, "seed").text(), "1+2+3");
    let wins = count(&one_rows, 1, "wins") + count(&two_rows, 1, "wins") + count(&three_rows, 0, "wins");
    assert_eq!(count(&all, more, "wins"), wins);
    let simulations = count(&one_rows, 0, "simulations_b") + count(&two_rows, 0, "simulations_b");
    assert_eq!(count(&all, flat, "simulations_b"), simulations);
    let games = ["losses", "draws", "wins"].map(|column| count(&all, flat, column));
    let [score, lo, hi] =
        ["score", "ci95_lo", "ci95_hi"].map(|column| all.at(flat, column).number().unwrap());
    let counts = tesuji_lab::stats::Counts::Games(games);
    assert!((score - counts.score()).abs() < 1e-6 && lo < score && score < hi);
    // In any order, in steps, and over one of the tables.
    let steps = pool(dir.path(), &[three, two, "--out", two]);
    assert!(steps.status.success() && steps.stdout.is_empty(), "{}", text(&steps));
    let again =
        tesuji_lab::pool([two, one].map(|table| dir.path().join(table)).iter().map(|p| &**p)).unwrap();
    let sorted = |table: &Table| {
        let mut lines: Vec<String> = table.csv().lines().skip(1).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again), sorted(&all));

    // No game counts twice, and other matches are none of the same name.
    let twice = pool(dir.path(), &[one, "all.csv"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice).contains("a seed would count twice"), "{}", text(&twice));
    let other = FILE.replace("flat-mc", "uct").replace("game = ", "seed = 4\ngame = ");
    assert!(run(dir.path(), &other, &["--out", "4", "--results", "4"]).status.success());
    let other = pool(dir.path(), &[one, "4/small/sizes.csv"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other).contains("match flat: a is \"flat-mc\" in one run"), "{}", text(&other));
    for (table, expected) in [
        ("name,a,b,game,wins,draws,losses\nx,a,b,go9,1,0,one\n", "CSV deserialize error: record 1"),
        ("race,arm,games,verdict\n1,x,64,discarded\n", "not a table of matches: it has no column name"),
    ] {
        std::fs::write(dir.path().join("broken.csv"), table).unwrap();
        let broken = pool(dir.path(), &["broken.csv"]);
        assert_eq!(broken.status.code(), Some(2));
        let message = text(&broken);
        assert!(message.contains("broken.csv: ") && message.contains(expected), "{message}");
    }
}
