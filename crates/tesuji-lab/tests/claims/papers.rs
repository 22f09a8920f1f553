//! The table of contents of the papers: `docs/papers.toml` and `results` make `docs/papers.md`.
//!
//! `TESUJI_WRITE_PAGES=1 cargo test -p tesuji-lab --test claims papers` writes it anew.

use super::check::{filled, row};
use super::{docs, results};
use rusqlite::Connection;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    paper: Vec<Paper>,
    row: Vec<Row>,
    line: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    /// The first letters of the numbers of its rows.
    letter: String,
    title: String,
    about: String,
}

/// A section, formula, figure, table or sentence of a paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    section: String,
    what: String,
    #[serde(default)]
    part: String,
    /// A file below `experiments`, or an example.
    #[serde(default)]
    experiment: String,
    /// The paper's number.
    #[serde(default)]
    paper: String,
    /// Ours: `{score:%}` stands for a column of the query.
    #[serde(default)]
    ours: String,
    #[serde(default)]
    sql: String,
    /// Matches in place of both: a file of results, then names of rows.
    #[serde(default)]
    matches: Vec<String>,
    verdict: Verdict,
    /// What a verdict needs, or what was cut would cost.
    #[serde(default)]
    cost: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Built,
    Confirmed,
    Contradicted,
    NotDecided,
    Cut,
}

impl Verdict {
    fn text(self) -> &'static str {
        match self {
            Verdict::Built => "built",
            Verdict::Confirmed => "**confirmed**",
            Verdict::Contradicted => "**contradicted**",
            Verdict::NotDecided => "not decided",
            Verdict::Cut => "cut",
        }
    }
}

/// Core-hours of a group of experiments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    what: String,
    /// A query with one column `hours`, or none if nothing was played.
    #[serde(default)]
    sql: String,
    #[serde(default)]
    note: String,
}

const HEAD: &str = "\
# The five papers, row by row

This page is for readers who hold one of the five papers and look for the part of tesuji that does
what a section says, for the experiment that repeats a figure or a table, and for the outcome.
[`papers.toml`](papers.toml) and the files of [`results`](../results) make this page; a test fails
if it is not current.

| verdict | meaning |
| --- | --- |
| built | a definition or a method: the part does it, and tests compare it with the formula or with a slow method |
| **confirmed** | games or trials agree with the paper's sentence, after correction for the comparisons of their table |
| **contradicted** | they disagree, after correction |
| not decided | there are too few, or none on the paper's scale; the cell says how many would decide |
| cut | not done; the cell says what it costs |

Intervals are 95 %, by Agresti and Coull. A number of games that would decide tells the score from
one half in four of five repetitions, at 5 %.
";

fn cell(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if text.is_empty() { "-".to_owned() } else { text }
}

fn link(experiment: &str) -> String {
    match experiment {
        "" => String::new(),
        path => {
            let root = docs().join("..");
            let path = if root.join("experiments").join(path).exists() {
                format!("experiments/{path}")
            } else {
                path.to_owned()
            };
            assert!(root.join(&path).exists(), "{path} does not exist");
            let name = path.trim_end_matches(".toml").trim_start_matches("experiments/");
            let name = name.rsplit_once("examples/").map_or(name, |(_, name)| name);
            format!("[{name}](../{path})")
        }
    }
}

impl Row {
    fn ours(&self, results: &Connection) -> Result<String, String> {
        if let [file, names @ ..] = &self.matches[..] {
            let scores = names.iter().map(|name| {
                let sql = format!(
                    "select score, ci95_lo as lo, ci95_hi as hi, games from [{file}] where name = '{name}'"
                );
                let text = "{score:%} ({lo:%} to {hi:%}) of {games:,}";
                filled(text, &row(&sql, results)?).map(|(text, _)| text.replacen(" % to", " to", 1))
            });
            return Ok(scores.collect::<Result<Vec<_>, _>>()?.join("; "));
        }
        if self.sql.is_empty() {
            // A number without a source is no number of ours.
            let digits =
                self.ours.split('`').step_by(2).any(|text| text.contains(|c: char| c.is_ascii_digit()));
            return if digits { Err("a number without a query".into()) } else { Ok(self.ours.clone()) };
        }
        let values = row(&self.sql, results)?;
        if values.iter().any(|(column, value)| column == "holds" && value != "1") {
            return Err(format!("the verdict does not hold: {values:?}"));
        }
        filled(&self.ours, &values).map(|(text, _)| text)
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_measured = !self.sql.is_empty() || !self.matches.is_empty();
        match self.verdict {
            Verdict::Built if self.part.is_empty() => Err("it names no part"),
            Verdict::Confirmed | Verdict::Contradicted if !is_measured => {
                Err("no result supports the verdict")
            }
            Verdict::NotDecided | Verdict::Cut if self.cost.is_empty() => Err("it says no cost"),
            _ => Ok(()),
        }
    }
}

