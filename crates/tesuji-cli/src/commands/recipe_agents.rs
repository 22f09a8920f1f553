//! The agents with which the engines play Go: those of a recipe, or the strongest.

use crate::resources::Resources;
use tesuji::recipe::{Recipe, RecipeError};
use tesuji::{Bot, BotError, Evaluate, NetworkOptions};
use tesuji_go::engine::{Agents, AgentsOf, Engine};
use tesuji_go::{Go, Komi, network};
use tesuji_lab::{LabError, Playable};

/// The strongest agent: a pooling network, and less than the parent's value for untried moves.
pub(super) const STRONGEST: &str =
    "puct-net,network.file=built-in:pooling,select.first_play.parent-minus=0.1";
/// The strongest agent without one.
pub(super) const LIGHT: &str = "grave,playout=uniform";
/// Simulations of a move of the default agent, if nobody says how many.
const DEFAULT_PLAYOUTS: u64 = 1000;
/// What a default agent may hold, in bytes. It recycles nodes, so that an analysis may go on for
/// ever.
pub(super) const DEFAULT_BYTES: u64 = 512 << 20;

/// The agents of recipes, one for each size of board.
#[derive(Clone, Debug)]
pub(super) struct RecipeAgents {
    recipe: Recipe,
    /// Another one for boards of one size.
    network: Option<(usize, Recipe)>,
}

impl RecipeAgents {
    /// The agents of this recipe on every board.
    pub(super) fn of(recipe: Recipe) -> RecipeAgents {
        RecipeAgents { recipe, network: None }
    }

    /// The agents of this recipe but for boards of one size, which have a recipe of their own.
    pub(super) fn with_network(recipe: Recipe, size: usize, network: Recipe) -> RecipeAgents {
        RecipeAgents { recipe, network: Some((size, network)) }
    }

    /// The agents of this recipe, or the strongest if there is none.
    pub(super) fn read(recipe: Option<String>, resources: Resources) -> Result<RecipeAgents, RecipeError> {
        Ok(match recipe {
            Some(recipe) => RecipeAgents::of(Recipe::parse(&resources.limit(recipe))?),
            None => {
                let name = format!("{STRONGEST},playouts={DEFAULT_PLAYOUTS}");
                RecipeAgents::of(recycling(&name, resources, DEFAULT_BYTES)?)
            }
        })
    }

    /// The recipe for boards of this size.
    pub(super) fn recipe(&self, size: usize) -> &Recipe {
        self.network.as_ref().filter(|(board, _)| size == *board).map_or(&self.recipe, |(_, network)| network)
    }

    /// The size of the board to begin with, where nobody says it.
    pub(super) fn size(&self) -> Result<usize, LabError> {
        match self.recipe.network() {
            Some(network) => network::board(&network).map_err(LabError::input),
            None => Ok(Engine::MAX_SIZE),
        }
    }
}

/// The agent of a recipe that recycles nodes, within N bytes if the resources do not say it.
pub(super) fn recycling(name: &str, resources: Resources, bytes: u64) -> Result<Recipe, RecipeError> {
    let resources = Resources { bytes: resources.bytes.or(Some(bytes)), ..resources };
    Recipe::parse(&resources.limit(format!("{name},recycle=true")))
}

/// The komi that a recipe's network assumes in every game.
pub(super) fn own_komi(recipe: &Recipe) -> Option<Komi> {
    network::komi(&recipe.network()?).ok().flatten()
}

impl Agents for RecipeAgents {
    fn name(&self, size: usize) -> String {
        self.recipe(size).name().to_owned()
    }

    fn own_komi(&self, size: usize) -> Option<Komi> {
        own_komi(self.recipe(size))
    }

    fn network(&self, size: usize) -> Option<NetworkOptions> {
        self.recipe(size).network()
    }
}

impl<const STRIDE: usize, const LEN: usize> AgentsOf<Go<STRIDE, LEN>> for RecipeAgents
where
    Go<STRIDE, LEN>: Playable,
{
    fn agent(&self, start: &Go<STRIDE, LEN>, seed: u64) -> Result<Box<dyn Bot<Go<STRIDE, LEN>>>, BotError> {
        match start.bot(self.recipe(start.size()), seed) {
            Ok(bot) => Ok(bot),
            Err(error) => Err(BotError(error.to_string())),
        }
    }

    fn evaluator(
        &self,
        start: &Go<STRIDE, LEN>,
    ) -> Result<Option<Box<dyn Evaluate<Go<STRIDE, LEN>>>>, BotError> {
        start.evaluator_of(self.recipe(start.size())).map_err(|error| BotError(error.to_string()))
    }
}
