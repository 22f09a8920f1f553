//! An evaluation allocates no memory.

use super::random::every_kind;
use std::sync::Arc;
use tesuji_net::graph::{Activation, BoardGraph, GraphEvaluator};

#[test]
fn an_evaluation_allocates_nothing() {
    let graph = every_kind(3, Activation::Mish, 3, true);
    let mut evaluator = GraphEvaluator::new(Arc::new(BoardGraph::new(&graph, 7).unwrap()));
    let (planes, globals) = (vec![1.0; 22 * 49], vec![0.5; 19]);
    let measured = allocation_counter::measure(|| {
        assert!(evaluator.evaluate(&planes, &globals).is_finite());
    });
    assert_eq!(measured.count_total, 0);
}
