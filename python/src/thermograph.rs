//! Thermographs.

use crate::error::raise;
use pyo3::prelude::*;
use tesuji_lab::{NamedComponent, components_json};
use tesuji_sums::thermographs_svg;

/// Means, temperatures and walls of games, as the JSON of `tesuji thermo`, and their picture.
#[pyfunction]
pub(crate) fn thermographs(games: Vec<String>) -> PyResult<(String, String)> {
    let components = games.iter().map(|text| NamedComponent::read(text)).collect::<Result<Vec<_>, _>>();
    let components = components.map_err(raise)?;
    let named: Vec<_> =
        components.iter().map(|component| (component.name.clone(), component.thermograph.clone())).collect();
    Ok((components_json(&components).to_string(), thermographs_svg(&named)))
}
