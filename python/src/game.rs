//! Games by name.

use crate::error::input;
use crate::position::Position;
use crate::run::Run;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tesuji_lab::{GameSpec, LabError};

/// A game with its initial position.
///
/// `name` is a name such as `"connect-four"` or `"go:9"` (`tesuji.games()` lists all), or a class
/// with the methods
///
/// - `to_move()`: the player to move, 0 or 1; the answer does not matter once the game is over;
/// - `moves()`: the legal moves, whole numbers;
/// - `play(move)`: plays a move, in the object itself, or returns the position after it;
/// - `result()`: `None`, or the value for player 0 in [0, 1] if the game is over.
///
/// It may have `actions`, the number that all moves are below; `planes()`, an array [C, H, W] for
/// networks; `move_text(move)`, a text without white space that no other legal move has; `hash()`,
/// `copy()` (default: `copy.deepcopy`) and `__str__()`. `komi` is for Go, a multiple of 0.5.
///
/// Raises `InputError` if there is no such game; the message says what is accepted.
#[pyclass(frozen, module = "tesuji._tesuji", name = "Game")]
#[derive(Debug)]
pub(crate) struct Game {
    text: String,
    /// The class or function of Python that it was made of.
    make: Option<Py<PyAny>>,
    komi: Option<String>,
    pub(crate) start: tesuji_lab::Position,
    opening_plies: u32,
    name: String,
}

impl Game {
    /// The game anew, for a call that is under way: a game of Python tells it of its exceptions.
    pub(crate) fn spec(&self) -> Result<GameSpec, LabError> {
        read(&self.text, self.make.as_ref(), self.komi.as_deref())
    }

    /// Refuses a record of a class or function that is not what the name of the game leads to.
    pub(crate) fn check_name(&self, py: Python<'_>) -> PyResult<()> {
        match &self.make {
            Some(make) if !self.named(py).is_some_and(|found| found.is(make.bind(py))) => {
                Err(input(format!(
                    "a record cannot name the game {}, because this name does not lead to it; accepted with out: a \
                     class of a module, or a name that tesuji.register_game was told",
                    self.text
                )))
            }
            _ => Ok(()),
        }
    }

    /// What the name of a game of Python leads to.
    fn named<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        crate::own_game::find(py, own_part(&self.text)?).ok()
    }

    /// Whether the rules are written in Python.
    pub(crate) fn is_python(&self) -> bool {
        is_python(&self.text)
    }
}

/// Whether the rules of the game of this name are written in Python.
pub(crate) fn is_python(text: &str) -> bool {
    text.split(':').next() == Some(crate::own_game::NAME)
}

/// The name of a game of Python without its prefix.
fn own_part(text: &str) -> Option<&str> {
    text.strip_prefix(crate::own_game::NAME)?.strip_prefix(':')
}

/// Reads a game within a call, in which its name means `make`, if it was made of that.
fn read(text: &str, make: Option<&Py<PyAny>>, komi: Option<&str>) -> Result<GameSpec, LabError> {
    if let (Some(make), Some(name), Some(run)) = (make, own_part(text), Run::current()) {
        run.give(name.to_owned(), Python::attach(|py| make.clone_ref(py)));
    }
    GameSpec::parse(text, komi)
}

/// A komi, as a number or as text.
#[derive(FromPyObject)]
enum Komi {
    Number(f64),
    Text(String),
}

impl Komi {
    /// The name by which the game was made, such as `"go:9"`.
    fn text(self) -> String {
        match self {
            Komi::Number(komi) => komi.to_string(),
            Komi::Text(komi) => komi,
        }
    }
}

/// The name of a game that is made of a class or function of Python. What has none, such as a
/// `functools.partial`, is named by its class.
fn own_name(make: &Bound<'_, PyAny>) -> PyResult<String> {
    if !make.is_callable() {
        return Err(input(
            "a game is named by text such as \"connect-four\", or by a class with the methods to_move, moves, play and result",
        ));
    }
    let part = |of: &Bound<'_, PyAny>, name| of.getattr(name).and_then(|part| part.extract::<String>());
    let name = match (part(make, "__module__"), part(make, "__qualname__")) {
        (Ok(module), Ok(name)) => format!("{module}.{name}"),
        _ => {
            let class = make.get_type().into_any();
            format!("{}.<{}>", part(&class, "__module__")?, part(&class, "__qualname__")?)
        }
    };
    Ok(format!("{}:{name}", crate::own_game::NAME))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, komi=None))]
    fn new(name: &Bound<'_, PyAny>, komi: Option<Komi>) -> PyResult<Game> {
        let (name, make) = match name.extract::<String>() {
            Ok(name) => (name, None),
            Err(_) => (own_name(name)?, Some(name.clone().unbind())),
        };
        let komi = komi.map(Komi::text);
        let (spec, start) = Run::guard(|| {
            let spec = read(&name, make.as_ref(), komi.as_deref())?;
            let start = spec.position();
            Ok((spec, start))
        })?;
        Ok(Game {
            text: name,
            make,
            komi,
            start,
            opening_plies: spec.opening_plies(),
            name: spec.to_string(),
        })
    }

    /// The name under which records have the game, such as `"go9"`.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The name by which it was made.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Points for the second player as text, if a komi was given.
    #[getter]
    fn komi(&self) -> Option<&str> {
        self.komi.as_deref()
    }

    /// The number of random moves with which a game of a match begins, unless the match says
    /// otherwise.
    #[getter]
    fn opening_plies(&self) -> u32 {
        self.opening_plies
    }

    /// The number of actions, A: every move of every position has a number below it. 0 for a game
    /// that numbers no moves.
    #[getter]
    fn actions(&self) -> PyResult<usize> {
        Run::guard(|| Ok(self.start.actions()))
    }

    /// The shape (C, H, W) of `Position.planes()`; `None` for a game without planes.
    #[getter]
    fn planes_shape(&self) -> PyResult<Option<(usize, usize, usize)>> {
        Run::guard(|| Ok(self.start.planes_shape().map(Into::into)))
    }

    /// The number of legal sequences of `depth` moves.
    ///
    /// Ctrl-C ends the call at once; a game in Rust is counted on in the background.
    fn perft(slf: &Bound<'_, Game>, depth: u32) -> PyResult<u64> {
        let game = slf.clone().unbind();
        crate::run::leave(slf.py(), move || Ok(game.get().spec()?.perft(depth)))
    }

    /// The initial position.
    fn start(slf: &Bound<'_, Game>) -> Position {
        Position { game: slf.clone().unbind(), position: slf.get().start.clone() }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, Option<String>) {
        let name = match &self.make {
            Some(make) => make.bind(py).clone(),
            None => PyString::new(py, &self.text).into_any(),
        };
        (name, self.komi.clone())
    }

    fn __repr__(&self) -> String {
        match &self.komi {
            Some(komi) => format!("Game({:?}, komi={komi})", self.text),
            None => format!("Game({:?})", self.text),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Game) -> PyResult<bool> {
        if (&self.name, &self.komi) != (&other.name, &other.komi) {
            return Ok(false);
        }
        match (&self.make, &other.make) {
            (Some(make), Some(other)) => make.bind(py).eq(other),
            // The other one is a name, which may have come to mean something else.
            (Some(make), None) | (None, Some(make)) => {
                Ok(self.named(py).is_some_and(|found| found.is(make.bind(py))))
            }
            (None, None) => Ok(true),
        }
    }

    fn __hash__(&self) -> u64 {
        crate::position::hash_of(&(&self.name, &self.komi))
    }
}
