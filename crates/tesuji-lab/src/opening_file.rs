//! Openings of a file.

use crate::conditions::Openings;
use crate::error::LabError;
use crate::game_spec::GameSpec;
use crate::opening::MoveError;
use std::path::Path;

impl Openings {
    /// Reads a file with a line of moves for each opening; empty lines are skipped.
    ///
    /// # Errors
    /// If it cannot be read, has no opening, or a move is not legal in this game; the message names
    /// file, line and move.
    pub fn read(file: &Path, game: &GameSpec) -> Result<Openings, LabError> {
        let fault = |fault: String| MoveError::File { file: file.display().to_string(), fault };
        let text = std::fs::read_to_string(file).map_err(|e| fault(e.to_string()))?;
        let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
        let lines: Vec<(usize, &str)> = lines.collect();
        if lines.is_empty() {
            return Err(fault("it has no openings; expected a line of moves for each".to_owned()).into());
        }
        game.start().check_lines(&lines).map_err(|e| fault(e.to_string()))?;
        Ok(Openings::Lines(lines.into_iter().map(|(_, line)| line.to_owned()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_openings_is_read_or_its_fault_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lines");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Openings::read(&file, &GameSpec::parse("tic-tac-toe", None).unwrap()).map_err(|e| e.to_string())
        };
        let lines = ["b2 a1", "c3"].map(str::to_owned);
        assert_eq!(read("b2 a1\n\n  c3\n"), Ok(Openings::Lines(lines.to_vec())));
        for (text, expected) in [
            ("\n", "lines: it has no openings"),
            (
                "b2\n\nb2 x9",
                "lines: line 3: the opening \"b2 x9\": move 2, \"x9\", is not legal there; accepted: a1, ",
            ),
            (
                "a1 b1 a2 b2 a3 c1",
                "move 6, \"c1\", is not legal there; accepted: none, because the game is over",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
