//! Evaluation of positions by a network.

use super::katago_planes::{GLOBALS, PLANES};
use super::katago_view::KataGoView;
use super::plain_view::PlainView;
use super::{PlanesError, RawEvaluation};
use crate::go::Go;
use crate::vertex::Vertex;
use std::sync::Arc;
use tesuji::{Evaluate, Evaluation, Expectation, Game, NetworkOptions, Value};
use tesuji_net::graph::BoardGraph;
use tesuji_net::{GameEvaluator, Network, ReadyNetwork, Symmetry, View};

/// Evaluates positions of Go by a policy-value network, as a [`GameEvaluator`] does.
///
/// A position costs one evaluation by the network (eight with
/// [`NetworkSymmetry::Average`](tesuji::NetworkSymmetry::Average)), unless it is in the cache. A
/// network of this project allocates nothing. Networks for one board see neither komi nor superko;
/// pooling networks and those of KataGo see both, and KataGo's the rules.
///
/// All [`Instructions`](tesuji_net::Instructions) of a processor give the same bits. Functions such
/// as tanh are the system's, so trees of the same search may differ between systems.
///
/// ```
/// use tesuji::{Evaluate, Game, NetworkOptions, Outcome};
/// use tesuji_go::network::{self, NetEvaluator};
/// use tesuji_go::{Go9, Rules};
///
/// let options = NetworkOptions::default();
/// let mut evaluator = NetEvaluator::new(network::load(&options, 9)?, &options)?;
/// let game = Go9::new(9, Rules::default());
/// let (mut moves, mut policy) = (Vec::new(), Vec::new());
/// game.moves(&mut moves);
/// let value = evaluator.evaluate(&game, &moves, &mut policy).of(game.to_move());
/// assert!((0.0..=1.0).contains(&value) && policy.len() == moves.len());
/// assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetEvaluator(GameEvaluator<GoView>);

/// What looks at positions.
#[derive(Clone, Debug)]
enum GoView {
    Plain(Box<PlainView>),
    KataGo(Box<KataGoView>),
}

impl NetEvaluator {
    /// An evaluator with this network and these options, except for the file.
    ///
    /// # Errors
    /// If the network's inputs do not show a position of Go.
    pub fn of(network: &ReadyNetwork, options: &NetworkOptions) -> Result<NetEvaluator, PlanesError> {
        match network {
            ReadyNetwork::Board(network) => NetEvaluator::new(network.clone(), options),
            ReadyNetwork::Graph(graph) => match (graph.planes(), graph.globals()) {
                (PLANES, GLOBALS) => Ok(NetEvaluator::with_graph(graph.clone(), options)),
                (planes, globals) => Err(PlanesError::Pooling { planes, globals }),
            },
        }
    }

    /// An evaluator with this network, which others may share, and these options, except for the
    /// file.
    ///
    /// # Errors
    /// If the network has too few planes to show a position, or other moves than Go.
    pub fn new(network: Arc<Network>, options: &NetworkOptions) -> Result<NetEvaluator, PlanesError> {
        let moves = network.shape().moves();
        let view = PlainView::new(network, options.symmetry)?;
        Ok(NetEvaluator(GameEvaluator::new(GoView::Plain(Box::new(view)), moves, options)))
    }

    /// An evaluator with this network of KataGo's kind, which others may share, and these options,
    /// except for the file.
    pub fn with_graph(graph: Arc<BoardGraph>, options: &NetworkOptions) -> NetEvaluator {
        let moves = graph.moves();
        let view = KataGoView::new(graph, options.symmetry);
        NetEvaluator(GameEvaluator::new(GoView::KataGo(Box::new(view)), moves, options))
    }

    /// All outputs of the network for a position in this symmetry, without the cache and with
    /// temperature 1.
    ///
    /// # Panics
    /// If the network is for another size of the board.
    pub fn raw<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        symmetry: Symmetry,
    ) -> RawEvaluation {
        let mut logits = vec![0.0; self.0.moves()];
        let (result, score) = match &mut self.0.view {
            GoView::Plain(view) => {
                let win = f64::from(1.0 + view.raw(position, symmetry, &mut logits)) / 2.0;
                ([win, 1.0 - win, 0.0], None)
            }
            GoView::KataGo(view) => {
                let (result, score) = view.raw(position, symmetry, &mut logits);
                (result, Some(score))
            }
        };
        let (mut moves, mut legal) = (Vec::new(), vec![false; logits.len()]);
        position.moves(&mut moves);
        moves.iter().for_each(|m| legal[position.board.number_of(m.index().into())] = true);
        RawEvaluation::new(result, &logits, &legal, score)
    }

    /// The number of evaluations found in the cache.
    pub fn hits(&self) -> u64 {
        self.0.hits()
    }
}

impl<const STRIDE: usize, const LEN: usize> View<Go<STRIDE, LEN>> for GoView {
    fn number(&self, position: &Go<STRIDE, LEN>, m: Vertex<STRIDE>) -> usize {
        position.board.number_of(m.index().into())
    }

    fn hash(&self, position: &Go<STRIDE, LEN>) -> u64 {
        match self {
            GoView::Plain(view) => view.hash(position),
            GoView::KataGo(view) => view.hash(position),
        }
    }

    fn look(&mut self, position: &Go<STRIDE, LEN>, hash: u64, logits: &mut [f32]) -> f32 {
        match self {
            GoView::Plain(view) => view.look(position, hash, logits),
            GoView::KataGo(view) => view.look(position, hash, logits),
        }
    }

