//! The hash table of a perft: subtrees by position and depth, shared between
//! threads without locks.

use crate::memory::{self, SharedWords};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots of two words: data, and the signature exclusive-or the data, so that a
/// slot torn between two writers belongs to no position and is simply not found.
#[derive(Debug)]
pub(super) struct Table {
    words: SharedWords,
}

const DEPTH_BITS: u32 = 8;

impl Table {
    pub(super) fn new(megabytes: usize) -> io::Result<Table> {
        let words = megabytes.max(1).saturating_mul((1 << 20) / size_of::<AtomicU64>());
        Ok(Table { words: SharedWords::zeroed(words)? })
    }

    /// The same position at another depth is another entry.
    fn signature(key: u64, depth: u32) -> u64 {
        key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn slot(&self, signature: u64) -> (&AtomicU64, &AtomicU64) {
        let slots = self.words.len() as u128 / 2;
        let index = ((u128::from(signature) * slots) >> 64) as usize;
        (&self.words[2 * index], &self.words[2 * index + 1])
    }

    pub(super) fn prefetch(&self, key: u64, depth: u32) {
        memory::prefetch(self.slot(Table::signature(key, depth)).0);
    }

    pub(super) fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let signature = Table::signature(key, depth);
        let (data, check) = self.slot(signature);
        let data = data.load(Ordering::Relaxed);
        let found = check.load(Ordering::Relaxed) ^ data == signature
            && data & ((1 << DEPTH_BITS) - 1) == u64::from(depth);
        found.then_some(data >> DEPTH_BITS)
    }

    pub(super) fn put(&self, key: u64, depth: u32, nodes: u64) {
        // Neither limit is within reach of anybody's patience.
        if depth >= 1 << DEPTH_BITS || nodes >> (64 - DEPTH_BITS) != 0 {
            return;
        }
        let signature = Table::signature(key, depth);
        let entry = nodes << DEPTH_BITS | u64::from(depth);
        let (data, check) = self.slot(signature);
        data.store(entry, Ordering::Relaxed);
        check.store(signature ^ entry, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_only_what_was_put() {
        let table = Table::new(1).expect("one megabyte");
        assert_eq!(table.get(5, 3), None);
        table.put(5, 3, 1234);
        assert_eq!(table.get(5, 3), Some(1234));
        assert_eq!(table.get(5, 4), None);
        assert_eq!(table.get(6, 3), None);
    }
}
