//! Progress on standard error: a live bar on a terminal, plain lines otherwise.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_lab::MatchProgress;
use tesuji_lab::stats::agresti_coull;

/// How often a plain line is printed.
const LINES: Duration = Duration::from_secs(5);

/// Writes a line to standard error; nobody has to be there to read it.
pub(crate) fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Shows how a match stands.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    last_line: Instant,
}

impl Progress {
    pub(crate) fn new(total: u64) -> Progress {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} [{elapsed} + {eta}]");
        let bar = ProgressBar::new(total);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, last_line: Instant::now() }
    }

    /// Under a line that says what is counted.
    pub(crate) fn titled(total: u64, title: &str) -> Progress {
        let progress = Progress::new(total);
        progress.line(title);
        progress
    }

    pub(crate) fn show(&mut self, state: &MatchProgress) {
        let (games, points) = (state.counts.games(), state.counts.points());
        let ci = agresti_coull(points, games as f64, 0.95);
        let score = format!("score {:.3} in [{:.3}, {:.3}]", state.counts.score(), ci.lo, ci.hi);
        if let Some(note) = &state.note {
            self.line(&format!("game {}: {note}", state.played));
        }
        self.bar.set_message(score.clone());
        self.bar.set_position(state.played);
        if self.bar.is_hidden() && (self.last_line.elapsed() >= LINES || state.played == state.total) {
            self.last_line = Instant::now();
            tell(format_args!("{}/{} games, {score}", state.played, state.total));
        }
    }

    /// So many are done.
    pub(crate) fn count(&self, done: u64) {
        self.bar.set_position(done);
    }

    pub(crate) fn line(&self, text: &str) {
        if self.bar.is_hidden() { tell(format_args!("{text}")) } else { self.bar.println(text) }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
