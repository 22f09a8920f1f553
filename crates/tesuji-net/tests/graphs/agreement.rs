//! The fast code against the slow one, on every size of the board.

use super::random::{Maker, every_kind};
use std::sync::Arc;
use tesuji_net::Instructions;
use tesuji_net::graph::{Activation, BoardGraph, Graph, GraphEvaluator, Outputs, reference};

fn assert_close(found: &Outputs, wanted: &Outputs, what: &str) {
    let all = |o: &Outputs| -> Vec<f32> {
        let scores = [o.score, o.deviation, o.lead].map(|x| x / 20.0);
        o.policy.iter().chain(&o.value).chain(&o.ownership).chain(&scores).copied().collect()
    };
    let (found, wanted) = (all(found), all(wanted));
    assert_eq!(found.len(), wanted.len());
    let most = wanted.iter().fold(1.0, |most: f32, x| most.max(x.abs()));
    for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert!((found - wanted).abs() < 2e-4 * most, "{what}, number {i}: {found} {wanted}");
    }
}

fn check(graph: &Graph, board: usize, instructions: Instructions) {
    let mut maker = Maker::new(board as u64, Activation::Relu);
    let network = Arc::new(BoardGraph::new(graph, board).unwrap());
    let by = |instructions| GraphEvaluator::with_instructions(network.clone(), instructions);
    let mut evaluator = by(instructions);
    let mut others: Vec<GraphEvaluator> = Instructions::all().iter().map(|&other| by(other)).collect();
    // Twice, since an evaluation must leave nothing behind.
    for _ in 0..2 {
        let planes: Vec<f32> = (0..22 * board * board).map(|_| (maker.rng.below(3) / 2) as f32).collect();
        let globals = maker.numbers(19, 1.0);
        let wanted = reference(graph, board, &planes, &globals);
        let what = format!("{board}x{board}, {}, {:?}", instructions.name(), graph.value.activation);
        let found = evaluator.evaluate(&planes, &globals);
        assert_close(found, &wanted, &what);
        for other in &mut others {
            let by = other.instructions().name();
            assert_eq!(other.evaluate(&planes, &globals), found, "{what}: {by}");
        }
    }
    assert!(evaluator.bytes() > 1000 && evaluator.is_finite());
}

#[test]
fn every_kind_of_block_on_every_board() {
    for board in 2..20 {
        let activation = [Activation::Relu, Activation::Mish, Activation::Silu][board % 3];
        let graph = every_kind(board as u64, activation, [1, 3, 5][board / 3 % 3], board % 2 == 0);
        check(&graph, board, Instructions::best());
    }
}

#[test]
fn positions_together_get_what_they_get_alone() {
    for (board, instructions) in
        [(3, Instructions::best()), (9, Instructions::best()), (7, Instructions::portable())]
    {
        let mut maker = Maker::new(board as u64, Activation::Relu);
        let activation = [Activation::Relu, Activation::Mish, Activation::Silu][board % 3];
        let graph = every_kind(board as u64, activation, [1, 3, 5][board / 3 % 3], true);
        let network = Arc::new(BoardGraph::new(&graph, board).unwrap());
        let new = || GraphEvaluator::with_instructions(network.clone(), instructions);
        let (mut together, mut alone) = (new(), new());
        for positions in [1, 5, 19, 8, 2] {
            let inputs = 22 * board * board;
            let planes: Vec<f32> = (0..positions * inputs).map(|_| (maker.rng.below(3) / 2) as f32).collect();
            let globals = maker.numbers(positions * 19, 1.0);
            let all = together.evaluate_many(positions, &planes, &globals);
            let each = planes.chunks_exact(inputs).zip(globals.chunks_exact(19));
            for (number, (outputs, (planes, globals))) in all.iter().zip(each).enumerate() {
                assert_eq!(
                    outputs,
                    alone.evaluate(planes, globals),
                    "{number} of {positions}, {board}x{board}"
                );
            }
        }
    }
}

#[test]
fn without_fast_instructions() {
    for (board, activation) in [(5, Activation::Mish), (8, Activation::Relu)] {
        check(&every_kind(1, activation, 5, true), board, Instructions::portable());
    }
}

#[test]
fn a_convolution_of_another_size_is_named() {
    let mut maker = Maker::new(1, Activation::Relu);
    let blocks = vec![maker.residual(5, 8, 8)];
    let graph = maker.graph(3, 8, blocks, false);
    let error = BoardGraph::new(&graph, 9).unwrap_err().to_string();
    assert!(error.contains("a kernel of 5x5") && error.contains("1x1 or 3x3"), "{error}");
}
