//! Games whose rules are written in Python.

use crate::error::InputError;
use crate::names::Names;
use crate::run::Run;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use std::fmt;
use std::hash::Hasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tesuji::{Game, Keyed, Knowledge, Notation, Player, Playouts, Value, named_move};
use tesuji_lab::{GameEntry, GameSpec, NamedGame};

/// The name of these games, before the colon.
pub(crate) const NAME: &str = "python";

/// Classes and functions that make initial positions.
static KNOWN: Names = Names::new("game", "my_games.Nim");

/// Makes `python:NAME` a game that begins with what `make()` returns.
#[pyfunction]
pub(crate) fn register_game(name: String, make: Py<PyAny>) {
    KNOWN.add(name, make);
}

/// What makes initial positions under this name in every call: what was registered, or a class of a
/// module.
pub(crate) fn find<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    KNOWN.find(py, name)
}

/// Makes the games known to the laboratory.
pub(crate) fn make_known() {
    GameSpec::register::<OwnGame>();
}

/// What all positions of a game share.
struct Rules {
    /// The call for which the game was made, which ends if a method raises.
    run: Option<Arc<Run>>,
    /// How `play` plays: see [`Style`].
    style: AtomicU8,
    actions: usize,
    shape: Option<[usize; 3]>,
    /// Copies a position.
    copy: Py<PyAny>,
    has_text: bool,
    has_hash: bool,
}

/// How `play` plays, as its first call shows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Style {
    Unknown,
    /// It changes the object, and returns nothing or that object.
    Changes,
    /// It returns another object.
    Returns,
}

/// A position of a game of Python. Copies share the object until one of them is played on.
#[derive(Clone)]
pub(crate) struct OwnGame {
    rules: Arc<Rules>,
    object: Arc<Py<PyAny>>,
}

impl fmt::Debug for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnGame")
    }
}

impl OwnGame {
    /// Calls Python. An exception ends the call that is under way.
    fn ask<T>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        Run::check_left(self.rules.run.as_ref());
        match Python::attach(|py| ask(self.object.bind(py))) {
            Ok(answer) => answer,
            Err(error) => Run::fail(self.rules.run.as_ref(), error),
        }
    }

    fn list(&self, object: &Bound<'_, PyAny>, out: &mut Vec<u32>) -> PyResult<()> {
        let before = out.len();
        for m in object.call_method0("moves")?.try_iter()? {
            let m: u32 = m?.extract()?;
            if self.rules.actions > 0 && m as usize >= self.rules.actions {
                let actions = self.rules.actions;
                return Err(InputError::new_err(format!(
                    "moves() has {m}; accepted: whole numbers below actions, {actions}"
                )));
            }
            out.push(m);
        }
        if out.len() == before {
            return Err(InputError::new_err("moves() is empty though result() is None"));
        }
        Ok(())
    }

    fn try_play(&mut self, py: Python<'_>, m: u32) -> PyResult<()> {
        let style = self.rules.style.load(Ordering::Relaxed);
        if style != Style::Returns as u8 && Arc::get_mut(&mut self.object).is_none() {
            self.object = Arc::new(self.rules.copy.bind(py).call1((self.object.bind(py),))?.unbind());
        }
        let after = self.object.bind(py).call_method1("play", (m,))?;
        let is_changed = after.is_none() || after.is(self.object.bind(py));
        let style = if is_changed { Style::Changes } else { Style::Returns };
        self.rules.style.store(style as u8, Ordering::Relaxed);
        if style == Style::Returns {
            self.object = Arc::new(after.unbind());
        }
        Ok(())
    }
}

fn to_move(object: &Bound<'_, PyAny>) -> PyResult<Player> {
    let player = object.call_method0("to_move")?;
    match player.extract::<usize>() {
        Ok(number @ (0 | 1)) => Ok(Player::new(number)),
        _ => Err(InputError::new_err(format!("to_move() is {}; accepted: 0 or 1", player.repr()?))),
    }
}

fn is_over(object: &Bound<'_, PyAny>) -> bool {
    object.call_method0("result").is_ok_and(|result| !result.is_none())
}

impl Game for OwnGame {
    type Move = u32;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.ask(|object| match to_move(object) {
            // Libraries say so in their own ways that nobody is to move.
            Err(error) if error.is_instance_of::<PyException>(object.py()) && is_over(object) => {
                Ok(Player::FIRST)
            }
            player => player,
        })
    }

    fn moves(&self, out: &mut Vec<u32>) {
        self.ask(|object| self.list(object, out));
    }

    fn play(&mut self, m: u32) {
        if let Err(error) = Python::attach(|py| self.try_play(py, m)) {
            Run::fail(self.rules.run.as_ref(), error);
        }
    }

    fn result(&self) -> Option<Value> {
        self.ask(|object| {
            let result: Option<f32> = object.call_method0("result")?.extract()?;
            match result {
                Some(value) if !(0.0..=1.0).contains(&value) => Err(InputError::new_err(format!(
                    "result() is {value}; accepted: None, or 0 to 1, the value for player 0"
                ))),
                result => Ok(result.map(|value| Value::new(Player::FIRST, value))),
            }
        })
    }

    fn hash(&self) -> Option<u64> {
        if !self.rules.has_hash {
            return None;
        }
        Some(self.ask(|object| {
            let hash: isize = object.call_method0("hash")?.hash()?;
            let mut hasher = std::hash::DefaultHasher::new();
            hasher.write_isize(hash);
            Ok(hasher.finish())
        }))
    }
}

