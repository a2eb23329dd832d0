//! The hash table of a perft: subtrees by position and depth, shared between
//! threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

/// The key is stored exclusive-or the data, so that a slot torn between two
/// writers belongs to no position and is simply not found.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

pub struct Table {
    slots: Box<[Slot]>,
}

const DEPTH_BITS: u32 = 8;

impl Table {
    pub fn new(megabytes: usize) -> Table {
        let slots = megabytes.saturating_mul(1 << 20) / size_of::<Slot>();
        Table { slots: (0..slots.max(1)).map(|_| Slot::default()).collect() }
    }

    /// The same position at another depth is another entry.
    fn signature(key: u64, depth: u32) -> u64 {
        key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn slot(&self, signature: u64) -> &Slot {
        let index = (u128::from(signature) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }

    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let signature = Table::signature(key, depth);
        let slot = self.slot(signature);
        let data = slot.data.load(Ordering::Relaxed);
        let found = slot.check.load(Ordering::Relaxed) ^ data == signature
            && data & ((1 << DEPTH_BITS) - 1) == u64::from(depth);
        found.then_some(data >> DEPTH_BITS)
    }

    pub fn put(&self, key: u64, depth: u32, nodes: u64) {
        // Neither limit is within reach of anybody's patience.
        if depth >= 1 << DEPTH_BITS || nodes >> (64 - DEPTH_BITS) != 0 {
            return;
        }
        let signature = Table::signature(key, depth);
        let data = nodes << DEPTH_BITS | u64::from(depth);
        let slot = self.slot(signature);
        slot.check.store(signature ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_only_what_was_put() {
        let table = Table::new(1);
        assert_eq!(table.get(5, 3), None);
        table.put(5, 3, 1234);
        assert_eq!(table.get(5, 3), Some(1234));
        assert_eq!(table.get(5, 4), None);
        assert_eq!(table.get(6, 3), None);
    }
}
