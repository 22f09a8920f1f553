//! The experiment of a store, and the games and trials that it asks for.

use super::description::{
    Description, Labels, PlannedMatch, PlannedTrials, StoredPlan, TrialGroup, differences,
};
use super::digest::seal;
use super::error::BeginError;
use super::rows::hash;
use super::{Config, Matchup, Store, damaged, insert_event};
use crate::counted::counted;
use crate::error::LabError;
use crate::stats::Sprt;
use crate::write_atomic::write_atomic;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

impl Store {
    /// Makes this the record of the described experiment, or checks that it is. New entries of the
    /// plan are added. An entry with results may not be removed or changed, unless `accept` is
    /// given; then unchanged games and trials still count. An event records every change. Returns
    /// the entries that were removed or changed.
    ///
    /// # Errors
    /// If something with results would no longer count, and `accept` is not given; the message
    /// names what differs.
    pub fn begin(
        &mut self,
        description: &Description,
        stored_plan: &StoredPlan,
        accept: bool,
    ) -> Result<Vec<String>, LabError> {
        let Some(stored) = self.description()? else {
            let transaction = self.db.transaction()?;
            transaction.execute(
                "INSERT INTO experiment (id, kind, name, about, file, version) VALUES (1, ?, ?, ?, ?, ?)",
                params![
                    description.kind,
                    description.name,
                    description.about,
                    description.file,
                    description.version
                ],
            )?;
            seal(&transaction, "experiment", "id = 1", [])?;
            replace(&transaction, stored_plan)?;
            transaction.commit()?;
            self.write_file(description)?;
            return Ok(Vec::new());
        };
        let (old, mut changes) = (self.stored_plan()?, Vec::new());
        if stored.kind != description.kind {
            changes.push(format!("kind is \"{}\" there and \"{}\" here", stored.kind, description.kind));
        }
        if old != *stored_plan {
            changes.extend(self.losses(&old, stored_plan)?);
        }
        if !changes.is_empty() && !accept {
            let place = self.dir.as_ref().map_or("the store".to_owned(), |dir| dir.display().to_string());
            let (place, changes) = (format!("{place} holds"), changes.join("; "));
            return Err(BeginError::OtherSettings { place, changes }.into());
        }
        if old != *stored_plan || stored.file != description.file {
            let transaction = self.db.transaction()?;
            replace(&transaction, stored_plan)?;
            transaction.execute(
                "UPDATE experiment SET kind = ?, name = ?, about = ?, file = ?",
                params![description.kind, description.name, description.about, description.file],
            )?;
            seal(&transaction, "experiment", "id = 1", [])?;
            let detail = serde_json::json!({
                "version": description.version,
                "changes": changes,
                "file_before": stored.file,
            });
            insert_event(&transaction, "changed", &detail)?;
            transaction.commit()?;
            self.write_file(description)?;
        }
        Ok(changes)
    }

