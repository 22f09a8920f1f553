//! Whatever interrupts a match with an engine of someone else, nobody forfeits, and the games are
//! those of an undisturbed run. `experiments/faults/interrupts.sh` does the same with GNU Go, a
//! hundred times for each kind.

#![cfg(unix)]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tesuji::Rng;
use tesuji_lab::store::{Ending, GameRow, Store};

const GAMES: u32 = 60;

/// An engine that always passes, not at once. It notes its process in a file, and whatever reaches
/// its group ends it.
const PASSER: &str = r#"
echo $$ > engine
while read id name rest; do
    answer=
    case $name in
    genmove) sleep 0.02; answer=pass ;;
    known_command) case $rest in final_score) answer=true ;; *) answer=false ;; esac ;;
    final_score) answer=W+9 ;;
    esac
    echo "=$id $answer"
    echo
done
"#;

/// A match with that engine, in a process group of its own.
fn start(dir: &Path) -> Child {
    std::fs::write(dir.join("engine.sh"), PASSER).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["match", "uct", "gtp:sh engine.sh", "--game", "go:5", "--playouts", "60", "--seed", "4"]);
    command.args(["--threads", "2", "--out", "record", "--games", &GAMES.to_string()]);
    command.current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().unwrap()
}

/// `kill` of the shell; false if there is no such process any more.
fn kill(signal: &str, process: &str) -> bool {
    let command = format!("kill -{signal} {process} 2>/dev/null");
    Command::new("sh").args(["-c", &command]).status().unwrap().success()
}

/// The games of a record in the order of their openings, without what the clock said and without
/// peaks, which depend on the games that a player played before.
fn games(dir: &Path) -> Vec<GameRow> {
    let Ok(store) = Store::read(&dir.join("record")) else { return Vec::new() };
    let timeless = |mut game: GameRow| {
        game.seconds = 0.0;
        for search in &mut game.searches {
            (search.seconds, search.nodes_peak, search.bytes_peak) = (0.0, 0, 0);
        }
        game
    };
    store.games().unwrap().into_iter().map(|(_, game)| timeless(game)).collect()
}

/// Waits until there are more games than before, or the run is over.
fn wait_for_a_game(run: &mut Child, dir: &Path, before: usize) {
    let begun = Instant::now();
    while games(dir).len() <= before && run.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(300), "no game is played");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn interrupts_cost_nothing() {
    let (disturbed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (disturbed, whole) = (disturbed.path(), whole.path());
    assert!(start(whole).wait().unwrap().success());
    let mut rng = Rng::new(7);
    let mut run = start(disturbed);
    for i in 0..15 {
        wait_for_a_game(&mut run, disturbed, games(disturbed).len());
        std::thread::sleep(Duration::from_millis(rng.below(60).into()));
        let group = format!("-{}", run.id());
        match i % 5 {
            0 => kill("INT", &group),
            1 => kill("TERM", &group),
            2 => kill("KILL", &run.id().to_string()),
            3 => {
                let engine = std::fs::read_to_string(disturbed.join("engine")).unwrap_or_default();
                kill("KILL", engine.trim())
            }
            _ => {
                kill("STOP", &group);
                std::thread::sleep(Duration::from_millis(1000));
                kill("CONT", &group)
            }
        };
        if i % 5 < 3 {
            run.wait().unwrap();
            run = start(disturbed);
        }
    }
    run.wait().unwrap();
    // Games of engines that were killed have failed; this run plays them.
    assert!(start(disturbed).wait().unwrap().success());
    let (disturbed, whole) = (games(disturbed), games(whole));
    let forfeits: Vec<_> = disturbed.iter().filter(|game| game.ending == Ending::Forfeit).collect();
    assert!(forfeits.is_empty(), "{forfeits:?}");
    assert_eq!(disturbed.len(), GAMES as usize);
    assert!(disturbed == whole, "the games are not those of the undisturbed run");
}

#[test]
fn a_pause_of_the_program_is_no_time_of_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // Each move takes a third of what an engine may take, the pause more than that.
    let slow = r#"while read id name rest; do
        answer=
        [ $name = genmove ] && { echo >> moves; sleep 0.5; answer=pass; }
        [ $name = known_command ] && answer=false
        echo "=$id $answer"; echo
    done"#;
    std::fs::write(dir.join("slow.sh"), slow).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["match", "random", "gtp:sh slow.sh", "--game", "go:3", "--games", "2", "--threads", "1"]);
    command.args(["--engine-move", "1500ms", "--longest", "8", "--out", "record"]);
    let mut run = command
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let moves = || std::fs::read(dir.join("moves")).map_or(0, |text| text.len());
    for pause in 1..=3 {
        while moves() < pause && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        kill("STOP", &run.id().to_string());
        std::thread::sleep(Duration::from_millis(2000));
        kill("CONT", &run.id().to_string());
    }
    assert!(run.wait().unwrap().success());
    let games = games(dir);
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.ending != Ending::Forfeit), "{games:?}");
}
