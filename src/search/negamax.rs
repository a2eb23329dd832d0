//! The main search: principal variation search in negamax form, as a list of numbered
//! steps; docs/dev/search.md lists them with what each one gained.

use super::history::{PieceTo, history_bonus};
use super::lmr::{self, LmrFactors};
use super::move_picker::{MovePicker, PickerMoves};
use super::singular::Singular;
use super::{MAX_DEPTH, Worker, margins, params};
use crate::tt::TtEntry;
use crate::types::{Bound, MAX_PLY, Move, MoveList, Score};

/// From this halfmove clock on, TT scores do not cut off: they may come from positions
/// further away from the fifty-move rule.
const TT_CUTOFF_CLOCK: u16 = 90;

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(crate) depth: i32,
    /// In 1024ths of a ply; used from the second move on.
    pub(crate) reduction: i32,
    pub(crate) number: usize,
    pub(crate) cut_node: bool,
}

impl Worker {
    /// The score of the position after `depth` more plies, exact between `alpha` and
    /// `beta` and a bound outside. A cut node is one expected to fail high.
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, ply);
        }
        if PV {
            self.pv.clear(ply);
        }
        self.visit(ply);
        if self.stopped {
            return Score::DRAW;
        }

        // 1. Draws, repetitions that the side to move can reach with one move, and the
        // ply limit.
        let draw = self.style.draw_score(ply);
        if self.board.is_draw(ply) {
            return draw;
        }
        if alpha < draw && self.board.has_upcoming_repetition(ply) {
            alpha = draw;
            if alpha >= beta {
                return alpha;
            }
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }

        // 2. Mate distance pruning: no line from here is better than mating at once or
        // worse than being mated on the spot.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 3. Transposition table. No cut-offs in PV nodes, so that the reported line is
        // complete.
        let excluded = self.stack[ply].excluded;
        let key = self.board.key();
        let tt_entry = self.tt.probe(key);
        if !PV
            && excluded.is_none()
            && let Some(entry) = tt_entry
            && entry.depth >= depth
            && entry.allows_cutoff(alpha, beta, ply)
            && self.board.halfmove_clock() < TT_CUTOFF_CLOCK
        {
            let tt_score = entry.score.from_tt(ply);
            if let Some(mv) = entry.best
                && tt_score >= beta
                && self.board.is_legal(mv)
                && !self.board.is_noisy(mv)
            {
                let moved = PieceTo::of(&self.board, mv);
                self.histories.update_quiet(&self.context(ply), mv, moved, history_bonus(depth));
            }
            return tt_score;
        }
        let was_pv = PV || tt_entry.is_some_and(|entry| entry.was_pv);
        let tt_move = tt_entry.and_then(|entry| entry.best).filter(|&mv| self.board.is_legal(mv));
        let noisy_tt_move = tt_move.is_some_and(|mv| self.board.is_noisy(mv));

        // 4. Static evaluation, adjusted by correction history, and whether it is improving.
        let in_check = self.board.in_check();
        let us = self.board.side_to_move();
        let mut raw_eval = Score::DRAW;
        let mut static_eval = -Score::INFINITE;
        let mut eval = static_eval;
        let mut improving = false;
        if in_check {
            self.stack[ply].eval = None;
        } else if excluded.is_some() {
            static_eval = self.stack[ply].eval.unwrap_or(Score::DRAW);
            eval = static_eval;
        } else {
            raw_eval = match tt_entry {
                Some(entry) => entry.eval,
                None => self.evaluate(),
            };
            static_eval = self.corrected_eval(raw_eval, ply);
            eval = tt_entry.map_or(static_eval, |entry| entry.improve(static_eval, ply));
            self.stack[ply].eval = Some(static_eval);
            self.learn_from_eval_change(static_eval, ply);
        }
        if !in_check {
            let earlier = self.stack.before(ply, 2).eval.or_else(|| self.stack.before(ply, 4).eval);
            improving = earlier.is_none_or(|earlier| static_eval > earlier);
        }
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 2].cutoffs = 0;

        // 5. Tablebases. They know whether the position is won, but not how soon, so in a
        // PV node a win is a lower bound of the score and a loss an upper bound.
        let mut best_score = -Score::INFINITE;
        let mut max_score = Score::INFINITE;
        if excluded.is_none()
            && let Some((tb_score, bound)) = self.probe_tablebase(depth, ply)
        {
            if bound.allows_cutoff(tb_score, alpha, beta) {
                let depth = (depth + 6).min(MAX_DEPTH as i32);
                self.store_tt(key, None, tb_score, raw_eval, depth, bound, was_pv, ply);
                return tb_score;
            }
            if PV && bound == Bound::Lower {
                best_score = tb_score;
                alpha = alpha.max(tb_score);
            } else if PV {
                max_score = tb_score;
            }
        }

        // No pruning by static evaluation when looking for a mate or mating a bare king,
        // where exact play counts and not material.
        let can_prune = !in_check
            && excluded.is_none()
            && self.limits.mate.is_none()
            && !self.board.has_bare_king();
        let zugzwang_unlikely = !self.board.is_prone_to_zugzwang(us);
        if !PV && can_prune {
            // 6. Razoring: so far below alpha that only captures could help.
            if depth <= params::razor_depth()
                && eval + margins::razoring(depth) < alpha
                && !alpha.is_decided()
            {
                let score = self.quiescence::<false>(alpha, alpha + 1, ply);
                if score <= alpha {
                    return score;
                }
            }

            // 7. Reverse futility pruning: so far above beta that no quiet reply changes it.
            if zugzwang_unlikely
                && depth <= params::reverse_futility_depth()
                && eval - margins::reverse_futility(depth, improving) >= beta
                && !beta.is_decided()
                && !eval.is_decided()
            {
                return Score((2 * beta.0 + eval.0) / 3);
            }

            // 8. Null move pruning. Not where zugzwang is likely, and not twice in a row.
            if depth >= params::null_depth()
                && eval >= beta
                && static_eval >= beta
                && self.stack.before(ply, 1).moved != PieceTo::NONE
                && ply >= self.null_move_min_ply
                && zugzwang_unlikely
                && !beta.is_decided()
                && let Some(score) = self.null_move(depth, eval, beta, ply, cut_node)
            {
                return score;
            }
        }

        // 9. Internal iterative reduction: without a TT move the ordering is poor. Search
        // less deeply now, and the next iteration will have a move.
        if depth >= params::iir_depth() && tt_move.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        // 10. Probcut: if a good capture beats beta by a margin at reduced depth, it will
        // beat beta.
        let probcut_beta = beta + params::probcut_margin();
        if !PV
            && can_prune
            && depth >= params::probcut_depth()
            && !beta.is_decided()
            && tt_entry.is_none_or(|entry| {
                entry.depth < depth - 3 || entry.score.from_tt(ply) >= probcut_beta
            })
            && let Some(score) =
                self.probcut(depth - 4, probcut_beta, static_eval, tt_move, ply, cut_node)
        {
            if self.stopped {
                return Score::DRAW;
            }
            self.store_tt(key, None, score, raw_eval, depth - 3, Bound::Lower, was_pv, ply);
            return score;
        }

        // 11. Loop over the moves.
        let context = self.context(ply);
        let mut picker = MovePicker::new(PickerMoves::All, tt_move, context);
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets_tried = MoveList::new();
        let mut noisy_tried = MoveList::new();
        let original_alpha = alpha;
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            if Some(mv) == excluded {
                continue;
            }
            self.tt.prefetch(self.board.key_after(mv));
            move_count += 1;
            let quiet = !self.board.is_noisy(mv);
            let moved = PieceTo::of(&self.board, mv);
            let history = if quiet {
                self.histories.quiet_rows(&context).score(mv, moved)
            } else {
                self.histories.capture(moved, self.board.victim(mv))
            };

            // 12. Pruning of moves, unless we are getting mated: late moves, futile moves,
            // moves with a bad history, and losing exchanges.
            if !best_score.is_loss() && self.board.has_pieces(us) {
                let reduction = lmr::base_reduction(quiet, depth, move_count) / 1024;
                let lmr_depth = (depth - reduction).max(0);
                if quiet {
                    if depth <= params::late_depth()
                        && move_count as i32 > margins::late_move_count(depth, improving)
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    if !in_check && lmr_depth <= params::futility_depth() {
                        let futility_score =
                            static_eval + margins::futility(lmr_depth) + history / 256;
                        if futility_score <= alpha && !self.board.gives_check(mv) {
                            if !best_score.is_decided() {
                                best_score = best_score.max(futility_score);
                            }
                            continue;
                        }
                    }
                    if lmr_depth <= params::history_prune_depth()
                        && history < margins::history(depth)
                    {
                        continue;
                    }
                    if !self.board.see_at_least(mv, margins::see_quiet(lmr_depth)) {
                        continue;
                    }
                } else if !self.board.see_at_least(mv, margins::see_noisy(depth) - history / 64) {
                    continue;
                }
            }

            // 13. Singular extension: is the TT move the only good one?
            let mut extension = 0;
            if Some(mv) == tt_move
                && excluded.is_none()
                && depth >= params::singular_depth()
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = tt_entry
            {
                match self.singular::<PV>(&entry, mv, depth, beta, ply, cut_node, was_pv) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return score,
                    Singular::Stopped => return Score::DRAW,
                }
            }

            self.stack[ply].moved = moved;
            self.stack[ply].quiet = quiet.then_some(mv);
            self.make(mv, ply);

            // 14. Late move reductions.
            let reduction = lmr::reduction(
                depth,
                move_count,
                &LmrFactors {
                    quiet,
                    is_pv: PV,
                    was_pv,
                    cut_node,
                    improving,
                    gives_check: self.board.in_check(),
                    noisy_tt_move,
                    cutoffs: self.stack[ply + 1].cutoffs,
                    history,
                },
            );
            let candidate =
                Candidate { depth: depth - 1 + extension, reduction, number: move_count, cut_node };
            let score = self.search_move::<PV>(candidate, alpha, beta, best_score, ply);
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
                        self.stack[ply].cutoffs += 1;
                        self.update_histories(&context, mv, depth, &quiets_tried, &noisy_tried);
                        break;
                    }
                }
            }
            if quiet {
                quiets_tried.push(mv);
            } else {
                noisy_tried.push(mv);
            }
        }

        // 15. Checkmate and stalemate.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                draw
            };
        }

        // Every move failed low: the previous move was a good one.
        if best_score <= original_alpha && excluded.is_none() {
            self.reward_previous_move(depth, ply);
        }

        // 16. Update the correction history and store the result.
        best_score = best_score.min(max_score);
        if excluded.is_none() {
            let bound = Bound::of(best_score, original_alpha, beta);
            if !in_check
                && best_move.is_none_or(|mv| !self.board.is_noisy(mv))
                && !best_score.is_decided()
                && match bound {
                    Bound::Exact => true,
                    Bound::Lower => best_score > static_eval,
                    Bound::Upper => best_score < static_eval,
                }
            {
                let last = self.last_moves(ply);
                let difference = best_score.0 - static_eval.0;
                self.correction_history.update(&self.board, last, depth, difference);
            }
            self.store_tt(key, best_move, best_score, raw_eval, depth, bound, was_pv, ply);
        }
        best_score
    }

    /// The score of a move already made at `ply`: reduced and with a null window first,
    /// then at full depth and with the full window as needed.
    #[inline(always)]
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        candidate: Candidate,
        alpha: Score,
        beta: Score,
        best_score: Score,
        ply: usize,
    ) -> Score {
        let Candidate { mut depth, reduction, number, cut_node } = candidate;
        let mut score = Score::INFINITE;
        let first_on_pv = PV && number == 1;
        if number > 1 && depth >= 2 {
            let reduced = (depth - reduction / 1024).clamp(1, depth);
            score = -self.negamax::<false>(reduced, -alpha - 1, -alpha, ply + 1, true);
            if score > alpha && reduced < depth {
                // Far above the best score: search deeper. Barely above: shallower.
                depth += i32::from(score > best_score + params::deeper_margin() + 2 * depth)
                    - i32::from(score < best_score + depth);
                if reduced < depth {
                    score = -self.negamax::<false>(depth, -alpha - 1, -alpha, ply + 1, !cut_node);
                }
            }
        } else if !first_on_pv {
            score = -self.negamax::<false>(depth, -alpha - 1, -alpha, ply + 1, !cut_node);
        }
        if first_on_pv || PV && score > alpha {
            score = -self.negamax::<true>(depth, -beta, -alpha, ply + 1, false);
        }
        score
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of one table entry")]
    #[inline(always)]
    pub(super) fn store_tt(
        &self,
        key: u64,
        best: Option<Move>,
        score: Score,
        eval: Score,
        depth: i32,
        bound: Bound,
        was_pv: bool,
        ply: usize,
    ) {
        let score = score.to_tt(ply);
        self.tt.store(key, TtEntry { best, score, eval, depth, bound, was_pv });
    }
}
