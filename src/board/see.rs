//! Static exchange evaluation: what a series of captures on one square is worth
//! if each side takes with its least valuable piece and may stop when it likes.
//!
//! Only legal captures count: a piece that shields its king from a slider stays,
//! a king takes only what is no longer protected. Pins come and go as pieces
//! leave the board during the exchange, so they are tested at each step on the
//! occupation of that moment.

use super::{Board, attacks};
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, Square};

/// What a piece counts in exchanges. The king is worth more than everything.
pub(crate) const fn exchange_value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 20_000,
    }
}

impl Board {
    /// Whether the exchange that the legal move `mv` starts on its target square
    /// wins at least `threshold`.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let target = mv.to();
        let mut occupied = self.occupied() ^ mv.from().bitboard();
        let captured = self.piece_at(target).map_or(0, exchange_value);
        let (gain, landed) = match mv.kind() {
            MoveKind::Castle => return threshold <= 0,
            MoveKind::EnPassant => {
                occupied ^= target.en_passant_victim().bitboard();
                (exchange_value(Piece::Pawn), Piece::Pawn)
            }
            MoveKind::Promotion(piece) => {
                let change = exchange_value(piece) - exchange_value(Piece::Pawn);
                (captured + change, piece)
            }
            MoveKind::Normal => match self.piece_at(mv.from()) {
                Some(piece) => (captured, piece),
                None => return false,
            },
        };
        // From here on the target is occupied by whoever took last.
        occupied |= target.bitboard();

        let us = self.side_to_move;
        if self.pawns_could_promote_on(target) {
            return gain - self.best_reply(!us, target, landed, occupied) >= threshold;
        }

        // `balance` is how far the side that moved last stays above what it needs
        // if it loses the piece it moved with.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= exchange_value(landed);
        if balance >= 0 {
            return true;
        }

        let mut side = us;
        loop {
            side = !side;
            let Some((from, piece)) = self.cheapest_capture(side, target, occupied) else {
                break;
            };
            if piece == Piece::King {
                // A legal capture by the king ends the exchange in its favour.
                side = !side;
                break;
            }
            occupied ^= from.bitboard();
            balance = -balance - 1 - exchange_value(piece);
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        // `side` is the one that cannot or need not go on: it has lost.
        side != us
    }

    /// Whether a recapture on `target` may also win a promotion, so that more than
    /// the piece standing there is at stake.
    fn pawns_could_promote_on(&self, target: Square) -> bool {
        Bitboard::BACK_RANKS.contains(target)
            && (attacks::pawn(Color::White, target) | attacks::pawn(Color::Black, target))
                .intersects(self.pieces(Piece::Pawn))
    }

    /// What `side` gains if it goes on with the exchange against `victim`, or zero
    /// if it had better stop. The plain recursion, for the rare exchanges with
    /// promotions in them.
    fn best_reply(&self, side: Color, target: Square, victim: Piece, occupied: Bitboard) -> i32 {
        let Some((from, piece)) = self.cheapest_capture(side, target, occupied) else {
            return 0;
        };
        let (landed, promotion) = match piece {
            Piece::Pawn => {
                (Piece::Queen, exchange_value(Piece::Queen) - exchange_value(Piece::Pawn))
            }
            other => (other, 0),
        };
        let reply = self.best_reply(!side, target, landed, occupied ^ from.bitboard());
        (exchange_value(victim) + promotion - reply).max(0)
    }

    /// The least valuable piece of `side` that can legally take on `target`.
    fn cheapest_capture(
        &self,
        side: Color,
        target: Square,
        occupied: Bitboard,
    ) -> Option<(Square, Piece)> {
        let present = self.color(side) & occupied.without(target.bitboard());
        let legal = |piece: Piece, reach: Bitboard| {
            (reach & self.pieces(piece) & present)
                .into_iter()
                .find(|&from| self.exchange_is_legal(side, piece, from, target, occupied))
                .map(|from| (from, piece))
        };
        // The cheapest first, and no slider's reach is looked up before it is needed.
        if let Some(found) = legal(Piece::Pawn, attacks::pawn(!side, target)) {
            return Some(found);
        }
        if let Some(found) = legal(Piece::Knight, attacks::knight(target)) {
            return Some(found);
        }
        let mut diagonal = Bitboard::EMPTY;
        if attacks::bishop_rays(target).intersects(self.diagonal_sliders() & present) {
            diagonal = attacks::bishop(target, occupied);
            if let Some(found) = legal(Piece::Bishop, diagonal) {
                return Some(found);
            }
        }
        let mut orthogonal = Bitboard::EMPTY;
        if attacks::rook_rays(target).intersects(self.orthogonal_sliders() & present) {
            orthogonal = attacks::rook(target, occupied);
            if let Some(found) = legal(Piece::Rook, orthogonal) {
                return Some(found);
            }
        }
        legal(Piece::Queen, diagonal | orthogonal)
            .or_else(|| legal(Piece::King, attacks::king(target)))
    }

