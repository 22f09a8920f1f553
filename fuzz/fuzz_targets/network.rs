//! Any bytes are a network that evaluates a position, or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use tesuji_net::{Evaluator, Network, Parameters};

fuzz_target!(|data: &[u8]| match Parameters::from_bytes(data) {
    Ok((parameters, _)) => {
        let shape = *parameters.shape();
        let mut logits = vec![0.0; shape.moves()];
        let mut evaluator = Evaluator::new(Arc::new(Network::new(&parameters)));
        // Weights of any size may add up to no number.
        let value = evaluator.evaluate(&vec![1.0; shape.inputs()], &mut logits);
        assert!(value.is_nan() || value.abs() <= 1.0);
    }
    Err(problem) => assert!(!problem.to_string().is_empty()),
});
