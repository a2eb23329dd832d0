//! The inner loops for NEON. A row is four registers.

use super::Row;
use super::loops::loops;
use core::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddvq_s64, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vpaddlq_s32, vst1q_s16, vsubq_s16,
};

loops!("neon");

/// Numbers in a register.
const WIDTH: usize = 8;

type Four = [int16x8_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn load(row: &Row) -> Four {
    let row = row.0.as_ptr();
    // SAFETY: a row is four registers long.
    unsafe {
        [
            vld1q_s16(row),
            vld1q_s16(row.add(WIDTH)),
            vld1q_s16(row.add(2 * WIDTH)),
            vld1q_s16(row.add(3 * WIDTH)),
        ]
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(row: &mut Row, four: Four) {
    for (numbers, register) in row.0.chunks_exact_mut(WIDTH).zip(four) {
        // SAFETY: the chunk has room for a register.
        unsafe { vst1q_s16(numbers.as_mut_ptr(), register) };
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn plus(a: Four, b: Four) -> Four {
    [vaddq_s16(a[0], b[0]), vaddq_s16(a[1], b[1]), vaddq_s16(a[2], b[2]), vaddq_s16(a[3], b[3])]
}

#[inline]
#[target_feature(enable = "neon")]
fn minus(a: Four, b: Four) -> Four {
    [vsubq_s16(a[0], b[0]), vsubq_s16(a[1], b[1]), vsubq_s16(a[2], b[2]), vsubq_s16(a[3], b[3])]
}

/// See [`clipped_square_dot`](super::clipped_square_dot).
struct ClippedSquareDot {
    limit: int16x8_t,
    sums: [int32x4_t; 4],
}

impl ClippedSquareDot {
    #[inline]
    #[target_feature(enable = "neon")]
    fn new(limit: i16) -> ClippedSquareDot {
        ClippedSquareDot { limit: vdupq_n_s16(limit), sums: [vdupq_n_s32(0); 4] }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn add(&mut self, values: Four, weights: Four) {
        for part in 0..4 {
            let clipped = vminq_s16(vmaxq_s16(values[part], vdupq_n_s16(0)), self.limit);
            // Weight times value fits into 16 bits; the second factor makes it 32.
            let product = vmulq_s16(clipped, weights[part]);
            let low = vmlal_s16(self.sums[part], vget_low_s16(clipped), vget_low_s16(product));
            self.sums[part] = vmlal_high_s16(low, clipped, product);
        }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn total(self) -> i64 {
        // The lanes hold up to 31 bits each, so that their sum may need more.
        let [a, b, c, d] = self.sums;
        vaddvq_s64(vpaddlq_s32(a))
            + vaddvq_s64(vpaddlq_s32(b))
            + vaddvq_s64(vpaddlq_s32(c))
            + vaddvq_s64(vpaddlq_s32(d))
    }
}
