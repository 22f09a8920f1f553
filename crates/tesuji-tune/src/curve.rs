//! Rising functions given by knots.

/// The function f(u) = start + ∫ e^g from 0 to u on [0, 1], where g is piecewise linear through
/// evenly spaced knots. A Gaussian process sees ln f at evenly spaced places, with one length for
/// all of them.
///
/// So the distance of two points is that of their functions: the root mean square of the difference
/// of their logarithms. Similar functions may have different knots: where g is low, f hardly
/// depends on it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The number of knots, 2 or more.
    pub knots: usize,
    /// The least value of g, for a coordinate of 0.
    pub low: f64,
    /// The greatest value of g, for a coordinate of 1.
    pub high: f64,
    /// f(0), at least 0.
    pub start: f64,
}

/// Places between two knots at which ln f is seen.
const PLACES: usize = 4;

/// Cells of the integral between two places.
const CELLS: usize = 4;

impl Curve {
    /// How many numbers are seen of it.
    pub(crate) fn places(&self) -> usize {
        PLACES * (self.knots - 1)
    }

    /// f(0) in units of e^high, in which nothing overflows.
    fn start_in_units(&self) -> f64 {
        self.start * (-self.high).exp()
    }

    /// The greatest difference of ln f between two functions, at u = 1.
    pub(crate) fn widest(&self) -> f64 {
        let (start, least) = (self.start_in_units(), (self.low - self.high).exp());
        (start + 1.0).ln() - (start + least).max(f64::MIN_POSITIVE).ln()
    }

    /// Adds to `seen` ln f at the places for the knots of coordinates `x`, in units in which the
    /// squares of the differences between two functions sum to as much as those of as many
    /// coordinates in [0, 1] as there are knots, at most. And in `slopes`, unless that is empty,
    /// their derivatives by the coordinates, a row for each place.
    pub(crate) fn see(&self, x: &[f64], seen: &mut Vec<f64>, slopes: &mut [f64]) {
        let (range, places) = (self.high - self.low, self.places());
        let cells = CELLS * places;
        let floor = f64::MIN_POSITIVE;
        let start = self.start_in_units();
        let unit = (self.knots as f64 / places as f64).sqrt() / self.widest();
        let mut f = start;
        let mut slope = vec![0.0; if slopes.is_empty() { 0 } else { self.knots }];
        for cell in 0..cells {
            let at = (cell as f64 + 0.5) / (CELLS * PLACES) as f64;
            let (j, t) = (at as usize, at.fract());
            let area = (range * (x[j] + t * (x[j + 1] - x[j]) - 1.0)).exp() / cells as f64;
            f += area;
            if !slopes.is_empty() {
                slope[j] += area * (1.0 - t) * range;
                slope[j + 1] += area * t * range;
            }
            if cell % CELLS == CELLS - 1 {
                let (place, f) = (cell / CELLS, f.max(floor));
                seen.push(unit * f.ln());
                if !slopes.is_empty() {
                    let row = &mut slopes[place * self.knots..][..self.knots];
                    row.iter_mut().zip(&slope).for_each(|(out, slope)| *out = unit * slope / f);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVE: Curve = Curve { knots: 5, low: -3.0, high: 6.0, start: 0.0 };

    fn seen(curve: Curve, x: &[f64]) -> Vec<f64> {
        let mut seen = Vec::new();
        curve.see(x, &mut seen, &mut []);
        seen
    }

    fn square(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
    }

    #[test]
    fn equal_knots_are_lines() {
        // f(u) = start + a u; all in one unit, here that of the first curve: sqrt(5 / 16) / 9.
        for start in [0.0, 1.0] {
            let curve = Curve { start, ..CURVE };
            let line = seen(curve, &[0.5; 5]);
            let (low, top) = (1.5_f64.exp(), (start + 6.0_f64.exp()) / (start + (-3.0_f64).exp()));
            let unit = (5.0_f64 / 16.0).sqrt() / top.ln();
            for (i, pair) in line.windows(2).enumerate() {
                let f = |i: usize| (start + low * (i + 1) as f64 / 16.0).ln();
                assert!((pair[1] - pair[0] - unit * (f(i + 1) - f(i))).abs() < 1e-12, "{start} {i}");
            }
        }
        // The farthest are as far apart as the corners of a cube.
        assert!((square(&seen(CURVE, &[0.0; 5]), &seen(CURVE, &[1.0; 5])) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn functions_that_are_alike_are_near() {
        // Where the slope is low, the function hardly depends on it; where it is high, it does.
        let near = square(&seen(CURVE, &[1.0, 1.0, 0.3, 0.0, 0.0]), &seen(CURVE, &[1.0, 1.0, 0.3, 0.1, 0.2]));
        let far = square(&seen(CURVE, &[0.9, 1.0, 0.3, 0.0, 0.0]), &seen(CURVE, &[1.0, 0.8, 0.3, 0.0, 0.0]));
        assert!(near < 1e-4 && far > 1e-3, "{near}, {far}");
    }

    #[test]
    fn slopes_are_those_of_what_is_seen() {
        for curve in [CURVE, Curve { start: 1.0, low: -6.0, high: 8.0, ..CURVE }] {
            let x = [0.2, 0.9, 0.4, 0.6, 0.1];
            let mut slopes = vec![0.0; 5 * curve.places()];
            curve.see(&x, &mut Vec::new(), &mut slopes);
            for d in 0..5 {
                let near = |step: f64| {
                    let mut x = x;
                    x[d] += step;
                    seen(curve, &x)
                };
                for (place, (above, below)) in near(1e-6).into_iter().zip(near(-1e-6)).enumerate() {
                    let (found, slope) = (slopes[place * 5 + d], (above - below) / 2e-6);
                    assert!((found - slope).abs() < 1e-7, "{place} {d}: {found} is not {slope}");
                }
            }
        }
    }

    #[test]
    fn great_knots_do_not_overflow() {
        let wide = Curve { low: -2000.0, high: 2000.0, ..CURVE };
        for x in [[0.0; 5], [1.0; 5], [0.0, 1.0, 0.0, 1.0, 0.0]] {
            let mut slopes = vec![0.0; 5 * wide.places()];
            let mut seen = Vec::new();
            wide.see(&x, &mut seen, &mut slopes);
            assert!(seen.iter().chain(&slopes).all(|x| x.is_finite()), "{x:?}: {seen:?}");
        }
    }
}
