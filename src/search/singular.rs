//! Singular extension: a reduced search without the TT move shows whether it is the
//! only good move.

use super::{Worker, params};
use crate::tt::TtEntry;
use crate::types::{Bound, Move, Score};

impl Worker {
    /// Searches all moves but the TT move at reduced depth. If they fail low by a margin,
    /// the TT move is extended; if they too reach beta, the node is cut off (multi-cut).
    #[allow(clippy::too_many_arguments, reason = "all of it describes one node")]
    pub(super) fn singular<const PV: bool>(
        &mut self,
        entry: &TtEntry,
        mv: Move,
        depth: i32,
        beta: Score,
        ply: usize,
        cut_node: bool,
        was_pv: bool,
    ) -> Singular {
        let tt_score = entry.score.from_tt(ply);
        if entry.depth < depth - 3 || entry.bound == Bound::Upper || tt_score.is_decided() {
            return Singular::Extend(0);
        }
        let margin = depth * params::singular_margin() / 64;
        let singular_beta = tt_score - margin - i32::from(was_pv && !PV) * depth;
        self.stack[ply].excluded = Some(mv);
        let score =
            self.negamax::<false>((depth - 1) / 2, singular_beta - 1, singular_beta, ply, cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return Singular::Stopped;
        }
        if score < singular_beta {
            let quiet = !self.board.is_noisy(mv);
            let double = !PV && score < singular_beta - params::double_margin();
            let triple = double && quiet && score < singular_beta - params::triple_margin();
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if score >= beta && !score.is_decided() {
            Singular::MultiCut(score)
        } else if tt_score >= beta {
            Singular::Extend(-2 + i32::from(PV))
        } else if cut_node {
            Singular::Extend(-2)
        } else {
            Singular::Extend(0)
        }
    }
}

/// What the search without the TT move says about it.
pub(super) enum Singular {
    /// Extend by this many plies; negative to reduce.
    Extend(i32),
    /// Other moves reach beta too: return this score.
    MultiCut(Score),
    Stopped,
}
