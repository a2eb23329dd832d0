//! Correction history: how far searches of similar positions were off from their
//! static evaluation.

use super::history::{Gravity, PIECE_TOS, PieceTo};
use super::{Worker, params};
use crate::board::Board;
use crate::memory;
use crate::types::{Color, Piece, Score};

type Correction = Gravity<1_024>;

/// Entries of each table for each side to move.
const CORRECTIONS: usize = 16_384;

#[derive(Debug)]
pub(super) struct CorrectionHistory {
    /// By side to move and a hash of the pieces that [`CorrectionKey`] names.
    by_key: Vec<[Correction; Color::COUNT * CORRECTIONS]>,
    /// By the last move and the one before it.
    continuation: Vec<Correction>,
}

/// The pieces whose placement a correction belongs to.
#[derive(Debug, Clone, Copy)]
enum CorrectionKey {
    Pawns,
    WhitePieces,
    BlackPieces,
    Minors,
    Majors,
}

impl CorrectionKey {
    const COUNT: usize = 5;
    const ALL: [CorrectionKey; CorrectionKey::COUNT] = [
        CorrectionKey::Pawns,
        CorrectionKey::WhitePieces,
        CorrectionKey::BlackPieces,
        CorrectionKey::Minors,
        CorrectionKey::Majors,
    ];

    #[inline(always)]
    fn row(self, board: &Board) -> usize {
        let key = match self {
            CorrectionKey::Pawns => board.pawn_key(),
            CorrectionKey::WhitePieces => board.non_pawn_key(Color::White),
            CorrectionKey::BlackPieces => board.non_pawn_key(Color::Black),
            CorrectionKey::Minors => placement(board, [Piece::Knight, Piece::Bishop]),
            CorrectionKey::Majors => placement(board, [Piece::Rook, Piece::Queen]),
        };
        board.side_to_move().index() * CORRECTIONS + key as usize % CORRECTIONS
    }

    #[inline(always)]
    fn weight(self) -> i32 {
        match self {
            CorrectionKey::Pawns => params::correct_pawns(),
            CorrectionKey::WhitePieces | CorrectionKey::BlackPieces => params::correct_pieces(),
            CorrectionKey::Minors => params::correct_minors(),
            CorrectionKey::Majors => params::correct_majors(),
        }
    }
}

/// A hash of where two kinds of pieces stand. Cheaper than an incremental key.
#[inline(always)]
fn placement(board: &Board, pieces: [Piece; 2]) -> u64 {
    // Odd constants with bits well spread; the high bits of a product depend on all.
    const MIX: [u64; 4] = [
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
        0xD6E8_FEB8_6659_FD93,
    ];
    let [first, second] = pieces;
    let squares = [
        board.colored_pieces(Color::White, first),
        board.colored_pieces(Color::Black, first),
        board.colored_pieces(Color::White, second),
        board.colored_pieces(Color::Black, second),
    ];
    // Independent products, so that none waits for another.
    let products = squares.iter().zip(MIX).map(|(squares, factor)| squares.0.wrapping_mul(factor));
    products.fold(0, |hash, product| hash ^ product) >> 50
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory {
            by_key: vec![[Correction::default(); Color::COUNT * CORRECTIONS]; CorrectionKey::COUNT],
            continuation: vec![Correction::default(); (PIECE_TOS + 1) * (PIECE_TOS + 1)],
        }
    }
}

impl CorrectionHistory {
    /// Resets all entries in place, which is faster than allocating again.
    pub(super) fn clear(&mut self) {
        self.by_key.as_flattened_mut().fill(Correction::default());
        self.continuation.fill(Correction::default());
    }

    /// What to add to the evaluation. `last` are the last move and the one before it.
    #[inline]
    pub(super) fn get(&self, board: &Board, last: [PieceTo; 2]) -> i32 {
        let mut sum = self.continuation[CorrectionHistory::continuation_index(last)].get()
            * params::correct_continuation();
        for (kind, table) in CorrectionKey::ALL.into_iter().zip(&self.by_key) {
            sum += table[kind.row(board)].get() * kind.weight();
        }
        sum / 1024
    }

    /// Fetches the entries of [`CorrectionHistory::get`] into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, board: &Board, last: [PieceTo; 2]) {
        memory::prefetch(&self.continuation[CorrectionHistory::continuation_index(last)]);
        for (kind, table) in CorrectionKey::ALL.into_iter().zip(&self.by_key) {
            memory::prefetch(&table[kind.row(board)]);
        }
    }

    /// Learns that a search of `depth` found the position worth `difference` more
    /// than its corrected evaluation.
    pub(super) fn update(
        &mut self,
        board: &Board,
        last: [PieceTo; 2],
        depth: i32,
        difference: i32,
    ) {
        let bonus = (difference * depth / 8).clamp(-256, 256);
        self.continuation[CorrectionHistory::continuation_index(last)].push(bonus);
        for (kind, table) in CorrectionKey::ALL.into_iter().zip(&mut self.by_key) {
            table[kind.row(board)].push(bonus);
        }
    }

    #[inline(always)]
    fn continuation_index(last: [PieceTo; 2]) -> usize {
        last[1].index() * (PIECE_TOS + 1) + last[0].index()
    }
}

impl Worker {
    /// The evaluation scaled by the fifty-move counter and adjusted by correction history.
    #[inline]
    pub(super) fn corrected_eval(&self, raw: Score, ply: usize) -> Score {
        // Both would drown the small differences that lead to the mate.
        if self.board.has_bare_king() {
            return raw;
        }
        let clock = i32::from(self.board.halfmove_clock()).min(200);
        let scaled = raw.0 * (220 - clock) / 220;
        Score::evaluation(scaled + self.correction_history.get(&self.board, self.last_moves(ply)))
    }

    /// The last move and the one before it.
    #[inline(always)]
    pub(super) fn last_moves(&self, ply: usize) -> [PieceTo; 2] {
        [self.stack.before(ply, 1).moved, self.stack.before(ply, 2).moved]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_what_was_found() {
        let board = Board::startpos();
        let mut history = CorrectionHistory::default();
        let last = [PieceTo::NONE; 2];
        assert_eq!(history.get(&board, last), 0);
        for _ in 0..20 {
            history.update(&board, last, 8, 60);
        }
        assert!(history.get(&board, last) > 20);
    }
}
