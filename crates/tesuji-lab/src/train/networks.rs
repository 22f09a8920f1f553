//! The files of the checkpoints.

use super::Training;
use crate::error::{LabError, faults};
use crate::store::TrialGroup;
use std::path::{Path, PathBuf};
use tesuji_net::{Notes, Parameters, ReadyNetwork, Sgd, Trainer};

/// Checkpoints by number, each a network file that also holds what the trainer needs to go on; and
/// the latest network alone.
#[derive(Clone, Debug)]
pub(super) struct Networks {
    dir: PathBuf,
    /// Tells the run's files from others.
    run: String,
    /// The komi of all games, where they have one and it is the same.
    komi: Option<String>,
}

/// Keys of the notes in a file.
const RUN: &str = "run";
const CHECKPOINT: &str = "checkpoint";
const GAMES: &str = "games";
const KOMI: &str = "komi";

impl Networks {
    /// # Errors
    /// If the game of the plan has no name.
    pub(super) fn new(dir: &Path, cell: &TrialGroup, plan: &Training) -> Result<Networks, LabError> {
        Ok(Networks { dir: dir.join("networks"), run: cell.hash(), komi: plan.only_komi()? })
    }

    fn latest(&self) -> PathBuf {
        self.dir.join("latest.safetensors")
    }

    fn others(&self) -> LabError {
        CheckpointError::OtherTraining { dir: self.dir.display().to_string() }.into()
    }

    pub(super) fn path(&self, checkpoint: u64) -> PathBuf {
        self.dir.join(format!("{checkpoint:05}.safetensors"))
    }

    /// Makes checkpoint 0 of a run that has done nothing, if it is not there or damaged.
    ///
    /// # Errors
    /// If there are checkpoints of another run, which would be lost one by one, or checkpoint 0
    /// cannot be read though something was learned from it, or was made from another network file.
    pub(super) fn begin(&self, plan: &Training, done: u64) -> Result<(), LabError> {
        let (path, sgd) = (self.path(0), plan.learning.sgd());
        match Trainer::load(&path, sgd.clone()) {
            Ok((_, notes)) if notes.get(RUN) != Some(&self.run) => return Err(self.others()),
            Ok((trainer, _)) => {
                // The file itself is no longer needed.
                let file = plan.network.file.as_ref().filter(|file| file.exists());
                if file.is_some() && plan.first_weights()? != *trainer.parameters() {
                    return Err(CheckpointError::OtherWeights { first: path.display().to_string() }.into());
                }
                return Ok(());
            }
            Err(error) if path.exists() && (done > 0 || self.numbers().any(|number| number > 0)) => {
                return Err(LabError::failed(error));
            }
            Err(_) if done > 0 => return Ok(()),
            Err(_) => {}
        }
        if Parameters::load(&self.latest()).is_ok_and(|(_, notes)| notes.get(RUN) != Some(&self.run)) {
            return Err(self.others());
        }
        std::fs::create_dir_all(&self.dir)
            .map_err(|e| LabError::Failed(format!("{}: {e}", self.dir.display())))?;
        self.save(0, 0, &Trainer::new(plan.first_weights()?, sgd))
    }

    /// Writes a checkpoint after `games` games, and the network alone as the latest one.
    pub(super) fn save(&self, checkpoint: u64, games: u64, trainer: &Trainer) -> Result<(), LabError> {
        let mut notes = Notes::new();
        notes.insert(RUN.to_owned(), self.run.clone());
        notes.insert(CHECKPOINT.to_owned(), checkpoint.to_string());
        notes.insert(GAMES.to_owned(), games.to_string());
        notes.extend(self.komi.clone().map(|komi| (KOMI.to_owned(), komi)));
        trainer.save(&self.path(checkpoint), &notes).map_err(LabError::failed)?;
        trainer.network().save(&self.latest(), &notes).map_err(LabError::failed)
    }

    /// Reads a checkpoint of this run.
    pub(super) fn load(&self, checkpoint: u64, sgd: Sgd) -> Result<Trainer, LabError> {
        let (trainer, _) = self.read(checkpoint, sgd)?.map_err(|why| {
            LabError::Failed(format!("checkpoint {checkpoint} is needed to continue: {why}"))
        })?;
        Ok(trainer)
    }

