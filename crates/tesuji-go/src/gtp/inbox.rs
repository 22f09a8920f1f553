//! What has arrived while a command is being carried out.

use std::sync::{Condvar, Mutex, MutexGuard};
use tesuji::Stop;

/// Tells searches that the next command line has arrived.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
    /// Ends analysis and pondering when any line arrives.
    next: Stop,
    /// Ends a move's search when the controller asks for it (`# interrupt`).
    interrupt: Stop,
}

#[derive(Debug, Default)]
struct State {
    /// Lines that have arrived and are not yet carried out.
    waiting: usize,
    /// How many of them are interrupts.
    interrupts: usize,
    /// No more will arrive.
    closed: bool,
}

impl Inbox {
    /// An inbox for commands that come one by one: nothing to wait for.
    pub(super) fn closed() -> Inbox {
        let inbox = Inbox::default();
        inbox.close();
        inbox
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A line has arrived.
    pub(super) fn put(&self, line: &str) {
        let mut state = self.state();
        state.waiting += 1;
        if is_interrupt(line) {
            state.interrupts += 1;
            self.interrupt.stop();
        }
        self.next.stop();
        self.arrived.notify_all();
    }

    /// No more lines will arrive.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.next.stop();
        self.arrived.notify_all();
    }

    /// This line is being carried out. An interrupt may arrive before its command begins: it holds until its own line is taken.
    pub(super) fn take(&self, line: &str) {
        let mut state = self.state();
        state.waiting -= 1;
        state.interrupts -= usize::from(is_interrupt(line));
        if state.interrupts == 0 {
            self.interrupt.reset();
        }
    }

    /// A handle that is stopped as soon as a line is waiting.
    pub(super) fn until_next(&self) -> Stop {
        // Under the lock: a line that arrives after the look stops the handle that was reset before it.
        let state = self.state();
        self.next.reset();
        if state.waiting > 0 || state.closed {
            self.next.stop();
        }
        self.next.clone()
    }

    /// A handle that is stopped by `# interrupt`.
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
}
