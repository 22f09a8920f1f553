//! Training of a network.

mod all_gather;
mod convolutions;
mod heads;
mod linear;
mod norm;
mod pooling;
mod pooling_heads;
mod pools;
mod prepared;
mod rows;
mod shard;
mod step;

use crate::batch::{Batch, Losses};
use crate::file::{
    FileError, MOMENTUM, Notes, Problem, RAW, ask_for_memory, notes_of, read_file, write_atomic,
};
use crate::kernel::{Images, Instructions};
use crate::parameters::Parameters;
use crate::reference::Gradient;
use crate::safetensors::Safetensors;
use crate::sgd::Sgd;
use all_gather::AllGather;
use pooling::PoolingShard;
use prepared::Prepared;
use shard::BoardShard;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use std::thread::Builder;
use step::TrainingStep;

/// Trains a network by gradient descent on batches.
///
/// The same parameters and batches give the same bits for the same number of threads, whatever
/// [`Instructions`] compute them. Everything that the next step depends on is in one file:
/// [`Trainer::save`] and [`Trainer::load`].
///
/// ```
/// use tesuji_net::{Batch, Parameters, Sgd, Shape, Trainer};
///
/// let shape = Shape { board: 3, planes: 2, filters: 8, blocks: 1, ..Shape::GO9 };
/// let mut batch = Batch::new(shape);
/// for corner in [0, 2, 6, 8] {
///     let mut planes = vec![0.0; shape.inputs()];
///     let mut policy = vec![0.0; shape.moves()];
///     (planes[corner], policy[corner]) = (1.0, 1.0);
///     batch.push(&planes, &policy, if corner < 4 { 1.0 } else { -1.0 });
/// }
/// let mut trainer = Trainer::new(Parameters::random(shape, 1), Sgd::default());
/// let before = trainer.step(&batch);
/// let after = (0..50).map(|_| trainer.step(&batch)).last().unwrap();
/// assert!(after.policy < before.policy && after.value < before.value);
/// ```
#[derive(Debug)]
pub struct Trainer {
    parameters: Parameters,
    velocity: Parameters,
    /// The mean of the parameters over the latest steps, if it is kept, and the share of it that
    /// each step keeps.
    average: Option<(Parameters, f32)>,
    sgd: Sgd,
    step: u64,
    value_weight: f32,
    threads: usize,
    instructions: Instructions,
    /// For each size of the board of a batch so far.
    boards: Vec<BoardMemory>,
}

/// What steps on boards of one size need.
#[derive(Debug)]
struct BoardMemory {
    images: Images,
    prepared: Prepared,
    shards: Vec<Shard>,
    /// Positions that the shards were made for.
    positions: usize,
}

impl BoardMemory {
    fn new(board: usize, parameters: &Parameters) -> BoardMemory {
        let images = Images::new(board);
        BoardMemory { images, prepared: Prepared::new(&images, parameters), shards: Vec::new(), positions: 0 }
    }
}

/// A thread's memory, and what it finds.
#[derive(Debug)]
enum Shard {
    Board(Box<BoardShard>),
    Pooling(Box<PoolingShard>),
}

impl Shard {
    fn new(thread: usize, positions: Range<usize>, images: &Images, parameters: &Parameters) -> Shard {
        if parameters.shape().pools() {
            Shard::Pooling(Box::new(PoolingShard::new(thread, positions, images, parameters)))
        } else {
            Shard::Board(Box::new(BoardShard::new(thread, positions, images, parameters)))
        }
    }

    fn run(&mut self, step: &TrainingStep) {
        match self {
            Shard::Board(shard) => shard.run(step),
            Shard::Pooling(shard) => shard.run(step),
        }
    }

    fn found(&mut self) -> (&mut Parameters, &mut Losses) {
        match self {
            Shard::Board(shard) => (&mut shard.derivatives, &mut shard.losses),
            Shard::Pooling(shard) => (&mut shard.derivatives, &mut shard.losses),
        }
    }
}

/// Keys of the trainer's own notes in a file.
const STEP: &str = "step";
const AVERAGE: &str = "average";

/// The share of the mean in files of versions that did not write it.
const OLD_SHARE: f32 = 0.5;

/// Takes a number out of the notes.
fn take<T: FromStr>(notes: &mut Notes, key: &str) -> Result<Option<T>, Problem> {
    let Some(text) = notes.remove(key) else { return Ok(None) };
    let wrong = |_| Problem::Metadata(format!("{key} is {text:?}, but must be a number"));
    text.parse().map(Some).map_err(wrong)
}

impl Trainer {
    /// A trainer at step 0, on one thread.
    pub fn new(parameters: Parameters, sgd: Sgd) -> Trainer {
        let velocity = Parameters::zeroed(*parameters.shape());
        let mut trainer = Trainer::resume(parameters, velocity, sgd, 0);
        trainer.velocity.learned.fill(0.0);
        trainer
    }

