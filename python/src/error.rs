//! Errors, converted in one place.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tesuji_lab::LabError;

create_exception!(
    tesuji,
    InputError,
    PyValueError,
    "The request is not possible. The message is that of the command line: it names the fault and what is accepted."
);

create_exception!(tesuji, RunError, PyRuntimeError, "Something failed while running.");

/// The exception of an error.
pub(crate) fn raise(error: LabError) -> PyErr {
    match error {
        LabError::Input(message) => InputError::new_err(message.to_string()),
        LabError::Failed(message) => RunError::new_err(message),
    }
}

/// A fault of the input.
pub(crate) fn input(message: impl std::fmt::Display) -> PyErr {
    InputError::new_err(message.to_string())
}
