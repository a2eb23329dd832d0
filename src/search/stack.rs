//! The principal variation at each ply, in a triangular table.

use crate::types::{MAX_PLY, Move};

#[derive(Debug)]
pub struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl Default for PvTable {
    fn default() -> PvTable {
        PvTable { lines: vec![Vec::new(); MAX_PLY + 2] }
    }
}

impl PvTable {
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line at `ply` becomes `mv` followed by the line one ply below.
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    pub fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
