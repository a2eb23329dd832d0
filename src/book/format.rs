//! Polyglot's keys, moves and entries.

use crate::board::{Board, attacks};
use crate::types::{Color, Move, Piece, Rank, Square, Wing};
use shakmaty::zobrist::{Zobrist64, ZobristValue};

/// What may follow a pawn's two squares, in the order of the format's numbers 1
/// to 4.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// One line of a book file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookEntry {
    pub(crate) key: u64,
    /// From bit 0 on: the target's file and rank, the origin's file and rank, three
    /// bits each, and the promotion.
    pub(crate) mv: u16,
    pub(crate) weight: u16,
    pub(crate) learn: u32,
}

impl BookEntry {
    /// The entry for a legal move in a position that `last` led to.
    pub(crate) fn new(board: &Board, last: Option<Move>, mv: Move, weight: u16) -> BookEntry {
        BookEntry { key: key(board, last), mv: encode(mv), weight, learn: 0 }
    }

    pub(crate) fn from_bytes(bytes: &[u8; 16]) -> BookEntry {
        let number = u128::from_be_bytes(*bytes);
        BookEntry {
            key: (number >> 64) as u64,
            mv: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    pub fn to_bytes(self) -> [u8; 16] {
        let number = u128::from(self.key) << 64
            | u128::from(self.mv) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }

    /// The move, if it is one in this position. Castling is the king's square and the
    /// rook's, as in our own moves; some programs write the king's target instead.
    pub(crate) fn legal_move(self, board: &Board) -> Option<Move> {
        let to = Square::from_low_bits(self.mv as u8);
        let from = Square::from_low_bits((self.mv >> 6) as u8);
        let promoted = match self.mv >> 12 {
            0 => None,
            number => Some(*PROMOTIONS.get(usize::from(number) - 1)?),
        };
        let legal = board.legal_moves();
        let king_target = |mv: Move| {
            Wing::of_rook(mv.from().file(), mv.to().file()).destinations(board.side_to_move()).0
        };
        let exact =
            legal.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promoted() == promoted);
        let castling = || {
            legal.iter().find(|mv| mv.is_castle() && mv.from() == from && king_target(**mv) == to)
        };
        exact.or_else(castling).copied()
    }
}

fn encode(mv: Move) -> u16 {
    let promoted = mv.promoted().and_then(|piece| PROMOTIONS.iter().position(|&it| it == piece));
    let number = promoted.map_or(0, |index| index as u16 + 1);
    mv.to() as u16 | (mv.from() as u16) << 6 | number << 12
}

/// The key of a position that `last` led to. The format counts an en passant
/// capture as soon as a pawn stands ready for it, even if it is pinned, which the
/// board does not remember: only the move tells.
pub fn key(board: &Board, last: Option<Move>) -> u64 {
    let mut key = Zobrist64::default();
    for color in Color::ALL {
        let theirs = foreign_color(color);
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                let role = foreign_role(piece);
                let pawn = shakmaty::Piece { color: theirs, role };
                key ^= Zobrist64::zobrist_for_piece(shakmaty::Square::new(square as u32), pawn);
            }
        }
        for file in board.castling().files(color) {
            let side = match Wing::of_rook(board.king(color).file(), file) {
                Wing::King => shakmaty::CastlingSide::KingSide,
                Wing::Queen => shakmaty::CastlingSide::QueenSide,
            };
            key ^= Zobrist64::zobrist_for_castling_right(theirs, side);
        }
    }
    if let Some(target) = en_passant_target(board, last) {
        let file = shakmaty::File::new(target.file() as u32);
        key ^= Zobrist64::zobrist_for_en_passant_file(file);
    }
    if board.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// The square that a pawn has just passed with an enemy pawn beside it.
fn en_passant_target(board: &Board, last: Option<Move>) -> Option<Square> {
    let us = board.side_to_move();
    let passed = last.and_then(|mv| {
        let is_double_step = mv.is_normal()
            && board.piece_at(mv.to()) == Some(Piece::Pawn)
            && mv.from().rank() == Rank::Second.relative_to(!us)
            && mv.to().rank() == Rank::Fourth.relative_to(!us);
        is_double_step.then(|| mv.to().en_passant_victim())
    });
    let is_ready = |target: &Square| {
        attacks::pawn(!us, *target).intersects(board.colored_pieces(us, Piece::Pawn))
    };
    board.en_passant().or(passed.filter(is_ready))
}

fn foreign_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn foreign_role(piece: Piece) -> shakmaty::Role {
    match piece {
        Piece::Pawn => shakmaty::Role::Pawn,
        Piece::Knight => shakmaty::Role::Knight,
        Piece::Bishop => shakmaty::Role::Bishop,
        Piece::Rook => shakmaty::Role::Rook,
        Piece::Queen => shakmaty::Role::Queen,
        Piece::King => shakmaty::Role::King,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board::testing::played;

    /// The positions and keys that the description of the format gives.
    #[test]
    fn keys_of_the_format_s_own_examples() {
        for (moves, expected) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            let (board, last) = played(Board::START_FEN, moves);
            assert_eq!(key(&board, last), expected, "{moves}");
        }
    }

    /// The pawn beside is pinned, so the board forgets the target; the key must not.
    #[test]
    fn a_pinned_pawn_counts_as_ready() {
        let mut board = Board::from_fen("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1").unwrap();
        let mv = board.parse_move("d2d4").unwrap();
        board.make(mv);
        assert_eq!(board.en_passant(), None);
        let file = Zobrist64::zobrist_for_en_passant_file(shakmaty::File::D).0;
        assert_eq!(key(&board, Some(mv)), key(&board, None) ^ file);
    }

    #[test]
    fn moves_survive_their_encoding() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let entry = BookEntry::new(&board, None, mv, 7);
                assert_eq!(entry.legal_move(&board), Some(mv), "{fen}");
                assert_eq!(BookEntry::from_bytes(&entry.to_bytes()), entry);
            }
        }
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castling = board.parse_move("O-O").unwrap();
        let entry = BookEntry::new(&board, None, castling, 1);
        // e1h1, and e1g1 as some write it.
        assert_eq!(entry.mv, 4 << 6 | 7);
        assert_eq!(BookEntry { mv: 4 << 6 | 6, ..entry }.legal_move(&board), Some(castling));
        assert_eq!(BookEntry { mv: 5 << 12, ..entry }.legal_move(&board), None);
    }
}
