//! One game as it is kept: where it began, the moves with what the search thought
//! of them, and how it ended. About four bytes a ply.

use super::PackedPosition;
use crate::board::{Board, FenError};
use crate::game::{GameResult, Termination};
use crate::types::{Move, Score};
use thiserror::Error;

/// In the place of the score of a position that is not to be learned from.
pub const NO_SCORE: i16 = i16::MIN;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    pub mv: Move,
    /// What the search thought of the position before the move, for the side to
    /// move, or [`NO_SCORE`].
    pub score: i16,
}

impl ScoredMove {
    pub fn score(self) -> Option<Score> {
        (self.score != NO_SCORE).then_some(Score(i32::from(self.score)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Its number in the series it was played in.
    pub index: u32,
    pub start: PackedPosition,
    pub moves: Vec<ScoredMove>,
    pub result: GameResult,
    pub ending: Termination,
}

/// Why the bytes are no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    #[error("the file is truncated in the middle of a game")]
    Truncated,
    #[error("the checksum of the game is wrong")]
    Checksum,
    #[error("the game has {0} plies, more than allowed")]
    TooLong(usize),
    #[error("the result or the termination of the game is invalid")]
    UnknownResult,
    #[error("move {ply} of game {index} is not a move")]
    NoMove { index: u32, ply: usize },
    #[error("the start of game {index}: {error}")]
    Start { index: u32, error: FenError },
    #[error("game {index} stands where game {expected} belongs")]
    Misplaced { index: u32, expected: u32 },
    #[error("move {ply} of game {index} is illegal")]
    IllegalMove { index: u32, ply: usize },
}

const HEAD: usize = 8 + PackedPosition::SIZE;
const CHECKSUM: usize = 4;

impl GameRecord {
    /// No game is longer.
    pub const MAX_PLIES: usize = 1024;
    pub const MAX_SIZE: usize = HEAD + 4 * GameRecord::MAX_PLIES + CHECKSUM;

    /// Plies 2, result 1, ending 1, index 4, start 32, then move 2 and score 2 for
    /// each ply, and a CRC-32 of all that; little-endian.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * self.moves.len() + CHECKSUM);
        bytes.extend_from_slice(&(self.moves.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&[self.result as u8, self.ending as u8]);
        bytes.extend_from_slice(&self.index.to_le_bytes());
        bytes.extend_from_slice(&self.start.0);
        for scored in &self.moves {
            bytes.extend_from_slice(&scored.mv.to_bits().to_le_bytes());
            bytes.extend_from_slice(&scored.score.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// How many bytes the record that begins like this takes.
    pub(super) fn size(start: [u8; 2]) -> Result<usize, RecordError> {
        let plies = usize::from(u16::from_le_bytes(start));
        if plies > GameRecord::MAX_PLIES {
            return Err(RecordError::TooLong(plies));
        }
        Ok(HEAD + 4 * plies + CHECKSUM)
    }

    /// Reads what [`GameRecord::encode`] wrote. The moves are not yet known to be
    /// legal.
    pub fn decode(bytes: &[u8]) -> Result<GameRecord, RecordError> {
        let Some((body, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
            return Err(RecordError::Truncated);
        };
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(RecordError::Checksum);
        }
        let Some((head, moves)) = body.split_first_chunk::<HEAD>() else {
            return Err(RecordError::Truncated);
        };
        let index = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        let mut start = [0; PackedPosition::SIZE];
        start.copy_from_slice(&head[8..]);
        let moves = moves.chunks_exact(4).enumerate().map(|(ply, bytes)| {
            let mv = Move::from_bits(u16::from_le_bytes([bytes[0], bytes[1]]));
            let score = i16::from_le_bytes([bytes[2], bytes[3]]);
            mv.map(|mv| ScoredMove { mv, score }).ok_or(RecordError::NoMove { index, ply })
        });
        Ok(GameRecord {
            index,
            start: PackedPosition(start),
            moves: moves.collect::<Result<_, _>>()?,
            result: GameResult::from_index(usize::from(head[2]))
                .ok_or(RecordError::UnknownResult)?,
            ending: Termination::from_index(usize::from(head[3]))
                .filter(|ending| ending.index() < Termination::RECORDED)
                .ok_or(RecordError::UnknownResult)?,
        })
    }

    /// Plays the game through: calls `visit` with each position and the move played
    /// in it. Returns the last position.
    pub fn replay(&self, mut visit: impl FnMut(&Board, ScoredMove)) -> Result<Board, RecordError> {
        let index = self.index;
        let mut board = self.start.unpack().map_err(|error| RecordError::Start { index, error })?;
        for (ply, &scored) in self.moves.iter().enumerate() {
            if !board.is_legal(scored.mv) {
                return Err(RecordError::IllegalMove { index, ply });
            }
            visit(&board, scored);
            board.make(scored.mv);
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    fn record() -> GameRecord {
        let board = Board::startpos();
        let mut after = board.clone();
        let mut moves = Vec::new();
        for (text, score) in [("f3", 12), ("e5", NO_SCORE), ("g4", -31_999), ("Qh4", 31_999)] {
            let mv = after.parse_move(text).expect(text);
            after.make(mv);
            moves.push(ScoredMove { mv, score });
        }
        GameRecord {
            index: 7,
            start: PackedPosition::pack(&board),
            moves,
            result: GameResult::BlackWins,
            ending: Termination::Checkmate,
        }
    }

    #[test]
    fn survives_its_encoding_and_replays() {
        let record = record();
        let bytes = record.encode();
        assert_eq!(GameRecord::size([bytes[0], bytes[1]]), Ok(bytes.len()));
        assert_eq!(GameRecord::decode(&bytes).as_ref(), Ok(&record));
        let mut seen = 0;
        let end = record.replay(|board, scored| {
            seen += 1;
            assert!(board.is_legal(scored.mv));
        });
        assert_eq!(seen, 4);
        assert!(end.is_ok_and(|board| board.in_check() && !board.has_legal_moves()));
        assert_eq!(record.result.points(Color::White), 0.0);
        assert_eq!(record.result.points(Color::Black), 1.0);
    }

    #[test]
    fn any_flipped_bit_is_noticed() {
        let bytes = record().encode();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(GameRecord::decode(&damaged).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(GameRecord::decode(&bytes[..length]).is_err(), "length {length}");
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        let mut record = record();
        record.moves.swap(0, 1);
        assert_eq!(record.replay(|_, _| {}), Err(RecordError::IllegalMove { index: 7, ply: 0 }));
    }
}
