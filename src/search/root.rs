//! The root of the tree: its moves are a list that outlives the iterations.

use super::event::SearchEvent;
use super::history::PieceTo;
use super::negamax::Candidate;
use super::reduce::{self, Circumstances};
use super::{Listener, Worker};
use crate::types::Score;
use std::time::Duration;

/// Nobody wants to see single root moves before this.
const QUIET_TIME: Duration = Duration::from_secs(3);

impl Worker {
    /// Searches the root moves from `pv_index` on within a window. The best one's
    /// score and line are noted in `root_moves`; the others get the lowest score.
    pub(super) fn search_root(
        &mut self,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        listen: Listener<'_>,
    ) -> Score {
        self.pv.clear(0);
        let in_check = self.board.in_check();
        let raw_eval = self.evaluate();
        self.stack[0].eval = (!in_check).then(|| self.corrected(raw_eval, 0));
        self.stack[1].cutoffs = 0;
        let context = self.context(0);
        let mut best = -Score::INFINITE;
        for index in self.pv_index..self.end_of_rank() {
            let mv = self.root_moves[index].mv;
            if self.control.elapsed() >= QUIET_TIME {
                let total = self.root_moves.len();
                let depth = self.root_depth;
                listen(SearchEvent::CurrentMove { depth, mv, number: index + 1, total });
            }
            self.seldepth = 0;
            let nodes_before = self.nodes;
            let number = index - self.pv_index + 1;
            self.table.prefetch(self.board.key_after(mv));
            let moved = PieceTo::of(&self.board, mv);
            let quiet = !self.board.is_noisy(mv);
            let history =
                if quiet { self.histories.quiet_rows(&context).score(mv, moved) } else { 0 };
            self.stack[0].moved = moved;
            self.stack[0].quiet = quiet.then_some(mv);
            self.make(mv, 0);
            let reduction = reduce::late_move(
                depth,
                number,
                &Circumstances {
                    quiet,
                    is_pv: true,
                    was_pv: true,
                    cut_node: false,
                    improving: true,
                    gives_check: self.board.in_check(),
                    noisy_table_move: false,
                    cutoffs: self.stack[1].cutoffs,
                    history,
                },
            );
            let candidate = Candidate { depth: depth - 1, reduction, number, cut_node: false };
            let score = self.search_move::<true>(candidate, alpha, beta, best, 0);
            self.unmake(mv);
            if self.stopped {
                return best;
            }
            let root_move = &mut self.root_moves[index];
            root_move.nodes += self.nodes - nodes_before;
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.exact = score > alpha && score < beta;
                root_move.seldepth = self.seldepth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.pv.line(1));
            } else {
                root_move.score = -Score::INFINITE;
                root_move.exact = false;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
