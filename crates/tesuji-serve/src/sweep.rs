//! Every move of a game, judged one after the other.

use crate::failure::{Answer, Failure, json_answer};
use crate::positions::Place;
use crate::recipes;
use crate::request::{Body, aside};
use crate::state::State;
use crate::stream::{Latest, events};
use axum::extract::State as Shared;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tesuji::Stop;
use tesuji_lab::{JudgedMove, LabError, NamedComponent, WholeGame};
use tesuji_sums::thermographs_svg;
use tokio::sync::{Semaphore, oneshot, watch};

/// The most games that are judged at a time.
pub(crate) const MOST: usize = 4;

/// What is judged, and how.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct SweepRequest {
    #[serde(flatten)]
    place: Place,
    recipe: String,
    simulations: u64,
}

fn move_json(judged: &JudgedMove) -> Value {
    let JudgedMove { number, player, played, value, best, best_value, loss, variation } = judged;
    json!({
        "number": number, "player": player.index() + 1, "move": played, "value": value,
        "best": best, "best_value": best_value, "loss": loss, "variation": variation,
    })
}

/// `POST /api/sweep`: a stream of all moves judged so far. The sweep ends when the client goes.
pub(crate) async fn run(Shared(state): Shared<Arc<State>>, Body(asked): Body<SweepRequest>) -> Answer {
    let Ok(permit) = Semaphore::try_acquire_owned(state.sweeps.clone()) else {
        return Err(Failure::busy(format!("{MOST} games are being judged already")));
    };
    let (told, latest): (_, Latest) = watch::channel(Arc::from(r#"{"moves":[],"done":false}"#));
    let (told, stop, (alive, over)) = (Arc::new(told), Stop::default(), oneshot::channel::<()>());
    let (watched, stopped) = (told.clone(), stop.clone());
    aside(move || {
        let (game, position) = asked.place.read()?;
        let recipe = recipes::read(&asked.recipe, &state.directories, state.options.search_bytes)?;
        let how = WholeGame { recipe, simulations: asked.simulations.max(1), seed: 0, stop };
        let moves = position.history().join(" ");
        std::thread::spawn(move || {
            let mut judged = Vec::new();
            let ended = game.judge(&moves, &how, &mut |one| {
                judged.push(move_json(one));
                let text = json!({ "moves": judged, "done": false }).to_string();
                told.send(Arc::from(text)).map_err(|_| LabError::Failed("nobody listens".to_owned()))
            });
            let error = ended.err().map(|error| error.to_string());
            told.send_replace(Arc::from(
                json!({ "moves": judged, "done": true, "error": error }).to_string(),
            ));
            drop((permit, alive));
        });
        Ok(())
    })
    .await?;
    // Whoever goes ends it between two judged moves, too.
    tokio::spawn(async move {
        tokio::select! {
            () = watched.closed() => stopped.stop(),
            _ = over => {}
        }
    });
    Ok(events(latest))
}

/// Heaps of a sum, as their thermographs are drawn.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct HeapsRequest {
    heaps: Vec<String>,
}

/// `POST /api/thermographs`: a picture as the text of an SVG.
pub(crate) async fn thermographs(Body(asked): Body<HeapsRequest>) -> Answer {
    const MOST: usize = 12;
    let svg = aside(move || {
        let heaps = asked.heaps.iter().take(MOST).map(|heap| NamedComponent::read(heap));
        let heaps = heaps.collect::<Result<Vec<_>, _>>()?;
        let drawn: Vec<_> = heaps.into_iter().map(|heap| (heap.name, heap.thermograph)).collect();
        Ok(thermographs_svg(&drawn))
    });
    Ok(json_answer(&json!({ "svg": svg.await? })))
}
