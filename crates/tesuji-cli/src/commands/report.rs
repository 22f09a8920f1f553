//! `tesuji report`.

use super::print;
use std::path::{Path, PathBuf};
use tesuji_lab::LabError;
use tesuji_lab::report::renew;

/// Tables and figures of Markdown pages, made anew from recorded results.
///
/// A page describes each of its tables and figures in a comment in front of it.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The pages.
    #[arg(required = true)]
    pages: Vec<PathBuf>,
    /// Write nothing, and fail if something would change.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let mut old = Vec::new();
    for page in &args.pages {
        let fault = |e: &dyn std::fmt::Display| LabError::Input(format!("{}: {e}", page.display()));
        let text = std::fs::read_to_string(page).map_err(|e| fault(&e))?;
        let renewed = renew(&text, page.parent().unwrap_or(Path::new(""))).map_err(|e| fault(&e))?;
        let mut files = renewed.figures;
        files.push((page.clone(), renewed.text));
        for (path, text) in files {
            if std::fs::read_to_string(&path).is_ok_and(|now| now == text) {
                continue;
            }
            old.push(path.display().to_string());
            if !args.check {
                std::fs::write(&path, text).map_err(|e| fault(&e))?;
                print(format_args!("{}\n", path.display()))?;
            }
        }
    }
    if args.check && !old.is_empty() {
        return Err(LabError::Failed(format!(
            "not what the results say: {}; `tesuji report` writes them anew",
            old.join(", ")
        )));
    }
    Ok(())
}
