//! The values of all backups for a position.

use crate::failure::{Answer, json_answer};
use crate::positions::Place;
use crate::recipes;
use crate::request::{Body, aside};
use crate::state::State;
use axum::extract::State as Shared;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// The most simulations: each is looked at.
const MOST: u64 = 5000;

/// A position, and the search whose samples all backups get.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct BackupsRequest {
    #[serde(flatten)]
    place: Place,
    recipe: String,
    simulations: u64,
}

/// `POST /api/backups`: the value of the position by each backup, after each number of samples.
pub(crate) async fn show(Shared(state): Shared<Arc<State>>, Body(asked): Body<BackupsRequest>) -> Answer {
    let curves = aside(move || {
        let (game, position) = asked.place.read()?;
        let read = |text: &str| recipes::read(text, &state.directories, state.options.search_bytes);
        let (own, means) = (read(&asked.recipe)?, read(&format!("{},backup=mean", asked.recipe))?);
        let simulations = asked.simulations.clamp(1, MOST);
        let mut search = game.live_search(&position, &means, 0, Some(simulations))?;
        Ok(search.backups(&own, simulations))
    });
    let curves: Vec<_> = curves
        .await?
        .into_iter()
        .map(|curve| json!({ "name": curve.backup, "points": curve.points }))
        .collect();
    Ok(json_answer(&json!({ "curves": curves })))
}
