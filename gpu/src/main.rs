//! Supervised training of a network on a device.

use burn::backend::{Autodiff, Flex};
use burn::tensor::backend::AutodiffBackend;
use clap::Parser;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use tesuji::Rng;
use tesuji_go::Rules;
use tesuji_gpu::{Batches, Draw, Trainer};
use tesuji_net::{Batch, Notes, Parameters, Schedule, Shape};
use tesuji_train::{Goal, LearnError, Learning, Measures, SgfFiles, trainable_go};

/// Trains a policy-value network for Go on the games of a directory of SGF files, as `tesuji train`
/// does with a table `[sgf]`.
///
/// The file is written at every report, whole or not at all; the same command again goes on from
/// there.
#[derive(Parser, Debug)]
#[command(version)]
struct Args {
    /// The directory; files `.sgf` in directories below it count.
    directory: PathBuf,
    /// The network file; if it is there, training goes on from it.
    #[arg(long)]
    network: PathBuf,
    /// Where to train.
    #[arg(long, value_enum, default_value_t)]
    device: Device,
    /// Steps in all, those taken before included.
    #[arg(long, default_value_t = 100_000)]
    steps: u64,
    /// Steps from one report to the next.
    #[arg(long, default_value_t = 1000)]
    report: u64,
    /// Positions of a step.
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// The learning rate.
    #[arg(long, default_value_t = 0.02)]
    rate: f32,
    /// Another rate from a step on, such as 75000=0.002; by rising steps.
    #[arg(long, value_name = "STEP=RATE", value_parser = change)]
    then: Vec<(u64, f32)>,
    /// Momentum, at least 0, below 1.
    #[arg(long, default_value_t = 0.9)]
    momentum: f32,
    /// Weight decay, 0 to 1.
    #[arg(long, default_value_t = 1e-4)]
    decay: f32,
    /// What the value's loss is multiplied by, 0 to 100; less than 1 for few games.
    #[arg(long, default_value_t = 1.0)]
    value_weight: f32,
    /// The share of files that are not trained on, 0 to 0.5.
    #[arg(long, default_value_t = 0.02)]
    held_out: f64,
    /// Positions held out and looked at in a report, at most.
    #[arg(long, default_value_t = 4096)]
    looked_at: usize,
    /// Decides the first weights and every batch.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that make batches for the device, 1 to 1024.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[command(flatten)]
    measures: NetworkArgs,
}

/// The measures of a new network; a file that is there must have those given.
#[derive(clap::Args, Debug)]
struct NetworkArgs {
    /// Lines of the board [new networks: 19].
    #[arg(long)]
    board: Option<usize>,
    /// Input planes [new networks: 18].
    #[arg(long)]
    planes: Option<usize>,
    /// Channels [new networks: 64].
    #[arg(long)]
    filters: Option<usize>,
    /// Residual blocks [new networks: 10].
    #[arg(long)]
    blocks: Option<usize>,
    /// Hidden units of the value head [new networks: 256].
    #[arg(long)]
    value_hidden: Option<usize>,
}

