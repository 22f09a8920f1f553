//! The experiments of the directories.

use crate::failure::{Answer, Failure, json_answer};
use crate::overview::{STORE, overview, rows};
use crate::request::aside;
use crate::search_requests::TREE;
use crate::state::State;
use axum::extract::{Query, State as Shared};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji::recipe::{Recipe, parts};
use tesuji_lab::GameSpec;
use tesuji_lab::report::Record;

/// `GET /api/list`: what `tesuji list` knows, and the experiment files to begin with.
pub(crate) async fn list(Shared(state): Shared<Arc<State>>) -> Answer {
    let games: Vec<_> =
        GameSpec::list().iter().map(|game| json!({ "syntax": game.syntax, "about": game.about })).collect();
    let recipes: Vec<_> =
        Recipe::built_ins().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    let templates: Vec<_> =
        state.options.templates.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    let directories: Vec<_> =
        state.directories.roots().iter().map(|root| root.display().to_string()).collect();
    Ok(json_answer(&json!({
        "games": games, "recipes": recipes, "parts": parts(), "templates": templates,
        "directories": directories, "version": state.options.version,
    })))
}

/// `GET /api/experiments`: all experiments and saved trees.
pub(crate) async fn experiments(Shared(state): Shared<Arc<State>>) -> Answer {
    aside(move || {
        let (mut found, mut trees): (Vec<PathBuf>, Vec<String>) = (Vec::new(), Vec::new());
        state.directories.walk(|dir| {
            if dir.join(STORE).is_file() {
                found.push(dir.to_owned());
            }
            let files = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
            trees.extend(
                files
                    .filter(|file| file.to_str().is_some_and(|name| name.ends_with(TREE)))
                    .filter_map(|file| state.directories.name(&file)),
            );
        });
        let running = state.runs.names();
        let seen = |dir: &PathBuf| {
            let name = state.directories.name(dir)?;
            let mut seen = overview(dir, name.clone());
            seen["running"] = json!(running.contains(&name));
            Some(seen)
        };
        let all: Vec<_> = found.iter().filter_map(seen).collect();
        trees.sort();
        Ok(json_answer(&json!({ "experiments": all, "trees": trees })))
    })
    .await
}

/// Which experiment, and what of it.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Wanted {
    id: String,
    #[serde(default)]
    chart: usize,
}

/// The largest store whose games are read for charts and boards, in bytes.
const LARGEST: u64 = 64 << 20;

fn read_whole(dir: &Path) -> Result<Record, Failure> {
    let size = dir.join(STORE).metadata().map_or(0, |file| file.len());
    if size > LARGEST {
        return Err(Failure::bad(format!(
            "the record has {} MB; charts are drawn of records of at most {} MB. `tesuji report` draws all",
            size >> 20,
            LARGEST >> 20
        )));
    }
    Ok(Record::read(dir)?)
}

/// `GET /api/experiment`: one experiment, from its summary.
pub(crate) async fn experiment(Shared(state): Shared<Arc<State>>, Query(wanted): Query<Wanted>) -> Answer {
    let dir = state.directories.existing(&wanted.id)?;
    aside(move || {
        if !dir.join(STORE).is_file() {
            return Err(Failure::missing(format!("{:?} holds no experiment", wanted.id)));
        }
        let mut seen = overview(&dir, wanted.id.clone());
        seen["running"] = json!(state.runs.names().contains(&wanted.id));
        Ok(json_answer(&seen))
    })
    .await
}

/// `GET /api/experiment/details`: the file, tables, names of charts and the first games.
pub(crate) async fn details(Shared(state): Shared<Arc<State>>, Query(wanted): Query<Wanted>) -> Answer {
    const GAMES: usize = 100;
    let dir = state.directories.existing(&wanted.id)?;
    aside(move || {
        let record = read_whole(&dir)?;
        let captions: Vec<String> = record.drawings()?.into_iter().map(|drawing| drawing.caption).collect();
        let games = record.matches.iter().flat_map(|m| m.games.iter().map(move |game| (m, game)));
        let games: Vec<_> = games
            .take(GAMES)
            .map(|(m, (place, game))| {
                json!({
                    "match": m.planned.name, "game": m.conditions.game, "komi": m.conditions.komi,
                    "first": if game.a_first { &m.planned.a } else { &m.planned.b },
                    "second": if game.a_first { &m.planned.b } else { &m.planned.a },
                    "opening": place.opening, "result": game.result, "moves": game.moves.join(" "),
                })
            })
            .collect();
        let tables: Vec<_> = record
            .results
            .further()
            .map(|table| json!({ "name": table.name, "rows": table.json() }))
            .collect();
        Ok(json_answer(&json!({
            "file": record.file, "version": record.version, "command": record.command, "times": record.times,
            "verdict": record.verdict(), "summary": record.results.summary, "matches": rows(&record.match_results()),
            "made": record.progress.made, "planned": record.progress.planned, "charts": captions,
            "games": games, "tables": tables,
        })))
    })
    .await
}

/// `GET /api/experiment/chart`: one chart as SVG.
pub(crate) async fn chart(Shared(state): Shared<Arc<State>>, Query(wanted): Query<Wanted>) -> Answer {
    let dir = state.directories.existing(&wanted.id)?;
    aside(move || {
        let drawing = read_whole(&dir)?.drawings()?.into_iter().nth(wanted.chart);
        let drawing = drawing.ok_or_else(|| Failure::missing("the experiment has no such chart"))?;
        Ok(([(CONTENT_TYPE, "image/svg+xml")], drawing.svg).into_response())
    })
    .await
}
