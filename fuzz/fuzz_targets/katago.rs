//! Any bytes are a network of KataGo's that evaluates a position, or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use tesuji_net::graph::{BoardGraph, Graph, GraphEvaluator};

fuzz_target!(|data: &[u8]| match Graph::from_katago(data) {
    Ok(graph) => match BoardGraph::new(&graph, 5) {
        Ok(network) => {
            let mut evaluator = GraphEvaluator::new(Arc::new(network));
            let outputs = evaluator.evaluate(&vec![1.0; graph.planes * 25], &vec![0.5; graph.globals]);
            // Weights of any size may add up to no number.
            assert!(outputs.ownership.iter().all(|x| x.is_nan() || x.abs() <= 1.0));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    },
    Err(error) => assert!(!error.to_string().is_empty()),
});
