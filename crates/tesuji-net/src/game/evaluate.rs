//! Evaluation of positions by a network that remembers them.

use super::View;
use crate::cache::Cache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji::{Evaluate, Evaluation, Expectation, Game, NetworkOptions, Value};

/// Evaluates positions by the network of a [`View`].
///
/// The priors of the moves asked for sum to 1; the network's value t, in [-1, 1], is the outcome
/// `(1 + t) / 2` for the player to move. Copies share the cache, also between threads, which does
/// not change any evaluation.
#[derive(Clone, Debug)]
pub struct GameEvaluator<V> {
    /// What shows positions to the network.
    pub view: V,
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

impl<V> GameEvaluator<V> {
    /// An evaluator with this view of a network with `moves` logits, and with temperature and cache
    /// of these options.
    pub fn new(view: V, moves: usize, options: &NetworkOptions) -> GameEvaluator<V> {
        let slot = Cache::bytes_per_slot(moves);
        let cache = (options.cache > 0)
            .then(|| Arc::new(Mutex::new(Cache::new(moves, options.cache.saturating_mul(slot)))));
        GameEvaluator {
            view,
            temperature: options.temperature,
            cache,
            hits: 0,
            logits: vec![0.0; moves],
            many: Many::default(),
        }
    }

    /// The number of evaluations found in the cache.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// The number of logits.
    pub fn moves(&self) -> usize {
        self.logits.len()
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
fn answer<G: Game<Outcome = Value>>(
    view: &impl View<G>,
    position: &G,
    moves: &[G::Move],
    priors: &mut Vec<f32>,
    temperature: f32,
    logits: &[f32],
    value: f32,
) -> Value {
    let logit = |m| logits[view.number(position, m)];
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

impl<G: Game<Outcome = Value> + 'static, V: View<G>> Evaluate<G> for GameEvaluator<V> {
    fn evaluate(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) -> Value {
        let hash = self.view.hash(position);
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
        answer(&self.view, position, moves, priors, self.temperature, &self.logits, value)
    }

    /// Equal positions are evaluated once, and the rest together.
    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, G>]) {
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
            **outcome =
                Some(answer(&self.view, position, listed, priors, self.temperature, logits, values[row]));
        }
    }

    fn reserve(&mut self, positions: usize) {
        self.view.reserve(positions);
        self.many.reserve(positions, self.logits.len());
    }

    /// The memory of evaluations counts in full, though copies share it.
    fn bytes(&self) -> usize {
        let cache = self.cache.as_deref().map_or(0, |cache| open(cache).bytes());
        self.view.bytes() + cache + self.logits.capacity() * size_of::<f32>() + self.many.bytes()
    }

    fn expectation(&mut self, position: &G) -> Option<Expectation> {
        self.view.expectation(position, &mut self.logits)
    }

    fn boxed(&self) -> Box<dyn Evaluate<G>> {
        Box::new(self.clone())
    }
}
