//! Observations in units of their spread.

use crate::posterior::Observation;

/// Mean and standard deviation of observations.
pub(crate) struct Scale {
    mean: f64,
    deviation: f64,
}

impl Scale {
    pub(crate) fn of(data: &[Observation]) -> Scale {
        let n = data.len() as f64;
        let mean = data.iter().map(|o| o.y).sum::<f64>() / n;
        let deviation = (data.iter().map(|o| (o.y - mean).powi(2)).sum::<f64>() / n).sqrt();
        Scale { mean, deviation: if deviation > 1e-12 { deviation } else { 1.0 } }
    }

    pub(crate) fn square(&self) -> f64 {
        self.deviation * self.deviation
    }

    pub(crate) fn shrink(&self, y: f64) -> f64 {
        (y - self.mean) / self.deviation
    }

    pub(crate) fn grow(&self, y: f64) -> f64 {
        self.mean + self.deviation * y
    }

    pub(crate) fn shrink_one(&self, o: &Observation) -> Observation {
        Observation { x: o.x.clone(), y: self.shrink(o.y), variance: o.variance / self.square() }
    }

    pub(crate) fn shrink_all(&self, data: &[Observation]) -> Vec<Observation> {
        data.iter().map(|o| self.shrink_one(o)).collect()
    }
}
