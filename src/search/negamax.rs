//! The main search: negamax with a principal variation window, as a list of
//! numbered steps; docs/search.md lists them with what was measured.

use super::event::Bound;
use super::experience::history_bonus;
use super::history::PieceTo;
use super::picker::{Picker, Wanted};
use super::reduce::{self, Circumstances};
use super::sidelines::Singular;
use super::{MAX_DEPTH, Worker, params, prune};
use crate::tt::Entry;
use crate::types::{MAX_PLY, Move, MoveList, Score};

/// Close to the 50-move rule the table's scores say little: they came from
/// positions with more moves left.
const TRUSTED_CLOCK: u16 = 90;

/// A move about to be searched below a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub depth: i32,
    /// In 1024ths of a ply; used from the second move on.
    pub reduction: i32,
    pub number: usize,
    pub cut_node: bool,
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
            return self.quiesce::<PV>(alpha, beta, ply);
        }
        if PV {
            self.pv.clear(ply);
        }
        self.visit(ply);
        if self.stopped {
            return Score::DRAW;
        }

        // 1. Draws, also those the side to move can reach with one move, and the end
        // of the board's patience.
        let draw = self.style.draw(ply);
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

        // 2. Mate distance: no line from here can be better than mating at once or
        // worse than being mated on the spot.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 3. The transposition table. On the principal variation it only orders
        // moves, so that the line shown is complete.
        let excluded = self.stack[ply].excluded;
        let key = self.board.key();
        let known = self.table.probe(key);
        if !PV
            && excluded.is_none()
            && let Some(entry) = known
            && entry.depth >= depth
            && entry.settles(alpha, beta, ply)
            && self.board.halfmove_clock() < TRUSTED_CLOCK
        {
            let score = entry.score.from_table(ply);
            if let Some(mv) = entry.best
                && score >= beta
                && self.board.is_legal(mv)
                && !self.board.is_noisy(mv)
            {
                let moved = PieceTo::of(&self.board, mv);
                self.histories.update_quiet(&self.context(ply), mv, moved, history_bonus(depth));
            }
            return score;
        }
        let was_pv = PV || known.is_some_and(|entry| entry.was_pv);
        let table_move = known.and_then(|entry| entry.best).filter(|&mv| self.board.is_legal(mv));
        let noisy_table_move = table_move.is_some_and(|mv| self.board.is_noisy(mv));

        // 4. The static evaluation, what past searches say about its error, and whether
        // it improves from move to move.
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
            raw_eval = match known {
                Some(entry) => entry.eval,
                None => self.evaluate(),
            };
            static_eval = self.corrected(raw_eval, ply);
            eval = known.map_or(static_eval, |entry| entry.improve(static_eval, ply));
            self.stack[ply].eval = Some(static_eval);
        }
        if !in_check {
            let earlier = self.stack.before(ply, 2).eval.or_else(|| self.stack.before(ply, 4).eval);
            improving = earlier.is_none_or(|earlier| static_eval > earlier);
        }
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 2].cutoffs = 0;

        // 5. Endgame tables. They know whether the position is won, but not how soon, so
        // on the principal variation a win is only the least to expect and a loss the
        // most.
        let mut best = -Score::INFINITE;
        let mut most = Score::INFINITE;
        if excluded.is_none()
            && let Some((score, bound)) = self.ask_tables(depth, ply)
        {
            if bound.settles(score, alpha, beta) {
                let depth = (depth + 6).min(MAX_DEPTH as i32);
                self.remember(key, None, score, raw_eval, depth, bound, was_pv, ply);
                return score;
            }
            if PV && bound == Bound::Lower {
                best = score;
                alpha = alpha.max(score);
            } else if PV {
                most = score;
            }
        }

        // A mate must not be missed for a rule of thumb, nor a zugzwang for a null move.
        // Against a bare king it takes exact play, not material.
        let guesses = !in_check
            && excluded.is_none()
            && self.limits.mate.is_none()
            && !self.board.has_bare_king();
        let may_pass = !self.board.is_prone_to_zugzwang(us);
        if !PV && guesses {
            // 6. Razoring: so far below alpha that only captures could help.
            if depth <= params::razor_depth()
                && eval + prune::razor(depth) < alpha
                && !alpha.is_decided()
            {
                let score = self.quiesce::<false>(alpha, alpha + 1, ply);
                if score <= alpha {
                    return score;
                }
            }

            // 7. Reverse futility: so far above beta that no quiet reply will change it.
            if may_pass
                && depth <= params::reverse_futility_depth()
                && eval - prune::reverse_futility(depth, improving) >= beta
                && !beta.is_decided()
                && !eval.is_decided()
            {
                return Score((2 * beta.0 + eval.0) / 3);
            }

            // 8. Null move: if passing still leaves us above beta, a move will too. Not
            // where passing would be an advantage, and not twice in a row. At great
            // depth the result is verified without null moves.
            if depth >= params::null_depth()
                && eval >= beta
                && static_eval >= beta
                && self.stack.before(ply, 1).moved != PieceTo::NONE
                && ply >= self.no_null_before
                && may_pass
                && !beta.is_decided()
            {
                let reduced = depth - prune::null_move(depth, eval.0 - beta.0);
                self.stack[ply].moved = PieceTo::NONE;
                self.stack[ply].quiet = None;
                self.board.make_null();
                self.table.prefetch(self.board.key());
                let score = -self.negamax::<false>(reduced, -beta, -beta + 1, ply + 1, !cut_node);
                self.board.unmake_null();
                if self.stopped {
                    return Score::DRAW;
                }
                if score >= beta {
                    let score = if score.is_decided() { beta } else { score };
                    if depth < params::null_verify_depth() || self.no_null_before > 0 {
                        return score;
                    }
                    self.no_null_before = ply + (3 * reduced.max(0) / 4) as usize;
                    let verified = self.negamax::<false>(reduced, beta - 1, beta, ply, false);
                    self.no_null_before = 0;
                    if self.stopped {
                        return Score::DRAW;
                    }
                    if verified >= beta {
                        return score;
                    }
                }
            }
        }

        // 9. Where the table knows no move, the search is likely to be wasted: less of
        // it now, and the next iteration will know one.
        if depth >= params::iir_depth() && table_move.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        // 10. Probcut: if a good capture beats beta by a margin at a reduced depth, it
        // will beat beta.
        let probcut_beta = beta + params::probcut_margin();
        if !PV
            && guesses
            && depth >= params::probcut_depth()
            && !beta.is_decided()
            && known.is_none_or(|entry| {
                entry.depth < depth - 3 || entry.score.from_table(ply) >= probcut_beta
            })
            && let Some(score) =
                self.probcut(depth - 4, probcut_beta, static_eval, table_move, ply, cut_node)
        {
            if self.stopped {
                return Score::DRAW;
            }
            self.remember(key, None, score, raw_eval, depth - 3, Bound::Lower, was_pv, ply);
            return score;
        }

        // 11. The moves.
        let context = self.context(ply);
        let mut picker = Picker::new(Wanted::All, table_move, context);
        let mut best_move = None;
        let mut moves = 0;
        let mut quiets_tried = MoveList::new();
        let mut noisy_tried = MoveList::new();
        let before = alpha;
        while let Some(mv) = picker.next(&self.board, &self.histories) {
            if Some(mv) == excluded {
                continue;
            }
            // Most moves are searched, and memory is slow: the sooner it is asked the better.
            self.table.prefetch(self.board.key_after(mv));
            moves += 1;
            let quiet = !self.board.is_noisy(mv);
            let moved = PieceTo::of(&self.board, mv);
            let history = if quiet {
                self.histories.quiet_rows(&context).score(mv, moved)
            } else {
                self.histories.capture(moved, self.board.victim(mv))
            };

            // 12. Moves that need no look at all, once something better than being mated
            // is known: late ones, futile ones, those with a bad record, and losing
            // exchanges.
            if !best.is_loss() && self.board.has_pieces(us) {
                let expected = depth - reduce::expected(quiet, depth, moves) / 1024;
                let expected = expected.max(0);
                if quiet {
                    if depth <= params::late_depth()
                        && moves as i32 > prune::late_moves(depth, improving)
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    if !in_check && expected <= params::futility_depth() {
                        let hope = static_eval + prune::futility(expected) + history / 256;
                        if hope <= alpha && !self.board.gives_check(mv) {
                            best = if best.is_decided() { best } else { best.max(hope) };
                            continue;
                        }
                    }
                    if expected <= params::history_prune_depth() && history < prune::history(depth)
                    {
                        continue;
                    }
                    if !self.board.see_at_least(mv, prune::see_quiet(expected)) {
                        continue;
                    }
                } else if !self.board.see_at_least(mv, prune::see_noisy(depth) - history / 64) {
                    continue;
                }
            }

            // 13. Singular extension: is the table's move the only good one?
            let mut extension = 0;
            if Some(mv) == table_move
                && excluded.is_none()
                && depth >= params::singular_depth()
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = known
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

            // 14. Late moves are searched less deeply.
            let reduction = reduce::late_move(
                depth,
                moves,
                &Circumstances {
                    quiet,
                    is_pv: PV,
                    was_pv,
                    cut_node,
                    improving,
                    gives_check: self.board.in_check(),
                    noisy_table_move,
                    cutoffs: self.stack[ply + 1].cutoffs,
                    history,
                },
            );
            let candidate =
                Candidate { depth: depth - 1 + extension, reduction, number: moves, cut_node };
            let score = self.search_move::<PV>(candidate, alpha, beta, best, ply);
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
                        self.stack[ply].cutoffs += 1;
                        self.learn(&context, mv, depth, &quiets_tried, &noisy_tried);
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

        // 15. Mate and stalemate.
        if moves == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                draw
            };
        }

        // A position in which every move fails is praise for the move that led to it.
        if best <= before && excluded.is_none() {
            self.praise_last_move(depth, ply);
        }

        // 16. What was found is remembered, and how far off the evaluation was.
        best = best.min(most);
        if excluded.is_none() {
            let bound = Bound::of(best, before, beta);
            if !in_check
                && best_move.is_none_or(|mv| !self.board.is_noisy(mv))
                && !best.is_decided()
                && match bound {
                    Bound::Exact => true,
                    Bound::Lower => best > static_eval,
                    Bound::Upper => best < static_eval,
                }
            {
                let last = self.last_moves(ply);
                let difference = best.0 - static_eval.0;
                self.histories.update_correction(&self.board, last, depth, difference);
            }
            self.remember(key, best_move, best, raw_eval, depth, bound, was_pv, ply);
        }
        best
    }

    /// The score of a move already made at `ply`: reduced and with a window of
    /// nothing first, then as far as it turns out to matter.
    #[inline(always)]
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        candidate: Candidate,
        alpha: Score,
        beta: Score,
        best: Score,
        ply: usize,
    ) -> Score {
        let Candidate { mut depth, reduction, number, cut_node } = candidate;
        let mut score = Score::INFINITE;
        let first_on_pv = PV && number == 1;
        if number > 1 && depth >= 2 {
            let reduced = (depth - reduction / 1024).clamp(1, depth);
            score = -self.negamax::<false>(reduced, -alpha - 1, -alpha, ply + 1, true);
            if score > alpha && reduced < depth {
                // Much better than expected: worth a deeper look. Barely: a shallower.
                depth += i32::from(score > best + params::deeper_margin() + 2 * depth)
                    - i32::from(score < best + depth);
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
    pub(super) fn remember(
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
        let score = score.to_table(ply);
        self.table.store(key, Entry { best, score, eval, depth, bound, was_pv });
    }
}
