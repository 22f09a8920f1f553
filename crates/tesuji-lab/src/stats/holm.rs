//! A correction for the number of comparisons.

/// The p-values adjusted by the method of Holm (1979), in the order in which they were given: the
/// i-th smallest of m becomes the largest of (m - j + 1) p_j over j ≤ i, at most 1. With a
/// probability of at least 1 - α, none of the claims whose adjusted p-value is below α is false,
/// whatever the dependence between the comparisons. Complexity: O(m log m).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max(((p.len() - rank) as f64 * p[i]).min(1.0));
        adjusted[i] = largest;
    }
    adjusted
}

/// The same for those that have a p-value.
pub(crate) fn holm_of_some(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut adjusted = holm(&p.iter().copied().flatten().collect::<Vec<_>>()).into_iter();
    p.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_comparison_needs_no_correction() {
        assert_eq!(holm(&[0.03]), [0.03]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn the_order_is_kept_and_nothing_shrinks() {
        let p = [0.2, 0.001, 0.04, 0.04, 0.9];
        let adjusted = holm(&p);
        for (i, a) in p.iter().zip(&adjusted) {
            assert!(a >= i && *a <= 1.0);
        }
        for (i, j) in [(1, 2), (2, 3), (3, 2), (2, 0), (0, 4)] {
            assert!(adjusted[i] <= adjusted[j]);
        }
    }

    #[test]
    fn comparisons_without_a_p_value_do_not_count() {
        assert_eq!(holm_of_some(&[Some(0.02), None, Some(0.5)]), [Some(0.04), None, Some(0.5)]);
    }
}
