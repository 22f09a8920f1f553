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

/// Runs the command in a directory whose games are in `games`.
fn run(dir: &Path, network: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji-gpu"));
    command.current_dir(dir).args(["games", "--device", "cpu", "--network", network, "--batch", "16"]);
    command.args(["--report", "20", "--held-out", "0.2"]).args(args).output().unwrap()
}

const SMALL: [&str; 8] = ["--board", "5", "--planes", "5", "--filters", "8", "--blocks", "1"];

#[test]
fn training_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("games")).unwrap();
    write_games(&dir.path().join("games"));

    let args = [&SMALL[..], &["--steps", "70", "--then", "50=0.005"]].concat();
    let whole = run(dir.path(), "whole.safetensors", &args);
    let text = String::from_utf8(whole.stdout).unwrap();
    assert!(whole.status.success() && text.contains("1 broken"), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("step ")).collect();
    assert_eq!(lines.len(), 4, "{text}");
    let policy = |line: &str| -> f64 { line.split("policy ").nth(1).unwrap()[..5].parse().unwrap() };
    assert!(policy(lines[3]) < policy(lines[0]) - 0.3, "{text}");
    assert!(lines.iter().all(|line| line.contains("held out: policy")), "{text}");

    let part = run(dir.path(), "parts.safetensors", &[&SMALL[..], &["--steps", "30"]].concat());
    assert!(part.status.success());
    let rest = ["--steps", "70", "--then", "50=0.005", "--threads", "3"];
    assert!(run(dir.path(), "parts.safetensors", &rest).status.success());
    let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert!(read("whole.safetensors") == read("parts.safetensors"), "the same bits, stopped or not");

    let (trainer, notes) = Trainer::load(&dir.path().join("whole.safetensors"), Sgd::default()).unwrap();
    assert_eq!((trainer.steps(), notes["made by"].split(' ').next()), (70, Some("tesuji-gpu")));
    let mut evaluator = Evaluator::new(Network::new(trainer.parameters()).into());
    let mut logits = [0.0; 26];
    assert!(evaluator.evaluate(&[0.0; 125], &mut logits).is_finite());
}

#[test]
fn what_is_wrong_is_said() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("games")).unwrap();
    let net = dir.path().join("net.safetensors");
    let said = |args: &[&str], words: &str| {
        let output = run(dir.path(), "net.safetensors", args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(words), "{error}");
    };
    said(&SMALL, "games has no game to train on: 0 games of 0 files");
    said(&["--board", "20"], "board is 20, but must be 2 to 19");
    said(&["--rate", "0"], "rate is 0");
    said(&["--then", "5:1"], "accepted: a step and a rate");
    write_games(&dir.path().join("games"));
    assert!(run(dir.path(), "net.safetensors", &[&SMALL[..], &["--steps", "1"]].concat()).status.success());
    said(&["--blocks", "3"], "holds 5x5, 5 planes, 1 blocks of 8 filters");
    std::fs::write(net, "no network").unwrap();
    said(&SMALL, "net.safetensors: ");
}
