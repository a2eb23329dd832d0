//! A set of squares in 64 bits.

use super::{File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub(crate) u64);

const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;

impl Bitboard {
    pub(crate) const EMPTY: Bitboard = Bitboard(0);
    pub(crate) const ALL: Bitboard = Bitboard(!0);
    pub(crate) const LIGHT_SQUARES: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
    pub(crate) const DARK_SQUARES: Bitboard = Bitboard(!Self::LIGHT_SQUARES.0);
    /// The two ranks no pawn may stand on.
    pub(crate) const BACK_RANKS: Bitboard = Bitboard(0xFF00_0000_0000_00FF);

    pub(crate) const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u8)
    }

    pub(crate) const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank as u8))
    }

    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn is_nonempty(self) -> bool {
        self.0 != 0
    }

    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Two squares or more.
    #[inline(always)]
    pub(crate) const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline(always)]
    pub(crate) const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    #[inline(always)]
    pub(crate) const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of this set that are not in `other`.
    #[inline(always)]
    pub(crate) const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The square nearest a1, if any.
    #[inline(always)]
    pub(crate) const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lowest()) }
    }

    /// The lowest square of a set known not to be empty; an empty one gives A1.
    #[inline(always)]
    pub(crate) const fn lowest(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros() as u8)
    }

    #[inline(always)]
    pub(crate) const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    #[inline(always)]
    pub(crate) const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    #[inline(always)]
    pub(crate) const fn east(self) -> Bitboard {
        Bitboard((self.0 & NOT_H_FILE) << 1)
    }

    #[inline(always)]
    pub(crate) const fn west(self) -> Bitboard {
        Bitboard((self.0 & NOT_A_FILE) >> 1)
    }

    /// Upside down: rank 1 becomes rank 8.
    #[inline(always)]
    pub(crate) const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a bitboard from A1 to H8.
#[derive(Debug, Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

macro_rules! bit_operator {
    ($($trait:ident $method:ident $assign_trait:ident $assign_method:ident $op:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    /// The names of the squares, which is what a failed assertion should show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|square| square.to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_goes_up_the_board_and_back() {
        let squares = [Square::A1, Square::H1, Square::E4, Square::H8];
        let set: Bitboard = squares.into_iter().collect();
        assert_eq!(set.count(), 4);
        assert!(set.into_iter().eq(squares));
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn shifts_do_not_wrap_around_the_edges() {
        assert_eq!(Square::H4.bitboard().east(), Bitboard::EMPTY);
        assert_eq!(Square::A4.bitboard().west(), Bitboard::EMPTY);
        assert_eq!(Square::A8.bitboard().north(), Bitboard::EMPTY);
        assert_eq!(Square::D1.bitboard().south(), Bitboard::EMPTY);
        assert_eq!(Square::D4.bitboard().north().east(), Square::E5.bitboard());
    }

    #[test]
    fn square_colours() {
        assert!(Bitboard::DARK_SQUARES.contains(Square::A1));
        assert!(Bitboard::LIGHT_SQUARES.contains(Square::H1));
    }
}
