//! Names of matches, agents and parts.

pub(crate) const PLAIN: &str = "letters, digits, `.`, `-` and `_`, and no `.` in front";

/// Whether a word can be the name of a file on any system.
pub(crate) fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('.')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}
