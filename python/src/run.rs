//! How a call leaves Python and comes back: with signals, exceptions of callbacks, and without a
//! fork behind it.

use crate::error::raise;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tesuji::Stop;
use tesuji_lab::LabError;

/// How often signals are looked at.
const TICK: Duration = Duration::from_millis(20);

/// A call that is under way.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Ends the call early.
    pub(crate) stop: Stop,
    /// Whether the caller waits for it no more.
    is_left: AtomicBool,
    fault: Mutex<Fault>,
    /// Classes and functions that the call names, by these names.
    given: Mutex<Vec<(String, Py<PyAny>)>>,
}

/// The first exception that a callback raised.
#[derive(Debug, Default)]
struct Fault {
    first: Option<PyErr>,
    /// Whether the call has ended: a game that was made for it may keep it for long, and with an
    /// exception all that its frames hold.
    has_ended: bool,
}

thread_local! {
    /// The call that this thread works for.
    static CURRENT: RefCell<Option<Arc<Run>>> = const { RefCell::new(None) };
}

/// Whether a call has worked without Python: it may have had threads and locks at a fork.
static WORKED: AtomicBool = AtomicBool::new(false);
static FORKED: AtomicBool = AtomicBool::new(false);

/// Notes that this process is a fork. One of a process that has only loaded the package, such as
/// the server of the start method `forkserver`, lacks nothing.
#[pyfunction]
pub(crate) fn mark_forked() {
    FORKED.store(WORKED.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// An exception on its way through code that knows nothing of Python.
struct Raised(PyErr);

impl Run {
    /// The call that this thread works for.
    pub(crate) fn current() -> Option<Arc<Run>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Ends the call that this thread works for with an exception: notes it, and unwinds this
    /// thread. A thread of a search works for no call; then it is that of `made_for`.
    pub(crate) fn fail(made_for: Option<&Arc<Run>>, error: PyErr) -> ! {
        if let Some(run) = Run::current().as_ref().or(made_for) {
            run.end(Python::attach(|py| error.clone_ref(py)));
        }
        resume_unwind(Box::new(Raised(error)))
    }

    /// Unwinds this thread if the caller waits no more: methods of Python are called no more.
    pub(crate) fn check_left(made_for: Option<&Arc<Run>>) {
        if Run::current().as_ref().or(made_for).is_some_and(|run| run.is_left.load(Ordering::Relaxed)) {
            resume_unwind(Box::new(Raised(PyKeyboardInterrupt::new_err(()))))
        }
    }

    /// Lets the call end early, with an exception.
    pub(crate) fn end(&self, error: PyErr) {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = if fault.has_ended || fault.first.is_some() {
            Some(error)
        } else {
            fault.first = Some(error);
            None
        };
        let has_ended = fault.has_ended;
        drop(fault);
        // It may run Python as it goes: only now, when nothing is locked.
        drop(unused);
        if !has_ended {
            self.stop.stop();
        }
    }

    /// Gives `make` this name for the rest of the call.
    pub(crate) fn give(&self, name: String, make: Py<PyAny>) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).push((name, make));
    }

    /// What has this name in the call.
    pub(crate) fn given<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.iter().rev().find(|(own, _)| own == name).map(|(_, make)| make.bind(py).clone())
    }

    /// Does something short, in this thread, without leaving Python: exceptions of games come back
    /// as such.
    pub(crate) fn guard<T>(work: impl FnOnce() -> Result<T, LabError>) -> PyResult<T> {
        Arc::new(Run::default()).work(|_| work())
    }

    /// Works for this call.
    fn work<T>(self: &Arc<Run>, work: impl FnOnce(&Run) -> Result<T, LabError>) -> PyResult<T> {
        let before = CURRENT.replace(Some(self.clone()));
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        CURRENT.set(before);
        let result = match result {
            Ok(result) => result.map_err(raise),
            Err(panic) => Err(unraise(panic)),
        };
        let first = {
            let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
            fault.has_ended = true;
            fault.first.take()
        };
        first.map_or(result, Err)
    }
}

