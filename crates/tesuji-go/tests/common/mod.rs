//! A tiny agent for tests of the engine: uniformly random moves, and perhaps a resignation.

use tesuji::{Bot, BotError, Budget, ChildReport, Observer, Reply, Report, Rng, SearchGame, StopReason};
use tesuji_go::engine::{Agents, AgentsOf, Engine, Options};
use tesuji_go::gtp::Session;

pub(crate) struct Randomly {
    /// Resigns after N moves of a game.
    pub(crate) moves: u32,
}

struct Player {
    rng: Rng,
    moves: u32,
    left: u32,
}

impl Agents for Randomly {
    fn name(&self, _: usize) -> String {
        "random".into()
    }
}

impl<G: SearchGame> AgentsOf<G> for Randomly {
    fn agent(&self, _: &G, seed: u64) -> Result<Box<dyn Bot<G>>, BotError> {
        Ok(Box::new(Player { rng: Rng::new(seed), moves: self.moves, left: self.moves }))
    }
}

impl<G: SearchGame> Bot<G> for Player {
    fn name(&self) -> String {
        "random".into()
    }

    fn new_game(&mut self, _: &G, seed: u64) -> Result<(), BotError> {
        (self.rng, self.left) = (Rng::new(seed), self.moves);
        Ok(())
    }

    fn played(&mut self, _: G::Move, _: &G) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        _: &Budget,
        _: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(Reply::Resign) };
        self.left = left;
        let mut moves = Vec::new();
        game.search_moves(&mut moves);
        let best = moves[self.rng.below(moves.len() as u32) as usize];
        let child = |&m: &G::Move| ChildReport {
            m,
            visits: 1,
            value: 0.5,
            prior: None,
            proven: None,
            variation: vec![m],
        };
        Ok(Reply::Play(Report {
            best,
            value: 0.5,
            variation: vec![best],
            children: moves.iter().filter(|&&m| m == best).map(child).collect(),
            reason: StopReason::Simulations,
            simulations: 1,
            nodes: 1,
            nodes_peak: 1,
            bytes: 0,
            bytes_peak: 0,
            depth: 1,
            elapsed: std::time::Duration::ZERO,
            seed: 0,
            recipe: "random".into(),
        }))
    }
}

/// A session on an empty board.
pub(crate) fn session(size: usize) -> Session {
    let options = Options { judge_playouts: 60, ..Options::default() };
    Session::new(Engine::new(Randomly { moves: u32::MAX }, size, options).unwrap())
}
