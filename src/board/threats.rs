//! What a side attacks.

use super::{Board, attacks};
use crate::types::{Bitboard, Black, Color, Move, MoveKind, Piece, White};

/// How the side to move can give check: looked up once for many moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checks {
    /// For each piece, from where it attacks the king.
    from: [Bitboard; Piece::COUNT],
    /// Pieces that may stand between one of ours and the king.
    screens: Bitboard,
}

impl Checks {
    /// Whether a legal move on `board`, for which these checks are, is one of them.
    #[inline(always)]
    pub(crate) fn contain(&self, board: &Board, mv: Move) -> bool {
        match (mv.kind(), board.piece_at(mv.from())) {
            (MoveKind::Normal, Some(piece)) if !self.screens.contains(mv.from()) => {
                self.from[piece.index()].contains(mv.to())
            }
            _ => board.gives_check(mv),
        }
    }
}

impl Board {
    /// For each piece, where something cheaper of the opponent's could take it. Nothing
    /// for pawns and the king.
    pub fn cheaper_attacks(&self) -> [Bitboard; Piece::COUNT] {
        let them = !self.side_to_move;
        let occupied = self.occupied();
        let reach = |piece, attacks: &dyn Fn(_) -> Bitboard| {
            let pieces = self.colored_pieces(them, piece).into_iter();
            pieces.fold(Bitboard::EMPTY, |all, square| all | attacks(square))
        };
        let pawns = self.pawn_attacks(them);
        let minors = pawns
            | reach(Piece::Knight, &attacks::knight)
            | reach(Piece::Bishop, &|square| attacks::bishop(square, occupied));
        let rooks = minors | reach(Piece::Rook, &|square| attacks::rook(square, occupied));
        let mut cheaper = [Bitboard::EMPTY; Piece::COUNT];
        cheaper[Piece::Knight.index()] = pawns;
        cheaper[Piece::Bishop.index()] = pawns;
        cheaper[Piece::Rook.index()] = minors;
        cheaper[Piece::Queen.index()] = rooks;
        cheaper
    }

    pub(crate) fn checks(&self) -> Checks {
        let us = self.side_to_move;
        let king = self.king(!us);
        let occupied = self.occupied();
        let ours = self.color(us);
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let mut from = [Bitboard::EMPTY; Piece::COUNT];
        from[Piece::Pawn.index()] = attacks::pawn(!us, king);
        from[Piece::Knight.index()] = attacks::knight(king);
        from[Piece::Bishop.index()] = bishop;
        from[Piece::Rook.index()] = rook;
        from[Piece::Queen.index()] = bishop | rook;
        let mut screens = Bitboard::EMPTY;
        if attacks::bishop_rays(king).intersects(self.diagonal_sliders() & ours) {
            screens |= bishop & ours;
        }
        if attacks::rook_rays(king).intersects(self.orthogonal_sliders() & ours) {
            screens |= rook & ours;
        }
        Checks { from, screens }
    }

    fn pawn_attacks(&self, color: Color) -> Bitboard {
        let pawns = self.colored_pieces(color, Piece::Pawn);
        match color {
            Color::White => attacks::pawns::<White>(pawns),
            Color::Black => attacks::pawns::<Black>(pawns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::types::Square;

    #[test]
    fn agrees_with_the_attackers_of_each_square() {
        const ORDER: [&[Piece]; Piece::COUNT] = [
            &[],
            &[Piece::Pawn],
            &[Piece::Pawn],
            &[Piece::Pawn, Piece::Knight, Piece::Bishop],
            &[Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook],
            &[],
        ];
        for board in RandomGames::new(3).positions(500) {
            let them = board.color(!board.side_to_move());
            let cheaper = board.cheaper_attacks();
            for (square, piece) in
                Square::ALL.into_iter().flat_map(|square| Piece::ALL.map(|piece| (square, piece)))
            {
                let attackers = board.attackers_to(square, board.occupied()) & them;
                let expected =
                    ORDER[piece.index()].iter().any(|&it| board.pieces(it).intersects(attackers));
                assert_eq!(cheaper[piece.index()].contains(square), expected, "{}", board.fen());
            }
        }
    }

    #[test]
    fn checks_are_those_of_single_moves() {
        for board in RandomGames::new(4).positions(2_000) {
            let checks = board.checks();
            for &mv in &board.legal_moves() {
                assert_eq!(
                    checks.contain(&board, mv),
                    board.gives_check(mv),
                    "{mv:?} {}",
                    board.fen()
                );
            }
        }
    }
}
