//! The network on burn's CPU backend against `tesuji-net`'s formulae in double precision, and
//! against its trainer.

use burn::backend::{Autodiff, Flex};
use std::path::Path;
use std::sync::Arc;
use tesuji::Rng;
use tesuji_gpu::{GraphNetwork, Network, SharedDevice, Trainer};
use tesuji_net::graph::{BoardGraph, Graph, GraphEvaluator, Outputs};
use tesuji_net::{
    Batch, Example, Instructions, Losses, Muon, Notes, Parameters, Schedule, Sgd, Shape, graph, reference,
};

type Device = burn::tensor::Device<Flex>;

/// The networks compared: a small one for 9x9, and one whose channels divide by nothing.
const SHAPES: [Shape; 2] = [
    Shape { filters: 16, blocks: 2, ..Shape::GO9 },
    Shape {
        board: 7,
        planes: 3,
        filters: 5,
        blocks: 1,
        policy_filters: 3,
        value_filters: 2,
        value_hidden: 11,
        globals: 0,
        actions: 0,
        replies: 0,
        horizons: 0,
    },
];

/// A pooling network, two of whose blocks pool.
const POOLING: Shape = Shape {
    board: 7,
    filters: 6,
    blocks: 5,
    policy_filters: 3,
    value_filters: 4,
    value_hidden: 9,
    replies: 1,
    horizons: 2,
    ..Shape::POOLING
};

/// A network none of whose tensors is as at the start.
fn parameters(shape: Shape, rng: &mut Rng) -> Parameters {
    let mut parameters = Parameters::random(shape, rng.bits());
    for name in names(&parameters) {
        let least = if name.ends_with("running_var") { 0.0 } else { -0.1 };
        parameters.tensor_mut(&name).unwrap().iter_mut().for_each(|w| *w += least + 0.2 * rng.unit());
    }
    parameters
}

/// Random positions; nothing is known of the policy of the first.
fn batch(shape: Shape, positions: usize, rng: &mut Rng) -> Batch {
    let mut batch = Batch::new(shape);
    for position in 0..positions {
        let planes: Vec<f32> = (0..shape.inputs()).map(|_| (rng.unit() < 0.3).into()).collect();
        let globals: Vec<f32> = (0..shape.globals).map(|_| rng.unit()).collect();
        let mut policy: Vec<f32> = (0..shape.moves()).map(|_| rng.unit()).collect();
        let total: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|p| *p /= total);
        let reply: Vec<f32> = policy.iter().rev().copied().collect();
        policy.iter_mut().for_each(|p| *p = if position == 0 { 0.0 } else { *p });
        let soon: Vec<f32> = (0..shape.horizons).map(|_| 2.0 * rng.unit() - 1.0).collect();
        let owners: Vec<f32> = (0..shape.points()).map(|_| 2.0 * rng.unit() - 1.0).collect();
        // Of some positions only policy and value are known.
        let known = shape.pools() && position % 3 != 1;
        batch.add(&Example {
            planes: &planes,
            globals: &globals,
            policy: &policy,
            value: 2.0 * rng.unit() - 1.0,
            lead: known.then(|| 80.0 * rng.unit() - 40.0),
            ownership: known.then_some(&owners),
            reply: known.then_some(&reply),
            soon: known.then_some(&soon),
        });
    }
    batch
}

fn names(parameters: &Parameters) -> Vec<String> {
    parameters.names().map(|(name, _)| name.to_owned()).collect()
}

/// The largest difference, relative to the largest of the numbers wanted; infinite if one is no
/// number.
fn relative_error<X: Into<f64> + Copy, Y: Into<f64> + Copy>(found: &[X], wanted: &[Y]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let largest = wanted.iter().fold(0.0, |most: f64, &y| most.max(y.into().abs()));
    let errors = found.iter().zip(wanted).map(|(&x, &y)| (x.into() - y.into()).abs());
    errors.fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x) }) / largest
}

fn assert_close<Y: Into<f64> + Copy>(what: &str, found: &[f32], wanted: &[Y]) {
    let error = relative_error(found, wanted);
    assert!(error < 1e-4, "{what}: {error}");
}

fn sgd() -> Sgd {
    let rate = Schedule::Steps { rate: 0.05, then: vec![(1, 0.02)] };
    Sgd { rate, momentum: 0.8, decay: 0.01, muon: None }
}

/// The same with other steps of the kernels.
fn muon() -> Sgd {
    Sgd { muon: Some(Muon { momentum: 0.7, ..Muon::default() }), ..sgd() }
}

