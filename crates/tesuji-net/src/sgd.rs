//! Stochastic gradient descent.

use crate::kernel::Instructions;
use crate::muon::Muon;
use crate::parameters::Parameters;
use crate::real::Real;
use crate::reference::BATCH_SHARE;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The learning rate at each step. A plain number is read as a constant one.
// With `remote`, the derived functions are the type's own, and the traits can go by them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Schedule {
    /// Always the same.
    Constant {
        /// The rate, above 0.
        rate: f32,
    },
    /// A new rate from each of several steps on.
    Steps {
        /// The rate before the first of these steps, above 0.
        rate: f32,
        /// Pairs of a step and the rate from there on, by rising steps.
        then: Vec<(u64, f32)>,
    },
    /// Half a cosine from one rate to another, which then stays (Loshchilov and Hutter 2017).
    Cosine {
        /// The rate at step 0, above 0.
        rate: f32,
        /// The rate from step `steps` on, at least 0.
        end: f32,
        /// How many steps it takes, at least 1.
        steps: u64,
    },
}

impl Schedule {
    /// The rate at a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        match *self {
            Schedule::Constant { rate } => rate,
            Schedule::Steps { rate, ref then } => {
                then.iter().rev().find(|&&(from, _)| from <= step).map_or(rate, |&(_, rate)| rate)
            }
            Schedule::Cosine { rate, end, steps } => {
                let done = (step as f64 / steps.max(1) as f64).min(1.0);
                end + (rate - end) * ((1.0 + (std::f64::consts::PI * done).cos()) / 2.0) as f32
            }
        }
    }
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Schedule::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Schedule, D::Error> {
        deserializer.deserialize_any(RateOrTable)
    }
}

/// Reads a schedule.
struct RateOrTable;

impl<'de> Visitor<'de> for RateOrTable {
    type Value = Schedule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rate such as 0.02, or a table such as { kind = \"cosine\", rate = 0.02, end = 0.0, steps = 1000 }")
    }

    fn visit_f64<E: Error>(self, rate: f64) -> Result<Schedule, E> {
        Ok(Schedule::Constant { rate: rate as f32 })
    }

    fn visit_i64<E: Error>(self, rate: i64) -> Result<Schedule, E> {
        self.visit_f64(rate as f64)
    }

    fn visit_u64<E: Error>(self, rate: u64) -> Result<Schedule, E> {
        self.visit_f64(rate as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Schedule, A::Error> {
        Schedule::deserialize(MapAccessDeserializer::new(table))
    }
}

/// Stochastic gradient descent with momentum and weight decay.
///
/// With gradient g of parameter w, v becomes `momentum` v + g + `decay` w, and w becomes w - `rate`
/// v. Weight decay applies to every learned parameter. If there is a [`Muon`], it takes the steps
/// of the 3x3 kernels.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sgd {
    /// The learning rate. Default: constant 0.02.
    pub rate: Schedule,
    /// The share of the last step's move that the next step keeps, in [0, 1). Default 0.9.
    pub momentum: f32,
    /// Pull of every parameter towards 0, at least 0. Default 0.0001 (Silver et al. 2017).
    pub decay: f32,
    /// The steps of the 3x3 kernels. Default: none, those of all parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muon: Option<Muon>,
}

impl Default for Sgd {
    fn default() -> Sgd {
        Sgd { rate: Schedule::Constant { rate: 0.02 }, momentum: 0.9, decay: 1e-4, muon: None }
    }
}

impl Sgd {
    /// Takes step number `step`: moves the parameters by their gradient, the velocity with them,
    /// and the running statistics of batch norm a tenth of the way to those of the batch. A
    /// [`Muon`] computes with these instructions.
    ///
    /// # Panics
    /// If the three are not of one shape.
    pub fn apply<T: Real>(
        &self,
        step: u64,
        parameters: &mut Parameters<T>,
        velocity: &mut [T],
        gradient: &Parameters<T>,
        instructions: Instructions,
    ) {
        assert!(parameters.shape() == gradient.shape() && velocity.len() == parameters.learned.len());
        let rate = self.rate.rate(step);
        let [factor, momentum, decay] = [rate, self.momentum, self.decay].map(|x| T::of(x.into()));
        for tensor in parameters.layout.tensors.iter().filter(|tensor| !tensor.is_statistic) {
            let range = || tensor.range.clone();
            let weights = &mut parameters.learned[range()];
            let (velocity, gradient) = (&mut velocity[range()], &gradient.learned[range()]);
            match &self.muon {
                Some(muon) if tensor.is_wide() => {
                    muon.apply(instructions, rate, tensor.dims[0], weights, velocity, gradient);
                }
                _ => {
                    for ((w, v), &g) in weights.iter_mut().zip(velocity).zip(gradient) {
                        *v = momentum * *v + g + decay * *w;
                        *w -= factor * *v;
                    }
                }
            }
        }
        let share = T::of(BATCH_SHARE);
        for (running, &batch) in parameters.statistics.iter_mut().zip(&gradient.statistics) {
            *running += share * (batch - *running);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules() {
        let steps = Schedule::Steps { rate: 0.1, then: vec![(10, 0.01), (20, 0.001)] };
        assert_eq!([0, 9, 10, 19, 20, 99].map(|s| steps.rate(s)), [0.1, 0.1, 0.01, 0.01, 0.001, 0.001]);
        let cosine = Schedule::Cosine { rate: 1.0, end: 0.0, steps: 8 };
        assert_eq!([0, 4, 8, 100].map(|s| cosine.rate(s)), [1.0, 0.5, 0.0, 0.0]);
        assert!(cosine.rate(2) > 0.8);
    }

    #[test]
    fn a_number_is_read_as_a_constant_rate() {
        let read = |text: &str| serde_json::from_str::<Schedule>(text).map_err(|error| error.to_string());
        let constant = |rate| Schedule::Constant { rate };
        let text = serde_json::to_string(&constant(0.02)).unwrap();
        assert_eq!(text, r#"{"kind":"constant","rate":0.02}"#);
        for (text, rate) in [(text.as_str(), 0.02), ("0.02", 0.02), ("1", 1.0), ("-1", -1.0)] {
            assert_eq!(read(text), Ok(constant(rate)), "{text}");
        }
        for (text, expected) in [
            (r#""fast""#, "expected a rate such as 0.02, or a table"),
            (r#"{"rate":0.02}"#, "missing field `kind`"),
            (r#"{"kind":"line","rate":0.02}"#, "unknown variant `line`, expected one of `constant`"),
            (r#"{"kind":"constant","rate":0.02,"end":0.0}"#, "unknown field `end`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
