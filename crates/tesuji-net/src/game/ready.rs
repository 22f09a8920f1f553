//! Networks made ready for one board.

use crate::evaluator::Evaluator;
use crate::graph::{BoardGraph, Graph, GraphEvaluator};
use crate::network::Network;
use crate::parameters::Parameters;
use std::sync::Arc;

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
    #[expect(
        clippy::missing_panics_doc,
        reason = "a graph of parameters has convolutions of 3x3 and 1x1 only"
    )]
    pub fn new(parameters: &Parameters) -> ReadyNetwork {
        match Graph::of(parameters) {
            None => ReadyNetwork::Board(Arc::new(Network::new(parameters))),
            Some(graph) => {
                let made = BoardGraph::new(&graph, parameters.shape().board);
                ReadyNetwork::Graph(Arc::new(made.expect("its convolutions are 3x3 and 1x1")))
            }
        }
    }

    /// Rows of the board.
    pub fn board(&self) -> usize {
        match self {
            ReadyNetwork::Board(network) => network.shape().board,
            ReadyNetwork::Graph(graph) => graph.board(),
        }
    }

    /// Whether its outputs are finite if all planes are 1.
    pub fn is_finite(&self) -> bool {
        match self {
            ReadyNetwork::Board(network) => Evaluator::new(network.clone()).is_finite(),
            ReadyNetwork::Graph(graph) => GraphEvaluator::new(graph.clone()).is_finite(),
        }
    }
}
