//! Plays single games of a match, one after the other.

use crate::agent::{Factory, MatchAgent};
use crate::deal::Deal;
use crate::error::LabError;
use crate::match_games::MatchGames;
use crate::opening;
use crate::play::Unfinished;
use crate::record::Referee;
use crate::runner::{Arena, Players, Task};
use crate::schedule::Pairing;
use crate::store::{Config, Disputed, GameRow};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tesuji::Stop;
use tesuji_agents::Playable;

/// The place of a game in its match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GamePlace {
    pub(crate) opening: u64,
    pub(crate) replica: u32,
    pub(crate) a_first: bool,
}

/// Plays any game of a match by its place. Players are kept from game to game.
pub(crate) trait GamePlayer {
    /// Plays a game; `progress` grows with the simulations that are done, and the moves.
    ///
    /// # Errors
    /// If it was stopped, or could not be played to its end by no player's fault.
    fn play(
        &mut self,
        id: &str,
        place: GamePlace,
        stop: &Stop,
        progress: &Arc<AtomicU64>,
    ) -> Result<GameRow, Unfinished>;
}

/// The player of a match in `G`.
pub(crate) struct PlayerOf<G: Playable> {
    start: G,
    deal: Option<Deal<G>>,
    games: MatchGames,
    configs: [Config; 2],
    factories: [crate::agent_spec::AgentFactory<G>; 2],
    referee: Box<dyn Referee>,
    bots: crate::runner::Bots<G>,
}

impl<G: Playable> PlayerOf<G> {
    /// # Errors
    /// If an agent cannot play the game.
    pub(crate) fn new(
        start: &G,
        deal: Option<Deal<G>>,
        games: MatchGames,
        configs: [Config; 2],
        referee: Box<dyn Referee>,
    ) -> Result<PlayerOf<G>, LabError> {
        opening::check(start, &games.conditions.openings)?;
        let factories = games.players(start)?;
        let (start, bots) = (start.clone(), Default::default());
        Ok(PlayerOf { start, deal, games, configs, factories, referee, bots })
    }
}

impl<G: Playable> GamePlayer for PlayerOf<G> {
    fn play(
        &mut self,
        id: &str,
        place: GamePlace,
        stop: &Stop,
        progress: &Arc<AtomicU64>,
    ) -> Result<GameRow, Unfinished> {
        let agent = |i: usize| MatchAgent {
            config: &self.configs[i],
            factory: &self.factories[i] as &dyn Factory<G>,
            limit: self.games.agents[i].limit(),
        };
        let agents = [agent(0), agent(1)];
        let arena = Arena {
            start: &self.start,
            deal: self.deal,
            conditions: &self.games.conditions,
            agents: &agents,
            referee: &*self.referee,
            disputed: Disputed::default(),
            threads: 1,
            stop,
        };
        let GamePlace { opening, replica, a_first } = place;
        let pairing = Pairing { a: 0, b: 1, opening, replica, both: false };
        let task = Task { pairing, a_first, id: id.to_owned() };
        let bots = std::mem::take(&mut self.bots);
        let mut players = Players { arena: &arena, bots, progress: Some(progress.clone()) };
        let played = players.try_play(&task);
        self.bots = players.bots;
        played
    }
}
