//! How fast networks are evaluated and trained on this machine, beside what its multiply-adds
//! allow.
//!
//! `cargo run --release -p tesuji-net --example speed [PART]` prints one JSON object a line, for
//! the cases whose name contains PART. A loop of multiply-adds on registers of eight numbers runs
//! in turn with the network; `effective` is the median over rounds of the network's rate, counted
//! in the operations of direct convolution, by that of the loop. The loop is the same where
//! networks are computed on registers of sixteen numbers. Time is the threads' own, so that other
//! work on the machine disturbs little. `batch` is the time of a position by that of one evaluated
//! alone. `threads_2` is the rate of two threads at the same time by that of one. `slower` is the
//! time by other instructions, by that of the fastest.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::sync::{Arc, Barrier};
use tesuji_net::graph::{BoardGraph, Graph, GraphEvaluator};
use tesuji_net::{Batch, Evaluator, Example, Instructions, Network, Parameters, Sgd, Shape, Trainer};

const ROUNDS: usize = 151;

/// The time this thread has run, in seconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Operations by which the register loop is measured in one go.
const PEAK_FLOPS: u64 = 400_000_000;

/// Operations a second of multiply-adds on registers.
fn peak() -> f64 {
    let start = now();
    let chains = 12;
    let steps = PEAK_FLOPS / (16 * chains);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has these instructions.
        black_box(unsafe { multiply_add(steps) });
        return (16 * chains * steps) as f64 / (now() - start);
    }
    let mut sums = [[0.0_f32; 8]; 12];
    for _ in 0..steps {
        for sum in sums.iter_mut().flatten() {
            *sum = *sum * 0.999 + 0.5;
        }
    }
    black_box(sums);
    (16 * chains * steps) as f64 / (now() - start)
}

/// Twelve chains of multiply-adds, long enough to hide their latency.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_add(steps: u64) -> [std::arch::x86_64::__m256; 12] {
    use std::arch::x86_64::{_mm256_fmadd_ps, _mm256_set1_ps};
    let mut sums = [_mm256_set1_ps(0.0); 12];
    let (scale, plus) = (_mm256_set1_ps(black_box(0.999)), _mm256_set1_ps(black_box(0.5)));
    for _ in 0..steps {
        for sum in &mut sums {
            *sum = _mm256_fmadd_ps(*sum, scale, plus);
        }
    }
    sums
}

/// What can be evaluated again and again.
trait Evaluates: Clone + Send + Sync {
    fn evaluate(&mut self);
}

/// A network of one board, and a position.
#[derive(Clone)]
struct Plain {
    evaluator: Evaluator,
    planes: Vec<f32>,
    logits: Vec<f32>,
}

impl Evaluates for Plain {
    fn evaluate(&mut self) {
        black_box(self.evaluator.evaluate(black_box(&self.planes), &mut self.logits));
    }
}

/// A network of KataGo's, and a position.
#[derive(Clone)]
struct KataGo {
    evaluator: GraphEvaluator,
    planes: Vec<f32>,
    globals: Vec<f32>,
}

impl Evaluates for KataGo {
    fn evaluate(&mut self) {
        black_box(self.evaluator.evaluate(black_box(&self.planes), &self.globals));
    }
}

/// Positions a second of one thread.
fn rate(evaluator: &mut impl Evaluates, positions: usize) -> f64 {
    let start = now();
    (0..positions).for_each(|_| evaluator.evaluate());
    positions as f64 / (now() - start)
}

/// The rate of two threads at the same time by that of one: the mean of the two, each alone just
/// before.
fn together(evaluator: &impl Evaluates, positions: usize) -> f64 {
    let barrier = Barrier::new(2);
    let run = |first: bool| {
        let mut evaluator = evaluator.clone();
        let mut rate = |positions| rate(&mut evaluator, positions);
        rate(1);
        let mut alone = 0.0;
        for turn in [true, false] {
            barrier.wait();
            if turn == first {
                alone = rate(positions);
            }
        }
        barrier.wait();
        (alone, rate(positions))
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(false));
        let (a, b) = (run(true), other.join().expect("an evaluation does not fail"));
        2.0 * (a.1 + b.1) / (a.0 + b.0)
    })
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Whether the case is asked for.
fn is_wanted(case: &str) -> bool {
    std::env::args().nth(1).is_none_or(|part| case.contains(&part))
}

