//! The other side: driving an engine of someone else.

use super::patience::Patience;
use super::process::{End, LineEnd, MAX_LINE, Process};
use super::protocol::{Answer, parse_head};
use std::fmt;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use tesuji::Stop;

/// The most bytes of an answer, with whatever the engine says before it.
const MAX_ANSWER: usize = 1 << 20;
/// The most characters of an engine's text in a message.
const MAX_SHOWN: usize = 300;

/// An engine that runs as a child process, in a process group of its own, and is spoken to by GTP.
///
/// Dropping the client kills the engine with everything that it started; [`Client::quit`] asks it
/// to go first. A line of an answer has at most 64 KiB and an answer 1 MiB; control characters are
/// left out. If this program is stopped for a while (SIGSTOP), that time does not count for any
/// limit.
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
    process: Process,
    next_id: u64,
    /// The engine may still answer an older command: what it says can no longer be matched.
    lost: bool,
    spent: Duration,
}

impl Client {
    /// Starts an engine. The command line is split into words as a POSIX shell does, but no shell
    /// runs: no variables, pipes or redirections.
    ///
    /// # Errors
    /// If the line cannot be split or the program cannot be started.
    pub fn spawn(command: &str) -> Result<Client, ClientError> {
        let start = |reason: String| ClientError::Start { command: command.into(), reason };
        let words = shlex::split(command).ok_or_else(|| start("a quote is not closed".into()))?;
        let (program, args) = words.split_first().ok_or_else(|| start("the command is empty".into()))?;
        let process = Process::spawn(program, args).map_err(|e| start(e.to_string()))?;
        Ok(Client { command: command.into(), process, next_id: 1, lost: false, spent: Duration::ZERO })
    }

    /// The command line that started the engine.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Whether the engine can still be talked to: it runs, and every command was answered.
    pub fn is_usable(&mut self) -> bool {
        !self.lost && self.process.end().is_none()
    }

