//! Castling rights as the files of the rooks that may still castle. With the
//! file in the right itself, orthodox chess, Chess960 and double Fischer random
//! are one case.

use super::{Bitboard, Color, File, Square};

/// The side of the king a castling goes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wing {
    King,
    Queen,
}

impl Wing {
    /// The wing a rook on `rook` is on, seen from a king on `king`.
    pub(crate) fn of_rook(king: File, rook: File) -> Wing {
        if rook > king { Wing::King } else { Wing::Queen }
    }

    /// Where king and rook stand after castling, on any start position.
    pub(crate) const fn destinations(self, color: Color) -> (Square, Square) {
        let (king, rook) = match self {
            Wing::King => (File::G, File::F),
            Wing::Queen => (File::C, File::D),
        };
        let rank = color.back_rank();
        (Square::new(king, rank), Square::new(rook, rank))
    }
}

/// A set of (colour, rook file): White's files in the low byte, Black's in the
/// high byte. Which wing a right belongs to follows from where the king stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(u16);

impl CastlingRights {
    pub(crate) const NONE: CastlingRights = CastlingRights(0);

    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn with(self, color: Color, file: File) -> CastlingRights {
        CastlingRights(self.0 | 1 << (8 * color as u8 + file as u8))
    }

    pub(crate) const fn contains(self, color: Color, file: File) -> bool {
        self.0 >> (8 * color as u8 + file as u8) & 1 != 0
    }

    /// The files of the rooks of one colour, from a to h.
    pub(crate) fn files(self, color: Color) -> impl Iterator<Item = File> {
        File::ALL.into_iter().filter(move |&file| self.contains(color, file))
    }

    /// The squares of the rooks of one colour that may still castle.
    #[inline(always)]
    pub const fn rooks(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 as u64 & 0xFF),
            Color::Black => Bitboard((self.0 as u64 & 0xFF00) << 48),
        }
    }

    /// The rights left after anything moved from or to one of `squares`.
    #[inline(always)]
    pub(crate) const fn without_rooks_on(self, squares: Bitboard) -> CastlingRights {
        CastlingRights(self.0 & !(squares.0 as u16 & 0xFF | (squares.0 >> 48) as u16 & 0xFF00))
    }

    /// The rights left after a king moved.
    #[inline(always)]
    pub(crate) const fn without_color(self, color: Color) -> CastlingRights {
        CastlingRights(self.0 & !(0xFF << (8 * color as u16)))
    }

    /// The numbers, 0..16, of the rights that are in one set and not in the
    /// other: what a Zobrist key must change by.
    #[inline(always)]
    pub(crate) fn difference(self, other: CastlingRights) -> impl Iterator<Item = usize> {
        Bitboard((self.0 ^ other.0) as u64).into_iter().map(Square::index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_follow_rooks_and_kings() {
        let rights = CastlingRights::NONE
            .with(Color::White, File::A)
            .with(Color::White, File::H)
            .with(Color::Black, File::B);
        assert_eq!(rights.rooks(Color::White).count(), 2);
        assert_eq!(rights.rooks(Color::Black), Square::B8.bitboard());
        let moved = rights.without_rooks_on(Square::A1.bitboard() | Square::B8.bitboard());
        assert_eq!(moved, CastlingRights::NONE.with(Color::White, File::H));
        assert!(moved.without_color(Color::White).is_empty());
        assert_eq!(rights.difference(moved).collect::<Vec<_>>(), [0, 9]);
    }
}
