//! Game trees of any kind, as the file has them.

use super::error::{Location, SgfError};
use std::fmt;

/// A file: one game or more.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The games, in the order of the file.
    pub games: Vec<Tree>,
    /// What was passed over between them, and after the last one.
    pub faults: Vec<SgfError>,
}

/// Equal games; the faults of their files do not matter.
impl PartialEq for Collection {
    fn eq(&self, other: &Collection) -> bool {
        self.games == other.games
    }
}

impl Eq for Collection {}

/// A game with all its variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node: one move, a set-up, or a comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The properties, in the order of the file. Unknown ones are kept.
    pub properties: Vec<Property>,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// A property such as `B[dd]`.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name in capital letters. The small letters of FF\[3\] names are dropped.
    pub name: String,
    /// Its values between their brackets, still escaped; [`text`](super::text) reads one as text.
    pub values: Vec<String>,
    /// The place in the file; (0, 0) if it was not read from one.
    pub at: Location,
}

/// Equal name and values; where they stand does not matter.
impl PartialEq for Property {
    fn eq(&self, other: &Property) -> bool {
        self.name == other.name && self.values == other.values
    }
}

impl Eq for Property {}

impl Tree {
    /// A game with an empty root.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()] }
    }

    /// The index of the root.
    pub const ROOT: usize = 0;

    /// The node with this index.
    ///
    /// # Panics
    /// If there is none.
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// The number of nodes; their indices are below this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds a node after all children of `parent` and gives its index.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add(&mut self, parent: usize) -> usize {
        let index = self.nodes.len();
        self.nodes[parent].children.push(index);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        index
    }

    /// Adds a property to a node. The values are text and get escaped.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn set(&mut self, node: usize, name: &str, values: &[&str]) {
        let values = values.iter().map(|v| escape(v)).collect();
        self.add_property(node, Property { name: name.into(), values, at: Location::default() });
    }

    /// Adds a property to a node as a file has it.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn add_property(&mut self, node: usize, property: Property) {
        self.nodes[node].properties.push(property);
    }

    /// Gives a node this one value of a property, in place of those that it has. The value is text
    /// and gets escaped.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn replace(&mut self, node: usize, name: &str, value: &str) {
        self.nodes[node].properties.retain(|p| p.name != name);
        self.set(node, name, &[value]);
    }

    /// Takes away the node that was added last, which is not the root and has no children.
    pub(crate) fn remove_last(&mut self) {
        let last = self.nodes.pop();
        if let Some(parent) = last.and_then(|node| node.parent) {
            self.nodes[parent].children.pop();
        }
    }

    /// The nodes of the main line: from the root always the first child.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![Tree::ROOT];
        while let Some(&next) = self.nodes[line[line.len() - 1]].children.first() {
            line.push(next);
        }
        line
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Node {
    /// The index of the node before, none for the root.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// The indices of the nodes that follow, the main line first.
    pub fn children(&self) -> &[usize] {
        &self.children
    }

    /// The first property of this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name)
    }
}

impl Property {
    /// The first value as text.
    pub fn text(&self) -> String {
        text(self.values.first().map_or("", String::as_str))
    }
}

/// The text that a raw value stands for: escapes resolved, line breaks unified, other white space
/// turned into spaces.
pub fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    // `\r\n` and `\n\r` are one line break.
    let line_break = |first: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        chars.next_if(|&c| matches!(c, '\n' | '\r') && c != first);
    };
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\n' | '\r')) => line_break(c, &mut chars),
                Some(c) if c.is_whitespace() => out.push(' '),
                Some(c) => out.push(c),
                None => {}
            },
            '\n' | '\r' => {
                line_break(c, &mut chars);
                out.push('\n');
            }
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The raw value that stands for `text`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Writes the file: one game after the other.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games.iter().try_for_each(|game| game.fmt(f))
    }
}

/// Writes the game in SGF, at most ten nodes a line, with a line break at the end.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Token {
            Node(usize),
            Open(usize),
            Close,
        }
        // A stack of its own: variations may nest deeper than the thread's stack allows.
        let mut steps = vec![Token::Close, Token::Open(Tree::ROOT)];
        let mut in_line = 0;
        while let Some(step) = steps.pop() {
            match step {
                Token::Open(index) => {
                    f.write_str("(")?;
                    steps.push(Token::Node(index));
                }
                Token::Close => {
                    f.write_str(")")?;
                }
                Token::Node(index) => {
                    in_line += 1;
                    if in_line > 10 {
                        f.write_str("\n")?;
                        in_line = 1;
                    }
                    let node = &self.nodes[index];
                    node.fmt(f)?;
                    match node.children[..] {
                        [] => {}
                        [only] => steps.push(Token::Node(only)),
                        ref several => {
                            for &child in several.iter().rev() {
                                steps.extend([Token::Close, Token::Open(child)]);
                            }
                        }
                    }
                }
            }
        }
        f.write_str("\n")
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(";")?;
        for property in &self.properties {
            f.write_str(&property.name)?;
            for value in &property.values {
                write!(f, "[{value}]")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_read_back() {
        for t in ["", "a]b\\c", "two\nlines", "[nested]", "ends with \\"] {
            assert_eq!(text(&escape(t)), t);
        }
        assert_eq!(text("a\\\nb\tc\\\td\r\ne\\:"), "ab c d\ne:");
    }

    #[test]
    fn variations_are_written_in_order() {
        let mut tree = Tree::new();
        let a = tree.add(Tree::ROOT);
        tree.set(a, "B", &["aa"]);
        for point in ["bb", "cc"] {
            let child = tree.add(a);
            tree.set(child, "W", &[point]);
        }
        assert_eq!(tree.to_string(), "(;;B[aa](;W[bb])(;W[cc]))\n");
        assert_eq!(tree.main_line(), [0, 1, 2]);
    }
}
