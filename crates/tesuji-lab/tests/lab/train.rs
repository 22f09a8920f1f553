//! Trainings: stopped anywhere and taken up again, refused, extended, measured.

use std::collections::BTreeMap;
use std::path::Path;
use tesuji::Stop;
use tesuji_lab::report::{PageOptions, Record};
use tesuji_lab::store::Store;
use tesuji_lab::{
    Event, Experiment, ExperimentOptions, Field, LabError, Results, UNREPRODUCIBLE, run_experiment, verify,
};
use tesuji_net::Parameters;

pub(super) const FILE: &str = r#"
    kind = "train"
    name = "t"
    game = "go:4"
    komi = 0.5
    seed = 5
    iterations = 3
    games = 12
    keep = 100

    [network]
    planes = 5
    filters = 4
    blocks = 1
    value_hidden = 8

    [self_play]
    simulations = 8
    root = { kind = "gumbel", considered = 4 }
    cache = 1

    [learning]
    batch = 16
    samples = 2.0
    window = 300
    held_out = 0.1
    threads = 2

    [evaluation]
    every = 2
    playouts = 8
    before = 2

    [[opponent]]
    name = "random"
    agent = "random"
    games = 4
"#;

fn options(dir: &Path, threads: usize) -> ExperimentOptions {
    ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    }
}

/// Runs the file, and stops when `stops` says so of what goes on and how much of it is done.
pub(super) fn run(
    dir: &Path,
    text: &str,
    threads: usize,
    stops: &mut dyn FnMut(&str, u64) -> bool,
) -> Result<Results, LabError> {
    let experiment = Experiment::parse("t.toml", text)?;
    let stop = Stop::default();
    let mut running = String::new();
    let report = run_experiment(&experiment, &options(dir, threads), &stop, &mut |state| {
        let done = match state {
            Event::Started { name, .. } => {
                running = name.to_owned();
                0
            }
            Event::Done(done) => done,
            _ => return,
        };
        if stops(&running, done) {
            stop.stop();
        }
    })?;
    Ok(report.results)
}

pub(super) fn never(_: &str, _: u64) -> bool {
    false
}

/// What does not depend on the clock.
pub(super) fn timeless(results: &Results) -> Vec<Vec<Field>> {
    let table = &results.tables[0];
    let is_kept = |i: &usize| !UNREPRODUCIBLE.contains(&&*table.columns()[*i].name);
    let row = |row: &Vec<Field>| (0..row.len()).filter(is_kept).map(|i| row[i].clone()).collect();
    table.rows().iter().map(row).collect()
}

pub(super) fn iterations(results: &Results) -> usize {
    results.tables[0].len()
}

/// The games of each checkpoint against each opponent and against the checkpoint before.
fn match_games(results: &Results) -> Vec<Vec<f64>> {
    let elo = results.table("elo").unwrap();
    let columns: Vec<usize> =
        (0..elo.columns().len()).filter(|&i| elo.columns()[i].name.starts_with("games_")).collect();
    elo.rows().iter().map(|row| columns.iter().map(|&i| row[i].number().unwrap()).collect()).collect()
}

/// The files of the networks.
pub(super) fn networks(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(dir.join("out/t/networks")).unwrap();
    let tensors = |path: &Path| {
        let (parameters, notes) = tesuji_net::Parameters::load(path).unwrap();
        let numbers = parameters.names().flat_map(|(name, _)| parameters.tensor(name).unwrap().to_vec());
        let bytes = numbers.flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        [format!("{notes:?}").into_bytes(), bytes].concat()
    };
    let file = |file: std::io::Result<std::fs::DirEntry>| {
        let file = file.unwrap();
        (file.file_name().into_string().unwrap(), tensors(&file.path()))
    };
    files.map(file).collect()
}

