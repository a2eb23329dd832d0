//! Searches beside the main one that answer a question about a node: does a capture
//! beat beta by far, and is the table's move the only good one?

use super::event::Bound;
use super::history::PieceTo;
use super::picker::{Picker, Wanted};
use super::{Worker, params};
use crate::tt::Entry;
use crate::types::{Move, Score};

impl Worker {
    /// The score of the first good capture that beats `bound` in quiescence and then
    /// in a search of `depth`.
    pub(super) fn probcut(
        &mut self,
        depth: i32,
        bound: Score,
        static_eval: Score,
        table_move: Option<Move>,
        ply: usize,
        cut_node: bool,
    ) -> Option<Score> {
        let gain = bound.0 - static_eval.0;
        let first =
            table_move.filter(|&mv| self.board.is_noisy(mv) && self.board.see_at_least(mv, gain));
        let mut picker = Picker::new(Wanted::Tactical { gain }, first, self.context(ply));
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            self.table.prefetch(self.board.key_after(mv));
            self.stack[ply].moved = PieceTo::of(&self.board, mv);
            self.stack[ply].quiet = None;
            self.make(mv, ply);
            let mut score = -self.quiesce::<false>(-bound, -bound + 1, ply + 1);
            if score >= bound && depth > 0 {
                score = -self.negamax::<false>(depth, -bound, -bound + 1, ply + 1, !cut_node);
            }
            self.unmake(mv);
            if self.stopped || score >= bound {
                return Some(score);
            }
        }
        None
    }

    /// Searches the other moves less deeply, to see how far behind the table's move
    /// they are: if far, it is extended; if they too reach beta, nothing needs a look.
    #[allow(clippy::too_many_arguments, reason = "all of it describes one node")]
    pub(super) fn singular<const PV: bool>(
        &mut self,
        entry: &Entry,
        mv: Move,
        depth: i32,
        beta: Score,
        ply: usize,
        cut_node: bool,
        was_pv: bool,
    ) -> Singular {
        let known = entry.score.from_table(ply);
        if entry.depth < depth - 3 || entry.bound == Bound::Upper || known.is_decided() {
            return Singular::Extend(0);
        }
        let margin = depth * params::singular_margin() / 64;
        let bound = known - margin - i32::from(was_pv && !PV) * depth;
        self.stack[ply].excluded = Some(mv);
        let score = self.negamax::<false>((depth - 1) / 2, bound - 1, bound, ply, cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Singular::Stopped;
        }
        if score < bound {
            let quiet = !self.board.is_noisy(mv);
            let double = !PV && score < bound - params::double_margin();
            let triple = double && quiet && score < bound - params::triple_margin();
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if score >= beta && !score.is_decided() {
            Singular::MultiCut(score)
        } else if known >= beta {
            Singular::Extend(-2 + i32::from(PV))
        } else if cut_node {
            Singular::Extend(-2)
        } else {
            Singular::Extend(0)
        }
    }
}

/// What the search without the table's move says about it.
pub(super) enum Singular {
    /// By so many plies; negative if other moves may be as good.
    Extend(i32),
    /// Other moves beat beta too.
    MultiCut(Score),
    Stopped,
}
