//! Recomputes everything redundant in a [`Board`] from its mailbox and colour
//! bitboards, in the plainest way, and names the first disagreement.

use super::{Board, attacks, zobrist};
use crate::types::{Bitboard, CastlingRights, Color, Piece, Square};
use thiserror::Error;

/// A fact the board keeps in two forms that do not agree.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Disagreement {
    #[error("{0} is both white and black")]
    BothColors(Square),
    #[error("mailbox and bitboards disagree about {0}")]
    Mailbox(Square),
    #[error("{color} has {count} kings")]
    Kings { color: Color, count: u32 },
    #[error("there is a pawn on {0}")]
    PawnOnBackRank(Square),
    #[error("{0} may castle without its king at home")]
    CastlingKing(Color),
    #[error("{0} may castle with a rook that is not there")]
    CastlingRook(Color),
    #[error("the {name} key is {kept:016x} and should be {recomputed:016x}")]
    Key { name: &'static str, kept: u64, recomputed: u64 },
    #[error("the checkers are {kept:?} and should be {recomputed:?}")]
    Checkers { kept: Bitboard, recomputed: Bitboard },
    #[error("the pinned pieces are {kept:?} and should be {recomputed:?}")]
    Pinned { kept: Bitboard, recomputed: Bitboard },
    #[error("the side that just moved is in check")]
    OpponentInCheck,
    #[error("en passant on {0} is not possible")]
    EnPassant(Square),
}

impl Board {
    /// Checks every invariant of the position.
    pub fn validate(&self) -> Result<(), Disagreement> {
        self.validate_pieces()?;
        self.validate_castling()?;
        self.validate_keys()?;
        self.validate_checks()?;
        self.validate_en_passant()
    }

    fn validate_pieces(&self) -> Result<(), Disagreement> {
        if let Some(square) = (self.colors[0] & self.colors[1]).first() {
            return Err(Disagreement::BothColors(square));
        }
        for square in Square::ALL {
            let kept = self.mailbox[square.index()];
            let agrees = Piece::ALL
                .into_iter()
                .all(|piece| self.pieces(piece).contains(square) == (kept == Some(piece)));
            if !agrees || self.occupied().contains(square) != kept.is_some() {
                return Err(Disagreement::Mailbox(square));
            }
        }
        for color in Color::ALL {
            let count = self.colored_pieces(color, Piece::King).count();
            if count != 1 {
                return Err(Disagreement::Kings { color, count });
            }
        }
        match (self.pieces(Piece::Pawn) & Bitboard::BACK_RANKS).first() {
            Some(square) => Err(Disagreement::PawnOnBackRank(square)),
            None => Ok(()),
        }
    }

    fn validate_castling(&self) -> Result<(), Disagreement> {
        for color in Color::ALL {
            let rooks = self.castling().rooks(color);
            if rooks.is_nonempty() && self.king(color).rank() != color.back_rank() {
                return Err(Disagreement::CastlingKing(color));
            }
            if !rooks.without(self.colored_pieces(color, Piece::Rook)).is_empty() {
                return Err(Disagreement::CastlingRook(color));
            }
        }
        Ok(())
    }

    fn validate_keys(&self) -> Result<(), Disagreement> {
        let mut key = zobrist::castling_change(CastlingRights::NONE, self.castling())
            ^ zobrist::en_passant(self.en_passant());
        if self.side_to_move == Color::Black {
            key ^= zobrist::BLACK_TO_MOVE;
        }
        let mut pawn_key = 0;
        let mut non_pawn_keys = [0; Color::COUNT];
        for square in self.occupied() {
            if let (Some(piece), Some(color)) = (self.piece_at(square), self.color_at(square)) {
                let piece_key = zobrist::piece(color, piece, square);
                key ^= piece_key;
                match piece {
                    Piece::Pawn => pawn_key ^= piece_key,
                    _ => non_pawn_keys[color.index()] ^= piece_key,
                }
            }
        }
        let [white, black] = self.state().non_pawn_keys;
        for (name, kept, recomputed) in [
            ("full", self.key(), key),
            ("pawn", self.pawn_key(), pawn_key),
            ("white non-pawn", white, non_pawn_keys[0]),
            ("black non-pawn", black, non_pawn_keys[1]),
        ] {
            if kept != recomputed {
                return Err(Disagreement::Key { name, kept, recomputed });
            }
        }
        Ok(())
    }

    fn validate_checks(&self) -> Result<(), Disagreement> {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let attackers = |king: Square, of: Color, occupied: Bitboard| {
            self.attackers_to(king, occupied) & self.color(of) & occupied
        };
        if attackers(self.king(them), us, self.occupied()).is_nonempty() {
            return Err(Disagreement::OpponentInCheck);
        }
        let king = self.king(us);
        let recomputed = attackers(king, them, self.occupied());
        if recomputed != self.checkers() {
            return Err(Disagreement::Checkers { kept: self.checkers(), recomputed });
        }
        // Pinned is what uncovers a new attacker when it disappears.
        let shields =
            self.color(us).without(king.bitboard()) & attacks::queen(king, self.occupied());
        let pinned: Bitboard = shields
            .into_iter()
            .filter(|shield| {
                let without = self.occupied() ^ shield.bitboard();
                attackers(king, them, without) != recomputed
            })
            .collect();
        if pinned != self.pinned() {
            return Err(Disagreement::Pinned { kept: self.pinned(), recomputed: pinned });
        }
        Ok(())
    }

    fn validate_en_passant(&self) -> Result<(), Disagreement> {
        let Some(target) = self.en_passant() else {
            return Ok(());
        };
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let victim = target.en_passant_victim();
        let capturers = attacks::pawn(them, target) & self.colored_pieces(us, Piece::Pawn);
        let possible = self.piece_at(target).is_none()
            && self.colored_pieces(them, Piece::Pawn).contains(victim)
            && capturers.into_iter().any(|from| {
                let without = self.occupied() ^ from.bitboard() ^ victim.bitboard();
                let attackers = self.attackers_to(self.king(us), without | target.bitboard());
                (attackers & self.color(them)).without(victim.bitboard()).is_empty()
            });
        if possible { Ok(()) } else { Err(Disagreement::EnPassant(target)) }
    }
}
