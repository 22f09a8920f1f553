//! Positions.

use crate::error::input;
use crate::game::Game;
use crate::run::Run;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use tesuji::named_move;

/// A position of a game, with the moves that led to it. It does not change: `play` returns another
/// one.
///
/// `Position(game, "4 4 3")` is the position after these moves. It pickles, and shows as a picture
/// in notebooks.
#[pyclass(frozen, module = "tesuji._tesuji", name = "Position")]
#[derive(Debug)]
pub(crate) struct Position {
    pub(crate) game: Py<Game>,
    pub(crate) position: tesuji_lab::Position,
}

/// A move: its text, or its number.
#[derive(FromPyObject)]
enum AnyMove {
    Number(usize),
    Text(String),
}

pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Position {
    fn after(
        &self,
        py: Python<'_>,
        moves: impl FnOnce(&mut tesuji_lab::Position) -> Result<(), tesuji_lab::LabError>,
    ) -> PyResult<Position> {
        let mut position = self.position.clone();
        Run::guard(|| moves(&mut position))?;
        Ok(Position { game: self.game.clone_ref(py), position })
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, moves=""))]
    fn new(game: &Bound<'_, Game>, moves: &str) -> PyResult<Position> {
        let mut position = game.get().start.clone();
        Run::guard(|| position.play(moves))?;
        Ok(Position { game: game.clone().unbind(), position })
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The player to move: 0 for the first, 1 for the second.
    #[getter]
    fn to_move(&self) -> PyResult<usize> {
        Run::guard(|| Ok(self.position.to_move().index()))
    }

    /// The legal moves as text; none if the game is over.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        Run::guard(|| Ok(self.position.moves().into_iter().map(|m| m.text).collect()))
    }

    /// The legal moves as numbers below `game.actions`, in the order of `moves`.
    #[getter]
    fn actions(&self) -> PyResult<Vec<usize>> {
        Run::guard(|| Ok(self.position.moves().into_iter().map(|m| m.action).collect()))
    }

    /// The moves that led here, as text.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.position.history().to_vec()
    }

    /// The value for player 0 in [0, 1] if the game is over: 1 for a win, 1/2 for a draw, 0 for a
    /// loss; else `None`.
    #[getter]
    fn result(&self) -> PyResult<Option<f32>> {
        Run::guard(|| Ok(self.position.result()))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.result()?.is_some())
    }

    /// The position after some moves, each a text such as `"e5"`, a text with several moves and
    /// spaces between them, or a number.
    ///
    /// Raises `InputError` if one is not legal; the message names moves that are.
    #[pyo3(signature = (*moves))]
    fn play(&self, py: Python<'_>, moves: Vec<AnyMove>) -> PyResult<Position> {
        self.after(py, |position| {
            moves.iter().try_for_each(|m| match m {
                AnyMove::Number(action) => position.play_action(*action),
                AnyMove::Text(text) => position.play(text),
            })
        })
    }

    /// The number of a legal move.
    fn action(&self, text: &str) -> PyResult<usize> {
        let moves = Run::guard(|| Ok(self.position.moves()))?;
        named_move(text, moves.iter().map(|m| (m.action, &m.text))).ok_or_else(|| {
            let texts: Vec<_> = moves.iter().take(3).map(|m| m.text.as_str()).collect();
            input(format!("the move {text:?} is not legal there; accepted: {}", texts.join(", ")))
        })
    }

    /// The text of a legal move, by its number.
    fn text(&self, action: usize) -> PyResult<String> {
        let moves = Run::guard(|| Ok(self.position.moves()))?;
        let found = moves.into_iter().find(|m| m.action == action);
        found.map(|m| m.text).ok_or_else(|| input(format!("the action {action} is not legal there")))
    }

    /// The position as float32[C, H, W], as networks see it. Of a built-in game with a board: plane
    /// 0 has 1 where a piece of the player to move stands, plane 1 where any other piece stands,
    /// plane 2 is 1 everywhere if player 0 is to move. Row 0 is the row that the game names first.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let shape = Run::guard(|| Ok(self.position.planes_shape()))?
            .ok_or_else(|| input("the game has no planes; accepted: a game on a board"))?;
        let mut planes = vec![0.0; shape.iter().product()];
        Run::guard(|| {
            self.position.write_planes(&mut planes);
            Ok(())
        })?;
        PyArray1::from_vec(py, planes).reshape(shape)
    }

    /// Which actions are legal: bool[A].
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (moves, most) = Run::guard(|| Ok((self.position.moves(), self.position.actions())))?;
        let mut mask = vec![false; most];
        for m in moves {
            if let Some(legal) = mask.get_mut(m.action) {
                *legal = true;
            }
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The position as data to draw, in JSON; `None` for a game without a board.
    fn drawing(&self) -> PyResult<Option<String>> {
        let drawing = Run::guard(|| Ok(self.position.drawing()))?;
        drawing.map(|drawing| serde_json::to_string(&drawing).map_err(input)).transpose()
    }

    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        let drawing = Run::guard(|| Ok(self.position.drawing()))?;
        Ok(drawing.and_then(|drawing| tesuji_lab::picture::<String>(&drawing, None, String::clone)))
    }

    fn __str__(&self) -> PyResult<String> {
        Run::guard(|| Ok(self.position.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let game = self.game.bind(py).repr()?;
        Ok(format!("Position({game}, {:?})", self.position.history().join(" ")))
    }

    fn __eq__(&self, py: Python<'_>, other: &Position) -> PyResult<bool> {
        Ok(self.position.history() == other.position.history()
            && self.game.bind(py).eq(other.game.bind(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(hash_of(&(self.game.bind(py).hash()?, self.position.history())))
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<Game>, String) {
        (self.game.clone_ref(py), self.position.history().join(" "))
    }
}