    /// A trainer on one thread that continues after `step` steps with this velocity; the statistics
    /// in `velocity` do not matter.
    ///
    /// # Panics
    /// If the velocity is that of another network.
    pub fn resume(parameters: Parameters, velocity: Parameters, sgd: Sgd, step: u64) -> Trainer {
        assert_eq!(parameters.shape(), velocity.shape(), "the velocity is for another network");
        Trainer {
            velocity,
            parameters,
            average: None,
            sgd,
            step,
            value_weight: 1.0,
            threads: 1,
            instructions: Instructions::best(),
            boards: Vec::new(),
        }
    }

    /// The same on `threads` threads (1 or more); each takes its share of every batch.
    pub fn with_threads(mut self, threads: usize) -> Trainer {
        self.threads = threads.max(1);
        self.boards.clear();
        self
    }

    /// The same trainer with these instructions. Default: the fastest.
    pub fn with_instructions(mut self, instructions: Instructions) -> Trainer {
        self.instructions = instructions;
        self
    }

    /// The same trainer, whose loss is the policy's plus this factor times the value's. The factor
    /// is at least 0. Default: 1. For a pooling network, [its other losses](Losses::weights) are
    /// added. A factor below 1 is for few games: the positions of a game share one result, so the
    /// value soon learns the games by heart (Silver et al. 2017 take 0.01 for records).
    pub fn with_value_weight(mut self, weight: f32) -> Trainer {
        self.value_weight = weight;
        self
    }

    /// The same trainer, whose [`Trainer::network`] is a mean of the parameters over the steps:
    /// with mean m, parameters w after step t, counted from 1, and a = min(`share`, t / (t + 9)), m
    /// becomes a m + (1 - a) w (Polyak and Juditsky 1992). `share` is in [0, 1); 0 keeps no mean.
    /// Default: 0. A mean that is not there begins with the parameters as they are.
    pub fn with_average(mut self, share: f32) -> Trainer {
        self.average = (share > 0.0).then(|| {
            let mean = self.average.map_or_else(|| self.parameters.clone(), |(mean, _)| mean);
            (mean, share)
        });
        self
    }

    /// The same trainer, with this mean of the parameters so far, see [`Trainer::with_average`].
    ///
    /// # Panics
    /// If it is the mean of another network.
    pub fn with_mean(mut self, mean: Parameters, share: f32) -> Trainer {
        assert_eq!(mean.shape(), self.parameters.shape(), "the mean is for another network");
        self.average = (share > 0.0).then_some((mean, share));
        self
    }

    /// The mean of the parameters and its share, if it is kept.
    pub fn mean(&self) -> Option<(&Parameters, f32)> {
        self.average.as_ref().map(|(mean, share)| (mean, *share))
    }

    /// The network that was trained: the mean of the parameters, if one is kept, or else the
    /// parameters.
    pub fn network(&self) -> &Parameters {
        self.average.as_ref().map_or(&self.parameters, |(mean, _)| mean)
    }

    /// The factor of the value's loss.
    pub fn value_weight(&self) -> f32 {
        self.value_weight
    }

    /// The parameters after the last step.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The velocity of every learned parameter, see [`Sgd`]. Its statistics have no meaning.
    pub fn velocity(&self) -> &Parameters {
        &self.velocity
    }

    /// Whether parameters and velocity are all finite. After a training has diverged, they are not.
    pub fn is_finite(&self) -> bool {
        self.parameters.is_finite() && self.velocity.learned.iter().all(|x| x.is_finite())
    }

    /// The number of steps taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The settings of the steps.
    pub fn sgd(&self) -> &Sgd {
        &self.sgd
    }

    /// Takes a step and returns the losses before it, with the batch's own statistics in batch
    /// norm. The batches of a pooling network may be of boards of any size, each batch of one.
    ///
    /// # Panics
    /// As [`Trainer::gradient`].
    pub fn step(&mut self, batch: &Batch) -> Losses {
        let (losses, board) = self.compute(batch);
        let (derivatives, _) = self.boards[board].shards[0].found();
        let velocity = &mut self.velocity.learned;
        self.sgd.apply(self.step, &mut self.parameters, velocity, derivatives, self.instructions);
        self.step += 1;
        if let Some((mean, share)) = &mut self.average {
            let keep = share.min(self.step as f32 / (self.step + 9) as f32);
            mean.approach(&self.parameters, 1.0 - keep);
        }
        losses
    }

    /// The losses of a batch, and the derivatives of the total loss. The trainer does not change.
    ///
    /// # Panics
    /// If the batch is empty or for another network, or a thread cannot be started.
    pub fn gradient(&mut self, batch: &Batch) -> Gradient<f32> {
        let (losses, board) = self.compute(batch);
        Gradient { losses, derivatives: self.boards[board].shards[0].found().0.clone() }
    }

