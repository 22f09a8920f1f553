//! The pages: their commands run as printed, their links lead somewhere, their Rust is that of the
//! examples.
//!
//! A block marked `sh` is run line by line in an empty directory with the folders of the repository
//! that it may read, and a game of Go, `game.sgf`. A block marked `sh long` is not run, nor an
//! indented one, nor a line for `cargo`, `git`, `bash` or `docker`: they take long, or need what is
//! not there. A `toml` block that begins with `# NAME.toml` is written to that file. A `text` block
//! after commands is what the last of them prints, times apart.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// The fenced blocks of a page: what stands after the fence, and the lines.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(info) if !is_open => found.push((info.to_owned(), Vec::new())),
            Some(_) => {}
            None if is_open => found.last_mut().unwrap().1.push(line.to_owned()),
            None => continue,
        }
        is_open ^= line.starts_with("```");
    }
    found
}

/// A directory with what the commands of pages read.
fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("experiments/examples"), &dir.path().join("experiments/examples"));
    copy(&root().join("results/race"), &dir.path().join("results/race"));
    fs::create_dir(dir.path().join("results/train")).unwrap();
    let network = "results/train/go9-b6.safetensors";
    fs::copy(root().join(network), dir.path().join(network)).unwrap();
    let game = "(;GM[1]FF[4]SZ[9]KM[7.5];B[ee];W[gc];B[cg];W[gg];B[cc])";
    fs::write(dir.path().join("game.sgf"), game).unwrap();
    dir
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap).filter(|e| e.path().is_file()) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Runs a line by the shell, the program first on its path; what it printed.
fn run(line: &str, dir: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tesuji")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).current_dir(dir).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{line}\n{out}\n{err}");
    out.into_owned()
}

/// The words of an output, without its times: a number in front of `s`.
fn timeless(output: &str) -> Vec<&str> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let is_time = |i: usize| words.get(i + 1) == Some(&"s") && words[i].parse::<f64>().is_ok();
    (0..words.len()).filter(|&i| !is_time(i)).map(|i| words[i]).collect()
}

/// Runs the commands of a page, at least `least` of them, and says where they ran.
fn run_commands(page: &str, least: usize) -> PathBuf {
    let dir = workplace();
    let mut printed = None;
    let mut count = 0;
    for (info, lines) in blocks(&read(&root().join(page))) {
        match info.as_str() {
            "sh" => {
                for line in lines.iter().filter(|line| !line.starts_with('#')) {
                    let first = line.split(' ').next().unwrap_or_default();
                    if !["cargo", "git", "bash", "docker"].contains(&first) {
                        printed = Some(run(line, dir.path()));
                        count += 1;
                    }
                }
                continue;
            }
            "toml" => {
                let named = lines[0].strip_prefix("# ").and_then(|rest| rest.split(':').next());
                if let Some(file) = named.filter(|name| name.ends_with(".toml") && !name.contains(' ')) {
                    fs::write(dir.path().join(file), lines.join("\n")).unwrap();
                }
            }
            "text" => {
                let printed = printed.as_ref().expect("a command in front of its output");
                assert_eq!(timeless(printed), timeless(&lines.join("\n")), "{page}");
            }
            _ => {}
        }
    }
    assert!(count >= least, "{page}: {count} commands");
    dir.keep()
}