fn inference(name: &str, shape: Shape) {
    if !is_wanted(&format!("evaluate {name}")) {
        return;
    }
    let evaluator = Evaluator::new(Arc::new(Network::new(&Parameters::random(shape, 1))));
    let planes = (0..shape.inputs()).map(|i| (i * 7 % 3 / 2) as f32).collect();
    let instructions = evaluator.instructions().name();
    measure(name, instructions, shape.flops(), Plain { evaluator, planes, logits: vec![0.0; shape.moves()] });
}

/// The time of a position that is evaluated together with others, by that of one evaluated alone.
fn batches(name: &str, shape: Shape, rounds: usize) {
    if !is_wanted(&format!("evaluate {name}, batch")) {
        return;
    }
    let mut evaluator = Evaluator::new(Arc::new(Network::new(&Parameters::random(shape, 1))));
    for count in [2, 4, 8, 32] {
        let planes: Vec<f32> = (0..count * shape.inputs()).map(|i| (i * 7 % 3 / 2) as f32).collect();
        let (mut logits, mut values) = (vec![0.0; count * shape.moves()], vec![0.0; count]);
        let mut ratios = Vec::new();
        for _ in 0..rounds {
            let start = now();
            evaluator.evaluate_many(black_box(&planes), &mut logits, &mut values);
            let many = now() - start;
            let alone = planes.chunks_exact(shape.inputs());
            for ((planes, logits), value) in
                alone.zip(logits.chunks_exact_mut(shape.moves())).zip(&mut values)
            {
                *value = evaluator.evaluate(black_box(planes), logits);
            }
            ratios.push(many / (now() - start - many));
        }
        println!(r#"{{"case":"evaluate {name}, batch {count}","batch":{:.3}}}"#, median(ratios));
    }
}

/// A network of KataGo's that lies among the tests.
fn katago(name: &str, file: &str, board: usize) {
    let path = format!("{}/../tesuji-go/tests/katago/{file}", env!("CARGO_MANIFEST_DIR"));
    let Ok(content) = std::fs::read(&path) else {
        eprintln!("{path} is not there: {name} is left out");
        return;
    };
    graph(name, &Graph::from_katago(&content).expect("a network of KataGo's"), board);
}

fn graph(name: &str, graph: &Graph, board: usize) {
    if !is_wanted(&format!("evaluate {name}, batch")) {
        return;
    }
    let network = Arc::new(BoardGraph::new(graph, board).expect("a network for every board"));
    // One plane is full, and of the others a tenth, as in the middle of a game.
    let points = board * board;
    let planes: Vec<f32> =
        (0..graph.planes * points).map(|i| f32::from(i < points || i * 7 % 10 == 0)).collect();
    let globals = vec![0.5; graph.globals];
    let by = |instructions| {
        let evaluator = GraphEvaluator::with_instructions(network.clone(), instructions);
        KataGo { evaluator, planes: planes.clone(), globals: globals.clone() }
    };
    let (fastest, others) = Instructions::all().split_last().expect("portable ones are there");
    for instructions in others.iter().skip(1) {
        let (mut fast, mut slow) = (by(*fastest), by(*instructions));
        let positions = (PEAK_FLOPS / graph.flops(board)).max(1) as usize;
        let ratio = |_| 1.0 / rate(&mut slow, positions) * rate(&mut fast, positions);
        let slower = median((0..ROUNDS).map(ratio).collect());
        println!(
            r#"{{"case":"evaluate {name}","instructions":"{}","fastest":"{}","slower":{slower:.3}}}"#,
            instructions.name(),
            fastest.name()
        );
    }
    let mut katago = by(*fastest);
    for count in [2, 4, 8, 16] {
        let (planes, globals) = (katago.planes.repeat(count), katago.globals.repeat(count));
        katago.evaluator.reserve(count);
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let start = now();
            black_box(katago.evaluator.evaluate_many(count, black_box(&planes), &globals));
            let many = now() - start;
            (0..count).for_each(|_| katago.evaluate());
            ratios.push(many / (now() - start - many));
        }
        println!(r#"{{"case":"evaluate {name}, batch {count}","batch":{:.3}}}"#, median(ratios));
    }
    measure(name, fastest.name(), graph.flops(board), katago);
}

fn measure(name: &str, instructions: &str, flops: u64, mut evaluator: impl Evaluates) {
    let positions = (PEAK_FLOPS / flops).max(1) as usize;
    rate(&mut evaluator, positions);
    let (mut ratios, mut rates, mut peaks, mut threads) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let before = peak();
        let alone = rate(&mut evaluator, positions);
        let peak = (before + peak()) / 2.0;
        ratios.push(alone * flops as f64 / peak);
        rates.push(alone);
        peaks.push(peak);

        threads.push(together(&evaluator, positions));
    }
    println!(
        r#"{{"case":"evaluate {name}","instructions":"{instructions}","effective":{:.3},"positions_per_second":{:.0},"peak_gflops":{:.1},"threads_2":{:.3}}}"#,
        median(ratios),
        median(rates),
        median(peaks) / 1e9,
        median(threads),
    );
}

