//! The recommendation after each evaluation.

use crate::error::LabError;
use crate::executor::{SOON, execute_list};
use crate::table::rounded;
use serde::{Deserialize, Serialize};
use tesuji_tune::{Normal, Optimizer};

/// The function at what would have been recommended, as tables show it: its mean, its deviation and
/// the ends of its 95 % interval.
pub(super) type IncumbentRow = [f64; 4];

pub(super) fn incumbent_of(at: Normal) -> IncumbentRow {
    let (mean, sd) = (at.mean, at.deviation());
    [mean, sd, mean - 1.96 * sd, mean + 1.96 * sd].map(|x| rounded(x, 6))
}

/// The incumbents after each observation, as a record keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Incumbents {
    /// A hash of what decides them beside the observations.
    pub(super) model: String,
    pub(super) rows: Vec<IncumbentRow>,
}

/// The incumbents after each of these observations, of which the first ones are known. Each takes a
/// model of its own, in O(n^3).
pub(super) fn incumbents(
    mut known: Vec<IncumbentRow>,
    observed: &[(Vec<f64>, Normal)],
    new: impl Fn() -> Optimizer + Sync,
) -> Result<Vec<IncumbentRow>, LabError> {
    let missing: Vec<usize> = (known.len()..observed.len()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let after = |optimizer: &mut Option<Optimizer>, &i: &usize| {
        let optimizer = optimizer.get_or_insert_with(&new);
        for (x, at) in &observed[optimizer.observations().len()..=i] {
            optimizer.tell(x.clone(), at.mean, at.variance);
        }
        Ok(optimizer.recommend().map(|(_, best)| (i, incumbent_of(best))))
    };
    let mut found = Vec::new();
    execute_list(&missing, threads, SOON, after, &mut |batch| {
        found.extend_from_slice(batch);
        Ok(())
    })?;
    found.sort_by_key(|(i, _)| *i);
    known.extend(found.into_iter().map(|(_, incumbent)| incumbent));
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_tune::Settings;

    #[test]
    fn known_incumbents_are_those_that_would_be_found() {
        let at = |i: u32| Normal { mean: f64::from(i * i % 7) / 7.0, variance: 0.01 };
        let observed: Vec<(Vec<f64>, Normal)> =
            (0..9).map(|i| (vec![f64::from(i * 5 % 9) / 9.0], at(i))).collect();
        let new = || Optimizer::new(1, Settings { samples: 3, ..Settings::default() }, 4);
        let all = incumbents(Vec::new(), &observed, new).unwrap();
        assert_eq!(all.len(), 9);
        let first = incumbents(Vec::new(), &observed[..4], new).unwrap();
        assert_eq!(first, all[..4]);
        assert_eq!(incumbents(first, &observed, new).unwrap(), all);
        // What is known is not looked for again.
        let marked = vec![[0.5; 4]; 8];
        assert_eq!(incumbents(marked, &observed, new).unwrap()[7..], [[0.5; 4], all[8]]);
    }
}
