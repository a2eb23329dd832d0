//! Eight floats at once: AVX2 and FMA where the program is built for them, the same
//! arithmetic in plain Rust elsewhere. Both round alike.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))]
mod vector {
    use core::arch::x86_64::{
        __m256, _CMP_GT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
        _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_set1_ps,
        _mm256_storeu_ps,
    };

    #[derive(Debug, Clone, Copy)]
    pub struct Float8(__m256);

    // SAFETY, for all blocks below: the instructions are there, by the cfg above, and
    // loads and stores are of eight floats that the reference guarantees.
    impl Float8 {
        #[inline(always)]
        pub fn splat(value: f32) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        pub fn load(from: &[f32; 8]) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }

        #[inline(always)]
        pub fn store(self, to: &mut [f32; 8]) {
            // SAFETY: see above.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) };
        }

        #[inline(always)]
        pub fn plus(self, other: Float8) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub fn times(self, other: Float8) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        /// `self` times `factor` plus `term`, rounded once.
        #[inline(always)]
        pub fn times_plus(self, factor: Float8, term: Float8) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
        }

        /// Within 0 and 1.
        #[inline(always)]
        pub fn clipped(self) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe {
                _mm256_min_ps(_mm256_max_ps(self.0, _mm256_set1_ps(0.0)), _mm256_set1_ps(1.0))
            })
        }

        /// `self` where `inner` lies between 0 and 1, both excluded, and 0 elsewhere.
        #[inline(always)]
        pub fn where_inside(self, inner: Float8) -> Float8 {
            // SAFETY: see above.
            Float8(unsafe {
                let positive = _mm256_cmp_ps::<_CMP_GT_OQ>(inner.0, _mm256_set1_ps(0.0));
                let below_one = _mm256_cmp_ps::<_CMP_GT_OQ>(_mm256_set1_ps(1.0), inner.0);
                _mm256_and_ps(self.0, _mm256_and_ps(positive, below_one))
            })
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma")))]
mod vector {
    use std::array::from_fn;

    #[derive(Debug, Clone, Copy)]
    pub struct Float8([f32; 8]);

    impl Float8 {
        pub fn splat(value: f32) -> Float8 {
            Float8([value; 8])
        }

        pub fn load(from: &[f32; 8]) -> Float8 {
            Float8(*from)
        }

        pub fn store(self, to: &mut [f32; 8]) {
            *to = self.0;
        }

        pub fn plus(self, other: Float8) -> Float8 {
            Float8(from_fn(|i| self.0[i] + other.0[i]))
        }

        pub fn times(self, other: Float8) -> Float8 {
            Float8(from_fn(|i| self.0[i] * other.0[i]))
        }

        /// `self` times `factor` plus `term`, rounded once.
        pub fn times_plus(self, factor: Float8, term: Float8) -> Float8 {
            Float8(from_fn(|i| self.0[i].mul_add(factor.0[i], term.0[i])))
        }

        /// Within 0 and 1.
        pub fn clipped(self) -> Float8 {
            Float8(self.0.map(|x| x.clamp(0.0, 1.0)))
        }

        /// `self` where `inner` lies between 0 and 1, both excluded, and 0 elsewhere.
        pub fn where_inside(self, inner: Float8) -> Float8 {
            let keep = |i: usize| inner.0[i] > 0.0 && inner.0[i] < 1.0;
            Float8(from_fn(|i| if keep(i) { self.0[i] } else { 0.0 }))
        }
    }
}

pub use vector::Float8;

impl Float8 {
    /// All eight, always in the same order.
    #[inline(always)]
    pub fn sum(self) -> f32 {
        let mut lanes = [0.0; 8];
        self.store(&mut lanes);
        let [a, b, c, d, e, f, g, h] = lanes;
        ((a + e) + (b + f)) + ((c + g) + (d + h))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(value: Float8) -> [f32; 8] {
        let mut lanes = [0.0; 8];
        value.store(&mut lanes);
        lanes
    }

    #[test]
    fn calculates() {
        let numbers = [-1.0, 0.0, 0.25, 0.5, 1.0, 1.5, -0.0, 3.0];
        let value = Float8::load(&numbers);
        assert_eq!(lanes(value.plus(Float8::splat(1.0)))[2], 1.25);
        assert_eq!(lanes(value.times(value))[5], 2.25);
        assert_eq!(lanes(value.times_plus(value, value))[7], 12.0);
        assert_eq!(lanes(value.clipped()), [0.0, 0.0, 0.25, 0.5, 1.0, 1.0, 0.0, 1.0]);
        let inside = lanes(Float8::splat(7.0).where_inside(value));
        assert_eq!(inside, [0.0, 0.0, 7.0, 7.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(value.sum(), 5.25);
    }
}
