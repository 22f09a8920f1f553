//! Evaluation of positions by a network.

use super::katago_view::KataGoView;
use super::plain_view::PlainView;
use super::{Inputs, PlanesError, RawEvaluation};
use crate::{Go, Vertex};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji::{Evaluate, Evaluation, Expectation, Game, NetworkOptions, Value};
use tesuji_net::graph::{BoardGraph, Graph};
use tesuji_net::{Cache, Network, Parameters, Symmetry};

/// Evaluates positions of Go by a policy-value network.
///
/// The priors of the moves asked for sum to 1; the network's value t, in [-1, 1], is the outcome
/// `(1 + t) / 2` for the player to move. A position costs one evaluation by the network (eight with
/// [`NetworkSymmetry::Average`](tesuji::NetworkSymmetry::Average)), unless it is in the cache. A
/// network of this project allocates nothing. Copies share the cache, also between threads, which
/// does not change any evaluation. Networks for one board see neither komi nor superko; pooling
/// networks and those of KataGo see both, and the rules.
///
/// Rounding depends on the [`Instructions`](tesuji_net::Instructions) of the processor: trees of
/// the same search may differ between processors with other instructions.
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
pub struct NetEvaluator {
    view: View,
    temperature: f32,
    cache: Option<Arc<Mutex<Cache>>>,
    hits: u64,
    logits: Vec<f32>,
    many: Many,
}

/// Several positions under evaluation.
#[derive(Clone, Debug, Default)]
struct Many {
    /// Rows of logits: first those of positions that the network looks at, then those that were
    /// remembered.
    logits: Vec<f32>,
    values: Vec<f32>,
    /// The position that stands for each row that the network makes, and its hash.
    fresh: Vec<(usize, u64)>,
    /// The row of each position.
    rows: Vec<usize>,
}

/// What looks at positions.
#[derive(Clone, Debug)]
enum View {
    Plain(Box<PlainView>),
    KataGo(Box<KataGoView>),
}

impl View {
    fn hash<const STRIDE: usize, const LEN: usize>(&self, position: &Go<STRIDE, LEN>) -> u64 {
        match self {
            View::Plain(view) => view.hash(position),
            View::KataGo(view) => view.hash(position),
        }
    }

    fn look_at_all<'a, const STRIDE: usize, const LEN: usize>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a Go<STRIDE, LEN>, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        match self {
            View::Plain(view) => view.look_at_all(positions, logits, values),
            View::KataGo(view) => view.look_at_all(positions, logits, values),
        }
    }
}

/// A network made ready for boards of one size, which evaluators share.
#[derive(Clone, Debug)]
pub enum ReadyNetwork {
    /// One for this board alone.
    Board(Arc<Network>),
    /// A pooling network, or one of KataGo's.
    Graph(Arc<BoardGraph>),
}

impl ReadyNetwork {
    /// The network of these parameters, for the board of their shape.
    ///
    /// # Errors
    /// If its inputs do not describe a position of Go.
    #[expect(
        clippy::missing_panics_doc,
        reason = "a graph of parameters has convolutions of 3x3 and 1x1 only"
    )]
    pub fn new(parameters: &Parameters) -> Result<ReadyNetwork, PlanesError> {
        Inputs::new(parameters.shape())?;
        Ok(match Graph::of(parameters) {
            None => ReadyNetwork::Board(Arc::new(Network::new(parameters))),
            Some(graph) => {
                let made = BoardGraph::new(&graph, parameters.shape().board);
                ReadyNetwork::Graph(Arc::new(made.expect("its convolutions are 3x3 and 1x1")))
            }
        })
    }

    /// Rows of the board.
    pub fn board(&self) -> usize {
        match self {
            ReadyNetwork::Board(network) => network.shape().board,
            ReadyNetwork::Graph(graph) => graph.board(),
        }
    }
}

impl NetEvaluator {
    /// An evaluator with this network and these options, except for the file.
    ///
    /// # Errors
    /// If the network has too few planes to show a position.
    pub fn of(network: &ReadyNetwork, options: &NetworkOptions) -> Result<NetEvaluator, PlanesError> {
        match network {
            ReadyNetwork::Board(network) => NetEvaluator::new(network.clone(), options),
            ReadyNetwork::Graph(graph) => Ok(NetEvaluator::with_graph(graph.clone(), options)),
        }
    }

