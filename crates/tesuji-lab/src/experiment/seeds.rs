//! The seeds of a result.

use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// The seeds of the games that a row counts: one where they come from one run, several where runs
/// were pooled. In tables a number, or numbers with `+` between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seeds(BTreeSet<u64>);

impl From<u64> for Seeds {
    fn from(seed: u64) -> Seeds {
        Seeds(BTreeSet::from([seed]))
    }
}

impl Seeds {
    /// These and those; none if a seed is in both, as its games would count twice.
    pub(super) fn union(&self, other: &Seeds) -> Option<Seeds> {
        self.0.is_disjoint(&other.0).then(|| Seeds(&self.0 | &other.0))
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seed) in self.0.iter().enumerate() {
            write!(f, "{}{seed}", if i == 0 { "" } else { "+" })?;
        }
        Ok(())
    }
}

impl Serialize for Seeds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.first() {
            Some(seed) if self.0.len() == 1 => serializer.serialize_u64(*seed),
            _ => serializer.collect_str(self),
        }
    }
}

impl FromStr for Seeds {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Seeds, ParseIntError> {
        text.split('+').map(str::parse).collect::<Result<_, _>>().map(Seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_written_as_a_number_or_as_text() {
        let both = Seeds::from(7).union(&2.into()).unwrap();
        assert_eq!(serde_json::to_string(&Seeds::from(7)).unwrap(), "7");
        assert_eq!(serde_json::to_string(&both).unwrap(), r#""2+7""#);
        for seeds in [Seeds::from(7), both] {
            assert_eq!(seeds.to_string().parse(), Ok(seeds));
        }
        for text in ["", "1+", "1 2", "-1"] {
            text.parse::<Seeds>().unwrap_err();
        }
    }

    #[test]
    fn a_seed_of_both_sides_has_no_union() {
        let both = Seeds::from(1).union(&2.into()).unwrap();
        assert_eq!(both.union(&2.into()), None);
        assert_eq!(both.union(&3.into()).unwrap().to_string(), "1+2+3");
    }
}
