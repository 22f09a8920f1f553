//! Matches with engines of someone else: disputed results, forfeits that are void, engines that are
//! slow or say nothing.

#![cfg(unix)]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tesuji_lab::stats::agresti_coull;
use tesuji_lab::store::{Ending, Store};

/// An engine in shell that always passes. In the Nth game of its process (`$1`) it does `$2`
/// instead of a move, or, if that is `dispute`, calls the game its own in the end; it has no
/// opinion on others.
const PASSER: &str = r#"
n=0
while read id name rest; do
    answer=
    case $name in
    clear_board) n=$((n + 1)) ;;
    known_command) case $rest in final_score) answer=true ;; *) answer=false ;; esac ;;
    genmove)
        case $rest in b) own=B ;; *) own=W ;; esac
        if [ $n = $1 ]; then
            case $2 in
            crash) [ -e healthy ] || { echo "disk full" >&2; exit 3; } ;;
            sleep) sleep 100 ;;
            esac
        fi
        answer=pass ;;
    final_score)
        if [ "$n $2" = "$1 dispute" ]; then answer=$own+9; else echo "?$id cannot score"; echo; continue; fi ;;
    esac
    echo "=$id $answer"
    echo
done
"#;

fn command(dir: &Path, fault: &str, more: &[&str]) -> Command {
    std::fs::write(dir.join("passer.sh"), PASSER).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["match", "uct", &format!("gtp:sh passer.sh {fault}"), "--game", "go:3"]);
    command.args(["--komi", "0.5", "--playouts", "50", "--threads", "1", "--out", "record"]);
    if !more.contains(&"--games") {
        command.args(["--games", "6"]);
    }
    command.args(more);
    command
}

fn play(dir: &Path, fault: &str, more: &[&str]) -> Output {
    command(dir, fault, more).output().expect("the binary runs")
}

fn json(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {message}"))
}

fn tesuji(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).current_dir(dir).args(args).output().unwrap()
}

#[test]
fn a_disputed_game_counts_as_it_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // The engine never moves, so that it loses every game on the board; of the first one it says
    // that White won.
    let expected = [("void", 4, 4, 1.0), ("board", 6, 6, 1.0), ("opponent", 6, 5, 5.0 / 6.0)];
    for (disputed, games, wins, score) in expected {
        let output = play(dir, "1 dispute", &["--json", "--disputed", disputed]);
        // The progress counts what the result does, whether games are played or found.
        let ci = agresti_coull(f64::from(wins), f64::from(games), 0.95);
        let last = format!("6/6 games, score {score:.3} in [{:.3}, {:.3}]", ci.lo, ci.hi);
        let progress = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(progress.contains(&last), "{progress}");
        let summary = json(&output);
        assert_eq!((&summary["games"], &summary["wins"]), (&games.into(), &wins.into()), "{summary}");
        assert_eq!((&summary["played"], &summary["disputes"]), (&6.into(), &1.into()));
        assert_eq!((&summary["disputed"], &summary["score"]), (&disputed.into(), &score.into()));
        for (key, score) in [("score_void", 1.0), ("score_board", 1.0), ("score_opponent", 5.0 / 6.0)] {
            assert_eq!(summary[key], score, "{key}");
        }
        let page = tesuji(dir, &["report", "record"]);
        let text = String::from_utf8_lossy(&page.stdout).into_owned();
        assert!(text.contains("1 games disputed by an engine"), "{text}");
    }
    // In the second game the engine is Black.
    let twin = tempfile::tempdir().unwrap();
    let summary = json(&play(twin.path(), "2 dispute", &["--json", "--disputed", "opponent"]));
    assert_eq!((&summary["wins"], &summary["score_opponent"]), (&5.into(), &(5.0 / 6.0).into()), "{summary}");
    // Nothing was played again, and the default is void.
    let output = play(dir, "1 dispute", &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    let headline = "6 games, seed 1\n  won 4, lost 0, drawn 0\n";
    assert!(text.contains(headline), "{text}");
    let disputed = "1 games disputed by an engine, they and their pairs count for nobody: score 1.000 without their pairs, \
                    1.000 by the board, 0.833 by the engine";
    assert!(text.contains(disputed), "{text}");
    assert_eq!(Store::read(&dir.join("record")).unwrap().games().unwrap().len(), 6);
}

#[test]
fn a_sequential_test_looks_past_disputed_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let more = ["--json", "--sprt", "0,400", "--games", "100"];
    let summary = json(&play(dir.path(), "1 dispute", &more));
    let pairs = summary["pairs"][4].as_u64().unwrap();
    assert!((3..40).contains(&pairs) && summary["games"] == 2 * pairs, "{summary}");
    assert_eq!(summary["played"], 2 * pairs + 2);
    assert_eq!(summary["sprt"]["verdict"], "elo1");
}