    /// A checkpoint with its notes; else why it cannot be read.
    ///
    /// # Errors
    /// If it is one of another run.
    fn read(&self, checkpoint: u64, sgd: Sgd) -> Result<Result<(Trainer, Notes), String>, LabError> {
        let path = self.path(checkpoint);
        let (trainer, notes) = match Trainer::load(&path, sgd) {
            Ok(read) => read,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if notes.get(RUN) != Some(&self.run) {
            return Err(self.others());
        }
        if notes.get(CHECKPOINT) != Some(&checkpoint.to_string()) {
            return Ok(Err(format!("{} is not checkpoint {checkpoint} of this training", path.display())));
        }
        Ok(Ok((trainer, notes)))
    }

    /// The newest checkpoint up to `latest` that can be read, and why `latest` cannot if it is
    /// another. The latest network alone is made anew if it is damaged, gone or older.
    ///
    /// # Errors
    /// If there is none, or one is of another run.
    pub(super) fn newest(&self, latest: u64, sgd: Sgd) -> Result<(u64, Option<String>), LabError> {
        let mut lost = None;
        for checkpoint in (0..=latest).rev() {
            match self.read(checkpoint, sgd.clone())? {
                Ok((trainer, notes)) => {
                    if lost.is_none() {
                        self.renew_latest(checkpoint, &trainer, &notes)?;
                    }
                    return Ok((checkpoint, lost));
                }
                Err(why) => {
                    lost.get_or_insert(why);
                }
            }
        }
        Err(LabError::Failed(format!(
            "checkpoint {latest} is needed to continue: {}; there is no earlier one either, accepted: a copy of one of them",
            lost.unwrap_or_default()
        )))
    }

    /// A run that was killed may have a network that is newer than its record.
    fn renew_latest(&self, checkpoint: u64, trainer: &Trainer, notes: &Notes) -> Result<(), LabError> {
        let is_new = |notes: &Notes| {
            let number = notes.get(CHECKPOINT).and_then(|number| number.parse::<u64>().ok());
            notes.get(RUN) == Some(&self.run) && number.is_some_and(|number| number >= checkpoint)
        };
        if Parameters::load(&self.latest()).is_ok_and(|(_, notes)| is_new(&notes)) {
            return Ok(());
        }
        trainer.network().save(&self.latest(), notes).map_err(LabError::failed)
    }

    /// What is wrong with the files that are there, up to this checkpoint.
    pub(super) fn faults(&self, latest: u64, sgd: Sgd) -> Vec<String> {
        let mut numbers: Vec<u64> = self.numbers().filter(|&number| number <= latest).collect();
        numbers.sort_unstable();
        let fault = |number: u64| match self.read(number, sgd.clone()) {
            Ok(Ok(_)) => None,
            Ok(Err(why)) => Some(why),
            Err(_) => Some(format!(
                "{} is a checkpoint of a training with other settings",
                self.path(number).display()
            )),
        };
        let mut faults: Vec<String> = numbers.into_iter().filter_map(fault).collect();
        if self.latest().exists() {
            faults.extend(Parameters::load(&self.latest()).err().map(|error| error.to_string()));
        }
        faults
    }

    /// The numbers of the checkpoints whose files are there.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let number = |path: PathBuf| {
            let number = path.file_stem()?.to_str()?.parse().ok()?;
            (path == self.path(number)).then_some(number)
        };
        entries.filter_map(move |entry| number(entry.path()))
    }

    /// Removes the checkpoints that need not be kept. The one before the latest stays, should that
    /// be damaged.
    pub(super) fn sweep(&self, plan: &Training, latest: u64) {
        for number in self.numbers().filter(|&number| number + 1 < latest && !plan.keeps(number)) {
            // What stays does no harm, and the next sweep tries again.
            let _ = std::fs::remove_file(self.path(number));
        }
    }
}

impl Training {
    /// The komi of all games, where they have one and it is the same. Network files note it.
    ///
    /// # Errors
    /// If the game has no name.
    pub fn only_komi(&self) -> Result<Option<String>, LabError> {
        let (_, komi) = self.named_game()?;
        Ok(komi.filter(|_| self.self_play.komi.is_none() && self.sgf.is_none()))
    }

    /// The weights of checkpoint 0: random ones, or those of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds another network.
    pub fn first_weights(&self) -> Result<Parameters, LabError> {
        let shape = self.shape()?;
        let Some(file) = &self.network.file else {
            return Ok(self.trainable()?.new_network(shape, tesuji::Rng::derive(self.seed, WEIGHTS)));
        };
        let (parameters, _) =
            Parameters::load(file).map_err(|error| LabError::input(error).within("network.file"))?;
        let parameters = if shape.pools() && parameters.shape().pools() {
            parameters.on_board(shape.board)
        } else {
            parameters
        };
        if *parameters.shape() != shape {
            let (file, there) = (file.display().to_string(), parameters.shape().to_string());
            return Err(CheckpointError::Shape { file, there, accepted: shape.to_string() }.into());
        }
        if !ReadyNetwork::new(&parameters).is_finite() {
            return Err(CheckpointError::NotFinite { file: file.display().to_string() }.into());
        }
        Ok(parameters)
    }
}

/// Keeps the random numbers of the first weights apart from all others.
const WEIGHTS: u64 = 0x0077_6569_6768_7473;

faults! {
    /// Why a training does not begin, or cannot be resumed from its record.
    CheckpointError {
        OtherTraining { dir: String } =>
            "{dir} has the checkpoints of a training with other settings; move it away, or choose another directory with --out",
        OtherWeights { first: String } => "network.file has other weights than {first}, with which this training began",
        Shape { file: String, there: String, accepted: String } => "network.file: {file} is a network of {there}; accepted: {accepted}",
        NotFinite { file: String } =>
            "network.file: {file}: its numbers are too large; accepted: a network whose evaluations are finite",
        Sgf { fault: String } => "sgf.directory {fault}",
        Teacher { fault: String } => "teacher.file: {fault}",
        OtherTeacher { here: String, noted: String } =>
            "teacher.file: its content has the hash {here}, the games of the record were labelled by {noted}; accepted: that network, \
             or another directory with --out",
        OtherFiles { done: u64, there: String, here: String } =>
            "the files are not those that {done} iterations learned from: {there} there, {here} here; put them back, or choose \
             another directory with --out",
        Earlier { dir: String, fault: String } => "earlier: {dir}: {fault}; accepted: the directory of the record of a training of the same game",
        OtherGames { done: u64 } =>
            "earlier: its games are not those with which this training began, {done} iterations ago; accepted: the same games, \
             or another directory with --out",
        OtherRate { step: u64, there: f32, here: f32 } =>
            "learning.rate at step {step} was {there}, here it is {here}; accepted: other rates for later steps only",
    }
}