#[test]
fn a_training_is_taken_up_where_it_was_stopped() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (whole, parts) = (whole.path(), parts.path());
    let expected = run(whole, FILE, 2, &mut never).unwrap();
    assert_eq!(iterations(&expected), 3);

    // Before the first match, in self-play, in training, in a match of a checkpoint.
    let stops: [(&str, u64, usize); 6] = [
        ("0-random", 0, 0),
        ("self-play 0", 1, 0),
        ("training 0", 0, 0),
        ("self-play 1", 0, 1),
        ("training 1", 0, 1),
        ("2-random", 1, 2),
    ];
    for (name, done, learnt) in stops {
        let results = run(parts, FILE, 1, &mut |running, n| running == name && n >= done).unwrap();
        assert_eq!(iterations(&results), learnt, "{name}");
    }
    // As if killed after the file was written and before it was recorded.
    let stray = parts.join("out/t/networks/00003.safetensors");
    std::fs::write(&stray, "half of a file").unwrap();
    let resumed = run(parts, FILE, 3, &mut never).unwrap();
    assert_eq!(timeless(&resumed), timeless(&expected));
    // Hours of processor time stand in the third column.
    let elo = |results: &Results| {
        let row = |row: &Vec<Field>| [&row[..2], &row[3..]].concat();
        results.table("elo").unwrap().rows().iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(elo(&resumed)[0], elo(&expected)[0]);
    assert_eq!(elo(&resumed).len(), 2);
    assert_eq!(networks(parts), networks(whole));
    let kept: Vec<_> = networks(whole).into_keys().collect();
    assert_eq!(kept, ["00000.safetensors", "00002.safetensors", "00003.safetensors", "latest.safetensors"]);
    let table = std::fs::read_to_string(parts.join("results/t-elo.csv")).unwrap();
    assert!(
        table.lines().next().unwrap().ends_with("games_random,score_random,games_before,score_before"),
        "{table}"
    );

    // A run that has all does nothing, however often.
    assert_eq!(timeless(&run(parts, FILE, 1, &mut never).unwrap()), timeless(&expected));
    let page = Record::read(&parts.join("out/t")).unwrap().html(PageOptions::default()).unwrap();
    for text in ["Checkpoints", "Iterations", "Cross entropy", "self-play"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn what_was_done_may_not_change_and_what_comes_may() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let text = FILE.replace("iterations = 3", "iterations = 1");
    let first = run(dir, &text, 2, &mut never).unwrap();
    let refused = |text: &str| match run(dir, text, 2, &mut never) {
        Err(LabError::Input(message)) => message.to_string(),
        other => panic!("{other:?}"),
    };
    for (from, to, expected) in [
        ("batch = 16", "batch = 32", "learning.batch is 16 there and 32 here"),
        ("simulations = 8", "simulations = 9", "self_play.simulations is 8 there and 9 here"),
        ("games = 12", "games = 13", "games is 12 there and 13 here"),
        (
            "threads = 2",
            "threads = 2\n    rate = { kind = \"constant\", rate = 0.1 }",
            "learning.rate at step",
        ),
        ("name = \"random\"", "name = \"other\"", "is not asked for here"),
    ] {
        let message = refused(&text.replace(from, to));
        assert!(message.contains(expected), "{message}");
    }
    // Steps within an iteration count as well.
    let rate = "threads = 2\n    rate = { kind = \"steps\", rate = 0.1, then = [[1, 0.02]] }";
    let message = refused(&text.replace("threads = 2", rate));
    assert!(message.contains("learning.rate at step 0 was 0.02, here it is 0.1"), "{message}");
    // More iterations, more matches, another rate from a step on that was not taken.
    let steps = first.tables[0].at(0, "steps").count().unwrap();
    let rate =
        format!("threads = 2\n    rate = {{ kind = \"steps\", rate = 0.02, then = [[{steps}, 0.01]] }}");
    let more = FILE.replace("iterations = 3", "iterations = 2").replace("threads = 2", &rate)
        + "\n    [[opponent]]\n    name = \"uct\"\n    agent = \"uct,playouts=5\"\n    games = 2\n";
    let second = run(dir, &more, 2, &mut never).unwrap();
    assert_eq!(timeless(&second)[..1], timeless(&first)[..]);
    assert!((second.tables[0].at(1, "rate").number().unwrap() - 0.01).abs() < 1e-6);
    assert_eq!(match_games(&second), [[4.0, 2.0, 0.0], [4.0, 2.0, 2.0]], "the first checkpoint catches up");
    // Another name for the same opponent has the same games.
    let again = more.clone()
        + "\n    [[opponent]]\n    name = \"again\"\n    agent = \"uct,playouts=5\"\n    games = 2\n";
    let twice = run(dir, &again, 1, &mut never).unwrap();
    let elo = twice.table("elo").unwrap();
    for (row, games) in match_games(&twice).into_iter().enumerate() {
        let at = |column: &str| elo.at(row, column);
        assert_eq!((games[1], games[2]), (2.0, 2.0));
        assert_eq!(at("score_again"), at("score_uct"));
        assert!(at("elo_hi").number().unwrap() > at("elo").number().unwrap());
    }
    let more = again;
    // Without any checkpoint it cannot go on.
    for checkpoint in 0..=2 {
        std::fs::remove_file(dir.join(format!("out/t/networks/{checkpoint:05}.safetensors"))).unwrap();
    }
    let error = run(dir, &more.replace("iterations = 2", "iterations = 3"), 1, &mut never).unwrap_err();
    assert!(error.to_string().contains("00002.safetensors"), "{error}");
}

/// Whatever happens to the files of the latest networks, the next run makes them anew, with the
/// same bits.
#[test]
fn a_damaged_checkpoint_is_made_anew() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (whole, parts) = (whole.path(), parts.path());
    // The window is short: games that are learned from no more lose their targets.
    let text = FILE.replace("window = 300", "window = 150");
    let longer = text.replace("iterations = 3", "iterations = 4");
    for text in [&text, &longer] {
        run(whole, text, 2, &mut never).unwrap();
    }
    run(parts, &text, 2, &mut never).unwrap();
    let file = |name: &str| parts.join(format!("out/t/networks/{name}.safetensors"));
    let after = networks(parts);
    let newest = std::fs::read(file("00003")).unwrap();
    let mut flipped = newest.clone();
    flipped[newest.len() / 2] ^= 4;
    let cut = &newest[..newest.len() / 3];
    let damages: [&dyn Fn(); 6] = [
        &|| std::fs::remove_file(file("00003")).unwrap(),
        &|| std::fs::write(file("00003"), &flipped).unwrap(),
        &|| std::fs::write(file("00003"), cut).unwrap(),
        &|| assert!(std::fs::copy(file("00002"), file("00003")).unwrap() > 0),
        &|| std::fs::write(file("latest"), cut).unwrap(),
        &|| ["00003", "latest"].iter().for_each(|name| std::fs::remove_file(file(name)).unwrap()),
    ];
    for (number, damage) in damages.iter().enumerate() {
        damage();
        run(parts, &text, 2, &mut never).unwrap();
        assert!(networks(parts) == after, "damage {number}");
    }
    std::fs::write(file("00003"), cut).unwrap();
    let resumed = run(parts, &longer, 2, &mut never).unwrap();
    assert_eq!(timeless(&resumed), timeless(&run(whole, &longer, 2, &mut never).unwrap()));
    assert!(networks(parts) == networks(whole));

    // From checkpoint 0 it would need games that are left without their targets.
    for name in ["00002", "00003", "00004"] {
        std::fs::remove_file(file(name)).unwrap();
    }
    let error = run(parts, &longer, 1, &mut never).unwrap_err().to_string();
    assert!(
        error.contains("00004.safetensors") && error.contains("no longer has its training data"),
        "{error}"
    );
    assert!(error.contains("accepted: a copy of checkpoint 4 or 3"), "{error}");
}

