//! Strategies as agents.

use crate::analysis::Analysis;
use crate::component::Component;
use crate::strategy::{Strategy, StrategyMemory};
use crate::sum::Sum;
use crate::sum_move::SumMove;
use std::time::Instant;
use tesuji::{Bot, BotError, Budget, Game, Observer, Reply, Report, Rng};

/// An agent that plays a [`Strategy`]; budgets do not matter to it.
///
/// It does not look ahead: the value of its reports is always 1/2. It analyses each new game, and
/// panics where [`Analysis::new`] does.
#[derive(Clone, Debug)]
pub struct StrategyBot {
    strategy: Strategy,
    analysis: Option<Analysis>,
    memory: StrategyMemory,
    rng: Rng,
    seed: u64,
}

impl StrategyBot {
    /// A player of this strategy.
    pub fn new(strategy: Strategy) -> StrategyBot {
        StrategyBot { strategy, analysis: None, memory: StrategyMemory::default(), rng: Rng::new(0), seed: 0 }
    }
}

impl<C: Component> Bot<Sum<C>> for StrategyBot {
    fn name(&self) -> String {
        self.strategy.to_string()
    }

    fn new_game(&mut self, start: &Sum<C>, seed: u64) -> Result<(), BotError> {
        self.analysis = Some(Analysis::new(start));
        self.memory = StrategyMemory::default();
        (self.rng, self.seed) = (Rng::new(seed), seed);
        Ok(())
    }

    fn played(&mut self, m: SumMove<C::Move>, _: &Sum<C>) -> Result<(), BotError> {
        self.memory.moved(m.component());
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &Sum<C>,
        _: &Budget,
        _: &mut dyn Observer<SumMove<C::Move>>,
    ) -> Result<Reply<SumMove<C::Move>>, BotError> {
        if game.result().is_some() {
            return Err(BotError("the game is over: there is no move to choose".to_owned()));
        }
        let begun = Instant::now();
        if !self.analysis.as_ref().is_some_and(|analysis| analysis.knows(game)) {
            self.analysis = Some(Analysis::new(game));
            self.memory = StrategyMemory::default();
        }
        let analysis = self.analysis.as_ref().expect("the game was analysed");
        let best = self.strategy.choose(analysis, game, &mut self.memory, &mut self.rng);
        Ok(Reply::Play(Report {
            elapsed: begun.elapsed(),
            ..Report::unsearched(best, self.strategy.to_string(), self.seed)
        }))
    }
}
