//! What a move changes on the board, told to whoever keeps count of pieces. The
//! board does not know who listens.

use super::Board;
use crate::types::{Color, Move, MoveKind, Piece, Square, Wing};

/// Follows the pieces as moves are made.
pub(crate) trait Observer {
    fn put(&mut self, color: Color, piece: Piece, square: Square);
    fn remove(&mut self, color: Color, piece: Piece, square: Square);

    #[inline(always)]
    fn relocate(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.remove(color, piece, from);
        self.put(color, piece, to);
    }
}

impl Board {
    /// Tells `observer` what the legal move `mv`, not yet made, will change.
    #[inline(always)]
    pub(crate) fn announce(&self, mv: Move, observer: &mut impl Observer) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return };
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(victim) = self.piece_at(to) {
                    observer.remove(!us, victim, to);
                }
                observer.relocate(us, piece, from, to);
            }
            MoveKind::Promotion(promoted) => {
                if let Some(victim) = self.piece_at(to) {
                    observer.remove(!us, victim, to);
                }
                observer.remove(us, Piece::Pawn, from);
                observer.put(us, promoted, to);
            }
            MoveKind::EnPassant => {
                observer.remove(!us, Piece::Pawn, to.en_passant_victim());
                observer.relocate(us, piece, from, to);
            }
            MoveKind::Castle => {
                let (king_to, rook_to) = Wing::of_rook(from.file(), to.file()).destinations(us);
                observer.relocate(us, Piece::King, from, king_to);
                observer.relocate(us, Piece::Rook, to, rook_to);
            }
        }
    }
}
