//! Floats that begin at a cache line, so that no vector of them spans two.

use super::lanes::WIDTH;
use std::ops::{Deref, DerefMut};

#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
struct Line([f32; WIDTH]);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Floats {
    lines: Vec<Line>,
    len: usize,
}

impl Floats {
    pub(crate) fn zeros(len: usize) -> Floats {
        Floats { lines: vec![Line([0.0; WIDTH]); len.div_ceil(WIDTH)], len }
    }
}

impl FromIterator<f32> for Floats {
    fn from_iter<I: IntoIterator<Item = f32>>(numbers: I) -> Floats {
        let mut floats = Floats { lines: Vec::new(), len: 0 };
        for number in numbers {
            if floats.len.is_multiple_of(WIDTH) {
                floats.lines.push(Line([0.0; WIDTH]));
            }
            floats.len += 1;
            if let Some(last) = floats.last_mut() {
                *last = number;
            }
        }
        floats
    }
}

impl Deref for Floats {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        // SAFETY: lines are arrays of floats without padding, and hold at least `len`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast::<f32>(), self.len) }
    }
}

impl DerefMut for Floats {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast::<f32>(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_aligned_and_keep_their_numbers() {
        let mut floats: Floats = (0..37).map(|number| number as f32).collect();
        assert_eq!((floats.len(), floats.as_ptr() as usize % 64), (37, 0));
        floats[36] += 0.5;
        assert_eq!((floats[0], floats[17], floats[36]), (0.0, 17.0, 36.5));
        assert!(Floats::zeros(33).iter().eq(&[0.0; 33]));
        assert!(Floats::zeros(0).is_empty());
    }
}