impl Keyed for OwnGame {
    fn keys(&self) -> usize {
        2 * self.rules.actions
    }
}

impl Playouts for OwnGame {}
impl Knowledge for OwnGame {}

impl Notation for OwnGame {
    fn move_text(&self, m: u32) -> String {
        if !self.rules.has_text {
            return m.to_string();
        }
        self.ask(|object| {
            let text: String = object.call_method1("move_text", (m,))?.extract()?;
            // A line of moves has spaces between them.
            if text.is_empty() || text.contains(char::is_whitespace) {
                return Err(InputError::new_err(format!(
                    "move_text({m}) is {text:?}; accepted: a text without white space, such as {:?}",
                    if text.trim().is_empty() {
                        m.to_string()
                    } else {
                        text.split_whitespace().collect::<Vec<_>>().join("_")
                    }
                )));
            }
            Ok(text)
        })
    }

    fn parse_move(&self, text: &str) -> Option<u32> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let named: Vec<(u32, String)> = moves.into_iter().map(|m| (m, self.move_text(m))).collect();
        let mut exact = named.iter().filter(|(_, own)| own == text).map(|&(m, _)| m);
        if let Some(first) = exact.next()
            && let Some(other) = exact.find(|&m| m != first)
        {
            let error = InputError::new_err(format!(
                "move_text({first}) and move_text({other}) are both {text:?}; accepted: another text for each legal \
                 move"
            ));
            Run::fail(self.rules.run.as_ref(), error);
        }
        named_move(text, named)
    }

    fn planes_shape(&self) -> Option<[usize; 3]> {
        self.rules.shape
    }

    fn write_planes(&self, out: &mut [f32]) {
        self.ask(|object| {
            let planes = object.call_method0("planes")?;
            let planes = object.py().import("numpy")?.call_method1("asarray", (planes, "float32"))?;
            let planes: Vec<f32> = planes.call_method0("ravel")?.extract()?;
            if planes.len() != out.len() {
                let (found, expected) = (planes.len(), out.len());
                return Err(InputError::new_err(format!(
                    "planes() has {found} numbers; accepted: {expected}, as at the start"
                )));
            }
            out.copy_from_slice(&planes);
            Ok(())
        });
    }
}

impl fmt::Display for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ask(|object| Ok(object.str()?.to_string())))
    }
}

impl NamedGame for OwnGame {
    const NAME: &'static str = NAME;
    const LIST: &'static [GameEntry] = &[GameEntry {
        syntax: "python:MODULE.CLASS",
        about: "a class of Python with the methods to_move, moves, play and result",
    }];

    fn start(parameters: Option<&str>) -> Result<Option<(OwnGame, Option<String>)>, String> {
        let Some(name) = parameters else { return Ok(None) };
        let run = Run::current();
        let game = Python::attach(|py| match made_by(py, name, run.as_deref()) {
            // Records may name a game that is not known here.
            Err(error) if error.is_instance_of::<InputError>(py) => Err(error.value(py).to_string()),
            found => Ok(found.and_then(|make| start(&make, name, run.clone()))),
        });
        match game? {
            Ok(game) => Ok(Some((game, Some(name.to_owned())))),
            Err(error) => Run::fail(run.as_ref(), error),
        }
    }
}

/// What makes the game of this name: what the call was given under it comes first.
fn made_by<'py>(py: Python<'py>, name: &str, run: Option<&Run>) -> PyResult<Bound<'py, PyAny>> {
    run.and_then(|run| run.given(py, name)).map_or_else(|| find(py, name), Ok)
}

/// The most actions of a game: searches have tables of that size.
pub(crate) const MOST_ACTIONS: usize = 1 << 24;

fn start(make: &Bound<'_, PyAny>, name: &str, run: Option<Arc<Run>>) -> PyResult<OwnGame> {
    let (py, object) = (make.py(), make.call0()?);
    for method in ["to_move", "moves", "play", "result"] {
        if !object.hasattr(method)? {
            return Err(PyTypeError::new_err(format!(
                "the game {name} has no method {method}; accepted: to_move(), moves(), play(move) and result()"
            )));
        }
    }
    let actions = match object.getattr_opt("actions")? {
        Some(actions) => actions.extract()?,
        None => 0,
    };
    if actions > MOST_ACTIONS {
        return Err(InputError::new_err(format!("actions is {actions}; accepted: at most {MOST_ACTIONS}")));
    }
    let shape = if object.hasattr("planes")? {
        let planes = py.import("numpy")?.call_method1("asarray", (object.call_method0("planes")?,))?;
        let shape: Vec<usize> = planes.getattr("shape")?.extract()?;
        let shape = <[usize; 3]>::try_from(shape).map_err(|shape| {
            InputError::new_err(format!(
                "planes() has the shape {shape:?}; accepted: three dimensions, [C, H, W]"
            ))
        })?;
        Some(shape)
    } else {
        None
    };
    let copy = match object.get_type().getattr_opt("copy")? {
        Some(copy) => copy,
        None => py.import("copy")?.getattr("deepcopy")?,
    };
    let (has_text, has_hash) = (object.hasattr("move_text")?, object.hasattr("hash")?);
    let style = AtomicU8::new(Style::Unknown as u8);
    let rules = Rules { run, style, actions, shape, copy: copy.unbind(), has_text, has_hash };
    Ok(OwnGame { rules: Arc::new(rules), object: Arc::new(object.unbind()) })
}

tesuji_agents::playable!(OwnGame);