#[test]
fn a_forfeit_that_is_void_is_kept_and_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let summary = json(&play(dir, "2 crash", &["--json"]));
    // Each new process crashes in its second game.
    assert_eq!((&summary["forfeits_b"], &summary["games"]), (&3.into(), &6.into()), "{summary}");
    let list = tesuji(dir, &["forfeits", "record"]);
    let text = String::from_utf8_lossy(&list.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[3]), (4, "3 forfeited, 0 void"), "{text}");
    assert!(lines[0].contains("(exit code 3); it last wrote: disk full"), "{text}");
    let game = lines[0].split(' ').next().unwrap();

    for (name, words) in [("0000x", "is not a forfeited game"), (&game[..3], "does not name one game")] {
        let refused = tesuji(dir, &["forfeits", "record", "--void", name]);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && message.contains(words), "{message}");
    }
    let void = tesuji(dir, &["forfeits", "record", "--void", game, &game[..8]]);
    let text = String::from_utf8_lossy(&void.stdout).into_owned();
    assert!(text.contains("2 forfeited, 1 void") && text.contains("void since"), "{text}");
    let store = Store::read(&dir.join("record")).unwrap();
    assert_eq!((store.games().unwrap().len(), store.voided().unwrap().len()), (5, 1));
    assert!(store.events().unwrap().iter().any(|(_, kind, _)| kind == "game voided"));
    drop(store);
    let verified = tesuji(dir, &["verify", "record"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));

    std::fs::write(dir.join("healthy"), "").unwrap();
    let summary = json(&play(dir, "2 crash", &["--json"]));
    assert_eq!((&summary["forfeits_b"], &summary["games"]), (&2.into(), &6.into()), "{summary}");
    let listed = json(&tesuji(dir, &["forfeits", "record", "--json"]));
    assert_eq!(listed["voided"][0]["game"].as_str().unwrap().get(..12), Some(game));
    let store = Store::read(&dir.join("record")).unwrap();
    let (voided, games) = (store.voided().unwrap(), store.games().unwrap());
    let again = &games.iter().find(|(_, game)| game.id == voided[0].game.id).unwrap().1;
    assert_eq!((voided[0].game.ending, again.ending), (Ending::Forfeit, Ending::Rules));
    assert_eq!((again.seed, &again.opening), (voided[0].game.seed, &voided[0].game.opening));
}

