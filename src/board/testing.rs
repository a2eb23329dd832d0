//! Positions for unit tests: random games with a fixed seed.

use super::Board;
use crate::types::{Move, MoveList};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A position after moves, and the last of them.
pub(crate) fn played(fen: &str, moves: &str) -> (Board, Option<Move>) {
    let mut board = Board::from_fen(fen).expect(fen);
    let mut last = None;
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text).expect(text);
        board.make(mv);
        last = Some(mv);
    }
    (board, last)
}

/// Endless random games from the start position, one board after each move.
pub(crate) struct RandomGames {
    rng: Xoshiro256PlusPlus,
    board: Board,
    /// Prefer moves without captures and pawns, so that positions repeat.
    shuffling: bool,
}

impl RandomGames {
    pub(crate) fn new(seed: u64) -> RandomGames {
        RandomGames {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            board: Board::startpos(),
            shuffling: false,
        }
    }

    pub(crate) fn shuffling(mut self) -> RandomGames {
        self.shuffling = true;
        self
    }

    /// So many positions, or a few where an interpreter runs the tests.
    pub(crate) fn positions(self, count: usize) -> impl Iterator<Item = Board> {
        self.take(if cfg!(miri) { count.div_ceil(1_000) } else { count })
    }

    fn pick(&mut self, moves: &[Move]) -> Option<Move> {
        let index = self.rng.next_u64() as usize % moves.len().max(1);
        moves.get(index).copied()
    }
}

impl Iterator for RandomGames {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let mut moves = self.board.legal_moves();
        if self.shuffling && !self.rng.next_u64().is_multiple_of(16) {
            let reversible: MoveList = moves
                .iter()
                .copied()
                .filter(|&mv| {
                    let board = &self.board;
                    !board.is_noisy(mv)
                        && board.piece_at(mv.from()) != Some(crate::types::Piece::Pawn)
                })
                .collect();
            if !reversible.is_empty() {
                moves = reversible;
            }
        }
        match self.pick(&moves) {
            Some(mv) if !is_over(&self.board) => self.board.make(mv),
            _ => self.board = Board::startpos(),
        }
        Some(self.board.clone())
    }
}

/// Whether the rules end the game although there are moves.
fn is_over(board: &Board) -> bool {
    board.has_insufficient_material()
        || board.halfmove_clock() >= 150
        || board.earlier_occurrences() >= 4
}
