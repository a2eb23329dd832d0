//! Null move pruning: if passing still leaves us above beta, some move will too.

use super::history::PieceTo;
use super::{Worker, margins, params};
use crate::types::Score;

impl Worker {
    /// Lets the opponent move twice and searches at reduced depth. Returns the score if it
    /// reaches beta; at high depth only if a search without null moves confirms it.
    #[inline]
    pub(super) fn null_move(
        &mut self,
        depth: i32,
        eval: Score,
        beta: Score,
        ply: usize,
        cut_node: bool,
    ) -> Option<Score> {
        let reduced = depth - margins::null_move_reduction(depth, eval.0 - beta.0);
        self.stack[ply].moved = PieceTo::NONE;
        self.stack[ply].quiet = None;
        self.board.make_null();
        self.tt.prefetch(self.board.key());
        let score = -self.negamax::<false>(reduced, -beta, -beta + 1, ply + 1, !cut_node);
        self.board.unmake_null();
        if self.stopped {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        let score = if score.is_decided() { beta } else { score };
        if depth < params::null_verify_depth() || self.null_move_min_ply > 0 {
            return Some(score);
        }
        self.null_move_min_ply = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.negamax::<false>(reduced, beta - 1, beta, ply, false);
        self.null_move_min_ply = 0;
        if self.stopped {
            return Some(Score::DRAW);
        }
        (verified >= beta).then_some(score)
    }
}
