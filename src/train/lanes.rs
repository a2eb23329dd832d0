//! Sixteen floats at once: one AVX-512 register, two of AVX2, or plain Rust. All
//! three round alike and sum up in the same order, so they train the same network.

use std::array::from_fn;

/// The number of floats in a [`Lanes`].
pub(super) const WIDTH: usize = 16;

/// What the inner loops of the trainer need. `where_inside` keeps `self` where `inner`
/// lies between 0 and 1, both excluded, and puts 0 elsewhere; `times_plus` rounds once.
pub(super) trait Lanes: Copy {
    fn splat(value: f32) -> Self;
    fn load(from: &[f32; WIDTH]) -> Self;
    fn store(self, to: &mut [f32; WIDTH]);
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn times_plus(self, factor: Self, term: Self) -> Self;
    /// Within 0 and 1.
    fn clipped(self) -> Self;
    fn where_inside(self, inner: Self) -> Self;

    /// All sixteen: halves added to each other until one is left.
    #[inline(always)]
    fn sum(self) -> f32 {
        let mut lanes = [0.0; WIDTH];
        self.store(&mut lanes);
        let mut half = WIDTH / 2;
        while half > 0 {
            for index in 0..half {
                lanes[index] += lanes[index + half];
            }
            half /= 2;
        }
        lanes[0]
    }
}

/// The instructions to train with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// Those of this CPU, the fastest last.
    pub fn available() -> Vec<InstructionSet> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut sets = vec![InstructionSet::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                sets.push(InstructionSet::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                sets.push(InstructionSet::Avx512);
            }
        }
        sets
    }

    /// The fastest of this CPU.
    pub fn fastest() -> InstructionSet {
        InstructionSet::available().pop().unwrap_or(InstructionSet::Plain)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Plain([f32; WIDTH]);

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: f32) -> Plain {
        Plain([value; WIDTH])
    }

    #[inline(always)]
    fn load(from: &[f32; WIDTH]) -> Plain {
        Plain(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; WIDTH]) {
        *to = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Plain) -> Plain {
        Plain(from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline(always)]
    fn times(self, other: Plain) -> Plain {
        Plain(from_fn(|i| self.0[i] * other.0[i]))
    }

    #[inline(always)]
    fn times_plus(self, factor: Plain, term: Plain) -> Plain {
        Plain(from_fn(|i| self.0[i].mul_add(factor.0[i], term.0[i])))
    }

    #[inline(always)]
    fn clipped(self) -> Plain {
        // Also makes -0.0 to 0.0, as the instructions do.
        let positive = self.0.map(|x| if x > 0.0 { x } else { 0.0 });
        Plain(positive.map(|x| if x < 1.0 { x } else { 1.0 }))
    }

    #[inline(always)]
    fn where_inside(self, inner: Plain) -> Plain {
        let keep = |i: usize| inner.0[i] > 0.0 && inner.0[i] < 1.0;
        Plain(from_fn(|i| if keep(i) { self.0[i] } else { 0.0 }))
    }
}