    /// Adds a match at the end of the plan. If the plan has a match of this name, that match gets
    /// this one's number of games.
    ///
    /// # Errors
    /// If the store fails.
    pub fn append_match(&mut self, planned: &PlannedMatch) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        let position = transaction.query_row("SELECT COUNT(*) FROM match", [], |row| row.get(0))?;
        insert_match(&transaction, position, planned)?;
        Ok(transaction.commit()?)
    }

    /// Has the experiment ask for this from now on: what it asked for had followed from games that
    /// are void.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn replan(&mut self, stored_plan: &StoredPlan) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        replace(&transaction, stored_plan)?;
        Ok(transaction.commit()?)
    }

    /// The experiment file, for people; the store has it too.
    fn write_file(&self, description: &Description) -> Result<(), LabError> {
        match &self.dir {
            Some(dir) => write_atomic(&dir.join("experiment.toml"), &description.file),
            None => Ok(()),
        }
    }

    /// The description of the experiment; `None` if nothing was begun in the store.
    ///
    /// # Errors
    /// If the store fails.
    pub fn description(&self) -> Result<Option<Description>, LabError> {
        let mut query = self.db.prepare("SELECT kind, name, about, file, version FROM experiment")?;
        let description = query.query_row([], |row| {
            Ok(Description {
                kind: row.get(0)?,
                name: row.get(1)?,
                about: row.get(2)?,
                file: row.get(3)?,
                version: row.get(4)?,
            })
        });
        Ok(description.optional()?)
    }

    /// The matches and trials that the experiment asks for.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn stored_plan(&self) -> Result<StoredPlan, LabError> {
        Ok(StoredPlan { matches: self.matches()?, parts: self.parts()? })
    }

    /// The matches that the experiment asks for, in its order.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn matches(&self) -> Result<Vec<PlannedMatch>, LabError> {
        let mut query = self.db.prepare(
            "SELECT match.name, c.spec, a.name, a.spec, b.name, b.spec, a_name, b_name, games, sprt, claim, series, x, disputed
             FROM match JOIN conditions AS c ON c.id = match.conditions
             JOIN config AS a ON a.id = match.a JOIN config AS b ON b.id = match.b ORDER BY position",
        )?;
        let mut rows = query.query([])?;
        let mut matches = Vec::new();
        while let Some(row) = rows.next()? {
            let matchup = Matchup {
                conditions: row.get(1)?,
                a: Config { name: row.get(2)?, spec: row.get(3)? },
                b: Config { name: row.get(4)?, spec: row.get(5)? },
            };
            let (name, games): (String, i64) = (row.get(0)?, row.get(8)?);
            let (sprt, disputed): (Option<String>, String) = (row.get(9)?, row.get(13)?);
            matches.push(PlannedMatch {
                matchup,
                a: row.get(6)?,
                b: row.get(7)?,
                games: count_of(games, format_args!("games of match {name}"))?,
                sprt: sprt.map(|text| sprt_of(&name, &text)).transpose()?,
                disputed: disputed.parse().unwrap_or_default(),
                labels: Labels { claim: row.get(10)?, series: row.get(11)?, x: row.get(12)? },
                name,
            });
        }
        Ok(matches)
    }

    /// The trials that the experiment asks for, in its order.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn parts(&self) -> Result<Vec<PlannedTrials>, LabError> {
        let mut query = self.db.prepare(
            "SELECT name, spec, columns, trials FROM part JOIN cell ON cell.id = part.cell ORDER BY position",
        )?;
        let mut rows = query.query([])?;
        let mut parts = Vec::new();
        while let Some(row) = rows.next()? {
            let (name, columns, trials): (String, String, i64) = (row.get(0)?, row.get(2)?, row.get(3)?);
            let columns = serde_json::from_str(&columns)
                .map_err(|error| damaged(format_args!("part {name}: its columns are not a list: {error}")))?;
            parts.push(PlannedTrials {
                group: TrialGroup { spec: row.get(1)?, columns },
                trials: count_of(trials, format_args!("trials of part {name}"))?,
                name,
            });
        }
        Ok(parts)
    }

    /// What of the old plan has results that would not all count in the new one, with what differs.
    fn losses(&self, old: &StoredPlan, new: &StoredPlan) -> Result<Vec<String>, LabError> {
        let mut losses = Vec::new();
        for planned in &old.matches {
            // Games end in any order.
            let [played, reach] = self.played_and_reach(&planned.matchup, planned.games)?;
            let goes_on = |new: &PlannedMatch| {
                new.matchup == planned.matchup && new.sprt == planned.sprt && new.games >= reach
            };
            if new.matches.iter().any(goes_on) {
                continue;
            }
            let here = new.matches.iter().find(|new| new.name == planned.name);
            if played > 0 && here.is_some_and(|new| new.sprt != planned.sprt) {
                losses.push(format!("{}: its sequential test is another one", planned.name));
            }
            let here = here.map(|new| (planned.differences(new), new.games));
            let what = |difference: &String| format!("{}: {difference}", planned.name);
            losses.extend(loss("game", [played, reach], here).iter().map(what));
        }
        for planned in &old.parts {
            let [made, reach] = self.made_and_reach(&planned.group, planned.trials)?;
            if new.parts.iter().any(|new| new.group.spec == planned.group.spec && new.trials >= reach) {
                continue;
            }
            let here = new.parts.iter().find(|new| new.name == planned.name);
            let here = here.map(|new| (differences(&planned.group.spec, &new.group.spec), new.trials));
            let what = |difference: &String| format!("{}: {difference}", planned.name);
            losses.extend(loss("trial", [made, reach], here).iter().map(what));
        }
        Ok(losses)
    }
}

/// A number that is stored as one with a sign.
fn count_of(number: i64, what: std::fmt::Arguments<'_>) -> Result<u64, LabError> {
    u64::try_from(number).map_err(|_| damaged(format_args!("{what} are {number}; accepted: 0 or more")))
}

/// The sequential test of a match.
fn sprt_of(name: &str, text: &str) -> Result<Sprt, LabError> {
    let sprt: Sprt = serde_json::from_str(text).map_err(|error| {
        damaged(format_args!("match {name}: its sequential test cannot be read: {error}"))
    })?;
    let Sprt { elo0, elo1, alpha, beta } = sprt;
    let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
    if Sprt::asked(elo0, elo1).is_ok() && is_rate(alpha) && is_rate(beta) {
        return Ok(sprt);
    }
    Err(damaged(format_args!(
        "match {name}: its sequential test is {text}; accepted: two Elo differences from -1000 to 1000, the lower one first, and \
         error rates above 0 and below 0.5"
    )))
}