/// The exception in a panic; any other panic goes on.
fn unraise(panic: Box<dyn Any + Send>) -> PyErr {
    match panic.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(panic) => resume_unwind(panic),
    }
}

/// Whether this process may work.
fn check_process() -> PyResult<()> {
    if FORKED.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err(
            "this process was forked after a call of tesuji, so that threads and locks of tesuji are gone; \
             accepted: processes that start anew, by multiprocessing.get_context(\"spawn\")",
        ));
    }
    WORKED.store(true, Ordering::Relaxed);
    Ok(())
}

/// Works in this thread, without Python.
pub(crate) fn call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Run) -> Result<T, LabError> + Send,
) -> PyResult<T> {
    check_process()?;
    let run = Arc::new(Run::default());
    py.detach(|| run.work(work))
}

/// Takes Python back for work that calls it again and again.
pub(crate) fn with_python<T>(is_needed: bool, work: impl FnOnce() -> T) -> T {
    if is_needed { Python::attach(|_| work()) } else { work() }
}

/// Looks at signals every now and then, in the thread that called.
pub(crate) struct Signals<'a> {
    run: &'a Run,
    looked: Instant,
}

impl Signals<'_> {
    pub(crate) fn new(run: &Run) -> Signals<'_> {
        Signals { run, looked: Instant::now() }
    }

    /// Ends the call with the exception of a signal, if there was one.
    pub(crate) fn look(&mut self) {
        if self.looked.elapsed() < TICK {
            return;
        }
        self.looked = Instant::now();
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            self.run.end(error);
        }
    }
}

/// What a worker says.
enum Said<T> {
    Progress(String),
    Ended(PyResult<T>),
}

/// Tells how a call stands, by a line of JSON.
pub(crate) type Tell<'a> = &'a mut (dyn FnMut(String) + Send);

/// Works in a thread of its own, while this one looks at signals and tells `progress` how the work
/// stands. An exception of either stops the work, and is raised when it has ended.
pub(crate) fn watch<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Run, Tell<'_>) -> Result<T, LabError> + Send,
) -> PyResult<T> {
    check_process()?;
    let run = Arc::new(Run::default());
    py.detach(|| {
        thread::scope(|scope| {
            let (say, said) = channel();
            let telling = progress.is_some();
            let worker = run.clone();
            scope.spawn(move || {
                let result = caught(|| worker.work(|run| work(run, &mut tell(&say, telling))));
                let _ = say.send(Said::Ended(result));
            });
            let mut fault = None;
            loop {
                let looked = match said.recv_timeout(TICK) {
                    Ok(Said::Ended(result)) => return fault.map_or(result, Err),
                    Ok(Said::Progress(line)) => Python::attach(|py| {
                        py.check_signals()?;
                        progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (line,)).map(drop))
                    }),
                    Err(_) => Python::attach(|py| py.check_signals()),
                };
                if let Err(error) = looked {
                    run.stop.stop();
                    fault.get_or_insert(error);
                }
            }
        })
    })
}

/// Does what cannot be stopped and changes nothing, in a thread of its own. An exception of a
/// signal leaves that thread behind: the call ends at once, and nobody gets the result.
pub(crate) fn leave<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, LabError> + Send + 'static,
) -> PyResult<T> {
    check_process()?;
    let run = Arc::new(Run::default());
    let (worker, (say, said)) = (run.clone(), channel());
    py.detach(move || {
        thread::spawn(move || _ = say.send(caught(|| worker.work(|_| work()))));
        loop {
            if let Ok(result) = said.recv_timeout(TICK) {
                return result;
            }
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                run.is_left.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    })
}

/// A panic of the program reaches Python as an exception, not as a thread that says nothing.
fn caught<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_error(&*panic)))
}

fn tell<T>(say: &Sender<Said<T>>, telling: bool) -> impl FnMut(String) {
    move |line| {
        if telling {
            let _ = say.send(Said::Progress(line));
        }
    }
}

fn panic_error(panic: &(dyn Any + Send)) -> PyErr {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!("a panic in tesuji: {}", text.unwrap_or("without a message")))
}
