//! `tesuji tune`: values that another program computes, and what is refused.

use std::path::Path;
use std::process::{Command, Output};

const FILE: &str = r#"
kind = "tuning"
name = "valley"
evaluations = 10

[[parameter]]
name = "x"
kind = "real"
low = -1.0
high = 1.0
default = 0.9
"#;

fn tune(dir: &Path, file: &str, more: &[&str]) -> Output {
    std::fs::write(dir.join("file.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["tune", "file.toml"]).args(more).output().expect("the binary runs")
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn values_may_come_from_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..5 {
        let asked = json(&tune(dir.path(), FILE, &["--ask"]));
        assert_eq!((&asked["number"], asked["pending"].as_array().unwrap().len()), (&number.into(), 0));
        let x = asked["values"]["x"].as_f64().unwrap();
        assert!(number > 0 || x == 0.9);
        let told = [&number.to_string(), &(-(x - 0.2) * (x - 0.2)).to_string()].map(String::from);
        let output = tune(dir.path(), FILE, &["--tell", &told[0], &told[1], "--sd", "0.01"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let best = json(&tune(dir.path(), FILE, &["--json"]));
    assert_eq!(best["recommended"]["evaluations"], 5);
    assert!((best["recommended"]["values"][0].as_f64().unwrap() - 0.2).abs() < 0.5, "{best}");
}

#[test]
fn whoever_asks_waits_for_its_turn() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("out/valley");
    std::fs::write(dir.path().join("file.toml"), FILE).unwrap();
    std::fs::create_dir_all(&store).unwrap();
    let held = std::fs::File::create(store.join("lock")).unwrap();
    held.lock().unwrap();
    let ask = |_| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.current_dir(dir.path()).args(["tune", "file.toml", "--ask"]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().expect("the binary runs")
    };
    let mut asking: Vec<_> = (0..3).map(ask).collect();
    // Time enough to find the store in use, and to fail for it.
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(asking.iter_mut().all(|child| child.try_wait().unwrap().is_none()), "somebody did not wait");
    drop(held);
    let asked = asking.into_iter().map(|child| json(&child.wait_with_output().unwrap()));
    let mut numbers: Vec<u64> = asked.map(|asked| asked["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn what_is_refused_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let game = FILE.replace("evaluations", "game = \"hex:3\"\nbase = \"uct\"\nevaluations");
    for (file, more, expected) in [
        (FILE, &["--tell", "3", "0.5"][..], "there is no suggestion 3"),
        (FILE, &["--tell", "x", "0.5"][..], "\"x\" is not a number of a suggestion"),
        (
            &game.replace("name = \"x\"", "name = \"select.c\"").replace("-1.0", "0.0"),
            &["--ask"][..],
            "names a game",
        ),
        (&FILE.replace("kind = \"tuning\"", "kind = \"points\""), &[][..], "[[match]]"),
    ] {
        let output = tune(dir.path(), file, more);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{error}");
    }
}
