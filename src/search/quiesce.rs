//! Quiescence: captures are played out before a position is evaluated, so that
//! nothing is left hanging.

use super::event::Bound;
use super::history::PieceTo;
use super::picker::{Picker, Wanted};
use super::{Worker, params};
use crate::board::exchange_value;
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
        if PV {
            self.pv.clear(ply);
        }
        self.visit(ply);
        if self.stopped {
            return Score::DRAW;
        }
        if self.board.is_draw(ply) {
            return self.style.draw(ply);
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }

        // 1. The transposition table: a score that settles the question, but not on
        // the principal variation, which is to be complete.
        let key = self.board.key();
        let in_check = self.board.in_check();
        // Most positions here are new, so the evaluation will be needed, and it takes
        // about as long as the table's entry takes to arrive from memory.
        let fresh_eval = if in_check { Score::DRAW } else { self.evaluate() };
        let known = self.table.probe(key);
        if !PV
            && let Some(entry) = known
            && entry.settles(alpha, beta, ply)
        {
            return entry.score.from_table(ply);
        }

        // 2. Standing pat: the side to move need not capture, unless it is in check.
        let mut raw_eval = Score::DRAW;
        let mut best = -Score::INFINITE;
        if !in_check {
            raw_eval = match known {
                Some(entry) => entry.eval,
                None => fresh_eval,
            };
            best = self.corrected(raw_eval, ply);
            // A search of this position knows better than the evaluation.
            if let Some(entry) = known {
                best = entry.improve(best, ply);
            }
            if best >= beta {
                if known.is_none() {
                    self.remember(key, None, best, raw_eval, 0, Bound::Lower, PV, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand_pat = best;

        // 3. Captures and promotions, or the ways out of check.
        let wanted = if in_check { Wanted::All } else { Wanted::Tactical { gain: 0 } };
        let table_move = known
            .and_then(|entry| entry.best)
            .filter(|&mv| self.board.is_legal(mv) && (in_check || self.board.is_noisy(mv)));
        let mut picker = Picker::new(wanted, table_move, self.context(ply));
        let mut best_move = None;
        let mut moves = 0;
        let before = alpha;
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            self.table.prefetch(self.board.key_after(mv));
            moves += 1;
            if in_check {
                // One way out that is no mate is enough to know it was no mate.
                if !best.is_loss() {
                    picker.skip_quiets();
                }
            } else if mv.promoted().is_none() {
                // Not even the captured piece brings the score back to alpha.
                let gain = self.board.victim(mv).map_or(0, exchange_value);
                let hope = stand_pat + gain + params::quiesce_futility();
                if hope <= alpha && !self.board.see_at_least(mv, 1) {
                    best = best.max(hope);
                    continue;
                }
            }
            self.stack[ply].moved = PieceTo::of(&self.board, mv);
            self.make(mv, ply);
            let score = -self.quiesce::<PV>(-beta, -alpha, ply + 1);
            self.unmake(mv);
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

        let bound = Bound::of(best, before, beta);
        self.remember(key, best_move, best, raw_eval, 0, bound, PV, ply);
        best
    }
}
