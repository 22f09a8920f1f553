//! Parameters with names, and points as values of them.

use crate::domain::{BOUNDS, Domain, Value, WHOLE};
use crate::optimizer::Optimizer;
use crate::region::Region;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;

/// A parameter that is looked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Table", into = "Table")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The values of it.
    pub domain: Domain,
    /// The value to begin with, one of the domain, if one is given.
    pub default: Option<Value>,
}

/// Why a space of parameters, or a value of one, is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceError(String);

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpaceError {}

/// Named parameters, and how their values lie in the unit cube: numbers from `low` to `high` become
/// [0, 1], those of [`Domain::Log`] by their logarithms; a choice has a coordinate for each option,
/// knots one for each value.
///
/// ```
/// use tesuji_tune::{Domain, Parameter, Space, Value};
///
/// let log = Domain::Log { low: 0.1, high: 10.0 };
/// let space = Space::new(vec![Parameter { name: "c".into(), domain: log, default: None }])?;
/// assert_eq!(space.values(&[0.5]), [Value::Number(1.0)]);
/// assert_eq!(space.point(&[Value::Number(10.0)])?, [1.0]);
/// # Ok::<(), tesuji_tune::SpaceError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    parameters: Vec<Parameter>,
}

impl Space {
    /// The space of these parameters.
    ///
    /// # Errors
    /// If there is none, two have the same name, a domain or a default is not possible, or all
    /// together have more than [`Optimizer::DIMENSIONS`] coordinates.
    pub fn new(parameters: Vec<Parameter>) -> Result<Space, SpaceError> {
        let mut names = HashSet::new();
        if let Some(twice) = parameters.iter().find(|parameter| !names.insert(&parameter.name)) {
            return Err(SpaceError(format!("two parameters have the name {:?}", twice.name)));
        }
        if parameters.is_empty() {
            return Err(SpaceError("there is no parameter; accepted: at least one".to_owned()));
        }
        parameters.iter().try_for_each(Parameter::check)?;
        let coordinates: usize = parameters.iter().map(|parameter| parameter.domain.width()).sum();
        if coordinates > Optimizer::DIMENSIONS {
            return Err(SpaceError(format!(
                "the parameters have {coordinates} coordinates, one for each number, option and knot; accepted: at most {}",
                Optimizer::DIMENSIONS
            )));
        }
        Ok(Space { parameters })
    }

    /// The parameters, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The region of their points.
    pub fn region(&self) -> Region {
        Region::new(self.parameters.iter().flat_map(|parameter| parameter.domain.groups()).collect())
    }

    /// The values at a point. Numbers have six digits, or more if the sixth would be worth more
    /// than 10^-4 of the range (for [`Domain::Log`], of the range of the logarithm). A point
    /// outside the region counts as the nearest one inside.
    ///
    /// # Panics
    /// If the point has fewer coordinates than the space.
    pub fn values(&self, x: &[f64]) -> Vec<Value> {
        let mut x = x.to_vec();
        self.region().project(&mut x);
        let mut rest = &x[..];
        self.parameters
            .iter()
            .map(|parameter| {
                let (part, after) = rest.split_at(parameter.domain.width());
                rest = after;
                parameter.domain.value(part)
            })
            .collect()
    }

    /// The point of some values.
    ///
    /// # Errors
    /// If a value is none of its parameter, or there is not one for each.
    pub fn point(&self, values: &[Value]) -> Result<Vec<f64>, SpaceError> {
        if values.len() != self.parameters.len() {
            let (given, expected) = (values.len(), self.parameters.len());
            return Err(SpaceError(format!("there are {given} values for {expected} parameters")));
        }
        let mut x = Vec::new();
        for (parameter, value) in self.parameters.iter().zip(values) {
            let part = parameter.domain.coordinates(value).ok_or_else(|| {
                SpaceError(format!("{} is {value}; accepted: {}", parameter.name, parameter.domain))
            })?;
            x.extend(part);
        }
        Ok(x)
    }
}

