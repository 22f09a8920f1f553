//! How pages and comments are written: prose fits 100 columns and says N for a number.

use crate::files;
use std::path::{Path, PathBuf};

/// What is wrong with one line of prose after the line `before`.
fn fault(line: &str, before: &str) -> Option<String> {
    let columns = line.chars().count();
    if format!("{before} {}", line.trim()).to_lowercase().contains("so many") {
        return Some("\"so many\" for a number: write N".into());
    }
    (columns > 100).then(|| format!("{columns} columns"))
}

/// What a line leaves for the next one: a phrase may run over the end of a line.
fn open_phrase(text: &str) -> &'static str {
    if text.ends_with(" so") || text == "so" || text == "So" { "so" } else { "" }
}

/// The faults of a page's prose, each with its line; tables, code, comments and lines of one link
/// are exempt.
fn faults(page: &str) -> Vec<String> {
    let (mut in_code, mut in_comment) = (false, false);
    let (mut found, mut before) = (Vec::new(), "");
    for (i, line) in page.lines().enumerate() {
        let text = line.trim();
        in_comment |= text.starts_with("<!--");
        let is_fence = text.starts_with("```");
        in_code ^= is_fence;
        let is_link = text.ends_with(')') && (text.starts_with("![") || !text.contains(' '));
        let is_prose = !(in_code || is_fence || in_comment || is_link || text.starts_with('|'));
        in_comment &= !text.ends_with("-->");
        if is_prose && !line.starts_with("    ") {
            found.extend(fault(line, before).map(|fault| format!("line {}: {fault}", i + 1)));
        }
        before = if is_prose { open_phrase(text) } else { "" };
    }
    found
}

/// The faults of the comments of a Rust file, each with its line; tables and code in them are
/// exempt.
fn comment_faults(source: &str) -> Vec<String> {
    let (mut in_code, mut found, mut before) = (false, Vec::new(), "");
    for (i, line) in source.lines().enumerate() {
        let Some(text) = line.trim_start().strip_prefix("//") else {
            (in_code, before) = (false, "");
            continue;
        };
        let text = text.trim_start_matches(['/', '!']).trim();
        let is_fence = text.starts_with("```");
        in_code ^= is_fence;
        let is_prose = !(in_code || is_fence || text.starts_with('|'));
        if is_prose {
            let fault = fault(line, "").or_else(|| fault(text, before));
            found.extend(fault.map(|fault| format!("line {}: {fault}", i + 1)));
        }
        before = if is_prose { open_phrase(text) } else { "" };
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn comments_fit_and_say_n() {
    let root = root();
    let folders = ["crates", "benches", "examples", "fuzz", "gpu", "python", "xtask"];
    let sources: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| files(&root.join(folder), ".rs"))
        .filter(|source| !source.components().any(|part| part.as_os_str() == "target"))
        .collect();
    assert!(sources.len() > 500, "{} sources", sources.len());
    let mut found = Vec::new();
    for source in &sources {
        let text = std::fs::read_to_string(source).unwrap();
        let name = source.strip_prefix(&root).unwrap();
        found.extend(comment_faults(&text).into_iter().map(|fault| format!("{}, {fault}", name.display())));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn prose_fits_and_says_n() {
    let root = root();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Hidden folders, builds and outputs are no pages; lines of the changelog may be longer.
        if name.starts_with('.') || ["target", "out", "shared", "CHANGELOG.md"].contains(&name.as_str()) {
            continue;
        }
        let pages = if path.is_dir() { files(&path, ".md") } else { vec![path] };
        for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "md")) {
            let text = std::fs::read_to_string(page).unwrap();
            let name = page.strip_prefix(&root).unwrap().display();
            found.extend(faults(&text).into_iter().map(|fault| format!("{name}, {fault}")));
        }
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn tables_code_and_links_may_be_wide() {
    let wide = "word ".repeat(21);
    assert_eq!(faults(&wide), ["line 1: 105 columns"]);
    assert_eq!(
        faults(&format!("```\n{wide}\n```\n\n    {wide}\n| {wide} |\n<!-- table\n{wide}\n-->")),
        [""; 0]
    );
    assert_eq!(faults(&format!("![{wide}](a.svg)")), [""; 0]);
    assert_eq!(faults("Play so many games.").len(), 1);
    assert_eq!(faults("Play so\nmany games."), ["line 2: \"so many\" for a number: write N"]);
}

#[test]
fn comments_of_code_may_hold_tables_and_code() {
    let wide = "word ".repeat(21);
    assert_eq!(comment_faults(&format!("    /// {wide}")), ["line 1: 113 columns"]);
    assert_eq!(
        comment_faults(&format!("let {wide};\n//! | {wide} |\n/// ```\n/// {wide}\n/// ```\n")),
        [""; 0]
    );
    assert_eq!(comment_faults("    // So many games.").len(), 1);
    assert_eq!(
        comment_faults("/// Plays so\n/// many games."),
        ["line 2: \"so many\" for a number: write N"]
    );
    assert_eq!(comment_faults("// Do so.\nlet x;\n// Many games."), [""; 0]);
}
