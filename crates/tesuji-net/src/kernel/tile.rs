//! Winograd's algorithms for a convolution with three taps: F(3, 3) and F(4, 3) (Lavin and Gray
//! 2016).
//!
//! N = M + 2 inputs give M outputs by N products in place of 3 M: y = A^T (G g * B^T d). On images
//! the transforms are applied to columns, then to rows.

use super::Lanes;

/// One of the algorithms.
pub(super) trait Tile<const M: usize, const N: usize> {
    /// B^T d.
    fn input<V: Lanes>(d: [V; N]) -> [V; N];
    /// G g.
    fn kernel<V: Lanes>(g: [V; 3]) -> [V; N];
    /// A^T m.
    fn output<V: Lanes>(m: [V; N]) -> [V; M];
    /// A y, the adjoint of `output`.
    fn output_adjoint<V: Lanes>(y: [V; M]) -> [V; N];
    /// G^T k, the adjoint of `kernel`.
    fn kernel_adjoint<V: Lanes>(k: [V; N]) -> [V; 3];
}

/// F(3, 3), from the points 0, 1, -1, 2 and infinity.
pub(super) struct F3;

impl Tile<3, 5> for F3 {
    #[inline(always)]
    fn input<V: Lanes>([a, b, c, d, e]: [V; 5]) -> [V; 5] {
        let two = V::splat(2.0);
        let db = d.sub(b);
        let dc = d.sub(c);
        [
            two.mul_add(a.sub(c), db),
            dc.sub(two.mul(b)),
            two.mul_add(b, dc).sub(two.mul(c)),
            db,
            two.mul_add(b.sub(d), e.sub(c)),
        ]
    }

    #[inline(always)]
    fn kernel<V: Lanes>([a, b, c]: [V; 3]) -> [V; 5] {
        let ac = a.add(c);
        let sixth = a.add(b.times(2.0)).add(c.times(4.0)).times(1.0 / 6.0);
        [a.times(0.5), ac.add(b).times(-0.5), b.sub(ac).times(1.0 / 6.0), sixth, c]
    }

    #[inline(always)]
    fn output<V: Lanes>([a, b, c, d, e]: [V; 5]) -> [V; 3] {
        let (bc, two) = (b.add(c), V::splat(2.0));
        let dd = d.add(d);
        [a.add(bc).add(d), b.sub(c).add(dd), bc.add(two.mul_add(dd, e))]
    }

    #[inline(always)]
    fn output_adjoint<V: Lanes>([a, b, c]: [V; 3]) -> [V; 5] {
        let ac = a.add(c);
        let two = V::splat(2.0);
        [a, ac.add(b), ac.sub(b), two.mul_add(two.mul_add(c, b), a), c]
    }

    #[inline(always)]
    fn kernel_adjoint<V: Lanes>([a, b, c, d, e]: [V; 5]) -> [V; 3] {
        let [a, b, c, d] = [a.times(0.5), b.times(0.5), c.times(1.0 / 6.0), d.times(1.0 / 6.0)];
        let bc = b.add(c);
        [a.add(d).sub(bc), d.times(2.0).add(c).sub(b), d.times(4.0).add(e).sub(bc)]
    }
}

/// F(4, 3), from the points 0, 1, -1, 2, -2 and infinity.
pub(super) struct F4;

impl Tile<4, 6> for F4 {
    #[inline(always)]
    fn input<V: Lanes>([a, b, c, d, e, f]: [V; 6]) -> [V; 6] {
        let (four, five) = (V::splat(4.0), V::splat(-5.0));
        let minus = V::splat(-4.0);
        let even = minus.mul_add(c, e);
        let odd = minus.mul_add(b, d);
        let ec = e.sub(c);
        let db = d.sub(b);
        let db = db.add(db);
        [
            four.mul_add(a, five.mul_add(c, e)),
            even.add(odd),
            even.sub(odd),
            ec.add(db),
            ec.sub(db),
            four.mul_add(b, five.mul_add(d, f)),
        ]
    }

