//! Stores of earlier versions are read and written on.

use tesuji_lab::stats::Sprt;
use tesuji_lab::store::{Disputed, Ending, FILE, GameRow, PlannedMatch, SearchRow, Store};
use tesuji_lab::{GameSpec, Limit, Match, MatchOptions, MatchSpec, run_match};

/// The directory of a store.
fn store_of(dump: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let db = rusqlite::Connection::open(dir.path().join(FILE)).unwrap();
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.execute_batch(dump).unwrap();
    dir
}

/// A store of version 1: seven games of Heap-Go, four of them won by `a`.
fn version_1() -> tempfile::TempDir {
    store_of(include_str!("../data/store-1.sql"))
}

pub(crate) fn spec() -> MatchSpec {
    MatchSpec {
        name: "match".to_owned(),
        labels: Default::default(),
        a: "greedy".to_owned(),
        b: "random".to_owned(),
        game: GameSpec::parse("heap-go:4x4", None).unwrap(),
        games: 7,
        limit: Limit::Playouts(1000),
        seed: 1,
        unpaired: false,
        openings: None,
        longest: 2000,
        adjudicate: tesuji_lab::Adjudication::NEVER,
        sprt: None,
        disputed: Default::default(),
        engine: Default::default(),
    }
}

#[test]
fn a_store_of_version_1_counts_as_before() {
    let dir = version_1();
    let store = Store::read(dir.path()).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let description = store.description().unwrap().unwrap();
    assert_eq!((description.kind.as_str(), description.version.as_str()), ("match", "0.1.0 (ac7eacaba605)"));
    let matches = store.matches().unwrap();
    let [planned] = &matches[..] else { panic!("{matches:?}") };
    assert_eq!((planned.a.as_str(), planned.b.as_str(), planned.games), ("greedy", "random", 7));
    let summary = planned.summary(&store).unwrap();
    assert_eq!((summary.wins, summary.losses, summary.draws), (4, 3, 0));
    assert_eq!((summary.pairs, summary.forfeits_a), ([0, 0, 3, 0, 0], 0));
    assert_eq!(
        (summary.seed, summary.playouts, summary.process_bytes_peak),
        (1, Some(1000), Some(10_465_280))
    );

    let games = store.games().unwrap();
    assert_eq!(games.len(), 7);
    for (place, game) in games {
        assert_eq!(game.id, planned.matchup.game_id(place.opening, place.replica, game.a_first));
        assert_eq!(Some((game.score_a, game.dispute_value)), store.values_of(&game.id).unwrap());
    }
}

#[test]
fn a_match_goes_on_in_a_store_of_version_1() {
    let (dir, fresh) = (version_1(), tempfile::tempdir().unwrap());
    let options = |dir: &std::path::Path| MatchOptions {
        threads: 1,
        cluster: None,
        out: Some(dir.to_owned()),
        changed: false,
        version: "test".to_owned(),
    };
    let before = Store::read(dir.path()).unwrap().games().unwrap();
    let spec = MatchSpec { games: 12, ..spec() };
    for dir in [&dir, &fresh] {
        let summary = run_match(&spec, &options(dir.path()), &tesuji::Stop::default(), &mut |_| {}).unwrap();
        assert_eq!(summary.games, 12);
    }
    let [old, new] = [&dir, &fresh].map(|dir| Store::read(dir.path()).unwrap());
    assert!(before.iter().all(|game| old.games().unwrap().contains(game)));
    assert_eq!(old.matches(), new.matches());
    assert_eq!(old.ids(), new.ids());
    let moves =
        |store: &Store| store.games().unwrap().into_iter().map(|(_, game)| game.moves).collect::<Vec<_>>();
    assert_eq!(moves(&old), moves(&new));
}

