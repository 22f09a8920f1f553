//! The course of a training.

use crate::{Batches, Draw, GraphNetwork, Play, SharedDevice, Trainer};
use burn::tensor::backend::{AutodiffBackend, Backend};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tesuji::NetworkOptions;
use tesuji_lab::Training;
use tesuji_net::graph::{BoardGraph, Graph};
use tesuji_net::{Batch, Notes, Parameters, ReadyNetwork, is_katago, read_file};
use tesuji_train::{LearnError, Measures, SgfFiles, TrainableGame, TrainingGame, Window};

/// Positions that are held out and looked at after an iteration, at most.
const HELD: usize = 4096;

/// Notes in the network file: games played so far, and the positions of those that are trained on.
const GAMES: &str = "games";
const POSITIONS: &str = "positions";

/// How a training uses the machine.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Threads that play and make batches.
    pub threads: usize,
    /// Positions that the device evaluates at once, at most.
    pub at_once: usize,
    /// No iteration begins after this.
    pub until: Option<Instant>,
}

/// Trains by a plan, from a network file to the same file; `say` takes a line for each iteration.
/// `T` trains the network, `E` evaluates positions, each on its device.
///
/// # Errors
/// If something of the plan is not possible, a file cannot be read or written, or the training
/// diverges.
pub fn train<T: AutodiffBackend, E: Backend>(
    plan: &Training,
    file: &Path,
    resources: Resources,
    (trains, evaluates): (&T::Device, &E::Device),
    say: &mut dyn FnMut(&str),
) -> Result<(), Box<dyn Error>> {
    let (game, shape, learning) = (plan.trainable()?, plan.shape()?, &plan.learning);
    let (start, mut notes) = if file.exists() {
        tesuji_net::Trainer::load(file, learning.sgd())?
    } else {
        (tesuji_net::Trainer::new(plan.first_weights()?, learning.sgd()), Notes::new())
    };
    if *start.parameters().shape() != shape {
        let found = start.parameters().shape();
        return Err(format!("{} holds {found}; accepted: {shape}", file.display()).into());
    }
    let start = start.with_value_weight(learning.value_weight).with_average(learning.average as f32);
    let mut trainer = Trainer::<T>::new(&start, trains);
    let noted = |key: &str| notes.get(key).and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
    let (mut games, mut positions) = (noted(GAMES), noted(POSITIONS));
    // It is no longer a checkpoint of `tesuji train`, and its games have the komi of this plan.
    for key in ["run", "checkpoint", "komi"] {
        notes.remove(key);
    }
    notes.extend(plan.only_komi()?.map(|komi| ("komi".to_owned(), komi)));
    notes.insert("made by".to_owned(), concat!("tesuji-gpu ", env!("CARGO_PKG_VERSION")).to_owned());

    let boards = game.boards();
    let evaluators = Evaluators::<E> { boards: &boards, at_once: resources.at_once, device: evaluates };
    let teacher = match &plan.teacher {
        Some(teacher) => {
            let networks = evaluators.of_file(&teacher.file)?;
            let options = NetworkOptions { symmetry: teacher.symmetry, ..NetworkOptions::default() };
            Some(game.teacher_of(&networks, &options, teacher.every)?)
        }
        None => None,
    };
    let mut source = Source::open(plan, say)?;
    say(&format!("{}, {} steps and {games} games so far", start.parameters(), start.steps()));

    loop {
        let iteration = match &plan.sgf {
            Some(sgf) => trainer.steps() / sgf.steps,
            None => games / plan.games,
        };
        if iteration >= plan.iterations || resources.until.is_some_and(|until| Instant::now() >= until) {
            return Ok(());
        }
        let mut line = format!("iteration {iteration}: ");
        let begun = Instant::now();
        let last = match &plan.sgf {
            Some(sgf) => (iteration + 1) * sgf.steps,
            None => {
                let networks = evaluators.of(&trainer.to_cpu())?;
                let numbers = games..(iteration + 1) * plan.games;
                let seed = plan.seed_of_games();
                let (settings, teacher) = (&plan.self_play, teacher.as_deref());
                let (game, threads) = (&*game, resources.threads);
                let play = Play { game, networks: &networks, teacher, settings, seed, threads };
                let new = play.games(numbers.clone())?;
                let seconds = begun.elapsed().as_secs_f64();
                let before = positions;
                positions += source.take(plan, numbers.start, new, positions);
                games = numbers.end;
                line += &format!(
                    "{} games, {} positions, {:.0} positions/s; ",
                    games - numbers.start,
                    positions - before,
                    (positions - before) as f64 / seconds
                );
                // A checkpoint of `tesuji train` has taken steps for positions that are not counted
                // here.
                trainer.steps() + learning.steps(positions) - learning.steps(before)
            }
        };
        line += &learn(&mut trainer, plan, &*game, &source, last, resources.threads)?;
        notes.insert(GAMES.to_owned(), games.to_string());
        notes.insert(POSITIONS.to_owned(), positions.to_string());
        trainer.to_cpu().save(file, &notes)?;
        say(&line);
    }
}

