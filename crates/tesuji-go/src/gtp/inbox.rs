//! The lines that arrive while a command is carried out.

use super::protocol::Command;
use std::sync::{Condvar, Mutex, MutexGuard};
use tesuji::Stop;

/// Tells searches that the next command line has arrived.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<Arrived>,
    arrived: Condvar,
    /// Ends analysis and pondering when any line arrives.
    next: Stop,
    /// Ends a move's search when the controller asks for it (`# interrupt`), or is gone.
    interrupt: Stop,
}

#[derive(Debug, Default)]
struct Arrived {
    /// Lines that have arrived and are not yet carried out.
    waiting: usize,
    /// How many of them are interrupts.
    interrupts: usize,
    /// How many of them are `quit`.
    quits: usize,
    /// No more will arrive.
    closed: bool,
    /// The input has ended.
    ended: bool,
}

impl Arrived {
    /// Whether the search for a move is to end at once: at an interrupt, and where the input ended
    /// without `quit`, since nobody is there to wait for it. A script that ends with `quit` gets
    /// its moves in full.
    fn interrupts(&self) -> bool {
        self.interrupts > 0 || (self.ended && self.quits == 0)
    }
}

impl Inbox {
    /// An inbox for commands that come one by one: nothing to wait for.
    pub(super) fn closed() -> Inbox {
        let inbox = Inbox::default();
        inbox.close();
        inbox
    }

    fn state(&self) -> MutexGuard<'_, Arrived> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A line has arrived.
    pub(super) fn put(&self, line: &str) {
        let mut state = self.state();
        state.waiting += 1;
        state.interrupts += usize::from(is_interrupt(line));
        state.quits += usize::from(is_quit(line));
        if state.interrupts() {
            self.interrupt.stop();
        }
        self.next.stop();
        self.arrived.notify_all();
    }

    /// No more lines will arrive.
    fn close(&self) {
        self.state().closed = true;
        self.next.stop();
        self.arrived.notify_all();
    }

    /// The input has ended.
    pub(super) fn end(&self) {
        self.close();
        let mut state = self.state();
        state.ended = true;
        if state.interrupts() {
            self.interrupt.stop();
        }
    }

    /// This line is being carried out. An interrupt may arrive before its command begins: it holds
    /// until its own line is taken.
    pub(super) fn take(&self, line: &str) {
        let mut state = self.state();
        state.waiting -= 1;
        state.interrupts -= usize::from(is_interrupt(line));
        state.quits -= usize::from(is_quit(line));
        if !state.interrupts() {
            self.interrupt.reset();
        }
    }

    /// A handle that is stopped as soon as a line is waiting.
    pub(super) fn until_next(&self) -> Stop {
        // Under the lock: a line that arrives after the look stops the handle that was reset before
        // it.
        let state = self.state();
        self.next.reset();
        if state.waiting > 0 || state.closed {
            self.next.stop();
        }
        self.next.clone()
    }

    /// A handle that is stopped by `# interrupt`, and by the end of an input without `quit`.
    pub(super) fn until_interrupt(&self) -> Stop {
        self.interrupt.clone()
    }

    /// Waits until a line has arrived.
    pub(super) fn wait(&self) {
        let mut state = self.state();
        while state.waiting == 0 && !state.closed {
            state = self.arrived.wait(state).unwrap_or_else(|e| e.into_inner());
        }
    }
}

fn is_interrupt(line: &str) -> bool {
    line.trim() == "# interrupt"
}

fn is_quit(line: &str) -> bool {
    Command::parse(line).is_some_and(|command| command.name == "quit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_holds_until_its_own_line_is_taken() {
        let inbox = Inbox::default();
        let stop = inbox.until_interrupt();
        ["genmove b\n", "# interrupt\n", "genmove w\n"].iter().for_each(|line| inbox.put(line));
        inbox.take("genmove b\n");
        assert!(stop.is_stopped());
        inbox.take("# interrupt\n");
        inbox.take("genmove w\n");
        assert!(!stop.is_stopped());
        inbox.put("# interrupt\n");
        assert!(stop.is_stopped(), "while the command runs");
    }

    #[test]
    fn the_end_of_the_input_is_an_interrupt_unless_quit_is_waiting() {
        let inbox = Inbox::default();
        let stop = inbox.until_interrupt();
        ["genmove b\n", "7 quit\n"].iter().for_each(|line| inbox.put(line));
        inbox.end();
        inbox.take("genmove b\n");
        assert!(!stop.is_stopped(), "a script is carried out in full");
        let inbox = Inbox::default();
        let stop = inbox.until_interrupt();
        ["genmove b\n", "genmove w\n"].iter().for_each(|line| inbox.put(line));
        inbox.end();
        ["genmove b\n", "genmove w\n"].iter().for_each(|line| {
            inbox.take(line);
            assert!(stop.is_stopped(), "nobody waits for {line}");
        });
    }
}
