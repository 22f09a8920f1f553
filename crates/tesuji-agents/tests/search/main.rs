//! The search on games: what holds whatever its parts are, and what it must find.

mod advice;
mod backups;
mod equivalence;
mod games;
mod invariants;
mod mast;
mod maxi;
mod model;
mod root;
mod saved;
mod solver;
mod stability;
mod stopping;
mod strength;
mod trees;
mod two_level;

// Its searches of recipes are compiled already.
use tesuji_agents as _;

use tesuji::recipe::{Recipe, RecipeSearch};
use tesuji::{Report, SearchGame};

/// The search that a recipe, given as on the command line, makes of a game.
fn search<G: SearchGame>(spec: &str, start: &G, seed: u64) -> RecipeSearch<G> {
    let recipe = Recipe::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    recipe.search(start, seed).unwrap_or_else(|error| panic!("{error}"))
}

/// The names of the recipes that come with the library, but those that need a network.
fn recipes() -> impl Iterator<Item = &'static str> {
    let plays = |name: &&str| Recipe::built_in(name).is_some_and(|recipe| recipe.network().is_none());
    Recipe::built_ins().map(|(name, _)| name).filter(plays)
}

/// Whether a recipe has a memory limit of its own.
fn is_limited(recipe: &str) -> bool {
    Recipe::built_in(recipe).is_some_and(|recipe| recipe.options().memory.nodes.is_some())
}

/// Whether the values of a recipe's tree are means of samples.
fn is_mean(recipe: &str) -> bool {
    Recipe::built_in(recipe).is_some_and(|recipe| recipe.to_toml().contains("[backup]\nkind = \"mean\""))
}

/// Visits of each tried move of the root, in the order of the report.
fn visits<M: Copy>(report: &Report<M>) -> Vec<(M, u32)> {
    report.children.iter().map(|child| (child.m, child.visits)).collect()
}

fn legal_moves<G: SearchGame>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}
