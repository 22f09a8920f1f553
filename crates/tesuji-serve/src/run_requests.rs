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
use tesuji_lab::store::Store;
use tesuji_lab::{Experiment, ExperimentOptions, LabError};

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
pub(crate) async fn check(Body(asked): Body<Asked>) -> Answer {
    let Asked::New { file, .. } = asked else { return Err(Failure::bad("there is no file")) };
    let experiment = aside(move || read(&file)).await?;
    Ok(json_answer(
        &json!({ "name": experiment.name, "kind": experiment.plan().kind(), "about": experiment.about }),
    ))
}

/// Reads a file that came from a page. It may not start programs.
fn read(file: &str) -> Result<Experiment, Failure> {
    let experiment = Experiment::parse("experiment", file)?;
    let commands = experiment.commands()?;
    if let Some(command) = commands.first() {
        return Err(Failure::forbidden(format!(
            "the experiment executes {command:?}; accepted: agents of this program. `tesuji run` executes others"
        )));
    }
    Ok(experiment)
}

/// A text that names a file outside of the directories, if there is one: in an experiment file,
/// paths begin where the program
/// was started.
fn foreign<'a>(value: &'a toml::Value, directories: &Directories) -> Option<&'a str> {
    let is_foreign = |word: &str| {
        let leads_away = word.starts_with(['/', '~']) || word.split(['/', '\\']).any(|part| part == "..");
        // Of a pattern of names, the directory counts.
        let fixed = word.split(['*', '?', '[']).next().unwrap_or_default();
        let path =
            if fixed == word { Path::new(word) } else { Path::new(fixed).parent().unwrap_or(Path::new("")) };
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let is_path = word.contains(['.', '/', '\\', '*']);
        (leads_away || (is_path && path.exists())) && !directories.has(path)
    };
    match value {
        toml::Value::String(text) => {
            text.split([',', '=', '"', '\'', ' ', '\n']).any(is_foreign).then_some(text)
        }
        toml::Value::Array(list) => list.iter().find_map(|value| foreign(value, directories)),
        toml::Value::Table(table) => {
            let values = table.iter().filter(|(key, _)| !["name", "about", "claim"].contains(&key.as_str()));
            values.filter_map(|(_, value)| foreign(value, directories)).next()
        }
        _ => None,
    }
}

/// `POST /api/runs`: starts an experiment, or resumes one.
pub(crate) async fn start(Shared(state): Shared<Arc<State>>, Body(asked): Body<Asked>) -> Answer {
    aside(move || {
        let (out, file) = match asked {
            Asked::New { directory, file } => {
                let root = state.directories.roots().get(directory);
                (root.ok_or_else(|| Failure::bad("there is no such directory"))?.clone(), file)
            }
            Asked::Old { id } => of_record(&state.directories.existing(&id)?)?,
        };
        let experiment = read(&file)?;
        let table: toml::Value = file.parse::<toml::Table>().map(toml::Value::Table).map_err(Failure::bad)?;
        if let Some(path) = foreign(&table, &state.directories) {
            return Err(Failure::forbidden(format!(
                "{path:?} names a file; accepted: none outside of the directories"
            )));
        }
        let id = state.directories.name(&out.join(&experiment.name));
        let id = id.ok_or_else(|| Failure::forbidden("the record is outside of the directories"))?;
        let options = ExperimentOptions {
            cluster: None,
            results: out.join("results"),
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
        assert!(read(&file("uct,select.c=0.3")).is_ok());
        assert!(read(&file("gtp:touch x")).unwrap_err().message.contains("executes \"touch x\""));
        let inside = tempfile::tempdir().unwrap();
        std::fs::write(inside.path().join("own.toml"), "").unwrap();
        let directories = Directories::new(&[inside.path().to_owned()]).unwrap();
        let foreign =
            |text: &str| foreign(&toml::Value::Table(text.parse().unwrap()), &directories).map(str::to_owned);
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
        ] {
            assert_eq!(foreign(&file(agent)).as_deref(), Some(agent));
        }
    }
}