    /// An evaluator with this network, which others may share, and these options, except for the
    /// file.
    ///
    /// # Errors
    /// If the network has too few planes to show a position.
    pub fn new(network: Arc<Network>, options: &NetworkOptions) -> Result<NetEvaluator, PlanesError> {
        let moves = network.shape().moves();
        let view = PlainView::new(network, options.symmetry)?;
        Ok(NetEvaluator::with_view(View::Plain(Box::new(view)), moves, options))
    }

    /// An evaluator with this network of KataGo's kind, which others may share, and these options,
    /// except for the file.
    pub fn with_graph(graph: Arc<BoardGraph>, options: &NetworkOptions) -> NetEvaluator {
        let moves = graph.moves();
        let view = KataGoView::new(graph, options.symmetry);
        NetEvaluator::with_view(View::KataGo(Box::new(view)), moves, options)
    }

    fn with_view(view: View, moves: usize, options: &NetworkOptions) -> NetEvaluator {
        let slot = Cache::bytes_per_slot(moves);
        let cache = (options.cache > 0)
            .then(|| Arc::new(Mutex::new(Cache::new(moves, options.cache.saturating_mul(slot)))));
        NetEvaluator {
            view,
            temperature: options.temperature,
            cache,
            hits: 0,
            logits: vec![0.0; moves],
            many: Many::default(),
        }
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
        let (result, score) = match &mut self.view {
            View::Plain(view) => {
                let win = f64::from(1.0 + view.raw(position, symmetry, &mut self.logits)) / 2.0;
                ([win, 1.0 - win, 0.0], None)
            }
            View::KataGo(view) => {
                let (result, score) = view.raw(position, symmetry, &mut self.logits);
                (result, Some(score))
            }
        };
        let (mut moves, mut legal) = (Vec::new(), vec![false; self.logits.len()]);
        position.moves(&mut moves);
        moves.iter().for_each(|m| legal[position.board.number_of(m.index().into())] = true);
        RawEvaluation::new(result, &self.logits, &legal, score)
    }

    /// The number of evaluations found in the cache.
    pub fn hits(&self) -> u64 {
        self.hits
    }
}

impl Many {
    /// Makes room for `positions` positions, each with `moves` logits.
    fn reserve(&mut self, positions: usize, moves: usize) {
        let Many { logits, values, fresh, rows } = self;
        logits.resize(logits.len().max(positions * moves), 0.0);
        values.resize(values.len().max(positions), 0.0);
        fresh.reserve_exact(positions.saturating_sub(fresh.len()));
        rows.reserve_exact(positions.saturating_sub(rows.len()));
    }

    /// Heap bytes held.
    fn bytes(&self) -> usize {
        let Many { logits, values, fresh, rows } = self;
        (logits.capacity() + values.capacity()) * size_of::<f32>()
            + fresh.capacity() * size_of::<(usize, u64)>()
            + rows.capacity() * size_of::<usize>()
    }
}

/// The outcome of a position by what the network says of it, and the priors of its moves at a
/// temperature.
fn answer<const STRIDE: usize, const LEN: usize>(
    position: &Go<STRIDE, LEN>,
    moves: &[Vertex<STRIDE>],
    priors: &mut Vec<f32>,
    temperature: f32,
    logits: &[f32],
    value: f32,
) -> Value {
    let logit = |m: Vertex<STRIDE>| logits[position.board.number_of(m.index().into())];
    let highest = moves.iter().map(|&m| logit(m)).fold(f32::NEG_INFINITY, f32::max);
    let first = priors.len();
    priors.extend(moves.iter().map(|&m| ((logit(m) - highest) / temperature).exp()));
    let total: f32 = priors[first..].iter().sum();
    priors[first..].iter_mut().for_each(|prior| *prior /= total);
    Value::new(position.to_move(), (1.0 + value) / 2.0)
}

