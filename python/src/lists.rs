//! What there is.

use crate::error::input;
use crate::run::Run;
use pyo3::prelude::*;
use tesuji::recipe::Recipe;
use tesuji_lab::{GameSpec, LabError};

/// Names of games, each with what it is.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, &'static str)> {
    GameSpec::list().iter().map(|game| (game.syntax, game.about)).collect()
}

/// Names of recipes, each with what it is.
#[pyfunction]
pub(crate) fn recipes() -> Vec<(&'static str, String)> {
    Recipe::built_ins().collect()
}

/// The parts of recipes and their parameters, as JSON.
#[pyfunction]
pub(crate) fn parts() -> PyResult<String> {
    serde_json::to_string(&tesuji::recipe::parts()).map_err(input)
}

/// A recipe with every parameter written out, as TOML, its name, what it is, and its own number of
/// simulations a move.
#[pyfunction]
pub(crate) fn recipe_toml(text: &str) -> PyResult<(String, String, String, Option<u64>)> {
    let recipe = Run::guard(|| Recipe::parse(text).map_err(LabError::input))?;
    Ok((recipe.to_toml(), recipe.name().to_owned(), recipe.about().to_owned(), recipe.playouts()))
}
