//! A part of a tree as nested blocks.

use serde_json::{Value, json};
use std::collections::VecDeque;
use tesuji_lab::{LabError, LiveSearch};

/// The most levels and blocks.
const LEVELS: usize = 12;
const BLOCKS: usize = 1500;

/// The node after `line` and those below it with at least 1/500 of its visits, breadth first, each
/// with the place of its
/// parent; none if there is no such node.
pub(crate) fn icicle(search: &LiveSearch, line: &str) -> Result<Option<Value>, LabError> {
    let Some(top) = search.inspect(line)? else { return Ok(None) };
    let least = (top.visits / 500).max(1);
    let mut blocks =
        vec![json!({ "parent": null, "level": 0, "move": "", "visits": top.visits, "value": top.value })];
    let mut pending = VecDeque::from([(0, 0, line.to_owned(), top)]);
    while let Some((parent, above, line, node)) = pending.pop_front() {
        let level = above + 1;
        for tried in node.moves.iter().filter(|tried| tried.visits >= least) {
            if blocks.len() >= BLOCKS {
                break;
            }
            blocks.push(json!({
                "parent": parent, "level": level, "move": tried.m, "visits": tried.visits, "value": tried.value,
            }));
            if level < LEVELS && tried.children > 0 {
                let line = format!("{line} {}", tried.m);
                pending.extend(search.inspect(&line)?.map(|below| (blocks.len() - 1, level, line, below)));
            }
        }
    }
    Ok(Some(json!({ "least": least, "blocks": blocks })))
}
