//! Commands in, responses out.

use super::commands;
use super::inbox::Inbox;
use super::protocol::{Command, Response, head, log_line};
use crate::Komi;
use crate::engine::Engine;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, mpsc};
use std::thread;
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

/// The warning that an agent plays by a komi of its own.
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

    /// Tells `log` of warnings, a line each without its end. No line looks like a response to a controller that reads both.
    #[must_use]
    pub fn with_log(mut self, log: impl FnMut(&str) + 'static) -> Session {
        self.log = Log(Box::new(log));
        self
    }

    pub(super) fn warn(&mut self, text: &str) {
        (self.log.0)(&log_line(text));
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

    /// The names of the commands that `list_commands` lists, sorted.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        commands::TABLE.iter().map(|(name, _)| *name).filter(|name| !commands::UNLISTED.contains(name))
    }

    /// Whether `quit` was received.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Carries out commands until `quit` or the end of the input. A thread reads ahead, so that the next command ends
    /// an analysis, and the line `# interrupt` ends the search for a move. So does the end of an input in which no `quit` waits.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&mut self, input: impl BufRead + Send + 'static, output: &mut dyn Write) -> io::Result<()> {
        let inbox = Arc::new(Inbox::default());
        let (sender, lines) = mpsc::channel();
        let reader = Arc::clone(&inbox);
        thread::spawn(move || {
            read_lines(input, |line| {
                let line: String = line;
                reader.put(&line);
                sender.send(line).is_ok()
            });
            reader.end();
        });
        while !self.over {
            if std::mem::take(&mut self.may_ponder) && self.engine.options().ponder {
                // An agent that cannot ponder will say so when it is asked for a move.
                let _ = self.engine.ponder(&inbox.until_next());
            }
            let Ok(line) = lines.recv() else { break };
            inbox.take(&line);
            self.carry_out(&line, output, &inbox)?;
        }
        Ok(())
    }

    /// Carries out one line and gives the response; an empty text if the line holds no command. An analysis, which would go on until the
    /// next line, ends after its first simulation.
    pub fn execute(&mut self, line: &str) -> String {
        let mut out = Vec::new();
        // Writing to memory does not fail.
        let _ = self.carry_out(line, &mut out, &Inbox::closed());
        String::from_utf8_lossy(&out).into_owned()
    }

    fn carry_out(&mut self, line: &str, out: &mut dyn Write, inbox: &Inbox) -> io::Result<()> {
        let Some(command) = Command::parse(line) else { return Ok(()) };
        let mut call = Call { command: &command, inbox, out, streaming: false, failed: None };
        let answer = match commands::find(&command.name) {
            Some(handler) => handler(self, &mut call),
            // This exact text is what controllers look for.
            None => Err("unknown command".into()),
        };
        if let Some(error) = call.failed {
            return Err(error);
        }
        if call.streaming {
            let (Ok(text) | Err(text)) = &answer;
            if !text.is_empty() {
                writeln!(out, "{text}")?;
            }
            writeln!(out)?;
        } else {
            write!(out, "{}", Response { id: command.id, answer: &answer })?;
        }
        out.flush()
    }
}

/// Reads lines of any bytes until the end or `take` has enough.
fn read_lines(mut input: impl BufRead, mut take: impl FnMut(String) -> bool) {
    let mut bytes = Vec::new();
    while matches!(input.read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
        let more = take(String::from_utf8_lossy(&bytes).into_owned());
        bytes.clear();
        if !more {
            return;
        }
    }
}

/// A command being carried out.
pub(super) struct Call<'a> {
    pub(super) command: &'a Command,
    pub(super) inbox: &'a Inbox,
    out: &'a mut dyn Write,
    /// The response has begun.
    streaming: bool,
    failed: Option<io::Error>,
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

    /// The argument number `i` as a time in seconds.
    pub(super) fn seconds(&self, i: usize, what: &str) -> Result<Duration, String> {
        let text = self.arg(i, what)?;
        let seconds = text.parse::<f64>().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
        let most = Duration::from_secs(1_000_000_000);
        seconds.filter(|&s| s <= most).ok_or_else(|| format!("'{text}' is not {what}"))
    }

    /// Sends a line of the response before the rest is known. After the first one the response is a success.
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
