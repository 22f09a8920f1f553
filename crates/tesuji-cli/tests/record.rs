//! The record of a match: it resumes, it survives being killed, and the games follow from the seed.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tesuji_go::RuleSet;
use tesuji_lab::store::{Ending, GameRow, Store};

fn command(dir: &Path, games: u32, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["match", "uct", "flat-mc", "--game", "connect-four", "--playouts", "20", "--json"]);
    command.args(["--games", &games.to_string(), "--out"]).arg(dir).args(more);
    command
}

fn play(dir: &Path, games: u32, more: &[&str]) -> Output {
    command(dir, games, more).output().expect("the binary runs")
}

/// All games of a record, without what differs from run to run.
fn games(dir: &Path) -> Vec<GameRow> {
    let store = Store::read(dir).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    store.games().unwrap().into_iter().map(|(_, game)| game.reproducible()).collect()
}

#[test]
fn the_same_seed_gives_the_same_games_with_any_number_of_threads() {
    let (one, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(play(one.path(), 21, &["--threads", "1"]).status.success());
    assert!(play(three.path(), 21, &["--threads", "3"]).status.success());
    let played = games(one.path());
    assert_eq!(played.len(), 21);
    assert!(played[0].searches.len() > 3 && played[0].opening.len() == 3);
    assert_eq!(played, games(three.path()));
}

#[test]
fn the_same_command_plays_what_is_missing() {
    let (short, long) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(play(short.path(), 5, &[]).status.success());
    assert!(play(short.path(), 12, &[]).status.success());
    assert!(play(long.path(), 12, &[]).status.success());
    assert_eq!(games(short.path()), games(long.path()));
    let summary = std::fs::read_to_string(short.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["games"], 12);
}

#[test]
fn games_of_go_are_exported_as_sgf() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        ["match", "random", "flat-mc", "--game=go:5", "--komi=5.5", "--games=3", "--playouts=30", "--out"];
    let play =
        || Command::new(env!("CARGO_BIN_EXE_tesuji")).args(args).arg(dir.path()).output().unwrap().status;
    assert!(play().success());
    assert!(!dir.path().join("games").exists(), "a run writes no file a game");
    let read = |name: &str| sgf(dir.path(), name);
    let stored = games(dir.path());
    assert_eq!(stored.len(), 3);
    for (name, game) in ["00001-1.sgf", "00001-2.sgf", "00002-1.sgf"].into_iter().zip(&stored) {
        let text = read(name);
        let tree = &tesuji_go::sgf::parse(&text).unwrap().games[0];
        let (black, white) = if game.a_first { ("random", "flat-mc") } else { ("flat-mc", "random") };
        let value = |property| tree.node(0).get(property).unwrap().text();
        assert_eq!((value("PB").as_str(), value("PW").as_str(), value("KM").as_str()), (black, white, "5.5"));
        assert_eq!(value("RE"), game.result);
        assert_eq!(
            RuleSet::parse(&value("RU")),
            Some((RuleSet::TROMP_TAYLOR, false)),
            "no suicide was legal"
        );
        assert_eq!(tree.main_line().len(), game.moves.len() + 1);
    }
}

/// A game of the record as SGF.
fn sgf(dir: &Path, name: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    assert!(command.args(["export", "--format=sgf"]).arg(dir).output().unwrap().status.success());
    std::fs::read_to_string(dir.join("export/match").join(name)).unwrap()
}

/// Equal agents with enough playouts to know a decided game.
fn between_equals(dir: &Path, game: &str, games: u32, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["match", "uct", "uct", "--game", game, "--playouts", "150", "--json", "--games"]);
    command.arg(games.to_string()).args(more).arg("--out").arg(dir).output().expect("the binary runs")
}