    /// The time of the last command, without the time in which this program was stopped.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// The processor time of the engine so far; none on systems other than Linux.
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
    }

    /// Sends one command and waits for the answer, which is given without `=` and the number; its
    /// lines are separated by `\n`.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the engine answers `?`; every other error is final: all later
    /// calls fail.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        self.send_unless(&Stop::default(), command, timeout)
    }

    /// [`Client::send`], but `stop` ends the wait with [`ClientError::Stopped`].
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn send_unless(
        &mut self,
        stop: &Stop,
        command: &str,
        timeout: Duration,
    ) -> Result<String, ClientError> {
        if self.lost {
            let (end, last_words) = (self.process.end(), self.process.words());
            return Err(ClientError::Died { command: command.into(), end, last_words });
        }
        let mut patience = Patience::new(timeout);
        let answer = self.exchange(stop, command, &mut patience);
        self.spent = patience.spent();
        match answer {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(reason)) => Err(ClientError::Refused { command: command.into(), reason: shown(&reason) }),
            Err(error) => {
                self.lost = true;
                Err(error)
            }
        }
    }

    /// Sends `quit`, waits at most `timeout` for the engine to end, then kills it.
    pub fn quit(mut self, timeout: Duration) {
        let _ = self.send("quit", timeout);
        self.process.close();
        self.process.wait_for_end(timeout.saturating_sub(self.spent));
    }

    fn exchange(
        &mut self,
        stop: &Stop,
        command: &str,
        patience: &mut Patience,
    ) -> Result<Answer, ClientError> {
        let id = self.next_id;
        self.next_id += 1;
        debug_assert!(!command.contains('\n'), "one command is one line");
        if !self.process.write(&format!("{id} {}\n", command.replace(['\n', '\r'], " "))) {
            return Err(self.died(command));
        }
        let mut bytes = 0;
        let mut line = |client: &mut Client| client.line(stop, command, patience, &mut bytes);
        let (got, answer) = loop {
            // Some engines chat before their answer; the specification forbids it, but nothing is
            // lost.
            if let Some(head) = parse_head(&line(self)?) {
                break head;
            }
        };
        if got != Some(id) {
            return Err(
                self.garbled(command, format!("the answer does not have the number {id} of the command"))
            );
        }
        let (good, mut text) = match answer {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        loop {
            let line = line(self)?;
            if line.is_empty() {
                return Ok(if good { Ok(text) } else { Err(text) });
            }
            text.push('\n');
            text.push_str(&line);
        }
    }

    /// The next line of an answer that has `bytes` so far.
    fn line(
        &mut self,
        stop: &Stop,
        command: &str,
        patience: &mut Patience,
        bytes: &mut usize,
    ) -> Result<String, ClientError> {
        loop {
            let received = self.process.lines.recv_timeout(patience.tick());
            let goes_on = patience.goes_on();
            match received {
                Ok(line) => {
                    *bytes += line.text.len() + 1;
                    if line.end == LineEnd::TooLong {
                        let most = MAX_LINE >> 10;
                        return Err(self.garbled(command, format!("a line is longer than {most} KiB")));
                    }
                    if *bytes > MAX_ANSWER {
                        let most = MAX_ANSWER >> 20;
                        return Err(self.garbled(command, format!("an answer is longer than {most} MiB")));
                    }
                    return Ok(line.text);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(command)),
                Err(RecvTimeoutError::Timeout) if stop.is_stopped() => {
                    return Err(ClientError::Stopped { command: command.into() });
                }
                Err(RecvTimeoutError::Timeout) if goes_on => {}
                Err(RecvTimeoutError::Timeout) => {
                    let (command, last_words) = (command.into(), self.process.words());
                    return Err(ClientError::Timeout { command, after: patience.spent(), last_words });
                }
            }
        }
    }

    fn died(&mut self, command: &str) -> ClientError {
        let (end, last_words) = self.process.last_words();
        ClientError::Died { command: command.into(), end, last_words }
    }

    fn garbled(&self, command: &str, reason: String) -> ClientError {
        ClientError::Garbled { command: command.into(), reason, last_words: self.process.words() }
    }
}

/// The beginning of a text of an engine, as long as a message allows.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
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
        /// How long it was waited for.
        after: Duration,
        /// What it last wrote to standard error.
        last_words: String,
    },
    /// It ended, or closed its output.
    Died {
        /// The command it should have answered.
        command: String,
        /// The end of the process; none if it only closed its output.
        end: Option<End>,
        /// What it last wrote to standard error.
        last_words: String,
    },
    /// It broke the protocol.
    Garbled {
        /// The command.
        command: String,
        /// The fault.
        reason: String,
        /// What it last wrote to standard error.
        last_words: String,
    },
    /// The wait was stopped.
    Stopped {
        /// The command it should have answered.
        command: String,
    },
}

impl ClientError {
    /// Whether somebody else ended the engine, see [`End::is_from_outside`].
    pub fn is_from_outside(&self) -> bool {
        matches!(self, ClientError::Died { end: Some(end), .. } if end.is_from_outside())
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |f: &mut fmt::Formatter<'_>, last_words: &str| {
            if last_words.is_empty() { Ok(()) } else { write!(f, "; it last wrote: {last_words}") }
        };
        match self {
            ClientError::Start { command, reason } => {
                write!(f, "cannot start the engine `{command}`: {reason}")
            }
            ClientError::Refused { command, reason } => {
                write!(f, "the engine refused `{command}`: {reason}")
            }
            ClientError::Timeout { command, after, last_words } => {
                let seconds = after.as_secs_f64();
                write!(f, "the engine did not answer `{command}` within {seconds:.1} s")?;
                told(f, last_words)
            }
            ClientError::Died { command, end, last_words } => {
                write!(f, "the engine is gone and did not answer `{command}`")?;
                if let Some(end) = end {
                    write!(f, " ({end})")?;
                }
                told(f, last_words)
            }
            ClientError::Garbled { command, reason, last_words } => {
                write!(f, "the engine broke the protocol at `{command}`: {reason}")?;
                told(f, last_words)
            }
            ClientError::Stopped { command } => write!(f, "the wait for `{command}` was stopped"),
        }
    }
}

