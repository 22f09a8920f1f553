//! The command, on the CPU.

use std::path::Path;
use std::process::{Command, Output};
use tesuji_net::{Evaluator, Network, Sgd, Trainer};

/// Games in which both players go along the first rows, each game from another point on; and a file
/// that is none.
fn write_games(dir: &Path) {
    let point =
        |n: usize| [n % 5, n / 5].map(|i| char::from(b'a' + (i % 5) as u8)).iter().collect::<String>();
    for i in 0..40 {
        let moves: String = (0..12)
            .map(|n| format!(";{}[{}]", if n % 2 == 0 { "B" } else { "W" }, point((i + n) % 15)))
            .collect();
        let winner = if i % 2 == 0 { "B+1" } else { "W+R" };
        let game = format!("(;SZ[5]KM[0.5]RE[{winner}]{moves})");
        std::fs::write(dir.join(format!("{i}.sgf")), game).unwrap();
    }
    std::fs::write(dir.join("broken.sgf"), "(;SZ[5]RE[B+1];B[aa").unwrap();
}

/// Writes an experiment file and runs the command with it.
fn run(dir: &Path, file: &str, network: &str, args: &[&str]) -> Output {
    std::fs::write(dir.join("experiment.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji-gpu"));
    command.current_dir(dir).args(["experiment.toml", "--device", "cpu", "--network", network]);
    command.args(args).output().unwrap()
}

/// A training on games of files.
fn records(iterations: u64, blocks: u64) -> String {
    format!(
        r#"
        kind = "train"
        name = "records"
        game = "go:5"
        iterations = {iterations}
        sgf = {{ directory = "games", steps = 10 }}
        network = {{ planes = 5, filters = 8, blocks = {blocks} }}
        learning = {{ batch = 16, held_out = 0.2, rate = {{ kind = "steps", rate = 0.02, then = [[50, 0.005]] }} }}
        "#
    )
}

/// The lines of iterations.
fn iterations(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter(|line| line.starts_with("iteration ")).map(str::to_owned).collect()
}

fn number(line: &str, after: &str) -> f64 {
    line.split(after).nth(1).unwrap().split([' ', ',', ':', ';']).next().unwrap().parse().unwrap()
}

#[test]
fn training_on_records_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("games")).unwrap();
    write_games(&dir.path().join("games"));

    let whole = run(dir.path(), &records(7, 1), "whole.safetensors", &[]);
    assert!(String::from_utf8_lossy(&whole.stdout).contains("1 broken"));
    let lines = iterations(&whole);
    assert_eq!(lines.len(), 7, "{lines:?}");
    let policy = |line: &String| number(line, ": policy ");
    assert!(policy(&lines[6]) < policy(&lines[0]) - 0.3, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("held out: policy")), "{lines:?}");

    iterations(&run(dir.path(), &records(3, 1), "parts.safetensors", &[]));
    iterations(&run(dir.path(), &records(7, 1), "parts.safetensors", &["--threads", "3"]));
    let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert!(read("whole.safetensors") == read("parts.safetensors"), "the same bits, stopped or not");

    let (trainer, notes) = Trainer::load(&dir.path().join("whole.safetensors"), Sgd::default()).unwrap();
    assert_eq!((trainer.steps(), notes["made by"].split(' ').next()), (70, Some("tesuji-gpu")));
    let mut evaluator = Evaluator::new(Network::new(trainer.parameters()).into());
    let mut logits = [0.0; 26];
    assert!(evaluator.evaluate(&[0.0; 125], &mut logits).is_finite());
}

/// A training by games of self-play on two boards that KataGo's network labels.
#[test]
fn a_pooling_network_learns_from_a_teacher() {
    let dir = tempfile::tempdir().unwrap();
    let teacher = std::env::current_dir().unwrap().join("../crates/tesuji-go/tests/katago/g170-b6c96.bin.gz");
    let file = |iterations: u64| {
        format!(
            r#"
            kind = "train"
            name = "distilled"
            game = "go:5"
            iterations = {iterations}
            games = 6
            network = {{ planes = 22, globals = 19, filters = 8, blocks = 2, policy_filters = 4, value_filters = 4 }}
            self_play = {{ simulations = 4, root = {{ kind = "gumbel", considered = 4 }}, longest = 20, boards = [[5, 2], [4, 1]], cache = 1 }}
            teacher = {{ file = {teacher:?} }}
            learning = {{ batch = 16, samples = 4, search_value = 1, average = 0.9, held_out = 0.2 }}
            "#
        )
    };
    let first = iterations(&run(dir.path(), &file(2), "net.safetensors", &[]));
    let path = dir.path().join("net.safetensors");
    // As `tesuji train` notes it.
    let (trainer, mut notes) = Trainer::load(&path, Sgd::default()).unwrap();
    notes.extend([("run".to_owned(), "a".to_owned()), ("checkpoint".to_owned(), "2".to_owned())]);
    trainer.save(&path, &notes).unwrap();
    let rest = iterations(&run(dir.path(), &file(3), "net.safetensors", &["--threads", "1"]));
    assert_eq!((first.len(), rest.len()), (2, 1), "{first:?} {rest:?}");
    assert!(first[0].starts_with("iteration 0: 6 games, ") && rest[0].starts_with("iteration 2: "));
    assert!(number(&rest[0], "step ") > number(&first[1], "step "), "{first:?} {rest:?}");
    let (trainer, notes) = Trainer::load(&path, Sgd::default()).unwrap();
    assert!(!notes.contains_key("run") && !notes.contains_key("checkpoint") && notes["komi"] == "7.5");
    assert_eq!((notes["games"].as_str(), trainer.mean().is_some()), ("18", true));
    assert!(trainer.is_finite());
    let none = iterations(&run(dir.path(), &file(9), "net.safetensors", &["--minutes", "0"]));
    assert!(none.is_empty());
}

#[test]
fn what_is_wrong_is_said() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("games")).unwrap();
    let net = dir.path().join("net.safetensors");
    let said = |file: &str, words: &str| {
        let output = run(dir.path(), file, "net.safetensors", &[]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(words), "{error}");
    };
    said(&records(1, 1), "games has no game to train on: 0 games of 0 files");
    said(&records(1, 1).replace("go:5", "go:20"), "a Go board has 2 to 19 lines");
    said(&records(1, 1).replace("0.02", "0.0"), "rate is 0");
    let other = r#"
        kind = "matches"
        name = "m"
        game = "go:5"
        b = "uct"
        playouts = 2
        match = [{ name = "m", a = "uct", games = 2 }]
        "#;
    said(other, "accepted: kind = \"train\"");
    write_games(&dir.path().join("games"));
    iterations(&run(dir.path(), &records(1, 1), "net.safetensors", &[]));
    said(&records(1, 3), "holds 5x5, 5 planes, 1 blocks of 8 filters");
    std::fs::write(net, "no network").unwrap();
    said(&records(1, 1), "net.safetensors: ");
}