impl Parameter {
    /// Makes sure that it has values, and that its default is one of them.
    fn check(&self) -> Result<(), SpaceError> {
        let fault = |what: String| SpaceError(format!("parameter {:?}: {what}", self.name));
        self.domain.check().map_err(|what| fault(what.to_owned()))?;
        match &self.default {
            Some(value) if self.domain.coordinates(value).is_none() => {
                Err(fault(format!("default is {value}; accepted: {}", self.domain)))
            }
            _ => Ok(()),
        }
    }
}

/// A parameter as a file writes it.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rising: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
}

impl TryFrom<Table> for Parameter {
    type Error = SpaceError;

    fn try_from(table: Table) -> Result<Parameter, SpaceError> {
        let fault = |what: &str| SpaceError(format!("parameter {:?}: {what}", table.name));
        let keys = [
            ("low", table.low.is_some()),
            ("high", table.high.is_some()),
            ("options", table.options.is_some()),
            ("count", table.count.is_some()),
            ("rising", table.rising.is_some()),
            ("start", table.start.is_some()),
        ];
        let only =
            |accepted: &[&str]| match keys.iter().find(|(key, given)| *given && !accepted.contains(key)) {
                Some((key, _)) => Err(fault(&format!(
                    "{key} is none of its keys; a parameter of kind {:?} has {}",
                    table.kind,
                    accepted.join(", ")
                ))),
                None => Ok(()),
            };
        let bounds = || table.low.zip(table.high).ok_or_else(|| fault(BOUNDS));
        if table.kind != "choice" && table.kind != "knots" {
            only(&["low", "high"])?;
        }
        let domain = match table.kind.as_str() {
            "real" => {
                let (low, high) = bounds()?;
                Domain::Real { low, high }
            }
            "log" => {
                let (low, high) = bounds()?;
                Domain::Log { low, high }
            }
            "integer" => {
                let (low, high) = bounds()?;
                if low.fract() != 0.0 || high.fract() != 0.0 {
                    return Err(fault(WHOLE));
                }
                Domain::Integer { low: low as i64, high: high as i64 }
            }
            "choice" => {
                only(&["options"])?;
                Domain::Choice { options: table.options.clone().unwrap_or_default() }
            }
            "knots" => {
                only(&["count", "low", "high", "rising", "start"])?;
                let (low, high) = bounds()?;
                let (count, rising) = (table.count.unwrap_or(0), table.rising.unwrap_or(false));
                Domain::Knots { count, low, high, rising, start: table.start }
            }
            kind => {
                let accepted = "accepted: \"real\", \"log\", \"integer\", \"choice\", \"knots\"";
                return Err(fault(&format!("kind is {kind:?}; {accepted}")));
            }
        };
        let parameter = Parameter { name: table.name, domain, default: table.default };
        parameter.check()?;
        Ok(parameter)
    }
}

