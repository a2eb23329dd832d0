//! The transposition table: what earlier searches found out about positions,
//! shared by all threads without locks.
//!
//! An entry is two words: its data, and its key exclusive-or the data. A reader
//! that catches an entry half written computes a key that is not its own and
//! finds nothing. Four entries share a cache line.

use crate::memory::{self, SharedWords};
use crate::types::{Bound, Move, Score};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// What is known about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    pub(crate) best: Option<Move>,
    /// Mates are counted from the position: see [`Score::from_tt`].
    pub(crate) score: Score,
    /// The static evaluation.
    pub(crate) eval: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether it was ever on a principal variation.
    pub(crate) was_pv: bool,
}

impl TtEntry {
    /// Whether the stored score answers the question the window asks.
    #[inline(always)]
    pub(crate) fn allows_cutoff(&self, alpha: Score, beta: Score, ply: usize) -> bool {
        self.bound.allows_cutoff(self.score.from_tt(ply), alpha, beta)
    }

    /// `eval`, or the stored score where that is known to be closer to the truth.
    #[inline(always)]
    pub(crate) fn improve(&self, eval: Score, ply: usize) -> Score {
        let score = self.score.from_tt(ply);
        let closer = !score.is_decided()
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => score > eval,
                Bound::Upper => score < eval,
            };
        if closer { score } else { eval }
    }
}

const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
/// Searches are numbered modulo this.
const AGES: u8 = 32;
/// Depths down to this far below zero can be stored.
const DEPTH_OFFSET: i32 = 8;

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    words: SharedWords,
    age: AtomicU8,
    /// Whether all of the memory has been written to.
    touched: AtomicBool,
}

impl TranspositionTable {
    pub(crate) fn new(megabytes: usize) -> io::Result<TranspositionTable> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        let words = SharedWords::zeroed(bytes / size_of::<AtomicU64>())?;
        Ok(TranspositionTable { words, age: AtomicU8::new(0), touched: AtomicBool::new(false) })
    }

    /// Forgets everything; this many threads share the work.
    pub(crate) fn clear(&self, threads: usize) {
        self.words.clear(threads);
        self.touched.store(true, Ordering::Relaxed);
        self.age.store(0, Ordering::Relaxed);
    }

    /// Makes sure that all of the memory has been written to, so that no search waits for
    /// the system to provide it.
    pub(crate) fn touch(&self, threads: usize) {
        if !self.touched.load(Ordering::Relaxed) {
            self.clear(threads);
        }
    }

    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn is_resident(&self) -> bool {
        self.words.is_resident()
    }

    /// The size it was made with.
    pub(crate) fn megabytes(&self) -> usize {
        size_of_val(&self.words[..]) >> 20
    }

    /// Marks the beginning of a new search: older entries go first.
    pub(crate) fn next_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &[AtomicU64] {
        let clusters = (self.words.len() / WORDS) as u128;
        let index = ((u128::from(key) * clusters) >> 64) as usize;
        &self.words[index * WORDS..(index + 1) * WORDS]
    }

    /// Fetches the entry into the cache while something else is going on.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(&self.cluster(key)[0]);
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.cluster(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            let found = slot[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            found.then(|| Packed(data).unpack())
        })
    }

    /// Stores what a search found, in place of the entry of the same position or of
    /// the one that will be missed least.
    #[inline]
    pub(crate) fn store(&self, key: u64, mut entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut victim_worth = i32::MAX;
        for (index, slot) in self.cluster(key).chunks_exact(2).enumerate() {
            let data = Packed(slot[1].load(Ordering::Relaxed));
            if data.0 == 0 || slot[0].load(Ordering::Relaxed) ^ data.0 == key {
                if data.0 != 0 {
                    let old = data.unpack();
                    // A move is worth keeping even if this search found none, and a
                    // much deeper result of this search is worth more than this one.
                    entry.best = entry.best.or(old.best);
                    let deeper = old.depth > entry.depth + 3 && data.age() == age;
                    if deeper && entry.bound != Bound::Exact {
                        return;
                    }
                }
                victim = index;
                break;
            }
            let searches_ago = i32::from((age + AGES - data.age()) % AGES);
            let worth = data.unpack().depth - 8 * searches_ago;
            if worth < victim_worth {
                victim_worth = worth;
                victim = index;
            }
        }
        let packed = Packed::pack(&entry, age);
        let slot = &self.cluster(key)[2 * victim..2 * victim + 2];
        slot[0].store(key ^ packed.0, Ordering::Relaxed);
        slot[1].store(packed.0, Ordering::Relaxed);
    }

    /// How many of a thousand entries hold something from this search.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.words.len().min(2000) / 2;
        let used = self.words.chunks_exact(2).take(sample).filter(|slot| {
            let data = Packed(slot[1].load(Ordering::Relaxed));
            data.0 != 0 && data.age() == age
        });
        (used.count() * 1000 / sample.max(1)) as u32
    }
}

/// From the lowest bit: move 16, score 16, evaluation 16, depth 8, bound 2,
/// principal variation 1, age 5. Never zero for a real entry: the bound isn't.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn pack(entry: &TtEntry, age: u8) -> Packed {
        let bound = match entry.bound {
            Bound::Exact => 1u64,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        Packed(
            u64::from(entry.best.map_or(0, Move::to_bits))
                | u64::from(entry.score.0 as i16 as u16) << 16
                | u64::from(entry.eval.0 as i16 as u16) << 32
                | depth << 48
                | bound << 56
                | u64::from(entry.was_pv) << 58
                | u64::from(age) << 59,
        )
    }

    #[inline(always)]
    fn unpack(self) -> TtEntry {
        let word = |shift: u32| (self.0 >> shift) as u16;
        TtEntry {
            best: Move::from_bits(word(0)),
            score: Score(i32::from(word(16) as i16)),
            eval: Score(i32::from(word(32) as i16)),
            depth: i32::from(word(48) & 0xFF) - DEPTH_OFFSET,
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            was_pv: self.0 >> 58 & 1 != 0,
        }
    }

    #[inline(always)]
    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Piece, Square};

    fn entry(depth: i32, bound: Bound) -> TtEntry {
        TtEntry {
            best: Some(Move::promotion(Square::A7, Square::A8, Piece::Queen)),
            score: Score::mated_in(7),
            eval: Score(-123),
            depth,
            bound,
            was_pv: true,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = TranspositionTable::new(1).expect("one megabyte");
        for (index, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            for depth in [-8, 0, 1, 100, 245] {
                let key = 0x1234_5678_9ABC_DEF0 ^ (index as u64) << 40 ^ depth as u64;
                table.store(key, entry(depth, bound));
                assert_eq!(table.probe(key), Some(entry(depth, bound)));
                assert_eq!(table.probe(key ^ 1 << 63), None);
            }
        }
    }

    #[test]
    fn keeps_the_move_and_drops_old_entries_first() {
        let table = TranspositionTable::new(1).expect("one megabyte");
        table.store(1, entry(5, Bound::Exact));
        table.store(1, TtEntry { best: None, ..entry(6, Bound::Upper) });
        assert_eq!(table.probe(1).and_then(|entry| entry.best), entry(0, Bound::Exact).best);
        table.next_search();
        // Keys this small all fall into the first cluster.
        for key in 2..6 {
            table.store(key, entry(1, Bound::Upper));
        }
        assert_eq!(table.probe(1), None);
        assert!((2..6).all(|key| table.probe(key).is_some()));
    }
}
