//! Many searches side by side.

use crate::error::input;
use crate::game::Game;
use crate::network::{Function, PythonNetwork};
use crate::own_game::MOST_ACTIONS;
use crate::position::Position;
use crate::recipes;
use crate::run::{Run, Signals, call, with_python};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError, TryLockError};
use tesuji_lab::Found;

/// Searches of positions of one game by one recipe, which keep their trees.
#[pyclass(frozen, module = "tesuji._tesuji", name = "Searches")]
#[derive(Debug)]
pub(crate) struct Searches {
    game: Py<Game>,
    recipe: String,
    function: Option<Function>,
    /// Whether the game or a part of the recipe is written in Python.
    calls_python: bool,
    actions: usize,
    searches: Mutex<tesuji_lab::Searches>,
}

#[pymethods]
impl Searches {
    #[new]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        recipe: String,
        evaluates: bool,
        as_array: Py<PyAny>,
    ) -> PyResult<Searches> {
        let start = &game.get().start;
        let (actions, shape) = Run::guard(|| Ok((start.actions(), start.planes_shape())))?;
        let function: Option<Function> = evaluates.then(Function::default);
        let network = || {
            let function = function.clone()?;
            let (as_array, shape) = (as_array.clone_ref(py), shape.unwrap_or_default());
            Some(Box::new(PythonNetwork { function, as_array, shape, actions }) as _)
        };
        let (searches, calls_python) = Run::guard(|| {
            let spec = game.get().spec()?;
            let parsed = recipes::read(&recipe)?;
            // Trees are kept where the recipe can keep them.
            let keeping = recipes::read(&format!("{recipe},reuse=true"))?;
            let searches =
                spec.searches(&keeping, network()).or_else(|_| spec.searches(&parsed, network()))?;
            Ok((searches, recipes::calls_python(game.get(), &parsed)))
        })?;
        Ok(Searches {
            game: game.clone().unbind(),
            recipe,
            function,
            calls_python,
            actions,
            searches: Mutex::new(searches),
        })
    }

    #[getter]
    fn recipe(&self) -> &str {
        &self.recipe
    }

    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    #[getter]
    fn evaluates(&self) -> bool {
        self.function.is_some()
    }

    /// Forgets all trees.
    fn clear(&self) -> PyResult<()> {
        self.lock()?.clear();
        Ok(())
    }

    #[pyo3(signature = (positions, seeds, simulations, evaluate=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, Position>>,
        seeds: Vec<u64>,
        simulations: u64,
        evaluate: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.check(py, &positions)?;
        let mut guard = self.lock()?;
        let searches = &mut *guard;
        self.set_function(evaluate);
        let at: Vec<&tesuji_lab::Position> = positions.iter().map(|p| &p.get().position).collect();
        let found = call(py, |run| {
            let mut signals = Signals::new(run);
            let mut go_on = || {
                signals.look();
                !run.stop.is_stopped()
            };
            with_python(self.calls_python, || searches.run(&at, &seeds, simulations, &mut go_on))
        });
        // A function that knows these trees could never be freed.
        self.set_function(None);
        self.arrays(py, &found?)
    }
}

impl Searches {
    /// The function that evaluates from now on. What it replaces may run Python as it goes: only
    /// when nothing is locked.
    fn set_function(&self, evaluate: Option<Py<PyAny>>) {
        if let Some(function) = &self.function {
            let mut known = function.lock().unwrap_or_else(PoisonError::into_inner);
            let before = std::mem::replace(&mut *known, evaluate);
            drop(known);
            drop(before);
        }
    }

    /// Refuses positions of another game, and those whose arrays would be too large: a process that
    /// gets no memory ends, with all that Python has.
    fn check(&self, py: Python<'_>, positions: &[Bound<'_, Position>]) -> PyResult<()> {
        let mut actions = self.actions;
        for (number, position) in positions.iter().enumerate() {
            let Position { game, position } = position.get();
            if !game.is(&self.game) && !game.bind(py).eq(self.game.bind(py))? {
                return Err(input(format!("position {number} is one of another game than the searches")));
            }
            if self.actions == 0 {
                let moves = Run::guard(|| Ok(position.moves()))?;
                actions = moves.iter().map(|m| m.action + 1).fold(actions, usize::max);
            }
        }
        check_size(positions.len(), actions)
    }

    fn lock(&self) -> PyResult<std::sync::MutexGuard<'_, tesuji_lab::Searches>> {
        match self.searches.try_lock() {
            Ok(searches) => Ok(searches),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "these trees are being searched by another call; accepted: trees of its own for each thread",
            )),
        }
    }

    /// Visits, values and targets as arrays.
    fn arrays<'py>(&self, py: Python<'py>, found: &[Found]) -> PyResult<Bound<'py, PyDict>> {
        let most = found.iter().flat_map(|found| &found.visits).map(|&(action, _)| action + 1).max();
        let (batch, actions) = (found.len(), self.actions.max(most.unwrap_or(0)));
        check_size(batch, actions)?;
        let (mut visits, mut policy) = (vec![0_u32; batch * actions], vec![0_f32; batch * actions]);
        for (row, found) in found.iter().enumerate() {
            found.visits.iter().for_each(|&(action, n)| visits[row * actions + action] = n);
            found.target.iter().for_each(|&(action, share)| policy[row * actions + action] = share);
        }
        let arrays = PyDict::new(py);
        let column = |of: fn(&Found) -> u64| PyArray1::from_iter(py, found.iter().map(of));
        arrays.set_item("best", PyArray1::from_iter(py, found.iter().map(|found| found.best as i64)))?;
        arrays.set_item("values", PyArray1::from_iter(py, found.iter().map(|found| found.value)))?;
        arrays.set_item("visits", matrix(py, visits, [batch, actions])?)?;
        arrays.set_item("policy", matrix(py, policy, [batch, actions])?)?;
        arrays.set_item("simulations", column(|found| found.simulations))?;
        arrays.set_item("evaluations", column(|found| found.evaluations))?;
        Ok(arrays)
    }
}

/// The most numbers of an array of visits or shares.
const MOST_NUMBERS: usize = 1 << 28;

/// Refuses arrays with a row for each of `batch` positions and a column for each action if they
/// would be too large.
fn check_size(batch: usize, actions: usize) -> PyResult<()> {
    if actions > MOST_ACTIONS {
        return Err(input(format!(
            "a move has the number {}; accepted in a search: below {MOST_ACTIONS}, because visits are arrays with a \
             number for each move",
            actions - 1
        )));
    }
    if batch * actions > MOST_NUMBERS {
        return Err(input(format!(
            "{batch} positions of {actions} actions have {} visits; accepted: at most {MOST_NUMBERS}, and so {} \
             positions",
            batch * actions,
            MOST_NUMBERS / actions
        )));
    }
    Ok(())
}

fn matrix<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    PyArray1::from_vec(py, numbers).reshape(shape).map_err(input)
}
