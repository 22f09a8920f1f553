//! The instructions that the processor has.

use super::lanes::{Lanes, Portable};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Register};
use std::sync::OnceLock;

/// Work that can be done with any instructions. `run` must be `#[inline(always)]`, so that it is
/// compiled for those of its caller.
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
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The fastest that this processor has.
    pub fn best() -> Instructions {
        Instructions::all().last().copied().unwrap_or(Instructions::portable())
    }

    /// All that this processor has, the fastest last.
    pub fn all() -> &'static [Instructions] {
        static ALL: OnceLock<Vec<Instructions>> = OnceLock::new();
        ALL.get_or_init(|| {
            #[allow(unused_mut, reason = "other processors have these alone")]
            let mut all = vec![Instructions::portable()];
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Instructions(Kind::Avx2));
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                    all.push(Instructions(Kind::Avx512));
                }
            }
            all
        })
    }

    /// Those that every processor has.
    pub fn portable() -> Instructions {
        Instructions(Kind::Portable)
    }

    /// The name of the instructions: `avx512`, `avx2+fma` or `portable`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2+fma",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Does the work.
    #[inline]
    pub(crate) fn run(self, job: impl Job) {
        match self.0 {
            Kind::Portable => job.run::<Portable>(),
            // SAFETY: only `all` makes this, where the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { run_avx2(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { run_avx512(job) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(job: impl Job) {
    job.run::<Register<Avx2>>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
fn run_avx512(job: impl Job) {
    job.run::<Register<Avx512>>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Block;

    struct Exp(f32);

    impl Job for Exp {
        #[inline(always)]
        fn run<V: Lanes>(self) {
            let mut block = Block::default();
            V::splat(self.0).exp().store(&mut block);
            let wanted = f64::from(self.0.clamp(-87.0, 88.0)).exp();
            assert!((f64::from(block.0[3]) / wanted - 1.0).abs() < 3e-7, "{} {}", self.0, block.0[3]);
        }
    }

    #[test]
    fn powers_of_e() {
        for &instructions in Instructions::all() {
            for at in -2000..2000 {
                instructions.run(Exp(at as f32 * 0.05));
            }
        }
    }
}