#[test]
fn a_damaged_first_checkpoint_is_made_anew_before_anything_is_learnt() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    run(dir, FILE, 1, &mut |_, _| true).unwrap();
    let before = networks(dir);
    for name in ["00000", "latest"] {
        std::fs::write(dir.join(format!("out/t/networks/{name}.safetensors")), "half").unwrap();
    }
    run(dir, FILE, 1, &mut |_, _| true).unwrap();
    assert_eq!(networks(dir), before);
}

/// What was played after the directory is gone is lost, and no run says otherwise.
#[test]
fn a_directory_that_is_deleted_during_a_run_is_an_error() {
    for at in ["0-random", "self-play 1", "training 1"] {
        let dir = tempfile::tempdir().unwrap();
        let record = dir.path().join("out/t");
        let error = run(dir.path(), FILE, 1, &mut |running, _| {
            if running == at && record.exists() {
                std::fs::remove_dir_all(&record).unwrap();
            }
            false
        });
        let error = error.unwrap_err().to_string();
        // That of the store, or that of a network.
        assert!(error.contains("out/t/"), "{at}: {error}");
        assert!(!record.join("summary.json").exists());
    }
}

#[test]
fn networks_of_other_settings_are_not_lost() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let text = FILE.replace("iterations = 3", "iterations = 1");
    run(dir, &text, 2, &mut never).unwrap();
    let before = networks(dir);
    let experiment = Experiment::parse("t.toml", &text.replace("seed = 5", "seed = 6")).unwrap();
    let changed = ExperimentOptions { changed: true, ..options(dir, 1) };
    let error = run_experiment(&experiment, &changed, &Stop::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("a training with other settings"), "{error}");
    assert_eq!(networks(dir), before);
    // Nor if the first one is gone.
    std::fs::remove_file(dir.join("out/t/networks/00000.safetensors")).unwrap();
    let before = networks(dir);
    let error = run_experiment(&experiment, &changed, &Stop::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("a training with other settings"), "{error}");
    assert_eq!(networks(dir), before);
}

