//! Probcut: a capture that beats beta by a margin at reduced depth will beat beta.

use super::Worker;
use super::history::PieceTo;
use super::move_picker::{MovePicker, PickerMoves};
use crate::types::{Move, Score};

impl Worker {
    /// The score of the first good capture that reaches `probcut_beta` in quiescence
    /// and then in a search of `depth`.
    pub(super) fn probcut(
        &mut self,
        depth: i32,
        probcut_beta: Score,
        static_eval: Score,
        tt_move: Option<Move>,
        ply: usize,
        cut_node: bool,
    ) -> Option<Score> {
        let gain = probcut_beta.0 - static_eval.0;
        let tt_move =
            tt_move.filter(|&mv| self.board.is_noisy(mv) && self.board.see_at_least(mv, gain));
        let mut picker = MovePicker::new(PickerMoves::Noisy { gain }, tt_move, self.context(ply));
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            self.tt.prefetch(self.board.key_after(mv));
            self.stack[ply].moved = PieceTo::of(&self.board, mv);
            self.stack[ply].quiet = None;
            self.make(mv, ply);
            let mut score = -self.quiescence::<false>(-probcut_beta, -probcut_beta + 1, ply + 1);
            if score >= probcut_beta && depth > 0 {
                score = -self.negamax::<false>(
                    depth,
                    -probcut_beta,
                    -probcut_beta + 1,
                    ply + 1,
                    !cut_node,
                );
            }
            self.unmake(mv);
            if self.stopped || score >= probcut_beta {
                return Some(score);
            }
        }
        None
    }
}
