//! Work shared among threads, with the results in the order of the items.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, scope};

/// Applies `work` to each item, on at most this many threads.
pub(crate) fn in_parallel<T: Send, R: Send>(
    threads: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    with_workers(vec![(); threads.max(1)], items, |(), item| work(item))
}

/// The same with a thread for each worker, which there must be one of at least.
pub(crate) fn with_workers<W: Send, T: Send, R: Send>(
    workers: Vec<W>,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(&mut W, T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let next = AtomicUsize::new(0);
    let run = |mut worker: W| {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return results };
            // Each item is taken once: nobody waits here.
            if let Some(item) = item.lock().ok().and_then(|mut item| item.take()) {
                results.push((index, work(&mut worker, item)));
            }
        }
    };
    let run = &run;
    let mut workers = workers.into_iter().take(items.len().max(1));
    let own = workers.next().expect("a worker");
    let mut results = scope(|scope| {
        let helper = |worker| Builder::new().spawn_scoped(scope, move || run(worker)).ok();
        // Without threads for all the rest has more to do.
        let handles: Vec<_> = workers.map_while(helper).collect();
        let mut results = run(own);
        for handle in handles {
            results.extend(handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_however_many_threads_work() {
        for threads in [0, 1, 3, 100] {
            let found = in_parallel(threads, 0..50, |item| item * item);
            assert!(found.into_iter().eq((0..50).map(|item| item * item)), "{threads}");
        }
        assert!(in_parallel(2, Vec::<u8>::new(), |item| item).is_empty());
        let counted = with_workers(vec![0; 3], 0..50, |done, _| {
            *done += 1;
            *done
        });
        assert_eq!(counted.len(), 50);
    }

    #[test]
    #[should_panic(expected = "item 7")]
    fn a_panic_of_any_thread_goes_on() {
        in_parallel(3, 0..20, |item| assert!(item != 7, "item {item}"));
    }
}