/// What differs if something with `made` results, all of them among the first `reach`, is asked for
/// in a `new` way, with these differences and number of results, or not at all.
fn loss(what: &str, [made, reach]: [u64; 2], new: Option<(Vec<String>, u64)>) -> Vec<String> {
    let has = format!("it has {}", counted(made, what));
    match new {
        _ if made == 0 => Vec::new(),
        None => vec![format!("{has} there and is not asked for here")],
        Some((mut all, asked)) => {
            if asked < reach {
                let of = if made < reach { format!(" of the first {reach}") } else { String::new() };
                all.push(format!("{has}{of} there and asks for {asked} here"));
            }
            all
        }
    }
}

/// Puts the plan in the place of the former one.
fn replace(db: &Transaction<'_>, stored_plan: &StoredPlan) -> Result<(), LabError> {
    db.execute_batch("DELETE FROM match; DELETE FROM part;")?;
    for (position, planned) in stored_plan.matches.iter().enumerate() {
        insert_match(db, position as i64, planned)?;
    }
    for (position, planned) in stored_plan.parts.iter().enumerate() {
        let cell = cell_id(db, &planned.group)?;
        db.execute(
            "INSERT INTO part (position, name, cell, trials) VALUES (?, ?, ?, ?)",
            params![position as i64, planned.name, cell, planned.trials as i64],
        )?;
        seal(db, "part", "name = ?", [&planned.name])?;
    }
    Ok(())
}

/// If there is a match of this name, only its number of games changes, and what a disputed one
/// counts.
fn insert_match(db: &Transaction<'_>, position: i64, planned: &PlannedMatch) -> Result<(), LabError> {
    let [conditions, a, b] = matchup_ids(db, &planned.matchup)?;
    let sprt = planned.sprt.map(|sprt| serde_json::to_string(&sprt)).transpose();
    db.execute(
        "INSERT INTO match (position, name, conditions, a, b, a_name, b_name, games, sprt, claim, series, x, disputed)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name)
         DO UPDATE SET games = excluded.games, disputed = excluded.disputed",
        params![
            position,
            planned.name,
            conditions,
            a,
            b,
            planned.a,
            planned.b,
            planned.games as i64,
            sprt.map_err(LabError::failed)?,
            planned.labels.claim,
            planned.labels.series,
            planned.labels.x,
            planned.disputed.to_string(),
        ],
    )?;
    seal(db, "match", "name = ?", [&planned.name])
}

/// The rows of the conditions and both agents, which are added if need be.
pub(super) fn matchup_ids(db: &Connection, matchup: &Matchup) -> Result<[i64; 3], LabError> {
    let conditions = hash(&[&matchup.conditions]);
    db.prepare_cached("INSERT INTO conditions (hash, spec) VALUES (?, ?) ON CONFLICT DO NOTHING")?
        .execute(params![conditions, matchup.conditions])?;
    let conditions = db
        .prepare_cached("SELECT id FROM conditions WHERE hash = ?")?
        .query_row([conditions], |row| row.get(0))?;
    let config = |config: &Config| -> Result<i64, LabError> {
        let inserted = db
            .prepare_cached("INSERT INTO config (hash, name, spec) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")?
            .execute(params![config.hash(), config.name, config.spec])?;
        if inserted == 1 {
            seal(db, "config", "hash = ?", [config.hash()])?;
        }
        let mut query = db.prepare_cached("SELECT id FROM config WHERE hash = ?")?;
        Ok(query.query_row([config.hash()], |row| row.get(0))?)
    };
    Ok([conditions, config(&matchup.a)?, config(&matchup.b)?])
}

