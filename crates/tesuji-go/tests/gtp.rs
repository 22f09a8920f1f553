//! Whole sessions: the scripts in `tests/gtp`, random games on every size, and random lines.

mod common;

use common::{Randomly, session};
use proptest::prelude::*;
use std::cell::RefCell;
use std::io::Cursor;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;
use tesuji::{Bot, BotError, Mean, Search, SearchGame, Ucb, Uniform};
use tesuji_go::Komi;
use tesuji_go::engine::{Agents, AgentsOf, Engine, Options};
use tesuji_go::gtp::Session;

/// A script: lines after `> ` are sent, the lines between are the response, without the empty one
/// at its end.
#[test]
fn scripts_get_their_answers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gtp");
    std::env::set_current_dir(folder).unwrap();
    let mut scripts = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "gtp") {
            continue;
        }
        let mut session = session(9);
        let mut expected = String::new();
        let mut got = String::new();
        let mut asked = "";
        let script = std::fs::read_to_string(&path).unwrap();
        for line in script.lines() {
            if let Some(command) = line.strip_prefix("> ") {
                assert_eq!(got.trim_end(), expected.trim_end(), "{}: after `{asked}`", path.display());
                asked = command;
                got = session.execute(command);
                expected.clear();
            } else {
                expected.push_str(line);
                expected.push('\n');
            }
        }
        assert_eq!(got.trim_end(), expected.trim_end(), "{}: after `{asked}`", path.display());
        scripts += 1;
    }
    assert!(scripts >= 4, "{scripts} scripts found");
}

/// The text after `= `.
fn ask(session: &mut Session, command: &str) -> String {
    let response = session.execute(command);
    let text = response.strip_prefix('=').unwrap_or_else(|| panic!("`{command}` got {response}"));
    text.trim().to_owned()
}

struct Uct {
    own_komi: Option<Komi>,
}

impl Agents for Uct {
    fn name(&self, _: usize) -> String {
        "uct".into()
    }

    fn own_komi(&self, _: usize) -> Option<Komi> {
        self.own_komi
    }
}

impl<G: SearchGame + 'static> AgentsOf<G> for Uct {
    fn agent(&self, start: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError> {
        let options = tesuji::Options { reuse: true, ..tesuji::Options::default() };
        let search = Search::new(start, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, seed);
        Ok(Box::new(search.expect("these parts go together")))
    }
}

/// White's stone on A4 is dead, and both have passed.
fn disputed(komi: &str) -> Session {
    let options = Options { playouts: Some(300), ..Options::default() };
    let mut session = Session::new(Engine::new(Uct { own_komi: None }, 5, options).unwrap());
    ask(&mut session, &format!("komi {komi}"));
    let black = ["B", "C"].iter().flat_map(|column| (1..=5).map(move |row| format!("b {column}{row}")));
    let white = (1..=5).map(|row| format!("w D{row}"));
    let stones: Vec<String> = black.chain(white).chain(["b A2".into(), "w A4".into()]).collect();
    ask(&mut session, &format!("gogui-setup {}", stones.join(" ")));
    session
}

#[test]
fn dead_stones_are_captured_before_a_pass_in_cleanup() {
    let mut session = disputed("0");
    ask(&mut session, "play w pass");
    let mut captured = false;
    for _ in 0..10 {
        if ask(&mut session, "kgs-genmove_cleanup b") == "pass" {
            break;
        }
        captured |= ask(&mut session, "is_legal b A4") == "1";
        ask(&mut session, "play w pass");
    }
    assert!(captured, "{}", ask(&mut session, "showboard"));
}

#[test]
fn by_agreement_a_search_looks_beyond_the_pass() {
    let mut session = disputed("3");
    ask(&mut session, "kgs-rules japanese");
    ask(&mut session, "play b pass");
    ask(&mut session, "genmove w");
    let tried = session.engine().last_report().map_or(0, |report| report.children.len());
    assert!(tried > 1, "{tried} moves tried");
}

#[test]
fn a_pass_changes_nothing_about_dead_stones() {
    // White's chain has one eye of four points.
    let stones = "w A3 w B3 w C3 w C2 w C1 b A4 b B4 b C4 b D4 b D3 b D2 b D1 b B5 b E2";
    for before in ["gogui-setup_player w", "play b pass"] {
        let mut session = Session::new(uct(5, Some(10)));
        ask(&mut session, &format!("gogui-setup {stones}"));
        ask(&mut session, before);
        assert_eq!(ask(&mut session, "final_status_list dead"), "A3 B3 C1 C2 C3", "{before}");
    }
}

