//! The number types of the reference network.

use std::iter::Sum;
use std::ops::{AddAssign, SubAssign};

/// `f32` or `f64`.
pub trait Real:
    num_traits::Float + AddAssign + SubAssign + Sum + std::fmt::Debug + Send + Sync + 'static
{
    /// This number, rounded to the type.
    fn of(x: f64) -> Self;
    /// This number as `f64`.
    fn wide(self) -> f64;
}

impl Real for f32 {
    fn of(x: f64) -> f32 {
        x as f32
    }

    fn wide(self) -> f64 {
        self.into()
    }
}

impl Real for f64 {
    fn of(x: f64) -> f64 {
        x
    }

    fn wide(self) -> f64 {
        self
    }
}
