//! The search of one position.

use crate::position::Position;
use crate::recipes;
use crate::run::{Signals, call};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use tesuji::Budget;
use tesuji_lab::{AnalysisOptions, TreeFiles, picture};

/// Searches a position: the JSON of `tesuji analyze`, and a picture.
#[pyfunction]
#[pyo3(signature = (position, recipe, simulations, seconds, seed, tree=None, save_tree=None))]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python")]
pub(crate) fn analyze(
    py: Python<'_>,
    position: &Bound<'_, Position>,
    recipe: &str,
    simulations: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    tree: Option<PathBuf>,
    save_tree: Option<PathBuf>,
) -> PyResult<(String, Option<String>)> {
    let time = seconds
        .map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|e| crate::error::input(format!("seconds is {seconds}: {e}")))
        })
        .transpose()?;
    let game = position.get().game.clone_ref(py);
    let moves = position.get().position.history().join(" ");
    call(py, game.get().is_python(), |run| {
        let recipe = recipes::read(recipe)?;
        let simulations =
            simulations.or(if time.is_some() { None } else { recipe.playouts().or(Some(10_000)) });
        let budget = Budget { simulations, time, stop: run.stop.clone() };
        let trees = TreeFiles { open: tree, save: save_tree };
        let options = AnalysisOptions { moves, recipe, budget, seed, trees };
        let mut signals = Signals::new(run);
        let analysis = game.get().spec()?.analyze_watched(&options, &mut || signals.look())?;
        let drawn = analysis
            .drawing
            .as_ref()
            .and_then(|drawing| picture(drawing, Some(&analysis.report), String::clone));
        Ok((analysis.json().to_string(), drawn))
    })
}