fn page(contents: &Contents, results: &Connection) -> Result<String, String> {
    let mut page = HEAD.to_owned();
    let mut seen = HashSet::new();
    let mut counts = BTreeMap::new();
    for Paper { letter, title, about } in &contents.paper {
        write!(page, "\n## {title}\n\n{}\n\n", about.trim()).unwrap();
        page += "| # | section | what | part | experiment | paper | ours | verdict |\n";
        page += "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
        let mut number = 0;
        for row in contents.row.iter().filter(|row| row.id.starts_with(letter.as_str())) {
            number += 1;
            let fault = |fault: &str| format!("row {}: {fault}", row.id);
            if row.id != format!("{letter}{number}") || !seen.insert(&row.id) {
                return Err(fault(&format!("row {number} of the paper is {letter}{number}")));
            }
            row.check().map_err(fault)?;
            *counts.entry(row.verdict).or_insert(0) += 1;
            let ours = row.ours(results).map_err(|f| fault(&f))?;
            let verdict = match &row.cost {
                cost if cost.is_empty() => row.verdict.text().to_owned(),
                cost => format!("{}: {cost}", row.verdict.text()),
            };
            let cells = [&row.id, &row.section, &row.what, &row.part].map(|text| cell(text));
            let more = [&link(&row.experiment), &row.paper, &ours, &verdict].map(|text| cell(text));
            writeln!(page, "| {} | {} |", cells.join(" | "), more.join(" | ")).unwrap();
        }
    }
    if seen.len() != contents.row.len() {
        return Err("a row belongs to no paper".to_owned());
    }
    page += "\n## Count\n\n| verdict | rows |\n| --- | --- |\n";
    for (verdict, count) in counts {
        writeln!(page, "| {} | {count} |", verdict.text()).unwrap();
    }
    writeln!(page, "| all | {} |", seen.len()).unwrap();
    page += "\n## Core-hours\n\n\
             The table has the processor time of the searches in the tables above, as their files record\n\
             it. Most of it was spent on loaded machines, where a second holds less work.\n\n\
             | what | core-hours | note |\n| --- | --- | --- |\n";
    for line in &contents.line {
        let hours = match &line.sql[..] {
            "" => "not recorded".to_owned(),
            sql => filled("{hours:2}", &row(sql, results)?)?.0,
        };
        writeln!(page, "| {} | {hours} | {} |", cell(&line.what), cell(&line.note)).unwrap();
    }
    Ok(page)
}

#[test]
fn the_contents_of_the_papers_are_current() {
    let results = results::open(&docs().join("../results"));
    let text = std::fs::read_to_string(docs().join("papers.toml")).unwrap();
    let contents: Contents = toml::from_str(&text).unwrap_or_else(|e| panic!("papers.toml: {e}"));
    let page = page(&contents, &results).unwrap_or_else(|fault| panic!("papers.toml: {fault}"));
    let path = docs().join("papers.md");
    if std::env::var_os("TESUJI_WRITE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let is_same = std::fs::read_to_string(&path).is_ok_and(|now| now == page);
    assert!(is_same, "docs/papers.md is not current; `cargo xtask pages` writes it anew");
}

#[test]
fn a_row_needs_its_result_its_part_and_its_cost() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.csv"), "name,score,ci95_lo,ci95_hi,games\na,0.525,0.5,0.55,1200\n")
        .unwrap();
    let results = results::open(dir.path());
    let made = |row: &str| {
        let text = format!(
            "line = []\npaper = [{{ letter = 'P', title = 'T', about = 'A' }}]\n[[row]]\nid = 'P1'\nsection = '1'\nwhat = 'w'\n{row}"
        );
        page(&toml::from_str(&text).unwrap(), &results)
    };
    let good = made("matches = ['m.csv', 'a']\nverdict = 'confirmed'").unwrap();
    assert!(good.contains("| 52.5 % (50.0 to 55.0 %) of 1200 | **confirmed** |"), "{good}");
    let fault = |row: &str| made(row).unwrap_err();
    assert!(fault("verdict = 'confirmed'").contains("no result"));
    assert!(fault("verdict = 'built'").contains("no part"));
    assert!(fault("verdict = 'cut'").contains("no cost"));
    assert!(fault("matches = ['m.csv', 'b']\nverdict = 'confirmed'").contains("0 rows"));
    assert!(fault("ours = '52 %'\npart = 'x'\nverdict = 'built'").contains("without a query"));
    let sql = "sql = \"select score, score > 0.6 as holds from [m.csv]\"";
    assert!(fault(&format!("ours = '{{score}}'\n{sql}\nverdict = 'confirmed'")).contains("does not hold"));
}
