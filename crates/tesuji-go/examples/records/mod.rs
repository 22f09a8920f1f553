//! Games of SGF files, for the examples that read them.

use std::error::Error;
use std::path::{Path, PathBuf};
use tesuji::Game;
use tesuji_go::sgf::{Action, MainLine, decode, parse, read_file};
use tesuji_go::{Go19, Komi, Rules, Vertex};

/// Is told the game's record, a position, the number of moves before it, and the move.
pub(crate) type Told<'a> = &'a mut dyn FnMut(&MainLine, &Go19, usize, Vertex<20>);

/// The SGF files of a directory, in the order of their names.
///
/// # Errors
/// If the directory cannot be read.
pub(crate) fn files(directory: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = std::fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sgf"));
    files.sort();
    Ok(files)
}

/// Tells the moves of the games of a file that are made in turn.
///
/// # Errors
/// If the file cannot be read, sets up stones or has an illegal move; the message names the file.
pub(crate) fn each_move(file: &Path, tell: Told<'_>) -> Result<(), Box<dyn Error>> {
    replay(file, tell).map_err(|error| format!("{}: {error}", file.display()).into())
}

fn replay(file: &Path, tell: Told<'_>) -> Result<(), Box<dyn Error>> {
    for tree in parse(&decode(&read_file(file)?))?.games {
        let line = MainLine::read(&tree)?;
        let komi = line.komi.map_or(Rules::default().komi, Komi::from_points);
        let mut game = Go19::new(line.size, Rules { komi, ..Rules::default() });
        for (i, step) in line.steps.iter().enumerate() {
            let Action::Play(player, point) = step.action else { return Err("it sets up stones".into()) };
            let vertex =
                point.and_then(|p| game.vertex(p.column.into(), p.row.into())).unwrap_or(Vertex::PASS);
            game.legal(player, vertex).map_err(|error| format!("move {}: {error}", i + 1))?;
            if player == game.to_move() {
                tell(&line, &game, i, vertex);
            }
            game.play_as(player, vertex);
        }
    }
    Ok(())
}
