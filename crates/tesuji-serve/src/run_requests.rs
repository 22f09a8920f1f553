//! The requests of the page about experiments.

use crate::directories::Directories;
use crate::failure::{Answer, Failure, json_answer};
use crate::request::{Body, aside};
use crate::state::State;
use crate::stream::events;
use axum::extract::State as Shared;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji_go::network;
use tesuji_lab::store::Store;
use tesuji_lab::{AgentSpec, Experiment, ExperimentOptions, LabError};

/// `GET /api/runs/events`.
pub(crate) async fn watch(Shared(state): Shared<Arc<State>>) -> Answer {
    Ok(events(state.runs.watch()))
}

/// What is run: a new file in the N-th directory, or the record of a directory.
#[derive(Clone, Deserialize, Debug)]
#[serde(untagged)]
pub(crate) enum Asked {
    New { directory: usize, file: String },
    Old { id: String },
}

/// `POST /api/runs/check`: reads a file, and says what it is.
pub(crate) async fn check(Shared(state): Shared<Arc<State>>, Body(asked): Body<Asked>) -> Answer {
    let Asked::New { file, .. } = asked else { return Err(Failure::bad("there is no file")) };
    let experiment = aside(move || read(&file, &state.directories)).await?;
    Ok(json_answer(
        &json!({ "name": experiment.name, "kind": experiment.plan().kind(), "about": experiment.about }),
    ))
}

/// Reads a file that came from a page. It may not start programs, nor read files outside of the
/// directories.
fn read(file: &str, directories: &Directories) -> Result<Experiment, Failure> {
    // An experiment reads the files that it names.
    if let Ok(table) = file.parse().map(toml::Value::Table)
        && let Some(path) = foreign(&table, directories)
    {
        return Err(Failure::forbidden(format!(
            "{path:?} names a file; accepted: none outside of the directories"
        )));
    }
    let experiment = Experiment::parse("experiment", file)?;
    let commands = experiment.commands()?;
    if let Some(command) = commands.first() {
        return Err(Failure::forbidden(format!(
            "the experiment executes {command:?}; accepted: agents of this program. `tesuji run` executes others"
        )));
    }
    Ok(experiment)
}

/// The keys whose values are paths, however they are spelt.
const PATHS: [&str; 3] = ["file", "directory", "earlier"];

/// Whether a key, dotted perhaps, is one of them.
fn is_path_key(key: &str) -> bool {
    key.rsplit('.').next().is_some_and(|last| PATHS.contains(&last))
}

/// A text that names a file outside of the directories, if there is one: in an experiment file,
/// paths begin where the program was started.
fn foreign<'a>(value: &'a toml::Value, directories: &Directories) -> Option<&'a str> {
    match value {
        toml::Value::String(text) => {
            let is_meant = is_foreign(text, false, directories) || has_foreign_network(text, directories);
            is_meant.then_some(text)
        }
        toml::Value::Array(list) => list.iter().find_map(|value| foreign(value, directories)),
        toml::Value::Table(table) => {
            let values = table.iter().filter(|(key, _)| !["name", "about", "claim"].contains(&key.as_str()));
            let foreign_in = |(key, value): (&'a String, &'a toml::Value)| match value {
                // The values of an axis are paths where its key is one.
                value if is_path_key(key) && !value.is_table() => texts(value)
                    .into_iter()
                    .find(|path| *path != network::POOLING && !directories.has(Path::new(path))),
                // What is put into an agent may be a path there.
                value if key == "parameter" => {
                    texts(value).into_iter().find(|text| is_foreign(text, true, directories))
                }
                value => foreign(value, directories),
            };
            values.filter_map(foreign_in).next()
        }
        _ => None,
    }
}

