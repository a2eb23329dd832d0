//! The inner loops. Each is written once in plain Rust; the sums are compiled a
//! second time for AVX2, and what has to do with the output layer, which compilers do
//! not find a way to vectorise, has an AVX2 twin by hand. Both give exactly the same
//! numbers.

/// Numbers in a [`Row`].
pub const LANES: usize = 32;

/// A piece of a vector, one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; LANES]);

impl Row {
    pub const ZERO: Row = Row([0; LANES]);
}

/// `to` = `from` + all of `adds` - all of `subtracts`.
#[inline(always)]
pub fn update<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        unsafe { update_avx2(from, to, adds, subtracts) };
        return;
    }
    update_plain(from, to, adds, subtracts);
}

/// The plain loop with AVX2 to compile it to.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
) {
    update_plain(from, to, adds, subtracts);
}

#[inline(always)]
pub(super) fn update_plain<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
) {
    let length = to.len();
    // Once for all, so that the loop has no bounds to check.
    let from = &from[..length];
    let adds = adds.map(|rows| &rows[..length]);
    let subtracts = subtracts.map(|rows| &rows[..length]);
    for index in 0..length {
        let mut row = from[index];
        for rows in &adds {
            for (sum, &term) in row.0.iter_mut().zip(&rows[index].0) {
                *sum = sum.wrapping_add(term);
            }
        }
        for rows in &subtracts {
            for (sum, &term) in row.0.iter_mut().zip(&rows[index].0) {
                *sum = sum.wrapping_sub(term);
            }
        }
        to[index] = row;
    }
}

/// Adds all of `adds` to `sums` and subtracts all of `subtracts`, however many.
#[inline(always)]
pub fn change(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        unsafe { change_avx2(sums, adds, subtracts) };
        return;
    }
    change_plain(sums, adds, subtracts);
}

/// The plain loop with AVX2 to compile it to.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn change_avx2(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
    change_plain(sums, adds, subtracts);
}

#[inline(always)]
fn change_plain(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
    for (index, sums) in sums.iter_mut().enumerate() {
        let mut row = *sums;
        for rows in adds {
            for (sum, &term) in row.0.iter_mut().zip(&rows[index].0) {
                *sum = sum.wrapping_add(term);
            }
        }
        for rows in subtracts {
            for (sum, &term) in row.0.iter_mut().zip(&rows[index].0) {
                *sum = sum.wrapping_sub(term);
            }
        }
        *sums = row;
    }
}

/// The sum of weight times the square of the value clipped to 0..=`limit`. Exact as
/// long as no weight times `limit` leaves 16 bits and there are at most 1024 values.
#[inline(always)]
pub fn clipped_square_dot(values: &[Row], weights: &[Row], limit: i16) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { clipped_square_dot_avx2(values, weights, limit) };
    }
    clipped_square_dot_plain(values, weights, limit)
}

pub(super) fn clipped_square_dot_plain(values: &[Row], weights: &[Row], limit: i16) -> i64 {
    let pairs = values.iter().zip(weights).flat_map(|(v, w)| v.0.iter().zip(&w.0));
    pairs
        .map(|(&value, &weight)| {
            let clipped = i64::from(value.clamp(0, limit));
            clipped * clipped * i64::from(weight)
        })
        .sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn clipped_square_dot_avx2(values: &[Row], weights: &[Row], limit: i16) -> i64 {
    let mut dot = avx2::ClippedSquareDot::new(limit);
    for (value, weight) in values.iter().zip(weights) {
        dot.add(avx2::load(value), avx2::load(weight));
    }
    dot.total()
}

/// [`update`] and the [`clipped_square_dot`] of its result in one go, each value while
/// it is at hand.
#[inline(always)]
pub fn update_and_dot<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
    weights: &[Row],
    limit: i16,
) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { update_and_dot_avx2(from, to, adds, subtracts, weights, limit) };
    }
    update_plain(from, to, adds, subtracts);
    clipped_square_dot_plain(to, weights, limit)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_and_dot_avx2<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
    weights: &[Row],
    limit: i16,
) -> i64 {
    let length = to.len();
    // Once for all, so that the loop has no bounds to check.
    let (from, weights) = (&from[..length], &weights[..length]);
    let adds = adds.map(|rows| &rows[..length]);
    let subtracts = subtracts.map(|rows| &rows[..length]);
    let mut dot = avx2::ClippedSquareDot::new(limit);
    for index in 0..length {
        let mut sums = avx2::load(&from[index]);
        for rows in adds {
            sums = avx2::plus(sums, avx2::load(&rows[index]));
        }
        for rows in subtracts {
            sums = avx2::minus(sums, avx2::load(&rows[index]));
        }
        avx2::store(&mut to[index], sums);
        dot.add(sums, avx2::load(&weights[index]));
    }
    dot.total()
}