#[test]
fn the_disputes_of_a_store_of_version_2_are_read() {
    let dir = store_of(include_str!("../data/store-2.sql"));
    let store = Store::read(dir.path()).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let planned = store.matches().unwrap().remove(0);
    let summary = planned.summary(&store).unwrap();
    // Games 1 and 5 are disputed, 1 and 2 are a pair, 5 has no partner.
    let scores = summary.scores.unwrap();
    assert_eq!((summary.played(), summary.disputes, scores.disputed), (5, 2, Disputed::Void));
    assert_eq!((summary.games, summary.wins, summary.pairs), (2, 2, [0, 0, 0, 0, 1]));
    assert_eq!((scores.board, scores.opponent), (1.0, 0.6));
    for (disputed, values) in [
        (Disputed::Void, [0.5, 1.0, 1.0, 1.0, 0.5]),
        (Disputed::Board, [1.0; 5]),
        (Disputed::Opponent, [0.0, 1.0, 1.0, 1.0, 0.0]),
    ] {
        let planned = PlannedMatch { disputed, ..planned.clone() };
        assert_eq!(store.values(&planned, 0..5), Ok(values.to_vec()), "{disputed}");
    }
    let games = store.games().unwrap();
    let values: Vec<_> = games.iter().map(|(_, game)| game.dispute_value).collect();
    assert_eq!(values, [Some(0.0), None, None, None, Some(0.0)]);
    let forfeits = store.forfeits().unwrap();
    assert_eq!((forfeits.len(), &forfeits[0].1.id), (1, &games[3].1.id));
    drop(store);

    let mut store = Store::open(dir.path()).unwrap();
    let game = store.void(&[games[3].1.id.clone()]).unwrap().remove(0);
    assert_eq!(store.games().unwrap().len(), 4);
    assert_eq!((store.values_of(&game.id), store.voided().unwrap()[0].game.clone()), (Ok(None), game));
    assert_eq!(store.tally(&planned.matchup, 5, Disputed::Board).unwrap().forfeits_b, 0);
}

#[test]
fn a_dispute_of_version_2_is_read_from_the_side_of_the_first_agent() {
    let dump = include_str!("../data/store-2.sql");
    let undisputed = "'W+3.5','rules',NULL,NULL";
    assert_eq!(dump.matches(undisputed).count(), 1);
    // The second game, in which the second agent begins.
    let dir = store_of(&dump.replace(undisputed, "'W+3.5','rules',NULL,'gtp:sh passer.sh says B+9'"));
    let games = Store::read(dir.path()).unwrap().games().unwrap();
    assert_eq!((games[1].1.a_first, games[1].1.score_a, games[1].1.dispute_value), (false, 1.0, Some(0.0)));
}

#[test]
fn a_sequential_test_counts_past_a_disputed_pair() {
    let dir = store_of(include_str!("../data/store-2.sql"));
    let mut store = Store::open(dir.path()).unwrap();
    let sprt = Some(Sprt::new(0.0, 400.0));
    let planned = PlannedMatch { games: 200, sprt, ..store.matches().unwrap().remove(0) };
    let (_, won) = store.games().unwrap().remove(2);
    for opening in 2..100 {
        for a_first in [true, false] {
            let id = planned.matchup.game_id(opening, 0, a_first);
            let game = GameRow { id, a_first, ..won.clone() };
            store.insert(&planned.matchup, opening, 0, &game).unwrap();
        }
    }
    let counted = store.counted_games(&planned).unwrap();
    assert!(counted < 100, "{counted} games were played before the test had decided");
}

#[test]
fn a_game_with_other_moves_is_not_taken_for_played() {
    let dump = include_str!("../data/store-2.sql");
    let dir = store_of(&dump.replace("'B1 A3 A2 B2 B3 PASS PASS'", "'B1 A3 A2 B2 C3 PASS PASS'"));
    let store = Store::read(dir.path()).unwrap();
    let [damaged, sound] = ["5eec23a7598f29c841e782aafc61c969", "9bfd78eabdbc16ef4a207c9d14dcf70a"];
    let error = store.values_of(damaged).unwrap_err().to_string();
    assert!(error.contains("game 1: its moves are not those that were written"), "{error}");
    assert_eq!(store.values_of(sound), Ok(Some((1.0, None))));
}

#[test]
fn a_database_of_another_program_is_no_store() {
    let foreign = store_of("CREATE TABLE foo (bar)");
    for store in [Store::open(foreign.path()), Store::read(foreign.path())] {
        let error = store.map(drop).unwrap_err().to_string();
        assert!(error.contains("no store of this program"), "{error}");
    }
}

