//! Game records.

use super::DONE;
use crate::gtp::protocol::Answer;
use crate::gtp::session::{Call, Session};
use crate::sgf::{decode, parse, read_file};
use std::path::Path;

/// `loadsgf FILE [MOVE]`: the position before the move of this number, or at the end of the main
/// line. The answer is empty: controllers that follow GTP expect that.
pub(super) fn load(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let args = &call.command.args;
    // A file name may have spaces; then the last word is a move number only if it is a number.
    let rest = call.command.rest.as_str();
    let (file, number) = match args.last().map(|last| last.parse::<usize>()) {
        Some(Ok(number)) if args.len() > 1 => {
            let cut = rest.trim_end().rfind(char::is_whitespace).unwrap_or(rest.len());
            (rest[..cut].trim(), Some(number))
        }
        _ => (rest, None),
    };
    if file.is_empty() {
        return Err("loadsgf needs a file name".into());
    }
    let error = |e| format!("cannot load file: {file}: {e}");
    let bytes = read_file(Path::new(file)).map_err(error)?;
    let collection = parse(&decode(&bytes)).map_err(|e| error(e.to_string()))?;
    let warnings = session.engine.load(&collection.games[0], number).map_err(error)?;
    session.begun();
    let faults = collection.faults.iter().map(ToString::to_string);
    faults.chain(warnings).for_each(|text| session.warn(&format!("warning: {file}: {text}")));
    DONE
}

/// The game so far.
pub(super) fn print(session: &mut Session, call: &mut Call<'_>) -> Answer {
    let text = session.engine.record().to_string();
    if call.command.rest.is_empty() || call.command.rest == "-" {
        return Ok(text);
    }
    let file = &call.command.rest;
    std::fs::write(file, text).map_err(|e| format!("cannot write {file}: {e}"))?;
    DONE
}
