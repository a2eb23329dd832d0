//! Arithmetic that gives the same bits on every CPU and with every libm, so that the
//! same seed trains the same network everywhere: additions, multiplications and fused
//! multiplications in a fixed order, nothing else.

/// e to the power of `x`, within two units in the last place. Saturates where the
/// result would leave the normal numbers.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // ln 2 in two parts: the first has few enough bits for exact products.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let power = (x * std::f32::consts::LOG2_E + 0.5).floor();
    let rest = power.mul_add(-LN_2_LOW, power.mul_add(-LN_2_HIGH, x));
    let mut sum = 1.0f32 / 5_040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum.mul_add(rest, term);
    }
    sum * f32::from_bits(((power as i32 + 127) as u32) << 23)
}

/// The expected points, 0 to 1, at an advantage of `x`.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `base` to the power of `exponent`, by repeated squaring.
pub(crate) fn power(mut base: f32, mut exponent: u64) -> f32 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result *= base;
        }
        base *= base;
        exponent /= 2;
    }
    result
}

/// Half a cosine wave: falls from 1 at 0 to 0 at 1.
pub(crate) fn cosine_decay(x: f64) -> f64 {
    // (1 + cos πx) / 2 = cos² y = 1 - sin² y with y = πx/2, and the series of the sine.
    let y = x.clamp(0.0, 1.0) * std::f64::consts::FRAC_PI_2;
    let (mut term, mut sine) = (y, y);
    for n in 1..12 {
        term *= -y * y / f64::from(2 * n * (2 * n + 1));
        sine += term;
    }
    1.0 - sine * sine
}

/// Where `function`, which has one minimum between `low` and `high`, is least, by the
/// golden section, to within `precision`.
pub(crate) fn minimum(
    mut low: f32,
    mut high: f32,
    precision: f32,
    function: impl Fn(f32) -> f64,
) -> f32 {
    const RATIO: f32 = 0.618_034;
    while high - low > precision {
        let left = high - RATIO * (high - low);
        let right = low + RATIO * (high - low);
        if function(left) < function(right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        let mut x = -90.0f32;
        while x < 90.0 {
            let exact = f64::from(x.clamp(-87.0, 88.0)).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 2.5e-7, "{x} {} {exact}", exp(x));
            let decay = (1.0 + (std::f64::consts::PI * f64::from(x / 90.0)).cos()) / 2.0;
            assert!(x < 0.0 || (cosine_decay(f64::from(x / 90.0)) - decay).abs() < 1e-12, "{x}");
            x += 0.037;
        }
        assert_eq!((exp(0.0), sigmoid(0.0), power(0.5, 3), power(3.0, 0)), (1.0, 0.5, 0.125, 1.0));
        assert_eq!((cosine_decay(0.0), cosine_decay(2.0) < 1e-15), (1.0, true));
    }

    #[test]
    fn the_bits_are_always_the_same() {
        let bits = [-20.0, -1.5, -0.1, 0.3, 2.0, 11.7].map(|x| exp(x).to_bits());
        let expected =
            [0x310d_a433, 0x3e64_7c3c, 0x3f67_a36d, 0x3fac_c82c, 0x40ec_7326, 0x47eb_7dd9];
        assert_eq!(bits, expected, "{bits:x?}");
    }

    #[test]
    fn finds_the_bottom_of_a_valley() {
        let found = minimum(-10.0, 90.0, 0.001, |x| f64::from(x - 42.5).powi(2));
        assert!((found - 42.5).abs() < 0.01, "{found}");
    }
}
