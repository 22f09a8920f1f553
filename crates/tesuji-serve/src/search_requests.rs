//! What the page asks of searches.

use crate::directories::Directories;
use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::recipes;
use crate::request::{Body, aside};
use crate::search::RunningSearch;
use crate::snapshot;
use crate::state::State;
use crate::stream::events;
use axum::extract::{Path, Query, State as Shared};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use tesuji::TreeLabel;
use tesuji_lab::{GameSpec, TreeFiles};

/// What is searched.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct SearchRequest {
    #[serde(flatten)]
    place: Place,
    recipe: String,
    /// The search ends after N simulations; without it, it goes on.
    simulations: Option<u64>,
    #[serde(default)]
    seed: u64,
}

/// `POST /api/searches`.
pub(crate) async fn start(Shared(state): Shared<Arc<State>>, Body(asked): Body<SearchRequest>) -> Answer {
    let here = state.clone();
    let search = aside(move || {
        let (game, position) = asked.place.read()?;
        let recipe = recipes::read(&asked.recipe, &here.directories, here.options.search_bytes)?;
        if asked.simulations == Some(0) {
            return Err(Failure::bad("a search makes one simulation or more"));
        }
        let search = game.live_search(&position, &recipe, asked.seed, asked.simulations)?;
        let label = game.tree_label(&recipe, &position.history().join(" "));
        Ok(RunningSearch::start(search, label, true, asked.simulations.is_some()))
    });
    let id = state.searches.add(search.await?, state.options.searches);
    Ok(json_answer(&json!({ "id": id })))
}

/// `GET /api/searches/ID/events`.
pub(crate) async fn watch(Shared(state): Shared<Arc<State>>, Path(id): Path<String>) -> Answer {
    Ok(events(state.searches.get(&id)?.watch()))
}

/// What a search is told to do.
#[derive(Clone, Copy, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
enum Order {
    Pause,
    Resume,
    End,
}

/// `POST /api/searches/ID`.
#[derive(Clone, Copy, Deserialize, Debug)]
pub(crate) struct Orders {
    order: Order,
}

pub(crate) async fn order(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Body(Orders { order }): Body<Orders>,
) -> Answer {
    match order {
        Order::Pause => state.searches.get(&id)?.pause(),
        Order::Resume => state.searches.get(&id)?.resume(),
        Order::End => state.searches.remove(&id)?,
    }
    Ok(json_answer(&json!({})))
}

/// Which part of a node's moves is told.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Wanted {
    #[serde(default)]
    line: String,
    /// Moves with fewer visits are left out.
    #[serde(default)]
    least: u32,
    #[serde(default)]
    from: usize,
    count: Option<usize>,
    sort: Option<String>,
}

/// The most moves of an answer.
const MOVES: usize = 200;

/// `GET /api/searches/ID/node`.
pub(crate) async fn node(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Answer {
    let node = state.searches.get(&id)?.inspect(wanted.line).await?;
    let mut node = node.ok_or_else(|| Failure::missing("the tree has no such node"))?;
    let all = node.moves.len();
    node.moves.retain(|tried| tried.visits >= wanted.least);
    match wanted.sort.as_deref() {
        Some("value") => node.moves.sort_by(|a, b| b.value.total_cmp(&a.value)),
        Some("prior") => node.moves.sort_by(|a, b| b.prior.unwrap_or(0.0).total_cmp(&a.prior.unwrap_or(0.0))),
        Some("move") => node.moves.sort_by(|a, b| a.m.cmp(&b.m)),
        _ => {}
    }
    let shown = node.moves.iter().skip(wanted.from).take(wanted.count.unwrap_or(MOVES).min(MOVES));
    Ok(json_answer(&json!({
        "visits": node.visits,
        "value": node.value,
        "over": node.is_terminal,
        "all": all,
        "kept": node.moves.len(),
        "moves": shown.map(snapshot::tried).collect::<Vec<_>>(),
    })))
}

/// `GET /api/searches/ID/icicle`.
pub(crate) async fn icicle(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Answer {
    let blocks = state.searches.get(&id)?.icicle(wanted.line).await?;
    blocks.map(|blocks| json_answer(&blocks)).ok_or_else(|| Failure::missing("the tree has no such node"))
}

/// Where a tree is saved.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct FileName {
    file: String,
}

/// What the name of a saved tree ends with.
pub(crate) const TREE: &str = ".tree";

/// `POST /api/searches/ID/save`.
pub(crate) async fn save(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Body(FileName { file }): Body<FileName>,
) -> Answer {
    let search = state.searches.get(&id)?;
    if !file.ends_with(TREE) {
        return Err(Failure::bad(format!(
            "{file:?} is not a name of a tree; accepted: one that ends with {TREE}"
        )));
    }
    free_file(&file, &state.directories)?;
    let bytes = search.save().await?;
    let size = bytes.len();
    let write = move || {
        let (file, path) = free_file(&file, &state.directories)?;
        TreeFiles { save: Some(path), ..TreeFiles::default() }.save_by(|| Ok(bytes))?;
        Ok(file)
    };
    let file = aside(write).await?;
    Ok(json_answer(&json!({ "file": file, "bytes": size })))
}

/// A name of a tree and its path; the name gets a number if there is such a tree already.
fn free_file(file: &str, directories: &Directories) -> Result<(String, PathBuf), Failure> {
    let (mut name, mut number) = (file.to_owned(), 1);
    loop {
        let path = directories.new_file(&name)?;
        if !path.exists() {
            return Ok((name, path));
        }
        number += 1;
        name = format!("{}-{number}{TREE}", file.trim_end_matches(TREE));
    }
}

/// The largest saved tree that is opened, in bytes.
const LARGEST: u64 = 1 << 30;

/// `POST /api/trees`: opens a saved tree as a search that is paused.
pub(crate) async fn open(
    Shared(state): Shared<Arc<State>>,
    Body(FileName { file }): Body<FileName>,
) -> Answer {
    let path = state.directories.existing(&file)?;
    let here = state.clone();
    let (search, about) = aside(move || {
        let size = path.metadata().map_err(Failure::internal)?.len();
        if size > LARGEST {
            return Err(Failure::bad(format!("the file has {size} bytes; accepted: at most {LARGEST}")));
        }
        let bytes = std::fs::read(&path).map_err(Failure::internal)?;
        let label = TreeLabel::read(&bytes).map_err(Failure::bad)?;
        let (game, recipe) = GameSpec::of_tree(&label)?;
        let mut position = game.position();
        position.play(&label.moves)?;
        let label = game.tree_label(&recipe, &label.moves);
        let recipe = recipes::of_tree(recipe, &here.directories, here.options.search_bytes)?;
        let mut search = game.live_search(&position, &recipe, 0, None)?;
        search.open(&label, &bytes)?;
        let about: Value = json!({ "game": label.game, "moves": label.moves, "recipe": recipe.to_toml() });
        Ok((RunningSearch::start(search, label, false, false), about))
    })
    .await?;
    let id = state.searches.add(search, state.options.searches);
    Ok(json_answer(&json!({ "id": id, "about": about })))
}