/// Takes steps up to number `last`, and says what they came to.
fn learn<T: AutodiffBackend>(
    trainer: &mut Trainer<T>,
    plan: &Training,
    game: &dyn TrainableGame,
    source: &Source,
    last: u64,
    threads: usize,
) -> Result<String, Box<dyn Error>> {
    let (first, begun, goal) = (trainer.steps(), Instant::now(), plan.goal());
    let (shape, count) = (*trainer.network().shape(), plan.learning.batch);
    let mut line = String::new();
    if last > first {
        let seed = plan.seed_of_batches();
        let draw = Draw { game, window: &source.window, goal, shape, count, seed };
        let losses = std::thread::scope(|scope| {
            let batches = Batches::make(scope, draw, first, threads).take((last - first) as usize);
            batches.map(|batch| Ok(trainer.step(&batch?))).collect::<Result<_, Box<dyn Error>>>()
        })?;
        let losses = Trainer::<T>::losses(losses);
        let speed = (count as u64 * (last - first)) as f64 / begun.elapsed().as_secs_f64();
        if !trainer.to_cpu().is_finite() {
            return Err(LearnError::Diverged(last).into());
        }
        line += &format!(
            "step {last}: policy {:.3} value {:.3}, trained on {speed:.0} positions/s",
            losses.policy, losses.value
        );
    }
    if !source.held.is_empty() {
        let network = trainer.network();
        let evaluate = |batch: &Batch| network.evaluate(batch);
        let held = Measures::by(game, shape, &goal, source.held.iter().rev(), HELD, evaluate)?;
        let Measures { policy, value, top1, target_entropy, .. } = held;
        line += &format!(
            "; held out: policy {policy:.3} above {target_entropy:.3} value {value:.3} top-1 {top1:.3}"
        );
    }
    Ok(line)
}

/// Where positions come from.
struct Source {
    window: Window,
    held: Vec<TrainingGame>,
}

impl Source {
    /// The games of the plan's files, or of an earlier training.
    fn open(plan: &Training, say: &mut dyn FnMut(&str)) -> Result<Source, Box<dyn Error>> {
        let Some(sgf) = &plan.sgf else {
            let mut window = Window::of(&plan.learning);
            plan.earlier_games()?.iter().for_each(|game| window.push(game));
            return Ok(Source { window, held: Vec::new() });
        };
        let files = SgfFiles::read(&sgf.directory, plan.go_size()?, plan.learning.held_out)?;
        say(&files.census.to_string());
        files.census.examples.values().for_each(|example| say(&format!("left out: {example}")));
        Ok(Source { window: files.window, held: files.held_out })
    }

    /// Takes games, of which the first has this number. Returns the positions that are trained on.
    fn take(&mut self, plan: &Training, first: u64, games: Vec<TrainingGame>, before: u64) -> u64 {
        let mut positions = 0;
        for (number, game) in (first..).zip(games) {
            if plan.learning.is_held_out(number) {
                self.held.push(game);
            } else {
                positions += game.positions() as u64;
                self.window.resize(plan.learning.window(before + positions));
                self.window.push(&game);
            }
        }
        let old = self.held.len().saturating_sub(HELD);
        self.held.drain(..old);
        positions
    }
}

/// Makes networks ready on a device.
struct Evaluators<'a, E: Backend> {
    boards: &'a [usize],
    at_once: usize,
    device: &'a E::Device,
}

impl<E: Backend> Evaluators<'_, E> {
    /// The network that a trainer has; one for one board stays on the processor.
    fn of(&self, trainer: &tesuji_net::Trainer) -> Result<Vec<ReadyNetwork>, Box<dyn Error>> {
        match Graph::of(trainer.network()) {
            Some(graph) => self.of_graph(&graph),
            None => Ok(vec![ReadyNetwork::new(trainer.network())]),
        }
    }

    /// The network of a file of this project or of KataGo's.
    fn of_file(&self, file: &Path) -> Result<Vec<ReadyNetwork>, Box<dyn Error>> {
        let name = file.display().to_string();
        let content = read_file(file).map_err(|error| format!("{name}: {error}"))?;
        if is_katago(&name, &content) {
            return self.of_graph(&Graph::from_katago(&content).map_err(|error| format!("{name}: {error}"))?);
        }
        let (parameters, _) = Parameters::load(file)?;
        match Graph::of(&parameters) {
            Some(graph) => self.of_graph(&graph),
            None => Ok(vec![ReadyNetwork::new(&parameters)]),
        }
    }

    /// One for each board.
    fn of_graph(&self, graph: &Graph) -> Result<Vec<ReadyNetwork>, Box<dyn Error>> {
        let on = |&board: &usize| {
            let network = GraphNetwork::<E>::new(graph, board, self.device)?;
            let device = Arc::new(SharedDevice::new(network, self.at_once));
            Ok(ReadyNetwork::Graph(Arc::new(BoardGraph::new(graph, board)?.on(device))))
        };
        self.boards.iter().map(on).collect()
    }
}
