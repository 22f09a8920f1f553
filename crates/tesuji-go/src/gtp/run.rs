//! Commands in, responses out.

use super::commands;
use super::inbox::Inbox;
use super::protocol::{Command, Response};
use super::session::{Call, Session};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, mpsc};
use std::thread;

impl Session {
    /// The names of the commands that `list_commands` lists, sorted.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        commands::listed()
    }

    /// Carries out commands until `quit` or the end of the input. A thread reads ahead, so that the
    /// next command ends an analysis, and the line `# interrupt` ends the search for a move. So
    /// does the end of the input if no `quit` waits in it.
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

    /// Carries out one line and gives the response; an empty text if the line holds no command. An
    /// analysis, which would go on until the next line, ends after its first simulation.
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
