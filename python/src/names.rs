//! What Python has made known under a name.

use crate::error::InputError;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Classes and functions by name: those that were told, and all classes of modules. What a call is
/// given as an object has its name in this call alone.
pub(crate) struct Names {
    told: Mutex<Option<HashMap<String, Py<PyAny>>>>,
    /// What they make, such as `game`.
    what: &'static str,
    /// A class of a module, for messages.
    example: &'static str,
}

impl Names {
    pub(crate) const fn new(what: &'static str, example: &'static str) -> Names {
        Names { told: Mutex::new(None), what, example }
    }

    /// Gives `make` a name, which nothing else has from now on.
    pub(crate) fn add(&self, name: String, make: Py<PyAny>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let before = told.get_or_insert_default().insert(name, make);
        // What it replaces may run Python as it goes: only now, when nothing is locked.
        drop(told);
        drop(before);
    }

    /// What was told under the name, or the class in a module.
    pub(crate) fn find<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(make) = told.as_ref().and_then(|told| told.get(name)) {
            return Ok(make.bind(py).clone());
        }
        drop(told);
        let unknown = |why: &str| {
            let Names { what, example, .. } = self;
            InputError::new_err(format!(
                "there is no {what} python:{name}{why}; accepted: a class of a module, such as python:{example}, or a name \
                 that tesuji.register_{what} was told"
            ))
        };
        let (module, class) = name.rsplit_once('.').ok_or_else(|| unknown(""))?;
        let module = py.import(module).map_err(|error| {
            let unknown = unknown(&format!(" ({error})"));
            unknown.set_cause(py, Some(error));
            unknown
        })?;
        // A module may make things by their names, and say what is wrong with one.
        let made = module.getattr(class);
        made.map_err(|error| if error.is_instance_of::<PyAttributeError>(py) { unknown("") } else { error })
    }
}