#[test]
fn matches_are_of_what_the_agent_holds() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let agent = dir.join("agent.toml");
    let recipe =
        |c: f64| format!("playouts = 5\nplayout = \"net\"\nselect = {{ kind = \"puct\", c = {c} }}\n");
    std::fs::write(&agent, recipe(0.5)).unwrap();
    let text = FILE
        .replace("iterations = 3", "iterations = 1")
        .replace("every = 2", &format!("every = 2\n    agent = {:?}", agent.display().to_string()));
    run(dir, &text, 2, &mut never).unwrap();
    let results = run(dir, &text, 2, &mut never).unwrap();
    assert_eq!(results.table("elo").unwrap().at(0, "match_games").count(), Some(4));
    let store = Store::read(&dir.join("out/t")).unwrap();
    let duel = &store.matches().unwrap()[0];
    assert_eq!(duel.summary(&store).unwrap().playouts_a, Some(5));
    std::fs::write(&agent, recipe(0.6)).unwrap();
    let error = run(dir, &text, 2, &mut never).unwrap_err().to_string();
    assert!(error.contains("c is 0.5 there and 0.6 here"), "{error}");
}

#[test]
fn the_latest_network_outlives_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    run(dir, FILE, 2, &mut never).unwrap();
    let mut before = networks(dir);
    let path = dir.join("out/t/networks/00000.safetensors");
    std::fs::write(&path, "no network").unwrap();
    let error = run(dir, FILE, 1, &mut never).unwrap_err().to_string();
    assert!(error.contains("00000.safetensors"), "{error}");
    std::fs::remove_file(&path).unwrap();
    before.remove("00000.safetensors");
    assert_eq!(iterations(&run(dir, FILE, 1, &mut never).unwrap()), 3);
    assert_eq!(networks(dir), before);
}

/// Elo while some have no games yet.
#[test]
fn whom_no_game_connects_has_no_rating() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let text = FILE.replace("before = 2", "before = 0")
        + "\n    [[opponent]]\n    name = \"uct\"\n    agent = \"uct,playouts=5\"\n    games = 2\n";
    let early = run(dir, &text, 1, &mut |running, _| running == "0-uct").unwrap();
    assert_eq!(early.json["opponents"].to_string(), r#"[["random",0.0],["uct",null]]"#);
    let elo = early.table("elo").unwrap();
    assert_eq!(elo.len(), 1);
    let [lo, hi] = ["elo_lo", "elo_hi"].map(|end| elo.at(0, end).number().unwrap());
    let width = hi - lo;
    assert!(width > 100.0 && width < 2000.0, "{elo:?}");
}

#[test]
fn a_directory_may_have_any_name() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("a,b={}");
    let results = run(&dir, &FILE.replace("iterations = 3", "iterations = 2"), 2, &mut never).unwrap();
    assert_eq!(match_games(&results).len(), 2);
    assert!(match_games(&results)[1].iter().all(|&games| games > 0.0), "{results:?}");
}

