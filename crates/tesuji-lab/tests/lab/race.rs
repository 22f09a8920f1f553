//! Races: over listed modifications, stopped and taken up again.

use std::path::Path;
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{Event, Experiment, ExperimentOptions, LabError, Results, run_experiment};
use tesuji_race::sequence_bounds;

const FILE: &str = r#"
    kind = "race"
    name = "r"
    game = "hex:4"
    playouts = 8
    base = "uct"
    seed = 5
    rounds = 2
    fresh = 20
    race = { accept = 0.51, reject = 0.6, first = 16, most = 120 }

    [[arm]]
    name = "nothing"
    set = ""

    [[arm]]
    name = "less"
    set = "playouts=1"

    [[arm]]
    name = "more"
    set = "playouts=60"
"#;

/// Runs the file, and stops after `stop_after` games of a race.
fn run(dir: &Path, text: &str, stop_after: u64, threads: usize) -> Result<Results, LabError> {
    run_with(dir, text, stop_after, threads, false)
}

/// The same, by other settings than those of the record if they are allowed.
fn run_with(
    dir: &Path,
    text: &str,
    stop_after: u64,
    threads: usize,
    changed: bool,
) -> Result<Results, LabError> {
    let experiment = Experiment::parse("r.toml", text)?;
    let options = ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads,
        cluster: None,
        changed,
        version: "test".to_owned(),
    };
    let stop = Stop::default();
    let mut games = 0;
    let report = run_experiment(&experiment, &options, &stop, &mut |state| {
        if let Event::Done(_) = state {
            games += 1;
            if games >= stop_after {
                stop.stop();
            }
        }
    })?;
    Ok(report.results)
}

#[test]
fn a_race_is_taken_up_where_it_was_stopped() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = run(whole.path(), FILE, u64::MAX, 2).unwrap();
    // Fewer in all than the first race has.
    for stop_after in [3, 9, 20] {
        let stopped = run(parts.path(), FILE, stop_after, 2).unwrap();
        assert!(stopped.table("fresh").unwrap().is_empty());
        assert!(stopped.tables[0].find("verdict", "open").is_some());
    }
    let resumed = run(parts.path(), FILE, u64::MAX, 1).unwrap();
    for name in ["arms", "accepted", "bounds"] {
        assert_eq!(resumed.table(name), expected.table(name));
    }

    // The first race accepts the arm with more simulations; the second goes on from there with what
    // is open.
    let [arms, accepted, fresh] = ["arms", "accepted", "fresh"].map(|name| expected.table(name).unwrap());
    assert_eq!((accepted.at(0, "race").count(), accepted.at(0, "arm").text()), (Some(1), "more"));
    let rows = |race: u64| (0..arms.len()).filter(move |&row| arms.at(row, "race").count() == Some(race));
    let more = rows(1).find(|&row| arms.at(row, "arm").text() == "more").unwrap();
    assert_eq!(arms.at(more, "verdict").text(), "accepted");
    assert!(
        rows(2).all(|row| arms.at(row, "arm").text() != "more" && arms.at(row, "base").text() == "uct + 1")
    );
    assert_eq!((fresh.at(0, "name").text(), fresh.at(0, "games").count()), ("fresh-1", Some(20)));
    assert_eq!(accepted.at(0, "score"), fresh.at(0, "score"));
    assert!(fresh.at(0, "score").number().unwrap() > 0.6);
    for name in ["r", "r-accepted", "r-fresh", "r-bounds"] {
        let table = std::fs::read_to_string(whole.path().join(format!("results/{name}.csv"))).unwrap();
        assert!(table.lines().count() > 1, "{name}");
    }
}

#[test]
fn bounds_are_those_of_the_games_in_the_store() {
    let dir = tempfile::tempdir().unwrap();
    let results = run(dir.path(), FILE, u64::MAX, 2).unwrap();
    let store = Store::read(&dir.path().join("out/r")).unwrap();
    let arms = &results.tables[0];
    let count = |row: usize, column: &str| arms.at(row, column).count().unwrap();
    for arm in (0..arms.len()).filter(|&arm| count(arm, "games") > 0) {
        let (race, played) = (count(arm, "race"), count(arm, "games"));
        let name = format!("r{race}-{}", arms.at(arm, "arm"));
        let planned = store.matches().unwrap().into_iter().find(|planned| planned.name == name).unwrap();
        assert_eq!(planned.games, played, "what was asked for so far");
        let games = store.games_of(&planned.matchup, planned.games).unwrap();
        assert_eq!(games.len() as u64, played);
        let sum: f64 = games.iter().map(|(_, game)| game.score_a).sum();
        // The risk is shared by the arms of the race, and by the races.
        let all = (0..arms.len()).filter(|&other| count(other, "race") == race).count();
        let share = 6.0 / (std::f64::consts::PI * race as f64).powi(2);
        let (lower, upper) = sequence_bounds(played, sum, 0.05 * share / all as f64);
        let [own_lower, own_upper] = ["lower", "upper"].map(|end| arms.at(arm, end).number().unwrap());
        assert!((lower - own_lower).abs() < 1e-6 && (upper - own_upper).abs() < 1e-6, "{name}");
        // Every game has an opening of its own: pairs that share one are not independent.
        let shared = games.chunks(2).filter(|pair| pair.len() == 2 && pair[0].1.opening == pair[1].1.opening);
        assert!(shared.count() < games.len() / 8, "{name}");
    }
}

