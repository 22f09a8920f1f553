//! Records in other formats.

mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

use crate::conditions::Conditions;
use crate::error::LabError;
use crate::experiment::name::is_plain;
use crate::game_spec::GameSpec;
use crate::store::{OpenError, Store, damaged};
use std::fs;
use std::path::{Path, PathBuf};
use table::TABLES;

/// A format of exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A file with a header for each table.
    Csv,
    /// A file for each table, a JSON object a line.
    Jsonl,
    /// A file for each game of Go, in a directory for each match.
    Sgf,
    /// A file for each table.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Writes the content of a store to files in the directory `dir`, and returns their names; for SGF
/// files, the names of their directories.
///
/// The tables are `matches`, `pairs`, `games`, `moves` and `trials`; one without rows has no file.
/// Pairs and games refer to conditions and agents by hashes, which `matches` has, too. A game that
/// two matches share occurs once.
///
/// # Errors
/// If the store fails, a file cannot be written, or there is nothing to write.
pub fn export(store: &Store, format: Format, dir: &Path) -> Result<Vec<PathBuf>, LabError> {
    let fault = |e| LabError::Failed(format!("{} cannot be written: {e}", dir.display()));
    fs::create_dir_all(dir).map_err(fault)?;
    let mut files = Vec::new();
    match format {
        Format::Sgf => files = sgf(store, dir)?,
        _ => {
            for table in TABLES.iter() {
                let written = match format {
                    Format::Csv => lines::csv(store, table, dir)?,
                    Format::Jsonl => lines::jsonl(store, table, dir)?,
                    #[cfg(feature = "parquet")]
                    Format::Parquet => parquet::parquet(store, table, dir)?,
                    Format::Sgf => None,
                };
                files.extend(written);
            }
        }
    }
    if files.is_empty() {
        let what = if format == Format::Sgf { "games of Go" } else { "games or trials" };
        return Err(OpenError::Nothing { what }.into());
    }
    Ok(files)
}

/// The games of each match that is one of Go, a file each. Game 1 of a pair is the one that `a`
/// begins.
fn sgf(store: &Store, dir: &Path) -> Result<Vec<PathBuf>, LabError> {
    let mut dirs = Vec::new();
    for planned in store.matches()? {
        if !is_plain(&planned.name) {
            return Err(damaged(format_args!("{:?} is no name of a match", planned.name)));
        }
        let conditions = Conditions::parse(&planned.matchup.conditions)?;
        let game = GameSpec::parse(&conditions.game, conditions.komi.as_deref())?;
        let (referee, own) = (game.referee(), dir.join(&planned.name));
        let mut is_empty = true;
        for (place, game) in store.games_of(&planned.matchup, planned.games)? {
            let Some(text) = referee.sgf(&planned.a, &planned.b, &game) else { continue };
            let path = own.join(format!("{:05}-{}.sgf", place.opening + 1, if game.a_first { 1 } else { 2 }));
            let written = fs::create_dir_all(&own).and_then(|()| fs::write(&path, text));
            written.map_err(|e| LabError::Failed(format!("{} cannot be written: {e}", path.display())))?;
            is_empty = false;
        }
        if !is_empty {
            dirs.push(own);
        }
    }
    Ok(dirs)
}
