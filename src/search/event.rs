//! What a search tells the world. Nothing here is text: protocols, `bench`, tests
//! and whoever else listens render it as they like.

use crate::types::{Move, Score};
use std::time::Duration;

/// Whether a score is exact or only a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

impl Bound {
    /// What a search with this window says about the score it returned.
    pub fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score of this kind answers the question a window asks.
    pub fn settles(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }
}

/// One line of thinking.
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

/// What the search decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The reply it expects, legal after `best`.
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
    Done(Outcome),
}
