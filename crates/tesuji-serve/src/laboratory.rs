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
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji::recipe::{Recipe, parts};
use tesuji_lab::report::{Drawing, Record, Workers};
use tesuji_lab::store::{GameRow, Place, PlannedMatch, Store};
use tesuji_lab::{Conditions, GameSpec};

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
            if dir.join(STORE).is_file() && state.directories.check_links(dir).is_ok() {
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

/// Which experiment.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct WantedExperiment {
    id: String,
}

/// The largest store of which all games are read, for charts, in bytes.
const LARGEST: u64 = 64 << 20;
/// Games that are listed.
const GAMES: u64 = 100;

fn megabytes(dir: &Path) -> u64 {
    dir.join(STORE).metadata().map_or(0, |file| file.len()) >> 20
}

fn too_large(megabytes: u64) -> String {
    format!(
        "the record has {megabytes} MB; charts are drawn for records of at most {} MB. `tesuji report` draws all of them",
        LARGEST >> 20
    )
}

/// `GET /api/experiment`: one experiment, from its summary.
pub(crate) async fn experiment(
    Shared(state): Shared<Arc<State>>,
    Query(wanted): Query<WantedExperiment>,
) -> Answer {
    aside(move || {
        let dir = state.directories.record(&wanted.id)?;
        if !dir.join(STORE).is_file() {
            return Err(Failure::missing(format!("{:?} holds no experiment", wanted.id)));
        }
        let mut seen = overview(&dir, wanted.id.clone());
        seen["running"] = json!(state.runs.names().contains(&wanted.id));
        Ok(json_answer(&seen))
    })
    .await
}

/// `GET /api/experiment/details`: the file, tables and the first games.
pub(crate) async fn details(
    Shared(state): Shared<Arc<State>>,
    Query(wanted): Query<WantedExperiment>,
) -> Answer {
    aside(move || {
        let dir = state.directories.record(&wanted.id)?;
        let size = megabytes(&dir);
        let said = if size > LARGEST >> 20 { of_large(&dir, size) } else { of_small(&dir) };
        said.map(|said| json_answer(&said))
    })
    .await
}

/// `GET /api/experiment/workers`: the workers of a cluster that had to do with an experiment; null
/// if none had. Of a large record, the state that its coordinator wrote last.
pub(crate) async fn workers(
    Shared(state): Shared<Arc<State>>,
    Query(wanted): Query<WantedExperiment>,
) -> Answer {
    aside(move || {
        let dir = state.directories.record(&wanted.id)?;
        let is_large = megabytes(&dir) > LARGEST >> 20;
        let workers = if is_large { Workers::live(&dir) } else { Workers::read(&dir)? };
        let said = workers.map(|workers| {
            let there = workers.status.as_ref().map_or(json!([]), |status| status["workers"].clone());
            json!({ "lines": workers.lines(), "is_live": workers.is_live, "workers": there })
        });
        Ok(json_answer(&json!(said)))
    })
    .await
}

fn of_small(dir: &Path) -> Result<Value, Failure> {
    let record = Record::read(dir)?;
    let games = record.matches.iter().flat_map(|m| m.games.iter().map(move |(place, game)| (m, place, game)));
    let games: Vec<_> = games
        .take(GAMES as usize)
        .map(|(m, place, game)| game_json(&m.planned, &m.conditions, place, game))
        .collect();
    let tables: Vec<_> =
        record.results.further().map(|table| json!({ "name": table.name, "rows": table.json() })).collect();
    Ok(json!({
        "file": record.file, "version": record.version, "command": record.command, "times": record.times,
        "verdict": record.verdict(), "summary": record.results.summary, "matches": rows(&record.match_results()),
        "made": record.progress.made, "planned": record.progress.planned,
        "games": games, "tables": tables, "ratings": record.ratings(),
    }))
}

/// The same without anything that all games must be read for.
fn of_large(dir: &Path, megabytes: u64) -> Result<Value, Failure> {
    let store = Store::read(dir)?;
    let description = store.description()?.ok_or_else(|| Failure::missing("nothing was begun here"))?;
    let mut games = Vec::new();
    // To count a million games takes a second: the summary has counted them.
    let counted = overview(dir, String::new())["games"].as_u64();
    let (mut made, mut planned_games) = (counted.unwrap_or(0), 0);
    for planned in store.matches()? {
        let conditions = Conditions::parse(&planned.matchup.conditions)?;
        let left = GAMES.saturating_sub(games.len() as u64);
        for (place, game) in store.games_of(&planned.matchup, left.min(planned.games))? {
            games.push(game_json(&planned, &conditions, &place, &game));
        }
        if counted.is_none() {
            made += store.played(&planned.matchup, planned.games)?;
        }
        planned_games += planned.games;
    }
    let events = store.events()?;
    let times = events.first().zip(events.last()).map(|(first, last)| [&first.0, &last.0]);
    Ok(json!({
        "file": description.file, "version": description.version, "command": "tesuji run experiment.toml",
        "times": times, "verdict": [], "summary": [], "matches": [], "tables": [],
        "made": made, "planned": planned_games, "games": games, "note": too_large(megabytes),
    }))
}

fn game_json(planned: &PlannedMatch, conditions: &Conditions, place: &Place, game: &GameRow) -> Value {
    json!({
        "match": planned.name, "game": conditions.game, "komi": conditions.komi,
        "first": if game.a_first { &planned.a } else { &planned.b },
        "second": if game.a_first { &planned.b } else { &planned.a },
        "opening": place.opening, "result": game.result, "moves": game.moves.join(" "),
    })
}

/// `GET /api/experiment/charts`: the figures of the report, as they are in its page.
pub(crate) async fn charts(
    Shared(state): Shared<Arc<State>>,
    Query(wanted): Query<WantedExperiment>,
) -> Answer {
    aside(move || {
        let dir = state.directories.record(&wanted.id)?;
        let size = megabytes(&dir);
        if size > LARGEST >> 20 {
            return Err(Failure::bad(too_large(size)));
        }
        let record = Record::read(&dir)?;
        let mut text = "<charts xmlns=\"http://www.w3.org/1999/xhtml\">".to_owned();
        for Drawing { caption, svg } in record.results.pictures.iter().chain(&record.drawings()?) {
            let caption = caption.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            text += &format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>");
        }
        Ok(([(CONTENT_TYPE, "application/xml")], text + "</charts>").into_response())
    })
    .await
}
