//! The page.

use super::pack::Packed;
use super::table::grouped;
use super::{Drawing, MatchResult, Record};
use crate::error::LabError;
use crate::table::Table;
use crate::write_atomic::write_atomic;
use askama::Template;
use std::path::Path;

/// The options of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageOptions {
    /// The largest number of bytes of the games in it. Games that do not fit are left out, and the
    /// page says so. Default: 1.6 million.
    pub games_bytes: usize,
    /// The page of an unfinished experiment reloads itself every N seconds; 0: never. Default:
    /// 0.
    pub again: u32,
}

impl Default for PageOptions {
    /// 1.6 million bytes of games, so that the page stays below 2 MB.
    fn default() -> Self {
        PageOptions { games_bytes: 1_600_000, again: 0 }
    }
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    record: &'a Record,
    /// What came out, in a sentence or a few lines.
    verdict: Vec<String>,
    match_results: Vec<MatchResult>,
    drawings: Vec<Drawing>,
    packed: Packed,
    again: u32,
    /// Goes with every copy of the code.
    go_board_license: &'static str,
    css: &'static str,
    scripts: [&'static str; 3],
}

impl Record {
    /// The report as one HTML file that needs nothing else: tables, figures, every game on a board.
    ///
    /// # Errors
    /// If a figure cannot be drawn.
    pub fn html(&self, options: PageOptions) -> Result<String, LabError> {
        let page = Page {
            record: self,
            verdict: self.verdict(),
            match_results: self.match_results(),
            drawings: self.drawings()?,
            packed: Packed::new(self, options.games_bytes),
            again: if self.progress.is_unfinished { options.again } else { 0 },
            go_board_license: include_str!("assets/go-board/LICENSE"),
            css: include_str!("assets/page.css"),
            scripts: [
                concat!("const module = {};\n", include_str!("assets/go-board/GoBoard.js")),
                include_str!("assets/boards.js"),
                include_str!("assets/page.js"),
            ],
        };
        page.render().map_err(LabError::failed)
    }

    /// Writes the report to a file. No reader sees the file half written.
    ///
    /// # Errors
    /// As [`Record::html`], and if the file cannot be written.
    pub fn write(&self, file: &Path, options: PageOptions) -> Result<(), LabError> {
        write_atomic(file, &self.html(options)?)
    }
}

/// The most columns of a table before someone asks for all.
const COLUMNS: usize = 9;

/// Columns that a table shows before others.
const RESULTS: [&str; 11] =
    ["name", "score", "ci95_lo", "ci95_hi", "elo", "elo_lo", "elo_hi", "p", "value", "sd", "verdict"];

/// How wide the drawing of an interval is.
const WIDTH: f64 = 176.0;

impl Page<'_> {
    /// Where a score is in the drawing of an interval.
    fn place(&self, score: f64) -> String {
        format!("{:.1}", 4.0 + score * (WIDTH - 8.0))
    }

    fn number(&self, number: u64) -> String {
        grouped(&number.to_string())
    }

    /// The ratings as they are shown, if there are any.
    fn ratings(&self) -> Option<Vec<[String; 5]>> {
        let table = self.record.results.table("ratings").filter(|table| !table.is_empty())?;
        let row = |row: usize| {
            let number = |column: &str| table.at(row, column).number();
            let interval = number("elo_lo").zip(number("elo_hi"));
            [
                table.at(row, "agent").to_string(),
                number("elo").map_or(String::new(), |elo| format!("{elo:+.0}")),
                interval.map_or(String::new(), |(lo, hi)| format!("[{lo:+.0}, {hi:+.0}]")),
                self.number(table.at(row, "games").count().unwrap_or(0)),
                format!("{:.3}", number("score").unwrap_or(0.0)),
            ]
        };
        Some((0..table.len()).map(row).collect())
    }

    /// Which columns of a table stand there from the beginning: at most nine, the results first.
    fn shown_columns(&self, table: &Table) -> Vec<bool> {
        let columns = table.columns();
        let rank = |i: usize| {
            let is_same = table.rows().windows(2).all(|rows| rows[0][i] == rows[1][i]);
            (!RESULTS.contains(&&*columns[i].name), is_same)
        };
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&i| rank(i));
        let mut shown = vec![false; columns.len()];
        order.into_iter().take(COLUMNS).for_each(|i| shown[i] = true);
        shown
    }

    fn has_several(&self) -> bool {
        self.record.matches.len() > 1
    }
}
