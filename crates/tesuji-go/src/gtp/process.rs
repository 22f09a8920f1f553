//! The process of an engine: its group, its lines, its last words, its end.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a line of an answer.
pub(super) const MAX_LINE: usize = 64 << 10;
/// How many of the last lines on standard error are kept to explain a death.
const LAST_WORDS: usize = 5;
/// The most bytes of such a line that are kept.
const MAX_WORDS: usize = 1 << 10;
/// Lines that wait to be read; then the engine has to wait.
const WAITING: usize = 64;
/// The longest wait for the end of a process that closed its output, and for its last words.
const END: Duration = Duration::from_secs(1);

/// The groups of all engines that run.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A line of an engine.
pub(super) struct Line {
    /// Its text, without control characters.
    pub(super) text: String,
    pub(super) end: LineEnd,
}

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineEnd {
    /// By a line feed.
    Whole,
    /// It did not, the stream did: what was being written as the process was killed.
    Broken,
    /// It was longer than it may be.
    TooLong,
}

/// A child process in a group of its own: signals that a terminal sends to this program's group do
/// not reach it, and its end is the end of the whole group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// None once it was closed.
    stdin: Option<ChildStdin>,
    pub(super) lines: Receiver<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected once standard error has ended.
    stderr_ended: Receiver<()>,
}

impl Process {
    /// Starts a program with its arguments.
    pub(super) fn spawn(program: &str, args: &[String]) -> std::io::Result<Process> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        groups().push(child.id());

        let stdin = child.stdin.take();
        let (sender, lines) = sync_channel(WAITING);
        if let Some(stdout) = child.stdout.take() {
            let send = move |line: Line| line.end == LineEnd::Broken || sender.send(line).is_ok();
            thread::spawn(move || each_line(stdout, MAX_LINE, send));
        }
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (ends, stderr_ended) = sync_channel(0);
        if let Some(stderr) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || keep_last(stderr, &last_words, ends));
        }
        Ok(Process { child, stdin, lines, last_words, stderr_ended })
    }

    /// Writes a line; false if the process no longer reads.
    pub(super) fn write(&mut self, line: &str) -> bool {
        let Some(stdin) = &mut self.stdin else { return false };
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_ok()
    }

    /// Closes its standard input.
    pub(super) fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits a moment for the end of a process that closed its output; none if it goes on.
    pub(super) fn wait_for_end(&mut self, most: Duration) -> Option<End> {
        let begun = Instant::now();
        loop {
            let end = self.end();
            if end.is_some() || begun.elapsed() >= most {
                return end;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// How the process ended, if it did. It is not waited for: as long as it is not, nobody else
    /// gets the number of its group.
    #[cfg(unix)]
    pub(super) fn end(&mut self) -> Option<End> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(rustix::process::Pid::from_child(&self.child)), options).ok()??;
        status.terminating_signal().map(End::Signal).or(status.exit_status().map(End::Code))
    }

    /// How the process ended, if it did.
    #[cfg(not(unix))]
    pub(super) fn end(&mut self) -> Option<End> {
        self.child.try_wait().ok()??.code().map(End::Code)
    }

    /// The processor time of the process and of its children that have ended: `utime` to `cstime`
    /// of `/proc/PID/stat`, in ticks of 10 ms.
    #[cfg(target_os = "linux")]
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The second field is the name in brackets; it may contain spaces.
        let (_, fields) = stat.rsplit_once(") ")?;
        let times = fields.split(' ').skip(11).take(4).map(str::parse::<u64>);
        let ticks: u64 = times.sum::<Result<u64, _>>().ok()?;
        let ticks_per_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_secs_f64(ticks as f64 / ticks_per_second as f64))
    }

    /// Other systems do not tell.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// How the process ended, and the last lines that it wrote to standard error. Whoever closed
    /// its output is given a moment.
    pub(super) fn last_words(&mut self) -> (Option<End>, String) {
        let end = self.wait_for_end(END);
        if end.is_some() {
            // Nobody sends: this ends when the reader has read everything.
            let _ = self.stderr_ended.recv_timeout(END);
        }
        (end, self.words())
    }

    /// The last lines on standard error so far.
    pub(super) fn words(&self) -> String {
        let words = self.last_words.lock().unwrap_or_else(|e| e.into_inner());
        words.iter().map(String::as_str).collect::<Vec<_>>().join(" / ")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let id = self.child.id();
        kill_group(id);
        let _ = self.child.kill();
        groups().retain(|&group| group != id);
        let _ = self.child.wait();
    }
}

