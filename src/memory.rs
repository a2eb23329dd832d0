//! Memory for large tables: zeroed by the system, touched only when used, and
//! in huge pages where the system grants them. Faulting in four kilobytes at a
//! time would cost more than many a search.

use memmap2::MmapMut;
use std::io;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

/// A slice of words that several threads may write to.
#[derive(Debug)]
pub struct SharedWords {
    memory: MmapMut,
}

impl SharedWords {
    /// `len` words, all zero. Fails if the system has not got as much.
    pub fn zeroed(len: usize) -> io::Result<SharedWords> {
        let bytes =
            len.max(1).checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages for {bytes} bytes: {error}");
        }
        Ok(SharedWords { memory })
    }
}

/// Fetches the cache line of `word` while something else is going on.
#[inline(always)]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect a program can observe, and the instruction
        // is part of every x86-64 CPU.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *word).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

impl Deref for SharedWords {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        let len = self.memory.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping is private, page-aligned, lives as long as `self`, and
        // is never handed out but through this function, as atomics, for which every
        // bit pattern is valid.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast::<AtomicU64>(), len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn is_zero_and_keeps_what_is_stored() {
        let words = SharedWords::zeroed(1 << 20).expect("eight megabytes");
        assert_eq!(words.len(), 1 << 20);
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        words[12_345].store(7, Ordering::Relaxed);
        assert_eq!(words[12_345].load(Ordering::Relaxed), 7);
    }

    #[test]
    fn refuses_what_no_machine_has() {
        assert!(SharedWords::zeroed(usize::MAX).is_err());
        assert!(SharedWords::zeroed(1 << 58).is_err());
    }
}
