//! Iterative deepening with aspiration windows and multi-PV.

use super::event::{Info, SearchEvent, SearchResult};
use super::move_picker::{MovePicker, PickerMoves};
use super::{MAX_DEPTH, RootMove, SearchListener, Worker, params};
use crate::eval::{CERTAIN_DRAW, win_draw_loss};
use crate::game::judge::automatic;
use crate::time::SearchProgress;
use crate::types::{Bound, Move, Score};
use std::cmp::Reverse;

impl Worker {
    pub(super) fn iterate(&mut self, multi_pv: usize, listen: SearchListener<'_>) -> SearchResult {
        self.set_root_moves();
        if self.root_moves.is_empty() {
            return self.no_moves(listen);
        }
        self.reported_move = None;
        let strength = self.style.strength;
        let lines = strength.map_or(multi_pv, |strength| multi_pv.max(strength.candidates()));
        let lines = lines.clamp(1, self.root_moves.len());
        let shown = multi_pv.clamp(1, lines);
        let max_depth = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        // The root moves after the last completed iteration.
        let mut completed = self.root_moves.clone();
        let mut completed_depth = 0;
        let mut progress = SearchProgress::default();

        for depth in 1..=max_depth {
            self.root_depth = depth;
            self.failed_high = None;
            for (index, last) in completed.iter().take(lines).enumerate() {
                self.pv_index = index;
                self.aspiration_search(depth, last.score, listen);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.fall_back(completed, listen);
                break;
            }
            self.root_moves[..lines].sort_by_key(|line| (Reverse(line.tb_rank), -line.score));
            for index in 0..shown {
                self.report(index, listen);
            }
            completed.clone_from(&self.root_moves);
            completed_depth = depth;
            let best = &self.root_moves[0];
            let share = best.nodes as f64 / self.nodes.max(1) as f64;
            progress.note(best.mv, best.score, share, self.root_moves.len());
            if self.found_requested_mate()
                || self.control.past_soft_limit(progress.scale())
                || self.limits.soft_nodes.is_some_and(|limit| self.nodes >= limit)
                || strength.is_some_and(|strength| self.nodes >= strength.nodes)
            {
                break;
            }
        }
        if let Some(strength) = strength {
            self.choose_move(strength, lines, listen);
        }

        let best = &self.root_moves[0];
        SearchResult {
            best: Some(best.mv),
            ponder: self.ponder_move(),
            score: best.reported_score(),
            depth: completed_depth,
            nodes: self.nodes,
        }
    }

