//! What a report is about: the record of an experiment.

use super::{MatchResult, Workers, verdict};
use crate::conditions::Conditions;
use crate::error::LabError;
use crate::experiment::{Experiment, Kind, MatchConfig, Results};
use crate::report::match_record::MatchRecord;
use crate::store::{Config, Description, OpenError, Store};
use crate::table::{Shown, Table};
use serde_json::{Value, json};
use std::path::Path;

/// The most lines of a verdict without a judged match.
const VERDICT_LINES: usize = 8;

/// Everything that a report needs to know about an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// The purpose of the experiment, in a sentence.
    pub about: String,
    /// The experiment file of the last run, or the settings of a single match.
    pub file: String,
    /// The program that began it, with its commit.
    pub version: String,
    /// The first event and the last one, UTC.
    pub times: Option<[String; 2]>,
    /// The command that makes it anew.
    pub command: String,
    /// Its matches, in order.
    pub matches: Vec<MatchRecord>,
    /// The results so far.
    pub results: Results,
    /// Games or trials made and asked for.
    pub progress: Progress,
    /// The workers of a cluster that had to do with it.
    pub workers: Option<Workers>,
}

/// The progress of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games or trials made that count.
    pub made: u64,
    /// Games or trials asked for.
    pub planned: u64,
    /// Whether some are missing: a sequential test may end a match before it has all of its games.
    pub is_unfinished: bool,
}

impl Record {
    /// The experiment in the directory `dir`; another process may be writing to it.
    ///
    /// # Errors
    /// If there is none, or its store cannot be read.
    pub fn read(dir: &Path) -> Result<Record, LabError> {
        let store = Store::read(dir)?;
        let empty = || OpenError::NotBegun { dir: dir.display().to_string() };
        let description = store.description()?.ok_or_else(empty)?;
        if description.kind == "match" {
            return Record::of(&Vec::<MatchConfig>::new(), &store, description);
        }
        let experiment = Experiment::parse("experiment.toml", &description.file)?;
        Record::of(experiment.plan(), &store, description)
    }

    /// [`Record::read`] for an experiment of this kind.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn of(kind: &dyn Kind, store: &Store, description: Description) -> Result<Record, LabError> {
        let mut progress = Progress::default();
        let mut add = |made: u64, planned: u64, counted: u64| {
            progress.made = progress.made.saturating_add(made);
            progress.planned = progress.planned.saturating_add(planned);
            progress.is_unfinished |= made < counted;
        };
        let mut matches = Vec::new();
        for planned in store.matches()? {
            let record = MatchRecord {
                conditions: Conditions::parse(&planned.matchup.conditions)?,
                is_evaluation: kind.is_evaluation(&planned.name),
                counted: store.counted_games(&planned)?,
                summary: planned.summary(store)?,
                games: store.games_of(&planned.matchup, planned.games)?,
                planned,
            };
            add(record.summary.played(), record.planned.games, record.counted);
            matches.push(record);
        }
        for part in store.parts()? {
            let made = store.trial_count(&part.group)?.min(part.trials);
            add(made, part.trials, part.trials);
        }
        progress.is_unfinished |= kind.has_more(store)?;
        let results = kind.results(store)?;
        let events = store.events()?;
        let command = match &matches[..] {
            [only] if description.kind == "match" => only.command(),
            _ => "tesuji run experiment.toml".to_owned(),
        };
        let name = match &matches[..] {
            [only] if description.kind == "match" => format!("{} against {}", only.planned.a, only.planned.b),
            _ => description.name,
        };
        Ok(Record {
            name,
            about: description.about,
            file: description.file,
            version: description.version,
            times: events.first().zip(events.last()).map(|(first, last)| [first.0.clone(), last.0.clone()]),
            command,
            matches,
            results,
            progress,
            workers: store.dir().map(Workers::read).transpose()?.flatten(),
        })
    }

    /// The ratings of a round robin, best first, as rows of JSON.
    pub fn ratings(&self) -> Value {
        self.results.table("ratings").map_or(json!([]), Table::json)
    }

    /// The titles and tables that a page shows before the figures; further ones come first.
    pub(super) fn tables(&self) -> Vec<(&'static str, &Table)> {
        let tables = self.results.further().chain(self.results.tables.first());
        let title = |table: &&Table| if let Shown::Before(title) = table.shown { Some(title) } else { None };
        tables.filter_map(|table| Some((title(&table)?, table))).collect()
    }

    /// Those that a page shows after the figures.
    pub(super) fn long_tables(&self) -> Vec<(&'static str, &Table)> {
        let title = |table: &&Table| if let Shown::After(title) = table.shown { Some(title) } else { None };
        self.results.tables.iter().filter_map(|table| Some((title(&table)?, table))).collect()
    }

    /// The result of each match that is not an evaluation, with p-values corrected for their
    /// number.
    pub fn match_results(&self) -> Vec<MatchResult> {
        let judged = self.judged().into_iter();
        MatchResult::all(judged.map(|m| (m.planned.name.as_str(), m.planned.games, &m.summary)))
    }

    /// The verdict: a sentence, or a few lines if no match is judged; nothing before the first
    /// result.
    pub fn verdict(&self) -> Vec<String> {
        let so_far = if self.progress.is_unfinished { "So far: " } else { "" };
        let mut text = verdict(&self.match_results());
        if text.is_empty() {
            // Kinds of many results say the last one.
            let lines = &self.results.summary;
            return lines[if lines.len() > VERDICT_LINES { lines.len() - 1 } else { 0 }..].to_vec();
        }
        if let Some(table) = self.results.table("ratings").filter(|table| !table.is_empty()) {
            text = format!("{} is rated first. {text}", table.at(0, "agent"));
        }
        vec![format!("{so_far}{text}")]
    }

    /// The matches that are no evaluations.
    pub(super) fn judged(&self) -> Vec<&MatchRecord> {
        self.matches.iter().filter(|m| !m.is_evaluation).collect()
    }

    /// All games in the record.
    pub(super) fn games(&self) -> usize {
        self.matches.iter().map(|m| m.games.len()).sum()
    }

    /// The seed, if it is one for all.
    pub(super) fn seed(&self) -> Option<u64> {
        let mut seeds = self.matches.iter().map(|m| m.conditions.seed);
        let first = seeds.next()?;
        seeds.all(|seed| seed == first).then_some(first)
    }

    /// Each agent once.
    pub(super) fn agents(&self) -> Vec<&Config> {
        let mut agents: Vec<&Config> = Vec::new();
        for config in self.matches.iter().flat_map(|m| [&m.planned.matchup.a, &m.planned.matchup.b]) {
            if agents.iter().all(|agent| agent.spec != config.spec) {
                agents.push(config);
            }
        }
        agents
    }
}