#[test]
fn evaluations() {
    let mut rng = Rng::new(1);
    for shape in SHAPES {
        let parameters = parameters(shape, &mut rng);
        let batch = batch(shape, 5, &mut rng);
        let wide: Vec<f64> = batch.planes().iter().map(|&x| x.into()).collect();
        let (policy, value) = reference::evaluate(&parameters.cast(), &wide);
        let network = Network::<Flex>::new(&parameters, &Device::default());
        let (logits, values) = network.evaluate(&batch);
        assert_close("policy", &logits, &policy);
        assert_close("value", &values, &value);
    }
}

/// Two steps give the losses, parameters, statistics and velocities of the formulae.
#[test]
fn steps() {
    let mut rng = Rng::new(2);
    for (shape, sgd) in SHAPES.into_iter().flat_map(|shape| [(shape, sgd()), (shape, muon())]) {
        let start = parameters(shape, &mut rng);
        let mut wanted: Parameters<f64> = start.cast();
        let mut velocity = vec![0.0; wanted.count()];
        let cpu = tesuji_net::Trainer::new(start, sgd.clone());
        let mut trainer = Trainer::<Autodiff<Flex>>::new(&cpu, &Device::default());
        for step in 0..2 {
            let batch = batch(shape, 6, &mut rng);
            let gradient = reference::gradient(&wanted, &batch);
            let instructions = Instructions::best();
            sgd.apply(step, &mut wanted, &mut velocity, &gradient.derivatives, instructions);
            let losses = trainer.step(&batch);
            let Losses { policy, value, .. } = Trainer::<Autodiff<Flex>>::losses(vec![losses]);
            let found = [policy as f32, value as f32];
            assert_close("losses", &found[..1], &[gradient.losses.policy]);
            assert_close("losses", &found[1..], &[gradient.losses.value]);
        }
        let found = trainer.to_cpu();
        assert_eq!(found.steps(), 2);
        let mut at = 0;
        for name in names(found.parameters()) {
            let numbers = wanted.tensor(&name).unwrap();
            assert_close(&name, found.parameters().tensor(&name).unwrap(), numbers);
            if !name.contains("running") {
                let velocity = &velocity[at..at + numbers.len()];
                assert_close(&name, found.velocity().tensor(&name).unwrap(), velocity);
                at += numbers.len();
            }
        }
    }
}

/// A pooling network says what the formulae say, by both kinds of statistics.
#[test]
fn pooling_networks() {
    let mut rng = Rng::new(4);
    let parameters = parameters(POOLING, &mut rng);
    let batch = batch(POOLING, 5, &mut rng);
    let said = reference::pooling::<f64>(&parameters.cast(), &batch, false);
    let network = Network::<Flex>::new(&parameters, &Device::default());
    let (logits, values) = network.evaluate(&batch);
    assert_close("policy", &logits, &said.policy);
    assert_close("value", &values, &said.value);

    let said = reference::pooling::<f64>(&parameters.cast(), &batch, true);
    let cpu = tesuji_net::Trainer::new(parameters, sgd());
    let mut trainer = Trainer::<Autodiff<Flex>>::new(&cpu, &Device::default());
    let losses = Trainer::<Autodiff<Flex>>::losses(vec![trainer.step(&batch)]);
    let found = losses.list().map(|loss| loss as f32);
    for (found, wanted) in found.iter().zip(said.losses.list()) {
        assert_close("losses", &[*found], &[wanted]);
    }
}

/// Both trainers take the same steps of a pooling network, the mean of the weights included, on
/// boards of two sizes.
#[test]
fn steps_of_pooling_networks() {
    let mut rng = Rng::new(5);
    let start = parameters(POOLING, &mut rng);
    let mut cpu = tesuji_net::Trainer::new(start, muon()).with_value_weight(0.7).with_average(0.9);
    let mut trainer = Trainer::<Autodiff<Flex>>::new(&cpu, &Device::default());
    for board in [POOLING.board, 5] {
        let batch = batch(Shape { board, ..POOLING }, 6, &mut rng);
        cpu.step(&batch);
        trainer.step(&batch);
    }
    let found = trainer.to_cpu();
    for name in names(found.parameters()) {
        let of = |trainer: &tesuji_net::Trainer| {
            [trainer.parameters(), trainer.network()].map(|p| p.tensor(&name).unwrap().to_vec())
        };
        for (found, wanted) in of(&found).iter().zip(of(&cpu)) {
            assert_close(&name, found, &wanted);
        }
    }
    assert!(found.parameters() != found.network());
}

