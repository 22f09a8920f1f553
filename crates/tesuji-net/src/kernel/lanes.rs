//! Eight numbers at a time, and the parts of rows that products are accumulated for.

/// How many numbers a [`Block`] has.
pub(crate) const LANES: usize = 8;

/// Eight neighbouring numbers: the unit of all memory that the kernel works on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct Block(pub(crate) [f32; LANES]);

/// How many blocks hold this many numbers.
pub(crate) fn blocks(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}

/// This many blocks of zeros.
pub(crate) fn zeros(blocks: usize) -> Vec<Block> {
    vec![Block::default(); blocks]
}

/// The numbers in the blocks, in order.
pub(crate) fn numbers(blocks: &[Block]) -> &[f32] {
    // SAFETY: a block is eight numbers without padding.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * LANES) }
}

/// [`numbers`], to be changed.
pub(crate) fn numbers_mut(blocks: &mut [Block]) -> &mut [f32] {
    // SAFETY: a block is eight numbers without padding, and any numbers make a block.
    unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * LANES) }
}

/// Eight numbers in a register.
pub(crate) trait Lanes: Copy {
    /// Two blocks of a row of a matrix.
    type Pair: Strip;
    /// As many as products are fastest with: two or four.
    type Widest: Strip;
    fn splat(x: f32) -> Self;
    fn load(from: &Block) -> Self;
    fn store(self, to: &mut Block);
    /// Asks for the cache line of this address, which may be any.
    fn prefetch(address: *const Block);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `self * by + plus`, rounded once.
    fn mul_add(self, by: Self, plus: Self) -> Self;
    /// `self` where `test` is above 0, else 0.
    fn where_positive(self, test: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// The nearest whole numbers.
    fn round(self) -> Self;
    /// 2 to the power of whole numbers between -126 and 127.
    fn power_of_two(self) -> Self;
    /// e to the power of these, to 2 units in the last place; below -87 as of -87, above 88 as
    /// of 88.
    #[inline(always)]
    fn exp(self) -> Self {
        let low = Self::splat(-87.0).max(self);
        let x = Self::splat(0.0).sub(Self::splat(-88.0).max(Self::splat(0.0).sub(low)));
        // x = n ln 2 + r, ln 2 in two parts, so that the first product is exact.
        let n = x.times(std::f32::consts::LOG2_E).round();
        let r = n.mul_add(Self::splat(-0.693_359_4), x);
        let r = n.mul_add(Self::splat(2.121_944_4e-4), r);
        // The series of e^r, whose remainder is below 1e-8 for |r| up to ln(2) / 2.
        let mut sum = Self::splat(1.0 / 5040.0);
        for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
            sum = sum.mul_add(r, Self::splat(factor));
        }
        sum.mul(n.power_of_two())
    }
    /// The product with a constant.
    #[inline(always)]
    fn times(self, x: f32) -> Self {
        self.mul(Self::splat(x))
    }
}

/// The part of a row of a matrix that products are accumulated for: one group of columns or two.
pub(crate) trait Strip: Copy {
    const GROUPS: usize;
    /// How many rows are accumulated at a time: as many as fit into the registers.
    const ROWS: usize;
    fn splat(x: f32) -> Self;
    /// # Safety
    /// The blocks at `from + i * group` exist for every i below `GROUPS`.
    unsafe fn load(from: *const Block, group: usize) -> Self;
    /// # Safety
    /// The blocks at `to + i * group` exist for every i below `GROUPS`.
    unsafe fn store(self, to: *mut Block, group: usize);
    /// `self * by + plus`, rounded once.
    fn mul_add(self, by: Self, plus: Self) -> Self;
}

/// One group of columns.
#[derive(Clone, Copy)]
pub(crate) struct One<V>(V);

impl<V: Lanes> Strip for One<V> {
    const GROUPS: usize = 1;
    const ROWS: usize = 12;

    #[inline(always)]
    fn splat(x: f32) -> One<V> {
        One(V::splat(x))
    }

    #[inline(always)]
    unsafe fn load(from: *const Block, _: usize) -> One<V> {
        // SAFETY: the caller's promise.
        One(V::load(unsafe { &*from }))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Block, _: usize) {
        // SAFETY: the caller's promise.
        self.0.store(unsafe { &mut *to });
    }

    #[inline(always)]
    fn mul_add(self, by: One<V>, plus: One<V>) -> One<V> {
        One(self.0.mul_add(by.0, plus.0))
    }
}

/// Twice as many groups of columns.
#[derive(Clone, Copy)]
pub(crate) struct Double<S>(S, S);

impl<S: Strip> Strip for Double<S> {
    const GROUPS: usize = 2 * S::GROUPS;
    const ROWS: usize = S::ROWS / 2;

    #[inline(always)]
    fn splat(x: f32) -> Double<S> {
        Double(S::splat(x), S::splat(x))
    }

