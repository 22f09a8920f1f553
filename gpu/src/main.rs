//! Training of a network on a device.

use burn::backend::{Autodiff, Flex};
use clap::Parser;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tesuji_gpu::{Resources, train};
use tesuji_lab::{Experiment, Training};

/// Trains a policy-value network by a file of `tesuji train`.
///
/// The network file is written after each iteration, whole or not at all; the same command again
/// goes on from there. Games of self-play are not kept, so the window begins anew.
#[derive(Parser, Debug)]
#[command(version)]
struct Args {
    /// The file, as `tesuji train` reads it; matches of checkpoints are not played.
    file: PathBuf,
    /// The network file; if it is there, training goes on from it.
    #[arg(long)]
    network: PathBuf,
    /// Where to train and to evaluate positions.
    #[arg(long, value_enum, default_value_t)]
    device: Device,
    /// Threads that play and make batches, 1 to 1024 [default: one for each core].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Positions that the device evaluates at once, at most.
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    at_once: u32,
    /// Begin no iteration after this number of minutes.
    #[arg(long)]
    minutes: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Device {
    /// The first GPU of NVIDIA's: it trains in 32 bits and evaluates in bfloat16.
    #[cfg(feature = "cuda")]
    #[default]
    Cuda,
    /// One core, slowly: `tesuji train` is faster on a CPU.
    #[cfg_attr(not(feature = "cuda"), default)]
    Cpu,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let text =
        std::fs::read_to_string(&args.file).map_err(|error| format!("{}: {error}", args.file.display()))?;
    let experiment = Experiment::parse(&args.file.display().to_string(), &text)?;
    let plan = experiment.plan_as::<Training>();
    let plan = plan.ok_or_else(|| format!("{}: accepted: kind = \"train\"", args.file.display()))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let minutes = |minutes: u32| Instant::now() + Duration::from_secs(60 * u64::from(minutes));
    let resources = Resources {
        threads: args.threads.map_or(cores, usize::from),
        at_once: args.at_once as usize,
        until: args.minutes.map(minutes),
    };
    let mut say = |line: &str| {
        // Nobody may be reading any more, and the training goes on.
        let _ = writeln!(std::io::stdout(), "{line}");
    };
    match args.device {
        #[cfg(feature = "cuda")]
        Device::Cuda => {
            use burn::backend::Cuda;
            let device = Default::default();
            train::<Autodiff<Cuda>, Cuda<burn::tensor::bf16>>(
                plan,
                &args.network,
                resources,
                (&device, &device),
                &mut say,
            )
        }
        Device::Cpu => {
            let device = Default::default();
            train::<Autodiff<Flex>, Flex>(plan, &args.network, resources, (&device, &device), &mut say)
        }
    }
}
