//! Bayesian optimization by ask and tell.

use crate::error::input;
use pyo3::prelude::*;
use tesuji_tune::{Optimizer, Parameter, Pending, Settings, Space, Value};

/// An optimizer of named parameters.
#[pyclass(module = "tesuji._tesuji", name = "Tuner")]
#[derive(Debug)]
pub(crate) struct Tuner {
    space: Space,
    optimizer: Optimizer,
}

impl Tuner {
    fn point(&self, values: &str) -> PyResult<Vec<f64>> {
        let values: Vec<Value> = serde_json::from_str(values).map_err(input)?;
        self.space.point(&values).map_err(input)
    }

    fn values(&self, x: &[f64]) -> PyResult<String> {
        serde_json::to_string(&self.space.values(x)).map_err(input)
    }
}

#[pymethods]
impl Tuner {
    #[new]
    fn new(parameters: &str, initial: usize, samples: usize, seed: u64) -> PyResult<Tuner> {
        let parameters: Vec<Parameter> = serde_json::from_str(parameters).map_err(input)?;
        let space = Space::new(parameters).map_err(input)?;
        let settings = Settings { initial, samples, ..Settings::default() };
        settings.check().map_err(input)?;
        let optimizer = Optimizer::within(space.region(), settings, seed);
        Ok(Tuner { space, optimizer })
    }

    /// The values to look at next, as JSON, while those of `pending` are under way, each with its
    /// variance.
    fn ask(&mut self, py: Python<'_>, pending: Vec<(String, f64)>) -> PyResult<String> {
        let pending = pending
            .iter()
            .map(|(values, variance)| Ok(Pending { x: self.point(values)?, variance: *variance }))
            .collect::<PyResult<Vec<_>>>()?;
        let optimizer = &mut self.optimizer;
        let x = py.detach(|| optimizer.ask(&pending));
        self.values(&x)
    }

    /// Learns what was observed at these values, with which variance.
    fn tell(&mut self, values: &str, y: f64, variance: f64) -> PyResult<()> {
        let most = Optimizer::LARGEST;
        if y.is_nan() || y.abs() > most {
            return Err(input(format!("the observation is {y}; accepted: -{most:e} to {most:e}")));
        }
        if !(variance >= 0.0 && variance.sqrt() <= most) {
            return Err(input(format!(
                "the variance is {variance}; accepted: at least 0, with a root of at most {most:e}"
            )));
        }
        let x = self.point(values)?;
        self.optimizer.tell(x, y, variance);
        Ok(())
    }

    /// The values with the highest expected observation, as JSON, that expectation and its standard
    /// deviation.
    fn recommend(&mut self, py: Python<'_>) -> PyResult<Option<(String, f64, f64)>> {
        let optimizer = &mut self.optimizer;
        let Some((x, at)) = py.detach(|| optimizer.recommend()) else { return Ok(None) };
        Ok(Some((self.values(&x)?, at.mean, at.variance.sqrt())))
    }

    fn __len__(&self) -> usize {
        self.optimizer.observations().len()
    }
}
