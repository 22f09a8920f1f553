//! An evaluator in the place of playouts, and beside them.

use super::Playout;
use crate::archive::{Archive, ArchiveError};
use crate::columns::Columns;
use crate::evaluate::{Evaluate, Evaluation};
use crate::game::{Played, SearchGame, Trace};
use crate::rng::Rng;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The expected outcome by an evaluator in place of a playout, and its priors. A new node costs one
/// evaluation, whether or not the tree policy reads priors.
#[derive(Clone, Debug)]
pub struct Evaluated<G: SearchGame> {
    evaluator: Box<dyn Evaluate<G>>,
}

impl<G: SearchGame> Evaluated<G> {
    /// Evaluation by this evaluator.
    pub fn new(evaluator: Box<dyn Evaluate<G>>) -> Evaluated<G> {
        Evaluated { evaluator }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluate<G> {
        self.evaluator.as_ref()
    }
}

impl<G: SearchGame> Playout<G> for Evaluated<G> {
    /// A uniformly random move: an evaluation plays none.
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_move(rng, buffer)
    }

    #[inline(never)]
    fn run<T: Trace>(&mut self, game: &mut G, _: &mut Rng, _: &mut Vec<G::Move>, _: &mut T) -> G::Outcome {
        self.evaluator.evaluate(game, &[], &mut Vec::new())
    }

    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]) {
        self.evaluator.evaluate_many(asked);
    }

    fn reserve(&mut self, positions: usize) {
        self.evaluator.reserve(positions);
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn new_game(&mut self, game: &G) {
        self.evaluator.new_game(game);
    }

    fn bytes(&self, _: &G) -> usize {
        self.evaluator.bytes()
    }
}

/// The priors of an evaluator, and the playouts of another policy.
#[derive(Clone, Debug)]
pub struct Primed<G: SearchGame, P> {
    evaluator: Box<dyn Evaluate<G>>,
    playout: P,
}

impl<G: SearchGame, P: Playout<G>> Primed<G, P> {
    /// Priors by this evaluator, playouts by this policy.
    pub fn new(evaluator: Box<dyn Evaluate<G>>, playout: P) -> Primed<G, P> {
        Primed { evaluator, playout }
    }

    /// The policy of the playouts.
    pub fn playout(&self) -> &P {
        &self.playout
    }
}

impl<G: SearchGame, P: Playout<G>> Playout<G> for Primed<G, P> {
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

    fn prime(&mut self, asked: &mut [Evaluation<'_, G>]) {
        self.evaluator.evaluate_many(asked);
    }

    fn reserve(&mut self, positions: usize) {
        self.evaluator.reserve(positions);
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

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        self.playout.archive(archive)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_game::Nim;
    use crate::{Budget, Game, InFlight, Mean, Options, Puct, Search, Uniform, Value};
    use alloc::sync::Arc;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use core::time::Duration;

    /// Knows who wins, and counts calls, positions, and positions whose node is asked about a
    /// second time in one call.
    #[derive(Clone, Debug, Default)]
    struct Rule(Arc<[AtomicUsize; 3]>);

    impl Evaluate<Nim> for Rule {
        fn evaluate(&mut self, position: &Nim, moves: &[u8], priors: &mut Vec<f32>) -> Value {
            self.0[1].fetch_add(1, Relaxed);
            priors.extend(moves.iter().map(|&m| f32::from(m)));
            Value::new(position.to_move(), if position.counters().is_multiple_of(4) { 0.1 } else { 0.9 })
        }

        fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Nim>]) {
            self.0[0].fetch_add(1, Relaxed);
            for asked in asked {
                // A node that is asked about again is not new: nobody wants its priors.
                self.0[2].fetch_add(
                    usize::from(asked.moves.is_empty() && asked.position.result().is_none()),
                    Relaxed,
                );
                *asked.outcome = Some(self.evaluate(asked.position, asked.moves, asked.priors));
            }
        }

        fn boxed(&self) -> Box<dyn Evaluate<Nim>> {
            Box::new(self.clone())
        }
    }

    /// The counts of a search with `batch` simulations in flight.
    fn counts<P: Playout<Nim>>(
        playout: impl FnOnce(Box<dyn Evaluate<Nim>>) -> P,
        batch: usize,
        in_flight: InFlight,
    ) -> [usize; 3] {
        let (rule, game) = (Rule::default(), Nim::new(100));
        let playout = playout(rule.boxed());
        let search = Search::new(&game, Puct::default(), Mean {}, playout, Options::default(), 1).unwrap();
        let mut search = search.with_batch(batch, in_flight).unwrap();
        assert_eq!(search.run(&game, &Budget::simulations(3200)).unwrap().simulations, 3200);
        core::array::from_fn(|i| rule.0[i].load(Relaxed))
    }

    #[test]
    fn positions_of_simulations_in_flight_are_evaluated_together() {
        let evaluated = |batch| counts(Evaluated::new, batch, InFlight::Lost(1));
        let primed = |batch| counts(|rule| Primed::new(rule, Uniform {}), batch, InFlight::Lost(1));
        for [calls, positions, _] in [evaluated(1), primed(1)] {
            assert!(calls == positions && positions <= 3201, "{calls} calls for {positions} positions");
        }
        // While the tree is small, a batch of evaluations ends early.
        for ([calls, positions, _], most) in [(evaluated(32), 110), (primed(32), 101)] {
            assert!((2000..=3201).contains(&positions), "{positions}");
            assert!((100..=most).contains(&calls), "{calls} calls");
        }
    }

    #[test]
    fn without_any_time_one_simulation_is_made() {
        let (game, budget) = (Nim::new(7), Budget { time: Some(Duration::ZERO), ..Budget::default() });
        let playout = Evaluated::new(Rule::default().boxed());
        let mut search =
            Search::new(&game, Puct::default(), Mean {}, playout, Options::default(), 1).unwrap();
        // The best prior, not the first move.
        assert_eq!(search.run(&game, &budget).map(|report| (report.best, report.simulations)), Ok((3, 1)));
    }

    /// Gives no priors, and values that are none.
    #[derive(Clone, Debug)]
    struct Broken;

    impl Evaluate<Nim> for Broken {
        fn evaluate(&mut self, position: &Nim, _: &[u8], _: &mut Vec<f32>) -> Value {
            let value = if position.counters().is_multiple_of(2) { f32::NAN } else { 7.0 };
            Value::new(position.to_move(), value)
        }

        fn boxed(&self) -> Box<dyn Evaluate<Nim>> {
            Box::new(self.clone())
        }
    }

    #[test]
    fn a_broken_evaluator_breaks_no_search() {
        let game = Nim::new(13);
        for batch in [1, 4] {
            let playout = Evaluated::new(Box::new(Broken));
            let search =
                Search::new(&game, Puct::default(), Mean {}, playout, Options::default(), 1).unwrap();
            let mut search = search.with_batch(batch, InFlight::Lost(1)).unwrap();
            let report = search.run(&game, &Budget::simulations(300)).unwrap();
            assert!((0.0..=1.0).contains(&report.value), "{}", report.value);
            assert_eq!(report.children.len(), 3, "without priors all moves have the same one");
        }
    }

    #[test]
    fn a_batch_ends_before_it_would_evaluate_a_leaf_twice() {
        for in_flight in [InFlight::Lost(1), InFlight::Unobserved] {
            let [calls, positions, again] = counts(Evaluated::new, 32, in_flight);
            assert!(again == 0 && positions <= 3201, "{in_flight:?}: {again} of {positions} again");
            assert!((100..1600).contains(&calls), "{in_flight:?}: {calls} calls");
        }
    }
}
