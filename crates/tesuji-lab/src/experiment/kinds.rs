//! The kinds of experiments that files name.

use crate::decisions::Decisions;
use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::match_config::MatchConfig;
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::round_robin::RoundRobin;
use crate::experiment::source::FileText;
use crate::experiment::sweep::Sweep;
use crate::incentives::{Learning, PointMatch};
use crate::race::Racing;
use crate::train::Training;
use crate::tune::Tuning;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use tesuji::recipe::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of a file.
type Keys<'a> = Spanned<DeTable<'a>>;

/// How a plan is read from its keys.
type Read = fn(&FileText<'_>, Keys<'_>) -> Result<Arc<dyn Kind>, LabError>;

/// Every kind of the laboratory by its word.
const KINDS: [(&str, Read); 9] = [
    ("matches", |source, keys| {
        Ok(tables(source, "match", keys, |config: &MatchConfig| &config.name, |_| Ok(()))?)
    }),
    ("round-robin", |source, keys| named(source, RoundRobin::read(source.read(keys)?))),
    ("sweep", |source, keys| named(source, Sweep::read(source.read(keys)?))),
    ("tuning", |source, keys| checked(source, keys, Tuning::check)),
    ("race", |source, keys| named(source, Racing::read(source.read(keys)?))),
    ("train", |source, keys| checked(source, keys, Training::check)),
    ("decisions", |source, keys| checked(source, keys, |plan: &Decisions| plan.cells().map(drop))),
    ("incentives", |source, keys| Ok(tables(source, "learning", keys, |own| &own.name, Learning::check)?)),
    ("points", |source, keys| Ok(tables(source, "match", keys, |own| &own.name, PointMatch::check)?)),
];

/// Words for kinds beside those of the list.
const ALIASES: [(&str, &str); 1] = [("score-match", "points")];

/// A kind of experiment of another crate. The keys of its file are its fields, as serde reads them.
pub trait OwnKind: Kind + DeserializeOwned {
    /// The word for the kind in a file, which [`Kind::kind`] gives too.
    const KIND: &'static str;
}

/// Kinds of other crates.
static REGISTERED: RwLock<Vec<(&'static str, Read)>> = RwLock::new(Vec::new());

fn all() -> Vec<(&'static str, Read)> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    KINDS.iter().chain(&*registered).copied().collect()
}

/// The words for all kinds.
pub(super) fn words() -> Vec<&'static str> {
    all().into_iter().map(|(kind, _)| kind).collect()
}

/// Adds a kind of another crate to the list.
pub(super) fn register<K: OwnKind>() {
    let is_taken = KINDS.iter().any(|(kind, _)| *kind == K::KIND);
    assert!(!is_taken, "two kinds of experiments have the word {}", K::KIND);
    if !words().contains(&K::KIND) {
        let read: Read = |source, keys| checked(source, keys, |_: &K| Ok(()));
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push((K::KIND, read));
    }
}

/// Reads the plan of a file of this kind.
pub(super) fn read_plan(
    kind: Option<&str>,
    source: &FileText<'_>,
    keys: Keys<'_>,
) -> Result<Arc<dyn Kind>, LabError> {
    let alias = ALIASES.iter().find(|(alias, _)| Some(*alias) == kind);
    let word = alias.map_or(kind, |(_, word)| Some(*word));
    if let Some((_, read)) = all().into_iter().find(|(own, _)| Some(*own) == word) {
        return read(source, keys);
    }
    let words = words();
    let kinds = words.iter().map(|kind| format!("{kind:?}")).collect::<Vec<_>>().join(", ");
    Err(source.fault(match kind {
        Some(kind) => format!("kind is {kind:?}; accepted: {kinds}{}", did_you_mean(kind, words)),
        None => format!(
            "kind is missing; accepted: a line such as kind = \"matches\", with one of {kinds}; `tesuji new sweep` prints a whole file"
        ),
    }))
}

/// A plan, or the fault that its keys have.
fn named<K: Kind>(source: &FileText<'_>, plan: Result<K, String>) -> Result<Arc<dyn Kind>, LabError> {
    Ok(Arc::new(plan.map_err(|fault| source.fault(fault))?))
}

/// A plan whose fields are the keys, and which passes a check.
fn checked<K: Kind + DeserializeOwned>(
    source: &FileText<'_>,
    keys: Keys<'_>,
    check: fn(&K) -> Result<(), LabError>,
) -> Result<Arc<dyn Kind>, LabError> {
    let plan: K = source.read(keys)?;
    check(&plan).map_err(|error| source.placed(error))?;
    Ok(Arc::new(plan))
}

/// The tables `[[key]]` of a file, with the settings that they share, each checked.
fn tables<T: DeserializeOwned>(
    source: &FileText<'_>,
    key: &str,
    table: Keys<'_>,
    name: impl Fn(&T) -> &str,
    check: impl Fn(&T) -> Result<(), LabError>,
) -> Result<Arc<Vec<T>>, LabError> {
    let mut common = table.into_inner();
    let tables = match common.remove(key).map(Spanned::into_inner) {
        Some(DeValue::Array(tables)) if !tables.is_empty() => tables,
        _ => {
            let accepted = format!("accepted: at least one table [[{key}]]");
            let is_list = |value: &DeValue<'_>| {
                value.as_array().is_some_and(|list| list.first().is_some_and(|own| own.get_ref().is_table()))
            };
            return Err(match common.iter().find(|(_, value)| is_list(value.get_ref())) {
                Some((other, _)) => {
                    let fault = format!("[[{}]] is no table of such a file; {accepted}", other.get_ref());
                    source.at(Some(other.span().start), LabError::input(fault))
                }
                None => source.fault(format!("{key}: nothing is asked for; {accepted}")),
            });
        }
    };
    let (mut cells, mut names) = (Vec::new(), HashSet::new());
    for own in tables {
        let span = own.span();
        let fail = |message: String| Err(source.at(Some(span.start), LabError::input(message)));
        let DeValue::Table(own) = own.into_inner() else {
            return fail(format!("a {key} is not a table; accepted: [[{key}]]"));
        };
        let mut all = common.clone();
        all.extend(own);
        let cell: T = source.read(Spanned::new(span.clone(), all))?;
        if !is_plain(name(&cell)) {
            return fail(format!("name is {:?}; accepted: {PLAIN}", name(&cell)));
        }
        if !names.insert(name(&cell).to_owned()) {
            return fail(format!("a {key} before it has the name {:?} too; accepted: another", name(&cell)));
        }
        cells.push(cell);
    }
    for cell in &cells {
        source.checked(key, name(cell), check(cell))?;
    }
    Ok(Arc::new(cells))
}
