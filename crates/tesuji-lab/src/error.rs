//! What can go wrong in the laboratory, and whose fault it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabError {
    /// The request is not possible. The sentence names the fault and what would be accepted.
    Input(Fault),
    /// Something failed while running.
    Failed(String),
}

/// A fault of the input: its sentence and, if the operation has one, its small error type.
#[derive(Clone)]
pub struct Fault {
    text: String,
    cause: Option<Arc<dyn Any + Send + Sync>>,
}

impl LabError {
    /// A fault of the input.
    pub fn input(message: impl fmt::Display) -> LabError {
        LabError::Input(Fault { text: message.to_string(), cause: None })
    }

    /// A failure.
    pub fn failed(message: impl fmt::Display) -> LabError {
        LabError::Failed(message.to_string())
    }

    /// The small error type of the operation that refused its input, if it is this one.
    ///
    /// ```
    /// use tesuji_lab::{AgentError, AgentSpec};
    ///
    /// let error = AgentSpec::parse("random,x=1").unwrap_err();
    /// assert!(matches!(error.cause(), Some(AgentError::NoOverrides { .. })));
    /// let sentence = "\"random,x=1\": random takes no overrides; accepted: random";
    /// assert_eq!(error.to_string(), sentence);
    /// ```
    pub fn cause<E: Any>(&self) -> Option<&E> {
        match self {
            LabError::Input(fault) => fault.cause.as_ref()?.downcast_ref(),
            LabError::Failed(_) => None,
        }
    }

    /// The same error, whose sentence says first where it is: `PLACE: SENTENCE`.
    #[must_use]
    pub fn within(self, place: impl fmt::Display) -> LabError {
        match self {
            LabError::Input(Fault { text, cause }) => {
                LabError::Input(Fault { text: format!("{place}: {text}"), cause })
            }
            LabError::Failed(text) => LabError::Failed(format!("{place}: {text}")),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// Two faults are equal if they say the same.
impl PartialEq for Fault {
    fn eq(&self, other: &Fault) -> bool {
        self.text == other.text
    }
}

impl Eq for Fault {}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Input(fault) => fault.fmt(f),
            LabError::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for LabError {}

impl From<rusqlite::Error> for LabError {
    fn from(error: rusqlite::Error) -> Self {
        LabError::Failed(format!("the store of games: {error}"))
    }
}

/// A fault of the input, of the operation that has this error type.
pub(crate) fn fault(error: impl fmt::Display + Send + Sync + 'static) -> LabError {
    LabError::Input(Fault { text: error.to_string(), cause: Some(Arc::new(error)) })
}

/// Writes the small error type of one operation: its faults, each with the sentence that says it.
macro_rules! faults {
    ($(#[$about:meta])* $name:ident {
        $($fault:ident $({ $($field:ident: $type:ty),* $(,)? })? => $sentence:literal),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`` ", $sentence, " ``")]
                #[allow(missing_docs)]
                $fault $({ $($field: $type),* })?,
            )*
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $($name::$fault $({ $($field),* })? => write!(f, $sentence),)*
                }
            }
        }

        impl std::error::Error for $name {}

        impl From<$name> for $crate::error::LabError {
            fn from(error: $name) -> $crate::error::LabError {
                $crate::error::fault(error)
            }
        }
    };
}

pub(crate) use faults;

faults! {
    /// Numbers of a plan that are out of their range.
    RangeError {
        Zero { key: String } => "{key} is 0; accepted: at least 1",
        Seed { seed: u64 } => "seed is {seed}; accepted: below 2^63",
        Sprt { elo0: f64, elo1: f64 } =>
            "a sequential test of {elo0} against {elo1} Elo; accepted: two differences from -1000 to 1000, the lower one first",
        Engine { key: &'static str, seconds: f64 } => "engine: {key} is {seconds}; accepted: seconds above 0, at most 86400",
        Adjudication { threshold: f64 } =>
            "the threshold of adjudication is {threshold}; accepted: at least 0 (games are played out) and below 0.5",
        Count { key: String, count: u64, most: u64 } => "{key} is {count}; accepted: 1 to {most}",
    }
}

/// Checks numbers that must be at least 1, each with its key.
///
/// # Errors
/// If one is 0.
pub(crate) fn check_positive<'a>(
    numbers: impl IntoIterator<Item = (&'a str, u64)>,
) -> Result<(), RangeError> {
    match numbers.into_iter().find(|(_, number)| *number == 0) {
        Some((key, _)) => Err(RangeError::Zero { key: key.to_owned() }),
        None => Ok(()),
    }
}

/// Checks a seed.
///
/// # Errors
/// If it is 2^63 or more, which TOML and SQL do not have.
pub(crate) fn check_seed(seed: u64) -> Result<(), RangeError> {
    if seed < 1 << 63 { Ok(()) } else { Err(RangeError::Seed { seed }) }
}
