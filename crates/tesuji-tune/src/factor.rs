//! Cholesky factors that grow row by row.

/// The lower factor L of a symmetric positive definite matrix L L', in packed rows.
///
/// A matrix that grows by a row grows its factor by one, in O(n^2); a whole one takes n^3 / 6
/// multiplications.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Factor {
    rows: Vec<f64>,
    len: usize,
}

impl Factor {
    /// Removes all rows, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.len = 0;
    }

    /// Row `i`, its diagonal element last.
    #[inline]
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * (i + 1) / 2..][..=i]
    }

    /// Becomes the factor of a whole matrix: `row` adds the matrix's row `i` of `len`, which ends
    /// with its diagonal element. False if the matrix is not positive definite; there are no rows
    /// then.
    ///
    /// Column by column, as the numbers of a column do not wait for each other. Each is what
    /// [`Factor::push`] makes of it.
    pub(crate) fn set(&mut self, len: usize, mut row: impl FnMut(usize, &mut Vec<f64>)) -> bool {
        self.clear();
        self.rows.reserve(len * (len + 1) / 2);
        (0..len).for_each(|i| row(i, &mut self.rows));
        debug_assert_eq!(self.rows.len(), len * (len + 1) / 2);
        let mut rest = &mut self.rows[..];
        for j in 0..len {
            let (own, below) = rest.split_at_mut(j + 1);
            let (above, diagonal) = own.split_at_mut(j);
            let left = diagonal[0] - dot(above, above);
            if left.is_nan() || left <= 0.0 {
                self.clear();
                return false;
            }
            diagonal[0] = left.sqrt();
            let (above, diagonal, mut start) = (&*above, diagonal[0], 0);
            for i in j + 1..len {
                let (before, at) = below[start..].split_at_mut(j);
                at[0] = (at[0] - dot(before, above)) / diagonal;
                start += i + 1;
            }
            rest = below;
        }
        self.len = len;
        true
    }

    /// Adds a row of the matrix, which ends with its diagonal element. False, and nothing is added,
    /// if the matrix is then not positive definite.
    pub(crate) fn push(&mut self, row: &[f64]) -> bool {
        let n = self.len;
        debug_assert_eq!(row.len(), n + 1);
        let start = self.rows.len();
        self.rows.extend_from_slice(row);
        let (done, new) = self.rows.split_at_mut(start);
        for j in 0..n {
            let above = &done[j * (j + 1) / 2..][..=j];
            new[j] = (new[j] - dot(&new[..j], &above[..j])) / above[j];
        }
        let rest = new[n] - dot(&new[..n], &new[..n]);
        // Not so for NaN either.
        if rest > 0.0 {
            new[n] = rest.sqrt();
            self.len += 1;
            return true;
        }
        self.rows.truncate(start);
        false
    }

    /// Solves L x = b in place for the first `b.len()` rows, where the first `done` numbers are
    /// solved already.
    #[inline]
    pub(crate) fn solve_lower(&self, b: &mut [f64], done: usize) {
        for i in done..b.len() {
            let row = self.row(i);
            let (before, rest) = b.split_at_mut(i);
            rest[0] = (rest[0] - dot(before, &row[..i])) / row[i];
        }
    }

    /// Solves L' x = b in place.
    pub(crate) fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..b.len()).rev() {
            let row = self.row(i);
            b[i] /= row[i];
            let x = b[i];
            for (b, l) in b.iter_mut().zip(&row[..i]) {
                *b -= l * x;
            }
        }
    }

    /// The sum of the logarithms of the diagonal.
    pub(crate) fn ln_diagonal(&self) -> f64 {
        (0..self.len).map(|i| self.row(i)[i].ln()).sum()
    }
}

/// The product of two vectors, in a fixed order that lets several be multiplied at once.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a8.iter().zip(b8) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_factor_is_that_of_the_matrix(n in 1_usize..30, values in proptest::collection::vec(-1.0..1.0_f64, 900)) {
            // A A' + I is positive definite.
            let a = |i: usize, j: usize| values[i * 30 + j];
            let matrix = |i: usize, j: usize| {
                (0..30).map(|k| a(i, k) * a(j, k)).sum::<f64>() + f64::from(u8::from(i == j))
            };
            let mut factor = Factor::default();
            for i in 0..n {
                let row: Vec<f64> = (0..=i).map(|j| matrix(i, j)).collect();
                prop_assert!(factor.push(&row));
            }
            let mut whole = Factor::default();
            prop_assert!(whole.set(n, |i, rows| rows.extend((0..=i).map(|j| matrix(i, j)))));
            prop_assert_eq!(&whole, &factor);
            for i in 0..n {
                for j in 0..=i {
                    let product = dot(&factor.row(i)[..=j], factor.row(j));
                    prop_assert!((product - matrix(i, j)).abs() < 1e-10);
                }
            }
            let b: Vec<f64> = (0..n).map(|i| a(i, 29)).collect();
            let mut x = b.clone();
            factor.solve_lower(&mut x, 0);
            factor.solve_upper(&mut x);
            for (i, b) in b.iter().enumerate() {
                let product: f64 = (0..n).map(|j| matrix(i, j) * x[j]).sum();
                prop_assert!((product - b).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        let mut factor = Factor::default();
        assert!(factor.push(&[1.0]));
        assert!(!factor.push(&[2.0, 4.0]));
        assert!(!factor.push(&[2.0, f64::NAN]));
        assert_eq!((factor.len, factor.rows.len()), (1, 1));
        assert!(factor.push(&[2.0, 4.5]));
        let matrix = [&[1.0][..], &[2.0, 4.0]];
        assert!(!factor.set(2, |i, rows| rows.extend(matrix[i])));
        assert_eq!(factor, Factor::default());
    }
}