/// Random inputs of a graph for some positions.
fn inputs(graph: &Graph, board: usize, positions: usize, rng: &mut Rng) -> (Vec<f32>, Vec<f32>) {
    let planes = positions * graph.planes * board * board;
    let planes = (0..planes).map(|_| (rng.unit() < 0.3).into()).collect();
    (planes, (0..positions * graph.globals).map(|_| rng.unit()).collect())
}

fn assert_says(found: &Outputs, wanted: &Outputs) {
    let numbers = |outputs: &Outputs| {
        let Outputs { value, score, deviation, lead, .. } = outputs;
        [&value[..], &[*score, *deviation, *lead]].concat()
    };
    assert_close("policy", &found.policy, &wanted.policy);
    assert_close("ownership", &found.ownership, &wanted.ownership);
    assert_close("numbers", &numbers(found), &numbers(wanted));
}

/// Our pooling networks and KataGo's say on a device what they say on the processor, alone and
/// when several threads ask.
#[test]
fn graphs_on_a_shared_device() {
    let mut rng = Rng::new(6);
    let own = Graph::of(&parameters(POOLING, &mut rng)).unwrap();
    let file = Path::new("../crates/tesuji-go/tests/katago/g170-b6c96.bin.gz");
    let katago = Graph::from_katago(&tesuji_net::read_file(file).unwrap()).unwrap();
    for graph in [own, katago] {
        let board = 7;
        let network = GraphNetwork::<Flex>::new(&graph, board, &Device::default()).unwrap();
        let ready = BoardGraph::new(&graph, board).unwrap();
        let shared = Arc::new(ready.on(Arc::new(SharedDevice::new(network, 5))));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (graph, shared) = (&graph, &shared);
                scope.spawn(move || {
                    let mut evaluator = GraphEvaluator::new(shared.clone());
                    let mut rng = Rng::new(thread);
                    for count in [1, 3, 2] {
                        let (planes, globals) = inputs(graph, board, count, &mut rng);
                        let found = evaluator.evaluate_many(count, &planes, &globals);
                        for (i, found) in found.iter().enumerate() {
                            let of = |numbers: &[f32]| {
                                let each = numbers.len() / count;
                                numbers[i * each..][..each].to_vec()
                            };
                            let wanted = graph::reference(graph, board, &of(&planes), &of(&globals));
                            assert_says(found, &wanted);
                        }
                    }
                });
            }
        });
    }
}

/// A network with attention is for the processor.
#[test]
fn attention_is_refused() {
    let file = Path::new("../crates/tesuji-go/tests/katago/katago-transformer.bin.gz");
    let graph = Graph::from_katago(&tesuji_net::read_file(file).unwrap()).unwrap();
    let error = GraphNetwork::<Flex>::new(&graph, 9, &Device::default()).unwrap_err();
    assert!(error.to_string().ends_with("accepted: convolutions, pools and batch norms"), "{error}");
}

/// A file goes from one trainer to the other and back, in the middle of a training.
#[test]
fn one_file_for_both_trainers() {
    let mut rng = Rng::new(3);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("net.safetensors");
    for shape in SHAPES {
        let weighted = |trainer: tesuji_net::Trainer| trainer.with_value_weight(0.3);
        let mut cpu = weighted(tesuji_net::Trainer::new(parameters(shape, &mut rng), sgd()));
        let batches: Vec<Batch> = (0..3).map(|_| batch(shape, 4, &mut rng)).collect();
        cpu.step(&batches[0]);
        cpu.save(&path, &Notes::new()).unwrap();
        let mut loaded = weighted(tesuji_net::Trainer::load(&path, sgd()).unwrap().0);
        let mut gpu = Trainer::<Autodiff<Flex>>::new(&loaded, &Device::default());

        let before = std::fs::read(&path).unwrap();
        gpu.to_cpu().save(&path, &Notes::new()).unwrap();
        assert!(before == std::fs::read(&path).unwrap(), "nothing is lost on the way");

        cpu.step(&batches[1]);
        gpu.step(&batches[1]);
        gpu.to_cpu().save(&path, &Notes::new()).unwrap();
        loaded = weighted(tesuji_net::Trainer::load(&path, sgd()).unwrap().0);
        cpu.step(&batches[2]);
        loaded.step(&batches[2]);
        assert_eq!(loaded.steps(), 3);
        for name in names(cpu.parameters()) {
            assert_close(
                &name,
                loaded.parameters().tensor(&name).unwrap(),
                cpu.parameters().tensor(&name).unwrap(),
            );
        }
        let (played, _) = Parameters::load(&path).unwrap();
        assert_eq!(played, gpu.network().parameters());
    }
}
