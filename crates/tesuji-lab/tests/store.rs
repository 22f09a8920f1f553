//! Stores of earlier versions are read and written on.

use tesuji_lab::store::{Disputed, FILE, Store};
use tesuji_lab::{GameSpec, Limit, MatchOptions, MatchSpec, run_match};

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
    store_of(include_str!("data/store-1.sql"))
}

fn spec() -> MatchSpec {
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
        assert_eq!(Some((game.a_value, game.dispute_value)), store.values_of(&game.id).unwrap());
    }
}

#[test]
fn a_match_goes_on_in_a_store_of_version_1() {
    let (dir, fresh) = (version_1(), tempfile::tempdir().unwrap());
    let options = |dir: &std::path::Path| MatchOptions {
        threads: 1,
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
    let dir = store_of(include_str!("data/store-2.sql"));
    let store = Store::read(dir.path()).unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    let planned = store.matches().unwrap().remove(0);
    let summary = planned.summary(&store).unwrap();
    // Games 1 and 5 are disputed, 1 and 2 are a pair, 5 has no partner.
    let scores = summary.scores.unwrap();
    assert_eq!((summary.played(), summary.disputes, scores.disputed), (5, 2, Disputed::Void));
    assert_eq!((summary.games, summary.wins, summary.pairs), (2, 2, [0, 0, 0, 0, 1]));
    assert_eq!((scores.board, scores.opponent), (1.0, 0.6));
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
