//! `verify`: sound records of every kind are sound, and no changed field or bit goes unseen.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tesuji::{Rng, Stop};
use tesuji_lab::report::{PageOptions, Record};
use tesuji_lab::store::{FILE, Store};
use tesuji_lab::{Experiment, ExperimentOptions, Format, export, run_experiment, verify};

/// Two matches: one of Go, one with adjudicated games and a test that may end it.
const MATCHES: &str = r#"
    kind = "matches"
    name = "t"
    playouts = 30
    longest = 60

    [[match]]
    name = "go"
    game = "go:3"
    games = 5
    a = "uct"
    b = "random"

    [[match]]
    name = "hex"
    game = "hex:3"
    games = 8
    a = "uct"
    b = "flat-mc"
    adjudicate = 0.2
    sprt = [0.0, 400.0]
"#;

const TUNING: &str = r#"
    kind = "tuning"
    name = "t"
    game = "tic-tac-toe"
    base = "uct"
    evaluations = 3
    games = 4
    playouts = 10
    search = { initial = 2, samples = 2 }

    [[parameter]]
    name = "select.c"
    kind = "log"
    low = 0.05
    high = 2.0

    [[validation]]
    name = "default"
    games = 2
"#;

const RACE: &str = r#"
    kind = "race"
    name = "t"
    game = "go:3"
    playouts = 10
    base = "uct"
    fresh = 4
    race = { accept = 0.505, reject = 0.65, most = 64 }

    [patterns]
    races = ["good", "neutral"]
    each = 1
    match_rate = [0.01, 0.5]
    changed = 0.0
    games = 4
    searches = 8
"#;

const TRAINING: &str = r#"
    kind = "train"
    name = "t"
    game = "go:3"
    komi = 0.5
    iterations = 2
    games = 6
    keep = 100

    [network]
    planes = 5
    filters = 4
    blocks = 1
    value_hidden = 8

    [self_play]
    simulations = 8
    cache = 1
    longest = 20

    [learning]
    batch = 8
    samples = 2.0
    window = 40
    held_out = 0.2

    [evaluation]
    every = 2
    playouts = 4

    [[opponent]]
    name = "random"
    agent = "random"
    games = 2
"#;

const DECISIONS: &str = r#"
    kind = "decisions"
    name = "t"
    trees = 4
    simulations = [20]
    baseline = "mean"

    [[setting]]
    name = "narrow"
    branching = 4
    depth = 3
    recipe = "uct"
    c = [0.5]

    [[agent]]
    name = "mean"
"#;

const POINTS: &str = r#"
    kind = "points"
    name = "t"
    heaps = 2
    counters = 3
    pairs = 3
    b = "perfect"

    [[match]]
    name = "one"
    a = "greedy"
"#;

/// Runs a file to its end, or as far as it has room.
fn run(dir: &Path, text: &str) -> Result<(), tesuji_lab::LabError> {
    let experiment = Experiment::parse("t.toml", text)?;
    let options = ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads: 2,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    };
    run_experiment(&experiment, &options, &Stop::default(), &mut |_| {}).map(drop)
}

/// A directory with the record of a file in `out/t`.
fn recorded(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), text).unwrap();
    dir
}

fn faults(dir: &Path) -> Vec<String> {
    verify(dir).unwrap().faults
}

#[test]
fn records_of_every_kind_are_sound() {
    for text in [MATCHES, TUNING, RACE, TRAINING, DECISIONS, POINTS] {
        let dir = recorded(text);
        assert_eq!(faults(&dir.path().join("out/t")), [""; 0], "{text}");
    }
    let dir = tempfile::tempdir().unwrap();
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    db.execute_batch(include_str!("../data/store-1.sql")).unwrap();
    let found = verify(dir.path()).unwrap();
    assert_eq!((found.games, found.faults), (7, Vec::new()));
}

#[test]
fn an_empty_store_is_not_sound() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(FILE), "").unwrap();
    assert_eq!(faults(dir.path()), ["the store is empty: nothing was begun in it"]);
}