#[test]
fn the_platform_of_a_worker_had_another_key() {
    let dir = store_of(include_str!("../data/store-2.sql"));
    let db = rusqlite::Connection::open(dir.path().join(FILE)).unwrap();
    for (key, platform, game) in [("kernel", "avx2", "one"), ("platform", "x86_64-linux", "two")] {
        let detail = format!(r#"{{"worker":"w","version":"v","{key}":"{platform}","games":["{game}"]}}"#);
        db.execute("INSERT INTO event (kind, detail) VALUES ('done elsewhere', ?)", [detail]).unwrap();
    }
    let origins = Store::read(dir.path()).unwrap().origins().unwrap();
    let platforms: Vec<_> =
        origins.iter().map(|(origin, count)| (origin.platform.as_str(), *count)).collect();
    assert_eq!(platforms, [("avx2", 1), ("x86_64-linux", 1)]);
}

#[test]
fn a_name_of_several_games_voids_none() {
    let dir = store_of(include_str!("../data/store-2.sql"));
    let mut store = Store::open(dir.path()).unwrap();
    let planned = store.matches().unwrap().remove(0);
    let (_, forfeit) = store.forfeits().unwrap().remove(0);
    let twin = GameRow { id: format!("{}{}", &forfeit.id[..8], "0".repeat(24)), ..forfeit.clone() };
    store.insert(&planned.matchup, 7, 0, &twin).unwrap();
    let error = store.void(&[forfeit.id[..8].to_owned()]).unwrap_err().to_string();
    assert!(error.contains("does not name one game"), "{error}");
    assert_eq!((store.forfeits().unwrap().len(), store.voided().unwrap().len()), (2, 0));
    assert_eq!(store.void(&[forfeit.id[..9].to_owned()]).unwrap(), [forfeit]);
}

#[test]
fn a_store_of_a_newer_program_is_refused() {
    let dir = version_1();
    let db = rusqlite::Connection::open(dir.path().join(FILE)).unwrap();
    db.pragma_update(None, "user_version", 1000).unwrap();
    for error in [Store::read(dir.path()).unwrap_err(), Store::open(dir.path()).unwrap_err()] {
        assert!(error.to_string().contains("format 1000 of a newer program"), "{error}");
    }
    let error = Store::read(&dir.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("holds no experiment"), "{error}");
}

#[test]
fn a_tenth_of_a_second_too_long_is_no_overtime() {
    let timed = Match::new(&MatchSpec { limit: Limit::Milliseconds(100), ..spec() }).unwrap();
    let matchup = &timed.planned().matchup;
    let mut store = Store::in_memory().unwrap();
    let search = |ply: u32, seconds: f64| SearchRow {
        ply,
        by_a: ply.is_multiple_of(2),
        chosen: "a1".to_owned(),
        visits: None,
        value: None,
        simulations: 1,
        seconds,
        nodes_peak: 0,
        bytes_peak: 0,
    };
    let game = GameRow {
        id: matchup.game_id(0, 0, true),
        a_first: true,
        seed: 1,
        opening: Vec::new(),
        moves: vec!["a1".to_owned(); 5],
        score_a: 1.0,
        result: "B+1".to_owned(),
        ending: Ending::Rules,
        detail: None,
        dispute: None,
        dispute_value: None,
        seconds: 2.0,
        processor_seconds: None,
        searches: [0.19, 0.15, 0.5, 0.09, 0.35].into_iter().zip(0..).map(|(s, ply)| search(ply, s)).collect(),
    };
    store.insert(matchup, 0, 0, &game).unwrap();
    let [a, b] = [true, false].map(|of_a| store.usage(matchup, 1, of_a).unwrap());
    assert!((a.overtime - 0.65).abs() < 1e-9 && (a.overtime_most - 0.4).abs() < 1e-9, "{a:?}");
    assert_eq!((b.overtime, b.overtime_most), (0.0, 0.0));
}

#[test]
fn a_store_is_waited_for_that_is_given_up_soon() {
    let dir = tempfile::tempdir().unwrap();
    let held = Store::open(dir.path()).unwrap();
    let error = Store::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("another process is running"), "{error}");
    let holder = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(held);
    });
    Store::open(dir.path()).unwrap();
    holder.join().unwrap();
}
