//! The files of the checkpoints.

use super::Training;
use crate::LabError;
use crate::store::TrialCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tesuji_net::{Evaluator, Network, Notes, Parameters, Sgd, Trainer};

/// Checkpoints by number, each a network file that also holds what the trainer needs to go on; and the latest network alone.
#[derive(Clone, Debug)]
pub(super) struct Networks {
    dir: PathBuf,
    /// Tells the run's files from others.
    run: String,
}

/// Keys of the notes in a file.
const RUN: &str = "run";
const CHECKPOINT: &str = "checkpoint";
const GAMES: &str = "games";

impl Networks {
    pub(super) fn new(dir: &Path, cell: &TrialCell) -> Networks {
        Networks { dir: dir.join("networks"), run: cell.hash() }
    }

    fn latest(&self) -> PathBuf {
        self.dir.join("latest.safetensors")
    }

    fn others(&self) -> LabError {
        LabError::Input(format!(
            "{} has the checkpoints of a training with other settings; move it away, or choose another directory with --out",
            self.dir.display()
        ))
    }

    pub(super) fn path(&self, checkpoint: u64) -> PathBuf {
        self.dir.join(format!("{checkpoint:05}.safetensors"))
    }

    /// Makes checkpoint 0 of a run that has done nothing, if it is not there.
    ///
    /// # Errors
    /// If there are checkpoints of another run, which would be lost one by one, or checkpoint 0 cannot be read or was made from
    /// another network file.
    pub(super) fn begin(&self, plan: &Training, done: u64) -> Result<(), LabError> {
        let (path, sgd) = (self.path(0), plan.learning.sgd());
        if path.exists() {
            let (trainer, notes) = Trainer::load(&path, sgd).map_err(LabError::failed)?;
            if notes.get(RUN) != Some(&self.run) {
                return Err(self.others());
            }
            // The file itself is no longer needed.
            let file = plan.network.file.as_ref().filter(|file| file.exists());
            if file.is_some() && first_weights(plan)? != *trainer.parameters() {
                return Err(LabError::Input(format!(
                    "network.file has other weights than {}, with which this training began",
                    path.display()
                )));
            }
            return Ok(());
        }
        if done > 0 {
            return Ok(());
        }
        let latest = self.latest();
        if latest.exists()
            && !Parameters::load(&latest).is_ok_and(|(_, notes)| notes.get(RUN) == Some(&self.run))
        {
            return Err(self.others());
        }
        std::fs::create_dir_all(&self.dir)
            .map_err(|e| LabError::Failed(format!("{}: {e}", self.dir.display())))?;
        self.save(0, 0, &Trainer::new(first_weights(plan)?, sgd))
    }

    /// Writes a checkpoint after so many games, and the network alone as the latest one.
    pub(super) fn save(&self, checkpoint: u64, games: u64, trainer: &Trainer) -> Result<(), LabError> {
        let mut notes = Notes::new();
        notes.insert(RUN.to_owned(), self.run.clone());
        notes.insert(CHECKPOINT.to_owned(), checkpoint.to_string());
        notes.insert(GAMES.to_owned(), games.to_string());
        trainer.save(&self.path(checkpoint), &notes).map_err(LabError::failed)?;
        trainer.parameters().save(&self.latest(), &notes).map_err(LabError::failed)
    }

    /// Reads a checkpoint of this run.
    pub(super) fn load(&self, checkpoint: u64, sgd: Sgd) -> Result<Trainer, LabError> {
        let path = self.path(checkpoint);
        let (trainer, notes) = Trainer::load(&path, sgd).map_err(|error| {
            LabError::Failed(format!("checkpoint {checkpoint} is needed to go on: {error}"))
        })?;
        if notes.get(RUN) != Some(&self.run) || notes.get(CHECKPOINT) != Some(&checkpoint.to_string()) {
            return Err(LabError::Failed(format!(
                "{} is not checkpoint {checkpoint} of this training",
                path.display()
            )));
        }
        Ok(trainer)
    }

    /// Removes the checkpoints before the latest one that need not be kept.
    pub(super) fn sweep(&self, plan: &Training, latest: u64) {
        // What stays does no harm, and the next sweep tries again.
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            if number
                .is_some_and(|number| number < latest && !plan.keeps(number) && path == self.path(number))
            {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// What checkpoint 0 knows.
pub(super) fn first_weights(plan: &Training) -> Result<Parameters, LabError> {
    let shape = plan.shape()?;
    let Some(file) = &plan.network.file else {
        return Ok(Parameters::random(shape, tesuji::Rng::derive(plan.seed, WEIGHTS)));
    };
    let (parameters, _) =
        Parameters::load(file).map_err(|error| LabError::Input(format!("network.file: {error}")))?;
    if *parameters.shape() != shape {
        return Err(LabError::Input(format!(
            "network.file: {} is a network of {}; accepted: {shape}",
            file.display(),
            parameters.shape()
        )));
    }
    if !Evaluator::new(Arc::new(Network::new(&parameters))).is_finite() {
        return Err(LabError::Input(format!(
            "network.file: {}: its numbers are too great; accepted: a network whose evaluations are finite",
            file.display()
        )));
    }
    Ok(parameters)
}

/// Keeps the random numbers of the first weights apart from all others.
const WEIGHTS: u64 = 0x0077_6569_6768_7473;