#[test]
fn a_tree_that_is_kept_bears_that_moves_are_taken_back() {
    let mut session = Session::new(uct(5, Some(100)));
    let m = ask(&mut session, "genmove b");
    ask(&mut session, "undo");
    ask(&mut session, &format!("play b {m}"));
    assert_ne!(ask(&mut session, "genmove w"), m);
}

#[test]
fn two_passes_of_one_player_do_not_end_the_game() {
    let mut session = session(5);
    ask(&mut session, "play b pass");
    ask(&mut session, "play b pass");
    assert!(!session.engine().is_over());
    ask(&mut session, "play w pass");
    assert!(session.engine().is_over());
}

#[test]
fn random_games_end_on_every_size() {
    for size in 2..=19 {
        let mut session = session(size);
        let mut other = common::session(size);
        let mut boards = Vec::new();
        let mut passes = 0;
        let mut moves = 0;
        while passes < 2 {
            let colour = if moves % 2 == 0 { "b" } else { "w" };
            boards.push(ask(&mut session, "showboard"));
            let vertex = ask(&mut session, &format!("genmove {colour}"));
            assert_ne!(vertex, "resign");
            assert_eq!(ask(&mut other, &format!("is_legal {colour} {vertex}")), "1");
            ask(&mut other, &format!("play {colour} {vertex}"));
            passes = if vertex == "pass" { passes + 1 } else { 0 };
            moves += 1;
            assert!(moves < 6 * size * size + 20, "no end on {size}x{size}");
        }
        let result = ask(&mut session, "gogui-rules_final_result");
        assert!(result == "0" || result.starts_with(['B', 'W']), "{result}");
        let record = ask(&mut session, "printsgf");
        assert_eq!(record, ask(&mut other, "printsgf"));
        let file = std::env::temp_dir().join(format!("tesuji-{}-{size}.sgf", std::process::id()));
        std::fs::write(&file, &record).unwrap();
        ask(&mut other, &format!("loadsgf {}", file.display()));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(ask(&mut other, "showboard"), ask(&mut session, "showboard"));
        for board in boards.iter().rev() {
            assert_eq!(ask(&mut session, "undo"), "");
            assert_eq!(ask(&mut session, "showboard"), *board);
        }
        assert!(session.execute("undo").starts_with("? cannot undo"));
    }
}

