//! The state of a session, and a command that is carried out.

use super::inbox::Inbox;
use super::protocol::{Command, head, log_line};
use crate::engine::Engine;
use crate::rule_set::RuleSet;
use crate::rules::{Komi, Rules};
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

/// An engine that is spoken to by GTP.
#[derive(Debug)]
pub struct Session {
    pub(super) engine: Engine,
    /// `quit` was received.
    pub(super) over: bool,
    /// The next wait for a command may be used for pondering.
    pub(super) may_ponder: bool,
    /// What decided the last move.
    pub(super) explanation: String,
    /// What `version` answers in place of the program's own.
    pub(super) version: Option<String>,
    log: Log,
    /// The last note on the komi of this game.
    komi_note: Option<String>,
}

/// The warning that an agent assumes another komi.
pub fn komi_note(agent: &str, komi: Komi, own: Komi) -> String {
    format!(
        "warning: the komi is {komi}, but the network of {agent} ignores it: it learned from games with komi {own}"
    )
}

/// Who hears what is no response.
struct Log(Box<dyn FnMut(&str)>);

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

impl Session {
    /// A session with this engine.
    pub fn new(engine: Engine) -> Session {
        Session {
            engine,
            over: false,
            may_ponder: false,
            explanation: String::new(),
            version: None,
            log: Log(Box::new(|_| {})),
            komi_note: None,
        }
    }

    /// Answers this text to `version`. Lizzie refuses an engine whose second number is below 15.
    #[must_use]
    pub fn with_version(mut self, version: String) -> Session {
        self.version = Some(version);
        self
    }

    /// Passes warnings to `log`, one line each without its line break. No line looks like a
    /// response, even to a controller that reads both streams.
    #[must_use]
    pub fn with_log(mut self, log: impl FnMut(&str) + 'static) -> Session {
        self.log = Log(Box::new(log));
        self
    }

    pub(super) fn warn(&mut self, text: &str) {
        (self.log.0)(&log_line(text));
    }

    /// The rules of this game and later ones: whether suicide is legal, and whether the players
    /// will agree on dead stones. What a file told a network of rules no longer holds.
    pub(super) fn set_rules(&mut self, suicide: bool, agreement: bool) {
        let rules = Rules { suicide, told: RuleSet::TROMP_TAYLOR, ..*self.engine.rules() };
        self.engine.set_rules(rules);
        self.engine.set_agreement(agreement);
    }

    /// A new game begins.
    pub(super) fn begun(&mut self) {
        self.explanation.clear();
        self.komi_note = None;
    }

    /// Says, once for each game and komi, if the agent does not see the komi.
    pub(super) fn note_komi(&mut self) {
        let note = self.engine.foreign_komi();
        let note = note.map(|own| komi_note(self.engine.name(), self.engine.komi(), own));
        if note != self.komi_note {
            if let Some(note) = &note {
                self.warn(note);
            }
            self.komi_note = note;
        }
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

/// A command being carried out.
pub(super) struct Call<'a> {
    pub(super) command: &'a Command,
    pub(super) inbox: &'a Inbox,
    pub(super) out: &'a mut dyn Write,
    /// The response has begun.
    pub(super) streaming: bool,
    pub(super) failed: Option<io::Error>,
}

impl<'a> Call<'a> {
    /// The argument number `i`; `what` names it where it is missing.
    pub(super) fn arg(&self, i: usize, what: &str) -> Result<&'a str, String> {
        let found = self.command.args.get(i).map(String::as_str);
        found.ok_or_else(|| format!("{} needs {what}", self.command.name))
    }

    /// The argument number `i` as a whole number.
    pub(super) fn number(&self, i: usize, what: &str) -> Result<usize, String> {
        let text = self.arg(i, what)?;
        text.parse().map_err(|_| format!("'{text}' is not {what}"))
    }

    /// The argument number `i` as a time in seconds. A time above the longest one is cut to it:
    /// scripts send 2147483647 where there is no limit.
    pub(super) fn seconds(&self, i: usize, what: &str) -> Result<Duration, String> {
        const LONGEST: f64 = 1e9;
        let text = self.arg(i, what)?;
        let seconds = text.parse().ok().filter(|&s: &f64| s >= 0.0);
        let seconds = seconds.ok_or_else(|| format!("'{text}' is not {what}"))?;
        Ok(Duration::from_secs_f64(seconds.min(LONGEST)))
    }

    /// Sends a line of the response before the rest is known. After the first one the response is a
    /// success.
    pub(super) fn stream(&mut self, line: &str) {
        let begin = if self.streaming { String::new() } else { head(self.command.id, true) + "\n" };
        self.streaming = true;
        let mut write = || {
            self.out.write_all(begin.as_bytes())?;
            self.out.write_all(line.as_bytes())?;
            if !line.is_empty() {
                self.out.write_all(b"\n")?;
            }
            self.out.flush()
        };
        if let Err(error) = write() {
            self.failed.get_or_insert(error);
        }
    }
}