#[test]
fn engines_that_say_nothing_are_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let args = ["match", "uct", "gtp:sleep 1000", "--game", "go:3", "--engine-handshake", "300ms"];
    let output = tesuji(dir, &args);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("`sleep 1000`") && message.contains("within 0.3 s"), "{message}");
    assert!(message.contains("--mode gtp"), "{message}");

    let summary = json(&play(dir, "1 sleep", &["--json", "--engine-move", "300ms", "--games", "1"]));
    assert_eq!(summary["forfeits_b"], 1, "{summary}");
    let games = Store::read(&dir.join("record")).unwrap().games().unwrap();
    let detail = games[0].1.detail.clone().unwrap();
    assert!(detail.contains("did not answer `genmove") && detail.contains("within 0.3 s"), "{detail}");

    let file = |engine: &str| {
        let text = format!(
            "kind = \"matches\"\nname = \"x\"\ngame = \"go:3\"\ngames = 2\nplayouts = 10\nengine = {engine}\n[[match]]\nname = \"1\"\n\
             a = \"uct\"\nb = \"gtp:sleep 1000\"\n"
        );
        std::fs::write(dir.join("file.toml"), text).unwrap();
        let output = tesuji(dir, &["run", "file.toml"]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let message = file("{ handshake = 0.3 }");
    assert!(message.contains("within 0.3 s"), "{message}");
    assert!(file("{ handshake = 0 }").contains("handshake is 0; accepted: seconds above 0"));
    assert!(file("{ move = \"x\" }").contains("file.toml: line 6"));
}

#[test]
fn time_beyond_the_clock_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // GTP counts whole seconds: an engine has one, though the match gives it less, and some time
    // more to answer.
    let slow = PASSER.replace("answer=pass", "sleep 1.2; answer=pass");
    std::fs::write(dir.join("slow.sh"), slow).unwrap();
    let args = ["match", "uct", "gtp:sh slow.sh 0 none", "--game", "go:3", "--time", "100ms", "--games", "2"];
    let summary = json(&tesuji(dir, &[&args[..], &["--json"]].concat()));
    let overtime = |side: &str, key: &str| summary[side][key].as_f64().unwrap();
    assert!(overtime("b_stats", "overtime_most") >= 1.1, "{summary}");
    assert!(overtime("b_stats", "overtime") >= overtime("b_stats", "overtime_most"));
    assert_eq!(summary["forfeits_b"], 0);
    let text = String::from_utf8_lossy(&tesuji(dir, &args).stdout).into_owned();
    assert!(text.contains("gtp:sh slow.sh 0 none: ") && text.contains(" s beyond its time limit"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn processor_time_of_both_sides_is_summed_over_runs() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let busy =
        PASSER.replace("answer=pass", "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; answer=pass");
    std::fs::write(dir.join("busy.sh"), busy).unwrap();
    let used = |opponent: &str, games: &str| {
        let args = ["match", "uct", opponent, "--game", "go:3", "--playouts", "50", "--out", opponent];
        let summary = json(&tesuji(dir, &[&args[..], &["--games", games, "--json"]].concat()));
        ["a_stats", "b_stats"].map(|side| summary[side]["processor_seconds"].as_f64())
    };
    let [a, b] = used("gtp:sh busy.sh 0 none", "2").map(Option::unwrap);
    let [more_a, more_b] = used("gtp:sh busy.sh 0 none", "4").map(Option::unwrap);
    assert!(0.0 < a && a < more_a && a < b && b < more_b, "{a} {b} {more_a} {more_b}");
    assert_eq!(used("random", "2"), [None, None]);
}

#[test]
fn a_run_warns_of_what_a_file_executes() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::write(dir.join("passer.sh"), PASSER).unwrap();
    let text = "kind = \"round-robin\"\nname = \"x\"\ngame = \"go:3\"\ngames = 2\nplayouts = 10\n\
                agents = [\"uct\", \"random\", \"gtp:sh passer.sh 0 none\"]\n";
    std::fs::write(dir.join("file.toml"), text).unwrap();
    let output = tesuji(dir, &["run", "file.toml"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    assert!(message.starts_with("x executes these programs:\n  sh passer.sh 0 none\n"), "{message}");
    assert_eq!(message.matches("executes").count(), 1);
    std::fs::write(dir.join("file.toml"), text.replace(", \"gtp:sh passer.sh 0 none\"", "")).unwrap();
    let output = tesuji(dir, &["run", "file.toml", "--changed"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("executes"));
}

#[test]
fn only_a_run_starts_engines_and_names_them_first() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let is_started = || std::fs::remove_file(dir.join("started")).is_ok();
    let race = "kind = \"race\"\nname = \"x\"\ngame = \"go:3\"\nplayouts = 5\nbase = \"random\"\nfresh = 2\n\
                race = { rule = \"betting\", most = 64 }\n[[arm]]\nname = \"1\"\nagent = \"gtp:sh passer.sh\"\n";
    let tuning = "kind = \"tuning\"\nname = \"x\"\ngame = \"go:3\"\nplayouts = 5\nevaluations = 1\ngames = 2\n\
                  base = \"gtp:sh passer.sh {c}\"\n[[parameter]]\nname = \"c\"\nkind = \"real\"\nlow = 0.0\nhigh = 1.0\n\
                  default = 0.5\n[[validation]]\nname = \"v\"\nagainst = \"random\"\ngames = 2\n";
    for (command, text) in [("race", race), ("tune", tuning)] {
        std::fs::write(dir.join("file.toml"), text).unwrap();
        // It dies before its first answer.
        std::fs::write(dir.join("passer.sh"), "touch started; exit 3").unwrap();
        let message = String::from_utf8_lossy(&tesuji(dir, &[command, "file.toml"]).stderr).into_owned();
        assert!(message.starts_with("x executes these programs:\n  sh passer.sh"), "{message}");
        assert!(message.contains("exit code 3") && is_started(), "{message}");

        std::fs::write(dir.join("passer.sh"), format!("touch started; set 0 none\n{PASSER}")).unwrap();
        let output = tesuji(dir, &[command, "file.toml"]);
        assert!(output.status.success() && is_started(), "{}", String::from_utf8_lossy(&output.stderr));
        for read in [&["verify", "out/x"][..], &["report", "out/x"], &["export", "out/x", "--format", "csv"]]
        {
            let output = tesuji(dir, read);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(!is_started(), "{read:?} of a {command} starts an engine");
        }
        std::fs::remove_dir_all(dir.join("out")).unwrap();
    }
}