/// All texts in a value, without names.
fn texts(value: &toml::Value) -> Vec<&str> {
    match value {
        toml::Value::String(text) => vec![text],
        toml::Value::Array(list) => list.iter().flat_map(texts).collect(),
        toml::Value::Table(table) => {
            table.iter().filter(|(key, _)| *key != "name").flat_map(|(_, value)| texts(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the text is an agent whose network is in a file outside of the directories.
fn has_foreign_network(text: &str, directories: &Directories) -> bool {
    let Ok(AgentSpec::Recipe(recipe)) = AgentSpec::parse(text) else { return false };
    let network = recipe.network();
    let file = network.as_ref().and_then(network::file);
    file.is_some_and(|file| !directories.has(Path::new(file)))
}

/// Whether a word of a text names a file outside of the directories: the value of a `file`, a word
/// that looks like the path of a file that exists, or with `any` every other path of one.
fn is_foreign(text: &str, any: bool, directories: &Directories) -> bool {
    let is_foreign = |word: &str| {
        let leads_away = word.starts_with(['/', '~']) || word.split(['/', '\\']).any(|part| part == "..");
        // Of a pattern of names, the directory counts.
        let fixed = word.split(['*', '?', '[']).next().unwrap_or_default();
        let path =
            if fixed == word { Path::new(word) } else { Path::new(fixed).parent().unwrap_or(Path::new("")) };
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let is_path = any || word.contains(['.', '/', '\\', '*']);
        (leads_away || (is_path && path.exists())) && !directories.has(path)
    };
    let mut words =
        text.split([',', '=', '"', '\'', ' ', '\t', '\n', '{', '}']).filter(|word| !word.is_empty());
    let mut key = "";
    words.any(|word| {
        let key = std::mem::replace(&mut key, word);
        is_foreign(word)
            || (is_path_key(key) && word != network::POOLING && !directories.has(Path::new(word)))
    })
}

/// `POST /api/runs`: starts an experiment, or resumes one.
pub(crate) async fn start(Shared(state): Shared<Arc<State>>, Body(asked): Body<Asked>) -> Answer {
    aside(move || {
        let (out, file) = match asked {
            Asked::New { directory, file } => {
                let root = state.directories.roots().get(directory);
                (root.ok_or_else(|| Failure::bad("there is no such directory"))?.clone(), file)
            }
            Asked::Old { id } => of_record(&state.directories.record(&id)?)?,
        };
        let experiment = read(&file, &state.directories)?;
        let record = out.join(&experiment.name);
        let id = state.directories.name(&record).filter(|_| state.directories.will_have(&record));
        let id = id.ok_or_else(|| Failure::forbidden("the record is outside of the directories"))?;
        state.directories.check_links(&record)?;
        // The directory around a record may not be served; then the tables go into the record.
        let results = if state.directories.has(&out) { &out } else { &record }.join("results");
        state.directories.check_tables(&results.join(&experiment.name))?;
        let options = ExperimentOptions {
            cluster: None,
            results,
            out,
            games: None,
            only: Vec::new(),
            threads: state.options.threads,
            changed: false,
            version: state.options.version.clone(),
        };
        state.runs.start(id.clone(), experiment, options)?;
        Ok(json_answer(&json!({ "id": id })))
    })
    .await
}

/// The directory of records and the file of an experiment that was begun.
fn of_record(dir: &Path) -> Result<(PathBuf, String), Failure> {
    let description = Store::read(dir)?.description()?;
    let description = description.ok_or_else(|| Failure::bad("nothing was begun in this directory"))?;
    if description.kind == "match" {
        return Err(Failure::bad("the record is one of `tesuji match`, which resumes it"));
    }
    let depth = Path::new(&description.name).components().count();
    let out = dir.ancestors().nth(depth).filter(|out| out.join(&description.name) == dir);
    let moved = || {
        let (dir, name) = (dir.display(), &description.name);
        LabError::input(format!("{dir} is the record of {name:?}; accepted: a directory of this name"))
    };
    Ok((out.ok_or_else(moved)?.to_owned(), description.file))
}

/// `POST /api/runs/stop`.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Named {
    id: String,
}

pub(crate) async fn stop(Shared(state): Shared<Arc<State>>, Body(Named { id }): Body<Named>) -> Answer {
    if !state.runs.stop(&id) {
        return Err(Failure::missing("the experiment does not run in this server"));
    }
    Ok(json_answer(&json!({})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_starts_no_programs_and_names_no_files() {
        let file = |a: &str| {
            format!(
                "kind = \"matches\"\nname = \"x\"\ngame = \"tic-tac-toe\"\ngames = 2\nplayouts = 5\nb = \"uct\"\n[[match]]\nname = \"m\"\na = {a:?}\n"
            )
        };
        let inside = tempfile::tempdir().unwrap();
        std::fs::write(inside.path().join("own.toml"), "").unwrap();
        let directories = Directories::new(&[inside.path().to_owned()]).unwrap();
        let foreign =
            |text: &str| foreign(&toml::Value::Table(text.parse().unwrap()), &directories).map(str::to_owned);
        let read = |text: &str| super::read(text, &directories);
        assert!(read(&file("uct,select.c=0.3")).is_ok());
        assert!(read(&file("gtp:touch x")).unwrap_err().message.contains("executes \"touch x\""));
        let race = "kind = \"race\"\nname = \"x\"\ngame = \"go9\"\nbase = \"src/lib.rs\"";
        assert!(read(race).unwrap_err().message.contains("\"src/lib.rs\" names a file"));
        assert_eq!(foreign(&file("uct,select.c=0.3")), None);
        assert_eq!(foreign(&file(&inside.path().join("own.toml").display().to_string())), None);
        // The tests run in the directory of the crate.
        for agent in [
            "puct-net,network.file=/etc/passwd",
            "../x.toml",
            "puct-net,network.file=a/../../b",
            "~/x",
            "Cargo.toml",
            "uct,x=src/lib.rs",
            "*.toml",
            "src/*.rs",
            "puct-net,network.file=secret",
            "puct-net,network={file=\"secret\"}",
        ] {
            assert_eq!(foreign(&file(agent)).as_deref(), Some(agent));
        }
        assert_eq!(foreign(&file("puct-net,network.file=built-in:pooling")), None);
        assert_eq!(foreign("[axes]\n\"network.file\" = [\"built-in:pooling\"]"), None);
        for (text, path) in [
            ("[sgf]\ndirectory = \"games\"", "games"),
            ("earlier = \"out\"", "out"),
            ("[network]\n\"file\" = \"secret\"", "secret"),
            ("teacher.file = \"secret\"", "secret"),
            ("[axes]\n\"network.file\" = [\"secret\"]", "secret"),
            ("[axes.network]\nfile = [\"secret\"]", "secret"),
            ("base = \"puct-net,network.file={k}\"", "puct-net,network.file={k}"),
            ("[[parameter]]\nname = \"k\"\nvalues = [\"uniform\", \"src\"]", "src"),
        ] {
            assert_eq!(foreign(text).as_deref(), Some(path), "{text}");
        }
        let own = inside.path().join("own.toml").display().to_string();
        assert_eq!(foreign(&format!("earlier = {own:?}\n[network]\nfile = {own:?}")), None);
        // A recipe in a file names its network there.
        let recipe = inside.path().join("net.toml");
        let text = AgentSpec::parse("puct-net,network.file=secret").unwrap();
        let AgentSpec::Recipe(text) = text else { panic!() };
        std::fs::write(&recipe, text.to_toml()).unwrap();
        let recipe = recipe.display().to_string();
        assert_eq!(foreign(&file(&recipe)), Some(recipe));
    }
}
