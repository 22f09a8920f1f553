//! Training on games of files.

use std::path::Path;
use tesuji::Stop;
use tesuji_lab::{Event, Experiment, ExperimentOptions, LabError, Table, run_experiment};

fn text(dir: &Path, iterations: u64) -> String {
    format!(
        r#"
        kind = "train"
        name = "t"
        game = "go:5"
        iterations = {iterations}

        [sgf]
        directory = "{}"
        steps = 60

        [network]
        planes = 5
        filters = 8
        blocks = 1

        [learning]
        batch = 16
        held_out = 0.2
        "#,
        dir.join("games").display()
    )
}

/// Runs the file; gives the iterations and the lines that were told.
fn run(dir: &Path, out: &str, iterations: u64) -> Result<(Table, Vec<String>), LabError> {
    let experiment = Experiment::parse("t.toml", &text(dir, iterations))?;
    let options = ExperimentOptions {
        out: dir.join(out),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads: 1,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    };
    let mut lines = Vec::new();
    let report = run_experiment(&experiment, &options, &Stop::default(), &mut |state| {
        if let Event::Note(line) = state {
            lines.push(line.to_owned());
        }
    })?;
    Ok((report.results.tables[0].clone(), lines))
}

/// Games in which both players go along the first rows, each game from another point on, three of
/// them into a suicide; and files that are none.
fn write_games(dir: &Path) {
    let games = dir.join("games/below");
    std::fs::create_dir_all(&games).unwrap();
    let point =
        |n: usize| [n % 5, n / 5].map(|i| char::from(b'a' + (i % 5) as u8)).iter().collect::<String>();
    for i in 0..40 {
        let moves: String = (0..12)
            .map(|n| format!(";{}[{}]", if n % 2 == 0 { "B" } else { "W" }, point((i + n) % 15)))
            .collect();
        let winner = if i % 2 == 0 { "B+1" } else { "W+R" };
        std::fs::write(games.join(format!("{i}.sgf")), format!("(;SZ[5]KM[0.5]RE[{winner}]{moves})"))
            .unwrap();
    }
    for (name, content) in [
        ("broken.sgf", &b"(;SZ[5]RE[B+1];B[aa"[..]),
        ("bytes.sgf", &[0xff, 0, 0x80, 0x28]),
        ("large.SGF", b"(;SZ[19]RE[B+1];B[aa])"),
        ("void.sgf", b"(;SZ[5];B[aa];W[bb])(;SZ[5]RE[W+1];B[aa];W[bb])"),
        ("notes.txt", b"no game"),
    ] {
        std::fs::write(dir.join("games").join(name), content).unwrap();
    }
    // What has the name of a file and is a link to nothing.
    #[cfg(unix)]
    std::os::unix::fs::symlink("nothing", dir.join("games/link.sgf")).unwrap();
}

#[test]
fn moves_of_files_are_learnt() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    write_games(dir);
    let (results, lines) = run(dir, "out", 3).unwrap();
    let census = &lines[0];
    assert!(census.starts_with("38 games of 45 files"), "{census}");
    for skipped in [
        "; left out: 3 an illegal move (",
        ", 1 another board (large.SGF, game 1: ",
        ", 2 broken (broken.sgf, game 1: ",
        ", 1 no result (void.sgf, game 1: ",
        ", 1 unreadable (link.sgf: ",
    ] {
        assert!(census.contains(skipped), "{census}");
    }
    let (first, last) = (0, results.len() - 1);
    let at = |row: usize, column: &str| results.at(row, column).number().unwrap();
    assert_eq!((at(last, "steps"), at(last, "games")), (180.0, 0.0));
    assert!(at(last, "policy_loss") < at(first, "policy_loss") && at(last, "top1") > 0.2, "{results:?}");
    assert!(at(last, "held_out") > 0.0);

    // In two runs the same comes out.
    run(dir, "parts", 1).unwrap();
    let (parts, _) = run(dir, "parts", 3).unwrap();
    for column in ["policy_loss", "held_out_value_loss"] {
        assert_eq!(parts.numbers(column), results.numbers(column));
    }

    // Other files are another training.
    std::fs::remove_file(dir.join("games/below/7.sgf")).unwrap();
    let error = run(dir, "parts", 4).unwrap_err().to_string();
    assert!(error.contains("not those that 3 iterations learned from: 38 games of 45 files"), "{error}");
}

#[test]
fn a_directory_without_games_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = run(dir.path(), "out", 1).unwrap_err().to_string();
    assert!(error.contains("sgf.directory") && error.contains("games"), "{error}");
    std::fs::create_dir(dir.path().join("games")).unwrap();
    let error = run(dir.path(), "out", 1).unwrap_err().to_string();
    assert!(error.contains("no game to train on: 0 games of 0 files"), "{error}");
}
