//! Pages whose tables and figures come from recorded results.

use super::table::PageError;
use super::{Figure, MarkdownTable};
use crate::error::LabError;
use std::path::{Path, PathBuf};

/// A page with new tables and figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renewed {
    /// The page.
    pub text: String,
    /// The files of its figures.
    pub figures: Vec<(PathBuf, String)>,
    /// The lines of blocks without results.
    pub without_results: Vec<usize>,
}

const TABLE: &str = "<!-- table";
const FIGURE: &str = "<!-- figure";
const END: &str = "<!-- end -->";

/// Updates the tables and figures of a Markdown page. `dir` is the page's directory.
///
/// A block begins with a comment that holds the description of a [`MarkdownTable`] or a [`Figure`]
/// in TOML, and ends with the line `<!-- end -->`. The text between them is replaced.
///
/// ```
/// let page = "Wins.
/// <!-- table
/// source = \"wins.csv\"
/// columns = [[\"agent\", \"{name}\"]]
/// -->
/// <!-- end -->
/// ";
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("wins.csv"), "name,wins\nuct,3\n")?;
/// let renewed = tesuji_lab::report::renew(page, dir.path())?;
/// assert!(renewed.text.contains("-->\n\n| agent |\n| --- |\n| uct |\n\n<!-- end -->"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a block is not closed, or its description or its results cannot be read; the message names
/// the line.
pub fn renew(page: &str, dir: &Path) -> Result<Renewed, LabError> {
    let mut renewed = Renewed { text: String::new(), figures: Vec::new(), without_results: Vec::new() };
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        renewed.text += line;
        renewed.text.push('\n');
        if line != TABLE && line != FIGURE {
            continue;
        }
        let at = |fault: String| LabError::from(PageError::Line { number: number + 1, fault });
        let mut description = String::new();
        let mut closed = false;
        for (_, line) in lines.by_ref() {
            renewed.text += line;
            renewed.text.push('\n');
            closed = line == "-->";
            if closed {
                break;
            }
            description += line;
            description.push('\n');
        }
        // The end of a later block is not the end of this one.
        let end = lines.find(|&(_, line)| [END, TABLE, FIGURE].contains(&line));
        if !closed || end.is_none_or(|(_, line)| line != END) {
            return Err(at(format!(
                "the block has no end; expected --> and {END}, each in a line of its own"
            )));
        }
        let toml_fault = |e: toml::de::Error| at(e.message().replace('\n', ", "));
        let fault = |e: LabError| at(e.to_string());
        let made = if line == TABLE {
            let table: MarkdownTable = toml::from_str(&description).map_err(toml_fault)?;
            table.markdown(dir).map_err(fault)?
        } else {
            let figure: Figure = toml::from_str(&description).map_err(toml_fault)?;
            figure.svg(dir).map_err(fault)?.map(|svg| {
                renewed.figures.push((dir.join(&figure.file), svg));
                format!("![{}]({})\n", figure.alt, figure.file.display())
            })
        };
        if made.is_none() {
            renewed.without_results.push(number + 1);
        }
        renewed.text += &format!("\n{}\n", made.as_deref().unwrap_or("*No results yet.*\n"));
        renewed.text += END;
        renewed.text.push('\n');
    }
    Ok(renewed)
}
