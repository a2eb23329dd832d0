//! A pair of values, one for the middlegame and one for the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Both values in one word: the endgame's in the upper half, the middlegame's
/// added below with its sign, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

impl Tapered {
    pub(super) const ZERO: Tapered = Tapered(0);

    pub(super) const fn new(middlegame: i16, endgame: i16) -> Tapered {
        Tapered(((endgame as i32) << 16) + middlegame as i32)
    }

    /// The difference, where operators cannot be used.
    pub(super) const fn minus(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }

    #[inline(always)]
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline(always)]
    pub(super) const fn endgame(self) -> i32 {
        // What a negative lower half borrowed is given back.
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b) in [(1, 2), (-1, 2), (-300, -7), (5_000, -5_000), (-12_000, 12_000)] {
            for (c, d) in [(0, 0), (-1, -1), (77, -900)] {
                let sum = Tapered::new(a, b) + Tapered::new(c, d);
                assert_eq!(sum.middlegame(), i32::from(a) + i32::from(c));
                assert_eq!(sum.endgame(), i32::from(b) + i32::from(d));
                let difference = Tapered::new(a, b) - Tapered::new(c, d);
                assert_eq!(difference.middlegame(), i32::from(a) - i32::from(c));
                assert_eq!(difference.endgame(), i32::from(b) - i32::from(d));
            }
            assert_eq!((-Tapered::new(a, b)).endgame(), -i32::from(b));
        }
        assert_eq!((Tapered::new(-3, 4) * -5).middlegame(), 15);
        assert_eq!((Tapered::new(-3, 4) * -5).endgame(), -20);
    }
}
