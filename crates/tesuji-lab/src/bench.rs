//! Speed and memory of the parts on this machine.

use crate::bench_case::{BenchOptions, PlayoutCase, SearchCase};
use crate::error::{LabError, faults};
use crate::game_spec::GameSpec;
use serde::{Deserialize, Serialize};
use tesuji::AnyParallel;
use tesuji::recipe::Recipe;

/// Games whose playouts are measured.
const PLAYOUTS: &[&str] = &["go9", "go13", "go19", "hex:11", "connect-four"];
/// Games on which every recipe is measured.
const SEARCHES: &[&str] = &["go9", "connect-four"];
/// The result of one case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BenchCase {
    /// `playout`, or a recipe's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The unit of `value`.
    pub unit: String,
    /// The rate.
    pub value: f64,
    /// Heap bytes of one more node, with its side tables; none for playouts and for searches whose
    /// number of nodes does not grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_node: Option<f64>,
    /// Heap allocations of one more simulation in a search that has run before, to the nearest
    /// hundredth. It is not 0, because the report of a search allocates for each move of its
    /// variation. None for playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocations_per_simulation: Option<f64>,
}

/// Measures every case that the filter admits, and reports each result.
///
/// # Errors
/// If no case is left, or a recipe cannot search with so little memory.
pub fn bench(
    options: BenchOptions<'_>,
    tell: &mut dyn FnMut(&BenchCase),
) -> Result<Vec<BenchCase>, LabError> {
    let mut cases = Vec::new();
    let wanted = |name: &str, game: &str| format!("{name} {game}").contains(options.filter);
    let mut measure = |name: &str, game: &str, recipe: Option<Recipe>| -> Result<(), LabError> {
        if wanted(name, game) {
            let spec = GameSpec::parse(game, None)?;
            let (unit, measured) = match recipe {
                None => ("playouts/s", spec.start().playouts(PlayoutCase(options))),
                Some(recipe) => ("simulations/s", spec.start().search(SearchCase(options, recipe))?),
            };
            cases.push(BenchCase {
                name: name.to_owned(),
                game: game.to_owned(),
                unit: unit.to_owned(),
                value: measured.rate,
                bytes_per_node: measured.bytes_per_node,
                allocations_per_simulation: measured.allocations_per_simulation,
            });
            tell(&cases[cases.len() - 1]);
        }
        Ok(())
    };
    for game in PLAYOUTS {
        measure("playout", game, None)?;
    }
    for game in SEARCHES {
        for (name, _) in Recipe::built_ins() {
            let recipe = Recipe::parse(&(options.adapt)(name)).map_err(LabError::input)?;
            let shares = matches!(recipe.parallel(), AnyParallel::Tree(_));
            // Only Go has networks, and a search without a tree has none to share.
            if (recipe.network().is_none() || *game == "go9") && !(shares && recipe.options().depth == 1) {
                measure(name, game, Some(recipe))?;
            }
        }
    }
    if cases.is_empty() {
        let (playouts, searches) = (PLAYOUTS.join(", "), SEARCHES.join(", "));
        return Err(BenchError::NoCase { filter: options.filter.to_owned(), playouts, searches }.into());
    }
    Ok(cases)
}

faults! {
    /// Why nothing is measured.
    BenchError {
        NoCase { filter: String, playouts: String, searches: String } =>
            "no case contains {filter:?}; there are \"playout GAME\" for the games {playouts} and \"RECIPE GAME\" for {searches}",
    }
}
