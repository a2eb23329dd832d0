//! Endgame tables in the search: the order of the root moves, and verdicts below.

use super::Worker;
use super::event::Bound;
use crate::types::{Move, Score};
use std::cmp::Reverse;

impl Worker {
    /// Puts the root moves that keep the best result first. If the tables know all
    /// about them, they need not be asked again: whatever the search prefers among
    /// moves of equal rank is good, and without verdicts it finds mates sooner.
    pub(super) fn rank_root_moves(&mut self) {
        self.hits = 0;
        self.probe_men = 0;
        let Some(probe) = &self.probe else { return };
        self.probe_men = probe.men;
        let moves: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.mv).collect();
        let Some(ranking) = probe.rank(&self.board, &moves) else { return };
        self.hits += moves.len() as u64;
        for (root_move, ranked) in self.root_moves.iter_mut().zip(&ranking.moves) {
            root_move.rank = ranked.rank;
            root_move.table_score = Some(ranked.score);
        }
        self.root_moves.sort_by_key(|root_move| Reverse(root_move.rank));
        let best = self.root_moves.first().and_then(|root_move| root_move.table_score);
        // Only a win without a known way to it needs verdicts to make progress.
        if ranking.by_distance || best <= Some(Score::DRAW) {
            self.probe_men = 0;
        }
    }

    /// The end of the root moves that are as good as the one at `pv_index`, as far as
    /// tables know: worse ones are not worth searching beside them.
    pub(super) fn end_of_rank(&self) -> usize {
        let rank = self.root_moves[self.pv_index].rank;
        let worse = self.root_moves[self.pv_index..].iter().position(|it| it.rank != rank);
        worse.map_or(self.root_moves.len(), |count| self.pv_index + count)
    }

    /// What the tables say about the position, and whether its score may be even
    /// better than that, or worse: a win may come sooner, a loss too.
    #[inline(always)]
    pub(super) fn ask_tables(&mut self, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let men = self.board.occupied().count();
        if men > self.probe_men { None } else { self.ask_tables_about(men, depth, ply) }
    }

    #[inline(never)]
    fn ask_tables_about(&mut self, men: u32, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let probe = self.probe.as_ref()?;
        // Mates are better known to the search, and so are small depths where reading
        // a file costs more than it gains.
        if men == probe.men && depth < probe.depth || !self.board.has_legal_moves() {
            return None;
        }
        let score = probe.score(&self.board, ply)?;
        self.hits += 1;
        Some(match score.0.signum() {
            1 => (score, Bound::Lower),
            -1 => (score, Bound::Upper),
            _ => (self.style.draw(ply), Bound::Exact),
        })
    }
}
