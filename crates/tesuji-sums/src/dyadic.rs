//! Exact numbers.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// A dyadic rational, `numerator / 2^exponent`: every number that sums of games and their
/// thermographs need.
///
/// Prints as a fraction in lowest terms, `-5/2` or `3`.
///
/// # Panics
/// Sums and differences panic where the numerator over the common denominator leaves `i128`.
/// Numbers below 2^40 with denominators up to 2^80 are far from that; texts of
/// [`Heap`](crate::Heap) and [`Tree`](crate::Tree) stay within. A game as a
/// [`Graph`](crate::Graph) can leave the range: a move may halve a number, so about 120 moves in a
/// row are the limit ([`Graph::thermographs`](crate::Graph::thermographs) has the formula). Numbers
/// of any size are compared exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dyadic {
    /// Odd, unless the exponent is 0.
    numerator: i128,
    exponent: u32,
}

impl Dyadic {
    /// Zero.
    pub const ZERO: Dyadic = Dyadic { numerator: 0, exponent: 0 };
    /// One.
    pub const ONE: Dyadic = Dyadic { numerator: 1, exponent: 0 };
    /// Minus one.
    pub const MINUS_ONE: Dyadic = Dyadic { numerator: -1, exponent: 0 };

    /// `numerator / 2^exponent`, in lowest terms.
    pub fn new(numerator: i128, exponent: u32) -> Dyadic {
        if exponent == 0 || numerator == 0 {
            return Dyadic { numerator, exponent: 0 };
        }
        let common = numerator.trailing_zeros().min(exponent);
        Dyadic { numerator: numerator >> common, exponent: exponent - common }
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator's binary logarithm, in lowest terms: 0 for whole numbers.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Half of the number.
    #[must_use]
    pub fn half(self) -> Dyadic {
        Dyadic::new(self.numerator, self.exponent + 1)
    }

    /// The number without its sign.
    #[must_use]
    pub fn abs(self) -> Dyadic {
        if self.numerator < 0 { -self } else { self }
    }

    /// -1, 0 or 1.
    pub fn signum(self) -> i32 {
        self.numerator.signum() as i32
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 * 0.5f64.powi(self.exponent as i32)
    }

    /// The numerator over the denominator `2^exponent`, which must not be below the number's own.
    pub(crate) fn scaled(self, exponent: u32) -> i128 {
        let unit = 1i128.checked_shl(exponent - self.exponent).filter(|&unit| unit > 0);
        let scaled = if self.numerator == 0 {
            Some(0)
        } else {
            unit.and_then(|unit| self.numerator.checked_mul(unit))
        };
        scaled.expect("the number fits into 128 bits over the common denominator")
    }

    /// Compares with a number of a larger denominator. That number is no multiple of this one's
    /// unit, so it lies strictly between two of them.
    fn cmp_finer(self, finer: Dyadic) -> Ordering {
        let below = finer.numerator >> (finer.exponent - self.exponent).min(i128::BITS - 1);
        if self.numerator <= below { Ordering::Less } else { Ordering::Greater }
    }

    /// The product with a slope: -2 to 2.
    pub(crate) fn times(self, slope: i8) -> Dyadic {
        self.times_whole(slope.into())
    }

    /// The product with a whole number.
    pub(crate) fn times_whole(self, factor: i128) -> Dyadic {
        let product = self.numerator.checked_mul(factor);
        Dyadic::new(product.expect("the product fits into 128 bits"), self.exponent)
    }
}

impl From<i64> for Dyadic {
    fn from(whole: i64) -> Dyadic {
        Dyadic { numerator: whole.into(), exponent: 0 }
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        let negative = self.numerator.checked_neg();
        Dyadic { numerator: negative.expect("the negative fits into 128 bits"), ..self }
    }
}

impl Add for Dyadic {
    type Output = Dyadic;

    #[inline]
    fn add(self, other: Dyadic) -> Dyadic {
        let exponent = self.exponent.max(other.exponent);
        let add = |a: i128, b: i128| a.checked_add(b).expect("the sum fits into 128 bits");
        if exponent == 0 {
            return Dyadic { numerator: add(self.numerator, other.numerator), exponent };
        }
        Dyadic::new(add(self.scaled(exponent), other.scaled(exponent)), exponent)
    }
}

impl Sub for Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Dyadic) -> Dyadic {
        self + -other
    }
}

impl AddAssign for Dyadic {
    #[inline]
    fn add_assign(&mut self, other: Dyadic) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Dyadic {
    fn sum<I: Iterator<Item = Dyadic>>(numbers: I) -> Dyadic {
        numbers.fold(Dyadic::ZERO, |sum, x| sum + x)
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Dyadic) -> Ordering {
        match self.exponent.cmp(&other.exponent) {
            Ordering::Equal => self.numerator.cmp(&other.numerator),
            Ordering::Less => self.cmp_finer(*other),
            Ordering::Greater => other.cmp_finer(*self).reverse(),
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.exponent {
            0 => self.numerator.to_string(),
            1..128 => format!("{}/{}", self.numerator, 1u128 << self.exponent),
            exponent => format!("{}/2^{exponent}", self.numerator),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_lowest_terms() {
        let number = |numerator, exponent| Dyadic::new(numerator, exponent).to_string();
        assert_eq!(number(-10, 2), "-5/2");
        assert_eq!(number(12, 2), "3");
        assert_eq!(number(0, 7), "0");
        assert_eq!(Dyadic::from(1).half().half().to_string(), "1/4");
    }

    #[test]
    fn sums_and_order_are_exact() {
        let (a, b) = (Dyadic::new(1, 60), Dyadic::from(1 << 40));
        assert_eq!(a + b - b, a);
        assert!(a + b > b && b - a < b && -a < a && a.abs() == (-a).abs());
        assert_eq!([a, a, -a].into_iter().sum::<Dyadic>(), a);
        assert_eq!(Dyadic::new(-5, 1).to_f64(), -2.5);
        assert_eq!(Dyadic::from(0) + Dyadic::new(1, 200), Dyadic::new(1, 200));
        for (a, b) in [(Dyadic::from(1), Dyadic::new(1, 127)), (Dyadic::new(i128::MAX, 0), Dyadic::from(1))] {
            assert!(std::panic::catch_unwind(|| a + b).is_err(), "{a} + {b}");
        }
        assert!(std::panic::catch_unwind(|| -Dyadic::new(i128::MIN, 0)).is_err());
    }

    /// Numbers whose difference leaves 128 bits are compared all the same.
    #[test]
    fn numbers_of_any_size_are_in_order() {
        let number = Dyadic::new;
        let order = [
            number(i128::MIN, 0),
            number(-1, 0),
            number(-3, 2),
            number(-1, 1),
            number(-1, 127),
            number(-1, 128),
            number(-1, 4_000_000_000),
            Dyadic::ZERO,
            number(1, 4_000_000_000),
            number(1, 200),
            number(i128::MAX, 300),
            number(1, 127),
            number(i128::MAX, 128),
            number(1, 1),
            number(i128::MAX, 127),
            number(1, 0),
            number(i128::MAX, 1),
            number(i128::MAX, 0),
        ];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a} and {b}");
            }
        }
    }
}