/// Every row of every table, as the file holds it.
fn content(dir: &Path) -> Option<BTreeMap<String, Vec<Vec<Value>>>> {
    let db = Connection::open(dir.join(FILE)).ok()?;
    let mut tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").ok()?;
    let names: Vec<String> = tables.query_map([], |row| row.get(0)).ok()?.collect::<Result<_, _>>().ok()?;
    let rows = |name: &String| {
        let mut query = db.prepare(&format!("SELECT * FROM {name}")).ok()?;
        let columns = query.column_count();
        let rows = query.query_map([], |row| (0..columns).map(|i| row.get(i)).collect());
        rows.ok()?.collect::<Result<_, _>>().ok()
    };
    names.iter().map(|name| Some((name.clone(), rows(name)?))).collect()
}

/// Everything that reads a record: none of it may panic, whatever is in the file.
fn read_all(dir: &Path, out: &Path) {
    if let Ok(record) = Record::read(dir) {
        let _ = record.html(PageOptions::default());
        let _ = record.match_results();
    }
    if let Ok(store) = Store::read(dir) {
        for format in [Format::Csv, Format::Jsonl, Format::Sgf] {
            let _ = export(&store, format, out);
        }
    }
}

/// A copy of the record of `from`, where something can be changed.
fn copy(from: &Path) -> TempDir {
    let to = tempfile::tempdir().unwrap();
    let (there, here) = (from.join("out/t"), to.path().join("out/t"));
    fs::create_dir_all(here.join("networks")).unwrap();
    fs::copy(there.join(FILE), here.join(FILE)).unwrap();
    for file in fs::read_dir(there.join("networks")).into_iter().flatten().flatten() {
        fs::copy(file.path(), here.join("networks").join(file.file_name())).unwrap();
    }
    to
}

/// Another value than this one.
fn other(value: &Value, rng: &mut Rng) -> Value {
    match (value, rng.below(4)) {
        (Value::Integer(n), 0) => Value::Integer(n + 1),
        (Value::Integer(n), 1) => Value::Integer(-n - 1),
        (Value::Integer(n), _) => Value::Integer(n ^ (1 << rng.below(63))),
        (Value::Real(x), 0) => Value::Real(x + 7.5),
        (Value::Real(x), 1) => Value::Real(-x - 1e300),
        (Value::Real(x), _) => Value::Real(x + 0.25),
        (Value::Text(text), kind) => {
            let mut characters: Vec<char> = text.chars().collect();
            let place = rng.below(characters.len().max(1) as u32) as usize;
            match kind {
                0 => characters.insert(place, '7'),
                1 if !characters.is_empty() => drop(characters.remove(place)),
                2 => characters.clear(),
                _ => characters.push('9'),
            }
            let changed: String = characters.into_iter().collect();
            Value::Text(if changed == *text { "changed".to_owned() } else { changed })
        }
        (Value::Blob(bytes), _) => {
            let mut bytes = bytes.clone();
            let place = rng.below(bytes.len() as u32) as usize;
            bytes[place] ^= 1 << rng.below(8);
            Value::Blob(bytes)
        }
        (Value::Null, 0) => Value::Integer(1),
        (Value::Null, 1) => Value::Real(0.5),
        (Value::Null, _) => Value::Text("text".to_owned()),
    }
}

type Row = Vec<(String, Value)>;

/// A column that can be changed: the table, the column, the rows of the table.
type Field = (String, String, Vec<Row>);

fn fields(dir: &Path) -> Vec<Field> {
    let db = Connection::open(dir.join(FILE)).unwrap();
    let mut fields = Vec::new();
    for (table, rows) in content(dir).unwrap() {
        let query = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
        let rows: Vec<Row> = rows.into_iter().map(|row| columns.iter().cloned().zip(row).collect()).collect();
        if !rows.is_empty() {
            fields.extend(columns.iter().map(|column| (table.clone(), column.clone(), rows.clone())));
        }
    }
    fields
}

