//! Eight numbers in a register of x86-64, and sixteen in one of AVX-512.
//!
//! Both kinds of instructions round alike, so they give the same bits.

use super::lanes::{Block, Double, Lanes, One, Strip};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Eight numbers in a register, by instructions that have registers of this width. Named only by
/// the functions that enable the instructions, so that it exists only where the processor has them.
pub(super) struct Register<W>(__m256, PhantomData<W>);

impl<W> Clone for Register<W> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Register<W> {}

impl<W> Register<W> {
    #[inline(always)]
    fn new(numbers: __m256) -> Self {
        Register(numbers, PhantomData)
    }
}

/// What holds two blocks of a row of a matrix, and as many as products are fastest with.
pub(super) trait Wide {
    type Pair: Strip;
    type Widest: Strip;
}

/// Sixteen registers of eight numbers: AVX2 and FMA.
pub(super) struct Avx2;

impl Wide for Avx2 {
    type Pair = Double<One<Register<Avx2>>>;
    type Widest = Self::Pair;
}

/// Thirty-two registers of sixteen numbers: AVX-512, its parts F and VL.
pub(super) struct Avx512;

impl Wide for Avx512 {
    type Pair = Sixteen;
    type Widest = Double<Sixteen>;
}

/// Two blocks in one register of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512);

impl Strip for Sixteen {
    const GROUPS: usize = 2;
    /// Those of all tiles of 19x19.
    const ROWS: usize = 25;

    #[inline(always)]
    fn splat(x: f32) -> Sixteen {
        // SAFETY: the processor has AVX-512, as for all that follow.
        Sixteen(unsafe { _mm512_set1_ps(x) })
    }

    #[inline(always)]
    unsafe fn load(from: *const Block, group: usize) -> Sixteen {
        // SAFETY: as in `splat`; and by the caller's promise, there are two blocks of 32 bytes on
        // multiples of 32, beside each other or not.
        Sixteen(unsafe {
            if group == 1 {
                _mm512_loadu_ps(from.cast())
            } else {
                let low = _mm256_load_ps(from.cast());
                let high = _mm256_load_ps(from.add(group).cast());
                let low = _mm512_castps_pd(_mm512_castps256_ps512(low));
                _mm512_castpd_ps(_mm512_insertf64x4::<1>(low, _mm256_castps_pd(high)))
            }
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Block, group: usize) {
        // SAFETY: as in `load`.
        unsafe {
            let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0));
            _mm256_store_ps(to.cast(), _mm512_castps512_ps256(self.0));
            _mm256_store_ps(to.add(group).cast(), _mm256_castpd_ps(high));
        }
    }

    #[inline(always)]
    fn mul_add(self, by: Sixteen, plus: Sixteen) -> Sixteen {
        // SAFETY: as in `splat`.
        Sixteen(unsafe { _mm512_fmadd_ps(self.0, by.0, plus.0) })
    }
}

impl<W: Wide> Lanes for Register<W> {
    type Pair = W::Pair;
    type Widest = W::Widest;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        // SAFETY: the processor has AVX2, as for all that follow.
        Register::new(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn load(from: &Block) -> Self {
        // SAFETY: a block is 32 bytes on a multiple of 32.
        Register::new(unsafe { _mm256_load_ps(from.0.as_ptr()) })
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
    fn add(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        // SAFETY: as in `splat`, and FMA.
        Register::new(unsafe { _mm256_fmadd_ps(self.0, by.0, plus.0) })
    }

    #[inline(always)]
    fn where_positive(self, test: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe {
            _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(test.0, _mm256_setzero_ps()))
        })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // SAFETY: as in `splat`.
        Register::new(unsafe {
            let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(127));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent))
        })
    }
}
