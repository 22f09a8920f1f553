//! `tesuji run`.

use super::match_::komi_notes;
use super::{cores, print_json, results, stop_on_interrupt};
use crate::cluster::ClusterArgs;
use crate::progress::{Progress, ProgressForm, tell};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tesuji_lab::{Experiment, ExperimentOptions, GameSpec, LabError, counted, run_experiment};

/// Run an experiment file of any kind, such as matches, round robins, sweeps or decisions.
///
/// The program stores every finished game or decision in OUT/EXPERIMENT. Run the same command again
/// to resume, whether the previous run was stopped or killed. If settings with results have changed
/// in the file, the program refuses to resume unless you give --allow-changes. It rewrites the
/// table of results as the experiment goes on, but never replaces a table that counts more games.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji run experiments/examples/round-robin.toml\n  tesuji run experiments/examples/sweep.toml --limit 10\n\nMore: docs/experiments.md"
)]
pub(crate) struct Args {
    /// The experiment file.
    file: PathBuf,
    /// Run at most N games of each match (N pairs or trees where those are counted). A tuning or
    /// race plays at most N games of each validation match, a training makes at most N iterations.
    /// Run the command again to continue. With 0, check everything, and write the table from the
    /// stored results.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Run only the matches or agents whose names begin with NAME; may be repeated. Not accepted
    /// for tunings, races and trainings.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    recording: Recording,
}

/// How an experiment runs, and where its results go.
#[derive(clap::Args, Debug)]
pub(super) struct Recording {
    /// Play N games, or make N decisions, at a time. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Resume a record made with other settings. Games that did not change still count, and the
    /// record logs the change.
    #[arg(long, alias = "changed")]
    pub(super) allow_changes: bool,
    /// Store the record in a directory below this one.
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(super) out: PathBuf,
    /// Write the tables of results below this directory.
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    progress: ProgressForm,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run(&Experiment::read(&args.file)?, args.limit, args.only)
}

/// A file is none of the kind that a command takes.
pub(super) fn other_kind(file: &Path, experiment: &Experiment, accepted: &str) -> LabError {
    let (file, kind) = (file.display(), experiment.plan().kind());
    LabError::input(format!("{file} is of kind {kind:?}; accepted: {accepted:?}"))
}

impl Recording {
    /// [`Recording::run`] for a file of one kind.
    pub(super) fn run_kind(self, file: &Path, kind: &str, limit: Option<u64>) -> Result<(), LabError> {
        let experiment = Experiment::read(file)?;
        if experiment.plan().kind() != kind {
            return Err(other_kind(file, &experiment, kind));
        }
        self.run(&experiment, limit, Vec::new())
    }

    /// Runs an experiment and prints its results: at most `limit` of each match, only those that
    /// are named.
    pub(super) fn run(
        self,
        experiment: &Experiment,
        limit: Option<u64>,
        only: Vec<String>,
    ) -> Result<(), LabError> {
        warn_of_commands(experiment)?;
        warn_of_komi(experiment)?;
        let stop = stop_on_interrupt()?;
        // A check plays nothing.
        let cluster = match limit {
            Some(0) => None,
            _ => self.cluster.connect(&stop, Some(&self.out.join(&experiment.name)))?,
        };
        let options = ExperimentOptions {
            cluster,
            out: self.out,
            results: self.results,
            games: limit,
            only,
            changed: self.allow_changes,
            threads: self.threads.map_or(cores(), usize::from),
            version: crate::VERSION.to_owned(),
        };
        let mut progress = Progress::new(self.progress).titled();
        let report = run_experiment(experiment, &options, &stop, &mut |event| progress.show(event))?;
        for change in &report.changes {
            tell(format_args!("changed: {change}"));
        }
        if report.kept {
            tell(format_args!(
                "{} says more than this record and stays; remove it, or choose another directory with --results",
                report.table.display()
            ));
        }
        if self.json {
            let mut object = json!({
                "name": experiment.name,
                "about": experiment.about,
                "table": report.table.display().to_string(),
                "kept": report.kept,
                "interrupted": report.interrupted,
                "changes": report.changes,
            });
            if let Some(object) = object.as_object_mut() {
                object.extend(report.results.object());
            }
            print_json(&object)?;
        } else {
            results::lines(&report.results, &report.results.match_lines())?;
        }
        let rest = format!(
            "the finished {} are below {}; the same command again makes the rest",
            report.results.unit,
            options.out.join(&experiment.name).display()
        );
        match report.failed {
            _ if report.interrupted => Err(LabError::failed(format!("stopped: {rest}"))),
            0 => Ok(()),
            failed => Err(LabError::failed(format!("{} failed: {rest}", counted(failed, "game")))),
        }
    }
}

/// Names the programs that an experiment file has this one execute, on standard error.
fn warn_of_commands(experiment: &Experiment) -> Result<(), LabError> {
    let commands = experiment.commands()?;
    if !commands.is_empty() {
        tell(format_args!("{} executes these programs:", experiment.name));
        commands.iter().for_each(|command| tell(format_args!("  {command}")));
    }
    Ok(())
}

/// Names the agents of an experiment file whose network does not see the komi of their games, on
/// standard error.
fn warn_of_komi(experiment: &Experiment) -> Result<(), LabError> {
    let table: toml::Table = experiment.file.parse().map_err(LabError::failed)?;
    let mut notes = BTreeSet::new();
    collect_komi_notes(&table, (None, None), &mut notes);
    notes.iter().for_each(|note| tell(format_args!("{note}")));
    Ok(())
}

/// Keys whose values are agents. A training puts its own networks into `evaluation.agent`.
const AGENTS: [&str; 7] = ["a", "b", "agent", "agents", "base", "opponent", "against"];

/// The notes on the agents in a table, whose games have the game and the komi that it or a table
/// around it names.
fn collect_komi_notes<'a>(
    table: &'a toml::Table,
    (game, komi): (Option<&'a str>, Option<&'a toml::Value>),
    notes: &mut BTreeSet<String>,
) {
    let game = table.get("game").and_then(toml::Value::as_str).or(game);
    let komi = table.get("komi").or(komi);
    let komi_text = komi.map(ToString::to_string);
    let spec = game.and_then(|game| GameSpec::parse(game, komi_text.as_deref()).ok());
    for (key, value) in table {
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        if let Some(spec) = spec.as_ref().filter(|_| AGENTS.contains(&key.as_str())) {
            notes.extend(komi_notes(spec, values.iter().filter_map(toml::Value::as_str)));
        }
        for own in values.iter().filter_map(toml::Value::as_table).filter(|_| key != "evaluation") {
            collect_komi_notes(own, (game, komi), notes);
        }
    }
}
