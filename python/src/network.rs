//! A function of Python as a network.

use crate::error::{InputError, raise};
use crate::run::Run;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_lab::{PlanesAnswer, PlanesNetwork};

/// The function that evaluates; it may change from call to call.
pub(crate) type Function = Arc<Mutex<Option<Py<PyAny>>>>;

/// Calls `function(planes)` with an array of the shape [B, C, H, W], for logits [B, A] and values
/// [B].
pub(crate) struct PythonNetwork {
    pub(crate) function: Function,
    /// Makes an array of numbers of single precision from what is not one.
    pub(crate) as_array: Py<PyAny>,
    pub(crate) shape: [usize; 3],
    pub(crate) actions: usize,
}

impl PlanesNetwork for PythonNetwork {
    fn evaluate(&mut self, planes: Vec<f32>, batch: usize, tell: PlanesAnswer<'_>) {
        let answered = Python::attach(|py| self.ask(py, planes, batch, tell));
        if let Err(error) = answered {
            Run::fail(Run::current().as_ref(), error);
        }
    }
}

impl PythonNetwork {
    fn ask(&self, py: Python<'_>, planes: Vec<f32>, batch: usize, tell: PlanesAnswer<'_>) -> PyResult<()> {
        let [c, h, w] = self.shape;
        let known = self.function.lock().unwrap_or_else(PoisonError::into_inner);
        let function = known.as_ref().map(|function| function.clone_ref(py));
        drop(known);
        let Some(function) = function else {
            return Err(InputError::new_err("these searches need a function that evaluates positions"));
        };
        let planes = PyArray1::from_vec(py, planes).reshape([batch, c, h, w])?;
        let answer = function.bind(py).call1((planes,))?;
        let answer = answer.cast::<PyTuple>().ok().filter(|answer| answer.len() == 2).ok_or_else(|| {
            InputError::new_err("evaluate must return two arrays, (logits[B, A], values[B])")
        })?;
        let logits = self.array(&answer.get_item(0)?)?;
        let values = self.array(&answer.get_item(1)?)?;
        let logits: PyReadonlyArray2<'_, f32> =
            logits.extract().map_err(|_| self.misfit("logits", &logits))?;
        // Values of the shape [B, 1] are common.
        let values: PyReadonlyArray1<'_, f32> = values
            .extract()
            .or_else(|_| values.call_method1("reshape", (batch,))?.extract())
            .map_err(|_: PyErr| self.misfit("values", &values))?;
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        if logits.len() != batch * self.actions || values.len() != batch {
            let (found, other) = (answer.get_item(0)?, answer.get_item(1)?);
            let shape = |array: &Bound<'_, PyAny>| -> String {
                array
                    .getattr("shape")
                    .and_then(|shape| shape.str().map(|s| s.to_string()))
                    .unwrap_or_default()
            };
            return Err(InputError::new_err(format!(
                "evaluate returned logits {} and values {}; accepted: ({batch}, {}) and ({batch},)",
                shape(&found),
                shape(&other),
                self.actions
            )));
        }
        if let Some(value) = values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(InputError::new_err(format!(
                "evaluate returned the value {value}; accepted: 0 (loss) to 1 (win) for the player to move, which is \
                 (v + 1) / 2 for v in [-1, 1]"
            )));
        }
        tell(logits, values).map_err(raise)
    }

    /// The array itself, where it is one of single precision in the order of C.
    fn array<'py>(&self, array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.as_array.bind(array.py()).call1((array,))
    }

    fn misfit(&self, what: &str, array: &Bound<'_, PyAny>) -> PyErr {
        let shape = array.getattr("shape").map(|shape| shape.to_string()).unwrap_or_default();
        InputError::new_err(format!(
            "evaluate returned {what} of the shape {shape}; accepted: logits [B, {}] and values [B]",
            self.actions
        ))
    }
}
