//! The events a search reports. Values, not text: rendering is up to the listener.

use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// The state of a search and one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    /// The rank of this line among the best, from 1.
    pub(crate) multipv: usize,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// Chances to win, draw and lose, in thousandths.
    pub(crate) wdl: [u16; 3],
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    /// How full the transposition table is, in thousandths.
    pub(crate) hashfull: u32,
    pub(crate) tbhits: u64,
    /// Legal moves from the root on; they stop where the game would.
    pub(crate) pv: Vec<Move>,
}

impl Info {
    pub(crate) fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// `None` only where there is no legal move.
    pub(crate) best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub(crate) ponder: Option<Move>,
    pub(crate) score: Score,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SearchEvent {
    Info(Info),
    /// The search turns to root move `mv`, the `number`th of `total`, from 1.
    CurrentMove {
        depth: u32,
        mv: Move,
        number: usize,
        total: usize,
    },
    Done(SearchResult),
}
