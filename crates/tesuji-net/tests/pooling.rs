//! Pooling networks: the trainer against finite differences of the reference, and evaluation
//! against it.

use std::sync::Arc;
use tesuji::Rng;
use tesuji_net::graph::{self, BoardGraph, Graph, GraphEvaluator};
use tesuji_net::{Batch, Example, Losses, Parameters, Schedule, Sgd, Shape, Trainer, reference};

const SHAPE: Shape = Shape {
    board: 4,
    planes: 3,
    filters: 10,
    blocks: 3,
    policy_filters: 3,
    value_filters: 9,
    value_hidden: 5,
    globals: 2,
    actions: 0,
    replies: 1,
    horizons: 2,
};

/// A batch of random positions; of some the policy, the lead, the ownership, the reply or the near
/// future is not known.
fn batch(shape: Shape, positions: usize, rng: &mut Rng) -> Batch {
    let mut batch = Batch::new(shape);
    for i in 0..positions {
        let mut numbers = |count: usize| (0..count).map(|_| 2.0 * rng.unit() - 1.0).collect::<Vec<f32>>();
        let [planes, globals, ownership] = [shape.inputs(), shape.globals, shape.points()].map(&mut numbers);
        let [value, lead] = numbers(2)[..] else { unreachable!() };
        let soon = numbers(shape.horizons);
        let [mut policy, mut reply] = [(); 2].map(|()| vec![0.0; shape.moves()]);
        for policy in [Some(&mut policy).filter(|_| i % 4 != 3), Some(&mut reply)].into_iter().flatten() {
            policy[rng.below(shape.moves() as u32) as usize] += 0.5;
            policy[rng.below(shape.moves() as u32) as usize] += 0.5;
        }
        batch.add(&Example {
            planes: &planes,
            globals: &globals,
            policy: &policy,
            value,
            lead: (i % 3 != 1).then_some(40.0 * lead),
            ownership: (i % 3 != 2).then_some(&ownership),
            reply: (i % 5 != 1).then_some(&reply),
            soon: (i % 5 != 2).then_some(&soon),
        });
    }
    batch
}

/// Random weights and statistics.
fn parameters(shape: Shape, rng: &mut Rng) -> Parameters {
    let mut parameters = Parameters::random(shape, rng.bits());
    let names: Vec<String> = parameters.names().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let is_positive = name.ends_with("running_var");
        for x in parameters.tensor_mut(&name).unwrap() {
            *x += 0.4 * (rng.unit() - if is_positive { 0.0 } else { 0.5 });
        }
    }
    parameters
}

fn descended(losses: &Losses, value_weight: f32) -> f64 {
    let weights = Losses::weights(value_weight).map(f64::from);
    losses.list().into_iter().zip(weights).map(|(loss, weight)| weight * loss).sum()
}

/// Every derivative agrees with finite differences.
fn derivatives_agree(shape: Shape, threads: usize) {
    let mut rng = Rng::new(5);
    let batch = batch(shape, 7, &mut rng);
    let start = parameters(shape, &mut rng);
    let mut trainer =
        Trainer::new(start.clone(), Sgd::default()).with_threads(threads).with_value_weight(0.7);
    let found = trainer.gradient(&batch);
    let mut wide = start.cast::<f64>();
    let said = reference::pooling(&wide, &batch, true);
    for (found, wanted) in found.losses.list().into_iter().zip(said.losses.list()) {
        assert!((found - wanted).abs() < 1e-5 * (1.0 + wanted), "{:?} {:?}", found, wanted);
    }
    let names: Vec<String> = start.names().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let derivatives = found.derivatives.tensor(&name).unwrap();
        if name.contains("running") {
            let wanted = said.statistics.tensor(&name).unwrap();
            let pairs = derivatives.iter().zip(wanted);
            pairs.for_each(|(&found, wanted)| assert!((f64::from(found) - wanted).abs() < 1e-4, "{name}"));
            continue;
        }
        // As many numbers of each tensor as take no long time.
        let stride = derivatives.len().div_ceil(12);
        for at in (0..derivatives.len()).step_by(stride) {
            let step = 1e-5;
            let mut loss = |change: f64| {
                wide.tensor_mut(&name).unwrap()[at] += change;
                let loss = descended(&reference::pooling(&wide, &batch, true).losses, 0.7);
                wide.tensor_mut(&name).unwrap()[at] -= change;
                loss
            };
            let wanted = (loss(step) - loss(-step)) / (2.0 * step);
            let found = f64::from(derivatives[at]);
            assert!((found - wanted).abs() < 3e-4 + 3e-3 * wanted.abs(), "{name} {at}: {found}, {wanted}");
        }
    }
}

#[test]
fn derivatives_agree_by_one_thread() {
    derivatives_agree(SHAPE, 1);
}

#[test]
fn derivatives_agree_by_more_threads_than_positions_divide_into() {
    derivatives_agree(SHAPE, 3);
}

