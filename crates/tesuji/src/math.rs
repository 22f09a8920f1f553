//! Arithmetic that gives the same bits on every machine.

/// The square root, correctly rounded.
#[inline]
pub(crate) fn sqrt(x: f32) -> f32 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrtf(x)
}

/// The natural logarithm of `n` to within 5e-7, 0 for 0 and 1.
///
/// The platforms' own differ in the last bit, and with it trees would; and a search takes a logarithm at
/// every node it passes. n = 2^e m with 1 <= m < 2, and ln m is a polynomial in m - 3/2 (Chebyshev, degree 7).
#[inline]
pub(crate) fn ln(n: u32) -> f32 {
    let bits = (n as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let t = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000) - 1.5;
    let p = 0.010_243_829;
    let p = p * t - 0.017_414_078;
    let p = p * t + 0.025_967_33;
    let p = p * t - 0.048_929_035;
    let p = p * t + 0.098_791_75;
    let p = p * t - 0.222_245_4;
    let p = p * t + 0.666_666_2;
    let p = p * t + 0.405_465_3;
    (exponent as f32 * core::f32::consts::LN_2 + p).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_close_and_rises() {
        let mut last = 0.0;
        for n in (0..100_000).chain((100_000..=u32::MAX).step_by(9_999_991)) {
            let expected = f64::from(n.max(1)).ln();
            let found = ln(n);
            assert!((f64::from(found) - expected).abs() <= 5e-7 * expected.max(1.0), "ln {n} = {found}");
            assert!(found >= last, "ln {n}");
            last = found - 1e-6 * found;
        }
    }
}