/// The row of these trials, which is added if need be.
pub(super) fn cell_id(db: &Connection, cell: &TrialGroup) -> Result<i64, LabError> {
    let columns = serde_json::to_string(&cell.columns).map_err(LabError::failed)?;
    let inserted = db
        .prepare_cached("INSERT INTO cell (hash, spec, columns) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")?
        .execute(params![cell.hash(), cell.spec, columns])?;
    if inserted == 1 {
        seal(db, "cell", "hash = ?", [cell.hash()])?;
    }
    let mut query = db.prepare_cached("SELECT id FROM cell WHERE hash = ?")?;
    Ok(query.query_row([cell.hash()], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::MatchConfig;
    use crate::store::GameRow;

    fn planned(name: &str, a: &str, games: u64) -> PlannedMatch {
        let config = MatchConfig::new(name, [a, "random"], "tic-tac-toe", 1, 10);
        PlannedMatch { games, ..config.planned().unwrap() }
    }

    fn description(file: &str) -> Description {
        let [kind, name, about, version] = ["matches", "x", "", "test"].map(str::to_owned);
        Description { kind, name, about, file: file.to_owned(), version }
    }

    /// A store with one game of `first`, begun with `first` and `second`.
    fn store(stored_plan: &StoredPlan) -> Store {
        let mut store = Store::in_memory().unwrap();
        store.begin(&description("old"), stored_plan, false).unwrap();
        let matchup = &stored_plan.matches[0].matchup;
        let game = GameRow::resigned(matchup, 0, true);
        store.insert(matchup, 0, 0, &game).unwrap();
        assert_eq!(store.games_of(matchup, 1).unwrap()[0].1, game);
        assert!(store.games_of(matchup, 0).unwrap().is_empty());
        store
    }

    #[test]
    fn what_has_results_may_be_renamed_but_not_changed() {
        let stored_plan =
            |matches: &[PlannedMatch]| StoredPlan { matches: matches.to_vec(), ..StoredPlan::default() };
        let old = stored_plan(&[planned("first", "uct", 2), planned("second", "mast", 2)]);
        let changes = |store: &mut Store, new: &StoredPlan| store.begin(&description("new"), new, false);
        for fine in [
            old.clone(),
            stored_plan(&[planned("renamed", "uct", 1)]),
            stored_plan(&[planned("second", "uct,select.c=0.9", 2), planned("first", "uct,select.c=0.7", 4)]),
        ] {
            let mut store = store(&old);
            assert_eq!(changes(&mut store, &fine), Ok(Vec::new()));
            assert_eq!(changes(&mut store, &fine), Ok(Vec::new()));
            assert_eq!(store.stored_plan(), Ok(fine));
            assert_eq!(store.events().unwrap().len(), 1, "a change is noted once");
        }
        for (lost, expected) in [
            (
                stored_plan(&[planned("second", "uct,select.c=0.9", 2)]),
                "first: it has 1 game there and is not asked",
            ),
            (
                stored_plan(&[planned("first", "uct,select.c=0.9", 2)]),
                "first: a is uct there and uct,select.c=0.9 here",
            ),
            (stored_plan(&[planned("first", "uct", 0)]), "first: it has 1 game there and asks for 0 here"),
        ] {
            let error = changes(&mut store(&old), &lost).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        // Of six games the fourth has ended first.
        let mut store = Store::in_memory().unwrap();
        let six = planned("first", "uct", 6);
        store.begin(&description("old"), &stored_plan(std::slice::from_ref(&six)), false).unwrap();
        store.insert(&six.matchup, 1, 0, &GameRow::resigned(&six.matchup, 1, false)).unwrap();
        let error = changes(&mut store, &stored_plan(&[planned("first", "uct", 2)])).unwrap_err().to_string();
        assert!(error.contains("first: it has 1 game of the first 4 there and asks for 2"), "{error}");
        assert_eq!(changes(&mut store, &stored_plan(&[planned("first", "uct", 4)])), Ok(Vec::new()));
    }

    #[test]
    fn matches_may_come_one_by_one() {
        let first = planned("first", "uct", 2);
        let mut store = store(&StoredPlan { matches: vec![first.clone()], ..StoredPlan::default() });
        let second = planned("second", "mast", 2);
        store.append_match(&second).unwrap();
        store.append_match(&planned("second", "flat-mc", 2)).unwrap();
        assert_eq!(store.matches(), Ok(vec![first.clone(), second.clone()]));
        let third = PlannedMatch { games: 4, disputed: crate::store::Disputed::Board, ..second };
        store.append_match(&third).unwrap();
        assert_eq!(store.matches(), Ok(vec![first, third]));
    }

    #[test]
    fn parts_that_are_not_asked_for_are_gone() {
        let part = |name: &str| PlannedTrials {
            name: name.to_owned(),
            group: TrialGroup { spec: format!("part = \"{name}\""), columns: vec!["x".to_owned()] },
            trials: 1,
        };
        let stored_plan = |names: &[&str]| StoredPlan {
            parts: names.iter().map(|name| part(name)).collect(),
            ..StoredPlan::default()
        };
        let mut store = Store::in_memory().unwrap();
        for names in [&["a", "b", "c"][..], &["c"], &["b", "a"]] {
            store.begin(&description("x"), &stored_plan(names), false).unwrap();
            assert_eq!(store.stored_plan(), Ok(stored_plan(names)));
        }
    }

    #[test]
    fn several_threads_may_write() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut own = store.reconnect().unwrap();
                scope.spawn(move || {
                    for number in 0..50 {
                        own.append_match(&planned(&format!("{thread}-{number}"), "uct", 2)).unwrap();
                    }
                });
            }
        });
        assert_eq!(store.matches().unwrap().len(), 200);
    }
}
