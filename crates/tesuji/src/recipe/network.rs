//! Networks in recipes.

use super::{Recipe, RecipeError};
use crate::any::{AnyPlayout, BoundPlayout};
use crate::columns::Columns;
use crate::evaluate::{Evaluate, NetworkOptions};
use crate::game::SearchGame;
use crate::select::Select;
use std::boxed::Box;
use std::format;
use std::string::String;

impl Recipe {
    /// The network with which the agent evaluates positions, if it has one: the network of the
    /// table `network`, or the game's own for the playout `net`.
    pub fn network(&self) -> Option<NetworkOptions> {
        self.agent.network.clone().or(self.has_values().then(NetworkOptions::default))
    }

    /// The same agent with the network of this file.
    pub fn with_network(mut self, file: impl Into<String>) -> Recipe {
        let options = self.network().unwrap_or_default();
        self.agent.network = Some(NetworkOptions { file: Some(file.into()), ..options });
        self
    }

    /// The agent's evaluator in games that begin at `start`, if it has one.
    ///
    /// # Errors
    /// If the game has no such network, or the agent would make no use of it.
    pub fn evaluator<G: SearchGame>(&self, start: &G) -> Result<Option<Box<dyn Evaluate<G>>>, RecipeError> {
        self.evaluator_by(|network| start.evaluator(network)?.ok_or("this game has no networks".into()))
    }

    /// The agent's evaluator as `make` makes it of the network, if the agent has one.
    ///
    /// # Errors
    /// If the agent would make no use of it; and what `make` returns.
    pub fn evaluator_by<G: SearchGame>(
        &self,
        make: impl FnOnce(&NetworkOptions) -> Result<Box<dyn Evaluate<G>>, String>,
    ) -> Result<Option<Box<dyn Evaluate<G>>>, RecipeError> {
        self.check_network()?;
        let Some(network) = self.network() else { return Ok(None) };
        make(&network).map(Some).map_err(|error| self.clash(&format!("`network`: {error}")))
    }

    /// Checks that the agent uses its network, if it has one.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_network(&self) -> Result<(), RecipeError> {
        if self.network().is_some() && !self.has_values() && !self.agent.select.needs().has(Columns::PRIOR) {
            return Err(self.clash(
                "`network` gives priors, but `select` reads none; accepted: select=puct, or playout=net or playout=mixed for its values",
            ));
        }
        Ok(())
    }

    /// Whether a network's values are samples or parts of them.
    fn has_values(&self) -> bool {
        matches!(self.agent.playout, AnyPlayout::Net {} | AnyPlayout::Mixed(_))
    }

    /// The playout policy, ready to be used.
    pub(super) fn playout<G: SearchGame>(&self, evaluator: Option<Box<dyn Evaluate<G>>>) -> BoundPlayout<G> {
        BoundPlayout::new(self.agent.playout.clone(), evaluator)
    }
}