#[test]
fn the_readme_is_true() {
    let text = read(&root().join("README.md"));
    assert!(text.lines().count() < 200);
    assert!(text.lines().any(|line| line == "cargo test"));
    let dir = run_commands("README.md", 10);
    let picture = root().join("docs/search.svg");
    assert_eq!(read(&dir.join("search.svg")), read(&picture), "the first command draws the first picture");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_tutorial_is_true() {
    fs::remove_dir_all(run_commands("docs/tutorial.md", 4)).unwrap();
}

#[test]
fn the_tour_and_the_page_on_installing_run() {
    for page in ["docs/tour.md", "docs/install.md"] {
        if page == "docs/install.md" {
            let dir = workplace();
            for line in ["tesuji completions bash > tesuji.bash", "tesuji man man"] {
                assert!(read(&root().join(page)).lines().any(|l| l == line), "{line}");
                run(line, dir.path());
            }
            assert!(dir.path().join("man/tesuji-match.1").is_file());
        } else {
            fs::remove_dir_all(run_commands(page, 10)).unwrap();
        }
    }
}

#[test]
fn the_chapters_run() {
    let tested =
        ["SUMMARY.md", "tutorial.md", "tour.md", "install.md"].map(|name| root().join("docs").join(name));
    let mut chapters: Vec<PathBuf> =
        pages().into_iter().filter(|page| page.starts_with(root().join("docs"))).collect();
    chapters.retain(|page| !tested.contains(page));
    let ran: Vec<PathBuf> = chapters
        .iter()
        .filter(|page| blocks(&read(page)).iter().any(|(info, _)| info == "sh"))
        .map(|page| run_commands(page.strip_prefix(root()).unwrap().to_str().unwrap(), 1))
        .collect();
    assert!(ran.len() > 10, "{ran:?}");
    ran.into_iter().for_each(|dir| fs::remove_dir_all(dir).unwrap());
}

/// Experiments of hours are checked without a game: their files, and all that these name. Some need
/// GNU Go, or what an earlier command of the page makes.
#[test]
fn long_experiments_are_sound() {
    let dir = tempfile::tempdir().unwrap();
    let mut commands = BTreeSet::new();
    for page in pages() {
        for line in read(&page).lines() {
            let mut words = line.split_whitespace().skip_while(|word| *word != "tesuji").skip(1);
            if let (Some(command @ ("run" | "tune" | "race" | "train")), Some(file)) =
                (words.next(), words.next())
                && file.starts_with("experiments/")
                && file.ends_with(".toml")
            {
                commands.insert((command.to_owned(), file.to_owned()));
            }
        }
    }
    assert!(commands.len() > 12, "{commands:?}");
    for (command, file) in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args([&command, &file, "--limit", "0"])
            .args([Path::new("--out"), dir.path(), Path::new("--results"), dir.path()])
            .current_dir(root())
            .output()
            .unwrap();
        let faults = String::from_utf8_lossy(&output.stderr);
        let lacks = faults
            .lines()
            .any(|line| line.starts_with("tesuji: ") && (line.contains("gnugo") || line.contains("out/")));
        assert!(output.status.success() || lacks, "tesuji {command} {file} --limit 0: {faults}");
    }
}

/// The help of each command ends with examples, which run in the order of the commands.
#[test]
fn the_examples_of_the_help_run() {
    let dir = workplace();
    let help = run("tesuji --help", dir.path());
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let help = run(&format!("tesuji {command} --help"), dir.path());
        let examples: Vec<&str> = help
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .map_while(|line| line.strip_prefix("  "))
            .collect();
        assert_eq!(examples.len(), 2, "{command}");
        // Servers and workers run until they are stopped; they have tests of their own.
        for example in examples.into_iter().filter(|_| !["serve", "worker"].contains(&command)) {
            run(&format!("{example} < /dev/null"), dir.path());
        }
        let page = help.lines().find_map(|line| line.strip_prefix("More: ")).unwrap();
        assert!(root().join(page).is_file(), "{command}: {page}");
    }
}

