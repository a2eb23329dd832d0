//! The inner loops for AVX2 and AVX-512.

/// A row is two registers.
pub mod avx2 {
    use super::super::Row;
    use super::super::loops::loops;
    use core::arch::x86_64::{
        __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64,
        _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_store_si256, _mm256_sub_epi16,
    };

    loops!("avx2");

    type Pair = [__m256i; 2];

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(row: &Row) -> Pair {
        let row = (&raw const row.0).cast::<__m256i>();
        // SAFETY: a row is two vectors long and aligned to 64 bytes.
        unsafe { [_mm256_load_si256(row), _mm256_load_si256(row.add(1))] }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(row: &mut Row, pair: Pair) {
        let row = (&raw mut row.0).cast::<__m256i>();
        // SAFETY: as above.
        unsafe {
            _mm256_store_si256(row, pair[0]);
            _mm256_store_si256(row.add(1), pair[1]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn plus(a: Pair, b: Pair) -> Pair {
        [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn minus(a: Pair, b: Pair) -> Pair {
        [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
    }

    /// See [`clipped_square_dot`](super::super::clipped_square_dot).
    struct ClippedSquareDot {
        limit: __m256i,
        sums: Pair,
    }

    impl ClippedSquareDot {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn new(limit: i16) -> ClippedSquareDot {
            let sums = [_mm256_setzero_si256(); 2];
            ClippedSquareDot { limit: _mm256_set1_epi16(limit), sums }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        fn add(&mut self, values: Pair, weights: Pair) {
            for half in 0..2 {
                let positive = _mm256_max_epi16(values[half], _mm256_setzero_si256());
                let clipped = _mm256_min_epi16(positive, self.limit);
                // Weight times value fits into 16 bits; the second factor makes it 32.
                let product = _mm256_mullo_epi16(clipped, weights[half]);
                let square = _mm256_madd_epi16(clipped, product);
                self.sums[half] = _mm256_add_epi32(self.sums[half], square);
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        fn total(self) -> i64 {
            // The lanes hold up to 31 bits each, so that their sum may need more.
            let wide = self.sums.map(|sum| {
                let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
                let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sum));
                _mm256_add_epi64(low, high)
            });
            let four = _mm256_add_epi64(wide[0], wide[1]);
            let high = _mm256_extracti128_si256::<1>(four);
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), high);
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
        }
    }
}

/// A row is one register.
pub mod avx512 {
    use super::super::Row;
    use super::super::loops::loops;
    use core::arch::x86_64::{
        __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256,
        _mm512_cvtepi32_epi64, _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_madd_epi16,
        _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi64,
        _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
    };

    loops!("avx512f,avx512bw");

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(row: &Row) -> __m512i {
        // SAFETY: a row is one vector long and aligned to 64 bytes.
        unsafe { _mm512_load_si512((&raw const row.0).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(row: &mut Row, vector: __m512i) {
        // SAFETY: as above.
        unsafe { _mm512_store_si512((&raw mut row.0).cast(), vector) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn plus(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi16(a, b)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn minus(a: __m512i, b: __m512i) -> __m512i {
        _mm512_sub_epi16(a, b)
    }

    /// See [`clipped_square_dot`](super::super::clipped_square_dot).
    struct ClippedSquareDot {
        limit: __m512i,
        sums: __m512i,
    }

    impl ClippedSquareDot {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn new(limit: i16) -> ClippedSquareDot {
            ClippedSquareDot { limit: _mm512_set1_epi16(limit), sums: _mm512_setzero_si512() }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn add(&mut self, values: __m512i, weights: __m512i) {
            let positive = _mm512_max_epi16(values, _mm512_setzero_si512());
            let clipped = _mm512_min_epi16(positive, self.limit);
            // Weight times value fits into 16 bits; the second factor makes it 32.
            let product = _mm512_mullo_epi16(clipped, weights);
            self.sums = _mm512_add_epi32(self.sums, _mm512_madd_epi16(clipped, product));
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn total(self) -> i64 {
            // The lanes hold up to 31 bits each, so that their sum may need more.
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(self.sums));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(self.sums));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        }
    }
}
