//! Questions about a single move: is it legal here (it may come from the
//! transposition table of another position), does it give check, is it noisy.

use super::{Board, attacks};
use crate::types::{Bitboard, Black, Color, Move, MoveKind, Piece, Side, Square, White, Wing};

impl Board {
    /// Whether `mv`, which may be any bits at all, is one of the legal moves.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_as::<White>(mv),
            Color::Black => self.is_legal_as::<Black>(mv),
        }
    }

    fn is_legal_as<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.color(S::COLOR);
        let Some(piece) = self.piece_at(from) else {
            return false;
        };
        if !us.contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => {
                return piece == Piece::King
                    && !self.in_check()
                    && self.state().castling.rooks(S::COLOR).contains(to)
                    && self.castling_is_legal::<S>(from, to, Bitboard::EMPTY, Bitboard::EMPTY);
            }
            MoveKind::EnPassant => {
                return piece == Piece::Pawn
                    && self.state().en_passant == Some(to)
                    && attacks::pawn(S::COLOR, from).contains(to)
                    && self.en_passant_leaves_king_safe::<S>(from, to);
            }
            MoveKind::Promotion(promoted) => {
                // Bits that no constructor makes also decode to promotions.
                if piece != Piece::Pawn
                    || !S::PROMOTION_RANK.contains(to)
                    || mv != Move::promotion(from, to, promoted)
                {
                    return false;
                }
            }
            MoveKind::Normal => {
                if us.contains(to) || piece == Piece::Pawn && S::PROMOTION_RANK.contains(to) {
                    return false;
                }
            }
        }

        let occupied = self.occupied();
        let reaches = match piece {
            Piece::Pawn => self.pawn_targets::<S>(from).contains(to),
            Piece::Knight => attacks::knight(from).contains(to),
            Piece::Bishop => attacks::bishop(from, occupied).contains(to),
            Piece::Rook => attacks::rook(from, occupied).contains(to),
            Piece::Queen => attacks::queen(from, occupied).contains(to),
            Piece::King => {
                let without_king = occupied ^ from.bitboard();
                return attacks::king(from).contains(to)
                    && !self
                        .attackers_to(to, without_king)
                        .intersects(self.color(S::Opponent::COLOR));
            }
        };
        reaches && self.answers_check_and_pin::<S>(from, to)
    }

    /// Whether a piece other than the king may go from `from` to `to` for all
    /// that checks and pins say.
    fn answers_check_and_pin<S: Side>(&self, from: Square, to: Square) -> bool {
        let king = self.king(S::COLOR);
        let checkers = self.state().checkers;
        if checkers.is_nonempty() {
            let evasions = attacks::between(king, checkers.lowest()) | checkers;
            if checkers.has_several() || !evasions.contains(to) {
                return false;
            }
        }
        let pins = self.state().diagonal_pins | self.state().orthogonal_pins;
        !pins.contains(from) || attacks::line(king, from).contains(to)
    }

    /// Steps and captures of one pawn, en passant excepted.
    fn pawn_targets<S: Side>(&self, from: Square) -> Bitboard {
        let empty = !self.occupied();
        let single = S::forward(from.bitboard()) & empty;
        let double = S::forward(single & S::DOUBLE_STEP_RANK) & empty;
        let captures = attacks::pawn(S::COLOR, from) & self.color(S::Opponent::COLOR);
        single | double | captures
    }

    /// What a legal move captures.
    #[inline(always)]
    pub(crate) fn victim(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Piece::Pawn),
            MoveKind::Castle => None,
            _ => self.piece_at(mv.to()),
        }
    }

    /// Whether a legal move captures anything.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.victim(mv).is_some()
    }

    /// Whether a legal move belongs to the noisy stage: captures and promotions.
    #[inline(always)]
    pub(crate) fn is_noisy(&self, mv: Move) -> bool {
        mv.promoted().is_some() || self.is_capture(mv)
    }

    /// Whether a legal move gives check, directly or by uncovering a slider.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let lands_on = to.bitboard();
        let mut occupied = (self.occupied() ^ from.bitboard()) | lands_on;
        let gone = from.bitboard() | lands_on;
        let mut diagonal = (self.diagonal_sliders() & self.color(us)).without(gone);
        let mut orthogonal = (self.orthogonal_sliders() & self.color(us)).without(gone);

        let landed = match mv.kind() {
            MoveKind::Castle => {
                let wing = Wing::of_rook(from.file(), to.file());
                let (king_to, rook_to) = wing.destinations(us);
                occupied = (occupied ^ lands_on) | king_to.bitboard() | rook_to.bitboard();
                orthogonal |= rook_to.bitboard();
                Piece::King
            }
            MoveKind::EnPassant => {
                occupied ^= to.en_passant_victim().bitboard();
                Piece::Pawn
            }
            MoveKind::Promotion(promoted) => promoted,
            MoveKind::Normal => match self.piece_at(from) {
                Some(piece) => piece,
                None => return false,
            },
        };
        match landed {
            Piece::Pawn if attacks::pawn(us, to).contains(king) => return true,
            Piece::Knight if attacks::knight(to).contains(king) => return true,
            Piece::Bishop => diagonal |= lands_on,
            Piece::Rook => orthogonal |= lands_on,
            Piece::Queen => {
                diagonal |= lands_on;
                orthogonal |= lands_on;
            }
            _ => {}
        }
        // Most often no slider stands on a line with the king.
        attacks::bishop_rays(king).intersects(diagonal)
            && attacks::bishop(king, occupied).intersects(diagonal)
            || attacks::rook_rays(king).intersects(orthogonal)
                && attacks::rook(king, occupied).intersects(orthogonal)
    }
}
