//! Backups that are written in Python.

use crate::error::InputError;
use crate::names::Names;
use crate::run::Run;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Once};
use tesuji::{Backup, NodeMut, OwnPart};

static KNOWN: Names = Names::new("backup", "my_backups.Fading");

/// Makes `backup=python,backup.name=NAME` a backup, the object that `make(**settings)` returns.
///
/// `make` is a class with the method `update(node, sample)`. A search calls it at each node of a
/// path, leaf to root, with a `Node` and the sample in [0, 1] for the player who moved into the
/// node. It sets `node.value`, and returns the sample for the next node, or nothing to pass the
/// sample on as it is. The attribute `backup_state` of the object (default 0) is the number of
/// numbers that it keeps at each node, at most 1024.
///
/// `backup.settings.KEY=VALUE` of a recipe is an argument of `make`. Identities of agents hash the
/// name and all settings, so a class with a changed method needs another name in a store. One
/// object serves all nodes and searches of an agent.
#[pyfunction]
pub(crate) fn register_backup(name: String, make: Py<PyAny>) {
    KNOWN.add(name, make);
}

/// Makes these backups known to recipes.
pub(crate) fn make_known() {
    static ONCE: Once = Once::new();
    ONCE.call_once(tesuji::register_backup::<PythonBackup>);
}

/// A class of Python with the method update(node, sample), which is called at each node of a path.
#[derive(Default, Serialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PythonBackup {
    /// The class: MODULE.CLASS, or a name that tesuji.register_backup was told.
    name: String,
    /// Arguments of the class by name; those that are left out have the defaults of the class.
    settings: Settings,
    #[serde(skip)]
    object: Option<Object>,
}

type Settings = BTreeMap<String, Value>;

/// The most numbers that a backup keeps at a node: a tree makes them for many nodes at once.
const MOST_NUMBERS: usize = 1024;

/// The object that serves all searches of a recipe.
#[derive(Debug)]
struct Object {
    /// Its method.
    update: Py<PyAny>,
    backup_state: usize,
    /// The call for which it was made, which ends if the method raises.
    run: Option<Arc<Run>>,
}

impl OwnPart for PythonBackup {
    const KIND: &'static str = "python";
}

impl<'de> Deserialize<'de> for PythonBackup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PythonBackup, D::Error> {
        #[derive(Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[derive(Default)]
        struct Written {
            name: String,
            settings: Settings,
        }
        let Written { name, settings } = Written::deserialize(deserializer)?;
        Python::attach(|py| {
            PythonBackup::make(py, name, settings).map_err(|error| {
                // The enum of all backups forgets why one could not be read.
                if let Some(run) = Run::current() {
                    run.end(error.clone_ref(py));
                }
                D::Error::custom(error.value(py))
            })
        })
    }
}

impl PythonBackup {
    fn make(py: Python<'_>, name: String, mut settings: Settings) -> PyResult<PythonBackup> {
        let class = KNOWN.find(py, &name)?;
        complete(&class, &mut settings)?;
        let text = serde_json::to_string(&settings).map_err(crate::error::input)?;
        let arguments = py.import("json")?.call_method1("loads", (&text,))?;
        let refused = |error: PyErr| {
            InputError::new_err(format!("the backup {name} cannot be made with the settings {text}: {error}"))
        };
        let object = class.call((), Some(arguments.cast::<PyDict>()?)).map_err(refused)?;
        let update = object.getattr_opt("update")?.ok_or_else(|| {
            InputError::new_err(format!(
                "the backup {name} has no method update; accepted: update(node, sample)"
            ))
        })?;
        let backup_state = match object.getattr_opt("backup_state")? {
            Some(numbers) => numbers.extract::<usize>().ok().filter(|&numbers| numbers <= MOST_NUMBERS).ok_or_else(|| {
                InputError::new_err(format!(
                    "backup_state of the backup {name} is {numbers}; accepted: 0 to {MOST_NUMBERS}, the number of \
                     numbers that it keeps at a node"
                ))
            })?,
            None => 0,
        };
        let object = Object { update: update.unbind(), backup_state, run: Run::current() };
        Ok(PythonBackup { name, settings, object: Some(object) })
    }
}