/// Positions trained a second and thread, by the threads' own time.
fn training(name: &str, shape: Shape, positions: usize, rounds: usize) {
    if !is_wanted(&format!("train {name}")) {
        return;
    }
    let mut batch = Batch::new(shape);
    for i in 0..positions {
        let planes: Vec<f32> = (0..shape.inputs()).map(|j| ((i + j) * 7 % 3 / 2) as f32).collect();
        let mut policy = vec![0.0; shape.moves()];
        policy[i % shape.moves()] = 1.0;
        let (globals, owners) = (vec![0.5; shape.globals], vec![1.0; shape.points()]);
        batch.add(&Example {
            planes: &planes,
            globals: &globals,
            policy: &policy,
            value: if i % 2 == 0 { 1.0 } else { -1.0 },
            lead: Some(3.0),
            ownership: Some(&owners),
            ..Example::default()
        });
    }
    let parameters = Parameters::random(shape, 1);
    for threads in [1, 2] {
        let mut trainer = Trainer::new(parameters.clone(), Sgd::default()).with_threads(threads);
        trainer.step(&batch);
        let rates = (0..rounds).map(|_| {
            let start = process_now();
            trainer.step(&batch);
            positions as f64 / (process_now() - start)
        });
        println!(
            r#"{{"case":"train {name}, batch {positions}","threads":{threads},"positions_per_second_and_core":{:.0}}}"#,
            median(rates.collect())
        );
    }
}

/// The time all threads have run, in seconds.
fn process_now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn main() {
    inference("9x9 4x32", Shape::GO9);
    inference("19x19 10x64", Shape::GO19);
    batches("9x9 4x32", Shape::GO9, 301);
    batches("9x9 6x64", Shape { filters: 64, blocks: 6, ..Shape::GO9 }, 101);
    batches("19x19 10x64", Shape::GO19, 15);
    let pooling = Graph::of(&Parameters::random(Shape::POOLING, 1)).expect("a pooling network");
    graph("9x9 pooling 6x64", &pooling, 9);
    graph("19x19 pooling 6x64", &pooling, 19);
    katago("9x9 KataGo b6c96", "g170-b6c96.bin.gz", 9);
    katago("19x19 KataGo b6c96", "g170-b6c96.bin.gz", 19);
    katago("19x19 KataGo transformer", "katago-transformer.bin.gz", 19);
    training("9x9 4x32", Shape::GO9, 16, 101);
    training("19x19 10x64", Shape::GO19, 16, 5);
    training("9x9 pooling 6x64", Shape::POOLING, 64, 5);
}
