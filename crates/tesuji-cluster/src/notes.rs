//! What people are told.

use tesuji_lab::printable;

/// Notes at most between two ticks.
const MOST: usize = 50;

/// Characters at most of a note, and of a word that a worker says of itself.
const LONGEST: usize = 1000;
const LONGEST_WORD: usize = 200;

/// Notes that nobody has been told yet.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    lines: Vec<String>,
    left_out: u64,
}

impl Notes {
    /// Adds a note, which may have words of a worker in it.
    pub(crate) fn add(&mut self, note: &str) {
        if self.lines.len() < MOST {
            self.lines.push(shortened(note, LONGEST));
        } else {
            self.left_out += 1;
        }
    }

    /// Takes all notes.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        if self.left_out > 0 {
            lines.push(format!("{} more notes are left out", self.left_out));
        }
        self.left_out = 0;
        lines
    }
}

/// A short text of a worker that a terminal shows as it is.
pub(crate) fn word(text: &str) -> String {
    shortened(text, LONGEST_WORD)
}

/// A long text of a worker that a terminal shows as it is.
pub(crate) fn sentence(text: &str) -> String {
    shortened(text, LONGEST)
}

/// The first `most` characters of a text, [printable].
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => printable(&text[..end], "") + "...",
        None => printable(text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_does_nothing_to_a_terminal() {
        assert_eq!(word("é \u{1b}[2J\r\n\u{202e}"), "é \\u{1b}[2J\\r\\n\\u{202e}");
        let long = word(&"x".repeat(1 << 20));
        assert_eq!((long.len(), &long[197..]), (203, "xxx..."));
    }

    #[test]
    fn notes_are_few_between_two_ticks() {
        let mut notes = Notes::default();
        (0..70).for_each(|number| notes.add(&number.to_string()));
        let told = notes.take();
        assert_eq!((told.len(), told[50].as_str()), (51, "20 more notes are left out"));
        assert!(notes.take().is_empty());
    }
}
