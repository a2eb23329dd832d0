//! What a side attacks.

use super::{Board, attacks};
use crate::types::{Bitboard, Black, Color, Piece, White};

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
}
