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
/// - `to_move()`: the player to move, 0 or 1;
/// - `moves()`: the legal moves, whole numbers;
/// - `play(move)`: plays a move, in the object itself, or returns the position after it;
/// - `result()`: `None`, or the value for player 0 in [0, 1] if the game is over.
///
/// It may have `actions`, the number that all moves are below; `planes()`, an array [C, H, W] for
/// networks; `move_text(move)`, `hash()`, `copy()` (default: `copy.deepcopy`) and `__str__()`.
/// `komi` is for Go, a multiple of 0.5.
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
        let parse = || GameSpec::parse(&self.text, self.komi.as_deref());
        let Some(make) = &self.make else { return parse() };
        // Another class of the same name may have been told since.
        Python::attach(|py| {
            let name = self.text[crate::own_game::NAME.len() + 1..].to_owned();
            crate::own_game::register_game(name, make.clone_ref(py));
            parse()
        })
    }

    /// Refuses a record under a name that another class may have, too.
    pub(crate) fn check_name(&self) -> PyResult<()> {
        if self.is_python() && self.text.contains('<') {
            return Err(input(format!(
                "a record cannot name the game {}; accepted with out: a class of a module, or a name that \
                 tesuji.register_game was told",
                self.text
            )));
        }
        Ok(())
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

/// Makes what is no name, a class of Python, a game of its own name.
fn own_name(make: &Bound<'_, PyAny>) -> PyResult<String> {
    if !make.is_callable() {
        return Err(input(
            "a game is named by text such as \"connect-four\", or by a class with the methods to_move, moves, play and result",
        ));
    }
    let part = |name| -> PyResult<String> { make.getattr(name)?.extract() };
    let name = format!("{}.{}", part("__module__")?, part("__qualname__")?);
    crate::own_game::register_game(name.clone(), make.clone().unbind());
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
            let spec = GameSpec::parse(&name, komi.as_deref())?;
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
        let same_make = match (&self.make, &other.make) {
            (Some(make), Some(other)) => make.bind(py).eq(other)?,
            _ => true,
        };
        Ok(same_make && (&self.name, &self.komi) == (&other.name, &other.komi))
    }

    fn __hash__(&self) -> u64 {
        crate::position::hash_of(&(&self.name, &self.komi))
    }
}
