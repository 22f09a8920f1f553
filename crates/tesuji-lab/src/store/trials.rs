//! Trials of a store.

use super::agenda::cell_id;
use super::{Store, TrialCell};
use crate::LabError;
use rusqlite::params;
use std::collections::BTreeMap;

/// What trials gave, by their numbers; a figure that there is not is NaN.
pub type Trials = BTreeMap<u64, Vec<f64>>;

impl Store {
    /// Adds trials, all or none.
    ///
    /// # Errors
    /// If one of them is there already.
    pub fn insert_trials(&mut self, cell: &TrialCell, trials: &[(u64, Vec<f64>)]) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        let id = cell_id(&transaction, cell)?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO trial VALUES (?, ?, ?)")?;
            for (number, figures) in trials {
                insert.execute(params![id, *number as i64, to_json(figures)])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// All trials of a cell.
    pub fn trials(&self, cell: &TrialCell) -> Result<Trials, LabError> {
        let mut query = self
            .db
            .prepare_cached("SELECT number, figures FROM trial JOIN cell ON cell.id = cell WHERE hash = ?")?;
        let rows = query
            .query_map([cell.hash()], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (number, figures) = row?;
            Ok((number, of_json(&figures)?))
        })
        .collect()
    }

    /// How many trials of a cell there are.
    pub fn trial_count(&self, cell: &TrialCell) -> Result<u64, LabError> {
        let mut query = self
            .db
            .prepare_cached("SELECT COUNT(*) FROM trial JOIN cell ON cell.id = cell WHERE hash = ?")?;
        Ok(query.query_row([cell.hash()], |row| row.get::<_, i64>(0))? as u64)
    }
}

/// Every digit that tells a number from others; JSON has no words for what is not finite.
fn to_json(figures: &[f64]) -> String {
    let word = |x: &f64| if x.is_finite() { x.to_string() } else { "null".to_owned() };
    format!("[{}]", figures.iter().map(word).collect::<Vec<_>>().join(","))
}

fn of_json(text: &str) -> Result<Vec<f64>, LabError> {
    let list = text.trim_start_matches('[').trim_end_matches(']');
    let number =
        |word: &str| if word == "null" { Ok(f64::NAN) } else { word.parse().map_err(LabError::failed) };
    list.split(',').filter(|word| !word.is_empty()).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_read_again() {
        let cell = |spec: &str| TrialCell { spec: spec.to_owned(), columns: vec!["figure".to_owned()] };
        let dir = tempfile::tempdir().unwrap();
        {
            let mut store = Store::open(dir.path()).unwrap();
            store.insert_trials(&cell("A"), &[(7, vec![0.1, -2.0]), (3, vec![f64::NAN])]).unwrap();
            store.insert_trials(&cell("B"), &[(7, vec![1e300])]).unwrap();
            assert!(store.insert_trials(&cell("A"), &[(9, vec![1.0]), (7, vec![1.0])]).is_err());
            assert!(Store::open(dir.path()).is_err(), "one process at a time");
        }
        let store = Store::read(dir.path()).unwrap();
        let found = store.trials(&cell("A")).unwrap();
        assert_eq!((found.keys().collect::<Vec<_>>(), store.trial_count(&cell("A"))), (vec![&3, &7], Ok(2)));
        assert!(found[&3][0].is_nan());
        assert_eq!((&found[&7], &store.trials(&cell("B")).unwrap()[&7]), (&vec![0.1, -2.0], &vec![1e300]));
    }
}