/// Hands out the memory of evaluations, which a panic leaves with no entry half written.
fn open(cache: &Mutex<Cache>) -> MutexGuard<'_, Cache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
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
        let hash = self.view.hash(position);
        let cache = self.cache.as_deref();
        let value = if let Some(value) = cache.and_then(|cache| open(cache).get(hash, &mut self.logits)) {
            self.hits += 1;
            value
        } else {
            // Others need not wait while the network works.
            let value = match &mut self.view {
                View::Plain(view) => view.look(position, hash, &mut self.logits),
                View::KataGo(view) => view.look(position, hash, &mut self.logits),
            };
            if let Some(cache) = cache {
                open(cache).insert(hash, &self.logits, value);
            }
            value
        };
        answer(position, moves, priors, self.temperature, &self.logits, value)
    }

    /// Equal positions are evaluated once, and the rest together.
    ///
    /// # Panics
    /// If the network is for another size of the board.
    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Go<STRIDE, LEN>>]) {
        // One alone needs no room for many.
        if let [Evaluation { position, moves, priors, outcome }] = asked {
            **outcome = Some(self.evaluate(position, moves, priors));
            return;
        }
        let view = &mut self.view;
        let (cache, moves, count) = (self.cache.as_deref(), self.logits.len(), asked.len());
        let Many { logits, values, fresh, rows } = &mut self.many;
        logits.resize(logits.len().max(count * moves), 0.0);
        values.resize(values.len().max(count), 0.0);
        fresh.clear();
        rows.clear();
        let mut found = count;
        for (place, asked) in asked.iter().enumerate() {
            let hash = view.hash(asked.position);
            if let Some(row) = fresh.iter().position(|&(_, other)| other == hash) {
                self.hits += u64::from(cache.is_some());
                rows.push(row);
                continue;
            }
            let row = &mut logits[(found - 1) * moves..found * moves];
            if let Some(value) = cache.and_then(|cache| open(cache).get(hash, row)) {
                self.hits += 1;
                found -= 1;
                values[found] = value;
                rows.push(found);
            } else {
                rows.push(fresh.len());
                fresh.push((place, hash));
            }
        }
        let (logits_made, values_made) = (&mut logits[..fresh.len() * moves], &mut values[..fresh.len()]);
        let positions = fresh.iter().map(|&(place, hash)| (asked[place].position, hash));
        view.look_at_all(positions, logits_made, values_made);
        if let Some(cache) = cache {
            let mut cache = open(cache);
            for ((&(_, hash), logits), &value) in fresh.iter().zip(logits.chunks_exact(moves)).zip(&*values) {
                cache.insert(hash, logits, value);
            }
        }
        for (Evaluation { position, moves: listed, priors, outcome }, &row) in asked.iter_mut().zip(&*rows) {
            let logits = &logits[row * moves..][..moves];
            **outcome = Some(answer(position, listed, priors, self.temperature, logits, values[row]));
        }
    }

    fn reserve(&mut self, positions: usize) {
        match &mut self.view {
            View::Plain(view) => view.reserve(positions),
            View::KataGo(view) => view.reserve(positions),
        }
        self.many.reserve(positions, self.logits.len());
    }

    /// The memory of evaluations counts in full, though copies share it.
    fn bytes(&self) -> usize {
        let view = match &self.view {
            View::Plain(view) => view.bytes(),
            View::KataGo(view) => view.bytes(),
        };
        let cache = self.cache.as_deref().map_or(0, |cache| open(cache).bytes());
        view + cache + self.logits.capacity() * size_of::<f32>() + self.many.bytes()
    }

    /// Networks of KataGo's kind say it.
    fn expectation(&mut self, position: &Go<STRIDE, LEN>) -> Option<Expectation> {
        match &mut self.view {
            View::Plain(_) => None,
            View::KataGo(view) => Some(view.expectation(position, &mut self.logits)),
        }
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network;
    use crate::{Go9, Rules};
    use tesuji::{NetworkSymmetry, Rng};
    use tesuji_net::Shape;

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
        let pooling = ReadyNetwork::new(&pooling.on_board(9)).unwrap();
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