    /// The losses. Leaves the derivatives in the first shard of the board with the index.
    fn compute(&mut self, batch: &Batch) -> (Losses, usize) {
        assert!(batch.is_for(self.parameters.shape()), "the batch is for another network");
        assert!(!batch.is_empty(), "the batch is empty");
        let rows = batch.shape().board;
        let known = self.boards.iter().position(|memory| memory.images.board == rows);
        let board = known.unwrap_or_else(|| {
            self.boards.push(BoardMemory::new(rows, &self.parameters));
            self.boards.len() - 1
        });
        let BoardMemory { images, prepared, shards, positions } = &mut self.boards[board];
        let threads = self.threads.min(batch.len());
        if *positions != batch.len() {
            *positions = batch.len();
            let share = |thread: usize| thread * batch.len() / threads;
            *shards = (0..threads)
                .map(|i| Shard::new(i, share(i)..share(i + 1), images, &self.parameters))
                .collect();
        }
        prepared.update(*images, self.instructions, &self.parameters, threads);
        // Each norm forward and back.
        let rounds = 2 * self.parameters.layout.norms();
        let step = TrainingStep {
            images: *images,
            instructions: self.instructions,
            parameters: &self.parameters,
            prepared,
            batch,
            value_weight: self.value_weight,
            all_gather: &AllGather::new(threads, rounds),
        };
        let (first, others) = shards.split_first_mut().expect("there is a thread");
        // Threads wait for each other in a step: it begins when all are there, or not at all.
        let all_started = OnceLock::new();
        std::thread::scope(|scope| {
            for shard in &mut *others {
                let (step, all_started) = (&step, &all_started);
                let work = move || {
                    if *all_started.wait() {
                        shard.run(step);
                    }
                };
                if let Err(error) = Builder::new().spawn_scoped(scope, work) {
                    let _ = all_started.set(false);
                    panic!("a thread of the trainer cannot be started: {error}");
                }
            }
            let _ = all_started.set(true);
            first.run(&step);
        });
        let (derivatives, losses) = first.found();
        for shard in others {
            let (more, theirs) = shard.found();
            derivatives.learned.iter_mut().zip(&more.learned).for_each(|(to, x)| *to += x);
            *losses += *theirs;
        }
        (*losses, board)
    }

    /// Writes everything that the next step depends on to one file, except [`Sgd`], the value's
    /// weight and the number of threads. `notes` are the caller's, such as the state of a run; the
    /// keys `step` and `average` are the trainer's. The file appears whole or not at all, and is a
    /// file of [`Trainer::network`], too.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, notes: &Notes) -> Result<(), FileError> {
        let mut file = self.network().to_safetensors(notes);
        if let Some((_, share)) = &self.average {
            file.metadata.insert(AVERAGE.into(), share.to_string());
            for tensor in &self.parameters.layout.tensors {
                file.insert(format!("{RAW}{}", tensor.name), &tensor.dims, self.parameters.of(tensor));
            }
        }
        file.metadata.insert(STEP.into(), self.step.to_string());
        for tensor in self.velocity.layout.tensors.iter().filter(|tensor| !tensor.is_statistic) {
            file.insert(format!("{MOMENTUM}{}", tensor.name), &tensor.dims, self.velocity.of(tensor));
        }
        write_atomic(path, file)
    }

    /// Reads the file that [`Trainer::save`] wrote, with its notes, to go on by these rules and, if
    /// there was a mean of the parameters, [with it](Trainer::with_average) and its share: 0.5 if
    /// the file does not say it.
    ///
    /// # Errors
    /// As [`Parameters::load`], and if the file is not a trainer's.
    pub fn load(path: &Path, sgd: Sgd) -> Result<(Trainer, Notes), FileError> {
        let read = || -> Result<(Trainer, Notes), Problem> {
            let bytes = read_file(path).map_err(Problem::Io)?;
            let file = Safetensors::from_bytes(&bytes).map_err(Problem::Format)?;
            let parameters = Parameters::from_safetensors(&file)?;
            // The velocity, the mean, and the kernels and derivatives of its first step.
            ask_for_memory(9 * parameters.count() * size_of::<f32>())?;
            let mut trainer = Trainer::new(parameters, sgd);
            let mut notes = notes_of(&file);
            let share = take::<f32>(&mut notes, AVERAGE)?.unwrap_or(OLD_SHARE);
            if file.tensors.keys().any(|name| name.starts_with(RAW)) {
                if !(0.0..1.0).contains(&share) {
                    let text = format!("{AVERAGE} is {share}, but must be at least 0 and below 1");
                    return Err(Problem::Metadata(text));
                }
                trainer = trainer.with_average(share);
                trainer.parameters.fill(&file, RAW, true)?;
            }
            trainer.velocity.fill(&file, MOMENTUM, false)?;
            let step = take(&mut notes, STEP)?;
            trainer.step = step.ok_or_else(|| Problem::Metadata(format!("{STEP} is missing")))?;
            Ok((trainer, notes))
        };
        read().map_err(|problem| FileError { path: path.to_owned(), problem })
    }
}
