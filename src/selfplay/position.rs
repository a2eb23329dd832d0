//! A position in 32 bytes: the occupied squares, four bits for each piece on them,
//! and the rest of a FEN.

use crate::board::{Board, FenError, Setup};
use crate::types::{Bitboard, Color, File, Piece, Square};

/// The bytes of a position, as they are on disk: occupied squares 8, pieces 16,
/// castling rooks 2, side to move 1, en passant 1, halfmove clock 2, move number 2,
/// all little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedPosition(pub [u8; PackedPosition::SIZE]);

/// In the place of an en passant square.
const NO_SQUARE: u8 = 64;
/// The bit of a piece's four that says it is black.
const BLACK: u8 = 8;

impl PackedPosition {
    pub const SIZE: usize = 32;

    pub fn pack(board: &Board) -> PackedPosition {
        let mut bytes = [0; PackedPosition::SIZE];
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        for (index, square) in board.occupied().into_iter().enumerate() {
            let piece = board.piece_at(square).map_or(0, |piece| piece as u8);
            let black = board.color(Color::Black).contains(square);
            let code = piece | if black { BLACK } else { 0 };
            bytes[8 + index / 2] |= code << (4 * (index % 2));
        }
        for color in Color::ALL {
            for file in board.castling().files(color) {
                bytes[24 + color.index()] |= 1 << file.index();
            }
        }
        bytes[26] = board.side_to_move() as u8;
        bytes[27] = board.en_passant().map_or(NO_SQUARE, |square| square as u8);
        bytes[28..30].copy_from_slice(&board.halfmove_clock().to_le_bytes());
        let number = u16::try_from(board.fullmove_number()).unwrap_or(u16::MAX);
        bytes[30..].copy_from_slice(&number.to_le_bytes());
        PackedPosition(bytes)
    }

    /// The board, or what is wrong with it. Pieces of no known kind are left out, so
    /// that a king among them is missed.
    pub fn unpack(&self) -> Result<Board, FenError> {
        let bytes = &self.0;
        let word = |start: usize| u16::from_le_bytes([bytes[start], bytes[start + 1]]);
        let occupied = bytes[..8].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let mut setup = Setup::empty();
        for (index, square) in Bitboard(occupied).into_iter().take(32).enumerate() {
            let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
            let color = if code & BLACK != 0 { Color::Black } else { Color::White };
            let piece = Piece::from_index(usize::from(code & !BLACK));
            setup.pieces[square.index()] = piece.map(|piece| (color, piece));
        }
        for color in Color::ALL {
            let files = File::ALL.into_iter();
            let files = files.filter(|file| bytes[24 + color.index()] >> file.index() & 1 != 0);
            setup.castling = files.fold(setup.castling, |all, file| all.with(color, file));
        }
        setup.side_to_move = if bytes[26] == 0 { Color::White } else { Color::Black };
        setup.en_passant = Square::from_index(usize::from(bytes[27]));
        setup.halfmove_clock = word(28);
        setup.fullmove_number = u32::from(word(30));
        Board::try_from(&setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_position_survives() {
        for fen in [
            Board::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w CFcf - 0 1",
            "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 42 97",
        ] {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(PackedPosition::pack(&board).unpack(), Ok(board));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(PackedPosition([0; 32]).unpack().is_err());
        assert!(PackedPosition([0xFF; 32]).unpack().is_err());
    }
}
