//! Evaluation in another place than the processor.

use super::Outputs;
use std::fmt::Debug;

/// A place that evaluates positions for threads, such as a GPU. It has the network of the
/// [`BoardGraph`](super::BoardGraph) that names it.
pub trait Device: Debug + Send + Sync {
    /// Evaluates as many positions as there are outputs, given by their planes,
    /// `[position, plane, y, x]`, and the numbers for each, `[position, number]`, and writes all
    /// fields of the outputs.
    fn evaluate(&self, planes: &[f32], globals: &[f32], outputs: &mut [Outputs]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BoardGraph, Graph, GraphEvaluator};
    use crate::{Parameters, Shape};
    use std::sync::Arc;

    /// Says of a position what its last number is.
    #[derive(Debug)]
    struct Echo;

    impl Device for Echo {
        fn evaluate(&self, planes: &[f32], globals: &[f32], outputs: &mut [Outputs]) {
            let each = globals.len() / outputs.len();
            assert_eq!(planes.len() % outputs.len(), 0);
            for (outputs, globals) in outputs.iter_mut().zip(globals.chunks_exact(each)) {
                outputs.lead = globals[each - 1];
            }
        }
    }

    #[test]
    fn a_device_evaluates_in_place_of_the_processor() {
        let shape = Shape { board: 5, filters: 8, blocks: 1, ..Shape::POOLING };
        let graph = Graph::of(&Parameters::random(shape, 1)).unwrap();
        let ready = BoardGraph::new(&graph, 5).unwrap().on(Arc::new(Echo));
        let mut evaluator = GraphEvaluator::new(Arc::new(ready));
        let globals: Vec<f32> = (0..3 * shape.globals).map(|i| i as f32).collect();
        let outputs = evaluator.evaluate_many(3, &vec![0.0; 3 * shape.inputs()], &globals);
        assert_eq!(outputs.iter().map(|outputs| outputs.lead).collect::<Vec<_>>(), [18.0, 37.0, 56.0]);
        assert_eq!(outputs[0].policy.len(), 26);
    }
}
