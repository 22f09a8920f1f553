//! The fast code against the reference in double precision, and one set of instructions against the
//! other, on networks of random shapes.

use proptest::prelude::*;
use std::sync::Arc;
use tesuji::Rng;
use tesuji_net::{Batch, Evaluator, Instructions, Network, Parameters, Sgd, Shape, Trainer, reference};

/// Any small network.
fn shapes() -> impl Strategy<Value = Shape> {
    (2..20_usize, 1..20_usize, 1..36_usize, 0..3_usize, 1..10_usize, 1..10_usize, 1..40_usize).prop_map(
        |(board, planes, filters, blocks, policy_filters, value_filters, value_hidden)| Shape {
            board,
            planes,
            filters,
            blocks,
            policy_filters,
            value_filters,
            value_hidden,
            globals: 0,
            // None, fewer than points, or more of them.
            actions: blocks * 31 * planes,
            replies: 0,
            horizons: 0,
        },
    )
}

/// A network whose batch norm does something.
fn parameters(shape: Shape, rng: &mut Rng) -> Parameters {
    let mut parameters = Parameters::random(shape, rng.bits());
    let names: Vec<String> = parameters.names().map(|(name, _)| name.to_owned()).collect();
    for name in names.iter().filter(|name| !name.contains("conv") && !name.contains("fc2.weight")) {
        let change = |x: &mut f32| *x += 0.5 * rng.unit();
        parameters.tensor_mut(name).unwrap().iter_mut().for_each(change);
    }
    parameters
}

/// Compares all instructions with the reference on one position, and with each other bit for bit.
fn check(shape: Shape, seed: u64) {
    let mut rng = Rng::new(seed);
    let parameters = parameters(shape, &mut rng);
    let planes: Vec<f32> = (0..shape.inputs()).map(|_| (rng.below(3) / 2) as f32).collect();
    let wide: Vec<f64> = planes.iter().map(|&x| x.into()).collect();
    let (wanted, value) = reference::evaluate(&parameters.cast::<f64>(), &wide);
    let largest = wanted.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let network = Arc::new(Network::new(&parameters));
    let mut bits = Vec::new();
    for &instructions in Instructions::all() {
        let mut evaluator = Evaluator::with_instructions(network.clone(), instructions);
        let mut logits = vec![f32::NAN; shape.moves()];
        for _ in 0..2 {
            let found = evaluator.evaluate(&planes, &mut logits);
            assert!((f64::from(found) - value[0]).abs() < 1e-4, "value {found}, not {}", value[0]);
            for (&found, wanted) in logits.iter().zip(&wanted) {
                let error = (f64::from(found) - wanted).abs() / largest;
                assert!(error < 1e-4, "{}: {found}, not {wanted}", instructions.name());
            }
            bits.push(logits.iter().chain([&found]).map(|x| x.to_bits()).collect::<Vec<_>>());
        }
    }
    assert!(bits.iter().all(|other| *other == bits[0]), "instructions differ: {shape:?}, seed {seed}");

    // Nor does it matter who is evaluated beside it.
    let count = 1 + seed as usize % 9;
    let mut evaluator = Evaluator::new(network);
    let mut many = planes.clone();
    many.extend(
        (1..count).flat_map(|_| (0..shape.inputs()).map(|_| (rng.below(3) / 2) as f32).collect::<Vec<_>>()),
    );
    let (mut logits, mut values) = (vec![f32::NAN; count * shape.moves()], vec![f32::NAN; count]);
    evaluator.evaluate_many(&many, &mut logits, &mut values);
    let first: Vec<_> = logits[..shape.moves()].iter().chain([&values[0]]).map(|x| x.to_bits()).collect();
    assert!(first == bits[0], "the first of {count} differs: {shape:?}, seed {seed}");
    let mut alone = vec![f32::NAN; shape.moves()];
    for (number, planes) in many.chunks_exact(shape.inputs()).enumerate() {
        assert_eq!(evaluator.evaluate(planes, &mut alone), values[number]);
        assert_eq!(alone, logits[number * shape.moves()..][..shape.moves()]);
    }
}

#[test]
fn evaluation_by_the_usual_networks() {
    check(Shape::GO9, 1);
    check(Shape::GO19, 2);
}

/// Two steps of training by each set of instructions, which must not differ in a bit.
fn check_training(shape: Shape, seed: u64) {
    let mut rng = Rng::new(seed);
    let start = parameters(shape, &mut rng);
    let mut batch = Batch::new(shape);
    for _ in 0..3 {
        let planes: Vec<f32> = (0..shape.inputs()).map(|_| (rng.below(3) / 2) as f32).collect();
        let policy = vec![1.0 / shape.moves() as f32; shape.moves()];
        batch.push(&planes, &policy, rng.unit() * 2.0 - 1.0);
    }
    let train = |instructions| {
        let mut trainer = Trainer::new(start.clone(), Sgd::default()).with_instructions(instructions);
        (0..2).for_each(|_| _ = trainer.step(&batch));
        trainer.parameters().clone()
    };
    let wanted = train(Instructions::portable());
    let bits = |x: &Parameters, name: &str| -> Vec<u32> {
        x.tensor(name).expect("there is such a tensor").iter().map(|x| x.to_bits()).collect()
    };
    for &instructions in Instructions::all() {
        let found = train(instructions);
        for (name, _) in wanted.names() {
            let is_same = bits(&found, name) == bits(&wanted, name);
            assert!(is_same, "{name} differs by {}: {shape:?}, seed {seed}", instructions.name());
        }
    }
}

#[test]
fn training_by_the_usual_network() {
    check_training(Shape::GO9, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn evaluation(shape in shapes(), seed: u64) {
        check(shape, seed);
    }

    #[test]
    fn training(shape in shapes(), seed: u64) {
        check_training(Shape { board: shape.board.min(10), ..shape }, seed);
    }
}