    /// Searches with a window around the previous score, widened until the score falls
    /// inside. The best line ends up at `pv_index`.
    fn aspiration_search(&mut self, depth: u32, previous: Score, listen: SearchListener<'_>) {
        let mut width = params::aspiration_window();
        // After a fail high, a shallower search is enough to see by how much.
        let mut reduction = 0;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= 4 && !previous.is_decided() && previous != -Score::INFINITE {
            alpha = previous.widened(-width);
            beta = previous.widened(width);
        }
        loop {
            let first = self.pv_index;
            for line in &mut self.root_moves[first..] {
                line.score = -Score::INFINITE;
            }
            let depth = (depth as i32 - reduction).max(1);
            let score = self.search_root(depth, alpha, beta, listen);
            // A stable sort: moves without a new score keep their order.
            self.root_moves[first..].sort_by_key(|line| -line.score);
            if self.stopped {
                return;
            }
            self.failed_high = None;
            if score <= alpha {
                self.report_bound(listen);
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = score.widened(-width);
                reduction = 0;
            } else if score >= beta {
                self.report_bound(listen);
                self.failed_high = (first == 0).then(|| self.root_moves[0].clone());
                beta = score.widened(width);
                reduction = (reduction + i32::from(!score.is_decided())).min(3);
            } else {
                return;
            }
            width += width * params::aspiration_growth() / 100;
            if width > 1_000 || score.is_decided() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// After a stop in the middle of an iteration: keeps its best move if the score is
    /// known, or a move that failed high and was not yet refuted by its re-search.
    /// Otherwise restores the last completed iteration. So it does for a loss: a move not
    /// searched yet may hold out longer.
    fn fall_back(&mut self, completed: Vec<RootMove>, listen: SearchListener<'_>) {
        let first = &self.root_moves[0];
        let failed_high = self.failed_high.take().filter(|_| first.score == -Score::INFINITE);
        let known = first.is_exact() && !first.score.is_loss();
        let best = if known { Some(first.clone()) } else { failed_high };
        if self.pv_index > 0 || !known {
            self.root_moves = completed;
        }
        if let Some(best) = best {
            self.root_moves.retain(|root_move| root_move.mv != best.mv);
            self.root_moves.insert(0, best);
        } else if self.root_depth == 1 {
            // Nothing was searched: the first move with the static evaluation.
            self.root_moves[0].score = self.evaluate();
            self.root_moves[0].bound = Bound::Exact;
        } else {
            self.root_depth -= 1;
            if self.reported_move == Some(self.root_moves[0].mv) {
                return;
            }
        }
        self.report(0, listen);
    }

    /// Bounds are reported only in long searches.
    fn report_bound(&mut self, listen: SearchListener<'_>) {
        if !self.silent && self.control.elapsed().as_secs() >= 1 {
            self.report(self.pv_index, listen);
        }
    }

    fn report(&mut self, index: usize, listen: SearchListener<'_>) {
        if index == 0 {
            self.reported_move = Some(self.root_moves[0].mv);
        }
        if !self.silent {
            listen(SearchEvent::Info(self.info(index)));
        }
    }

    /// All legal moves that the limits allow, in the order of any other node: late moves
    /// are reduced, and the first one is played if the search is stopped before it begins.
    fn set_root_moves(&mut self) {
        let tt_move = self.tt.probe(self.board.key()).and_then(|entry| entry.best);
        let tt_move = tt_move.filter(|&mv| self.board.is_legal(mv));
        let mut picker = MovePicker::new(PickerMoves::All, tt_move, self.context(0));
        let limits = &self.limits;
        let allowed = |mv: &Move| {
            (limits.search_moves.is_empty() || limits.search_moves.contains(mv))
                && !limits.exclude_moves.contains(mv)
        };
        let moves = std::iter::from_fn(|| picker.next(&self.board, &self.histories));
        self.root_moves = moves.filter(allowed).map(RootMove::new).collect();
        self.rank_root_moves_by_tb();
    }

    /// Checkmate or stalemate on the board, or every move excluded.
    fn no_moves(&mut self, listen: SearchListener<'_>) -> SearchResult {
        let mated = self.board.in_check() && !self.board.has_legal_moves();
        let stalemate = !self.board.in_check() && !self.board.has_legal_moves();
        let score = if mated { Score::mated_in(0) } else { Score::DRAW };
        let info = Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: if stalemate { CERTAIN_DRAW } else { win_draw_loss(score) },
            nodes: 0,
            time: self.control.elapsed(),
            hashfull: 0,
            tbhits: 0,
            pv: Vec::new(),
        };
        listen(SearchEvent::Info(info));
        SearchResult { best: None, ponder: None, score, depth: 0, nodes: 0 }
    }

    /// The line this worker would play.
    pub(super) fn best_line(&self) -> Info {
        self.info(0)
    }

    fn info(&self, index: usize) -> Info {
        let line = &self.root_moves[index];
        let score = line.reported_score();
        let drawn = line.tb_score == Some(Score::DRAW) && !score.is_mate()
            || self.board.has_insufficient_material();
        Info {
            depth: self.root_depth,
            // Reductions and TT cut-offs may end all lines of a move early.
            seldepth: self.root_depth.max(line.seldepth as u32),
            multipv: index + 1,
            score,
            bound: line.bound,
            wdl: if drawn { CERTAIN_DRAW } else { win_draw_loss(score) },
            nodes: self.total_nodes(),
            time: self.control.elapsed(),
            hashfull: self.tt.hashfull(),
            tbhits: self.counts.tb_hits(),
            pv: line.pv.clone(),
        }
    }

    fn found_requested_mate(&self) -> bool {
        let wanted = self.limits.mate.map(|moves| moves as i32);
        let found = self.root_moves[0].score.mate_moves();
        matches!((wanted, found), (Some(wanted), Some(found)) if found.abs() <= wanted)
    }

    /// The expected reply: the second move of the PV or, if the PV is too short, the TT
    /// move if it is legal.
    fn ponder_move(&self) -> Option<Move> {
        let line = &self.root_moves[0];
        if let Some(&reply) = line.pv.get(1) {
            return Some(reply);
        }
        let mut next = self.board.clone();
        next.make(line.mv);
        if automatic(&next).is_some() {
            return None;
        }
        let tt_move = self.tt.probe(next.key()).and_then(|entry| entry.best);
        tt_move.filter(|&reply| next.is_legal(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::search::{Control, Pool, Task};
    use crate::time::{Budget, Limits};
    use crate::tt::TranspositionTable;
    use std::sync::Arc;
    use std::time::Duration;

    const POSITIONS: [&str; 8] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",
        "r1bqk2r/ppp1bppp/2n1pn2/3p4/3P1B2/2PBPN2/PP3PPP/RN1QK2R b KQkq - 2 6",
        "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 10",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16",
    ];

    /// The result of a search with a node limit, and what was reported of the best line.
    fn search(fen: &str, multi_pv: usize, nodes: u64) -> (SearchResult, Vec<Info>) {
        let tt = Arc::new(TranspositionTable::new(1).expect("one megabyte"));
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let board = Board::from_fen(fen).expect(fen);
        let task = Task { multi_pv, ..Task::new(board, limits) };
        // Bounds are reported from the second second on.
        let control = Control::new(Budget::UNLIMITED).started(Duration::from_secs(2));
        let mut infos = Vec::new();
        let mut listen = |event| match event {
            SearchEvent::Info(info) if info.multipv == 1 => infos.push(info),
            _ => {}
        };
        let result =
            Pool::new(1, &tt).expect("one thread").search(task, &Arc::new(control), &mut listen);
        (result, infos)
    }

    #[test]
    fn root_moves_begin_in_the_order_of_the_move_picker() {
        let tt = Arc::new(TranspositionTable::new(1).expect("one megabyte"));
        let mut worker = Worker::new(tt, Arc::new(crate::search::Counts::new(1)), 0);
        worker.board = Board::from_fen("3q2k1/8/8/8/8/8/3R4/K7 w - - 0 1").expect("a position");
        worker.set_root_moves();
        assert_eq!(worker.root_moves[0].mv.coordinates(false), "d2d8");
        assert_eq!(worker.root_moves.len(), worker.board.legal_moves().len());
        let excluded = worker.root_moves[0].mv;
        worker.limits.exclude_moves = vec![excluded];
        worker.set_root_moves();
        assert!(worker.root_moves.iter().all(|root_move| root_move.mv != excluded));
    }

    #[test]
    fn certain_draws_are_certain() {
        let last = |fen| search(fen, 1, 500).1.pop().expect("something is reported");
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/3k4/8/8/3KN3/8/8 w - - 0 1"] {
            assert_eq!(last(fen).wdl, [0, 1000, 0], "{fen}");
        }
        assert_ne!(last(Board::START_FEN).wdl, [0, 1000, 0]);
    }

    #[test]
    fn seldepth_is_at_least_the_depth() {
        for fen in ["k7/8/1K6/8/8/8/8/7R w - - 0 1", Board::START_FEN] {
            let (_, infos) = search(fen, 1, 20_000);
            assert!(infos.iter().all(|info| info.seldepth >= info.depth), "{infos:?}");
        }
    }

    #[test]
    fn a_loss_is_claimed_only_when_all_moves_were_searched() {
        let mut mates = 0;
        for (fen, longest) in [
            ("R7/2p2p1p/2P5/5P1k/5K2/7p/7P/8 b - - 0 1", -6),
            ("8/3p4/8/4B3/8/8/r4p2/3R1K1k b - - 0 1", -8),
        ] {
            for nodes in (60_000..=200_000).step_by(20_000) {
                let claimed = search(fen, 1, nodes).0.score.mate_moves();
                assert!(claimed.is_none_or(|moves| moves <= longest), "{fen} {claimed:?}");
                mates += u32::from(claimed.is_some());
            }
        }
        assert!(mates > 4, "{mates} mates seen");
    }

    #[test]
    fn a_move_that_failed_high_is_played() {
        let mut kept = 0;
        for fen in POSITIONS {
            for multi_pv in [1, 3] {
                let (_, infos) = search(fen, multi_pv, 12_000);
                for fail_high in infos.iter().filter(|info| info.bound == Bound::Lower) {
                    // In the middle of its re-search, and some time later.
                    for more in [3, 200] {
                        let (result, infos) = search(fen, multi_pv, fail_high.nodes + more);
                        let last = infos.last().expect("something is reported");
                        assert_eq!(last.pv.first().copied(), result.best, "{fen}");
                        if last.bound != Bound::Upper {
                            assert_eq!(last.score, result.score, "{fen}");
                        }
                        if more == 3 {
                            assert_eq!(last.pv.first(), fail_high.pv.first(), "{fen}");
                            kept += 1;
                        }
                    }
                }
            }
        }
        assert!(kept > 10, "{kept} searches were stopped after a fail high");
    }
}
