//! Quiescence search: captures are played out before a position is evaluated, so that
//! nothing is left hanging.

use super::history::PieceTo;
use super::move_picker::{MovePicker, PickerMoves};
use super::{Worker, params};
use crate::board::exchange_value;
use crate::types::{Bound, MAX_PLY, Score};

impl Worker {
    /// The score of the position once the captures are over. In check every move is
    /// tried, so mates are seen.
    pub(super) fn quiescence<const PV: bool>(
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
            return self.style.draw_score(ply);
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }

        // 1. Transposition table cut-off, but not in PV nodes, so that the reported line is
        // complete.
        let key = self.board.key();
        let in_check = self.board.in_check();
        // Most positions here are new and need the evaluation. Computing it first hides
        // the latency of the TT probe.
        let fresh_eval = if in_check { Score::DRAW } else { self.evaluate() };
        let tt_entry = self.tt.probe(key);
        if !PV
            && let Some(entry) = tt_entry
            && entry.allows_cutoff(alpha, beta, ply)
        {
            return entry.score.from_tt(ply);
        }

        // 2. Stand pat: the side to move need not capture, unless it is in check.
        let mut raw_eval = Score::DRAW;
        let mut best_score = -Score::INFINITE;
        if !in_check {
            raw_eval = match tt_entry {
                Some(entry) => entry.eval,
                None => fresh_eval,
            };
            best_score = self.corrected_eval(raw_eval, ply);
            // A search of this position is closer to the truth than the evaluation.
            if let Some(entry) = tt_entry {
                best_score = entry.improve(best_score, ply);
            }
            if best_score >= beta {
                if tt_entry.is_none() {
                    self.store_tt(key, None, best_score, raw_eval, 0, Bound::Lower, PV, ply);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }
        let stand_pat = best_score;

        // 3. Captures and promotions, or all evasions in check.
        let moves = if in_check { PickerMoves::All } else { PickerMoves::Noisy { gain: 0 } };
        let tt_move = tt_entry
            .and_then(|entry| entry.best)
            .filter(|&mv| self.board.is_legal(mv) && (in_check || self.board.is_noisy(mv)));
        let mut picker = MovePicker::new(moves, tt_move, self.context(ply));
        let mut best_move = None;
        let mut move_count = 0;
        let original_alpha = alpha;
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            self.tt.prefetch(self.board.key_after(mv));
            move_count += 1;
            if in_check {
                // One evasion that is not mate is enough to know it is not mate.
                if !best_score.is_loss() {
                    picker.skip_quiets();
                }
            } else if mv.promoted().is_none() {
                // Futility: not even the captured piece brings the score back to alpha.
                let gain = self.board.victim(mv).map_or(0, exchange_value);
                let futility_score = stand_pat + gain + params::quiesce_futility();
                if futility_score <= alpha && !self.board.see_at_least(mv, 1) {
                    best_score = best_score.max(futility_score);
                    continue;
                }
            }
            self.stack[ply].moved = PieceTo::of(&self.board, mv);
            self.make(mv, ply);
            let score = -self.quiescence::<PV>(-beta, -alpha, ply + 1);
            self.unmake(mv);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best_score {
                best_score = score;
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
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }

        let bound = Bound::of(best_score, original_alpha, beta);
        self.store_tt(key, best_move, best_score, raw_eval, 0, bound, PV, ply);
        best_score
    }
}
