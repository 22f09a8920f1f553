//! Sweeps: recipes with every combination of some values.

use crate::agent_spec::AgentSpec;
use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::match_config::{MatchConfig, match_config_of, slug};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use toml::{Table, Value};

/// Matches of recipes with every combination of some values against one opponent.
///
/// ```
/// # use tesuji_lab::{Experiment, Sweep};
/// let text = r#"
///     kind = "sweep"
///     name = "exploration"
///     game = "connect-four"
///     games = 40                       # of each match
///     playouts = 100
///     base = ["uct", "mast"]           # one recipe, or several
///     b = "flat-mc"                    # without it each base as it is
///
///     [axes]
///     "select.c" = [0.3, 0.7, 1.4]     # any keys of recipes, and `playouts`
///     solver = [true, false]
/// "#;
/// let experiment = Experiment::parse("exploration.toml", text)?;
/// let sweep: &Sweep = experiment.plan_as().expect("its kind says so");
/// assert_eq!(sweep.cells.len(), 2 * 3 * 2);
/// assert_eq!(sweep.cells[1].a, "uct,select.c=0.3,solver=false");
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// Key of a recipe and its values; the values of the last key change first.
    pub axes: Vec<(String, Vec<Value>)>,
    /// The matches, base by base. In the table of results `x` is the value of the first key whose
    /// values are all numbers, and `series` names the other values. The other keys of the file are
    /// their settings.
    pub cells: Vec<MatchConfig>,
}

/// The most matches of a sweep.
const MOST: usize = 10_000;

#[derive(Deserialize)]
#[serde(untagged)]
enum Bases {
    One(String),
    Several(Vec<String>),
}

impl Kind for Sweep {
    fn kind(&self) -> &'static str {
        "sweep"
    }

    fn matches(&self) -> Result<Vec<MatchConfig>, LabError> {
        Ok(self.cells.clone())
    }
}

impl Sweep {
    /// From the keys of a file.
    pub(super) fn read(mut common: Table) -> Result<Sweep, String> {
        let base = common.remove("base").map(Bases::deserialize);
        let bases = match base {
            Some(Ok(Bases::One(base))) => vec![base],
            Some(Ok(Bases::Several(bases))) if !bases.is_empty() => bases,
            _ => {
                return Err(
                    "base is missing or empty; accepted: a recipe such as \"uct\", or a list of them"
                        .to_owned(),
                );
            }
        };
        if let Some(key) = ["a", "series", "x"].into_iter().find(|key| common.contains_key(*key)) {
            return Err(format!("a sweep has no key {key}: it follows from base and axes"));
        }
        if let Some(engine) = bases.iter().find(|base| AgentSpec::is_engine(base)) {
            return Err(format!("base is {engine:?}; accepted: recipes, which take the values of axes"));
        }
        let mut axes = BTreeMap::new();
        if let Some(table) = common.remove("axes") {
            leaves("", table, &mut axes);
        }
        let accepted = "accepted: [axes] with lists of values, such as \"select.c\" = [0.3, 0.7]";
        if axes.is_empty() {
            return Err(format!("axes is missing or empty; {accepted}"));
        }
        let mut lists = Vec::new();
        for (key, values) in axes {
            match values {
                Value::Array(values) if !values.is_empty() => lists.push((key, values)),
                other => return Err(format!("axes: {key} is {other}; {accepted}")),
            }
        }
        let axes = lists;
        let numeric = axes.iter().position(|(_, values)| values.iter().all(|value| number(value).is_some()));
        let product = |n: usize, (_, values): &(String, Vec<Value>)| n.checked_mul(values.len());
        let combinations = axes.iter().try_fold(1, product).unwrap_or(usize::MAX);
        if combinations.saturating_mul(bases.len()) > MOST {
            return Err(format!("axes: the sweep has too many matches; accepted: at most {MOST}"));
        }
        let (mut cells, mut names): (Vec<MatchConfig>, HashSet<String>) = Default::default();
        for base in &bases {
            for index in 0..combinations {
                let (mut rest, mut chosen) = (index, Vec::new());
                for (key, values) in axes.iter().rev() {
                    chosen.push((key, &values[rest % values.len()]));
                    rest /= values.len();
                }
                chosen.reverse();
                let words: Vec<String> =
                    chosen.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
                let is_x = |i: usize| Some(i) == numeric;
                let others =
                    words.iter().enumerate().filter(|&(i, _)| !is_x(i)).map(|(_, word)| word.as_str());
                let series: Vec<&str> = std::iter::once(base.as_str()).chain(others).collect();
                let several = if bases.len() > 1 { format!("{base},") } else { String::new() };
                let mut table = common.clone();
                let mut set = |key: &str, value: Value| table.insert(key.to_owned(), value);
                set("name", Value::String(slug(&format!("{several}{}", words.join(",")))));
                set("a", Value::String(format!("{base},{}", words.join(","))));
                set("series", Value::String(series.join(",")));
                if let Some(x) = numeric.and_then(|i| number(chosen[i].1)) {
                    set("x", Value::Float(x));
                }
                if !common.contains_key("b") {
                    table.insert("b".to_owned(), Value::String(base.clone()));
                }
                let cell = match_config_of(table)?;
                if !names.insert(cell.name.clone()) {
                    return Err(format!("two matches of the sweep would be called {}", cell.name));
                }
                cells.push(cell);
            }
        }
        Ok(Sweep { axes, cells })
    }
}

/// All lists of values by their dotted keys.
fn leaves(prefix: &str, value: Value, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let key = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
                leaves(&key, value, found);
            }
        }
        value => {
            found.insert(prefix.to_owned(), value);
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}

/// A value as a recipe's override has it: text without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_of_too_many_matches_is_refused() {
        let values: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        for keys in [4, 20] {
            let axes: Vec<String> = (0..keys).map(|k| format!("k{k} = [{}]", values.join(","))).collect();
            let text = format!("base = \"uct\"\n[axes]\n{}", axes.join("\n"));
            let error = Sweep::read(text.parse().unwrap()).unwrap_err();
            assert!(error.contains("accepted: at most 10000"), "{error}");
        }
    }
}