/// Changes one field past all constraints; false if SQLite does not take it.
fn change(dir: &Path, table: &str, column: &str, row: &Row, rng: &mut Rng) -> bool {
    let db = Connection::open(dir.join(FILE)).unwrap();
    db.pragma_update(None, "ignore_check_constraints", true).unwrap();
    db.pragma_update(None, "synchronous", false).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    let (_, old) = row.iter().find(|(name, _)| *name == *column).unwrap();
    let conditions: Vec<String> =
        row.iter().enumerate().map(|(i, (name, _))| format!("{name} IS ?{}", i + 2)).collect();
    let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {}", conditions.join(" AND "));
    let values = std::iter::once(other(old, rng)).chain(row.iter().map(|(_, value)| value.clone()));
    db.execute(&sql, params_from_iter(values)).is_ok_and(|changed| changed == 1)
}

#[test]
fn no_changed_field_goes_unseen_or_makes_a_panic() {
    let mut rng = Rng::new(7);
    for text in [MATCHES, TUNING, RACE, TRAINING, POINTS] {
        let whole = recorded(text);
        let record = whole.path().join("out/t");
        let (before, fields) = (content(&record), fields(&record));
        let (mut changed, mut columns) = (0, std::collections::BTreeSet::new());
        while changed < 80 {
            // A column first: a row of a game's moves is far more frequent than one of its
            // configuration.
            let (table, column, rows) = &fields[rng.below(fields.len() as u32) as usize];
            let row = &rows[rng.below(rows.len() as u32) as usize];
            let damaged = copy(whole.path());
            let dir = damaged.path().join("out/t");
            if !change(&dir, table, column, row, &mut rng) || content(&dir) == before {
                continue;
            }
            changed += 1;
            columns.insert((table, column));
            let found = faults(&dir);
            assert!(!found.is_empty(), "{table}.{column} of {row:?} was changed");
            let survives = catch_unwind(AssertUnwindSafe(|| {
                read_all(&dir, &damaged.path().join("export"));
                // Games that are missing now are played again; what cannot be is an error.
                if changed % 8 == 0 {
                    let _ = run(damaged.path(), text);
                }
            }));
            assert!(survives.is_ok(), "a panic after {table}.{column} was changed: {found:?}");
        }
        assert!(columns.len() > 20, "{columns:?}");
    }
}

#[test]
fn no_flipped_bit_goes_unseen_or_makes_a_panic() {
    let mut rng = Rng::new(11);
    for text in [MATCHES, TRAINING] {
        let whole = recorded(text);
        let before = content(&whole.path().join("out/t"));
        let mut seen = 0;
        for _ in 0..200 {
            let damaged = copy(whole.path());
            let dir = damaged.path().join("out/t");
            let mut bytes = fs::read(dir.join(FILE)).unwrap();
            let place = rng.below(bytes.len() as u32) as usize;
            bytes[place] ^= 1 << rng.below(8);
            fs::write(dir.join(FILE), bytes).unwrap();
            let survives = catch_unwind(AssertUnwindSafe(|| {
                let found = faults(&dir);
                read_all(&dir, &damaged.path().join("export"));
                found
            }));
            let found = survives.unwrap_or_else(|_| panic!("byte {place} makes a panic"));
            assert!(!found.is_empty() || content(&dir) == before, "byte {place} was changed");
            seen += usize::from(!found.is_empty());
        }
        // The others lie in parts of pages that are not in use.
        assert!(seen > 15, "{seen}");
    }
}

/// The record of `text` after these statements, past all constraints.
fn damaged(text: &str, sql: &str) -> (TempDir, PathBuf) {
    let dir = recorded(text);
    let record = dir.path().join("out/t");
    let db = Connection::open(record.join(FILE)).unwrap();
    db.execute_batch(&format!("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; {sql}"))
        .unwrap();
    (dir, record)
}

