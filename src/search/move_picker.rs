//! Staged move ordering: TT move, winning captures by victim and history, quiet moves by
//! history, threats and checks, losing captures.

use super::history::{Histories, HistoryContext, PieceTo};
use super::params;
use crate::board::{Board, Checks, Noisy, Quiet, exchange_value};
use crate::types::{Bitboard, Move, MoveList, Piece};
use arrayvec::ArrayVec;

/// Which moves a picker returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PickerMoves {
    All,
    /// Captures and promotions that gain at least this much by static exchange evaluation.
    Noisy {
        gain: i32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PickStage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

pub(super) struct MovePicker {
    which: PickerMoves,
    stage: PickStage,
    tt_move: Option<Move>,
    context: HistoryContext,
    skip_quiets: bool,
    moves: MoveList,
    /// One for each of the moves.
    ranks: ArrayVec<Rank, 256>,
    bad_noisy: MoveList,
    next_bad: usize,
}

/// A move's score and its index in the list in one word, so that the maximum also tells
/// where the best move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    const PLACE_BITS: u32 = 8;

    #[inline(always)]
    fn new(score: i32, place: usize) -> Rank {
        debug_assert!(score.abs() < 1 << (31 - Rank::PLACE_BITS) && place >> Rank::PLACE_BITS == 0);
        Rank(score << Rank::PLACE_BITS | place as i32)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        self.0 >> Rank::PLACE_BITS
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.0 & ((1 << Rank::PLACE_BITS) - 1)) as usize
    }
}

impl MovePicker {
    pub(super) fn new(
        which: PickerMoves,
        tt_move: Option<Move>,
        context: HistoryContext,
    ) -> MovePicker {
        MovePicker {
            which,
            stage: PickStage::TtMove,
            tt_move,
            context,
            skip_quiets: false,
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
        }
    }

    /// From now on only captures and promotions are returned.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    #[inline]
    pub(super) fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        let gain = if let PickerMoves::Noisy { gain } = self.which { gain } else { 0 };
        loop {
            match self.stage {
                PickStage::TtMove => {
                    self.stage = PickStage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                PickStage::GenerateNoisy => {
                    self.generate_noisy(board, histories);
                    self.stage = PickStage::GoodNoisy;
                }
                PickStage::GoodNoisy => match self.pick_best() {
                    Some(mv) if !board.see_at_least(mv, gain) => self.bad_noisy.push(mv),
                    Some(mv) => return Some(mv),
                    None if self.which != PickerMoves::All => return None,
                    None => self.stage = PickStage::GenerateQuiet,
                },
                PickStage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate_quiets(board, histories);
                    }
                    self.stage = PickStage::Quiet;
                }
                PickStage::Quiet if self.skip_quiets => self.stage = PickStage::BadNoisy,
                PickStage::Quiet => match self.pick_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = PickStage::BadNoisy,
                },
                PickStage::BadNoisy => {
                    self.next_bad += 1;
                    return self.bad_noisy.get(self.next_bad - 1).copied();
                }
            }
        }
    }

    // Not inlined: most calls of `next` generate nothing and should not pay for the
    // registers and the stack space.
    #[inline(never)]
    fn generate_noisy(&mut self, board: &Board, histories: &Histories) {
        board.generate::<Noisy>(&mut self.moves);
        self.rank(|mv| noisy_score(board, histories, mv));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, board: &Board, histories: &Histories) {
        board.generate::<Quiet>(&mut self.moves);
        let rows = histories.quiet_rows(&self.context);
        let cheaper_attacks = board.cheaper_attacks();
        let checks = board.checks();
        self.rank(|mv| {
            rows.score(mv, PieceTo::of(board, mv))
                + escape_score(board, &cheaper_attacks, mv)
                + check_score(board, &checks, mv)
        });
    }

    #[inline(always)]
    fn rank(&mut self, score: impl Fn(Move) -> i32) {
        self.ranks.clear();
        let ranked = self.moves.iter().enumerate();
        self.ranks.extend(ranked.map(|(place, &mv)| Rank::new(score(mv), place)));
    }

    /// Removes and returns the move with the highest score, skipping the TT move.
    #[inline(always)]
    fn pick_best(&mut self) -> Option<Move> {
        loop {
            let place = self.ranks.iter().copied().max()?.place();
            let mv = self.moves.swap_remove(place);
            // `swap_remove` moved the last move to `place`.
            if let Some(last) = self.ranks.pop()
                && let Some(rank) = self.ranks.get_mut(place)
            {
                *rank = Rank::new(last.score(), place);
            }
            if Some(mv) != self.tt_move {
                return Some(mv);
            }
        }
    }
}