    #[inline(always)]
    unsafe fn load(from: *const Block, group: usize) -> Double<S> {
        // SAFETY: the caller's promise.
        unsafe { Double(S::load(from, group), S::load(from.add(S::GROUPS * group), group)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Block, group: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            self.0.store(to, group);
            self.1.store(to.add(S::GROUPS * group), group);
        }
    }

    #[inline(always)]
    fn mul_add(self, by: Double<S>, plus: Double<S>) -> Double<S> {
        Double(self.0.mul_add(by.0, plus.0), self.1.mul_add(by.1, plus.1))
    }
}

/// Eight numbers in an array.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(mut self, other: Portable, f: impl Fn(f32, f32) -> f32) -> Portable {
        for (x, y) in self.0.iter_mut().zip(other.0) {
            *x = f(*x, y);
        }
        self
    }
}

impl Lanes for Portable {
    type Pair = Double<One<Portable>>;
    type Widest = Self::Pair;

    #[inline(always)]
    fn splat(x: f32) -> Portable {
        Portable([x; LANES])
    }

    #[inline(always)]
    fn load(from: &Block) -> Portable {
        Portable(from.0)
    }

    #[inline(always)]
    fn store(self, to: &mut Block) {
        to.0 = self.0;
    }

    #[inline(always)]
    fn prefetch(_: *const Block) {}

    #[inline(always)]
    fn add(self, other: Portable) -> Portable {
        self.zip(other, |x, y| x + y)
    }

    #[inline(always)]
    fn sub(self, other: Portable) -> Portable {
        self.zip(other, |x, y| x - y)
    }

    #[inline(always)]
    fn mul(self, other: Portable) -> Portable {
        self.zip(other, |x, y| x * y)
    }

    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        self.zip(other, |x, y| if x > y { x } else { y })
    }

    #[inline(always)]
    fn mul_add(self, by: Portable, plus: Portable) -> Portable {
        Portable(std::array::from_fn(|lane| mul_add(self.0[lane], by.0[lane], plus.0[lane])))
    }

    #[inline(always)]
    fn where_positive(self, test: Portable) -> Portable {
        self.zip(test, |x, t| if t > 0.0 { x } else { 0.0 })
    }

    #[inline(always)]
    fn div(self, other: Portable) -> Portable {
        self.zip(other, |x, y| x / y)
    }

    #[inline(always)]
    fn round(self) -> Portable {
        Portable(self.0.map(f32::round_ties_even))
    }

    #[inline(always)]
    fn power_of_two(self) -> Portable {
        Portable(self.0.map(|n| f32::from_bits(((n as i32 + 127) as u32) << 23)))
    }
}

/// `x * y + z`, rounded once.
#[inline(always)]
fn mul_add(x: f32, y: f32, z: f32) -> f32 {
    if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
        x.mul_add(y, z)
    } else {
        wide_mul_add(x, y, z)
    }
}

/// [`mul_add`] without an instruction for it, by arithmetic in double precision.
///
/// The product is exact there. The sum is rounded to odd: an inexact sum is the one of its two
/// neighbours whose last bit is 1, so that the second rounding sees on which side of a tie it is
/// (Boldo and Melquiond 2008).
#[inline(always)]
fn wide_mul_add(x: f32, y: f32, z: f32) -> f32 {
    let (product, z) = (f64::from(x) * f64::from(y), f64::from(z));
    let sum = product + z;
    // What the sum lost, exactly (Knuth's 2Sum); no number if the sum is none.
    let back = sum - product;
    let lost = (product - (sum - back)) + (z - back);
    let is_inexact = i64::from(lost.abs() > 0.0);
    let (bits, lost_bits) = (sum.to_bits() as i64, lost.to_bits() as i64);
    // The neighbour towards 0 is the lower one where the signs differ.
    let is_above = (bits ^ lost_bits) >> 63 & is_inexact;
    f64::from_bits(((bits - is_above) | is_inexact) as u64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::Rng;

    /// `x * y + z` by the standard library and in double precision.
    fn check(x: f32, y: f32, z: f32) {
        let (wanted, found) = (x.mul_add(y, z), wide_mul_add(x, y, z));
        let same = wanted.to_bits() == found.to_bits() || (wanted.is_nan() && found.is_nan());
        assert!(same, "{x:e} * {y:e} + {z:e} = {wanted:e}, not {found:e}");
        assert!(mul_add(x, y, z).to_bits() == wanted.to_bits() || wanted.is_nan());
    }

    #[test]
    fn a_sum_and_product_are_rounded_once() {
        let special = [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45];
        let special = [special.as_slice(), &[f32::INFINITY, f32::NEG_INFINITY, f32::NAN]].concat();
        for &x in &special {
            special.iter().for_each(|&y| special.iter().for_each(|&z| check(x, y, z)));
        }
        let mut rng = Rng::new(7);
        for _ in 0..200_000 {
            let [a, b, c] = [rng.bits(), rng.bits(), rng.bits()].map(|bits| bits as u32);
            // Any numbers; then numbers of one size, sums that cancel or are subnormal, and ties
            // with a little more or less.
            check(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let near = |bits: u32, exponent: u32| f32::from_bits(bits & 0x807f_ffff | exponent << 23);
            check(near(a, 126), near(b, 127), near(c, 127));
            check(near(a, 64), near(b, 62), near(c, 0));
            let (x, y) = (near(a, 127), near(b, 127));
            check(x, y, -(x * y));
            check(near(a & !0xfff, 127), near(b & !0xfff, 127 - c % 60), near(c, 127));
        }
    }
}