impl From<Parameter> for Table {
    fn from(parameter: Parameter) -> Table {
        let Parameter { name, domain, default } = parameter;
        let table = Table { name, default, ..Table::default() };
        let range = |kind: &str, low: f64, high: f64| Table {
            kind: kind.to_owned(),
            low: Some(low),
            high: Some(high),
            ..table.clone()
        };
        match domain {
            Domain::Real { low, high } => range("real", low, high),
            Domain::Log { low, high } => range("log", low, high),
            Domain::Integer { low, high } => range("integer", low as f64, high as f64),
            Domain::Choice { options } => {
                Table { kind: "choice".to_owned(), options: Some(options), ..table }
            }
            Domain::Knots { count, low, high, rising, start } => {
                Table { count: Some(count), rising: Some(rising), start, ..range("knots", low, high) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Deserialize, Serialize)]
    struct File {
        parameter: Vec<Parameter>,
    }

    const FILE: &str = r#"
        [[parameter]]
        name = "select.c"
        kind = "log"
        low = 0.05
        high = 2
        default = 0.5
        [[parameter]]
        name = "select.bias"
        kind = "real"
        low = -1.5
        high = 0.5
        [[parameter]]
        name = "expand_at"
        kind = "integer"
        low = 1
        high = 8
        [[parameter]]
        name = "backup"
        kind = "choice"
        options = ["mean", "softmax", "coulom"]
        [[parameter]]
        name = "backup.knots"
        kind = "knots"
        count = 4
        low = -3
        high = 6
        [[parameter]]
        name = "weights"
        kind = "knots"
        count = 3
        low = 0
        high = 2
        rising = true
    "#;

    fn space() -> Space {
        Space::new(toml::from_str::<File>(FILE).unwrap().parameter).unwrap()
    }

    proptest! {
        #[test]
        fn values_are_accepted_and_stay_what_they_are(x in proptest::collection::vec(0.0..=1.0_f64, 13)) {
            let space = space();
            let values = space.values(&x);
            let point = space.point(&values).unwrap();
            let mut projected = x.clone();
            space.region().project(&mut projected);
            prop_assert!(point.iter().zip(&projected).all(|(a, b)| (a - b).abs() < 1e-4), "{point:?} {projected:?}");
            prop_assert!(point.iter().all(|x| (0.0..=1.0).contains(x)));
            prop_assert!(matches!(values[2], Value::Whole(1..=8)));
            let again = space.values(&point);
            prop_assert_eq!(&space.values(&space.point(&again).unwrap()), &again);
            // What a file or a log says of them is the same.
            let text = toml::to_string(&std::collections::BTreeMap::from([("values", &values)])).unwrap();
            let read: std::collections::BTreeMap<String, Vec<Value>> = toml::from_str(&text).unwrap();
            prop_assert_eq!(&read["values"], &values);
        }
    }

    #[test]
    fn a_file_names_the_parameters() {
        let space = space();
        assert_eq!(space.region().dimensions(), 13);
        assert_eq!(space.parameters()[0].default, Some(Value::Number(0.5)));
        let text = toml::to_string(&File { parameter: space.parameters().to_vec() }).unwrap();
        assert_eq!(toml::from_str::<File>(&text).unwrap().parameter, space.parameters());
        let values = space.values(&[0.5; 13]);
        let text: Vec<String> = values.iter().map(Value::to_string).collect();
        assert_eq!(text[..3], ["0.316228", "-0.5", "5"]);
        assert_eq!(text[4..], ["[1.5,1.5,1.5,1.5]", "[1.0,1.0,1.0]"]);
    }

    #[test]
    fn knots_with_a_start_are_seen_as_a_function() {
        let parameter = |more: &str| {
            let text = format!(
                "[[parameter]]\nname = \"p\"\nkind = \"knots\"\ncount = 5\nlow = -3\nhigh = 6\n{more}"
            );
            toml::from_str::<File>(&text).map(|file| file.parameter[0].clone())
        };
        let region = |more: &str| Space::new(vec![parameter(more).unwrap()]).unwrap().region();
        assert_eq!(region("").see(&[0.1; 5]), [0.1; 5]);
        assert_eq!(region("start = 0").see(&[0.1; 5]).len(), 16);
        assert_ne!(region("start = 0").see(&[0.1; 5]), region("start = 1").see(&[0.1; 5]));
        // What a record holds of a parameter without one says nothing of it, as before.
        let text = |more: &str| toml::to_string(&parameter(more).unwrap()).unwrap();
        assert!(!text("").contains("start") && text("start = 1").contains("start = 1.0"));
        for (more, expected) in [
            ("start = -1", "start must be a number of at least 0"),
            ("start = nan", "start must be a number of at least 0"),
            ("start = 1e30", "start must not be so great"),
            ("start = 0\nrising = true", "rising must be false"),
        ] {
            let error = parameter(more).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn values_are_as_fine_as_their_range() {
        let value = |domain: Domain, x: f64| {
            let space = Space::new(vec![Parameter { name: "p".to_owned(), domain, default: None }]).unwrap();
            space.values(&vec![x; space.region().dimensions()])[0].to_string()
        };
        assert_eq!(value(Domain::Real { low: 1e6, high: 1e6 + 1.0 }, 0.123_46), "1000000.1235");
        assert_eq!(value(Domain::Log { low: 1000.0, high: 1010.0 }, 0.5), "1004.9876");
        let knots = Domain::Knots { count: 2, low: 1e6, high: 1e6 + 1.0, rising: true, start: None };
        assert_eq!(value(knots, 0.37), "[1000000.37,1000000.37]");
        // Six digits are enough.
        assert_eq!(value(Domain::Real { low: -3.0, high: 6.0 }, 0.123_456_789), "-1.88889");
        assert_eq!(value(Domain::Real { low: 0.0, high: 1.0 }, 0.012_345_678_9), "0.0123457");
        assert_eq!(value(Domain::Log { low: 0.03, high: 1.0 }, 0.5), "0.173205");
    }

    #[test]
    fn spaces_that_cannot_be_are_refused() {
        let options = |words: &[&str]| Domain::Choice { options: words.iter().map(|&w| w.into()).collect() };
        let knots = |count| Domain::Knots { count, low: 0.0, high: 1.0, rising: false, start: None };
        for (domain, expected) in [
            (Domain::Real { low: 1.0, high: 0.0 }, "of which low is less"),
            (Domain::Real { low: f64::NAN, high: 0.0 }, "of which low is less"),
            (Domain::Real { low: f64::MIN, high: f64::MAX }, "of which low is less"),
            (Domain::Log { low: 0.0, high: 1.0 }, "above 0"),
            (Domain::Log { low: 1e-300, high: 1e300 }, "high / low"),
            (Domain::Integer { low: 5, high: 5 }, "of which low is less"),
            (Domain::Integer { low: i64::MIN, high: 0 }, "at most 10^9"),
            (options(&[]), "two different words"),
            (options(&["a", "a"]), "two different words"),
            (knots(1), "count, 2 to 32"),
        ] {
            let parameter = Parameter { name: "p".to_owned(), domain, default: None };
            let error = Space::new(vec![parameter]).unwrap_err().to_string();
            assert!(error.starts_with("parameter \"p\": ") && error.contains(expected), "{error}");
        }
        let real = Domain::Real { low: 0.0, high: 1.0 };
        let parameter = Parameter { name: "p".to_owned(), domain: real, default: Some(Value::Number(2.0)) };
        let error = Space::new(vec![parameter]).unwrap_err().to_string();
        assert!(error.contains("default is 2.0; accepted: a number from 0 to 1"), "{error}");

        let many = |n: usize| {
            let parameter = |i: usize| Parameter { name: format!("p{i}"), domain: knots(32), default: None };
            Space::new((0..n).map(parameter).collect())
        };
        assert_eq!(many(8).unwrap().region().dimensions(), 256);
        let error = many(9).unwrap_err().to_string();
        assert!(error.contains("288 coordinates") && error.contains("at most 256"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let parameter = |body: &str| {
            let text = format!("[[parameter]]\nname = \"p\"\n{body}");
            toml::from_str::<File>(&text).map(|_| ()).unwrap_err().to_string()
        };
        for (body, expected) in [
            ("kind = \"float\"", "accepted: \"real\", \"log\""),
            ("kind = \"real\"\nlow = 2\nhigh = 1", "of which low is less"),
            ("kind = \"log\"\nlow = 0\nhigh = 1", "above 0"),
            ("kind = \"integer\"\nlow = 0.5\nhigh = 1", "whole numbers"),
            ("kind = \"choice\"\noptions = [\"a\", \"a\"]", "two different words"),
            ("kind = \"choice\"\noptions = [\"a\", \"b\"]\nlow = 1", "low is none of its keys"),
            ("kind = \"knots\"\nlow = 0\nhigh = 1", "count, 2 to 32"),
            ("kind = \"real\"\nlow = 0\nhigh = 1\ndefault = 2", "a number from 0 to 1"),
            ("kind = \"real\"\nlow = 0\nhigh = 1\nlowest = 2", "unknown field `lowest`"),
        ] {
            let error = parameter(body);
            assert!(error.contains(expected), "{error}");
        }
        let space = space();
        let mut values = space.values(&[0.2; 13]);
        values[5] = Value::Knots(vec![1.0, 0.5, 2.0]);
        let error = space.point(&values).unwrap_err().to_string();
        assert_eq!(error, "weights is [1.0,0.5,2.0]; accepted: 3 numbers from 0 to 2 that never fall");
        assert!(space.point(&values[..2]).unwrap_err().to_string().contains("2 values for 6"));
    }
}
