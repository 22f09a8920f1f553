//! The text that identities hash of a recipe: it stays the same when the spelling of recipes
//! changes.
//!
//! A store finds its games by a hash of this text. It has the keys and words of the first recipes,
//! in the order of [`FROZEN`]. [`HISTORY`] describes later changes: an added key is left out if it
//! has the value with which the games are as before, and a renamed key or word is written as it
//! was. If a change altered the games of a part, the part has a key `revision`, see [`revision`].

use super::{Agent, Recipe, RecipeError, text};
use crate::any::{AnyBackup, AnyParallel};
use crate::final_move::FinalMove;
use crate::search::Options;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;
use toml::{Table, Value};

/// A part of a recipe, and its keys in the order in which identities write them; `kind` comes
/// first. A part is named by its table and its kind, if it has one. The part without a name is the
/// whole recipe.
type Keys = (&'static str, &'static [&'static str]);

/// Entries are never changed; a new part gets a new one.
const FROZEN: &[Keys] = &[
    (
        "",
        &[
            "playouts",
            "about",
            "select",
            "backup",
            "playout",
            "network",
            "parallel",
            "final_move",
            "root",
            "solver",
            "depth",
            "expand_at",
            "ties",
            "reuse",
            "memory",
            "recycle",
            "two_level",
            "amaf",
            "bias",
            "patterns",
        ],
    ),
    ("select.uct", &["c"]),
    ("select.ucb1-tuned", &[]),
    ("select.puct", &["c", "first_play", "count"]),
    ("select.round-robin", &[]),
    ("select.epsilon-greedy", &["epsilon"]),
    ("select.grave", &["bias", "reference", "c"]),
    ("select.rave-hand-selected", &["k", "reference", "c"]),
    ("backup.mean", &[]),
    ("backup.erwa", &["rate", "start", "prior"]),
    ("backup.feedback", &["profile", "segments", "simulations", "clock", "as_visits"]),
    ("backup.weights", &["weights"]),
    ("backup.monotone", &["knots", "simulations"]),
    ("backup.softmax", &["schedule", "weight", "knots", "simulations", "own", "error"]),
    ("backup.max", &[]),
    ("backup.coulom", &["p", "q", "area", "best"]),
    ("backup.power-mean", &["p"]),
    ("backup.mellowmax", &["weight"]),
    ("backup.accelerated", &["lambda"]),
    ("backup.max-mcts", &["lambda"]),
    ("playout.uniform", &[]),
    ("playout.mast", &["epsilon", "keep"]),
    ("playout.maxi", &["epsilon", "among", "keep", "list"]),
    ("playout.net", &[]),
    ("playout.mixed", &["share"]),
    ("network", &["file", "symmetry", "temperature", "cache"]),
    ("parallel.serial", &[]),
    ("parallel.root", &["threads"]),
    ("parallel.tree", &["threads", "virtual_visits"]),
    ("root.plain", &[]),
    ("root.dirichlet", &["total", "share"]),
    ("root.gumbel", &["considered", "noise", "visits", "scale"]),
    ("memory", &["nodes", "bytes"]),
    ("two_level", &["lambda", "playouts", "share", "give_up"]),
    ("amaf", &["counts", "alloc", "tables"]),
    ("bias.log-decay", &["c", "from"]),
    ("bias.virtual", &["visits", "from"]),
    ("patterns", &["pattern", "value", "evidence"]),
];

/// What has changed since the entries of [`FROZEN`] were written.
struct History {
    added: &'static [Added],
    renamed: &'static [Renamed],
    reworded: &'static [Reworded],
}

/// A key that a part of [`FROZEN`] did not have.
struct Added {
    part: &'static str,
    key: &'static str,
    /// The value, in TOML, with which the games are those from before the key was added.
    neutral: &'static str,
}

/// A key with another name than in [`FROZEN`].
struct Renamed {
    part: &'static str,
    now: &'static str,
    frozen: &'static str,
}

/// A text with other words than it had: a kind, another word that a key accepts, or the sentence of
/// a built-in recipe.
struct Reworded {
    part: &'static str,
    /// As in [`FROZEN`], or `kind`.
    key: &'static str,
    now: &'static str,
    frozen: &'static str,
}

const HISTORY: History = History {
    added: &[
        Added { part: "parallel.tree", key: "in_flight", neutral: "\"virtual-loss\"" },
        Added { part: "parallel.tree", key: "batch", neutral: "1" },
        Added { part: "backup.accelerated", key: "softmax", neutral: "0.0" },
        Added { part: "playout.maxi", key: "pairs", neutral: "0" },
        Added { part: "patterns", key: "weight", neutral: "1.0" },
    ],
    renamed: &[
        Renamed { part: "", now: "expansion_threshold", frozen: "expand_at" },
        Renamed { part: "amaf", now: "min_visits", frozen: "alloc" },
        Renamed { part: "playout.mast", now: "decay", frozen: "keep" },
    ],
    reworded: &[],
};

/// The revision of a part's games; identities leave out 0. `part` is a table of the recipe such as
/// `backup`, or `""` for what all searches have in common.
///
/// A change that alters the games of a part raises its revision, but only where it alters them: the
/// parameters of the part are at hand, and no node of a search has more than `visits` visits.
fn revision(agent: &Agent, part: &str, visits: u64) -> u32 {
    match (part, &agent.backup, &agent.parallel) {
        ("backup", AnyBackup::Coulom(backup), _) => backup.revision(),
        ("backup", AnyBackup::Feedback(backup), _) => backup.revision(visits),
        ("backup", AnyBackup::Weights(backup), _) => backup.revision(visits),
        ("parallel", _, AnyParallel::Tree(threads)) => threads.revision(),
        _ => 0,
    }
}

impl Recipe {
    /// The text that identities hash: the whole recipe in TOML, in a spelling that does not change.
    /// Recipes that play the same games by the same parts have equal texts in every version of the
    /// library.
    ///
    /// `simulations` is the budget of each search, if it is known. A change that affects larger
    /// searches only does not alter the text.
    pub fn identity(&self, simulations: Option<u64>) -> String {
        let visits = most_visits(self.options(), simulations);
        HISTORY.identity(&self.to_toml(), &|part: &str| revision(&self.agent, part, visits))
    }

    /// The recipe with this identity; `name` is its name. Parts that have changed since then have
    /// another identity now.
    ///
    /// # Errors
    /// As [`Recipe::from_toml`].
    pub fn of_identity(name: &str, identity: &str) -> Result<Recipe, RecipeError> {
        let mut table = text::parse(name, identity)?;
        HISTORY.each_part(&mut table, &mut |_, part| drop(part.remove("revision")));
        Recipe::of_table(name, identity, table)
    }
}

/// The most visits that a node can have after a search with this budget.
fn most_visits(options: &Options, simulations: Option<u64>) -> u64 {
    match simulations {
        // A tree that is kept has visits of earlier searches.
        _ if options.reuse => u64::MAX,
        // This rule may ask for half as many again.
        Some(n) if options.final_move == FinalMove::MaxRobust => n.saturating_add(n / 2),
        Some(n) => n,
        None => u64::MAX,
    }
}

/// Writes a recipe of an earlier version in the spelling of this one.
pub(super) fn respell(recipe: &mut Table) {
    HISTORY.each_part(recipe, &mut |part, table| HISTORY.respell(part, table));
}

impl History {
    fn identity(&self, recipe: &str, revision: &dyn Fn(&str) -> u32) -> String {
        let mut recipe: Table = recipe.parse().unwrap_or_default();
        self.each_part(&mut recipe, &mut |part, table| self.freeze(part, table));
        let axes = FROZEN.iter().map(|(part, _)| part.split('.').next().unwrap_or_default());
        for axis in axes.filter(|axis| revision(axis) > 0) {
            let value = Value::Integer(revision(axis).into());
            let table = match axis {
                "" => &mut recipe,
                _ => {
                    let table = recipe.entry(axis).or_insert_with(|| Value::Table(Table::new()));
                    let Value::Table(table) = table else { continue };
                    table
                }
            };
            table.insert("revision".to_string(), value);
        }
        // The usual bias of patterns came last, where recipes wrote it at all.
        let bias = match recipe.get("bias") {
            Some(bias) if recipe.contains_key("patterns") && *bias == usual_bias() => {
                recipe.remove_entry("bias")
            }
            _ => None,
        };
        let text = |table: &Table| toml::to_string(&Ordered { part: "".into(), table }).unwrap_or_default();
        text(&recipe) + &bias.map_or(String::new(), |bias| text(&Table::from_iter([bias])))
    }

    /// Shows all parts of a recipe with their names in [`FROZEN`].
    fn each_part(&self, recipe: &mut Table, f: &mut dyn FnMut(&str, &mut Table)) {
        f("", recipe);
        for (axis, value) in recipe {
            match value {
                Value::Table(table) => {
                    let mut part = part_name(axis, table).into_owned();
                    let now = |word: &&Reworded| word.key == "kind" && format!("{axis}.{}", word.now) == part;
                    if let Some(word) = self.reworded.iter().find(now) {
                        part = word.part.to_string();
                    }
                    f(&part, table);
                }
                Value::Array(list) => {
                    list.iter_mut().filter_map(Value::as_table_mut).for_each(|table| f(axis, table))
                }
                _ => {}
            }
        }
    }

    /// From the spelling of this version to that of [`FROZEN`].
    fn freeze(&self, part: &str, table: &mut Table) {
        for Renamed { now, frozen, .. } in self.renamed.iter().filter(|key| key.part == part) {
            rename(table, now, frozen);
        }
        for Reworded { key, now, frozen, .. } in self.reworded.iter().filter(|word| word.part == part) {
            reword(table, key, now, frozen);
        }
        for Added { key, neutral, .. } in self.added.iter().filter(|key| key.part == part) {
            let neutral = format!("v = {neutral}").parse::<Table>().unwrap_or_default();
            if table.get(*key) == neutral.get("v") {
                table.remove(*key);
            }
        }
    }

    /// The other way round.
    fn respell(&self, part: &str, table: &mut Table) {
        for Reworded { key, now, frozen, .. } in self.reworded.iter().filter(|word| word.part == part) {
            reword(table, key, frozen, now);
        }
        for Renamed { now, frozen, .. } in self.renamed.iter().filter(|key| key.part == part) {
            rename(table, frozen, now);
        }
    }
}

fn rename(table: &mut Table, from: &str, to: &str) {
    if let Some(value) = table.remove(from) {
        table.insert(to.to_string(), value);
    }
}

fn reword(table: &mut Table, key: &str, from: &str, to: &str) {
    if let Some(Value::String(text)) = table.get_mut(key)
        && text == from
    {
        *text = to.to_string();
    }
}

/// The bias that recipes with patterns had by default when the entries of [`FROZEN`] were written.
fn usual_bias() -> Value {
    let [kind, c, from] = [Value::String("log-decay".to_string()), Value::Float(0.1), Value::Integer(8)];
    Value::Table(Table::from_iter(
        [("kind", kind), ("c", c), ("from", from)].map(|(key, value)| (key.to_string(), value)),
    ))
}

/// The name in [`FROZEN`] of a part with these keys.
fn part_name<'a>(axis: &'a str, table: &Table) -> Cow<'a, str> {
    match table.get("kind").and_then(Value::as_str) {
        Some(kind) => format!("{axis}.{kind}").into(),
        None => axis.into(),
    }
}

