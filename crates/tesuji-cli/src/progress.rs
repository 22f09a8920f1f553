//! Progress on standard error: a live bar on a terminal, plain lines otherwise, or events as JSON.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_lab::{Estimate, Event, printable};

/// How often a plain line is printed.
const LINES: Duration = Duration::from_secs(5);

/// Characters that lines keep.
const KEPT: &str = "\n\t";

/// Writes a line to standard error; nobody has to be there to read it.
pub(crate) fn tell(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", printable(&line.to_string(), KEPT));
}

/// `--progress`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ProgressForm {
    /// Report progress on standard error in this form.
    #[arg(long = "progress", value_name = "FORM", value_enum, default_value_t = Form::Text)]
    form: Form,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Form {
    /// A live bar on a terminal, plain lines otherwise.
    #[default]
    Text,
    /// One JSON object a line for each event.
    Json,
}

/// Shows what happens: a bar for each step, and lines; or each event as JSON.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    form: Form,
    step: Option<Step>,
    /// Whether steps have names.
    is_titled: bool,
}

/// The bar of a step.
#[derive(Debug)]
struct Step {
    bar: ProgressBar,
    begun: Instant,
    last_line: Instant,
    total: u64,
    done: u64,
    /// How many trials were there at the beginning.
    before: Option<u64>,
    /// The last estimate.
    estimate: String,
}

impl Progress {
    pub(crate) fn new(form: ProgressForm) -> Progress {
        Progress { form: form.form, ..Progress::default() }
    }

    /// Of several steps, each under a line that says what is counted.
    pub(crate) fn titled(self) -> Progress {
        Progress { is_titled: true, ..self }
    }

    pub(crate) fn show(&mut self, event: Event<'_>) {
        if self.form == Form::Json {
            return tell(format_args!("{}", event.json()));
        }
        if let Event::Started { name, about, number, of, total } = event {
            let step = Step::new(total);
            if self.is_titled {
                let about = if about.is_empty() { String::new() } else { format!(": {about}") };
                step.line(&format!("{number}/{of} {name}{about}"));
            }
            self.step = Some(step);
        }
        let Some(step) = &mut self.step else { return };
        match event {
            Event::Failed { why, .. } => step.line(&format!("game {}: a game failed: {why}", step.done)),
            Event::Done(done) => step.count(done),
            Event::Moved(Estimate { name, value, interval: [lo, hi], .. }) => {
                step.estimate = format!("{name} {value:.3} in [{lo:.3}, {hi:.3}]");
                step.bar.set_message(step.estimate.clone());
            }
            Event::Note(line) => step.line(line),
            Event::Stopped(_) => {
                step.bar.finish_and_clear();
                self.step = None;
            }
            Event::Started { .. } | Event::Game { .. } => {}
        }
    }
}

impl Step {
    fn new(total: u64) -> Step {
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} [{elapsed} elapsed, {eta} left]");
        let bar = ProgressBar::new(total);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let now = Instant::now();
        Step { bar, begun: now, last_line: now, total, done: 0, before: None, estimate: String::new() }
    }

    /// N trials are done.
    fn count(&mut self, done: u64) {
        self.done = done;
        let before = *self.before.get_or_insert(done.saturating_sub(1));
        self.bar.set_position(done);
        let is_due = self.last_line.elapsed() >= LINES || done == self.total;
        if is_due && self.bar.is_hidden() && !self.estimate.is_empty() {
            self.last_line = Instant::now();
            let left =
                left(self.begun.elapsed(), done.saturating_sub(before), self.total.saturating_sub(done));
            tell(format_args!("{done}/{} games, {}{left}", self.total, self.estimate));
        }
    }

    fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            tell(format_args!("{text}"))
        } else {
            self.bar.println(printable(text, KEPT))
        }
    }
}

/// The time that the rest takes at the rate so far, as the end of a line.
fn left(elapsed: Duration, done: u64, rest: u64) -> String {
    if done == 0 || rest == 0 {
        return String::new();
    }
    let seconds = (elapsed.as_secs_f64() * rest as f64 / done as f64).ceil() as u64;
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
