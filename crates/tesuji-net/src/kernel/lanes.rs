//! Eight numbers at a time, by the instructions that the processor has.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

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
    fn splat(x: f32) -> Self;
    fn load(from: &Block) -> Self;
    fn store(self, to: &mut Block);
    /// Asks for the cache line of this address, which may be any.
    fn prefetch(address: *const Block);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `self * by + plus`, rounded once or twice.
    fn mul_add(self, by: Self, plus: Self) -> Self;
    /// `self` where `test` is above 0, else 0.
    fn where_positive(self, test: Self) -> Self;
    /// The product with a constant.
    #[inline(always)]
    fn times(self, x: f32) -> Self {
        self.mul(Self::splat(x))
    }
}

/// Work that can be done with any instructions. `run` must be `#[inline(always)]`, so that it is compiled for those
/// of its caller.
pub(crate) trait Job {
    fn run<V: Lanes>(self);
}

/// The instructions that a network is computed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Instructions {
    /// The fastest that this processor has.
    pub fn best() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Instructions(Kind::Avx2);
        }
        Instructions::portable()
    }

    /// Those that every processor has.
    pub fn portable() -> Instructions {
        Instructions(Kind::Portable)
    }

    /// What they are called: `avx2+fma` or `portable`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2+fma",
        }
    }

    /// Does the work.
    #[inline]
    pub(crate) fn run(self, job: impl Job) {
        match self.0 {
            Kind::Portable => job.run::<Portable>(),
            // SAFETY: only `best` makes this, where the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { run_avx2(job) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(job: impl Job) {
    job.run::<Avx2>();
}

/// Eight numbers in an array.
#[derive(Clone, Copy)]
struct Portable([f32; LANES]);

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
        self.mul(by).add(plus)
    }

    #[inline(always)]
    fn where_positive(self, test: Portable) -> Portable {
        self.zip(test, |x, t| if t > 0.0 { x } else { 0.0 })
    }
}

/// Eight numbers in a register of AVX2. Named only by [`run_avx2`], so that it exists only where the processor has
/// these instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(__m256);

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(x: f32) -> Avx2 {
        // SAFETY: the processor has AVX2, as for all that follow.
        Avx2(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn load(from: &Block) -> Avx2 {
        // SAFETY: a block is 32 bytes on a multiple of 32.
        Avx2(unsafe { _mm256_load_ps(from.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut Block) {
        // SAFETY: a block is 32 bytes on a multiple of 32.
        unsafe { _mm256_store_ps(to.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn prefetch(address: *const Block) {
        // SAFETY: as in `splat`; prefetching never fails.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }

    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, by: Avx2, plus: Avx2) -> Avx2 {
        // SAFETY: as in `splat`, and FMA.
        Avx2(unsafe { _mm256_fmadd_ps(self.0, by.0, plus.0) })
    }

    #[inline(always)]
    fn where_positive(self, test: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(test.0, _mm256_setzero_ps())) })
    }
}
