//! The text of commands and responses (Farnebäck, *Specification of the Go Text Protocol, version
//! 2*, sections 2.5 to 2.8).

use std::fmt;

/// A command as the controller sent it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number in front, which the response repeats.
    pub id: Option<u64>,
    /// The name.
    pub name: String,
    /// The words after it.
    pub args: Vec<String>,
    /// Everything after the name, with its spaces, for commands that take a text.
    pub rest: String,
}

impl Command {
    /// Reads a line; none if it has only white space and a comment.
    ///
    /// Control characters are dropped, tabs count as spaces, everything after `#` is a comment. A
    /// number that is too large to be an identity is read as the command's name, so that it gets an
    /// answer.
    pub fn parse(line: &str) -> Option<Command> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String =
            line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let (first, after) = split_word(&line);
        if first.is_empty() {
            return None;
        }
        let id = if first.bytes().all(|b| b.is_ascii_digit()) { first.parse().ok() } else { None };
        let (name, rest) = if id.is_some() { split_word(after) } else { (first, after) };
        Some(Command {
            id,
            name: name.into(),
            args: rest.split_whitespace().map(str::to_owned).collect(),
            rest: rest.trim().into(),
        })
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// The answer to one command: its result, or the reason for a failure.
pub type Answer = Result<String, String>;

/// The first line's beginning, `=` or `?` with the identity.
pub(super) fn head(id: Option<u64>, good: bool) -> String {
    let sign = if good { '=' } else { '?' };
    id.map_or(sign.into(), |id| format!("{sign}{id}"))
}

/// An answer as it goes over the wire, the empty line at the end included.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The command's number.
    pub id: Option<u64>,
    /// The answer.
    pub answer: &'a Answer,
}

impl fmt::Display for Response<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Ok(text) | Err(text)) = self.answer;
        f.write_str(&head(self.id, self.answer.is_ok()))?;
        // Texts of files have line ends and control characters of all kinds. An empty line would
        // end the response early.
        let lines = text
            .split(['\n', '\r'])
            .map(|line| line.chars().filter(|&c| c == '\t' || !c.is_control()).collect::<String>());
        let mut lines = lines.filter(|line| !line.trim().is_empty());
        if let Some(first) = lines.next() {
            // A diagram begins on a line of its own.
            let gap = if text.starts_with('\n') { '\n' } else { ' ' };
            write!(f, "{gap}{first}")?;
        }
        for line in lines {
            write!(f, "\n{line}")?;
        }
        f.write_str("\n\n")
    }
}

/// A line for the log. Some controllers read it where they read responses, and take a line for more
/// that begins with `info`, `play`, `=` or `?`, or has an arrow in it.
pub(super) fn log_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("tesuji: {}", text.replace("->", "to"))
}

/// Reads the first line of a response.
pub(super) fn parse_head(line: &str) -> Option<(Option<u64>, Answer)> {
    let good = match line.chars().next()? {
        '=' => true,
        '?' => false,
        _ => return None,
    };
    let (id, text) = split_at_digits(&line[1..]);
    let text = text.trim().to_owned();
    Some((id.parse().ok(), if good { Ok(text) } else { Err(text) }))
}

fn split_at_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cleaned() {
        let command = Command::parse(" 7\tpla\u{1}y  B\tD4 \r\n").unwrap();
        assert_eq!((command.id, command.name.as_str()), (Some(7), "play"));
        assert_eq!(command.args, ["B", "D4"]);
        assert_eq!(Command::parse("name # 12").unwrap().args, [""; 0]);
        assert_eq!(Command::parse("kgs-chat game bob  two  words").unwrap().rest, "game bob  two  words");
        for empty in ["", "  \t", "# only a comment", "\r\n", "\u{7}"] {
            assert_eq!(Command::parse(empty), None);
        }
        let number = Command::parse("12").unwrap();
        assert_eq!((number.id, number.name.as_str()), (Some(12), ""));
        let huge = Command::parse("99999999999999999999999 name").unwrap();
        assert_eq!((huge.id, huge.name.as_str()), (None, "99999999999999999999999"));
    }

    #[test]
    fn the_log_is_no_response() {
        assert_eq!(log_line("info\nplay -> x"), "tesuji: info play to x");
    }

    #[test]
    fn responses_end_with_one_empty_line() {
        let text = |id, answer: Answer| Response { id, answer: &answer }.to_string();
        assert_eq!(text(None, Ok(String::new())), "=\n\n");
        assert_eq!(text(Some(3), Ok("D4".into())), "=3 D4\n\n");
        assert_eq!(text(None, Err("no".into())), "? no\n\n");
        assert_eq!(text(Some(0), Ok("\na\n\n b\n".into())), "=0\na\n b\n\n");
        let any = "a\rb\n\rc\r\n\r\nd\0\x1b[1m\r\x07\r\te\u{85}";
        assert_eq!(text(None, Ok(any.into())), "= a\nb\nc\nd[1m\n\te\n\n");
        assert_eq!(parse_head("=3 D4"), Some((Some(3), Ok("D4".into()))));
        assert_eq!(parse_head("? no such"), Some((None, Err("no such".into()))));
        assert_eq!(parse_head("D4"), None);
    }
}
