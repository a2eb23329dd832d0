//! A move in 16 bits, and a list of them that lives on the stack.

use super::{Piece, Square};
use arrayvec::ArrayVec;
use std::num::NonZeroU16;

/// From, to, and what kind of move. Castling is the king's square and the
/// rook's square, whatever the start position. `Option<Move>` takes two bytes:
/// zero would be a1a1, which is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MoveKind {
    /// Any move or capture whose effect is "the piece goes there".
    Normal,
    EnPassant,
    Castle,
    Promotion(Piece),
}

// Bits 12..=14: 0 normal, 1 en passant, 2 castling, 4 + n promotion.
const KIND_SHIFT: u16 = 12;
const EN_PASSANT: u16 = 1;
const CASTLE: u16 = 2;
const PROMOTION: u16 = 4;

impl Move {
    #[inline(always)]
    const fn with_kind_bits(from: Square, to: Square, kind: u16) -> Move {
        let bits = from as u16 | (to as u16) << 6 | kind << KIND_SHIFT;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a1a1 is not a move"),
        }
    }

    #[inline(always)]
    pub(crate) const fn normal(from: Square, to: Square) -> Move {
        Move::with_kind_bits(from, to, 0)
    }

    #[inline(always)]
    pub(crate) const fn en_passant(from: Square, to: Square) -> Move {
        Move::with_kind_bits(from, to, EN_PASSANT)
    }

    #[inline(always)]
    pub(crate) const fn castle(king: Square, rook: Square) -> Move {
        Move::with_kind_bits(king, rook, CASTLE)
    }

    /// `piece` is one of [`Piece::PROMOTIONS`].
    #[inline(always)]
    pub(crate) const fn promotion(from: Square, to: Square, piece: Piece) -> Move {
        Move::with_kind_bits(from, to, PROMOTION + (piece as u16 - Piece::Knight as u16) % 4)
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u8)
    }

    /// The destination; for castling, the square of the rook.
    #[inline(always)]
    pub(crate) const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u8)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> MoveKind {
        match self.0.get() >> KIND_SHIFT {
            0 => MoveKind::Normal,
            EN_PASSANT => MoveKind::EnPassant,
            CASTLE => MoveKind::Castle,
            4 => MoveKind::Promotion(Piece::Knight),
            5 => MoveKind::Promotion(Piece::Bishop),
            6 => MoveKind::Promotion(Piece::Rook),
            _ => MoveKind::Promotion(Piece::Queen),
        }
    }

    #[inline(always)]
    pub(crate) const fn is_normal(self) -> bool {
        self.0.get() >> KIND_SHIFT == 0
    }

    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.0.get() >> KIND_SHIFT == CASTLE
    }

    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> KIND_SHIFT == EN_PASSANT
    }

    #[inline(always)]
    pub const fn promoted(self) -> Option<Piece> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// The 16 bits, for tables that store moves.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Any bits but zero are some move, though perhaps legal nowhere.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}({:?})", self.from(), self.to(), self.kind())
    }
}

/// All legal moves of a position. No position that passes validation has more
/// than 218.
pub type MoveList = ArrayVec<Move, 256>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_its_encoding() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        for from in Square::ALL {
            for to in Square::ALL {
                if from == to {
                    continue;
                }
                let mut kinds = vec![
                    (Move::normal(from, to), MoveKind::Normal),
                    (Move::en_passant(from, to), MoveKind::EnPassant),
                    (Move::castle(from, to), MoveKind::Castle),
                ];
                for piece in Piece::PROMOTIONS {
                    kinds.push((Move::promotion(from, to, piece), MoveKind::Promotion(piece)));
                }
                for (mv, kind) in kinds {
                    assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                    assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
                }
            }
        }
    }
}