    fn look_at_all<'a>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a Go<STRIDE, LEN>, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        match self {
            GoView::Plain(view) => view.look_at_all(positions, logits, values),
            GoView::KataGo(view) => view.look_at_all(positions, logits, values),
        }
    }

    fn reserve(&mut self, positions: usize) {
        match self {
            GoView::Plain(view) => view.reserve(positions),
            GoView::KataGo(view) => view.reserve(positions),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            GoView::Plain(view) => view.bytes(),
            GoView::KataGo(view) => view.bytes(),
        }
    }

    /// Networks of KataGo's kind say it.
    fn expectation(&mut self, position: &Go<STRIDE, LEN>, logits: &mut [f32]) -> Option<Expectation> {
        match self {
            GoView::Plain(_) => None,
            GoView::KataGo(view) => Some(view.expectation(position, logits)),
        }
    }
}

impl<const STRIDE: usize, const LEN: usize> Evaluate<Go<STRIDE, LEN>> for NetEvaluator {
    /// # Panics
    /// If the network is for another size of the board.
    fn evaluate(
        &mut self,
        position: &Go<STRIDE, LEN>,
        moves: &[Vertex<STRIDE>],
        priors: &mut Vec<f32>,
    ) -> Value {
        self.0.evaluate(position, moves, priors)
    }

    /// # Panics
    /// If the network is for another size of the board.
    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Go<STRIDE, LEN>>]) {
        self.0.evaluate_many(asked);
    }

    fn reserve(&mut self, positions: usize) {
        Evaluate::<Go<STRIDE, LEN>>::reserve(&mut self.0, positions);
    }

    fn bytes(&self) -> usize {
        Evaluate::<Go<STRIDE, LEN>>::bytes(&self.0)
    }

    fn expectation(&mut self, position: &Go<STRIDE, LEN>) -> Option<Expectation> {
        self.0.expectation(position)
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network;
    use crate::{Go9, Komi, Rules};
    use tesuji::{NetworkSymmetry, Player, Rng};
    use tesuji_net::{Parameters, Shape};

    #[test]
    fn a_lead_is_one_that_the_board_allows() {
        let options = NetworkOptions { file: Some(network::POOLING.into()), ..NetworkOptions::default() };
        let mut reached = 0;
        for size in 2..=7 {
            for komi in [-20, 0, 15, 60].map(Komi::from_halves) {
                let mut evaluator = network::evaluator(&options, size).unwrap();
                let mut game = Go9::new(size, Rules { komi, ..Rules::default() });
                let (mut rng, mut moves) = (Rng::new(1), Vec::new());
                for _ in 0..10 {
                    let sign = if game.to_move() == Player::FIRST { 1.0 } else { -1.0 };
                    let points = (size * size) as f32;
                    let black = -points - komi.points()..=points - komi.points();
                    let lead = sign * evaluator.expectation(&game).unwrap().lead;
                    let said = evaluator.raw(&game, Symmetry::ALL[0]).score.unwrap();
                    for lead in [lead, sign * said.lead as f32, sign * said.mean as f32] {
                        assert!(black.contains(&lead), "{size}x{size}, komi {komi}: {lead}");
                        reached += u32::from(lead == *black.start() || lead == *black.end());
                    }
                    moves.clear();
                    game.moves(&mut moves);
                    game.play(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
        }
        assert!(reached > 0, "no lead is beyond what the board allows");
    }

    #[test]
    fn positions_together_get_what_they_get_alone() {
        let mut positions = Vec::new();
        let (mut rng, mut game) = (Rng::new(1), Go9::new(9, Rules::default()));
        for number in 0..40 {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            positions.push((game.clone(), moves.clone()));
            if number % 3 == 0 {
                positions.push(positions[number / 2].clone());
            }
            game.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        let pooling = Parameters::random(Shape { filters: 8, blocks: 2, ..Shape::POOLING }, 5);
        let pooling = ReadyNetwork::new(&pooling.on_board(9));
        let own = ReadyNetwork::Board(network::load(&NetworkOptions::default(), 9).unwrap());
        let symmetries = [NetworkSymmetry::None, NetworkSymmetry::Random, NetworkSymmetry::Average];
        for (network, symmetry) in [&own, &pooling].into_iter().flat_map(|n| symmetries.map(|s| (n, s))) {
            for cache in [0, 30, 16_384] {
                let options = NetworkOptions { symmetry, cache, ..NetworkOptions::default() };
                let new = || NetEvaluator::of(network, &options).unwrap();
                let (mut alone, mut together) = (new(), new());
                Evaluate::<Go9>::reserve(&mut together, 4);
                for part in [&positions[..], &positions[..7], &positions[20..21], &positions[3..40]] {
                    let mut answers = vec![(Vec::new(), None); part.len()];
                    let mut asked: Vec<_> = part
                        .iter()
                        .zip(&mut answers)
                        .map(|((position, moves), (priors, outcome))| Evaluation {
                            position,
                            moves,
                            priors,
                            outcome,
                        })
                        .collect();
                    together.evaluate_many(&mut asked);
                    for ((position, moves), answer) in part.iter().zip(answers) {
                        let mut priors = Vec::new();
                        let value = alone.evaluate(position, moves, &mut priors);
                        assert_eq!(answer, (priors, Some(value)), "{symmetry:?}, cache {cache}");
                    }
                }
                if cache == 16_384 {
                    assert_eq!(together.hits(), alone.hits());
                    assert!(alone.hits() > 40);
                }
            }
        }
    }
}