/// Rows in registers.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Row;
    use core::arch::x86_64::{
        __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64,
        _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_store_si256, _mm256_sub_epi16,
    };

    /// A row.
    pub type Pair = [__m256i; 2];

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load(row: &Row) -> Pair {
        let row = (&raw const row.0).cast::<__m256i>();
        // SAFETY: a row is two vectors long and aligned to 64 bytes.
        unsafe { [_mm256_load_si256(row), _mm256_load_si256(row.add(1))] }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn store(row: &mut Row, pair: Pair) {
        let row = (&raw mut row.0).cast::<__m256i>();
        // SAFETY: as above.
        unsafe {
            _mm256_store_si256(row, pair[0]);
            _mm256_store_si256(row.add(1), pair[1]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn plus(a: Pair, b: Pair) -> Pair {
        [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn minus(a: Pair, b: Pair) -> Pair {
        [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
    }

    /// See [`clipped_square_dot`](super::clipped_square_dot).
    pub struct ClippedSquareDot {
        limit: __m256i,
        sums: Pair,
    }

    impl ClippedSquareDot {
        #[inline]
        #[target_feature(enable = "avx2")]
        pub fn new(limit: i16) -> ClippedSquareDot {
            let sums = [_mm256_setzero_si256(); 2];
            ClippedSquareDot { limit: _mm256_set1_epi16(limit), sums }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        pub fn add(&mut self, values: Pair, weights: Pair) {
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
        pub fn total(self) -> i64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    fn rows(rng: &mut Xoshiro256PlusPlus, count: usize, limit: i64) -> Vec<Row> {
        let mut number = || (rng.next_u64() as i64 % (limit + 1)) as i16;
        (0..count).map(|_| Row(std::array::from_fn(|_| number()))).collect()
    }

    #[test]
    fn the_fast_loops_give_the_same_numbers_as_the_plain_ones() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for count in [1, 2, 3, 8, 32] {
            for limit in [3, 300, 32_767] {
                let [from, a, b, c, d] = std::array::from_fn(|_| rows(&mut rng, count, limit));
                let (mut fast, mut plain) = (vec![Row::ZERO; count], vec![Row::ZERO; count]);
                update(&from, &mut fast, [&a, &b], [&c, &d]);
                update_plain(&from, &mut plain, [&a, &b], [&c, &d]);
                assert_eq!(fast, plain);
                change(&mut fast, &[&a, &c, &d], &[&b]);
                change_plain(&mut plain, &[&a, &c, &d], &[&b]);
                assert_eq!(fast, plain);
                let weights = rows(&mut rng, count, 126);
                let dot = update_and_dot(&from, &mut fast, [&a], [&b, &c], &weights, 255);
                update_plain(&from, &mut plain, [&a], [&b, &c]);
                assert_eq!(fast, plain);
                assert_eq!(dot, clipped_square_dot_plain(&plain, &weights, 255));
                assert_eq!(
                    clipped_square_dot(&from, &weights, 255),
                    clipped_square_dot_plain(&from, &weights, 255)
                );
            }
        }
        // The largest sums there can be.
        for (value, weight) in [(32_767, 126), (32_767, -126), (255, 126)] {
            let (values, weights) = ([Row([value; LANES]); 32], [Row([weight; LANES]); 32]);
            let exact = 1024 * 255 * 255 * i64::from(weight);
            assert_eq!(clipped_square_dot(&values, &weights, 255), exact);
            assert_eq!(clipped_square_dot_plain(&values, &weights, 255), exact);
        }
    }
}