impl NetworkArgs {
    /// The shape with the measures that are given.
    fn of(&self, shape: Shape) -> Shape {
        Shape {
            board: self.board.unwrap_or(shape.board),
            planes: self.planes.unwrap_or(shape.planes),
            filters: self.filters.unwrap_or(shape.filters),
            blocks: self.blocks.unwrap_or(shape.blocks),
            value_hidden: self.value_hidden.unwrap_or(shape.value_hidden),
            ..shape
        }
    }
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Device {
    /// The first GPU of NVIDIA's.
    #[cfg(feature = "cuda")]
    #[default]
    Cuda,
    /// One core, slowly: `tesuji train` is faster on a CPU.
    #[cfg_attr(not(feature = "cuda"), default)]
    Cpu,
}

/// A step and the rate from there on.
fn change(text: &str) -> Result<(u64, f32), String> {
    let parse = || {
        let (step, rate) = text.split_once('=')?;
        Some((step.parse().ok()?, rate.parse().ok()?))
    };
    parse().ok_or_else(|| "accepted: a step and a rate, such as 75000=0.002".to_owned())
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.device {
        #[cfg(feature = "cuda")]
        Device::Cuda => train::<Autodiff<burn::backend::Cuda>>(&args, &Default::default()),
        Device::Cpu => train::<Autodiff<Flex>>(&args, &Default::default()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn train<B: AutodiffBackend>(args: &Args, device: &B::Device) -> Result<(), Box<dyn Error>> {
    let learning = learning(args)?;
    let start = start(args, &learning)?.with_value_weight(learning.value_weight);
    let shape = *start.parameters().shape();
    if shape.pools() {
        return Err("the network pools; accepted here: a network for one board, and `tesuji train` for others".into());
    }
    let game = trainable_go(shape.board, Rules::default());
    game.check(&shape)?;
    let goal = Goal { search_value: 0.0 };
    let games = SgfFiles::read(&args.directory, shape.board, args.held_out)?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", games.census)?;
    for example in games.census.examples.values() {
        writeln!(out, "left out: {example}")?;
    }
    writeln!(out, "{}, {} steps so far", start.parameters(), start.steps())?;

    let mut notes = Notes::new();
    notes.insert("made by".to_owned(), concat!("tesuji-gpu ", env!("CARGO_PKG_VERSION")).to_owned());
    notes.insert("games".to_owned(), games.census.hash.clone());
    let mut trainer = Trainer::<B>::new(&start, device);
    let draw = Draw {
        game: &*game,
        window: &games.window,
        goal,
        shape,
        count: args.batch,
        seed: args.seed,
    };
    std::thread::scope(|scope| {
        let mut batches = Batches::make(scope, draw, trainer.steps(), args.threads);
        while trainer.steps() < args.steps {
            let (first, begun) = (trainer.steps(), Instant::now());
            let last = (first / args.report + 1).saturating_mul(args.report).min(args.steps);
            let steps = batches.by_ref().take((last - first) as usize);
            let losses =
                steps.map(|batch| Ok(trainer.step(&batch?))).collect::<Result<_, Box<dyn Error>>>()?;
            let losses = Trainer::<B>::losses(losses);
            let speed = (args.batch as u64 * (last - first)) as f64 / begun.elapsed().as_secs_f64();
            let trained = trainer.to_cpu();
            if !trained.is_finite() {
                return Err(LearnError::Diverged(last).into());
            }
            trained.save(&args.network, &notes)?;
            write!(
                out,
                "step {last}: policy {:.3} value {:.3}, {speed:.0} positions/s",
                losses.policy, losses.value
            )?;
            if !games.held_out.is_empty() {
                let network = trainer.network();
                let evaluate = |batch: &Batch| network.evaluate(batch.planes());
                let held = Measures::by(&*game, shape, &goal, &games.held_out, args.looked_at, evaluate)?;
                let Measures { policy, value, top1, .. } = held;
                write!(out, "; held out: policy {policy:.3} value {value:.3} top-1 {top1:.3}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    })
}

/// What is asked for, in range.
fn learning(args: &Args) -> Result<Learning, String> {
    let learning = Learning {
        batch: args.batch,
        held_out: args.held_out,
        rate: Schedule::Steps { rate: args.rate, then: args.then.clone() },
        momentum: args.momentum,
        decay: args.decay,
        value_weight: args.value_weight,
        threads: args.threads,
        ..Learning::default()
    };
    learning.check()?;
    match args.report {
        0 => Err("report is 0; accepted: at least 1".to_owned()),
        _ => Ok(learning),
    }
}

/// The trainer of the file, or a new one.
fn start(args: &Args, learning: &Learning) -> Result<tesuji_net::Trainer, Box<dyn Error>> {
    if !args.network.exists() {
        let shape = args.measures.of(Shape::GO19).checked()?;
        let parameters = Parameters::random(shape, Rng::derive(args.seed, WEIGHTS));
        return Ok(tesuji_net::Trainer::new(parameters, learning.sgd()));
    }
    let (trainer, _) = tesuji_net::Trainer::load(&args.network, learning.sgd())?;
    let shape = *trainer.parameters().shape();
    let wanted = args.measures.of(shape);
    if wanted != shape {
        return Err(format!("{} holds {shape}, not {wanted}", args.network.display()).into());
    }
    Ok(trainer)
}

/// Keeps the random numbers of the first weights apart from those of the batches, which are
/// numbered from 0.
const WEIGHTS: u64 = u64::MAX;
