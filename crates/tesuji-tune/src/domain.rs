//! Domains: the values that a parameter may have.

use crate::curve::Curve;
use crate::region::Group;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::HashSet;
use std::fmt;

/// The values of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// `real`: a number from `low` to `high`, which is greater.
    Real {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// `log`: a number from `low`, above 0, to `high`, on a logarithmic scale.
    Log {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// `integer`: a whole number from `low` to `high`.
    Integer {
        /// The least value, at least -10^9.
        low: i64,
        /// The greatest value, at most 10^9.
        high: i64,
    },
    /// `choice`: one of some words. A number counts as the word that it is written as.
    Choice {
        /// The words, at least two different ones.
        options: Vec<String>,
    },
    /// `knots`: N numbers from `low` to `high`, the values of a function at evenly spaced places.
    Knots {
        /// The number, 2 to 32.
        count: usize,
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
        /// Whether they never fall from one to the next.
        rising: bool,
        /// If given, at least 0: they are those of g in f(u) = start + ∫ e^g, and ln f is what
        /// matters ([`Curve`]).
        start: Option<f64>,
    },
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A word. A truth value is read as one.
    #[serde(deserialize_with = "word")]
    Word(String),
    /// The values at knots.
    Knots(Vec<f64>),
}

fn word<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Word {
        Truth(bool),
        Text(String),
    }
    Ok(match Word::deserialize(from)? {
        Word::Truth(truth) => truth.to_string(),
        Word::Text(text) => text,
    })
}

/// As a recipe's override and a command line write it: `3`, `0.25`, `mean`, `[0,1.5,2]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(n) => write!(f, "{n}"),
            Value::Number(x) => write!(f, "{x:?}"),
            Value::Word(word) => f.write_str(word),
            Value::Knots(values) => {
                let values: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
                write!(f, "[{}]", values.join(","))
            }
        }
    }
}

/// What is wrong with ends.
pub(crate) const BOUNDS: &str = "needs low and high, numbers of which low is less";
pub(crate) const WHOLE: &str = "low and high must be whole numbers, at most 10^9";

