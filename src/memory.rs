//! Memory for large tables: zeroed by the system, touched only when used, and
//! in huge pages where the system grants them. Faulting in four kilobytes at a
//! time can cost more than a short search.

use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, Index};
use std::sync::atomic::{AtomicU64, Ordering};

/// Less than this many words to clear are not worth a thread of their own.
const SMALLEST_SHARE: usize = if cfg!(miri) { 1 << 8 } else { 1 << 18 };

/// A slice of words that several threads may write to.
#[derive(Debug)]
pub(crate) struct SharedWords {
    /// Raw, as no reference to its bytes may exist beside those to the words.
    memory: MmapRaw,
}

impl SharedWords {
    /// `len` words, all zero. Fails if the system has not got as much.
    pub(crate) fn zeroed(len: usize) -> io::Result<SharedWords> {
        let bytes =
            len.max(1).checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes)?;
        advise_huge_pages(&memory);
        Ok(SharedWords { memory: memory.into() })
    }

    /// Writes zeros everywhere, with up to this many threads. Memory written to costs
    /// nothing more when it is used, while the first touch of a fresh huge page can
    /// take milliseconds, above all where a virtual machine's host has yet to find it.
    pub(crate) fn clear(&self, threads: usize) {
        let zero =
            |part: &[AtomicU64]| part.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let share = self.len().div_ceil(threads.max(1)).max(SMALLEST_SHARE);
        let (own, others) = self.split_at(share.min(self.len()));
        std::thread::scope(|scope| {
            for part in others.chunks(share) {
                // Without a thread for it this one does the work.
                let thread = std::thread::Builder::new();
                if thread.spawn_scoped(scope, move || zero(part)).is_err() {
                    zero(part);
                }
            }
            zero(own);
        });
    }
}

#[cfg(all(test, target_os = "linux"))]
impl SharedWords {
    /// Whether every page of it is in memory.
    pub(crate) fn is_resident(&self) -> bool {
        use std::os::unix::fs::FileExt;
        const PAGE: usize = 4096;
        let pages = size_of_val(&self[..]).div_ceil(PAGE);
        let first = self.as_ptr() as usize / PAGE;
        let mut map = vec![0; 8 * pages];
        let file = std::fs::File::open("/proc/self/pagemap").expect("Linux has it");
        file.read_exact_at(&mut map, 8 * first as u64).expect("an entry for each page");
        // The highest bit of a page's entry says that it is present.
        map.chunks_exact(8).all(|entry| entry[7] & 0x80 != 0)
    }
}

/// A list that never moves while it grows: memory comes in large pieces, in huge pages
/// where the system grants them, and is touched only when used.
#[derive(Debug)]
pub struct LargeVec<T> {
    pieces: Vec<MmapRaw>,
    len: usize,
    items: PhantomData<T>,
}

impl<T: Copy> LargeVec<T> {
    /// Items in a piece, a power of two.
    const PIECE: usize = ((64 << 20) / size_of::<T>()).next_power_of_two();

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Fails if the system has no more memory.
    pub fn push(&mut self, item: T) -> io::Result<()> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 4096) };
        if self.len == self.pieces.len() * Self::PIECE {
            let memory = MmapMut::map_anon(Self::PIECE * size_of::<T>())?;
            advise_huge_pages(&memory);
            self.pieces.push(memory.into());
        }
        let piece = &self.pieces[self.len / Self::PIECE];
        // SAFETY: the piece has room for `PIECE` items and is aligned to a page; `self`
        // is borrowed mutably, so nobody reads while this writes.
        unsafe { piece.as_mut_ptr().cast::<T>().add(self.len % Self::PIECE).write(item) };
        self.len += 1;
        Ok(())
    }

    /// Forgets all items and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).map(|index| &self[index])
    }
}

impl<T> Default for LargeVec<T> {
    fn default() -> LargeVec<T> {
        LargeVec { pieces: Vec::new(), len: 0, items: PhantomData }
    }
}

impl<T: Copy> Index<usize> for LargeVec<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        assert!(index < self.len);
        let piece = &self.pieces[index / Self::PIECE];
        // SAFETY: the first `len` items have been written, and are not again as long as
        // the reference lives.
        unsafe { &*piece.as_ptr().cast::<T>().add(index % Self::PIECE) }
    }
}

/// Whether the system still has this many bytes to give, found out by asking for them.
/// Where an allocation fails that cannot be refused, the program ends.
pub fn require(bytes: usize) -> io::Result<()> {
    MmapMut::map_anon(bytes).map(drop).map_err(|_| io::ErrorKind::OutOfMemory.into())
}

fn advise_huge_pages(memory: &MmapMut) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no huge pages for {} bytes: {error}", memory.len());
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}

/// Fetches the cache line of `value` while something else is going on.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect a program can observe, and the instruction
        // is part of every x86-64 CPU.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *value).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

impl Deref for SharedWords {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        let len = self.memory.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping is private, page-aligned, lives as long as `self`, and
        // is never handed out but through this function, as atomics, for which every
        // bit pattern is valid.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast::<AtomicU64>(), len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight megabytes, or little where an interpreter runs the tests.
    const WORDS: usize = if cfg!(miri) { 1 << 12 } else { 1 << 20 };

    #[test]
    fn is_zero_and_keeps_what_is_stored() {
        let words = SharedWords::zeroed(WORDS).expect("memory");
        assert_eq!(words.len(), WORDS);
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        words[WORDS / 3].store(7, Ordering::Relaxed);
        assert_eq!(words[WORDS / 3].load(Ordering::Relaxed), 7);
    }

    #[test]
    fn clears_all_of_it_with_any_number_of_threads() {
        let words = SharedWords::zeroed(WORDS + 1).expect("memory");
        for threads in [0, 1, 3, 1000] {
            words.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
            words.clear(threads);
            assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        }
    }

    #[test]
    fn a_large_list_keeps_its_items_where_they_are() {
        let mut list = LargeVec::default();
        assert!(list.is_empty());
        // Large items, so that few are needed for several pieces.
        let item = |number: usize| [number as u64; 1 << 12];
        let count = if cfg!(miri) { 3 } else { 5_000 };
        list.push(item(0)).expect("memory");
        let first = &raw const list[0];
        for number in 1..count {
            list.push(item(number)).expect("memory");
        }
        assert_eq!((list.len(), &raw const list[0]), (count, first));
        assert!(list.iter().enumerate().all(|(number, found)| *found == item(number)));
        list.clear();
        list.push(item(7)).expect("memory");
        assert_eq!((list.len(), &raw const list[0], list[0]), (1, first, item(7)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "its memory is not the machine's")]
    fn refuses_what_no_machine_has() {
        assert!(require(1 << 20).is_ok() && require(1 << 60).is_err());
        assert!(require(usize::MAX).is_err());
        assert!(SharedWords::zeroed(usize::MAX).is_err());
        assert!(SharedWords::zeroed(1 << 58).is_err());
    }
}