/// Adds the defaults of the class to its settings, so that a recipe names all that matters.
fn complete(class: &Bound<'_, PyAny>, settings: &mut Settings) -> PyResult<()> {
    let Ok(signature) = class.py().import("inspect")?.call_method1("signature", (class,)) else {
        return Ok(());
    };
    for item in signature.getattr("parameters")?.call_method0("items")?.try_iter()? {
        let (name, parameter): (String, Bound<'_, PyAny>) = item?.extract()?;
        let default = parameter.getattr("default")?;
        let default = if let Ok(value) = default.extract::<bool>() {
            Value::from(value)
        } else if let Ok(value) = default.extract::<i64>() {
            Value::from(value)
        } else if let Ok(value) = default.extract::<f64>() {
            // JSON has no other numbers; the class keeps such a default to itself.
            if !value.is_finite() {
                continue;
            }
            Value::from(value)
        } else if let Ok(value) = default.extract::<String>() {
            Value::from(value)
        } else {
            continue;
        };
        let set = settings.entry(name).or_insert_with(|| default.clone());
        if let (true, Some(whole)) = (default.is_f64(), set.as_i64()) {
            *set = Value::from(whole as f64);
        }
    }
    Ok(())
}

impl Backup for PythonBackup {
    fn backup_state(&self) -> usize {
        self.object.as_ref().map_or(0, |object| object.backup_state)
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let Some(object) = &self.object else { return sample };
        match Python::attach(|py| object.update(py, node, visits, sample)) {
            Ok(passed) => passed,
            Err(error) => Run::fail(object.run.as_ref(), error),
        }
    }
}

impl Object {
    fn update(&self, py: Python<'_>, node: &mut impl NodeMut, visits: u32, sample: f64) -> PyResult<f64> {
        let kept = node.backup_state();
        let numbers = (0..self.backup_state).map(|place| kept.get(place));
        let backup_state =
            if self.backup_state == 0 { None } else { Some(PyList::new(py, numbers)?.unbind()) };
        let shown = Node {
            visits,
            value: node.value(),
            is_own: node.is_own(),
            turns: node.turn(0.0) == 1.0,
            children: node.children().collect(),
            backup_state,
        };
        let shown = Bound::new(py, shown)?;
        let passed: Option<f64> = self.update.bind(py).call1((&shown, sample))?.extract()?;
        let after = shown.borrow();
        let check = |what, value: f64| {
            if (0.0..=1.0).contains(&value) {
                return Ok(value);
            }
            Err(InputError::new_err(format!("update {what} {value}; accepted: 0 to 1")))
        };
        node.set_value(check("set the value", after.value)?);
        if let Some(backup_state) = &after.backup_state {
            let numbers: Vec<f64> = backup_state.extract(py)?;
            if numbers.len() != self.backup_state {
                let (found, expected) = (numbers.len(), self.backup_state);
                return Err(InputError::new_err(format!(
                    "update left {found} numbers in backup_state; accepted: {expected}"
                )));
            }
            let kept = node.backup_state();
            numbers.into_iter().enumerate().for_each(|(place, number)| kept.set(place, number));
        }
        passed.map_or(Ok(sample), |passed| check("returned", passed))
    }
}

/// A node while a backup of Python works on it.
#[pyclass(module = "tesuji._tesuji", name = "Node")]
#[derive(Debug)]
pub(crate) struct Node {
    /// Visits of the node, with the present one.
    #[pyo3(get)]
    visits: u32,
    /// The value in [0, 1] for the player who moved into the node. `update` sets it.
    #[pyo3(get, set)]
    value: f64,
    /// Whether the sample belongs to the node itself and did not come from a child.
    #[pyo3(get)]
    is_own: bool,
    turns: bool,
    children: Vec<(u32, f64)>,
    backup_state: Option<Py<PyList>>,
}

#[pymethods]
impl Node {
    /// Visits and value of each child, for the player to move at the node.
    #[getter]
    fn children(&self) -> Vec<(u32, f64)> {
        self.children.clone()
    }

    /// The numbers that the backup keeps at the node, as many as its attribute `backup_state` says;
    /// all 0 in a new node. `update` changes them in place.
    #[getter]
    fn backup_state(&self, py: Python<'_>) -> Py<PyList> {
        self.backup_state
            .as_ref()
            .map_or_else(|| PyList::empty(py).unbind(), |backup_state| backup_state.clone_ref(py))
    }

    /// Turns a value for the player to move at the node into one for the player who moved into it,
    /// or back.
    fn turn(&self, value: f64) -> f64 {
        if self.turns { 1.0 - value } else { value }
    }
}
