//! Recipes by their text.

use crate::game::Game;
use crate::own_backup::PythonBackup;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tesuji::recipe::{Recipe, base};
use tesuji::{AnyBackup, AnyParallel, OwnPart};
use tesuji_lab::LabError;

/// Recipes that were read before: to read one takes as long as a thousand simulations.
static READ: Mutex<Option<HashMap<String, Recipe>>> = Mutex::new(None);

/// The most that are remembered.
const MOST: usize = 1000;

/// Reads a recipe. Those that a file or Python may change are read each time.
pub(crate) fn read(text: &str) -> Result<Recipe, LabError> {
    let known = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(recipe) = known().get_or_insert_default().get(text) {
        return Ok(recipe.clone());
    }
    // Nothing is locked meanwhile: a part in Python is made now.
    let recipe = Recipe::parse(text).map_err(LabError::input)?;
    let mut known = known();
    let known = known.get_or_insert_default();
    if Recipe::built_in(base(text)).is_some() && !has_python(&recipe) && known.len() < MOST {
        known.insert(text.to_owned(), recipe.clone());
    }
    Ok(recipe)
}

/// Whether a part of the recipe is written in Python.
pub(crate) fn has_python(recipe: &Recipe) -> bool {
    matches!(recipe.backup(), AnyBackup::Own(part) if part.kind() == PythonBackup::KIND)
}

/// Whether a search calls Python at each step. Several threads take it in turn instead.
pub(crate) fn calls_python(game: &Game, recipe: &Recipe) -> bool {
    (game.is_python() || has_python(recipe)) && matches!(recipe.parallel(), AnyParallel::Serial)
}
