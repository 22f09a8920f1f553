//! Reading.

use super::error::{Location, SgfError};
use super::tree::{Collection, Property, Tree};

/// Reads a file.
///
/// Text before the first `(;` is skipped, as FF\[4\] asks. So is text between games and after the
/// last one, which is a fault of the file. Takes time and memory proportional to the text.
///
/// # Errors
/// At the first place where a game is not one, or if there is none.
pub fn parse(text: &str) -> Result<Collection, SgfError> {
    let mut reader = Reader::new(text);
    if !reader.skip_preamble() {
        return Err(SgfError { at: None, message: "this is not an SGF file: it has no `(;`".into() });
    }
    let mut collection = Collection::default();
    loop {
        collection.games.push(reader.game()?);
        reader.skip_space();
        let at = reader.at;
        match reader.peek() {
            None => return Ok(collection),
            Some('(') if reader.at_game() => {}
            Some(_) => {
                collection.faults.push(SgfError::new(at, "the text after a game is no game"));
                if !reader.skip_preamble() {
                    return Ok(collection);
                }
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    at: Location,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text, at: Location { line: 1, column: 1 } }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at = Location { line: self.at.line + 1, column: 1 };
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|c| c.is_whitespace() || c == '\0' || c == '\x1a') {
            self.next();
        }
    }

    /// Goes to the first `(` that a `;` follows.
    fn skip_preamble(&mut self) -> bool {
        while let Some(c) = self.peek() {
            if c == '(' && self.at_game() {
                return true;
            }
            self.next();
        }
        false
    }

    /// Whether a `;` follows the `(` here.
    fn at_game(&self) -> bool {
        self.rest[1..].trim_start().starts_with(';')
    }

    fn error<T>(&self, found: Option<char>, expected: &str) -> Result<T, SgfError> {
        let found = match found {
            Some(c) => format!("found `{}`", c.escape_debug()),
            None => "the file ends".into(),
        };
        Err(SgfError::new(self.at, format!("{found} where {expected} was expected")))
    }

    /// Reads from `(` to the `)` that closes it.
    fn game(&mut self) -> Result<Tree, SgfError> {
        self.next();
        self.skip_space();
        if self.peek() != Some(';') {
            return self.error(self.peek(), "`;`");
        }
        self.next();
        let mut tree = Tree::new();
        self.node(&mut tree, Tree::ROOT)?;
        // Where each open variation began, and where we are.
        let mut open: Vec<usize> = Vec::new();
        let mut current = Tree::ROOT;
        let mut closed_one = false;
        loop {
            match self.peek() {
                Some(';') if !closed_one => {
                    self.next();
                    current = tree.add(current);
                    self.node(&mut tree, current)?;
                }
                Some('(') => {
                    self.next();
                    self.skip_space();
                    if self.peek() != Some(';') {
                        return self.error(self.peek(), "`;`");
                    }
                    open.push(current);
                    closed_one = false;
                }
                Some(')') => {
                    self.next();
                    match open.pop() {
                        Some(before) => current = before,
                        None => return Ok(tree),
                    }
                    closed_one = true;
                    self.skip_space();
                }
                c if closed_one => return self.error(c, "another variation `(` or the end `)` of this one"),
                c => return self.error(c, "a property, `;`, `(` or `)`"),
            }
        }
    }

    /// Reads the properties after a `;`, and the space after them.
    fn node(&mut self, tree: &mut Tree, index: usize) -> Result<(), SgfError> {
        loop {
            self.skip_space();
            if !self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                return Ok(());
            }
            let at = self.at;
            let mut name = String::new();
            while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
                if !c.is_ascii_lowercase() {
                    name.push(c);
                }
                self.next();
            }
            if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
                return Err(SgfError::new(at, "a property's name has a capital letter, such as `B`"));
            }
            let mut values = Vec::new();
            self.skip_space();
            while self.peek() == Some('[') {
                self.next();
                values.push(self.value()?);
                self.skip_space();
            }
            if values.is_empty() {
                return self.error(self.peek(), "a value in brackets");
            }
            tree.add_property(index, Property { name, values, at });
        }
    }

    /// Reads to the `]` that is not escaped.
    fn value(&mut self) -> Result<String, SgfError> {
        let start = self.at;
        let text = self.rest;
        let mut escaped = false;
        loop {
            let left = self.rest.len();
            match self.next() {
                Some(']') if !escaped => return Ok(text[..text.len() - left].into()),
                Some(c) => escaped = c == '\\' && !escaped,
                None => return Err(SgfError::new(start, "the value that begins here has no `]`")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_with_variations_comes_back() {
        let text =
            "Mail header\n(;FF[4]GM[1]SZ[9]XX[un\\]known][2];B[aa](;W[bb];B[])\n (;W[cc]C[a\\\\b]))(;)";
        let collection = parse(text).unwrap();
        assert_eq!(collection.games.len(), 2);
        let game = &collection.games[0];
        assert_eq!(game.node(0).get("XX").unwrap().values, ["un\\]known", "2"]);
        assert_eq!(game.node(0).get("XX").unwrap().text(), "un]known");
        assert_eq!(game.node(1).children().len(), 2);
        assert_eq!(game.main_line(), [0, 1, 2, 3]);
        assert_eq!(game.node(4).get("C").unwrap().text(), "a\\b");
        assert_eq!(game.node(4).get("C").unwrap().at, Location { line: 3, column: 9 });
        assert_eq!(parse(&collection.to_string()).unwrap(), collection);
    }

    #[test]
    fn long_names_of_ff3_are_shortened() {
        let game = parse("(;FileFormat[3]SiZe[9];Black[aa])").unwrap().games.remove(0);
        assert_eq!(game.node(0).get("SZ").unwrap().text(), "9");
        assert_eq!(game.node(1).get("B").unwrap().text(), "aa");
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, expected) in [
            ("", "this is not an SGF file: it has no `(;`"),
            (
                "(;SZ[9]\n;B[aa]",
                "line 2, column 7: the file ends where a property, `;`, `(` or `)` was expected",
            ),
            ("(;SZ[9]\n;B[aa", "line 2, column 4: the value that begins here has no `]`"),
            ("(;SZ)", "line 1, column 5: found `)` where a value in brackets was expected"),
            ("(;B[aa](W[bb]))", "line 1, column 9: found `W` where `;` was expected"),
            (
                "(;(;B[aa]);W[bb])",
                "line 1, column 11: found `;` where another variation `(` or the end `)` of this one was expected",
            ),
            ("(;sz[9])", "line 1, column 3: a property's name has a capital letter, such as `B`"),
            ("(;SZ[9])x(;B)", "line 1, column 13: found `)` where a value in brackets was expected"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn text_after_a_game_is_skipped() {
        for (text, games, faults) in [
            ("(;B[aa])\n\0", 1, &[][..]),
            ("(;B[aa]))", 1, &["line 1, column 9: the text after a game is no game"]),
            ("(;B[aa])\n;W[bb])", 1, &["line 2, column 1: the text after a game is no game"]),
            ("(;B[aa])\n(x)(;W[bb])", 2, &["line 2, column 1: the text after a game is no game"]),
            (
                "(;B[aa]) and ( ;W[bb]) end",
                2,
                &[
                    "line 1, column 10: the text after a game is no game",
                    "line 1, column 24: the text after a game is no game",
                ],
            ),
        ] {
            let collection = parse(text).unwrap();
            let said: Vec<String> = collection.faults.iter().map(SgfError::to_string).collect();
            assert_eq!(
                (collection.games.len(), &said[..]),
                (games, &faults.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>()[..]),
                "{text}"
            );
            assert_eq!(parse(&collection.to_string()), Ok(collection), "{text}");
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let depth = 200_000;
        let text = "(;".repeat(depth) + &")".repeat(depth);
        let collection = parse(&text).unwrap();
        assert_eq!(collection.games[0].len(), depth);
        assert_eq!(parse(&collection.to_string()).unwrap(), collection);
    }
}
