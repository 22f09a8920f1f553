//! The other side: driving an engine of someone else.

use super::protocol::{Answer, parse_head};
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How many of the last lines on standard error are kept to explain a death.
const LAST_WORDS: usize = 5;

/// An engine that runs as a child process and is spoken to by GTP.
///
/// Dropping the client kills the engine; [`Client::quit`] asks it to go first.
///
/// ```no_run
/// use std::time::Duration;
/// let mut engine = tesuji_go::gtp::Client::spawn("gnugo --mode gtp --level 1")?;
/// engine.send("boardsize 9", Duration::from_secs(5))?;
/// let vertex = engine.send("genmove b", Duration::from_secs(60))?;
/// # Ok::<(), tesuji_go::gtp::ClientError>(())
/// ```
#[derive(Debug)]
pub struct Client {
    command: String,
    child: Child,
    /// None after [`Client::quit`].
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    next_id: u64,
    /// The engine may still answer an older command: what it says can no longer be matched.
    lost: bool,
}

impl Client {
    /// Starts an engine. The command line is split into words as a POSIX shell does, but no shell runs: no variables,
    /// pipes or redirections.
    ///
    /// # Errors
    /// If the line cannot be split or the program cannot be started.
    pub fn spawn(command: &str) -> Result<Client, ClientError> {
        let start = |reason: String| ClientError::Start { command: command.into(), reason };
        let words = shlex::split(command).ok_or_else(|| start("a quote is not closed".into()))?;
        let (program, args) = words.split_first().ok_or_else(|| start("the command is empty".into()))?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| start(e.to_string()))?;

        let stdin = child.stdin.take();
        let (sender, lines) = channel();
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || each_line(stdout, |line| sender.send(line).is_ok()));
        }
        if let Some(stderr) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || {
                each_line(stderr, |line| {
                    let mut words = last_words.lock().unwrap_or_else(|e| e.into_inner());
                    if words.len() == LAST_WORDS {
                        words.pop_front();
                    }
                    words.push_back(line);
                    true
                });
            });
        }
        Ok(Client { command: command.into(), child, stdin, lines, last_words, next_id: 1, lost: false })
    }

    /// The command line that started the engine.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Sends one command and waits for the answer, which is given without `=` and the number; its lines are separated by `\n`.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the engine answers `?`; every other error is final: all later calls fail.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        if self.lost {
            return Err(self.died(command));
        }
        match self.exchange(command, timeout) {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(reason)) => Err(ClientError::Refused { command: command.into(), reason }),
            Err(error) => {
                self.lost = true;
                Err(error)
            }
        }
    }

    /// Whether the engine knows a command, by `known_command`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn knows(&mut self, name: &str, timeout: Duration) -> Result<bool, ClientError> {
        Ok(self.send(&format!("known_command {name}"), timeout)? == "true")
    }

    /// Sends `quit`, waits at most `timeout` for the engine to end, then kills it.
    pub fn quit(mut self, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        let _ = self.send("quit", timeout);
        self.stdin = None;
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn exchange(&mut self, command: &str, timeout: Duration) -> Result<Answer, ClientError> {
        let deadline = Instant::now() + timeout;
        let id = self.next_id;
        self.next_id += 1;
        debug_assert!(!command.contains('\n'), "one command is one line");
        let line = format!("{id} {}\n", command.replace(['\n', '\r'], " "));
        let sent = match &mut self.stdin {
            Some(stdin) => stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok(),
            None => false,
        };
        if !sent {
            return Err(self.died(command));
        }
        let (got, answer) = loop {
            let line = self.line(command, deadline)?;
            // Some engines chat before their answer; the specification forbids it, but nothing is lost.
            if let Some(head) = parse_head(&line) {
                break head;
            }
        };
        if got != Some(id) {
            return Err(ClientError::Garbled {
                command: command.into(),
                reason: format!("the answer has not the number {id} of the command"),
            });
        }
        let (good, mut text) = match answer {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        loop {
            let line = self.line(command, deadline)?;
            if line.is_empty() {
                return Ok(if good { Ok(text) } else { Err(text) });
            }
            text.push('\n');
            text.push_str(&line);
        }
    }

    fn line(&mut self, command: &str, deadline: Instant) -> Result<String, ClientError> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(ClientError::Timeout { command: command.into() }),
            Err(RecvTimeoutError::Disconnected) => Err(self.died(command)),
        }
    }

    fn died(&mut self, command: &str) -> ClientError {
        let words = self.last_words.lock().unwrap_or_else(|e| e.into_inner());
        let last_words = words.iter().map(String::as_str).collect::<Vec<_>>().join(" / ");
        ClientError::Died { command: command.into(), last_words }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines of any bytes, without the carriage return some engines send, until the end or `take` has enough.
fn each_line(stream: impl std::io::Read, mut take: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while matches!(stream.read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        bytes.clear();
        if !take(line) {
            return;
        }
    }
}

/// Why an engine's answer is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientError {
    /// The engine could not be started.
    Start {
        /// Its command line.
        command: String,
        /// Why not.
        reason: String,
    },
    /// It answered `?`. It can still be talked to.
    Refused {
        /// The command.
        command: String,
        /// What it said.
        reason: String,
    },
    /// It did not answer in time.
    Timeout {
        /// The command.
        command: String,
    },
    /// It ended, or closed its output.
    Died {
        /// The command it should have answered.
        command: String,
        /// What it last wrote to standard error.
        last_words: String,
    },
    /// It broke the protocol.
    Garbled {
        /// The command.
        command: String,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Start { command, reason } => {
                write!(f, "cannot start the engine `{command}`: {reason}")
            }
            ClientError::Refused { command, reason } => {
                write!(f, "the engine refused `{command}`: {reason}")
            }
            ClientError::Timeout { command } => {
                write!(f, "the engine did not answer `{command}` in time")
            }
            ClientError::Died { command, last_words } => {
                write!(f, "the engine is gone and did not answer `{command}`")?;
                if last_words.is_empty() {
                    return Ok(());
                }
                write!(f, "; it last wrote: {last_words}")
            }
            ClientError::Garbled { command, reason } => {
                write!(f, "the engine broke the protocol at `{command}`: {reason}")
            }
        }
    }
}

