//! Experiment files.

use crate::agent_spec::ENGINE;
use crate::error::LabError;
use crate::event::Event;
use crate::experiment::kind::{Kind, run_kind};
use crate::experiment::kinds::{self, OwnKind, read_plan};
use crate::experiment::name::{PLAIN, is_plain};
use crate::experiment::run::{ChoiceError, ExperimentOptions, ExperimentReport};
use crate::experiment::source::FileText;
use crate::printable::printable;
use crate::tune::Tuning;
use serde::Deserialize;
use std::any::Any;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tesuji::Stop;

/// An experiment, as a TOML file describes it.
///
/// `name` names the experiment, its record below `out` and its table below `results`; `about`
/// describes it. `kind` decides about the other keys:
///
/// | `kind` | keys |
/// | --- | --- |
/// | `"matches"` | `[[match]]` tables with the fields of [`MatchConfig`](crate::MatchConfig) |
/// | `"round-robin"` | `agents`, `anchor`, and fields of [`MatchConfig`](crate::MatchConfig) for
/// all matches: see [`RoundRobin`](crate::RoundRobin) |
/// | `"sweep"` | `base`, `[axes]`, and fields of [`MatchConfig`](crate::MatchConfig) for all
/// matches: see [`Sweep`](crate::Sweep) |
/// | `"tuning"` | `[[parameter]]` tables and the other fields of [`Tuning`] |
/// | `"race"` | `base`, `[[arm]]` tables or `[patterns]`, and fields of
/// [`MatchConfig`](crate::MatchConfig) for all games: see [`Racing`](crate::Racing) |
/// | `"train"` | the fields of [`Training`](crate::Training) |
/// | `"decisions"` | the fields of [`Decisions`](crate::Decisions) |
/// | `"incentives"` | `[[learning]]` tables with the fields of [`Learning`](crate::Learning) |
/// | `"points"`, also `"score-match"` | `[[match]]` tables with the fields of
/// [`PointMatch`](crate::PointMatch) |
///
/// Where there are `[[match]]` or `[[learning]]` tables, a key at the top is a setting that all of
/// them share unless they say otherwise.
///
/// The results are matches with p-values that are corrected by the method of Holm for the number of
/// matches in the file. The identity of a game is a hash of everything that decides it. So you may
/// add to a file at any time and ask for more games of a match, and two matches of the same agents
/// under the same conditions share their games.
///
/// ```
/// # use tesuji_lab::{Experiment, MatchConfig};
/// let text = r#"
///     kind = "matches"
///     name = "exploration"
///     game = "connect-four"
///     games = 100
///     playouts = 200
///     b = "uct"
///
///     [[match]]
///     name = "low"
///     a = "uct,select.c=0.3"
///
///     [[match]]
///     name = "high"
///     a = "uct,select.c=1.4,playouts=400"   # an agent may have a limit of its own
/// "#;
/// let experiment = Experiment::parse("exploration.toml", text)?;
/// let matches: &Vec<MatchConfig> = experiment.plan_as().expect("it is a list of matches");
/// assert_eq!(matches[1].games, 100);
/// # Ok::<(), tesuji_lab::LabError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name: the path of its record below `out`, and of its table below `results`.
    pub name: String,
    /// The purpose of the experiment, in a sentence.
    pub about: String,
    /// The text of the file.
    pub file: String,
    /// The plan.
    plan: Arc<dyn Kind>,
}

/// The keys that every file has.
#[derive(Deserialize)]
struct Head {
    kind: Option<String>,
    name: Option<String>,
    #[serde(default)]
    about: String,
}