/// A table in the frozen order, then by name.
struct Ordered<'a> {
    part: Cow<'a, str>,
    table: &'a Table,
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let frozen = FROZEN.iter().find(|(part, _)| *part == self.part).map_or(&[][..], |(_, keys)| keys);
        let place = |key: &str| frozen.iter().position(|k| *k == key).unwrap_or(frozen.len());
        let mut items: Vec<(&String, &Value)> = self.table.iter().collect();
        items.sort_by_key(|&(key, _)| (key != "kind", place(key), key));
        let mut map = serializer.serialize_map(Some(items.len()))?;
        for (key, value) in items {
            match value {
                Value::Table(table) if self.part.is_empty() => {
                    map.serialize_entry(key, &Ordered { part: part_name(key, table), table })?;
                }
                Value::Array(list) if self.part.is_empty() => {
                    let tables = list.iter().filter_map(Value::as_table);
                    let list = tables.map(|table| Ordered { part: key.into(), table }).collect::<Vec<_>>();
                    map.serialize_entry(key, &list)?;
                }
                value => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AXES, parts};
    use super::*;

    const SPECS: [&str; 6] = [
        "uct",
        "puct-net-softmax,root=gumbel,network.cache=7,playouts=9",
        "puct,select.first_play={parent-minus=0.2},final_move={secure=0.5},root=dirichlet,memory.nodes=50",
        "grave,patterns=[{pattern=\"x\",evidence=\"it's \\\"so\\\"\"},{pattern=\"y\",value=\"bad\"}]",
        "grave,patterns=[{pattern=\"x\"}],bias=virtual",
        "uct,backup=monotone,backup.knots=[1,-2.5,1e-3],select.c=1e-10,about=\"two\\nlines\",amaf.tables=3",
    ];

    /// A recipe whose MAST has its usual decay, with the keys of [`FROZEN`].
    fn first_spelling(recipe: &Recipe) -> String {
        let text = recipe.to_toml().replace("expansion_threshold = ", "expand_at = ");
        text.replace("min_visits = ", "alloc = ").replace("\ndecay = 0.2\n", "\nkeep = 0.2\n")
    }

    #[test]
    fn until_something_changes_identities_are_the_recipes_as_they_are_written() {
        for spec in SPECS.iter().copied().chain(Recipe::built_ins().map(|(name, _)| name)) {
            let recipe = Recipe::parse(spec).unwrap();
            let identity = recipe.identity(None);
            let lines = identity.split_inclusive('\n').filter(|line| !line.starts_with("revision = "));
            let written = first_spelling(&recipe).replace("softmax = 0.0\n", "").replace("pairs = 0\n", "");
            assert_eq!(lines.collect::<String>(), written, "{spec}");
        }
    }

    #[test]
    fn every_key_is_frozen_or_came_later() {
        let known = |part: &str, key: &str| {
            let keys = FROZEN.iter().find(|(name, _)| *name == part).map(|(_, keys)| *keys);
            let keys = keys.unwrap_or_else(|| panic!("part {part} has no entry in FROZEN"));
            let now = |renamed: &&Renamed| renamed.part == part && renamed.now == key;
            let frozen = HISTORY.renamed.iter().find(now).map_or(key, |renamed| renamed.frozen);
            let added = HISTORY.added.iter().any(|added| added.part == part && added.key == frozen);
            assert!(
                added || keys.contains(&frozen),
                "{key} of part {part:?} is neither in FROZEN nor in HISTORY"
            );
        };
        for part in parts() {
            if AXES.contains(&part.axis.as_str()) {
                known("", &part.axis);
            }
            for parameter in &part.parameters {
                let (axis, key) = parameter.key.split_once('.').unwrap_or(("", &parameter.key));
                let axis = axis.trim_end_matches("[]");
                known("", if axis.is_empty() { key } else { axis });
                let name =
                    if part.kind.is_empty() { axis.to_string() } else { format!("{axis}.{}", part.kind) };
                known(&name, key);
            }
        }
    }

    /// A history of every kind of change.
    const CHANGED: History = History {
        added: &[
            Added { part: "select.uct", key: "boldness", neutral: "1.0" },
            Added { part: "", key: "mirror", neutral: "false" },
        ],
        renamed: &[
            Renamed { part: "playout.mast", now: "fading", frozen: "keep" },
            Renamed { part: "", now: "first_children", frozen: "expand_at" },
            Renamed { part: "amaf", now: "from", frozen: "alloc" },
            Renamed { part: "patterns", now: "kind_of_move", frozen: "value" },
        ],
        reworded: &[
            Reworded { part: "", key: "about", now: "UCT, MAST playouts", frozen: "UCT with MAST playouts" },
            Reworded { part: "playout.mast", key: "kind", now: "averages", frozen: "mast" },
            Reworded { part: "", key: "ties", now: "one-of-them", frozen: "random" },
        ],
    };

    /// What a later version might write for the recipe `mast` with random ties and a pattern.
    fn later() -> String {
        let text =
            Recipe::parse("mast,ties=random,patterns=[{pattern=\"x\"}],bias=virtual").unwrap().to_toml();
        let text = text.replace("decay", "fading").replace("expansion_threshold", "first_children");
        let text = text.replace("min_visits", "from");
        let text = text.replace("kind = \"mast\"", "kind = \"averages\"").replace("random", "one-of-them");
        let text = text.replace("value = ", "kind_of_move = ").replace("UCT with MAST", "UCT, MAST");
        text.replace("kind = \"uct\"", "kind = \"uct\"\nboldness = 1.0")
            .replace("solver", "mirror = false\nsolver")
    }

    /// Only where nodes have more visits than the first tables of these backups had, and where
    /// Coulom's best child is that of the highest value.
    #[test]
    fn games_of_a_backup_have_a_revision_where_it_changed_them() {
        let list = |weights: usize| format!("uct,backup=weights,backup.weights={:?}", vec![1.0; weights]);
        for (spec, visits, revised) in [
            ("uct,backup=feedback", 1024, false),
            ("uct,backup=feedback", 1025, true),
            ("uct,backup=feedback,reuse=true", 1000, true),
            ("uct,backup=feedback,final_move=max-robust", 1000, true),
            ("uct,backup=feedback,backup.simulations=1022", 100_000, false),
            ("uct,backup=feedback,backup.simulations=1023", 100_000, true),
            ("uct,backup=feedback,backup.clock=search", 100_000, false),
            ("uct,backup=feedback,backup.as_visits=true", 100_000, false),
            (&list(1024), 100_000, false),
            (&list(1025), 1024, false),
            (&list(1025), 1025, true),
            ("uct,backup=coulom", 10, true),
            ("uct,backup=coulom,backup.best=visits", 100_000, false),
            ("uct,backup=monotone", 100_000, false),
        ] {
            let recipe = Recipe::parse(spec).unwrap();
            let found = recipe.identity(Some(visits)) != first_spelling(&recipe);
            assert_eq!(found, revised, "{spec}, {visits} visits");
        }
    }

    #[test]
    fn new_names_and_neutral_values_leave_an_identity_as_it_is() {
        let first = Recipe::parse("mast,ties=random,patterns=[{pattern=\"x\"}],bias=virtual").unwrap();
        assert_eq!(CHANGED.identity(&later(), &|_| 0), first.identity(None));
        let bold =
            later().replace("boldness = 1.0", "boldness = 2.0").replace("mirror = false", "mirror = true");
        let identity = CHANGED.identity(&bold, &|_| 0);
        assert_eq!(
            identity,
            first
                .identity(None)
                .replace("recycle = false\n", "recycle = false\nmirror = true\n")
                .replace("c = 0.7\n", "c = 0.7\nboldness = 2.0\n")
        );
    }

    #[test]
    fn recipes_in_the_old_spelling_are_read() {
        let recipe = Recipe::parse("mast,ties=random,patterns=[{pattern=\"x\"}],bias=virtual").unwrap();
        let mut table: Table = first_spelling(&recipe).parse().unwrap();
        CHANGED.each_part(&mut table, &mut |part, table| CHANGED.respell(part, table));
        let mut expected: Table = later().parse().unwrap();
        expected.remove("mirror");
        expected["select"].as_table_mut().unwrap().remove("boldness");
        assert_eq!(table, expected);
        let again = table.clone();
        CHANGED.each_part(&mut table, &mut |part, table| CHANGED.respell(part, table));
        assert_eq!(table, again, "the present spelling stays");
    }

    #[test]
    fn visits_are_bounded_by_the_budget() {
        let most = |spec: &str, simulations| most_visits(Recipe::parse(spec).unwrap().options(), simulations);
        assert_eq!(most("uct", Some(1000)), 1000);
        assert_eq!(most("uct,final_move=max-robust", Some(1000)), 1500);
        assert_eq!(most("uct,reuse=true", Some(1000)), u64::MAX);
        assert_eq!(most("uct", None), u64::MAX);
    }

    #[test]
    fn a_revision_makes_another_identity_of_the_recipes_with_that_part() {
        let recipe = Recipe::parse("uct").unwrap();
        let revised = |part: &'static str| {
            HISTORY.identity(&recipe.to_toml(), &|axis: &str| if axis == part { 2 } else { 0 })
        };
        let first = recipe.identity(None);
        assert_eq!(revised("backup"), first.replace("kind = \"mean\"\n", "kind = \"mean\"\nrevision = 2\n"));
        assert_eq!(revised(""), first.replace("recycle = false\n", "recycle = false\nrevision = 2\n"));
        let root = revised("root");
        assert_eq!(root.replace("[root]\nrevision = 2\n\n", ""), first, "{root}");
    }
}
