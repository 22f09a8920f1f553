//! What an experiment is, and how two descriptions differ.

use super::rows::hash;
use toml::{Table, Value};

/// The identity of an experiment: everything that decides its games, and nothing that does not (how many
/// games, on how many threads).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// What kind it is: `match`, ...
    pub kind: String,
    /// Canonical TOML.
    pub spec: String,
}

impl Description {
    /// The hash of the whole.
    pub fn hash(&self) -> String {
        hash(&[&self.kind, &self.spec])
    }

    /// Each key whose value differs in `new`, with both values.
    pub fn differences(&self, new: &Description) -> Vec<String> {
        let mut differences = Vec::new();
        if self.kind != new.kind {
            differences.push(format!("it is a {}, not a {}", self.kind, new.kind));
        }
        let (ours, theirs) = (self.leaves(), new.leaves());
        for (key, value) in &ours {
            match theirs.iter().find(|(k, _)| k == key) {
                Some((_, new)) if new == value => {}
                Some((_, new)) => differences.push(format!("{key} is {value} there and {new} here")),
                None => differences.push(format!("{key} is {value} there and not set here")),
            }
        }
        for (key, new) in &theirs {
            if ours.iter().all(|(k, _)| k != key) {
                differences.push(format!("{key} is not set there and {new} here"));
            }
        }
        differences
    }

    /// All (dotted key, value) of the description.
    fn leaves(&self) -> Vec<(String, String)> {
        fn walk(prefix: &str, value: &Value, leaves: &mut Vec<(String, String)>) {
            let at = |key: &str| if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            match value {
                Value::Table(table) => table.iter().for_each(|(key, value)| walk(&at(key), value, leaves)),
                value => leaves.push((prefix.to_owned(), value.to_string())),
            }
        }
        let mut leaves = Vec::new();
        match self.spec.parse::<Table>() {
            Ok(table) => walk("", &Value::Table(table), &mut leaves),
            Err(_) => leaves.push(("the description".to_owned(), self.spec.clone())),
        }
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let description = |spec: &str| Description { kind: "match".into(), spec: spec.into() };
        let stored = description("seed = 1\nplayouts = 10\n[a]\nc = 0.5\n");
        assert!(stored.differences(&stored).is_empty());
        let new = description("seed = 2\nplayouts = 10\nkomi = 7.0\n[a]\nc = 0.5\n");
        assert_eq!(
            stored.differences(&new),
            ["seed is 1 there and 2 here", "komi is not set there and 7.0 here"]
        );
    }
}
