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
    begun: Instant,
    last_line: Instant,
    /// How many games were there at the beginning.
    before: Option<u64>,
}

impl Progress {
    pub(crate) fn new(total: u64) -> Progress {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} [{elapsed} gone, {eta} left]");
        let bar = ProgressBar::new(total);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, begun: Instant::now(), last_line: Instant::now(), before: None }
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
        let before = *self.before.get_or_insert(state.played.saturating_sub(1));
        self.bar.set_message(score.clone());
        self.bar.set_position(state.played);
        if self.bar.is_hidden() && (self.last_line.elapsed() >= LINES || state.played == state.total) {
            self.last_line = Instant::now();
            let left = left(
                self.begun.elapsed(),
                state.played - before.min(state.played),
                state.total - state.played,
            );
            tell(format_args!("{}/{} games, {score}{left}", state.played, state.total));
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

/// The time that the rest takes at the rate so far, as the end of a line.
fn left(gone: Duration, done: u64, rest: u64) -> String {
    if done == 0 || rest == 0 {
        return String::new();
    }
    let seconds = (gone.as_secs_f64() * rest as f64 / done as f64).ceil() as u64;
    match seconds {
        0..120 => format!(", about {seconds} s left"),
        120..7200 => format!(", about {} min left", seconds.div_ceil(60)),
        _ => format!(", about {} h left", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_has_a_unit() {
        let minute = Duration::from_secs(60);
        assert_eq!(left(minute, 10, 10), ", about 60 s left");
        assert_eq!(left(minute, 10, 30), ", about 3 min left");
        assert_eq!(left(minute, 1, 300), ", about 5 h left");
        assert_eq!((left(minute, 0, 5), left(minute, 5, 0)), (String::new(), String::new()));
    }
}
