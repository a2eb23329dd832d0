//! The search stack and the principal variation table.

use super::history::PieceTo;
use crate::types::{MAX_PLY, Move, Score};

/// One ply of the current line.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    pub(crate) eval: Option<Score>,
    /// The move being tried here.
    pub(crate) moved: PieceTo,
    /// The same, if it is a quiet move.
    pub(crate) quiet: Option<Move>,
    /// The move left out by a singular search.
    pub(crate) excluded: Option<Move>,
    /// Fail highs here since the grandparent node was entered.
    pub(crate) cutoffs: u32,
}

impl StackEntry {
    const EMPTY: StackEntry =
        StackEntry { eval: None, moved: PieceTo::NONE, quiet: None, excluded: None, cutoffs: 0 };
}

/// Frames that exist above the root, so that looking back needs no test.
const ABOVE: usize = 4;

/// The entries of all plies.
#[derive(Debug)]
pub(super) struct Stack {
    entries: Vec<StackEntry>,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack { entries: vec![StackEntry::EMPTY; ABOVE + MAX_PLY + 3] }
    }
}

impl Stack {
    pub(super) fn clear(&mut self) {
        self.entries.fill(StackEntry::EMPTY);
    }

    /// The frame `plies` above `ply`.
    #[inline(always)]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.entries[ABOVE + ply - plies]
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = StackEntry;

    #[inline(always)]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ABOVE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ABOVE + ply]
    }
}

/// The principal variation at each ply, in a triangular table.
#[derive(Debug)]
pub(super) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl Default for PvTable {
    fn default() -> PvTable {
        PvTable { lines: vec![Vec::new(); MAX_PLY + 2] }
    }
}

impl PvTable {
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line at `ply` becomes `mv` followed by the line one ply below.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