    fn exchange_is_legal(
        &self,
        side: Color,
        piece: Piece,
        from: Square,
        target: Square,
        occupied: Bitboard,
    ) -> bool {
        let occupied = occupied ^ from.bitboard();
        let enemies = self.color(!side) & occupied.without(target.bitboard());
        if piece == Piece::King {
            return !self.attackers_to(target, occupied).intersects(enemies);
        }
        // Leapers cannot be uncovered, so only sliders need a look, and only
        // those that share a line with the king.
        let king = self.king(side);
        let diagonal = attacks::bishop_rays(king) & self.diagonal_sliders() & enemies;
        let orthogonal = attacks::rook_rays(king) & self.orthogonal_sliders() & enemies;
        (diagonal.is_empty() || !attacks::bishop(king, occupied).intersects(diagonal))
            && (orthogonal.is_empty() || !attacks::rook(king, occupied).intersects(orthogonal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::types::MoveList;

    /// The same exchange played out on a board with real legal moves. Returns the
    /// gain of the side to move, which may also decline.
    fn exact_reply(board: &mut Board, target: Square) -> i32 {
        let captures: MoveList = board
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.to() == target && !mv.is_castle())
            .filter(|mv| mv.promoted().is_none_or(|piece| piece == Piece::Queen))
            .collect();
        let cheapest = captures.into_iter().min_by_key(|mv| {
            let piece = board.piece_at(mv.from()).expect("moves start on a piece");
            (exchange_value(piece), mv.from())
        });
        cheapest.map_or(0, |mv| exact(board, mv).max(0))
    }

    /// The gain of playing `mv` and going on with the exchange.
    fn exact(board: &mut Board, mv: Move) -> i32 {
        let gain = match mv.kind() {
            MoveKind::Castle => return 0,
            MoveKind::EnPassant => exchange_value(Piece::Pawn),
            MoveKind::Promotion(piece) => {
                exchange_value(piece) - exchange_value(Piece::Pawn)
                    + board.piece_at(mv.to()).map_or(0, exchange_value)
            }
            MoveKind::Normal => board.piece_at(mv.to()).map_or(0, exchange_value),
        };
        board.make(mv);
        let reply = exact_reply(board, mv.to());
        board.unmake(mv);
        gain - reply
    }

    #[test]
    fn agrees_with_exchanges_played_out() {
        let mut compared = 0u32;
        let mut exchanges = 0u32;
        for mut board in RandomGames::new(7).positions(4_000) {
            for mv in board.legal_moves() {
                let value = exact(&mut board, mv);
                for threshold in [value - 1, value, value + 1, 0, -100, 100] {
                    assert_eq!(
                        board.see_at_least(mv, threshold),
                        value >= threshold,
                        "{mv:?} in {} is worth {value}, threshold {threshold}",
                        board.fen()
                    );
                }
                compared += 1;
                exchanges += u32::from(value != 0);
            }
        }
        assert!(
            cfg!(miri) || compared > 80_000 && exchanges > 20_000,
            "{compared} moves, {exchanges} exchanges"
        );
    }

    #[test]
    fn known_exchanges() {
        for (fen, text, value) in [
            // A protected pawn, an unprotected one, and one behind a battery.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            // The defender is pinned to its king, so it defends nothing.
            ("4k3/4n3/8/3p4/8/1B6/8/4RK2 w - - 0 1", "b3d5", 100),
            // Promotion with capture, recaptured.
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 800),
            ("rr2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 - 100),
            // En passant, with and without an answer.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/4p3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ] {
            let board = Board::from_fen(fen).expect(fen);
            let mv = board.parse_move(text).expect(text);
            assert!(board.see_at_least(mv, value), "{text} in {fen}");
            assert!(!board.see_at_least(mv, value + 1), "{text} in {fen}");
        }
    }
}
