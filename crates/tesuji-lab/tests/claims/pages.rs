//! How the pages are written: prose fits 100 columns and says N for a number.

use crate::files;
use std::path::Path;

/// The faults of a page's prose, each with its line; tables, code, comments and lines of one link are exempt.
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
            let columns = line.chars().count();
            if columns > 100 {
                found.push(format!("line {}: {columns} columns", i + 1));
            }
            if format!("{before} {text}").contains("so many") {
                found.push(format!("line {}: \"so many\" for a number: write N", i + 1));
            }
        }
        // A phrase may run over the end of a line.
        before = if is_prose && text.ends_with(" so") { "so" } else { "" };
    }
    found
}

#[test]
fn prose_fits_and_says_n() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
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