impl Domain {
    /// What it lacks, if anything.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match self {
            Domain::Real { low, high } | Domain::Log { low, high } | Domain::Knots { low, high, .. }
                if !(low < high && (high - low).is_finite()) =>
            {
                Err(BOUNDS)
            }
            Domain::Log { low, .. } if *low <= 0.0 => Err("low must be above 0 for a logarithm"),
            Domain::Log { low, high } if !(high / low > 1.0 && (high / low).is_finite()) => {
                Err("high / low must be a number above 1 for a logarithm")
            }
            Domain::Integer { low, high } if low >= high => Err(BOUNDS),
            Domain::Integer { low, high } if *low < -1_000_000_000 || *high > 1_000_000_000 => Err(WHOLE),
            Domain::Choice { options }
                if options.len() < 2 || options.iter().collect::<HashSet<_>>().len() < options.len() =>
            {
                Err("needs options, at least two different words")
            }
            Domain::Knots { count, .. } if !(2..=32).contains(count) => Err("needs count, 2 to 32"),
            Domain::Knots { start: Some(_), rising: true, .. } => Err(
                "with start, the knots give the slope of a function that rises anyway: rising must be false",
            ),
            Domain::Knots { start: Some(start), .. } if !(*start >= 0.0 && start.is_finite()) => {
                Err("start must be a number of at least 0")
            }
            Domain::Knots { count, low, high, start: Some(start), .. } => {
                let curve = Curve { knots: *count, low: *low, high: *high, start: *start };
                let widest = curve.widest();
                let tells = widest > 0.0 && widest.is_finite();
                tells.then_some(()).ok_or("start must not be so great that e^low to e^high change nothing")
            }
            _ => Ok(()),
        }
    }

    /// Its ends: the least and the greatest value, or every word of a choice.
    pub fn ends(&self) -> Vec<Value> {
        match self {
            Domain::Real { low, high } | Domain::Log { low, high } => {
                [low, high].map(|&x| Value::Number(x)).to_vec()
            }
            Domain::Integer { low, high } => [low, high].map(|&n| Value::Whole(n)).to_vec(),
            Domain::Choice { options } => options.iter().cloned().map(Value::Word).collect(),
            Domain::Knots { count, low, high, .. } => {
                [low, high].map(|&x| Value::Knots(vec![x; *count])).to_vec()
            }
        }
    }

    pub(crate) fn groups(&self) -> Vec<Group> {
        match self {
            Domain::Real { .. } | Domain::Log { .. } => vec![Group::Line],
            Domain::Integer { low, high } => vec![Group::Grid((high - low) as usize + 1)],
            Domain::Choice { options } => vec![Group::One(options.len())],
            Domain::Knots { count, rising: true, .. } => vec![Group::Rising(*count)],
            Domain::Knots { count, low, high, start: Some(start), .. } => {
                vec![Group::Curve(Curve { knots: *count, low: *low, high: *high, start: *start })]
            }
            Domain::Knots { count, .. } => vec![Group::Line; *count],
        }
    }

    /// The number of coordinates.
    pub fn width(&self) -> usize {
        self.groups().iter().map(Group::width).sum()
    }

    pub(crate) fn value(&self, x: &[f64]) -> Value {
        let between =
            |low: f64, high: f64, x: f64| rounded(low + x * (high - low), high - low).clamp(low, high);
        match self {
            Domain::Real { low, high } => Value::Number(between(*low, *high, x[0])),
            Domain::Log { low, high } => {
                let value = (low.ln() + x[0] * (high.ln() - low.ln())).exp();
                // Where the logarithm changes by d, the value changes by value * d.
                Value::Number(rounded(value, value * (high / low).ln()).clamp(*low, *high))
            }
            Domain::Integer { low, high } => Value::Whole(low + (x[0] * (high - low) as f64).round() as i64),
            Domain::Choice { options } => {
                let chosen = (0..options.len()).max_by(|&a, &b| x[a].total_cmp(&x[b]));
                Value::Word(options[chosen.unwrap_or(0)].clone())
            }
            Domain::Knots { low, high, .. } => {
                Value::Knots(x.iter().map(|&x| between(*low, *high, x)).collect())
            }
        }
    }

    /// A value as this domain has it: whole numbers without a point, and options as words.
    pub fn own(&self, value: Value) -> Value {
        match (self, value) {
            (Domain::Integer { .. }, Value::Number(x)) => Value::Whole(x as i64),
            (Domain::Choice { .. }, value) => Value::Word(value.to_string()),
            (_, value) => value,
        }
    }

    /// The coordinates of a value; none if it is no value of this domain.
    pub(crate) fn coordinates(&self, value: &Value) -> Option<Vec<f64>> {
        let within =
            |low: f64, high: f64, x: f64| (low..=high).contains(&x).then_some((x - low) / (high - low));
        let number = match *value {
            Value::Whole(n) => Some(n as f64),
            Value::Number(x) => Some(x),
            _ => None,
        };
        match (self, value) {
            (Domain::Real { low, high }, _) => within(*low, *high, number?).map(|x| vec![x]),
            (Domain::Log { low, high }, _) => {
                let number = number.filter(|x| (*low..=*high).contains(x))?;
                Some(vec![((number / low).ln() / (high / low).ln()).clamp(0.0, 1.0)])
            }
            (Domain::Integer { low, high }, _) => {
                let number = number.filter(|x| x.fract() == 0.0)?;
                within(*low as f64, *high as f64, number).map(|x| vec![x])
            }
            (Domain::Choice { options }, value) => {
                let word = value.to_string();
                let chosen = options.iter().position(|option| *option == word)?;
                Some((0..options.len()).map(|i| f64::from(u8::from(i == chosen))).collect())
            }
            (Domain::Knots { count, low, high, rising, .. }, Value::Knots(values)) => {
                let falls = values.windows(2).any(|pair| pair[0] > pair[1]);
                if values.len() != *count || *rising && falls {
                    return None;
                }
                values.iter().map(|&x| within(*low, *high, x)).collect()
            }
            _ => None,
        }
    }
}

/// The values that are accepted.
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Real { low, high } | Domain::Log { low, high } => {
                write!(f, "a number from {low} to {high}")
            }
            Domain::Integer { low, high } => write!(f, "a whole number from {low} to {high}"),
            Domain::Choice { options } => write!(f, "{}", options.join(", ")),
            Domain::Knots { count, low, high, rising, .. } => {
                let never = if *rising { " that never fall" } else { "" };
                write!(f, "{count} numbers from {low} to {high}{never}")
            }
        }
    }
}

/// A number to six digits, or to as many more as it takes that one of the last is worth at most
/// 10^-4 of `range`, which is above 0.
fn rounded(x: f64, range: f64) -> f64 {
    let finer = x.abs().log10().floor() - range.log10().floor() + 4.0;
    // 17 tell every number from every other.
    let digits = finer.clamp(5.0, 17.0) as usize;
    format!("{x:.digits$e}").parse().unwrap_or(x)
}
