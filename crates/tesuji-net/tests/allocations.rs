//! An evaluation allocates no memory.

use std::sync::Arc;
use tesuji_net::{Cache, Evaluator, Network, Parameters, Shape};

#[test]
fn an_evaluation_allocates_nothing() {
    let shape = Shape { blocks: 1, ..Shape::GO9 };
    let mut evaluator = Evaluator::new(Arc::new(Network::new(&Parameters::random(shape, 1))));
    let mut cache = Cache::new(shape.moves(), 1 << 16);
    let mut logits = vec![0.0; shape.moves()];
    let planes = vec![1.0; shape.inputs()];
    let measured = allocation_counter::measure(|| {
        for key in 0..5 {
            let value = evaluator.evaluate(&planes, &mut logits);
            cache.insert(key << 60, &logits, value);
            assert_eq!(cache.get(key << 60, &mut logits), Some(value));
        }
    });
    assert_eq!(measured.count_total, 0);
}
