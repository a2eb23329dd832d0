//! Files, ranks and squares. A1 is 0, H1 is 7, H8 is 63.

use super::{Bitboard, Color, small_enum};
use std::fmt;
use std::str::FromStr;

small_enum! {
    pub(crate) File[8] { A, B, C, D, E, F, G, H }
}

small_enum! {
    pub(crate) Rank[8] { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

small_enum! {
    #[rustfmt::skip]
    pub Square[64] {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// The file's lower-case letter.
    pub(crate) const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a letter of either case.
    pub(crate) const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            letter @ 'a'..='h' => File::from_index(letter as usize - 'a' as usize),
            _ => None,
        }
    }
}

impl Rank {
    pub(crate) const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    pub(crate) const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Rank::from_index(digit as usize - '1' as usize),
            _ => None,
        }
    }

    /// This rank as `color` sees it: the first is its own back rank.
    pub(crate) const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self.index()],
        }
    }
}

impl Square {
    #[inline(always)]
    pub(crate) const fn new(file: File, rank: Rank) -> Square {
        Square::from_low_bits(rank as u8 * 8 + file as u8)
    }

    /// The square whose index is the lowest six bits of `bits`.
    #[inline(always)]
    pub(crate) const fn from_low_bits(bits: u8) -> Square {
        // SAFETY: `Square` is `repr(u8)` with variants 0..=63, and the mask keeps
        // the value in that range.
        unsafe { std::mem::transmute(bits & 63) }
    }

    #[inline(always)]
    pub(crate) const fn file(self) -> File {
        // SAFETY: `File` is `repr(u8)` with variants 0..=7.
        unsafe { std::mem::transmute(self as u8 & 7) }
    }

    #[inline(always)]
    pub(crate) const fn rank(self) -> Rank {
        // SAFETY: `Rank` is `repr(u8)` with variants 0..=7, and a square is below 64.
        unsafe { std::mem::transmute(self as u8 >> 3) }
    }

    #[inline(always)]
    pub(crate) const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// How many moves a king needs from one to the other.
    #[inline(always)]
    pub(crate) const fn distance(self, other: Square) -> usize {
        let files = (self.file() as usize).abs_diff(other.file() as usize);
        let ranks = (self.rank() as usize).abs_diff(other.rank() as usize);
        if files > ranks { files } else { ranks }
    }

    /// The square mirrored between White and Black: a1 becomes a8.
    #[inline(always)]
    pub(crate) const fn flip_rank(self) -> Square {
        Square::from_low_bits(self as u8 ^ 56)
    }

    /// The square behind an en passant target, or in front of it: the two
    /// differ by one rank, and so does this.
    #[inline(always)]
    pub(crate) const fn en_passant_victim(self) -> Square {
        Square::from_low_bits(self as u8 ^ 8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square such as `e4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a square")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(file), Some(rank), None) => {
                let file = File::from_letter(file).ok_or(NotASquare)?;
                let rank = Rank::from_digit(rank).ok_or(NotASquare)?;
                Ok(Square::new(file, rank))
            }
            _ => Err(NotASquare),
        }
    }
}