    #[inline(always)]
    fn kernel<V: Lanes>([a, b, c]: [V; 3]) -> [V; 6] {
        let ac = a.add(c).times(-1.0 / 6.0);
        let b6 = b.times(1.0 / 6.0);
        let even = a.add(c.times(4.0)).times(1.0 / 24.0);
        let odd = b.times(1.0 / 12.0);
        [a.times(0.25), ac.sub(b6), ac.add(b6), even.add(odd), even.sub(odd), c]
    }

    #[inline(always)]
    fn output<V: Lanes>([a, b, c, d, e, f]: [V; 6]) -> [V; 4] {
        let (plus, minus) = (b.add(c), b.sub(c));
        let (far, across) = (d.add(e), d.sub(e));
        let (two, four, eight) = (V::splat(2.0), V::splat(4.0), V::splat(8.0));
        [
            a.add(plus).add(far),
            two.mul_add(across, minus),
            four.mul_add(far, plus),
            eight.mul_add(across, minus).add(f),
        ]
    }

    #[inline(always)]
    fn output_adjoint<V: Lanes>([a, b, c, d]: [V; 4]) -> [V; 6] {
        let (two, four) = (V::splat(2.0), V::splat(4.0));
        let (even, odd) = (a.add(c), b.add(d));
        let far = four.mul_add(c, a);
        let across = two.mul(four.mul_add(d, b));
        [a, even.add(odd), even.sub(odd), far.add(across), far.sub(across), d]
    }

    #[inline(always)]
    fn kernel_adjoint<V: Lanes>([a, b, c, d, e, f]: [V; 6]) -> [V; 3] {
        let near = b.add(c).times(-1.0 / 6.0);
        let far = d.add(e).times(1.0 / 24.0);
        let middle = c.sub(b).times(1.0 / 6.0).add(d.sub(e).times(1.0 / 12.0));
        [a.times(0.25).add(near).add(far), middle, near.add(far.times(4.0)).add(f)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Block, Instructions, Job};
    use std::marker::PhantomData;
    use tesuji::Rng;

    /// Checks that the algorithm convolves, and its adjoints.
    struct Check<T, const M: usize, const N: usize>(PhantomData<T>);

    impl<T: Tile<M, N>, const M: usize, const N: usize> Job for Check<T, M, N> {
        #[inline(always)]
        fn run<V: Lanes>(self) {
            let mut rng = Rng::new(3);
            let mut random = || V::splat(rng.unit() - 0.5);
            let d: [V; N] = std::array::from_fn(|_| random());
            let m: [V; N] = std::array::from_fn(|_| random());
            let g: [V; 3] = std::array::from_fn(|_| random());
            let y: [V; M] = std::array::from_fn(|_| random());

            let (kernel, input) = (T::kernel(g), T::input(d));
            let found = T::output::<V>(std::array::from_fn(|i| kernel[i].mul(input[i])));
            for (i, &found) in found.iter().enumerate() {
                let wanted = dot(&g, &d[i..i + 3]);
                assert!((first(found) - wanted).abs() < 1e-5, "{} {wanted}", first(found));
            }
            let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} {b}");
            close(dot(&T::output(m), &y), dot(&m, &T::output_adjoint(y)));
            close(dot(&T::kernel(g), &m), dot(&g, &T::kernel_adjoint(m)));
        }
    }

    fn first<V: Lanes>(x: V) -> f32 {
        let mut block = Block::default();
        x.store(&mut block);
        block.0[0]
    }

    fn dot<V: Lanes>(a: &[V], b: &[V]) -> f32 {
        a.iter().zip(b).map(|(&a, &b)| first(a) * first(b)).sum()
    }

    #[test]
    fn they_convolve() {
        for &instructions in Instructions::all() {
            instructions.run(Check::<F3, 3, 5>(PhantomData));
            instructions.run(Check::<F4, 4, 6>(PhantomData));
        }
    }
}
