//! Texts of others, for a terminal.

/// A text that does nothing to a terminal: every character that would, or that turns the direction
/// of writing, is escaped, except for those of `kept`. Engines, workers of a cluster and files of
/// others choose such texts.
pub fn printable(text: &str, kept: &str) -> String {
    let is_plain = |c: char| {
        let turns = matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        kept.contains(c) || !(c.is_control() || turns)
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) { shown.push(c) } else { shown.extend(c.escape_default()) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_does_nothing_to_a_terminal() {
        let text = "é \u{1b}[2J\r\n\t\u{202e}\u{85}";
        assert_eq!(printable(text, ""), r"é \u{1b}[2J\r\n\t\u{202e}\u{85}");
        assert_eq!(printable(text, "\n\t"), "é \\u{1b}[2J\\r\n\t\\u{202e}\\u{85}");
    }
}
