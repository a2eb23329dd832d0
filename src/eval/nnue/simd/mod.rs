//! The inner loops. `plain` defines what they compute; `x86` has twins of all of them
//! for AVX2 and AVX-512, `neon` for ARM. The fastest that the CPU has is chosen at run
//! time; all give exactly the same numbers.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod loops;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod plain;
#[cfg(target_arch = "x86_64")]
pub mod x86;

/// Numbers in a [`Row`].
pub const LANES: usize = 32;

/// A piece of a vector, one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; LANES]);

impl Row {
    pub const ZERO: Row = Row([0; LANES]);
}

/// Calls the fastest twin that the CPU has.
macro_rules! fastest {
    ($name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512bw") {
                // SAFETY: the CPU has AVX-512BW.
                return unsafe { x86::avx512::$name($($argument),*) };
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the CPU has AVX2.
                return unsafe { x86::avx2::$name($($argument),*) };
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            // SAFETY: the CPU has NEON.
            return unsafe { neon::$name($($argument),*) };
        }
        plain::$name($($argument),*)
    }};
}

/// The name of what this CPU uses.
pub fn chosen() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512bw") {
            return "AVX-512";
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return "AVX2";
        }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        return "NEON";
    }
    "plain"
}

/// `to` = `from` + all of `adds` - all of `subtracts`.
#[inline(always)]
pub fn update<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
) {
    fastest!(update(from, to, adds, subtracts))
}

/// Adds all of `adds` to `sums` and subtracts all of `subtracts`, however many.
#[inline(always)]
pub fn change(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
    fastest!(change(sums, adds, subtracts))
}

/// The sum of weight times the square of the value clipped to 0..=`limit`. Exact as
/// long as no weight times `limit` leaves 16 bits and there are at most 1024 values.
#[inline(always)]
pub fn clipped_square_dot(values: &[Row], weights: &[Row], limit: i16) -> i64 {
    fastest!(clipped_square_dot(values, weights, limit))
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
    fastest!(update_and_dot(from, to, adds, subtracts, weights, limit))
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

    /// Compares the loops of a module with the plain ones.
    macro_rules! compare {
        ($twin:path) => {{
            use $twin as twin;
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            for (count, limit) in [1, 2, 3, 8, 32].into_iter().zip([3, 300, 32_767].repeat(2)) {
                let [from, a, b, c, d] = std::array::from_fn(|_| rows(&mut rng, count, limit));
                let (mut fast, mut exact) = (vec![Row::ZERO; count], vec![Row::ZERO; count]);
                twin::update(&from, &mut fast, [&a, &b], [&c, &d]);
                plain::update(&from, &mut exact, [&a, &b], [&c, &d]);
                assert_eq!(fast, exact);
                twin::change(&mut fast, &[&a, &c, &d], &[&b]);
                plain::change(&mut exact, &[&a, &c, &d], &[&b]);
                assert_eq!(fast, exact);
                let weights = rows(&mut rng, count, 126);
                let dot = twin::update_and_dot(&from, &mut fast, [&a], [&b, &c], &weights, 255);
                plain::update(&from, &mut exact, [&a], [&b, &c]);
                assert_eq!(fast, exact);
                assert_eq!(dot, plain::clipped_square_dot(&exact, &weights, 255));
                assert_eq!(
                    twin::clipped_square_dot(&from, &weights, 255),
                    plain::clipped_square_dot(&from, &weights, 255)
                );
            }
            // The largest sums there can be.
            for (value, weight) in [(32_767, 126), (32_767, -126), (255, 126)] {
                let (values, weights) = ([Row([value; LANES]); 32], [Row([weight; LANES]); 32]);
                let exact = 1024 * 255 * 255 * i64::from(weight);
                assert_eq!(twin::clipped_square_dot(&values, &weights, 255), exact);
            }
        }};
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn compare_avx2() {
        compare!(x86::avx2);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn compare_avx512() {
        compare!(x86::avx512);
    }

    #[cfg(target_arch = "aarch64")]
    #[target_feature(enable = "neon")]
    fn compare_neon() {
        compare!(neon);
    }

    #[test]
    fn all_instruction_sets_give_the_same_numbers() {
        compare!(plain);
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the CPU has AVX2.
                unsafe { compare_avx2() };
            }
            if std::arch::is_x86_feature_detected!("avx512bw") {
                // SAFETY: the CPU has AVX-512BW.
                unsafe { compare_avx512() };
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            // SAFETY: the CPU has NEON.
            unsafe { compare_neon() };
        }
    }
}