#[test]
fn each_fault_is_a_sentence_that_names_its_row() {
    for (sql, expected) in [
        ("UPDATE game SET a_value = 7.5 WHERE number = 2", "game 2: a_value is 7.5; accepted: 0, 0.5 or 1"),
        (
            "UPDATE game SET moves = moves || ' A1' WHERE number = 1",
            "game 1: its moves are not those that were written",
        ),
        (
            "UPDATE game SET seed = seed + 1, digest = NULL WHERE number = 1",
            "game 1: its seed is not that of",
        ),
        (
            "UPDATE game SET digest = NULL, seconds = -1 WHERE number = 1",
            "game 1: seconds is -1.0; accepted: a number from 0",
        ),
        ("UPDATE game SET seconds = seconds + 1 WHERE number = 3", "game 3 has changed since it was written"),
        (
            "UPDATE game SET digest = NULL, a_value = 1 - a_value WHERE ending = 'rules'",
            "but its moves and its end give",
        ),
        (
            "UPDATE game SET digest = NULL, ending = 'length' WHERE ending = 'rules'",
            "by the rules it was over",
        ),
        (
            "UPDATE game SET digest = NULL, ending = 'adjudicated' WHERE ending = 'resign' OR number = 1",
            "game 1: ",
        ),
        (
            "UPDATE game SET pair = 99 WHERE number = 1",
            "row 1 of game refers to a row of pair that is not there",
        ),
        ("UPDATE pair SET opening = 77 WHERE id = 1", "its identity is not that of its conditions"),
        (
            "UPDATE game SET digest = NULL, opening = '' WHERE number = 1",
            "game 1: its opening has 0 moves, but",
        ),
        ("UPDATE config SET spec = spec || ' '", "agent 1: the description does not have the hash"),
        ("UPDATE conditions SET spec = spec || ' '", "conditions 1: the description does not have the hash"),
        ("UPDATE move SET visits = 1000000 WHERE game = 2", "game 2 has changed since it was written"),
        ("DELETE FROM move WHERE game = 2; UPDATE game SET digest = NULL", "game 2: the search of its move"),
        ("DELETE FROM game WHERE number = 1", "match go has 4 of the 5 games"),
        (
            "UPDATE match SET name = 'other' WHERE name = 'go'",
            "the matches of the store are not those of its experiment file",
        ),
        (
            "UPDATE match SET sprt = '{}' WHERE sprt IS NOT NULL",
            "match hex: its sequential test cannot be read",
        ),
        ("UPDATE event SET detail = '{'", "event 1: detail is '{'; accepted: JSON"),
        ("PRAGMA user_version = 1000", "format 1000 of a newer program"),
        (
            "ALTER TABLE game DROP CONSTRAINT game_a_value",
            "table game: its constraint for a_value is not that",
        ),
        ("DROP TABLE event", "table event"),
    ] {
        let (_dir, record) = damaged(MATCHES, sql);
        let found = faults(&record);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{sql}: {found:#?}");
        assert!(found.iter().all(|fault| !fault.contains('\n')), "{found:#?}");
    }
    for (text, sql, expected) in [
        (
            POINTS,
            "UPDATE trial SET figures = '[1]', digest = NULL WHERE number = 1",
            "trial 1 of cell 1: its figures are not 7 numbers",
        ),
        (TUNING, "DELETE FROM event WHERE kind = 'suggestion'", "was never suggested"),
        (
            TUNING,
            "DELETE FROM move; DELETE FROM game WHERE number = 2; DELETE FROM event WHERE kind = 'end'",
            "evaluation 0 is complete with 3 of 4 games",
        ),
        (
            RACE,
            "UPDATE event SET detail = replace(detail, '\"race\":1', '\"race\":9')",
            "or for no race of the file",
        ),
        (
            TRAINING,
            "DELETE FROM self_play WHERE number = 3",
            "iteration 0 of the training: it has 5 of 6 games",
        ),
        (TRAINING, "DELETE FROM trial WHERE number = 0", "iteration 1 of the training"),
        (
            TRAINING,
            "UPDATE self_play SET black = 1 - black, digest = NULL WHERE number = 0",
            "game 0 of self-play: its result",
        ),
    ] {
        let (_dir, record) = damaged(text, sql);
        let found = faults(&record);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{sql}: {found:#?}");
    }
}

#[test]
fn damaged_games_are_refused_by_whoever_reads_them() {
    let (dir, record) = damaged(MATCHES, "UPDATE game SET a_value = 7.5 WHERE number = 2");
    let advice = "game 2: a_value is 7.5; accepted: 0, 0.5 or 1; `tesuji verify` lists all of its faults";
    let error = Record::read(&record).unwrap_err().to_string();
    assert!(error.contains(advice), "{error}");
    let error = run(dir.path(), MATCHES).unwrap_err().to_string();
    assert!(error.contains(advice), "{error}");

    for disputed in ["void", "opponent"] {
        let (dir, record) = damaged(MATCHES, "UPDATE game SET dispute_value = 7.5 WHERE number = 2");
        let refused = "game 2: dispute_value is 7.5; accepted: 0, 0.5 or 1";
        let error = Record::read(&record).unwrap_err().to_string();
        assert!(error.contains(refused), "{error}");
        let text = format!("disputed = {disputed:?}\n{MATCHES}");
        let error = run(dir.path(), &text).unwrap_err().to_string();
        assert!(error.contains(refused), "{error}");
    }

    let (dir, record) = damaged(MATCHES, "UPDATE game SET moves = replace(moves, 'A1', 'A2')");
    for error in [
        Record::read(&record).map(drop).unwrap_err(),
        run(dir.path(), &MATCHES.replace("games = 8", "games = 9").replace("games = 5", "games = 6"))
            .unwrap_err(),
    ] {
        assert!(error.to_string().contains("its moves are not those that were written"), "{error}");
    }
}

/// The game is stored, so it is not played again, but not where the race looks for it.
#[test]
fn a_race_with_a_game_of_another_opening_does_not_go_on_for_ever() {
    let sql = "UPDATE pair SET opening = opening + 1000 WHERE id = (SELECT MIN(pair.id) FROM pair
        JOIN match ON match.conditions = pair.conditions AND match.a = pair.a WHERE match.name = 'r2-p1')";
    let (dir, _) = damaged(RACE, sql);
    let error = run(dir.path(), RACE).unwrap_err().to_string();
    assert!(error.contains("match r2-p1: some of its games are stored as those of another match"), "{error}");
}

#[test]
fn a_damaged_network_file_is_a_fault() {
    let dir = recorded(TRAINING);
    let record = dir.path().join("out/t");
    fs::write(record.join("networks/00001.safetensors"), "half of a file").unwrap();
    let found = faults(&record);
    assert!(found.len() == 1 && found[0].contains("00001.safetensors: "), "{found:?}");
}

#[test]
fn an_old_store_with_a_damaged_row_is_refused_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    db.execute_batch(include_str!("../data/store-1.sql")).unwrap();
    db.execute("UPDATE game SET a_value = 7.5 WHERE number = 4", []).unwrap();
    drop(db);
    let before = fs::read(dir.path().join(FILE)).unwrap();
    for error in [Store::read(dir.path()).unwrap_err(), Store::open(dir.path()).unwrap_err()] {
        let error = error.to_string();
        assert!(error.contains("game 4: a_value is 7.5; accepted: 0, 0.5 or 1"), "{error}");
        assert!(error.contains("`tesuji verify`"), "{error}");
    }
    let found = faults(dir.path());
    assert!(found.iter().any(|fault| fault.starts_with("game 4: a_value is 7.5")), "{found:?}");
    assert_eq!(fs::read(dir.path().join(FILE)).unwrap().len(), before.len());
    let version: i64 = Connection::open(dir.path().join(FILE))
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 1, "it stays as it is");
}