#[test]
fn everything_is_checked_without_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        let experiment = Experiment::parse("t.toml", text).unwrap();
        let nothing = ExperimentOptions { games: Some(0), ..options(dir.path(), 1) };
        run_experiment(&experiment, &nothing, &Stop::default(), &mut |_| {}).map(drop)
    };
    check(FILE).unwrap();
    for (from, to, expected) in [
        ("[network]", "[sgf]\n    directory = \"no-such\"\n\n    [network]", "sgf.directory no-such"),
        ("[network]", "[network]\n    file = \"no-such\"", "network.file: no-such"),
        ("games = 12", "games = 12\n    earlier = \"no-such\"", "earlier: no-such: "),
        ("[network]", "[teacher]\n    file = \"no-such\"\n\n    [network]", "teacher.file: no-such"),
        ("agent = \"random\"", "agent = \"gtp:no-such-engine\"", "match 0-random: "),
        ("agent = \"random\"", "agent = \"hotstrat\"", "match 0-random: "),
    ] {
        let error = check(&FILE.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing is written");
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, expected) in [
        ("\"go:4\"\n    komi = 0.5", "\"hex:4\"", "network: the network is for 4x4, 5 planes"),
        ("go:4", "hex:4", "hex:4 has no komi"),
        ("iterations = 3", "iterations = 0", "iterations is 0"),
        (
            "games = 12",
            "games = 9223372036854775807",
            "games is 9223372036854775807; accepted: 1 to 10000000",
        ),
        ("filters = 4", "filters = 0", "network: filters is 0"),
        ("planes = 5", "planes = 1", "network: 1 planes"),
        ("filters = 4", "filters = 4\n    replies = true", "replies is 1, but must be 0 without globals"),
        ("filters = 4", "filter = 4", "unknown field `filter`"),
        ("simulations = 8", "simulations = 1", "self_play: simulations is 1"),
        ("cache = 1", "boards = [[4, 1], [4, 1]]", "self_play: a size of boards is 4; accepted: 2 to 19"),
        ("cache = 1", "boards = [[4, 1], [5, 1]]", "a network without globals is for one board"),
        ("cache = 1", "boards = [[5, 1]]", "boards do not have that of the game go:4; accepted: sizes of Go"),
        ("samples = 2.0", "surprise = 2.0", "learning: surprise is 2; accepted: 0 to 1"),
        ("samples = 2.0", "samples = 64.0", "learning: samples is 64; accepted: above 0, at most 32"),
        ("name = \"random\"", "name = \"before\"", "opponent: name is \"before\""),
        ("agent = \"random\"", "agent = \"nobody\"", "opponent random"),
        ("every = 2", "every = 0", "evaluation.every is 0"),
        ("every = 2", "every = 2\n    agent = \"random\"", "evaluation.agent: only a recipe"),
        (
            "every = 2",
            "every = 2\n    agent = \"uct\"",
            "evaluation.agent: recipe `uct`: `network` gives priors",
        ),
        ("every = 2", "every = 2\n    longest = 0", "evaluation.longest is 0"),
        ("considered = 4", "considered = 0", "self_play: `root.considered`: 0 is not accepted"),
        (
            "games = 12",
            "games = 12\n    earlier = \"e\"\n    sgf = { directory = \"d\" }",
            "earlier without [sgf]",
        ),
        ("[network]", "[teacher]\n    file = \"t\"\n    every = 0\n\n    [network]", "teacher.every is 0"),
        (
            "[network]",
            "[teacher]\n    file = \"t\"\n    every = 2\n\n    [network]\n    replies = true",
            "network.replies learns from the labels of the next position; accepted: teacher.every = 1",
        ),
        (
            "[network]",
            "[teacher]\n    file = \"t\"\n\n    [sgf]\n    directory = \"d\"\n\n    [network]",
            "accepted: [teacher] without [sgf]",
        ),
    ] {
        let error = Experiment::parse("t.toml", &FILE.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// The file for a game other than Go, with the planes of the game.
fn other_game(name: &str) -> String {
    FILE.replace("go:4", name).replace("    komi = 0.5\n", "").replace("    planes = 5\n", "")
}

#[test]
fn other_games_are_trained_and_a_stopped_run_gives_the_same_networks() {
    for name in ["hex:4", "connect-four", "knightthrough"] {
        let more = "window = 200\n    growth = 0.5\n    average = 0.9";
        let text = other_game(name).replace("window = 300", more);
        let (whole, stopped) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (whole, stopped) = (whole.path(), stopped.path());
        let expected = run(whole, &text, 2, &mut never).unwrap();
        assert_eq!(
            (iterations(&expected), match_games(&expected)),
            (3, vec![vec![4.0, 0.0], vec![4.0, 2.0]])
        );
        run(stopped, &text, 1, &mut |running, done| running == "self-play 1" && done >= 5).unwrap();
        let resumed = run(stopped, &text, 3, &mut never).unwrap();
        assert_eq!(timeless(&resumed), timeless(&expected), "{name}");
        assert_eq!(networks(stopped), networks(whole), "{name}");
        assert_eq!(verify(&whole.join("out/t")).unwrap().faults, [""; 0]);
    }
}

/// Surprises, replies and the near future follow from the stored games, which are on two boards.
#[test]
fn a_pooling_network_with_every_output_is_the_same_if_it_was_stopped() {
    let network = "planes = 22\n    globals = 19\n    replies = true\n    horizons = 2";
    let text = FILE
        .replace("planes = 5", network)
        .replace("samples = 2.0", "samples = 2.0\n    surprise = 0.5")
        .replace("cache = 1", "cache = 1\n    boards = [[4, 2], [5, 1]]");
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = run(whole.path(), &text, 2, &mut never).unwrap();
    run(parts.path(), &text, 1, &mut |running, _| running == "training 1").unwrap();
    let resumed = run(parts.path(), &text, 3, &mut never).unwrap();
    assert_eq!(timeless(&resumed), timeless(&expected));
    assert_eq!(networks(parts.path()), networks(whole.path()));
    assert_eq!(verify(&whole.path().join("out/t")).unwrap().faults, [""; 0]);
}

#[test]
fn games_with_a_komi_of_their_own_are_sound() {
    let dir = tempfile::tempdir().unwrap();
    let text = FILE
        .replace("cache = 1", "cache = 1\n    komi = { mean = 2.5, spread = 2.5 }")
        .replace("iterations = 3", "iterations = 1");
    run(dir.path(), &text, 2, &mut never).unwrap();
    // Only a network whose games had one komi says which.
    let note = |dir: &Path| {
        let file = dir.join("out/t/networks/latest.safetensors");
        Parameters::load(&file).unwrap().1.get("komi").cloned()
    };
    assert_eq!(note(dir.path()), None);
    let plain = tempfile::tempdir().unwrap();
    run(plain.path(), &FILE.replace("iterations = 3", "iterations = 1"), 2, &mut never).unwrap();
    assert_eq!(note(plain.path()), Some("0.5".to_owned()));
    assert_eq!(verify(&dir.path().join("out/t")).unwrap().faults, [""; 0]);
}

#[test]
fn what_other_games_lack_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = |text: &str| run(dir.path(), text, 1, &mut never).unwrap_err().to_string();
    for (name, words) in [
        ("p-game:2,10", "p-game:2,10,0 cannot be trained: the game has no planes"),
        ("heap-go:3x4", "cannot be trained: the game has no planes"),
    ] {
        let found = error(&other_game(name));
        assert!(found.contains(words), "{found}");
    }
    let hex = other_game("hex:4");
    for (line, other, words) in [
        ("filters = 4", "filters = 4\n    planes = 5", "network: the network is for 4x4, 5 planes"),
        ("cache = 1", "cache = 1\n    komi = { mean = 0, spread = 1 }", "komi is for Go"),
        (
            "[learning]",
            "[sgf]\n    directory = \"games\"\n    [learning]",
            "game is hex:4; accepted with [sgf]",
        ),
    ] {
        let found = error(&hex.replace(line, other));
        assert!(found.contains(words), "{found}");
    }
}