impl std::error::Error for ClientError {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    /// An engine in shell: answers every line with `body`, where `$id` is the number.
    fn engine(body: &str) -> Client {
        let script = format!("while read id name; do {body}; done");
        Client::spawn(&format!("sh -c {}", shlex::try_quote(&script).unwrap())).unwrap()
    }

    #[test]
    fn answers_and_refusals_are_told_apart() {
        let mut client =
            engine("if [ $name = bad ]; then echo \"?$id no\"; else echo \"=$id a\"; echo b; fi; echo");
        assert_eq!(client.send("good", LONG).unwrap(), "a\nb");
        assert_eq!(client.send("bad", LONG).unwrap_err().to_string(), "the engine refused `bad`: no");
        assert_eq!(client.send("good", LONG).unwrap(), "a\nb");
        client.quit(Duration::from_millis(100));
    }

    #[test]
    fn a_death_is_told_with_its_last_words() {
        let mut client = engine("echo broken pipe >&2; exit 1");
        let error = client.send("name", LONG).unwrap_err();
        assert!(matches!(&error, ClientError::Died { command, .. } if command == "name"), "{error}");
        assert!(client.send("name", LONG).is_err());
    }

    #[test]
    fn silence_and_wrong_numbers_end_the_talk() {
        let mut client = engine("true");
        assert!(matches!(client.send("name", Duration::from_millis(30)), Err(ClientError::Timeout { .. })));
        let mut client = engine("echo '=77 x'; echo");
        assert!(matches!(client.send("name", LONG), Err(ClientError::Garbled { .. })));
        assert!(matches!(Client::spawn("/no/such/engine"), Err(ClientError::Start { .. })));
        assert!(matches!(Client::spawn("'"), Err(ClientError::Start { .. })));
    }
}