impl std::error::Error for ClientError {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::thread;

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
    fn a_death_is_told_with_its_end_and_its_last_words() {
        // Whoever reads standard error may come late: each of these engines has last words
        // nevertheless.
        for _ in 0..20 {
            let mut client = engine("echo first >&2; echo broken pipe >&2; exit 3");
            let error = client.send("name", LONG).unwrap_err();
            let told = "the engine is gone and did not answer `name` (exit code 3); it last wrote: first / broken pipe";
            assert_eq!(error.to_string(), told);
            assert!(!error.is_from_outside() && !client.is_usable());
            assert!(client.send("name", LONG).is_err());
        }
        // The number of an answer that was being written says nothing.
        let mut client = engine("printf '=1'; kill -KILL $$");
        client.next_id = 12;
        assert!(client.send("name", LONG).unwrap_err().is_from_outside());
        let mut client = engine("sh -c 'kill -TERM $$'; exit $?");
        assert!(client.send("name", LONG).unwrap_err().is_from_outside());
    }

    #[test]
    fn silence_and_wrong_numbers_end_the_talk() {
        let mut client = engine("echo thinking >&2; true");
        let error = client.send("name", Duration::from_millis(300)).unwrap_err();
        assert!(error.to_string().ends_with("within 0.3 s; it last wrote: thinking"), "{error}");
        let mut client = engine("echo '=77 x'; echo");
        assert!(matches!(client.send("name", LONG), Err(ClientError::Garbled { .. })));
        assert!(matches!(Client::spawn("/no/such/engine"), Err(ClientError::Start { .. })));
        assert!(matches!(Client::spawn("'"), Err(ClientError::Start { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn processor_time_counts_work_and_no_waiting() {
        let mut client = engine(
            "if [ $name = work ]; then i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; fi; echo =$id; echo",
        );
        let mut used = |command: &str| {
            let before = client.processor_time().unwrap();
            client.send(command, LONG).unwrap();
            client.processor_time().unwrap() - before
        };
        assert!(used("rest") < used("work"));
    }

    #[test]
    fn a_stop_ends_the_wait() {
        let (mut client, stop) = (engine("true"), Stop::default());
        let handle = stop.clone();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            handle.stop();
        });
        let error = client.send_unless(&stop, "genmove b", 100 * LONG).unwrap_err();
        assert_eq!(error, ClientError::Stopped { command: "genmove b".into() });
        stopper.join().unwrap();
    }

    #[test]
    fn floods_are_refused() {
        for (flood, reason) in [
            (
                "while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
                "a line is longer than 64 KiB",
            ),
            (
                "echo =$id; while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
                "an answer is longer",
            ),
            ("while :; do echo chat; done", "an answer is longer than 1 MiB"),
        ] {
            let error = engine(flood).send("name", LONG).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let error = engine("yes ''").send("name", 10 * LONG).unwrap_err().to_string();
        assert!(error.contains("an answer is longer"), "empty lines count: {error}");
        let mut client = engine(
            "printf '?%s ' $id; i=0; while [ $i -lt 500 ]; do printf no; i=$((i+1)); done; echo; echo",
        );
        let error = client.send("name", LONG).unwrap_err().to_string();
        assert!(error.len() < 400 && error.ends_with("no..."), "{error}");
    }

    #[test]
    fn control_characters_are_left_out() {
        let mut client =
            engine(r"printf '\033[2J\033]0;x\007\n=%s a\033[31mb\tc\rd\n\n' $id; printf '\033c' >&2");
        assert_eq!(client.send("name", LONG).unwrap(), "a[31mb cd");
        client.quit(Duration::from_millis(100));
    }
}