/// Ends all engines that run, for a program that ends without dropping their clients.
pub fn end_engines() {
    groups().iter().for_each(|&group| kill_group(group));
}

fn groups() -> MutexGuard<'static, Vec<u32>> {
    GROUPS.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // It fails where everybody in the group has ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl End {
    /// Whether somebody else ended it: by SIGHUP, SIGINT, SIGQUIT, SIGKILL or SIGTERM, which are
    /// not the fault of the process.
    pub fn is_from_outside(self) -> bool {
        // A shell that ran a process which was ended so exits with 128 and the number of the
        // signal.
        let (End::Signal(signal) | End::Code(signal)) = self;
        let signal = if matches!(self, End::Code(_)) { signal - 128 } else { signal };
        matches!(signal, 1 | 2 | 3 | 9 | 15)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Code(code) => write!(f, "exit code {code}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// Keeps the last lines of a stream.
fn keep_last(stream: impl Read, last: &Mutex<VecDeque<String>>, _ends: SyncSender<()>) {
    each_line(stream, MAX_WORDS, |line| {
        let mut words = last.lock().unwrap_or_else(|e| e.into_inner());
        if words.len() == LAST_WORDS {
            words.pop_front();
        }
        words.push_back(line.text);
        true
    });
}

/// Reads lines of any bytes until the end or `take` has enough: of each line at most `most` bytes,
/// the rest is dropped. Control characters are left out, a tab is a space.
fn each_line(stream: impl Read, most: usize, mut take: impl FnMut(Line) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while matches!(stream.by_ref().take(most as u64).read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
        let end = match bytes.ends_with(b"\n") {
            true => LineEnd::Whole,
            false if bytes.len() < most => LineEnd::Broken,
            false => LineEnd::TooLong,
        };
        let text = String::from_utf8_lossy(&bytes);
        let text = text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control());
        if !take(Line { text: text.collect(), end }) {
            return;
        }
        bytes.clear();
        if end == LineEnd::TooLong && stream.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], most: usize) -> Vec<(String, LineEnd)> {
        let mut lines = Vec::new();
        each_line(bytes, most, |line| {
            lines.push((line.text, line.end));
            true
        });
        lines
    }

    #[test]
    fn lines_are_bounded_and_clean() {
        use LineEnd::{Broken, TooLong, Whole};
        let line = |text: &str, end| (text.to_owned(), end);
        assert_eq!(lines(b"= 1\r\n\nlast", 10), [line("= 1", Whole), line("", Whole), line("last", Broken)]);
        assert_eq!(lines(b"\x1b[31ma\tb\x07\x9b\n", 20), [line("[31ma b\u{fffd}", Whole)]);
        assert_eq!(lines("\u{9b}31m\n".as_bytes(), 20), [line("31m", Whole)]);
        assert_eq!(lines(b"123456789\nx\n", 4), [line("1234", TooLong), line("x", Whole)]);
        assert_eq!(lines(b"123\nx\n", 4), [line("123", Whole), line("x", Whole)]);
    }

    #[test]
    fn ends_from_outside_are_told_from_crashes() {
        for end in
            [1, 2, 3, 9, 15].into_iter().flat_map(|signal| [End::Signal(signal), End::Code(128 + signal)])
        {
            assert!(end.is_from_outside(), "{end}");
        }
        for end in [End::Signal(11), End::Signal(6), End::Code(0), End::Code(1), End::Code(9), End::Code(139)]
        {
            assert!(!end.is_from_outside(), "{end}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_process_ends_with_everything_that_it_started() {
        let script = "sleep 1000 & echo started; sleep 1000; echo";
        let mut process = Process::spawn("sh", &["-c".to_owned(), script.to_owned()]).unwrap();
        assert_eq!(process.lines.recv().unwrap().text, "started");
        // All of them have standard error open as long as they run.
        let stderr_ended = std::mem::replace(&mut process.stderr_ended, sync_channel(0).1);
        let id = process.child.id();
        assert!(groups().contains(&id));
        drop(process);
        assert!(!groups().contains(&id), "somebody else may get its number");
        let ended = stderr_ended.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
    }
}
