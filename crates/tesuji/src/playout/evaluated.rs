//! An evaluator in the place of playouts, and beside them.

use super::Playout;
use crate::{Columns, Evaluate, Game, Played, Rng, Trace};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The expected outcome by an evaluator in place of a playout, and its priors. A new node costs one evaluation,
/// whether or not the tree policy reads priors.
#[derive(Clone, Debug)]
pub struct Evaluated<G: Game> {
    evaluator: Box<dyn Evaluate<G>>,
    /// Of the position whose priors were asked for last.
    outcome: Option<G::Outcome>,
}

impl<G: Game> Evaluated<G> {
    /// Evaluation by this evaluator.
    pub fn new(evaluator: Box<dyn Evaluate<G>>) -> Evaluated<G> {
        Evaluated { evaluator, outcome: None }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluate<G> {
        self.evaluator.as_ref()
    }
}

impl<G: Game> Playout<G> for Evaluated<G> {
    /// A uniformly random move: an evaluation plays none.
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_move(rng, buffer)
    }

    #[inline(never)]
    fn run<T: Trace>(&mut self, game: &mut G, _: &mut Rng, _: &mut Vec<G::Move>, _: &mut T) -> G::Outcome {
        let known = self.outcome.take();
        known.unwrap_or_else(|| self.evaluator.evaluate(game, &[], &mut Vec::new()))
    }

    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        self.outcome = Some(self.evaluator.evaluate(game, moves, out));
    }

    fn new_game(&mut self, game: &G) {
        self.outcome = None;
        self.evaluator.new_game(game);
    }

    fn new_move(&mut self) {
        self.outcome = None;
    }

    fn bytes(&self, _: &G) -> usize {
        self.evaluator.bytes()
    }
}

/// The priors of an evaluator, and the playouts of another policy.
#[derive(Clone, Debug)]
pub struct Primed<G: Game, P> {
    evaluator: Box<dyn Evaluate<G>>,
    playout: P,
}

impl<G: Game, P: Playout<G>> Primed<G, P> {
    /// Priors by this evaluator, playouts by this policy.
    pub fn new(evaluator: Box<dyn Evaluate<G>>, playout: P) -> Primed<G, P> {
        Primed { evaluator, playout }
    }

    /// The policy of the playouts.
    pub fn playout(&self) -> &P {
        &self.playout
    }
}

impl<G: Game, P: Playout<G>> Playout<G> for Primed<G, P> {
    #[inline]
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        self.playout.choose(game, rng, buffer)
    }

    #[inline]
    fn run<T: Trace>(
        &mut self,
        game: &mut G,
        rng: &mut Rng,
        buffer: &mut Vec<G::Move>,
        trace: &mut T,
    ) -> G::Outcome {
        self.playout.run(game, rng, buffer, trace)
    }

    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        self.evaluator.evaluate(game, moves, out);
    }

    fn learns(&self) -> bool {
        self.playout.learns()
    }

    fn learn(&mut self, line: &[Played], outcome: &G::Outcome) {
        self.playout.learn(line, outcome);
    }

    fn needs(&self) -> Columns {
        self.playout.needs()
    }

    fn compare(&mut self, a: usize, b: usize, difference: f32) {
        self.playout.compare(a, b, difference);
    }

    fn new_game(&mut self, game: &G) {
        self.evaluator.new_game(game);
        self.playout.new_game(game);
    }

    fn new_move(&mut self) {
        self.playout.new_move();
    }

    fn bytes(&self, game: &G) -> usize {
        self.evaluator.bytes() + self.playout.bytes(game)
    }
}
