//! The events a search reports. Values, not text: rendering is up to the listener.

use crate::types::{Bound, Move, Score};
use std::time::Duration;

/// The state of a search and one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    pub depth: u32,
    pub seldepth: u32,
    /// The rank of this line among the best, from 1.
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    /// Chances to win, draw and lose, in thousandths.
    pub wdl: [u16; 3],
    pub nodes: u64,
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    pub tbhits: u64,
    /// Legal moves from the root on; they stop where the game would.
    pub pv: Vec<Move>,
}

impl Info {
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchEvent {
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
