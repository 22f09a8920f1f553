//! The highest point of a smooth function on the unit cube.

/// Climbs from `start` on [0, 1]^d by the method of Broyden, Fletcher, Goldfarb and Shanno, in
/// which coordinates at a bound stay there while the gradient points outwards (a projected
/// quasi-Newton method: Kim, Sra & Dhillon 2010). `function` gives the value at a point and its
/// gradient, `project` moves a point to the nearest one that is allowed. Ends after `steps` steps,
/// or when a step gains less than 1e-10. Gives the point and its value.
pub(crate) fn climb(
    start: Vec<f64>,
    steps: usize,
    project: impl Fn(&mut [f64]),
    mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> (Vec<f64>, f64) {
    let n = start.len();
    let mut x = start;
    let mut gradient = vec![0.0; n];
    let mut value = function(&x, &mut gradient);
    // The inverse of the negated second derivatives, as far as they are known.
    let mut inverse: Option<Vec<f64>> = None;
    for _ in 0..steps {
        let held = |d: usize| (x[d] <= 0.0 && gradient[d] < 0.0) || (x[d] >= 1.0 && gradient[d] > 0.0);
        let free: Vec<usize> = (0..n).filter(|&d| !held(d)).collect();
        let steepest = free.iter().map(|&d| gradient[d].abs()).fold(0.0, f64::max);
        if steepest < 1e-12 || !value.is_finite() {
            break;
        }
        let mut direction = vec![0.0; n];
        for &i in &free {
            direction[i] = match &inverse {
                Some(inverse) => free.iter().map(|&j| inverse[i * n + j] * gradient[j]).sum(),
                None => 0.1 * gradient[i] / steepest,
            };
        }
        let slope: f64 = free.iter().map(|&d| direction[d] * gradient[d]).sum();
        if slope <= 0.0 {
            if inverse.take().is_none() {
                break;
            }
            continue;
        }
        let mut size = 1.0;
        let mut next = None;
        for _ in 0..25 {
            let mut to: Vec<f64> =
                x.iter().zip(&direction).map(|(x, d)| (x + size * d).clamp(0.0, 1.0)).collect();
            project(&mut to);
            let mut there = vec![0.0; n];
            let reached = function(&to, &mut there);
            let promised: f64 = (0..n).map(|d| gradient[d] * (to[d] - x[d])).sum();
            if reached >= value + 1e-4 * promised && reached.is_finite() {
                next = Some((to, reached, there));
                break;
            }
            size *= 0.4;
        }
        let Some((to, reached, there)) = next else {
            if inverse.take().is_none() {
                break;
            }
            continue;
        };
        let step: Vec<f64> = to.iter().zip(&x).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = gradient.iter().zip(&there).map(|(a, b)| a - b).collect();
        inverse = update(inverse, &step, &change);
        let gain = reached - value;
        (x, value, gradient) = (to, reached, there);
        if gain < 1e-10 {
            break;
        }
    }
    (x, value)
}

/// The update of the inverse by a step and the change of the negated gradient over it.
fn update(inverse: Option<Vec<f64>>, step: &[f64], change: &[f64]) -> Option<Vec<f64>> {
    let n = step.len();
    let curvature: f64 = step.iter().zip(change).map(|(s, y)| s * y).sum();
    let squares: f64 = change.iter().map(|y| y * y).sum();
    if curvature <= 1e-14 * squares || squares == 0.0 {
        return inverse;
    }
    let old = inverse.unwrap_or_else(|| {
        let scale = curvature / squares;
        (0..n * n).map(|i| if i / n == i % n { scale } else { 0.0 }).collect()
    });
    let product: Vec<f64> = (0..n).map(|i| (0..n).map(|j| old[i * n + j] * change[j]).sum()).collect();
    let through: f64 = change.iter().zip(&product).map(|(y, p)| y * p).sum();
    let own = (1.0 + through / curvature) / curvature;
    let new = |i: usize, j: usize| {
        old[i * n + j] + own * step[i] * step[j] - (product[i] * step[j] + step[i] * product[j]) / curvature
    };
    Some((0..n * n).map(|i| new(i / n, i % n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// -(x0 - a)^2 - 10 (x1 - x0^2)^2.
    fn valley(a: f64) -> impl FnMut(&[f64], &mut [f64]) -> f64 {
        move |x, gradient| {
            let rest = x[1] - x[0] * x[0];
            gradient[0] = -2.0 * (x[0] - a) + 40.0 * rest * x[0];
            gradient[1] = -20.0 * rest;
            -(x[0] - a).powi(2) - 10.0 * rest * rest
        }
    }

    #[test]
    fn the_top_is_found_inside_and_at_bounds() {
        for start in [[0.1, 0.9], [0.95, 0.05], [0.0, 0.0], [1.0, 1.0]] {
            let (x, value) = climb(start.to_vec(), 200, |_| {}, valley(0.6));
            assert!((x[0] - 0.6).abs() < 1e-4 && (x[1] - 0.36).abs() < 1e-4, "from {start:?}: {x:?}");
            assert!(value > -1e-8);
            let (x, _) = climb(start.to_vec(), 200, |_| {}, valley(2.0));
            assert!((x[0] - 1.0).abs() < 1e-4 && (x[1] - 1.0).abs() < 1e-4, "from {start:?}: {x:?}");
        }
    }
}
