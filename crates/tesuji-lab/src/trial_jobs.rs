//! Trials of a group as jobs.

use crate::error::LabError;
use crate::job::{FiguresJob, JOB_FORMAT, Job, JobDone, JobResult, JobWork};
use crate::store::{Origin, TrialGroup};

/// Trials as jobs, several in one.
pub(crate) trait Jobs<R> {
    /// The most trials of a job.
    fn most(&self) -> usize;

    /// The job of the trials with these numbers.
    fn job(&self, numbers: &[u64]) -> Job;

    /// The outcomes of these trials, and who did them.
    ///
    /// # Errors
    /// If the result is not one of these trials.
    fn outcome(&self, numbers: &[u64], result: JobResult) -> Result<DoneTrials<R>, String>;
}

/// Trials and who did them, or why they failed.
pub(crate) type DoneTrials<R> = Result<(Vec<R>, Origin), LabError>;

/// The trials of a group of an experiment.
pub(crate) struct TrialJobs<'a> {
    /// The text of the experiment's file.
    pub(crate) file: &'a str,
    pub(crate) name: &'a str,
    pub(crate) group: &'a TrialGroup,
    pub(crate) version: &'a str,
}

/// Numbers in parts, so that each of `width` workers has several of them.
pub(crate) fn parts(numbers: &[u64], width: usize, most: usize) -> Vec<Vec<u64>> {
    let size = (numbers.len() / (4 * width.max(1))).clamp(1, most.max(1));
    numbers.chunks(size).map(<[u64]>::to_vec).collect()
}

/// The identity of a job for some trials of the cell with this hash.
pub(crate) fn job_id(cell: &str, numbers: impl IntoIterator<Item = u64>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(cell.as_bytes());
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

impl Jobs<(u64, Vec<f64>)> for TrialJobs<'_> {
    fn most(&self) -> usize {
        64
    }

    fn job(&self, numbers: &[u64]) -> Job {
        let hash = self.group.hash();
        Job {
            format: JOB_FORMAT,
            id: job_id(&hash, numbers.iter().copied()),
            version: self.version.to_owned(),
            platform: None,
            is_reproducible: !self.group.columns.iter().any(|column| column.contains("seconds")),
            work: JobWork::Figures(FiguresJob {
                file: self.file.to_owned(),
                group: self.name.to_owned(),
                hash,
                numbers: numbers.to_vec(),
            }),
            files: Vec::new(),
        }
    }

    fn outcome(&self, numbers: &[u64], result: JobResult) -> Result<DoneTrials<(u64, Vec<f64>)>, String> {
        let made = match result.done {
            JobDone::Figures(made) => made,
            JobDone::Failed(why) => return Ok(Err(LabError::Failed(format!("{}: {why}", self.name)))),
            _ => return Err("the result is not a list of figures".to_owned()),
        };
        if !made.iter().map(|trial| &trial.0).eq(numbers) {
            return Err("the result is of other trials".to_owned());
        }
        let columns = self.group.columns.len();
        if made.iter().any(|(_, figures)| figures.len() != columns) {
            return Err(format!("a trial does not have {columns} figures"));
        }
        let figures =
            |(number, bits): (u64, Vec<u64>)| (number, bits.into_iter().map(f64::from_bits).collect());
        Ok(Ok((made.into_iter().map(figures).collect(), result.origin)))
    }
}