/// The keys that the program accepts where a file of this kind has an unknown one at its end.
fn accepted_keys(kind: &str, more: &str, dir: &Path) -> Vec<String> {
    let file = dir.join("keys.toml");
    fs::write(&file, format!("kind = \"{kind}\"\nname = \"keys\"\n{more}\nunknown = 1\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).arg("run").arg(&file).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, accepted) = message.split_once("unknown field `unknown`; accepted: ").expect(&message);
    accepted.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_of_experiment_files_is_on_its_page() {
    let dir = tempfile::tempdir().unwrap();
    for (page, kind, more) in [
        ("experiments.md", "matches", "[[match]]"),
        ("experiments.md", "decisions", ""),
        ("experiments.md", "decisions", "[[setting]]"),
        ("experiments.md", "decisions", "[[agent]]"),
        ("experiments.md", "points", "[[match]]"),
        ("experiments.md", "incentives", "[[learning]]"),
        ("tuning.md", "tuning", ""),
        ("tuning.md", "tuning", "[search]"),
        ("tuning.md", "tuning", "[[validation]]"),
        ("races.md", "race", ""),
        ("races.md", "race", "[race]"),
        ("races.md", "race", "[patterns]"),
        ("races.md", "race", "[[arm]]"),
        ("training.md", "train", ""),
        ("training.md", "train", "[network]"),
        ("training.md", "train", "[self_play]"),
        ("training.md", "train", "[teacher]"),
        ("training.md", "train", "[learning]"),
        ("training.md", "train", "[evaluation]"),
        ("training.md", "train", "[[opponent]]"),
    ] {
        let text = read(&root().join("docs").join(page));
        // In a table or a sentence, or in a file that the page shows.
        let is_there = |key: &String| {
            [format!("`{key}`"), format!("`[[{key}]]`"), format!("\n{key} = ")]
                .iter()
                .any(|k| text.contains(k))
        };
        let keys = accepted_keys(kind, more, dir.path());
        let missing: Vec<_> = keys.into_iter().filter(|key| !is_there(key)).collect();
        assert!(missing.is_empty(), "{page}, {kind} {more}: {missing:?}");
    }
}

/// All Markdown pages of the repository, and the ones of the book.
fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "out", "shared", "node_modules"].contains(&&*name) && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text of a page outside of its code.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut is_comment = false;
    let mut text = String::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        is_comment |= line.starts_with("<!--");
        if !is_code && !is_comment && !line.starts_with("    ") {
            text += line;
            text.push('\n');
        }
        is_comment &= !line.ends_with("-->");
    }
    text
}

/// The anchors of a page as GitHub and mdBook make them of headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = prose(&read(&page));
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap_or_default().replace('\n', "");
            if link.contains("://") || link.is_empty() {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_there = target.exists();
            let has_anchor = || anchor.is_empty() || anchors(&prose(&read(&target))).contains(anchor);
            if !is_there || (target.extension().is_some_and(|e| e == "md") && !has_anchor()) {
                faults.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count > 100, "{count} links");
}

#[test]
fn the_book_has_every_page_of_docs_once() {
    let docs = root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let listed: Vec<PathBuf> = summary
        .match_indices("](")
        .map(|(at, _)| docs.join(summary[at + 2..].split(')').next().unwrap()))
        .collect();
    let written: BTreeSet<PathBuf> =
        pages().into_iter().filter(|p| p.starts_with(&docs) && !p.ends_with("SUMMARY.md")).collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), written);
    assert_eq!(listed.len(), written.len());
}

/// A program with a game of its own compiles in seconds, because it needs no crate in another form
/// than the program does.
#[test]
fn own_programs_share_the_crates_of_the_program() {
    let crates = |package: &str| -> BTreeSet<String> {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--package", package, "--edges", "normal,build"])
            .args(["--prefix", "none", "--format", "{p} {f}"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.trim_end_matches(" (*)").trim().to_owned()).collect()
    };
    let (program, own) = (crates("tesuji-cli"), crates("own-program"));
    let more: Vec<&String> = own.difference(&program).collect();
    assert!(program.len() > 50 && more.len() == 1 && more[0].starts_with("own-program "), "{more:?}");
}

/// The documentation of a crate opens with what it is, an example and a map of its items.
#[test]
fn each_crate_opens_with_an_example_and_a_map() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap) {
        let source = read(&entry.path().join("src/lib.rs"));
        let opening: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
        let has = |start: &str| opening.iter().any(|line| line.starts_with(start));
        let has_map = has(" | --- |") || has(" * [`");
        assert!(opening[0].len() > 20 && has(" ```") && has_map, "{}", entry.path().display());
        count += 1;
    }
    assert!(count > 10, "{count} crates");
}

#[test]
fn rust_on_pages_is_that_of_the_examples() {
    let mut sources = String::new();
    for folder in ["crates/tesuji/examples", "examples/own-program/src"] {
        for entry in fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
            sources += &read(&entry.path());
        }
    }
    let mut count = 0;
    // READMEs are documentation tests of `tesuji-games`.
    for page in pages().into_iter().filter(|page| !page.ends_with("README.md")) {
        for (_, lines) in blocks(&read(&page)).into_iter().filter(|(info, _)| info == "rust") {
            for part in lines.split(|line| line.is_empty()).filter(|part| !part.is_empty()) {
                assert!(sources.contains(&part.join("\n")), "{}: {}", page.display(), part.join("\n"));
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count} pieces");
}
