//! How a node uses what earlier searches taught, and what it teaches.

use super::history::{Context, FOLLOWED, PieceTo};
use super::{Worker, params};
use crate::types::{Move, MoveList, Score};

impl Worker {
    /// The move that failed high gains, those tried before it lose.
    pub(super) fn learn(
        &mut self,
        context: &Context,
        mv: Move,
        depth: i32,
        quiets_tried: &MoveList,
        noisy_tried: &MoveList,
    ) {
        let bonus = history_bonus(depth);
        let malus = (params::malus_slope() * depth - params::bonus_offset())
            .clamp(0, params::malus_limit());
        let moved = PieceTo::of(&self.board, mv);
        if self.board.is_noisy(mv) {
            self.histories.update_capture(moved, self.board.victim(mv), bonus);
        } else {
            // A move that fails high at once and shallowly taught nothing new.
            if depth > 1 || !quiets_tried.is_empty() {
                self.histories.update_quiet(context, mv, moved, bonus);
            }
            for &tried in quiets_tried {
                let moved = PieceTo::of(&self.board, tried);
                self.histories.update_quiet(context, tried, moved, -malus);
            }
        }
        for &tried in noisy_tried {
            let moved = PieceTo::of(&self.board, tried);
            self.histories.update_capture(moved, self.board.victim(tried), -malus);
        }
    }

    /// Rewards the quiet move that led to a position in which nothing helped.
    pub(super) fn praise_last_move(&mut self, depth: i32, ply: usize) {
        let last = *self.stack.before(ply, 1);
        if let Some(mv) = last.quiet {
            let bonus = history_bonus(depth) * params::bonus_last_move() / 128;
            let context = self.context(ply - 1).of_opponent();
            self.histories.update_from_afar(&context, mv, last.moved, bonus);
        }
    }

    /// The evaluation with the 50-move rule and the experience of past searches.
    #[inline]
    pub(super) fn corrected(&self, raw: Score, ply: usize) -> Score {
        // Both would drown the small steps towards a mate.
        if self.board.has_bare_king() {
            return raw;
        }
        let clock = i32::from(self.board.halfmove_clock()).min(200);
        let scaled = raw.0 * (220 - clock) / 220;
        Score::evaluation(scaled + self.histories.correction(&self.board, self.last_moves(ply)))
    }

    /// The last move and the one before it.
    #[inline(always)]
    pub(super) fn last_moves(&self, ply: usize) -> [PieceTo; 2] {
        [self.stack.before(ply, 1).moved, self.stack.before(ply, 2).moved]
    }

    #[inline(always)]
    pub(super) fn context(&self, ply: usize) -> Context {
        Context::new(&self.board, FOLLOWED.map(|plies| self.stack.before(ply, plies).moved))
    }
}

/// What a move gains by failing high at `depth`.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_limit())
}
