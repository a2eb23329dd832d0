//! Quiescence: captures are played out before a position is evaluated, so that
//! nothing is left hanging.

use super::Worker;
use super::event::Bound;
use super::picker::{Picker, Wanted};
use crate::eval::evaluate;
use crate::tt::Entry;
use crate::types::{MAX_PLY, Score};

impl Worker {
    /// The score of the position once the captures are over. In check every move is
    /// tried, so mates are seen.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.pv.clear(ply);
        self.visit(ply);
        if self.stopped {
            return Score::DRAW;
        }
        if self.board.is_draw(ply) {
            return Score::DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(&self.board);
        }

        // 1. The transposition table: a score that settles the question, but not on
        // the principal variation, which is to be complete.
        let key = self.board.key();
        let known = self.table.probe(key);
        if !PV
            && let Some(entry) = known
            && settles(&entry, alpha, beta, ply)
        {
            return entry.score.from_table(ply);
        }

        // 2. Standing pat: the side to move need not capture, unless it is in check.
        let in_check = self.board.in_check();
        let eval = if in_check { -Score::INFINITE } else { evaluate(&self.board) };
        let mut best = eval;
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        // 3. Captures and promotions, or every way out of check.
        let wanted = if in_check { Wanted::All } else { Wanted::Tactical };
        let table_move = known
            .and_then(|entry| entry.best)
            .filter(|&mv| self.board.is_legal(mv) && (in_check || self.board.is_noisy(mv)));
        let mut picker = Picker::new(wanted, table_move);
        let mut best_move = None;
        let mut moves = 0;
        let before = alpha;
        while let Some(mv) = picker.next(&self.board, &self.history) {
            moves += 1;
            self.board.make(mv);
            let score = -self.quiesce::<PV>(-beta, -alpha, ply + 1);
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
                        break;
                    }
                }
            }
        }
        if in_check && moves == 0 {
            return Score::mated_in(ply);
        }

        let bound = if best >= beta {
            Bound::Lower
        } else if alpha > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let eval = if in_check { Score::DRAW } else { eval };
        self.table.store(
            key,
            Entry { best: best_move, score: best.to_table(ply), eval, depth: 0, bound, was_pv: PV },
        );
        best
    }
}

/// Whether a stored score answers the question the window asks.
pub(super) fn settles(entry: &Entry, alpha: Score, beta: Score, ply: usize) -> bool {
    let score = entry.score.from_table(ply);
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}