/// A command of every kind, with arguments that may fit.
fn line() -> impl Strategy<Value = String> {
    let name = prop::sample::select(Session::commands().filter(|c| *c != "printsgf").collect::<Vec<_>>());
    let word = prop::sample::select(vec![
        "b",
        "w",
        "pass",
        "A1",
        "B2",
        "C3",
        "J9",
        "T19",
        "0",
        "1",
        "2",
        "3",
        "9",
        "-1",
        "7.5",
        "nan",
        "1e30",
        "dead",
        "seki",
        "byoyomi",
        "canadian",
        "ownership",
        "true",
        "maxmoves",
        "avoid",
        "allow",
        "A1,pass",
        "\t",
        "#",
        "é",
    ]);
    prop_oneof![
        (name, prop::collection::vec(word, 0..5))
            .prop_map(|(name, words)| format!("{name} {}", words.join(" "))),
        prop::collection::vec(any::<u8>(), 0..40)
            .prop_map(|b| String::from_utf8_lossy(&b).replace('\n', " ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_command_gets_one_response(lines in prop::collection::vec(line(), 1..40)) {
        let mut session = session(5);
        for line in &lines {
            let response = session.execute(line);
            if tesuji_go::gtp::Command::parse(line).is_none() {
                prop_assert_eq!(response, "");
            } else {
                prop_assert!(response.starts_with(['=', '?']), "{:?}: {:?}", line, response);
                prop_assert_eq!(response.find("\n\n"), Some(response.len() - 2), "{:?}: {:?}", line, response);
            }
        }
    }
}

#[test]
fn a_session_ends_with_its_input_or_quit() {
    let mut output = Vec::new();
    let input = "1 name\r\n\r\n# nothing\n2 quit\n3 name\n";
    session(9).run(Cursor::new(input), &mut output).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), "=1 tesuji\n\n=2\n\n");
    let mut output = Vec::new();
    session(9).run(Cursor::new("5 lz-analyze 10\n6 name\n7 kata-analyze w 10"), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let [first, second, third] = output.trim_end().split("\n\n").collect::<Vec<_>>()[..] else {
        panic!("{output}");
    };
    assert!(first.starts_with("=5\ninfo move "), "{first}");
    assert_eq!(second, "=6 tesuji");
    assert!(third.starts_with("=7\ninfo move "), "{third}");
}

#[test]
fn a_hopeless_game_is_resigned_and_a_new_beginning_gives_new_hope() {
    let options = Options { resign: Some(0.6), resign_after: 0.0, judge_playouts: 60, ..Options::default() };
    let mut session = Session::new(Engine::new(Randomly { moves: u32::MAX }, 9, options).unwrap());
    let mut moves = |between: &str| {
        (0..2).for_each(|_| assert_ne!(ask(&mut session, "genmove b"), "resign"));
        if !between.is_empty() {
            ask(&mut session, between);
            assert_ne!(ask(&mut session, "genmove b"), "resign", "after {between}");
            ask(&mut session, "clear_board");
        }
    };
    moves("undo");
    moves("gogui-setup w J9");
    moves("");
    assert_eq!(ask(&mut session, "genmove b"), "resign");
    assert!(ask(&mut session, "printsgf").contains("RE[W+R]"));
    assert!(ask(&mut session, "tesuji-visits").contains("value 0.5"), "the search that led to it");
    ask(&mut session, "undo");
    assert!(!ask(&mut session, "printsgf").contains("RE["));
}

#[test]
fn a_resignation_leaves_no_search() {
    let mut session = Session::new(Engine::new(Randomly { moves: 1 }, 9, Options::default()).unwrap());
    ask(&mut session, "reg_genmove w");
    ask(&mut session, "tesuji-visits");
    assert_eq!(ask(&mut session, "reg_genmove w"), "resign");
    assert!(!ask(&mut session, "printsgf").contains("RE["), "nobody has resigned yet");
    assert_eq!(ask(&mut session, "genmove w"), "resign");
    assert!(ask(&mut session, "printsgf").contains("RE[B+R]"));
    assert!(session.execute("tesuji-visits").starts_with("? nothing"));
    assert_eq!(ask(&mut session, "gomill-explain_last_move"), "the agent resigns");
}

#[test]
fn seeds_are_kept() {
    let game = || {
        let mut session = session(7);
        ask(&mut session, "clear_board");
        (0..20).map(|i| ask(&mut session, ["genmove b", "genmove w"][i % 2])).collect::<Vec<_>>()
    };
    assert_eq!(game(), game());
}

/// A line of the log for each warning.
fn logged(engine: Engine) -> (Session, Rc<RefCell<Vec<String>>>) {
    let lines = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&lines);
    (Session::new(engine).with_log(move |line| log.borrow_mut().push(line.to_owned())), lines)
}

fn uct(size: usize, playouts: Option<u64>) -> Engine {
    let options = Options { playouts, ..Options::default() };
    Engine::new(Uct { own_komi: None }, size, options).unwrap()
}

#[test]
fn the_end_of_the_input_ends_a_search_unless_quit_follows() {
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || {
        let mut output = Vec::new();
        let mut session = Session::new(uct(9, None));
        session.run(Cursor::new("1 genmove b\n2 genmove w\n"), &mut output).unwrap();
        sender.send(String::from_utf8(output).unwrap()).unwrap();
    });
    let output = ended.recv_timeout(Duration::from_secs(300)).expect("nobody waits for these moves");
    assert!(output.starts_with("=1 ") && output.contains("\n=2 "), "{output}");

    let mut session = Session::new(uct(9, Some(300)));
    session.run(Cursor::new("genmove b\nquit\n"), &mut Vec::new()).unwrap();
    assert_eq!(session.engine().last_report().unwrap().simulations, 300);
}

#[test]
fn a_record_takes_memory_in_proportion_to_its_length() {
    let taken = |passes: usize| {
        let file = std::env::temp_dir().join(format!("tesuji-{}-{passes}-passes.sgf", std::process::id()));
        std::fs::write(&file, format!("(;SZ[19]{})", ";B[];W[]".repeat(passes / 2))).unwrap();
        let mut session = session(19);
        let info = allocation_counter::measure(|| {
            ask(&mut session, &format!("loadsgf {}", file.display()));
        });
        std::fs::remove_file(&file).unwrap();
        assert_eq!(session.engine().moves().len(), passes);
        info.bytes_total
    };
    let (short, long) = (taken(2000), taken(8000));
    assert!(long < 6 * short, "{short} bytes for 2000 passes, {long} for 8000");
}

