//! `tesuji report`.

use super::match_lines::of_record;
use super::{print, print_json, results, stop_on_interrupt};
use crate::progress::tell;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji_lab::LabError;
use tesuji_lab::report::{PageOptions, Progress, Record, Workers, renew};

/// Report an experiment, or rewrite the tables and figures of Markdown pages.
///
/// For the directory of an experiment, print its results so far and write `report.html` into it:
/// one page that opens without a network, with tables, figures and every game on a board. The
/// experiment may be running.
///
/// For Markdown pages, rewrite their tables and figures from recorded results. A page describes
/// each of them in a comment in front of it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji report out/examples/sweep\n  tesuji report out/examples/sweep --json\n\nMore: docs/report.md"
)]
pub(crate) struct Args {
    /// The directory of an experiment, or Markdown pages.
    #[arg(required = true, value_name = "DIR|PAGE")]
    paths: Vec<PathBuf>,
    /// For pages: write nothing, and fail if something would change.
    #[arg(long)]
    check: bool,
    /// For an experiment: rewrite the page every N seconds until all games are played.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60",
          value_parser = clap::value_parser!(u32).range(1..=86_400), conflicts_with = "check")]
    watch: Option<u32>,
    /// For an experiment: put every game into the page, however large it becomes. Default: keep the
    /// page below 2 MB, and say in it what was left out.
    #[arg(long)]
    all_games: bool,
    /// For an experiment: write the page to PATH if that ends in `.html`, else to `report.html` in
    /// the directory PATH. Default: the directory of the experiment. Use it for a record on a
    /// read-only disk.
    #[arg(long, value_name = "PATH", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// For an experiment: print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    match &args.paths[..] {
        [dir] if dir.is_dir() && args.check => Err(LabError::input(format!(
            "{} is a directory, and --check is for Markdown pages; accepted of a directory: --watch, --all-games, --out, --json",
            dir.display()
        ))),
        [dir] if dir.is_dir() => experiment(dir, &args),
        [page, ..]
            if page.is_file()
                && (args.json || args.all_games || args.watch.is_some() || args.out.is_some()) =>
        {
            Err(LabError::input(format!(
                "{} is not a directory, and --watch, --all-games, --out and --json are for that of an experiment; accepted of \
                 Markdown pages: --check",
                page.display()
            )))
        }
        paths => match paths.iter().find(|path| path.is_dir()) {
            Some(dir) => Err(LabError::input(format!(
                "{} is a directory among other paths; accepted: one directory, or Markdown pages",
                dir.display()
            ))),
            None => pages(paths, args.check),
        },
    }
}

fn experiment(dir: &Path, args: &Args) -> Result<(), LabError> {
    let page = match &args.out {
        Some(out) if out.extension().is_some_and(|extension| extension == "html") => out.clone(),
        out => out.as_deref().unwrap_or(dir).join("report.html"),
    };
    let games_bytes = if args.all_games { usize::MAX } else { PageOptions::default().games_bytes };
    let options = PageOptions { games_bytes, again: args.watch.unwrap_or(0) };
    // Without --watch, an interrupt ends the program at once.
    let stop = args.watch.map(|_| stop_on_interrupt()).transpose()?.unwrap_or_default();
    let mut record = Record::read(dir)?;
    record.write(&page, options).map_err(|error| match &args.out {
        Some(_) => error,
        None => LabError::failed(format!("{error}; --out PATH writes the page elsewhere")),
    })?;
    while let Some(seconds) = args.watch.filter(|_| record.progress.is_unfinished && !stop.is_stopped()) {
        let Progress { made, planned, .. } = record.progress;
        tell(format_args!("{}: {made} of {planned} {}", page.display(), unit(&record)));
        let again = Instant::now() + Duration::from_secs(seconds.into());
        while Instant::now() < again && !stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(200));
        }
        record = Record::read(dir)?;
        record.write(&page, options)?;
    }
    if options.again > 0 && record.progress.is_unfinished {
        // Nobody will write it anew.
        record.write(&page, PageOptions { again: 0, ..options })?;
    }
    let match_results = record.match_results();
    if args.json {
        let mut object = json!({
            "name": record.name,
            "about": record.about,
            "made": record.progress.made,
            "planned": record.progress.planned,
            "unfinished": record.progress.is_unfinished,
            "ratings": record.ratings(),
            "matches": match_results,
            "results": record.results.json,
            "page": page.display().to_string(),
        });
        if let Some(workers) = &record.workers {
            object["cluster"] = json!(workers);
        }
        return print_json(&object);
    }
    let headline = if record.about.is_empty() { String::new() } else { format!(": {}", record.about) };
    print(format_args!("{}{headline}\n", record.name))?;
    if match_results.iter().any(|s| s.summary.games > 0) {
        results::print_lines(&record.verdict())?;
    }
    let matches: Vec<String> = match_results.iter().flat_map(of_record).collect();
    results::lines(&record.results, &matches)?;
    results::print_lines(&record.workers.as_ref().map_or(Vec::new(), Workers::lines))?;
    let Progress { made, planned, .. } = record.progress;
    print(format_args!("{made} of {planned} {}; {}\n", unit(&record), page.display()))
}

/// What the progress of an experiment counts.
fn unit(record: &Record) -> &'static str {
    match (record.results.unit, record.matches.is_empty()) {
        ("iterations", true) => "iterations",
        ("iterations", false) => "iterations and games",
        (_, true) => "trials",
        (_, false) => "games",
    }
}

fn pages(pages: &[PathBuf], check: bool) -> Result<(), LabError> {
    let mut old = Vec::new();
    for page in pages {
        let fault = |e: &dyn std::fmt::Display| LabError::input(e).within(page.display());
        if page.extension().is_none_or(|extension| extension != "md") {
            return Err(fault(&"accepted: a Markdown page, NAME.md, or the directory of an experiment"));
        }
        let text = std::fs::read_to_string(page).map_err(|e| fault(&e))?;
        let renewed = renew(&text, page.parent().unwrap_or(Path::new(""))).map_err(|e| fault(&e))?;
        for line in &renewed.without_results {
            tell(format_args!("warning: {}: line {line}: there are no results yet", page.display()));
        }
        let mut files = renewed.figures;
        files.push((page.clone(), renewed.text));
        for (path, text) in files {
            if std::fs::read_to_string(&path).is_ok_and(|now| now == text) {
                continue;
            }
            old.push(path.display().to_string());
            if !check {
                std::fs::write(&path, text).map_err(|e| fault(&e))?;
                print(format_args!("{}\n", path.display()))?;
            }
        }
    }
    if check && !old.is_empty() {
        return Err(LabError::failed(format!(
            "not what the results say: {}; `tesuji report` rewrites them",
            old.join(", ")
        )));
    }
    Ok(())
}
