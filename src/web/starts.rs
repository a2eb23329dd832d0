//! Positions with a name to start a game from.

use crate::board::{Board, MoveError};
use crate::types::Move;
use serde::Serialize;

/// A position worth playing from. Openings come with the moves that lead there.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Start {
    pub group: &'static str,
    pub name: &'static str,
    #[serde(skip)]
    fen: &'static str,
    #[serde(skip)]
    moves: &'static str,
}

const fn opening(name: &'static str, moves: &'static str) -> Start {
    Start { group: "Openings", name, fen: Board::START_FEN, moves }
}

const fn odds(name: &'static str, fen: &'static str) -> Start {
    Start { group: "Odds", name, fen, moves: "" }
}

const fn endgame(name: &'static str, fen: &'static str) -> Start {
    Start { group: "Endgames", name, fen, moves: "" }
}

pub(super) const STARTS: [Start; 27] = [
    opening("Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"),
    opening("Italian Game", "e4 e5 Nf3 Nc6 Bc4"),
    opening("Scotch Game", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4"),
    opening("King's Gambit", "e4 e5 f4"),
    opening("Petrov Defence", "e4 e5 Nf3 Nf6"),
    opening("Sicilian Najdorf", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
    opening("Sicilian Dragon", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6"),
    opening("French Defence", "e4 e6 d4 d5"),
    opening("Caro-Kann Defence", "e4 c6 d4 d5"),
    opening("Queen's Gambit", "d4 d5 c4"),
    opening("Slav Defence", "d4 d5 c4 c6"),
    opening("King's Indian Defence", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6"),
    opening("Nimzo-Indian Defence", "d4 Nf6 c4 e6 Nc3 Bb4"),
    opening("Grünfeld Defence", "d4 Nf6 c4 g6 Nc3 d5"),
    opening("Dutch Defence", "d4 f5"),
    opening("London System", "d4 d5 Nf3 Nf6 Bf4"),
    opening("English Opening", "c4 e5"),
    odds("White without a knight", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
    odds("White without a rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
    odds("White without the queen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
    odds("Kings and pawns only", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"),
    endgame("Mate with the queen", "8/8/8/4k3/8/8/8/3QK3 w - - 0 1"),
    endgame("Mate with a rook", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
    endgame("Mate with bishop and knight", "8/8/8/4k3/8/8/8/2B1K1N1 w - - 0 1"),
    endgame("King and pawn", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"),
    endgame("Lucena's bridge", "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1"),
    endgame("Philidor's defence", "3k4/R7/7r/3KP3/8/8/8/8 b - - 0 1"),
];

impl Start {
    pub(super) fn find(name: &str) -> Option<&'static Start> {
        STARTS.iter().find(|start| start.name == name)
    }

    /// The first position and the moves played from it.
    pub(super) fn position(&self) -> Result<(Board, Vec<Move>), MoveError> {
        let start = Board::from_fen(self.fen).unwrap_or_else(|_| Board::startpos());
        let mut board = start.clone();
        let mut moves = Vec::new();
        for text in self.moves.split(' ').filter(|text| !text.is_empty()) {
            let mv = board.parse_san(text)?;
            board.make(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::judge;
    use std::collections::HashSet;

    #[test]
    fn all_named_positions_are_playable() {
        let names: HashSet<&str> = STARTS.iter().map(|start| start.name).collect();
        assert_eq!(names.len(), STARTS.len());
        for start in &STARTS {
            Board::from_fen(start.fen).expect(start.name);
            let (mut board, moves) = start.position().expect(start.name);
            moves.into_iter().for_each(|mv| board.make(mv));
            assert_eq!(judge(&board), None, "{}", start.name);
            assert!(start.group == "Openings" || start.moves.is_empty());
        }
    }
}
