//! The root node, whose move list is kept between iterations.

use super::event::SearchEvent;
use super::history::PieceTo;
use super::lmr::{self, LmrFactors};
use super::negamax::Candidate;
use super::{SearchListener, Worker};
use crate::types::{Bound, Score};
use std::time::Duration;

/// The current root move is reported only after this time.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

impl Worker {
    /// Searches the root moves from `pv_index` on within a window. A move that raises alpha
    /// gets its score and line, the others minus infinity.
    pub(super) fn search_root(
        &mut self,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        listen: SearchListener<'_>,
    ) -> Score {
        self.pv.clear(0);
        let in_check = self.board.in_check();
        let raw_eval = self.evaluate();
        self.stack[0].eval = (!in_check).then(|| self.corrected_eval(raw_eval, 0));
        self.stack[1].cutoffs = 0;
        self.stack[2].cutoffs = 0;
        let context = self.context(0);
        let mut best_score = -Score::INFINITE;
        for index in self.pv_index..self.tb_rank_end() {
            let mv = self.root_moves[index].mv;
            if !self.silent && self.control.elapsed() >= CURRENT_MOVE_DELAY {
                let total = self.root_moves.len();
                let depth = self.root_depth;
                listen(SearchEvent::CurrentMove { depth, mv, number: index + 1, total });
            }
            self.seldepth = 0;
            let nodes_before = self.nodes;
            let number = index - self.pv_index + 1;
            self.tt.prefetch(self.board.key_after(mv));
            let moved = PieceTo::of(&self.board, mv);
            let quiet = !self.board.is_noisy(mv);
            let history = if quiet {
                self.histories.quiet_rows(&context).score(mv, moved)
            } else {
                self.histories.capture(moved, self.board.victim(mv))
            };
            self.stack[0].moved = moved;
            self.stack[0].quiet = quiet.then_some(mv);
            self.make(mv, 0);
            let reduction = lmr::reduction(
                depth,
                number,
                &LmrFactors {
                    quiet,
                    is_pv: true,
                    was_pv: true,
                    cut_node: false,
                    improving: true,
                    gives_check: self.board.in_check(),
                    noisy_tt_move: false,
                    cutoffs: self.stack[1].cutoffs,
                    history,
                },
            );
            let candidate = Candidate { depth: depth - 1, reduction, number, cut_node: false };
            let score = self.search_move::<true>(candidate, alpha, beta, best_score, 0);
            self.unmake(mv);
            if self.stopped {
                return best_score;
            }
            let root_move = &mut self.root_moves[index];
            root_move.nodes += self.nodes - nodes_before;
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.bound = Bound::of(score, alpha, beta);
                root_move.seldepth = self.seldepth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.pv.line(1));
            } else {
                root_move.score = -Score::INFINITE;
            }
            best_score = best_score.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best_score
    }
}