/// The types below must be used only where the CPU has their instructions; the one
/// place that does, in `gradient`, asks first.
#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use super::{Lanes, WIDTH};
    use core::arch::x86_64::{
        __m256, __m512, _CMP_GT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
        _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_set1_ps,
        _mm256_setzero_ps, _mm256_storeu_ps, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps,
        _mm512_loadu_ps, _mm512_mask_cmp_ps_mask, _mm512_maskz_mov_ps, _mm512_max_ps,
        _mm512_min_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2([__m256; 2]);

    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx512(__m512);

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(value: f32) -> Avx2 {
            // SAFETY: the CPU has AVX2, see the module.
            Avx2(unsafe { [_mm256_set1_ps(value); 2] })
        }

        #[inline(always)]
        fn load(from: &[f32; WIDTH]) -> Avx2 {
            let from = from.as_ptr();
            // SAFETY: as above; the array has room for two vectors.
            Avx2(unsafe { [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))] })
        }

        #[inline(always)]
        fn store(self, to: &mut [f32; WIDTH]) {
            let to = to.as_mut_ptr();
            // SAFETY: as above.
            unsafe {
                _mm256_storeu_ps(to, self.0[0]);
                _mm256_storeu_ps(to.add(8), self.0[1]);
            }
        }

        #[inline(always)]
        fn plus(self, other: Avx2) -> Avx2 {
            let ([a, b], [c, d]) = (self.0, other.0);
            // SAFETY: the CPU has AVX2.
            Avx2(unsafe { [_mm256_add_ps(a, c), _mm256_add_ps(b, d)] })
        }

        #[inline(always)]
        fn times(self, other: Avx2) -> Avx2 {
            let ([a, b], [c, d]) = (self.0, other.0);
            // SAFETY: the CPU has AVX2.
            Avx2(unsafe { [_mm256_mul_ps(a, c), _mm256_mul_ps(b, d)] })
        }

        #[inline(always)]
        fn times_plus(self, factor: Avx2, term: Avx2) -> Avx2 {
            let ([a, b], [c, d], [e, f]) = (self.0, factor.0, term.0);
            // SAFETY: the CPU has AVX2 and FMA.
            Avx2(unsafe { [_mm256_fmadd_ps(a, c, e), _mm256_fmadd_ps(b, d, f)] })
        }

        #[inline(always)]
        fn clipped(self) -> Avx2 {
            // SAFETY: the CPU has AVX2.
            Avx2(unsafe {
                let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
                let [a, b] = self.0;
                [
                    _mm256_min_ps(_mm256_max_ps(a, zero), one),
                    _mm256_min_ps(_mm256_max_ps(b, zero), one),
                ]
            })
        }

        #[inline(always)]
        fn where_inside(self, inner: Avx2) -> Avx2 {
            // SAFETY: the CPU has AVX2.
            Avx2(unsafe {
                let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
                let [mut a, mut b] = self.0;
                for (value, inner) in [(&mut a, inner.0[0]), (&mut b, inner.0[1])] {
                    let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(inner, zero);
                    let below_one = _mm256_cmp_ps::<_CMP_GT_OQ>(one, inner);
                    *value = _mm256_and_ps(*value, _mm256_and_ps(positive, below_one));
                }
                [a, b]
            })
        }
    }

    impl Lanes for Avx512 {
        #[inline(always)]
        fn splat(value: f32) -> Avx512 {
            // SAFETY: the CPU has AVX-512, see the module.
            Avx512(unsafe { _mm512_set1_ps(value) })
        }

        #[inline(always)]
        fn load(from: &[f32; WIDTH]) -> Avx512 {
            // SAFETY: as above; the array is one vector long.
            Avx512(unsafe { _mm512_loadu_ps(from.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, to: &mut [f32; WIDTH]) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) };
        }

        #[inline(always)]
        fn plus(self, other: Avx512) -> Avx512 {
            // SAFETY: the CPU has AVX-512.
            Avx512(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Avx512) -> Avx512 {
            // SAFETY: the CPU has AVX-512.
            Avx512(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times_plus(self, factor: Avx512, term: Avx512) -> Avx512 {
            // SAFETY: the CPU has AVX-512.
            Avx512(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
        }

        #[inline(always)]
        fn clipped(self) -> Avx512 {
            // SAFETY: the CPU has AVX-512.
            Avx512(unsafe {
                _mm512_min_ps(_mm512_max_ps(self.0, _mm512_setzero_ps()), _mm512_set1_ps(1.0))
            })
        }

        #[inline(always)]
        fn where_inside(self, inner: Avx512) -> Avx512 {
            // SAFETY: the CPU has AVX-512.
            Avx512(unsafe {
                let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(inner.0, _mm512_setzero_ps());
                let one = _mm512_set1_ps(1.0);
                let inside = _mm512_mask_cmp_ps_mask::<_CMP_GT_OQ>(positive, one, inner.0);
                _mm512_maskz_mov_ps(inside, self.0)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<V: Lanes>() {
        let lanes = |value: V| {
            let mut lanes = [0.0; WIDTH];
            value.store(&mut lanes);
            lanes
        };
        let numbers = from_fn(|i| [-1.0, 0.0, 0.25, 0.5, 1.0, 1.5, -0.0, 3.0][i % 8]);
        let value = V::load(&numbers);
        assert_eq!(lanes(value.plus(V::splat(1.0)))[2], 1.25);
        assert_eq!(lanes(value.times(value))[13], 2.25);
        assert_eq!(lanes(value.times_plus(value, value))[15], 12.0);
        assert_eq!(lanes(value.clipped())[8..], [0.0, 0.0, 0.25, 0.5, 1.0, 1.0, 0.0, 1.0]);
        let inside = lanes(V::splat(7.0).where_inside(value));
        assert_eq!(inside[..8], [0.0, 0.0, 7.0, 7.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(inside[8..], inside[..8]);
        // In another order this would be something else.
        let numbers = from_fn(|i| [1e8, 1.0, -1e8, 1e-3, 0.1][i % 5] / (i + 1) as f32);
        assert_eq!(V::load(&numbers).sum(), Plain::load(&numbers).sum());
        assert_eq!(value.sum(), 10.5);
    }

    #[test]
    fn all_instruction_sets_calculate_alike() {
        for set in InstructionSet::available() {
            match set {
                InstructionSet::Plain => check::<Plain>(),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => check::<x86::Avx2>(),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => check::<x86::Avx512>(),
            }
        }
    }
}