#[test]
fn a_judgement_that_is_cut_short_is_that_of_playouts() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gtp/doubtful.sgf");
    for seed in 0..3 {
        let options = Options { seed, ..Options::default() };
        let mut session = Session::new(Engine::new(Uct { own_komi: None }, 9, options).unwrap());
        let mut output = Vec::new();
        // Nobody waits for the answer, so the searches stop.
        session.run(Cursor::new(format!("loadsgf {file}\nfinal_score\n")), &mut output).unwrap();
        let engine = session.engine();
        let area = f64::from(engine.judge().area()) - 0.5;
        let expected = format!("= {}{}\n", if area > 0.0 { "B+" } else { "W+" }, area.abs());
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains(&expected), "{expected} is not in {output}");
    }
}

#[test]
fn a_repetition_in_a_record_is_a_warning() {
    let (mut session, log) = logged(uct(5, Some(10)));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gtp/superko.sgf");
    ask(&mut session, &format!("loadsgf {file}"));
    let log = log.borrow();
    let [line] = &log[..] else { panic!("{log:?}") };
    assert!(line.starts_with("tesuji: warning: ") && line.contains("superko.sgf: line 2, column"), "{line}");
    assert!(line.contains("move 9 (D3) repeats an earlier position"), "{line}");
    drop(log);
    // The way back leads through it.
    let boards: Vec<String> = (0..3)
        .map(|_| {
            ask(&mut session, "undo");
            ask(&mut session, "gogui-rules_board")
        })
        .collect();
    assert_eq!(boards[2].lines().nth(2).unwrap(), ". X . . O");
}

#[test]
fn a_repetition_by_the_opponent_is_a_warning() {
    let (mut session, log) = logged(uct(5, Some(10)));
    ask(&mut session, "gogui-setup b A2 b B2 w B1 w C2 w D1");
    ask(&mut session, "gogui-play_sequence w A1 b C1 w B1");
    let line = "tesuji: warning: B1 repeats an earlier position; it was played all the same";
    assert_eq!(*log.borrow(), [line]);
}

#[test]
fn faults_of_a_file_are_warnings() {
    for (file, expected) in [
        (
            "faults",
            &[
                "line 2, column 18: the text after a game is no game",
                "line 1, column 3: GM[] is not the number of a game; the game is Go",
                "line 1, column 11: CA[klingon] is not a known charset; the file is read as UTF-8, or else as \
                 Latin-1",
                "line 1, column 7: SZ[] is not the size of a board; it is 19x19",
                "line 1, column 22: KM[5.5 points] is not a komi such as 6.5; it is 5.5",
                "line 1, column 36: HA[x] is not a number of stones; it is left out",
                "line 1, column 41: PL[] is not who is to move, B or W; it is left out",
            ][..],
        ),
        ("forced", &["line 1, column 19: move 1 (A5) is suicide; it is played all the same"]),
        ("twice", &["line 1, column 18: KM[3.75] is not a komi such as 6.5; it is 3.5"]),
        ("stones", &[]),
    ] {
        let (mut session, log) = logged(uct(5, Some(10)));
        let file = format!("{}/tests/gtp/{file}.sgf", env!("CARGO_MANIFEST_DIR"));
        ask(&mut session, &format!("loadsgf {file}"));
        let expected: Vec<String> =
            expected.iter().map(|f| format!("tesuji: warning: {file}: {f}")).collect();
        assert_eq!(*log.borrow(), expected);
    }
}

#[test]
fn what_is_no_file_is_not_read() {
    let mut session = session(9);
    let said = session.execute("loadsgf /dev/zero");
    assert_eq!(said, "? cannot load file: /dev/zero: this is not a regular file\n\n");
    // A file of 1 TB that takes no room.
    let file = std::env::temp_dir().join(format!("tesuji-large-{}.sgf", std::process::id()));
    std::fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    let said = session.execute(&format!("loadsgf {}", file.display()));
    std::fs::remove_file(&file).unwrap();
    assert!(said.contains("it has 1099511627776 bytes; accepted: at most 4194304"), "{said}");
}

