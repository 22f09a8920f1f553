//! The pages that are made from the program and the tree: what `tesuji list` says, and what each
//! file of the code is for.
//!
//! `TESUJI_WRITE_PAGES=1 cargo test -p tesuji-cli --test reference` writes them anew.

use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Fails if the page is not this text, or writes the text where that was asked for.
fn is_current(page: &str, text: &str) {
    let path = root().join(page);
    if std::env::var_os("TESUJI_WRITE_PAGES").is_some() {
        fs::write(&path, text).unwrap();
    }
    let is_same = fs::read_to_string(&path).is_ok_and(|now| now == text);
    assert!(is_same, "{page} is not current; `cargo xtask pages` writes it anew");
}

/// A row of a table, with the bars of its cells escaped, and links of the code as names.
fn row(cells: &[&str]) -> String {
    let plain = |cell: &&str| unlinked(&cell.replace('|', "\\|").replace('\n', " "));
    let cells: Vec<String> = cells.iter().map(plain).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A text with the names that it links to, without the links.
fn unlinked(text: &str) -> String {
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").unwrap_or((part, ""));
        let rest = rest.strip_prefix('(').and_then(|link| Some(link.split_once(')')?.1)).unwrap_or(rest);
        write!(plain, "`{name}`{rest}").unwrap();
    }
    plain
}

fn head(cells: &[&str]) -> String {
    row(cells) + &row(&vec!["---"; cells.len()])
}

const REFERENCE: &str = "\
# Reference

This page is for readers who look up a search, a game or a parameter. It lists what `tesuji list`
prints. `tesuji list NAME` says all about one name, `tesuji list --json` all of it for programs.

An agent is a recipe or a TOML file, then any `,key=value`, such as `uct,select.c=0.3`.
";

#[test]
fn the_reference_is_what_the_program_lists() {
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).args(["list", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = |name: &str| list[name].as_array().unwrap_or_else(|| panic!("{name}")).clone();
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let code = |text: String| format!("`{text}`");
    let mut page = REFERENCE.to_owned();

    page += "\n## Searches\n";
    let recipes = all("recipes");
    let mut groups: Vec<String> = recipes.iter().map(|recipe| text(recipe, "group")).collect();
    let mut seen = HashSet::new();
    groups.retain(|group| seen.insert(group.clone()));
    for group in groups {
        let mut title = group.clone();
        title[..1].make_ascii_uppercase();
        write!(page, "\n### {title}\n\n{}", head(&["recipe", "what"])).unwrap();
        for recipe in recipes.iter().filter(|recipe| text(recipe, "group") == group) {
            page += &row(&[&code(text(recipe, "name")), &text(recipe, "about")]);
        }
    }
    page += "\n### Other agents\n\n";
    page += &head(&["agent", "what"]);
    for agent in all("agents") {
        page += &row(&[&code(text(&agent, "name")), &text(&agent, "about")]);
    }

    page += "\n## Games\n\n";
    page += &head(&["`--game`", "what"]);
    for game in all("games") {
        page += &row(&[&code(text(&game, "name")), &text(&game, "about")]);
    }

    page += "\n## Parts and their parameters\n\nA part is chosen as `AXIS=KIND`, such as `backup=softmax`.\n";
    for part in all("parts") {
        let (axis, kind) = (text(&part, "axis"), text(&part, "kind"));
        let title = if kind.is_empty() { axis } else { format!("{axis}={kind}") };
        write!(page, "\n### {title}\n").unwrap();
        let about = text(&part, "about");
        if !about.is_empty() {
            write!(page, "\n{}\n", wrapped(&about)).unwrap();
        }
        let parameters = part["parameters"].as_array().cloned().unwrap_or_default();
        if !parameters.is_empty() {
            page.push('\n');
            page += &head(&["key", "what", "range", "unit", "default"]);
        }
        for p in &parameters {
            let cells = [text(p, "about"), text(p, "range"), text(p, "unit"), text(p, "default")];
            page += &row(&[&code(text(p, "key")), &cells[0], &cells[1], &cells[2], &code(cells[3].clone())]);
        }
    }
    is_current("docs/reference.md", &page);
}

/// A paragraph in lines of at most 100 columns.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n")
}

/// The first sentence of a file's documentation, links without their brackets.
fn purpose(file: &Path) -> String {
    let text = read(file);
    let lines = text.lines().skip_while(|line| !line.starts_with("//!"));
    let lines = lines.map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    assert!(!paragraph.is_empty(), "{} does not say what it is for", file.display());
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph[..end].to_owned()
}

const CODE: &str = "\
# The code, file by file

This page is for readers who look for the place of something. It names each module that lies
directly in a `src` folder, with the first sentence of its documentation.
[Architecture](architecture.md) says where to start reading.
";

#[test]
fn the_map_of_the_code_is_the_tree() {
    let mut page = CODE.to_owned();
    let mut crates: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).unwrap().map(|e| e.unwrap().path()).collect();
    crates.sort();
    for folder in crates.iter().filter(|folder| folder.join("src").is_dir()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        write!(page, "\n## {name}\n\n{}", head(&["file", "what"])).unwrap();
        // A module's file, and the folder beside it, are one thing.
        let mut modules: BTreeMap<String, (Option<PathBuf>, bool)> = BTreeMap::new();
        for path in fs::read_dir(folder.join("src")).unwrap().map(|entry| entry.unwrap().path()) {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let module = modules.entry(stem).or_default();
            if path.is_dir() {
                module.1 = true;
                let own = path.join("mod.rs");
                module.0 = module.0.take().or_else(|| own.is_file().then_some(own));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                module.0 = Some(path);
            }
        }
        for (stem, (file, has_folder)) in modules {
            let Some(file) = file else { continue };
            let shown = match (file.ends_with("mod.rs"), has_folder) {
                (true, _) => format!("`{stem}/`"),
                (false, true) => format!("`{stem}.rs`, `{stem}/`"),
                (false, false) => format!("`{stem}.rs`"),
            };
            page += &row(&[&shown, &purpose(&file)]);
        }
    }
    is_current("docs/code.md", &page);
}

/// The README's map has every folder of the repository, and each folder and file that it and the
/// page on architecture name is there.
#[test]
fn the_maps_name_what_is_there() {
    let readme = read(&root().join("README.md"));
    let map: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("| [`")?.split('`').next()).collect();
    for name in &map {
        assert!(root().join(name).exists(), "README.md: {name}");
    }
    let folders = |at: &str| {
        let entries = fs::read_dir(root().join(at)).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let made =
        |name: &str| name.starts_with('.') || ["target", "out", "shared", "node_modules"].contains(&name);
    for name in
        folders("").iter().filter(|name| !made(name) && !["crates", "examples"].contains(&name.as_str()))
    {
        assert!(map.contains(&name.as_str()), "README.md does not name {name}");
    }
    for at in ["crates", "examples"] {
        for name in folders(at) {
            assert!(map.contains(&format!("{at}/{name}").as_str()), "README.md does not name {at}/{name}");
        }
    }
    let architecture = read(&root().join("docs/architecture.md"));
    let named: Vec<&str> = architecture.split('`').filter(|word| word.ends_with(".rs")).collect();
    assert!(named.len() > 10, "{named:?}");
    for name in named {
        assert!(root().join("crates/tesuji/src").join(name).is_file(), "docs/architecture.md: {name}");
    }
}
