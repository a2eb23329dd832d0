//! Move histories: butterfly, pawn, continuation and capture history, and how a search
//! updates them.
//!
//! Every entry is a [`Gravity`]: it moves towards the bonuses it gets, and less so the
//! closer it is to its limit.

use super::{Worker, params};
use crate::board::Board;
use crate::types::{Color, Move, MoveList, Piece, Score, Square};

/// A bounded average of bonuses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gravity<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gravity<LIMIT> {
    #[inline(always)]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

type MoveScore = Gravity<16_384>;

/// A piece and its destination: the key of a move in continuation history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

/// How many there are, [`PieceTo::NONE`] aside.
pub(super) const PIECE_TOS: usize = Color::COUNT * Piece::COUNT * Square::COUNT;

impl PieceTo {
    /// No move: before the root, and a null move.
    pub(super) const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    #[inline(always)]
    pub(super) fn new(color: Color, piece: Piece, to: Square) -> PieceTo {
        PieceTo(
            ((color.index() * Piece::COUNT + piece.index()) * Square::COUNT + to.index()) as u16,
        )
    }

    #[inline(always)]
    pub(super) fn of(board: &Board, mv: Move) -> PieceTo {
        board
            .piece_at(mv.from())
            .map_or(PieceTo::NONE, |piece| PieceTo::new(board.side_to_move(), piece, mv.to()))
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many plies back the moves lie that continuation history looks at.
pub(super) const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// What the history of a quiet move depends on besides the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext {
    side: Color,
    pawn_row: usize,
    /// The moves [`CONTINUATION_PLIES`] back.
    previous: [PieceTo; 3],
}

impl HistoryContext {
    pub(super) fn new(board: &Board, previous: [PieceTo; 3]) -> HistoryContext {
        let pawn_row = board.pawn_key() as usize % PAWN_ROWS;
        HistoryContext { side: board.side_to_move(), pawn_row, previous }
    }

    /// The same with the other side to move.
    pub(super) fn of_opponent(self) -> HistoryContext {
        HistoryContext { side: !self.side, ..self }
    }
}

const FROM_TOS: usize = Square::COUNT * Square::COUNT;
const PAWN_ROWS: usize = 512;

type ByPieceTo = [MoveScore; PIECE_TOS];

/// The history rows for quiet moves in one [`HistoryContext`].
pub(super) struct QuietRows<'a> {
    quiets: &'a [MoveScore; FROM_TOS],
    pawns: &'a ByPieceTo,
    continuations: [&'a ByPieceTo; CONTINUATION_PLIES.len()],
}

impl QuietRows<'_> {
    /// The history score of a quiet move.
    #[inline(always)]
    pub(super) fn score(&self, mv: Move, moved: PieceTo) -> i32 {
        let [first, second, fourth] = self.continuations.map(|row| row[moved.index()].get());
        self.quiets[from_to(mv)].get()
            + self.pawns[moved.index()].get()
            + first
            + second
            + fourth / 2
    }
}

/// Origin and destination as one number.
#[inline(always)]
fn from_to(mv: Move) -> usize {
    mv.from().index() * Square::COUNT + mv.to().index()
}

#[derive(Debug)]
pub(super) struct Histories {
    /// By side, origin and destination.
    quiets: Vec<[MoveScore; FROM_TOS]>,
    /// By pawn structure, piece and destination.
    pawns: Vec<ByPieceTo>,
    /// By an earlier move, piece and destination.
    continuations: Vec<ByPieceTo>,
    /// By piece, destination and victim.
    captures: Vec<MoveScore>,
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiets: vec![[MoveScore::default(); FROM_TOS]; Color::COUNT],
            pawns: vec![[MoveScore::default(); PIECE_TOS]; PAWN_ROWS],
            continuations: vec![[MoveScore::default(); PIECE_TOS]; PIECE_TOS + 1],
            captures: vec![MoveScore::default(); PIECE_TOS * (Piece::COUNT + 1)],
        }
    }
}

impl Histories {
    /// Resets all entries in place, which is faster than allocating again.
    pub(super) fn clear(&mut self) {
        self.quiets.as_flattened_mut().fill(MoveScore::default());
        self.pawns.as_flattened_mut().fill(MoveScore::default());
        self.continuations.as_flattened_mut().fill(MoveScore::default());
        self.captures.fill(MoveScore::default());
    }