#[test]
fn an_agent_that_does_not_see_the_komi_says_so_once() {
    let agents = Uct { own_komi: Some("7.5".parse().unwrap()) };
    let options = Options { playouts: Some(5), ..Options::default() };
    let (mut session, log) = logged(Engine::new(agents, 5, options).unwrap());
    for (command, lines) in [
        ("genmove b", 0),
        ("komi 6.5", 0),
        ("genmove w", 1),
        ("lz-analyze b", 1),
        ("genmove b", 1),
        ("komi 0", 1),
        ("genmove w", 2),
        ("komi 7.5", 2),
        ("genmove b", 2),
        ("komi 0", 2),
        ("clear_board", 2),
        ("kata-genmove_analyze b", 3),
        ("genmove w", 3),
    ] {
        ask(&mut session, command);
        assert_eq!(log.borrow().len(), lines, "after {command}: {:?}", log.borrow());
    }
    let line = &log.borrow()[0];
    assert!(
        line.contains("komi is 6.5") && line.contains("with komi 7.5") && line.starts_with("tesuji: "),
        "{line}"
    );
}

/// A chain of nine black stones in column E, whose one liberty is at E5's right; who moves first
/// takes or saves it.
fn nine_in_atari(seed: u64, to_move: &str) -> Session {
    let options = Options { seed, ..Options::default() };
    let mut session = Session::new(Engine::new(Uct { own_komi: None }, 9, options).unwrap());
    let column = |player: &str, column: &str, hole: u32| -> Vec<String> {
        (1..=9).filter(|&row| row != hole).map(|row| format!("{player} {column}{row}")).collect()
    };
    let stones = [("b", "C", 5), ("w", "D", 0), ("b", "E", 0), ("w", "F", 5), ("b", "G", 9)];
    let stones: Vec<String> =
        stones.iter().flat_map(|&(player, name, hole)| column(player, name, hole)).collect();
    ask(&mut session, &format!("gogui-setup {}", stones.join(" ")));
    ask(&mut session, &format!("gogui-setup_player {to_move}"));
    session
}

#[test]
fn a_chain_in_atari_is_dead_if_the_opponent_moves() {
    for seed in 0..10 {
        let mut session = nine_in_atari(seed, "w");
        let dead = ask(&mut session, "final_status_list dead");
        assert!(dead.lines().any(|chain| chain.starts_with("E1 E2")), "seed {seed}: {dead}");
        assert!(ask(&mut session, "final_score").starts_with("W+"), "seed {seed}");
    }
}

#[test]
fn a_chain_in_atari_is_alive_if_its_owner_moves() {
    for seed in 0..10 {
        let mut session = nine_in_atari(seed, "b");
        let alive = ask(&mut session, "final_status_list alive");
        assert!(alive.lines().any(|chain| chain.starts_with("E1 E2")), "seed {seed}: {alive}");
        assert!(ask(&mut session, "final_score").starts_with("B+"), "seed {seed}");
    }
}

/// Races and dead shapes that share liberties as a seki does: stones, and the score with Black and
/// with White to move.
#[test]
fn what_only_looks_like_a_seki_is_searched() {
    let outside = "b C7 b D7 b E7 b B6 b E6 b B5 b E5 b F5 b G5 b H5 b J5";
    for (stones, scores) in [
        // A race, each with an outer liberty.
        (
            format!(
                "{outside} b B9 b C9 b D9 b B8 b A4 b B4 w F9 w A8 w C8 w D8 w E8 w F8 w H8 w A7 w B7 w F7 \
                 w A6 w F6 w G6 w H6 w J6"
            ),
            ["B+41.5", "B+21.5"],
        ),
        // A bulky five.
        (
            "b B8 b E9 b D7 b E8 b A6 b B6 b C6 b D6 b E7 b E6 b E5 b F5 b G5 b H5 b J5 w D9 w C8 w D8 w A7 \
             w B7 w C7 w F9 w F8 w H8 w F7 w F6 w G6 w H6 w J6"
                .into(),
            ["B+48.5", "B+26.5"],
        ),
        // An eye of three with a stone in the middle.
        (
            "w A8 w B8 w C8 w D8 w D9 w A3 w B3 w C3 w D3 w E3 w F3 w G3 w G4 w H4 w J4 b B9 b E9 b E8 b A7 \
             b B7 b C7 b D7 b E7 b E5 b F5"
                .into(),
            ["W+13.5", "W+13.5"],
        ),
    ] {
        for (player, score) in ["b", "w"].into_iter().zip(scores) {
            for seed in 0..3 {
                let options = Options { seed, ..Options::default() };
                let mut session = Session::new(Engine::new(Uct { own_komi: None }, 9, options).unwrap());
                ask(&mut session, "komi 0.5");
                ask(&mut session, &format!("gogui-setup {stones}"));
                ask(&mut session, &format!("gogui-setup_player {player}"));
                assert_eq!(ask(&mut session, "final_score"), score, "{player}, seed {seed}: {stones}");
            }
        }
    }
}
