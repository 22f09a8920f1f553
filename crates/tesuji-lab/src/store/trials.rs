//! Trials of a store.

use super::digest::seal;
use super::origins::{Origin, insert_origin};
use super::stored_plan::cell_id;
use super::{Store, TrialGroup, damaged};
use crate::error::LabError;
use rusqlite::params;
use std::collections::BTreeMap;

/// The figures of trials, by their numbers; a missing figure is NaN.
pub type Trials = BTreeMap<u64, Vec<f64>>;

impl Store {
    /// Adds trials, all or none.
    ///
    /// # Errors
    /// If one of them is there already.
    pub fn insert_trials(&mut self, cell: &TrialGroup, trials: &[(u64, Vec<f64>)]) -> Result<(), LabError> {
        self.insert_trials_of(cell, trials, None)
    }

    /// [`Store::insert_trials`], with who did all of them, if that was not this program.
    pub(crate) fn insert_trials_of(
        &mut self,
        cell: &TrialGroup,
        trials: &[(u64, Vec<f64>)],
        origin: Option<&Origin>,
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        let id = cell_id(&transaction, cell)?;
        {
            let mut insert =
                transaction.prepare_cached("INSERT INTO trial (cell, number, figures) VALUES (?, ?, ?)")?;
            for (number, figures) in trials {
                insert.execute(params![id, *number as i64, to_json(figures)])?;
                seal(&transaction, "trial", "cell = ? AND number = ?", params![id, *number as i64])?;
            }
        }
        if let Some(origin) = origin {
            let numbers: Vec<u64> = trials.iter().map(|trial| trial.0).collect();
            insert_origin(&transaction, origin, ("trials", Some(cell)), &serde_json::json!(numbers))?;
        }
        transaction.commit()?;
        self.check_file()
    }

    /// All trials of a cell.
    ///
    /// # Errors
    /// If the store fails, or a trial has not a figure for each column of the cell.
    pub fn trials(&self, cell: &TrialGroup) -> Result<Trials, LabError> {
        let mut query = self
            .db
            .prepare_cached("SELECT number, figures FROM trial JOIN cell ON cell.id = cell WHERE hash = ?")?;
        let rows =
            query.query_map([cell.hash()], |row| Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (number, text) = row?;
            let figures = of_json(&text).filter(|figures| figures.len() == cell.columns.len());
            let fault = || {
                let columns = cell.columns.len();
                damaged(format_args!(
                    "trial {number}: its figures are {text}; accepted: a list of {columns} numbers"
                ))
            };
            Ok((number, figures.ok_or_else(fault)?))
        })
        .collect()
    }

    /// How many of the first `trials` trials of a cell are stored, and how many of the first hold
    /// all of these.
    pub(super) fn made_and_reach(&self, cell: &TrialGroup, trials: u64) -> Result<[u64; 2], LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT COUNT(*), COALESCE(MAX(number) + 1, 0) FROM trial JOIN cell ON cell.id = cell
             WHERE hash = ? AND number < ?",
        )?;
        let end = i64::try_from(trials).unwrap_or(i64::MAX);
        Ok(query.query_row(params![cell.hash(), end], |row| Ok([row.get(0)?, row.get(1)?]))?)
    }

    /// The number of stored trials of a cell.
    ///
    /// # Errors
    /// If the store fails.
    pub fn trial_count(&self, cell: &TrialGroup) -> Result<u64, LabError> {
        let mut query = self
            .db
            .prepare_cached("SELECT COUNT(*) FROM trial JOIN cell ON cell.id = cell WHERE hash = ?")?;
        Ok(query.query_row([cell.hash()], |row| row.get::<_, u64>(0))?)
    }
}

/// Every digit that tells a number from others; JSON has no words for what is not finite.
fn to_json(figures: &[f64]) -> String {
    let word = |x: &f64| if x.is_finite() { x.to_string() } else { "null".to_owned() };
    format!("[{}]", figures.iter().map(word).collect::<Vec<_>>().join(","))
}

pub(crate) fn of_json(text: &str) -> Option<Vec<f64>> {
    let list = text.strip_prefix('[')?.strip_suffix(']')?;
    let number = |word: &str| match word {
        "null" => Some(f64::NAN),
        word => word.parse().ok().filter(|x: &f64| x.is_finite()),
    };
    list.split(',').filter(|word| !word.is_empty()).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_read_again() {
        let cell = |spec: &str| TrialGroup {
            spec: spec.to_owned(),
            columns: ["one", "two"].map(str::to_owned).to_vec(),
        };
        let dir = tempfile::tempdir().unwrap();
        {
            let mut store = Store::open(dir.path()).unwrap();
            store.insert_trials(&cell("A"), &[(7, vec![0.1, -2.0]), (3, vec![f64::NAN, 1.0])]).unwrap();
            store.insert_trials(&cell("B"), &[(7, vec![1e300, 0.0])]).unwrap();
            assert!(store.insert_trials(&cell("A"), &[(9, vec![1.0]), (7, vec![1.0])]).is_err());
            assert!(Store::open(dir.path()).is_err(), "one process at a time");
        }
        let store = Store::read(dir.path()).unwrap();
        let found = store.trials(&cell("A")).unwrap();
        assert_eq!((found.keys().collect::<Vec<_>>(), store.trial_count(&cell("A"))), (vec![&3, &7], Ok(2)));
        assert!(found[&3][0].is_nan());
        assert_eq!(
            (&found[&7], &store.trials(&cell("B")).unwrap()[&7]),
            (&vec![0.1, -2.0], &vec![1e300, 0.0])
        );
        for text in ["[0.1]", "[0.1,-2,3]", "0.1,-2", "[0.1,inf]", "[0.1,x]"] {
            let changed = store
                .db
                .pragma_update(None, "query_only", false)
                .and_then(|()| store.db.execute("UPDATE trial SET figures = ?1 WHERE number = 7", [text]));
            // The constraint takes the first two for lists, which have the wrong length.
            if changed.is_ok() {
                let error = store.trials(&cell("A")).unwrap_err().to_string();
                assert!(error.contains("trial 7: its figures are"), "{error}");
            }
        }
    }
}