    /// The rows for all quiet moves of a node, looked up once.
    #[inline(always)]
    pub(super) fn quiet_rows(&self, context: &HistoryContext) -> QuietRows<'_> {
        QuietRows {
            quiets: &self.quiets[context.side.index()],
            pawns: &self.pawns[context.pawn_row],
            continuations: context.previous.map(|previous| &self.continuations[previous.index()]),
        }
    }

    pub(super) fn update_quiet(
        &mut self,
        context: &HistoryContext,
        mv: Move,
        moved: PieceTo,
        bonus: i32,
    ) {
        self.pawns[context.pawn_row][moved.index()].push(bonus);
        self.update_continuation(context, mv, moved, bonus);
    }

    /// The same without pawn history, for a move whose pawn structure is gone.
    pub(super) fn update_continuation(
        &mut self,
        context: &HistoryContext,
        mv: Move,
        moved: PieceTo,
        bonus: i32,
    ) {
        self.update_butterfly(context, mv, bonus);
        for previous in context.previous {
            if previous != PieceTo::NONE {
                self.continuations[previous.index()][moved.index()].push(bonus);
            }
        }
    }

    pub(super) fn update_butterfly(&mut self, context: &HistoryContext, mv: Move, bonus: i32) {
        self.quiets[context.side.index()][from_to(mv)].push(bonus);
    }

    #[inline(always)]
    fn capture_index(moved: PieceTo, victim: Option<Piece>) -> usize {
        moved.index() * (Piece::COUNT + 1) + victim.map_or(Piece::COUNT, Piece::index)
    }

    /// The history score of a capture, or of a promotion without victim.
    #[inline(always)]
    pub(super) fn capture(&self, moved: PieceTo, victim: Option<Piece>) -> i32 {
        self.captures[Histories::capture_index(moved, victim)].get()
    }

    pub(super) fn update_capture(&mut self, moved: PieceTo, victim: Option<Piece>, bonus: i32) {
        self.captures[Histories::capture_index(moved, victim)].push(bonus);
    }
}

impl Worker {
    /// Rewards the move that failed high and punishes those tried before it.
    pub(super) fn update_histories(
        &mut self,
        context: &HistoryContext,
        mv: Move,
        depth: i32,
        quiets_tried: &MoveList,
        noisy_tried: &MoveList,
    ) {
        let bonus = history_bonus(depth);
        let malus = (params::malus_slope() * depth - params::bonus_offset())
            .clamp(0, params::malus_limit());
        let moved = PieceTo::of(&self.board, mv);
        if self.board.is_noisy(mv) {
            self.histories.update_capture(moved, self.board.victim(mv), bonus);
        } else {
            // A first move that fails high at depth 1 carries no information.
            if depth > 1 || !quiets_tried.is_empty() {
                self.histories.update_quiet(context, mv, moved, bonus);
            }
            for &tried in quiets_tried {
                let moved = PieceTo::of(&self.board, tried);
                self.histories.update_quiet(context, tried, moved, -malus);
            }
        }
        for &tried in noisy_tried {
            let moved = PieceTo::of(&self.board, tried);
            self.histories.update_capture(moved, self.board.victim(tried), -malus);
        }
    }

    /// Rewards the previous quiet move when all moves here failed low.
    pub(super) fn reward_previous_move(&mut self, depth: i32, ply: usize) {
        let previous = *self.stack.before(ply, 1);
        if let Some(mv) = previous.quiet {
            let bonus = history_bonus(depth) * params::bonus_previous_move() / 128;
            let context = self.context(ply - 1).of_opponent();
            self.histories.update_continuation(&context, mv, previous.moved, bonus);
        }
    }

    /// Rewards the previous quiet move for what it did to the static evaluation, now
    /// `static_eval` for the opponent. Cheap and early: no search of it is needed.
    pub(super) fn learn_from_eval_change(&mut self, static_eval: Score, ply: usize) {
        let previous = *self.stack.before(ply, 1);
        if let (Some(mv), Some(before)) = (previous.quiet, previous.eval) {
            let limit = params::eval_change_limit();
            let lost = before.0 + static_eval.0;
            let bonus = (-lost * params::eval_change_slope() / 8).clamp(-limit, limit);
            let context = self.context(ply - 1).of_opponent();
            self.histories.update_butterfly(&context, mv, bonus);
        }
    }

    #[inline(always)]
    pub(super) fn context(&self, ply: usize) -> HistoryContext {
        HistoryContext::new(
            &self.board,
            CONTINUATION_PLIES.map(|plies| self.stack.before(ply, plies).moved),
        )
    }
}

/// The bonus of a move that fails high at `depth`.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_move_is_judged_by_the_evaluation_after_it() {
        use crate::search::Counts;
        use crate::tt::TranspositionTable;
        use std::sync::Arc;
        let tt = Arc::new(TranspositionTable::new(1).expect("one megabyte"));
        let mut worker = Worker::new(tt, Arc::new(Counts::new(1)), 0);
        let mv = worker.board.parse_move("g1f3").expect("legal");
        let moved = PieceTo::of(&worker.board, mv);
        let context = worker.context(0);
        worker.stack[0].moved = moved;
        worker.stack[0].quiet = Some(mv);
        worker.make(mv, 0);
        let mut score_after = |before: Option<Score>, after: Score| {
            worker.histories.clear();
            worker.stack[0].eval = before;
            worker.learn_from_eval_change(after, 1);
            worker.histories.quiet_rows(&context).score(mv, moved)
        };
        assert!(score_after(Some(Score(0)), Score(-100)) > 0);
        assert!(score_after(Some(Score(0)), Score(100)) < 0);
        assert_eq!(score_after(Some(Score(50)), Score(-50)), 0);
        assert_eq!(score_after(None, Score(100)), 0);
    }

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut score = MoveScore::default();
        for _ in 0..1_000 {
            score.push(1_700);
        }
        assert!(score.get() > 16_000 && score.get() <= 16_384);
        for _ in 0..1_000 {
            score.push(-100_000);
        }
        assert_eq!(score.get(), -16_384);
    }
}