#[test]
fn a_race_goes_on_by_another_rule_only_if_it_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), FILE, u64::MAX, 2).unwrap();
    let ids = || {
        let games = Store::read(&dir.path().join("out/r")).unwrap().games().unwrap();
        games.into_iter().map(|(_, game)| game.id).collect::<std::collections::BTreeSet<_>>()
    };
    let before = ids();
    for change in ["first = 16, rule = \"betting\"", "first = 16, risk = 0.3", "first = 17"] {
        let error = run(dir.path(), &FILE.replace("first = 16", change), 1, 2).unwrap_err().to_string();
        assert!(error.contains("--allow-changes"), "{error}");
    }
    run(dir.path(), &FILE.replace("most = 120", "most = 130"), 1, 2).unwrap();
    // The rule is no condition of a game: those that were played count.
    let by_betting = FILE.replace("first = 16", "first = 16, rule = \"betting\"");
    let betting = run_with(dir.path(), &by_betting, 1, 2, true).unwrap();
    assert!(before.is_subset(&ids()), "a game was orphaned");
    let [games, lower, upper] =
        ["games", "lower", "upper"].map(|column| betting.tables[0].at(0, column).number().unwrap());
    assert!(games >= 16.0 && lower >= 0.0 && upper <= 1.0 && lower < upper, "{games} {lower} {upper}");
}

#[test]
fn an_arm_is_tested_at_every_limit_that_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let one = FILE.split("    [[arm]]").take(2).collect::<Vec<_>>().join("    [[arm]]");
    let one =
        one.replace("rounds = 2", "rounds = 1").replace("first = 16", "first = 16, rule = \"hoeffding\"");
    let tests_with = |most: u64| {
        let text = one.replace("most = 120", &format!("most = {most}"));
        let results = run(dir.path(), &text, u64::MAX, 2).unwrap();
        let bounds = &results.tables[3];
        (0..bounds.len()).map(|row| bounds.at(row, "games").count().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(tests_with(18), [16, 18]);
    assert_eq!(tests_with(20), [16, 18, 20]);
    assert_eq!(tests_with(30), [16, 18, 20, 30]);
}

#[test]
fn arms_that_do_not_fit_an_accepted_agent_leave_the_race() {
    let dir = tempfile::tempdir().unwrap();
    // The agent that is accepted has no bias.
    let text =
        FILE.replace("base = \"uct\"", "base = \"grave,playouts=1\"").replace("rounds = 2", "rounds = 3");
    let text = text.replace("set = \"playouts=60\"", "agent = \"uct,playouts=60\"");
    let text = text.replace(
        "name = \"less\"\n    set = \"playouts=1\"",
        "name = \"less\"\n    set = \"select.bias=0.1\"",
    );
    let results = run(dir.path(), &text, u64::MAX, 2).unwrap();
    let arms = results.table("arms").unwrap();
    let of = |race: &str| {
        let rows = (0..arms.len()).filter(|&row| arms.at(row, "race").to_string() == race);
        rows.map(|row| arms.at(row, "arm").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of("1"), ["nothing", "less", "more"]);
    assert!(!of("2").contains(&"less".to_owned()), "{:?}", of("2"));
}

#[test]
fn what_is_wrong_with_a_race_is_named() {
    let file =
        |more: &str| format!("kind = \"race\"\nname = \"r\"\ngame = \"hex:3\"\nplayouts = 9\n{more}\n");
    let arm = "[[arm]]\nname = \"x\"\n";
    for (text, expected) in [
        (file("base = \"uct\""), "nothing is raced"),
        (file(arm), "missing field `base`"),
        (file(&format!("base = \"uct\"\n{arm}")), "arm x: accepted: one of set, agent, pattern"),
        (file(&format!("base = \"uct\"\n{arm}set = \"select.d=1\"")), "arm x"),
        (file(&format!("base = \"uct\"\n{arm}set = \"\"\n{arm}set = \"\"")), "each once"),
        (file(&format!("base = \"gtp:x\"\n{arm}set = \"a=1\"")), "is an engine, which set cannot change"),
        (file(&format!("base = \"uct\"\ngames = 9\n{arm}set = \"\"")), "no key games"),
        (
            file(&format!("base = \"uct\"\nrouns = 3\n{arm}set = \"\"")),
            "line 6: unknown field `rouns`; accepted: one of `base`, `arm`, `patterns`, `race`, `risk_budget`, `rounds`, \
             `validation`, `game`, ",
        ),
        (file("base = \"uct\"\n[[arms]]\nname = \"x\"\nset = \"\""), "line 6: unknown field `arms`"),
        (
            file(&format!("base = \"uct\"\nopenings = [\"a1\", \"b2\"]\n{arm}set = \"\"")),
            "a race has no key openings",
        ),
        (file(&format!("base = \"uct\"\nrisk_budget = \"none\"\n{arm}set = \"\"")), "unknown variant `none`"),
        (file(&format!("base = \"uct\"\n{arm}set = \"\"\n[race]\naccept = 0.7")), "at least accept"),
        (file("base = \"uct\"\n[patterns]"), "patterns are drawn for Go"),
        (
            file("base = \"uct\"\n[patterns]")
                .replace("hex:3", "go:5")
                .replace("[patterns]", "[patterns]\neach = 0"),
            "each is 0",
        ),
    ] {
        let error = Experiment::parse("r.toml", &text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
