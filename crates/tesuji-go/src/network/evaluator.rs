//! Evaluation of positions by a network.

use super::{Planes, PlanesError};
use crate::{Go, Vertex};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji::{Evaluate, Game, NetworkOptions, NetworkSymmetry, Value};
use tesuji_net::{Cache, Evaluator, Network, Symmetry};

/// Evaluates positions of Go by a policy-value network.
///
/// The priors of the moves asked for sum to 1; the network's value t, in [-1, 1], is the outcome (1 + t) / 2 for the player
/// to move. A position costs one evaluation by the network (eight with [`NetworkSymmetry::Average`]), unless it is
/// remembered; nothing is allocated. Copies, on other threads as well, share what they remember, which changes no evaluation.
/// Networks see no komi and no superko.
///
/// Rounding depends on the [`Instructions`](tesuji_net::Instructions) of the processor: trees of the same search may differ
/// between processors that have others.
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
}

/// What looks at positions.
#[derive(Clone, Debug)]
struct View {
    evaluator: Evaluator,
    planes: Planes,
    symmetry: NetworkSymmetry,
    input: Vec<f32>,
    turned: Vec<f32>,
    policy: Vec<f32>,
    back: Vec<f32>,
}

impl NetEvaluator {
    /// An evaluator by this network, which others may share, with these options but the file.
    ///
    /// # Errors
    /// If the network has too few planes to show a position.
    pub fn new(network: Arc<Network>, options: &NetworkOptions) -> Result<NetEvaluator, PlanesError> {
        let shape = *network.shape();
        let planes = Planes::new(shape.planes)?;
        let turns = options.symmetry != NetworkSymmetry::None;
        let zeros = |n, wanted| vec![0.0; if wanted { n } else { 0 }];
        let view = View {
            evaluator: Evaluator::new(network),
            planes,
            symmetry: options.symmetry,
            input: zeros(shape.inputs(), true),
            turned: zeros(shape.inputs(), turns),
            policy: zeros(shape.moves(), turns),
            back: zeros(shape.moves(), turns),
        };
        let slot = Cache::bytes_per_slot(shape.moves());
        let cache = (options.cache > 0)
            .then(|| Arc::new(Mutex::new(Cache::new(shape.moves(), options.cache.saturating_mul(slot)))));
        let logits = zeros(shape.moves(), true);
        Ok(NetEvaluator { view, temperature: options.temperature, cache, hits: 0, logits })
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        self.view.evaluator.network()
    }

    /// How many evaluations it found remembered.
    pub fn hits(&self) -> u64 {
        self.hits
    }
}

/// Hands out the memory of evaluations, which a panic leaves with no entry half written.
fn open(cache: &Mutex<Cache>) -> MutexGuard<'_, Cache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

impl View {
    /// Writes the logits of a position and returns its value, in [-1, 1].
    fn look<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        hash: u64,
        logits: &mut [f32],
    ) -> f32 {
        self.planes.write(position, &mut self.input);
        match self.symmetry {
            NetworkSymmetry::None => self.evaluator.evaluate(&self.input, logits),
            NetworkSymmetry::Random => {
                let value = self.turn(Symmetry::ALL[(hash % 8) as usize]);
                logits.copy_from_slice(&self.back);
                value
            }
            NetworkSymmetry::Average => {
                let share = 1.0 / Symmetry::ALL.len() as f32;
                logits.fill(0.0);
                let add = |value: f32, symmetry| {
                    let more = self.turn(symmetry);
                    logits.iter_mut().zip(&self.back).for_each(|(logit, x)| *logit += share * x);
                    value + share * more
                };
                Symmetry::ALL.into_iter().fold(0.0, add)
            }
        }
    }

    /// The value of what the planes show, turned; the logits are turned back.
    fn turn(&mut self, symmetry: Symmetry) -> f32 {
        let board = self.evaluator.network().shape().board;
        symmetry.planes(board, &self.input, &mut self.turned);
        let value = self.evaluator.evaluate(&self.turned, &mut self.policy);
        symmetry.inverse().policy(board, &self.policy, &mut self.back);
        value
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
        let hash = self.view.planes.hash(position);
        let cache = self.cache.as_deref();
        let value = if let Some(value) = cache.and_then(|cache| open(cache).get(hash, &mut self.logits)) {
            self.hits += 1;
            value
        } else {
            // Others need not wait while the network works.
            let value = self.view.look(position, hash, &mut self.logits);
            if let Some(cache) = cache {
                open(cache).insert(hash, &self.logits, value);
            }
            value
        };
        let logit = |m: Vertex<STRIDE>| self.logits[position.board.number_of(m.index().into())];
        let highest = moves.iter().map(|&m| logit(m)).fold(f32::NEG_INFINITY, f32::max);
        let first = priors.len();
        priors.extend(moves.iter().map(|&m| ((logit(m) - highest) / self.temperature).exp()));
        let total: f32 = priors[first..].iter().sum();
        priors[first..].iter_mut().for_each(|prior| *prior /= total);
        Value::new(position.to_move(), (1.0 + value) / 2.0)
    }

    /// The memory of evaluations counts in full, though copies share it.
    fn bytes(&self) -> usize {
        let View { evaluator, input, turned, policy, back, .. } = &self.view;
        let numbers = [input, turned, policy, back, &self.logits].map(|numbers| numbers.capacity());
        evaluator.bytes()
            + self.cache.as_deref().map_or(0, |cache| open(cache).bytes())
            + numbers.iter().sum::<usize>() * size_of::<f32>()
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(self.clone())
    }
}
