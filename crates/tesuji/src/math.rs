//! Arithmetic that gives the same bits on every machine.

/// The square root, correctly rounded.
#[inline]
pub(crate) fn sqrt(x: f32) -> f32 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrtf(x)
}

/// [`sqrt`] of a double.
#[inline]
pub(crate) fn root(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrt(x)
}

/// The natural logarithm of `n` to within 5e-7, 0 for 0 and 1.
///
/// The logarithms of platforms differ in the last bit, and so would the trees. This one is also
/// fast: a search takes a logarithm at every node that it passes. n = 2^e m with 1 <= m < 2, and ln
/// m is a polynomial in m - 3/2 (Chebyshev, degree 7).
#[inline]
pub const fn ln(n: u32) -> f32 {
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

/// The square root of [`ln`], which a search takes at every node that it passes: what it goes on to
/// next waits for it.
#[inline]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    match ROOTS_OF_LOGARITHMS.get(n as usize) {
        Some(&root) => root,
        None => sqrt(ln(n)),
    }
}

/// [`sqrt_ln`] of the numbers that the visits of most nodes are.
static ROOTS_OF_LOGARITHMS: [f32; 4096] = {
    let mut table = [0.0; 4096];
    let mut n = 1;
    while n < table.len() {
        table[n] = const_sqrt(ln(n as u32));
        n += 1;
    }
    table
};

/// The square root of a count.
#[inline]
pub(crate) fn sqrt_of(n: u32) -> f32 {
    match ROOTS_OF_COUNTS.get(n as usize) {
        Some(&root) => root,
        None => sqrt(n as f32),
    }
}

/// [`sqrt_of`] of the numbers that the visits of most nodes are.
static ROOTS_OF_COUNTS: [f32; 1024] = {
    let mut table = [0.0; 1024];
    let mut n = 1;
    while n < table.len() {
        table[n] = const_sqrt(n as f32);
        n += 1;
    }
    table
};

/// The square root of a number from 2^-30 to 2^30, correctly rounded, at compile time.
const fn const_sqrt(x: f32) -> f32 {
    let exponent = (x.to_bits() >> 23) as i32 - 127;
    let mantissa = (x.to_bits() & 0x7f_ffff | 0x80_0000) as u64;
    // x = mantissa 2^(exponent - 23); an odd exponent goes into the mantissa. One bit more than a
    // number has: no root is half-way between two numbers.
    let odd = exponent & 1;
    let root = (mantissa << (odd + 25)).isqrt();
    let rounded = (root + 1) >> 1;
    f32::from_bits((((exponent - odd) / 2 + 127) as u32) << 23) * (rounded as f32 / 8_388_608.0)
}

/// 2^(i/32).
const ROOTS: [f64; 32] = {
    // 2^(1/2), 2^(1/4) and so on to 2^(1/32).
    let halves = [
        core::f64::consts::SQRT_2,
        1.189_207_115_002_721,
        1.090_507_732_665_257_7,
        1.044_273_782_427_413_8,
        1.021_897_148_654_116_6,
    ];
    let mut roots = [1.0; 32];
    let mut i = 0;
    while i < 32 {
        let mut bit = 0;
        while bit < 5 {
            if i >> (4 - bit) & 1 == 1 {
                roots[i] *= halves[bit];
            }
            bit += 1;
        }
        i += 1;
    }
    roots
};

/// Added to a number below 2^51 in size, it leaves the nearest integer in the low bits.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// e^x for -700 <= x <= 700, to within 2e-12 of itself.
///
/// x = (32 e + i) ln 2 / 32 + r, so that e^x = 2^e 2^(i/32) e^r with |r| <= 0.011, and four terms
/// of the series do for e^r.
#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    const STEP: f64 = core::f64::consts::LN_2 / 32.0;
    let t = x * (1.0 / STEP) + ROUNDER;
    let k = t.to_bits() as i32;
    let r = x - (t - ROUNDER) * STEP;
    let p = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0))));
    f64::from_bits(ROOTS[(k & 31) as usize].to_bits().wrapping_add_signed(i64::from(k >> 5) << 52)) * p
}

/// ln(e^a + e^b).
pub(crate) fn ln_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + libm::log1p(libm::exp(low - high)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close() {
        for i in -70_000..=70_000 {
            let x = f64::from(i) * 0.01;
            let expected = libm::exp(x);
            assert!((exp(x) - expected).abs() <= 2e-12 * expected, "e^{x} = {}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn roots_of_logarithms_are_the_same_where_they_are_listed() {
        for n in 0..2 * ROOTS_OF_LOGARITHMS.len() as u32 {
            assert_eq!(sqrt_ln(n).to_bits(), sqrt(ln(n)).to_bits(), "{n}");
        }
    }

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
