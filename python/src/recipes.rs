//! Recipes by their text.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tesuji::recipe::{Recipe, base};
use tesuji_lab::LabError;

/// Recipes that were read before: to read one takes as long as a thousand simulations.
static READ: Mutex<Option<HashMap<String, Recipe>>> = Mutex::new(None);

/// The most that are remembered.
const MOST: usize = 1000;

/// Reads a recipe. Those that a file may change are read each time.
pub(crate) fn read(text: &str) -> Result<Recipe, LabError> {
    let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(recipe) = known.get(text) {
        return Ok(recipe.clone());
    }
    let recipe = Recipe::parse(text).map_err(LabError::input)?;
    if Recipe::built_in(base(text)).is_some() && known.len() < MOST {
        known.insert(text.to_owned(), recipe.clone());
    }
    Ok(recipe)
}
