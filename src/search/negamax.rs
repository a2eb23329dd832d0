//! The main search: negamax with a principal variation window.

use super::event::Bound;
use super::picker::{Picker, Wanted};
use super::quiesce::settles;
use super::{Listener, Worker};
use crate::eval::evaluate;
use crate::search::event::SearchEvent;
use crate::tt::Entry;
use crate::types::{MAX_PLY, MoveList, Score};
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
        let mut best = -Score::INFINITE;
        for index in self.pv_index..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            if self.control.elapsed() >= QUIET_TIME {
                let total = self.root_moves.len();
                let depth = self.root_depth;
                listen(SearchEvent::CurrentMove { depth, mv, number: index + 1, total });
            }
            self.seldepth = 0;
            self.board.make(mv);
            self.table.prefetch(self.board.key());
            let next_depth = depth - 1 + i32::from(in_check);
            let first = index == self.pv_index;
            let mut score = if first {
                Score::INFINITE
            } else {
                -self.negamax::<false>(next_depth, -alpha - 1, -alpha, 1)
            };
            if first || score > alpha {
                score = -self.negamax::<true>(next_depth, -beta, -alpha, 1);
            }
            self.board.unmake(mv);
            if self.stopped {
                return best;
            }
            let root_move = &mut self.root_moves[index];
            if first || score > alpha {
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

    /// The score of the position after `depth` more plies, exact between `alpha` and
    /// `beta` and a bound outside.
    fn negamax<const PV: bool>(
        &mut self,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<PV>(alpha, beta, ply);
        }
        self.pv.clear(ply);
        self.visit(ply);
        if self.stopped {
            return Score::DRAW;
        }

        // 1. Draws, and the end of the board's patience.
        if self.board.is_draw(ply) {
            return Score::DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(&self.board);
        }

        // 2. Mate distance: no line from here can be better than mating at once or
        // worse than being mated on the spot.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 3. The transposition table. On the principal variation it only orders
        // moves, so that the line shown is complete.
        let key = self.board.key();
        let known = self.table.probe(key);
        if !PV
            && let Some(entry) = known
            && entry.depth >= depth
            && settles(&entry, alpha, beta, ply)
        {
            return entry.score.from_table(ply);
        }
        let table_move = known.and_then(|entry| entry.best).filter(|&mv| self.board.is_legal(mv));

        // 4. The moves. Checks are answered one ply deeper.
        let in_check = self.board.in_check();
        let us = self.board.side_to_move();
        let next_depth = depth - 1 + i32::from(in_check);
        let mut picker = Picker::new(Wanted::All, table_move);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut moves = 0;
        let mut quiets_tried = MoveList::new();
        let before = alpha;
        while let Some(mv) = picker.next(&self.board, &self.history) {
            moves += 1;
            let quiet = !self.board.is_noisy(mv);
            self.board.make(mv);
            self.table.prefetch(self.board.key());
            let mut score = if PV && moves == 1 {
                Score::INFINITE
            } else {
                -self.negamax::<false>(next_depth, -alpha - 1, -alpha, ply + 1)
            };
            if PV && (moves == 1 || score > alpha && score < beta) {
                score = -self.negamax::<true>(next_depth, -beta, -alpha, ply + 1);
            }
            self.board.unmake(mv);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.pv.extend(ply, mv);
                    }
                    if score >= beta {
                        if quiet {
                            let bonus = (16 * depth * depth).min(1_600);
                            self.history.update(us, mv, bonus);
                            for &tried in &quiets_tried {
                                self.history.update(us, tried, -bonus);
                            }
                        }
                        break;
                    }
                }
            }
            if quiet {
                quiets_tried.push(mv);
            }
        }

        // 5. Mate and stalemate.
        if moves == 0 {
            return if in_check { Score::mated_in(ply) } else { Score::DRAW };
        }

        // 6. What was found is remembered.
        let bound = if best >= beta {
            Bound::Lower
        } else if alpha > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = best.to_table(ply);
        let eval = Score::DRAW;
        self.table.store(key, Entry { best: best_move, score, eval, depth, bound, was_pv: PV });
        best
    }
}
