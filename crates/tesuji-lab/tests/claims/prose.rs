//! What a page says, without what is generated, code blocks and marks.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// The prose of a page in one line, and which bytes of it need no claim.
pub(crate) struct Prose {
    pub(crate) text: String,
    pub(crate) covered: Vec<bool>,
}

impl Prose {
    /// Of a Markdown page; tables written by hand count if `tables`.
    pub(crate) fn of(page: &str, tables: bool) -> Prose {
        let mut prose = Prose { text: String::new(), covered: Vec::new() };
        let (mut is_generated, mut skipped) = (false, 0);
        for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    if html.starts_with("<!-- table") || html.starts_with("<!-- figure") {
                        is_generated = true;
                    } else if html.starts_with("<!-- end") {
                        is_generated = false;
                    }
                }
                Event::Start(
                    Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) | Tag::Image { .. },
                ) => {
                    skipped += 1;
                }
                Event::End(TagEnd::CodeBlock | TagEnd::Image) => skipped -= 1,
                Event::Start(Tag::Table(_)) if !tables => skipped += 1,
                Event::End(TagEnd::Table) if !tables => skipped -= 1,
                _ if is_generated || skipped > 0 => {}
                Event::Text(text) => prose.push(&text, false),
                Event::Code(code) => prose.push(&format!("`{code}`"), true),
                Event::Start(Tag::TableHead | Tag::TableRow) => prose.push(" |", false),
                Event::End(TagEnd::TableCell) => prose.push(" |", false),
                Event::Start(Tag::TableCell) | Event::SoftBreak | Event::HardBreak => prose.push(" ", false),
                Event::End(_) => {
                    // Emphasis and links end within words.
                    if matches!(event, Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item)) {
                        prose.push(" ", false);
                    }
                }
                _ => {}
            }
        }
        prose
    }

    fn push(&mut self, text: &str, is_covered: bool) {
        for letter in text.chars() {
            if !letter.is_whitespace() {
                self.text.push(letter);
            } else if !self.text.is_empty() && !self.text.ends_with(' ') {
                self.text.push(' ');
            }
        }
        self.covered.resize(self.text.len(), is_covered);
    }

    /// Marks what needs no claim.
    pub(crate) fn cover(&mut self, bytes: Range<usize>) {
        self.covered[bytes].fill(true);
    }

    /// The numbers that are not covered, each with the sentence around it.
    pub(crate) fn uncovered(&self) -> Vec<(String, String)> {
        let bytes = self.text.as_bytes();
        let is_open = |i: usize| bytes[i].is_ascii_digit() && !self.covered[i];
        let mut found = Vec::new();
        let mut i = 0;
        while i < bytes.len() {
            if !is_open(i) {
                i += 1;
                continue;
            }
            let mut end = i;
            while end < bytes.len() && (is_open(end) || bytes[end] == b'.') {
                end += 1;
            }
            let from = self.text[..i].rfind(". ").map_or(0, |at| at + 2);
            let to = self.text[end..].find(". ").map_or(bytes.len(), |at| end + at + 1);
            let number = self.text[i..end].trim_end_matches('.').to_owned();
            found.push((number, self.text[from..to.max(end)].to_owned()));
            i = end;
        }
        found
    }
}
