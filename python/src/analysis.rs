//! The search of one position.

use crate::position::Position;
use crate::recipes;
use crate::run::{Signals, call, with_python};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use tesuji::Budget;
use tesuji_lab::{Analysis, AnalysisOptions, TreeFiles, picture};

/// Searches a position: the JSON of `tesuji analyze`, and what draws a picture.
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
) -> PyResult<(String, Picture)> {
    let time = seconds
        .map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|e| crate::error::input(format!("seconds is {seconds}: {e}")))
        })
        .transpose()?;
    let game = position.get().game.clone_ref(py);
    let moves = position.get().position.history().join(" ");
    call(py, |run| {
        let recipe = recipes::read(recipe)?;
        let calls_python = recipes::calls_python(game.get(), &recipe);
        let simulations =
            simulations.or(if time.is_some() { None } else { recipe.playouts().or(Some(10_000)) });
        let budget = Budget { simulations, time, stop: run.stop.clone() };
        let trees = TreeFiles { open: tree, save: save_tree };
        let options = AnalysisOptions { moves, recipe, budget, seed, trees };
        let mut signals = Signals::new(run);
        let analysis = with_python(calls_python, || {
            game.get().spec()?.analyze_watched(&options, &mut || signals.look())
        })?;
        if let Some(error) = &analysis.unsaved {
            return Err(error.clone());
        }
        Ok((analysis.json().to_string(), Picture(analysis)))
    })
}

/// What a search found, to be drawn when somebody looks.
#[pyclass(frozen, module = "tesuji._tesuji", name = "Picture")]
#[derive(Debug)]
pub(crate) struct Picture(Analysis);

#[pymethods]
impl Picture {
    /// The board with the moves that were tried; `None` for a game without a board.
    fn svg(&self) -> Option<String> {
        picture(self.0.drawing.as_ref()?, Some(&self.0.report), String::clone)
    }
}
