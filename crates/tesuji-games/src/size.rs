//! The error for a board size that a game refuses.

use std::fmt;
use std::ops::RangeInclusive;

/// A game cannot be played on a board of this size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeError {
    pub(crate) what: &'static str,
    pub(crate) size: usize,
    pub(crate) sizes: RangeInclusive<usize>,
}

impl SizeError {
    /// `Ok` if `size` is one of `sizes`.
    pub(crate) fn check(
        what: &'static str,
        size: usize,
        sizes: RangeInclusive<usize>,
    ) -> Result<(), SizeError> {
        if sizes.contains(&size) { Ok(()) } else { Err(SizeError { what, size, sizes }) }
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizeError { what, size, sizes } = self;
        write!(f, "{what} must be {} to {}, not {size}", sizes.start(), sizes.end())
    }
}

impl std::error::Error for SizeError {}