impl Experiment {
    /// Reads a file.
    ///
    /// # Errors
    /// As [`Experiment::parse`]; if the file cannot be read, or a match has an agent that is not
    /// known.
    pub fn read(path: &Path) -> Result<Experiment, LabError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| {
            let (file, fault) = (file.clone(), e.to_string());
            LabError::from(ChoiceError::File { file, fault })
        })?;
        let experiment = Experiment::parse(&file, &text)?;
        let source = FileText { file: &file, text: &text };
        for config in experiment.plan.matches()? {
            source.checked("match", &config.name, config.check_agents())?;
        }
        Ok(experiment)
    }

    /// The words for all kinds in a file. Those that were [registered](Experiment::register) come
    /// last.
    pub fn kinds() -> Vec<&'static str> {
        kinds::words()
    }

    /// Makes a kind known to files, from now on and in the whole program. A kind that is registered
    /// twice counts once.
    ///
    /// # Panics
    /// If a kind of the laboratory has the word.
    pub fn register<K: OwnKind>() {
        kinds::register::<K>();
    }

    /// The plan.
    pub fn plan(&self) -> &dyn Kind {
        &*self.plan
    }

    /// The plan, if it is of this kind.
    pub fn plan_as<K: Kind>(&self) -> Option<&K> {
        (self.plan() as &dyn Any).downcast_ref()
    }

    /// The command lines that its agents `gtp:COMMAND` have executed, each once, in alphabetical
    /// order. Control characters are written as escapes, so that no part of a line can be hidden
    /// from its reader.
    ///
    /// # Errors
    /// None in practice: the file was read before.
    pub fn commands(&self) -> Result<Vec<String>, LabError> {
        let mut found = BTreeSet::new();
        let table: toml::Table = self.file.parse().map_err(LabError::failed)?;
        collect_commands(&toml::Value::Table(table), &mut found);
        if let Some(tuning) = self.plan_as::<Tuning>() {
            // Values that are put in may make a command of it.
            let (head, rest) = tuning.base.split_once('{').unwrap_or((&tuning.base, ""));
            if !rest.is_empty() && ENGINE.starts_with(head) {
                found.insert(printable(&tuning.base, ""));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Reads a text; `file` is its name in messages. The agents of matches are not looked up: their
    /// recipes may be files.
    ///
    /// # Errors
    /// If it is not TOML, or a key or value is none that is accepted; the message names the file,
    /// and line and key where they are known.
    pub fn parse(file: &str, text: &str) -> Result<Experiment, LabError> {
        let source = FileText { file, text };
        let mut table = source.table()?;
        let Head { kind, name, about } = source.read(table.clone())?;
        let name = name.ok_or_else(|| {
            source.fault("name is missing; accepted: a line such as name = \"first\", for the record out/first and the table results/first.csv")
        })?;
        for key in ["kind", "name", "about"] {
            table.get_mut().remove(key);
        }
        if !name.split('/').all(is_plain) {
            return Err(source.fault(format!("name is {name:?}; accepted: {PLAIN}, with / between parts")));
        }
        let plan = read_plan(kind.as_deref(), &source, table)?;
        for config in plan.matches().map_err(|error| source.placed(error))? {
            source.checked("match", &config.name, config.spec())?;
        }
        Ok(Experiment { name, about, file: text.to_owned(), plan })
    }
}

/// [`run_kind`] for the plan of a file. The numbers do not depend on the threads.
///
/// # Errors
/// If something is not possible: everything is checked before the first game. If the record has
/// results of other settings, unless [`ExperimentOptions::changed`] is set. Also if the record
/// fails or the table cannot be written.
pub fn run_experiment(
    experiment: &Experiment,
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<ExperimentReport, LabError> {
    let Experiment { name, about, file, plan } = experiment;
    run_kind(&**plan, [name, about, file], options, stop, watch)
}

/// The commands of all agents `gtp:COMMAND` in a value.
fn collect_commands(value: &toml::Value, found: &mut BTreeSet<String>) {
    match value {
        toml::Value::String(text) => {
            found.extend(text.strip_prefix(ENGINE).map(|command| printable(command.trim(), "")));
        }
        toml::Value::Array(list) => list.iter().for_each(|value| collect_commands(value, found)),
        toml::Value::Table(table) => table.values().for_each(|value| collect_commands(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "kind = \"matches\"\nname = \"x/y\"\ngame = \"hex:3\"\ngames = 4\nplayouts = 10\n";

    #[test]
    fn a_match_overrides_what_all_share() {
        let text = format!(
            "{HEAD}b = \"uct\"\n[[match]]\nname = \"1\"\na = \"mast\"\n[[match]]\nname = \"2\"\na = \"uct\"\ngames = 6\n"
        );
        let cells = Experiment::parse("f.toml", &text).unwrap().plan().matches().unwrap();
        let games: Vec<_> = cells.iter().map(|cell| (cell.a.as_str(), cell.games)).collect();
        assert_eq!(games, [("mast", 4), ("uct", 6)]);
        assert_eq!((cells[0].seed, cells[0].b.as_str()), (1, "uct"));
    }

    #[test]
    fn the_commands_of_a_file_are_told() {
        let text = format!(
            "{HEAD}b = \"gtp:b --mode gtp\"\n[[match]]\nname = \"1\"\na = \"gtp: rm -r x\\u001b[2K \"\n[[match]]\nname = \"2\"\na = \"uct\"\n"
        );
        let experiment = Experiment::parse("f.toml", &text).unwrap();
        assert_eq!(experiment.commands().unwrap(), ["b --mode gtp", r"rm -r x\u{1b}[2K"]);
        let training = "kind = \"train\"\nname = \"x\"\ngame = \"go:5\"\niterations = 1\n[[opponent]]\nname = \"e\"\nagent = \"gtp:e 1\"\n";
        assert_eq!(Experiment::parse("f.toml", training).unwrap().commands().unwrap(), ["e 1"]);
    }

    #[test]
    fn what_is_wrong_with_round_robins_and_sweeps_is_named() {
        let head = HEAD.lines().skip(1).collect::<Vec<_>>().join("\n");
        let round_robin = |more: &str| format!("kind = \"round-robin\"\n{head}\n{more}\n");
        let sweep = |more: &str| format!("kind = \"sweep\"\n{head}\n{more}\n");
        let race = |more: &str| {
            let head = "kind = \"race\"\nname = \"x\"\ngame = \"connect-four\"\nbase = \"uct\"";
            format!("{head}\n{more}\n")
        };
        for (text, expected) in [
            (round_robin("agents = [\"uct\"]"), "at least two"),
            (round_robin("agents = [\"uct\", \"mast\", \"uct\"]"), "\"uct\" twice"),
            (round_robin("agents = [\"uct\", 3]"), "agents is [\"uct\", 3]"),
            (round_robin("agents = [\"uct\", \"mast\"]\nanchor = \"grave\""), "accepted: uct, mast"),
            (round_robin("agents = [\"uct\", \"mast\"]\nb = \"grave\""), "has no key b"),
            (round_robin("agents = [\"uct\", \"mast\"]\ngmaes = 3"), "unknown field `gmaes`"),
            (sweep("base = \"uct\""), "axes is missing"),
            (sweep("[axes]\n\"select.c\" = [1.0]"), "base is missing"),
            (sweep("base = \"uct\"\na = \"grave\"\n[axes]\nselect.c = [1.0]"), "a sweep has no key a"),
            (sweep("base = \"gtp:x\"\n[axes]\nselect.c = [1.0]"), "base is \"gtp:x\"; accepted: recipes"),
            (sweep("base = \"uct\"\n[axes]\nselect.c = 1.0"), "select.c is 1.0"),
            (sweep("base = \"uct\"\n[axes]\nselect.c = [1.0, 1.0]"), "would be called select.c_1.0"),
            (race("[[arm]]\nname = \"a\"\nste = \"\""), "line 7: unknown field `ste`"),
            (race("race = { mots = 4 }\n[[arm]]\nname = \"a\""), "line 5: unknown field `mots`"),
        ] {
            let error = Experiment::parse("f.toml", &text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cell = "[[match]]\nname = \"1\"\na = \"mast\"\nb = \"uct\"\n";
        for (text, expected) in [
            (format!("{HEAD}{cell}gmaes = 3\n"), ["line 10", "unknown field `gmaes`"]),
            (format!("{HEAD}{cell}seed = \"a\"\n"), ["line 10", "seed: invalid type"]),
            (format!("{HEAD}{cell}{cell}"), ["line 10", "the name \"1\" too"]),
            (format!("{HEAD}[[match]]\nname = \"1\"\n"), ["line 6", "missing field `a`"]),
            (format!("{HEAD}[[match]]\nname = \"../1\"\na = \"mast\"\nb = \"uct\"\n"), ["line 6", "letters"]),
            (HEAD.to_owned(), ["f.toml", "[[match]]"]),
            (
                format!("{HEAD}{}", cell.replace("match", "mtach")),
                ["line 6: [[mtach]] is no table", "[[match]]"],
            ),
            (HEAD.replace("x/y", "x/.."), ["f.toml: line 2", "x/.."]),
            (
                HEAD.replace("matches", "contest"),
                ["line 1: kind is \"contest\"", "accepted: \"matches\", \"round-robin\""],
            ),
            ("kind = \n".to_owned(), ["f.toml: line 1", ""]),
            (HEAD.replace("matches", "match"), ["line 1: kind is \"match\"", "did you mean `matches`?"]),
            (HEAD.replace("kind = \"matches\"\n", ""), ["kind is missing", "tesuji new sweep"]),
            (HEAD.replace("name = \"x/y\"\n", ""), ["name is missing", "results/first.csv"]),
            (format!("{HEAD}{cell}gmaes = 3\n"), ["line 10", "did you mean `games`?"]),
        ] {
            let error = Experiment::parse("f.toml", &text).unwrap_err().to_string();
            assert!(expected.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