#[test]
fn adjudicated_games_begin_like_those_played_out_and_mostly_have_their_winners() {
    let (whole, short, passes) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let adjudicate = ["--adjudicate", "0.05"];
    assert!(between_equals(whole.path(), "go:5", 30, &[]).status.success());
    let output = between_equals(short.path(), "go:5", 30, &adjudicate);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(between_equals(passes.path(), "go:5", 7, &adjudicate).status.success());
    assert!(between_equals(passes.path(), "go:5", 30, &adjudicate).status.success());
    let (whole, short) = (games(whole.path()), games(short.path()));
    assert_eq!(short, games(passes.path()));

    let (mut adjudicated, mut agree) = (0, 0);
    for (short, whole) in short.iter().zip(&whole) {
        assert!(whole.moves.starts_with(&short.moves) && whole.searches.starts_with(&short.searches));
        if short.ending == Ending::Adjudicated {
            assert!(short.moves.len() < whole.moves.len() && short.result.ends_with("+R"));
            adjudicated += 1;
            agree += u32::from(short.score_a == whole.score_a);
        } else {
            assert_eq!(
                (short.ending, &short.moves, &short.result),
                (whole.ending, &whole.moves, &whole.result)
            );
        }
    }
    assert_eq!(summary["adjudicated"], adjudicated);
    assert!(adjudicated >= 15 && agree * 10 >= adjudicated * 9, "{agree} of {adjudicated} agree");
}

#[test]
fn an_adjudicated_game_of_go_is_kept_as_resigned() {
    let dir = tempfile::tempdir().unwrap();
    let adjudicate = |x: &str| between_equals(dir.path(), "go:5", 2, &["--adjudicate", x]);
    assert!(adjudicate("0.2").status.success());
    let stored = games(dir.path());
    let game = stored.iter().find(|game| game.ending == Ending::Adjudicated).expect("5x5 is won by Black");
    let text = sgf(dir.path(), if game.a_first { "00001-1.sgf" } else { "00001-2.sgf" });
    assert!(text.contains(&format!("RE[{}]", game.result)) && text.contains("adjudicated"), "{text}");
    for (x, words) in
        [("0.1", "adjudicate is 0.2 there and 0.1 here"), ("0", "is 0.2 there and not set here")]
    {
        let output = adjudicate(x);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn another_experiment_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    assert!(play(dir.path(), 2, &[]).status.success());
    let output = play(dir.path(), 2, &["--seed", "5"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("seed is 1 there and 5 here"), "{message}");
}

/// Waits until a run has written a little.
fn wait_for_games(run: &mut Child, dir: &Path) {
    let written = || {
        let len = |file: &str| std::fs::metadata(dir.join(file)).map_or(0, |m| m.len());
        len("games.sqlite-wal") + len("games.sqlite")
    };
    let before = written();
    while written() < before + 20_000 {
        assert!(run.try_wait().unwrap().is_none(), "the run ended too early");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn interrupted_it_keeps_the_finished_games_and_says_how_to_resume() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), 1_000_000, &[]);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_games(&mut run, dir.path());
    let interrupt = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = run.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("the same command again plays the rest"), "{message}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["interrupted"], true);
    assert_eq!(summary["games"], games(dir.path()).len());
}

#[test]
fn killed_five_times_it_ends_with_the_games_of_an_undisturbed_run() {
    const GAMES: u32 = 3000;
    let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut finished: Vec<GameRow> = Vec::new();
    for _ in 0..5 {
        let mut command = command(killed.path(), GAMES, &["--threads", "2"]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for_games(&mut run, killed.path());
        run.kill().unwrap();
        run.wait().unwrap();
        let now = games(killed.path());
        assert!(finished.iter().all(|game| now.contains(game)), "a finished game is lost");
        assert!(now.len() < GAMES as usize);
        finished = now;
    }
    assert!(!finished.is_empty());
    assert!(play(killed.path(), GAMES, &[]).status.success());
    assert!(play(whole.path(), GAMES, &[]).status.success());
    assert_eq!(games(killed.path()), games(whole.path()));
}