/// Most valuable victim first, adjusted by capture history.
fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let victim = board.victim(mv);
    let value = victim.map_or(0, exchange_value) + mv.promoted().map_or(0, exchange_value);
    16 * value + histories.capture(PieceTo::of(board, mv), victim) / 4
}

/// For a piece that leaves the reach of something cheaper, or walks into it.
#[inline(always)]
fn escape_score(board: &Board, cheaper_attacks: &[Bitboard; Piece::COUNT], mv: Move) -> i32 {
    board.piece_at(mv.from()).map_or(0, |piece| {
        let attacked = cheaper_attacks[piece.index()];
        let escapes =
            i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to()));
        escapes * params::order_escape() * exchange_value(piece) / 100
    })
}

/// For a check that loses next to nothing.
#[inline(always)]
fn check_score(board: &Board, checks: &Checks, mv: Move) -> i32 {
    const MAY_LOSE: i32 = 75;
    let good = checks.contain(board, mv) && board.see_at_least(mv, -MAY_LOSE);
    i32::from(good) * params::order_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{All, Board};

    /// The moves of a position without any history, in order.
    fn ordered(fen: &str) -> Vec<String> {
        let board = Board::from_fen(fen).expect(fen);
        let context = HistoryContext::new(&board, [PieceTo::NONE; 3]);
        let mut picker = MovePicker::new(PickerMoves::All, None, context);
        let histories = Histories::default();
        std::iter::from_fn(|| picker.next(&board, &histories))
            .map(|mv| mv.coordinates(false))
            .collect()
    }

    #[test]
    fn escapes_and_checks_come_first_and_blunders_last() {
        // Pawns attack the queen.
        let moves = ordered("6k1/5ppp/3p4/2p1p3/3Q4/8/5PPP/6K1 w - - 0 1");
        let place = |text: &str| moves.iter().position(|mv| mv == text).expect(text);
        assert!(place("d4d1") < place("h2h3"), "{moves:?}");
        // Check that loses nothing.
        let moves = ordered("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
        assert_eq!(moves[0], "d1d8");
        // The rook would be taken by a pawn.
        let moves = ordered("6k1/5ppp/4p3/8/8/8/5PPP/3R2K1 w - - 0 1");
        let place = |text: &str| moves.iter().position(|mv| mv == text).expect(text);
        assert!(place("d1d5") > place("h2h3"), "{moves:?}");
    }

    #[test]
    fn gives_every_move_once() {
        let histories = Histories::default();
        for fen in [
            Board::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let board = Board::from_fen(fen).expect(fen);
            let mut all = MoveList::new();
            board.generate::<All>(&mut all);
            for tt_move in std::iter::once(None).chain(all.iter().copied().map(Some)) {
                let context = HistoryContext::new(&board, [PieceTo::NONE; 3]);
                let mut picker = MovePicker::new(PickerMoves::All, tt_move, context);
                let mut given: Vec<Move> =
                    std::iter::from_fn(|| picker.next(&board, &histories)).collect();
                if tt_move.is_some() {
                    assert_eq!(given.first().copied(), tt_move);
                }
                let mut expected: Vec<Move> = all.iter().copied().collect();
                given.sort_by_key(|mv| mv.to_bits());
                expected.sort_by_key(|mv| mv.to_bits());
                assert_eq!(given, expected, "{fen}");
            }
        }
    }
}