#[test]
fn derivatives_agree_on_another_board() {
    derivatives_agree(Shape { board: 7, filters: 16, ..SHAPE }, 2);
}

/// One file serves every board; folding, the graph's reference and the fast evaluation agree with
/// the network.
#[test]
fn evaluation_on_every_board() {
    let mut rng = Rng::new(8);
    let network = parameters(SHAPE, &mut rng);
    for board in [2, 5, 9, 13] {
        let shape = Shape { board, ..SHAPE };
        let network = network.clone().on_board(board);
        let batch = batch(shape, 2, &mut rng);
        let said = reference::pooling(&network.cast::<f64>(), &batch, false);
        let graph = Graph::of(&network).unwrap();
        let made = BoardGraph::new(&graph, board).unwrap();
        let mut evaluator = GraphEvaluator::new(Arc::new(made));
        for i in 0..2 {
            let planes = &batch.planes()[i * shape.inputs()..][..shape.inputs()];
            let globals = &batch.globals()[i * shape.globals..][..shape.globals];
            let slow = graph::reference(&graph, board, planes, globals);
            for outputs in [&slow, evaluator.evaluate(planes, globals)] {
                let close = |found: &[f32], wanted: &[f64]| {
                    let pairs = found.iter().zip(wanted);
                    pairs.for_each(|(&f, w)| {
                        assert!((f64::from(f) - w).abs() < 1e-3 * (1.0 + w.abs()), "{f} {w}")
                    });
                };
                close(&outputs.policy, &said.policy[i * shape.moves()..][..shape.moves()]);
                close(&outputs.ownership, &said.ownership[i * shape.points()..][..shape.points()]);
                close(&[outputs.lead, outputs.score], &[said.lead[i]; 2]);
                let [win, loss, none] = outputs.probabilities(true);
                close(&[(win - loss) as f32, none as f32, outputs.deviation], &[said.value[i], 0.0, 0.0]);
            }
        }
    }
}

/// Steps on boards of several sizes are those of a trainer that is moved from board to board.
#[test]
fn steps_on_several_boards() {
    let mut rng = Rng::new(12);
    let sgd = Sgd { rate: Schedule::Constant { rate: 0.05 }, ..Sgd::default() };
    let start = Parameters::random(SHAPE, 1);
    let mut mixed = Trainer::new(start.clone(), sgd.clone()).with_threads(2);
    let mut moved = Trainer::new(start, sgd.clone()).with_threads(2);
    for board in [4, 7, 7, 4, 3, 7] {
        let batch = batch(Shape { board, ..SHAPE }, 5, &mut rng);
        let [parameters, velocity] =
            [moved.parameters(), moved.velocity()].map(|p| p.clone().on_board(board));
        moved = Trainer::resume(parameters, velocity, sgd.clone(), moved.steps()).with_threads(2);
        assert_eq!(mixed.step(&batch), moved.step(&batch));
        assert_eq!(mixed.parameters(), &moved.parameters().clone().on_board(4));
    }
    let other = Batch::new(Shape { filters: 9, ..SHAPE });
    assert!(std::panic::catch_unwind(move || mixed.step(&other)).is_err());
}

#[test]
fn files_come_back_and_steps_repeat() {
    let path = std::env::temp_dir().join(format!("tesuji-net-pooling-{}", std::process::id()));
    let train = |threads: usize, resumes: bool| {
        let mut rng = Rng::new(3);
        let sgd = Sgd { rate: Schedule::Constant { rate: 0.05 }, ..Sgd::default() };
        let mut trainer = Trainer::new(Parameters::random(SHAPE, 1), sgd.clone()).with_threads(threads);
        let batches: Vec<Batch> = (0..20).map(|_| batch(SHAPE, 6, &mut rng)).collect();
        let mut losses = Vec::new();
        for (i, batch) in batches.iter().cycle().take(200).enumerate() {
            if resumes && i == 30 {
                trainer.save(&path, &Default::default()).unwrap();
                trainer = Trainer::load(&path, sgd.clone()).unwrap().0.with_threads(threads);
            }
            losses.push(descended(&trainer.step(batch), 1.0));
        }
        (losses, trainer.parameters().clone())
    };
    for threads in [1, 3] {
        assert_eq!(train(threads, false), train(threads, true));
    }
    let (losses, network) = train(2, false);
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    assert!(mean(&losses[180..]) < 0.8 * mean(&losses[..20]), "{losses:?}");

    network.save(&path, &Default::default()).unwrap();
    assert_eq!(Parameters::load(&path).unwrap().0, network);
    let mut file = tesuji_net::Safetensors::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    file.metadata.insert("globals".into(), "0".into());
    file.metadata.remove("checksum");
    std::fs::write(&path, file.to_bytes()).unwrap();
    let error = Parameters::load(&path).unwrap_err().to_string();
    assert!(error.contains("globals is \"0\", but must be 1 to 1024"), "{error}");
    std::fs::remove_file(path).unwrap();
}
