//! Tablebases in the search: ranking of the root moves and probes below the root.

use super::Worker;
use crate::types::{Bound, Move, Score};
use std::cmp::Reverse;

impl Worker {
    /// Sorts the root moves by tablebase rank. If distances (DTZ) are known, there are no
    /// probes below the root: any move of the highest rank keeps the result, and the
    /// search finds mates sooner without tablebase scores.
    pub(super) fn rank_root_moves_by_tb(&mut self) {
        self.tb_hits = 0;
        self.tb_men = 0;
        let Some(probe) = &self.tb_probe else { return };
        self.tb_men = probe.men;
        let moves: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.mv).collect();
        let Some(ranking) = probe.rank(&self.board, &moves) else { return };
        self.tb_hits += moves.len() as u64;
        for (root_move, ranked) in self.root_moves.iter_mut().zip(&ranking.moves) {
            root_move.tb_rank = ranked.rank;
            root_move.tb_score = Some(ranked.score);
        }
        self.root_moves.sort_by_key(|root_move| Reverse(root_move.tb_rank));
        let best_score = self.root_moves.first().and_then(|root_move| root_move.tb_score);
        // Only a win without known distances needs probes to make progress.
        if ranking.by_distance || best_score <= Some(Score::DRAW) {
            self.tb_men = 0;
        }
    }

    /// The end of the root moves with the same tablebase rank as the one at `pv_index`.
    /// Moves of lower rank are not searched beside them.
    pub(super) fn tb_rank_end(&self) -> usize {
        let rank = self.root_moves[self.pv_index].tb_rank;
        let worse = self.root_moves[self.pv_index..].iter().position(|it| it.tb_rank != rank);
        worse.map_or(self.root_moves.len(), |count| self.pv_index + count)
    }

    /// The tablebase score of the position and its bound: a mate may come sooner than the
    /// score of a win says.
    #[inline(always)]
    pub(super) fn probe_tablebase(&mut self, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let men = self.board.occupied().count();
        if men > self.tb_men { None } else { self.probe_tablebase_files(men, depth, ply) }
    }

    #[inline(never)]
    fn probe_tablebase_files(
        &mut self,
        men: u32,
        depth: i32,
        ply: usize,
    ) -> Option<(Score, Bound)> {
        let probe = self.tb_probe.as_ref()?;
        // Not where the search sees a mate itself, nor at low depth, where reading a file
        // costs more than it gains.
        if men == probe.men && depth < probe.depth || !self.board.has_legal_moves() {
            return None;
        }
        let score = probe.score(&self.board, ply)?;
        self.tb_hits += 1;
        Some(match score.0.signum() {
            1 => (score, Bound::Lower),
            -1 => (score, Bound::Upper),
            _ => (self.style.draw_score(ply), Bound::Exact),
        })
    }
}
