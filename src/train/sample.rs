//! A position to learn from in 32 bytes, turned so that the side to move is White.

use crate::board::Board;
use crate::eval::features;
use crate::types::{Bitboard, Color, Piece, Score, Square};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// Four bits for each piece, from a1 on: the piece, and eight if it is the enemy's.
    pieces: [u8; 16],
    score: i16,
    /// Twice the points of the side to move.
    points: u8,
    kings: [Square; 2],
}

const _: () = assert!(size_of::<Sample>() == 32);

/// The inputs that are on, as each side sees the position.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveInputs {
    pub(crate) views: [[u16; 32]; 2],
    pub(crate) count: usize,
}

const ENEMY: u8 = 8;

impl Sample {
    /// `points` is 1, a half or 0 for the side to move.
    pub fn new(board: &Board, score: Score, points: f32) -> Sample {
        let us = board.side_to_move();
        let turned = |square: Square| if us == Color::White { square } else { square.flip_rank() };
        let turned_set = |set: Bitboard| if us == Color::White { set } else { set.flip_ranks() };
        let occupied = turned_set(board.occupied());
        let enemies = turned_set(board.color(!us));
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let piece = board.piece_at(turned(square)).map_or(0, |piece| piece as u8);
            let code = piece | if enemies.contains(square) { ENEMY } else { 0 };
            pieces[index / 2] |= code << (4 * (index % 2));
        }
        Sample {
            occupied: occupied.0,
            pieces,
            score: score.0.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16,
            points: (2.0 * points).round() as u8,
            kings: [turned(board.king(us)), turned(board.king(!us))],
        }
    }

    /// Appends the occupied squares 8, four bits for each piece, the score 2 and twice
    /// the points 1.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.occupied.to_le_bytes());
        bytes.extend_from_slice(&self.pieces[..(self.piece_count() as usize).div_ceil(2)]);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        bytes.push(self.points);
    }

    /// Reads what [`Sample::encode`] wrote and moves `bytes` behind it.
    pub(crate) fn decode(bytes: &mut &[u8]) -> Option<Sample> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let occupied = u64::from_le_bytes(*occupied);
        let count = occupied.count_ones() as usize;
        let mut pieces = [0; 16];
        let (read, rest) = rest.split_at_checked(count.div_ceil(2))?;
        pieces.get_mut(..read.len())?.copy_from_slice(read);
        let (score, rest) = rest.split_first_chunk()?;
        let (&points, rest) = rest.split_first().filter(|(points, _)| **points <= 2)?;
        let mut kings = [None; 2];
        for (index, square) in Bitboard(occupied).into_iter().enumerate() {
            let code = pieces[index / 2] >> (4 * (index % 2)) & 15;
            if Piece::from_index(usize::from(code & 7))? == Piece::King
                && kings[usize::from(code / ENEMY)].replace(square).is_some()
            {
                return None;
            }
        }
        *bytes = rest;
        let (kings, score) = ([kings[0]?, kings[1]?], i16::from_le_bytes(*score));
        Some(Sample { occupied, pieces, score, points, kings })
    }

    pub(crate) fn score(&self) -> f32 {
        f32::from(self.score)
    }

    /// 1, a half or 0 for the side to move.
    pub(crate) fn points(&self) -> f32 {
        f32::from(self.points) / 2.0
    }

    pub(crate) fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The inputs the network gets for this position, by the evaluation's own
    /// numbering.
    #[inline]
    pub(crate) fn inputs(&self, inputs: &mut ActiveInputs) {
        let squares = Bitboard(self.occupied).into_iter().take(32);
        inputs.count = squares.len();
        for (index, square) in squares.enumerate() {
            let code = self.pieces[index / 2] >> (4 * (index % 2));
            let color = if code & ENEMY == 0 { Color::White } else { Color::Black };
            let piece = Piece::ALL[usize::from(code & 7) % Piece::COUNT];
            for side in Color::ALL {
                let king = self.kings[side.index()];
                let feature = features::placement(side, king, color, piece, square);
                inputs.views[side.index()][index] = feature as u16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;

    #[test]
    fn has_the_inputs_of_the_evaluation() {
        let mut inputs = ActiveInputs::default();
        for board in RandomGames::new(4).positions(2_000) {
            let sample = Sample::new(&board, Score(-77), 0.5);
            assert_eq!((sample.score(), sample.points()), (-77.0, 0.5));
            assert_eq!(sample.piece_count(), board.occupied().count());
            let mut bytes = Vec::new();
            sample.encode(&mut bytes);
            assert_eq!(Sample::decode(&mut &bytes[..]), Some(sample));
            assert_eq!(Sample::decode(&mut &bytes[..bytes.len() - 1]), None);
            sample.inputs(&mut inputs);
            let us = board.side_to_move();
            for (view, side) in inputs.views.iter().zip([us, !us]) {
                let mut found = view[..inputs.count].to_vec();
                let mut expected: Vec<u16> = board
                    .occupied()
                    .into_iter()
                    .filter_map(|square| {
                        let (color, piece) = (board.color_at(square)?, board.piece_at(square)?);
                        let king = board.king(side);
                        Some(features::placement(side, king, color, piece, square) as u16)
                    })
                    .collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{}", board.fen());
            }
        }
    }
}
