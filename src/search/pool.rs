//! Lazy SMP: several workers search the same position and share nothing but the
//! transposition table. The first worker reports and manages the time; at the end all
//! vote for the move.

use super::event::{SearchEvent, SearchResult};
use super::{Control, Counts, SearchListener, Task, Worker};
use crate::eval::nnue::Network;
use crate::memory;
use crate::time::Limits;
use crate::tt::TranspositionTable;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread::{Builder, yield_now};
use std::time::Duration;

/// Below this time helper threads are not started: starting and joining them takes some
/// milliseconds on a busy machine.
const MIN_TIME_FOR_HELPERS: Duration = Duration::from_millis(10);
/// More than a worker and its thread's stack take up.
const WORKER_MEMORY: usize = 8 << 20;
/// More than a thread's stack takes up.
const THREAD_MEMORY: usize = 3 << 20;
/// What must be left for everything else.
const SPARE_MEMORY: usize = 16 << 20;
/// Threads that may be about to begin while the next one is started.
const THREADS_BEGINNING: usize = 16;

#[derive(Debug)]
pub(crate) struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    /// At least one worker. Touches the memory of the table, so that a clock started later
    /// does not pay for it. Fails if the system does not give as much memory or as many
    /// threads.
    pub(crate) fn new(threads: usize, tt: &Arc<TranspositionTable>) -> io::Result<Pool> {
        let threads = threads.max(1);
        try_threads(threads, 0)?;
        tt.touch(threads);
        Ok(Pool { workers: workers(threads, tt) })
    }

    /// Replaces the workers by this many new ones. If that fails, the old ones stay.
    pub(crate) fn replace_workers(&mut self, threads: usize) -> io::Result<()> {
        let threads = threads.max(1);
        try_threads(threads, self.workers.len())?;
        let tt = Arc::clone(&self.workers[0].tt);
        // Room was found for what they are short of: their own is free only without them.
        self.workers.clear();
        self.workers = workers(threads, &tt);
        Ok(())
    }

    /// Uses another table from now on.
    pub(crate) fn set_table(&mut self, tt: &Arc<TranspositionTable>) {
        for worker in &mut self.workers {
            worker.tt = Arc::clone(tt);
        }
    }

    /// Sets the network, or the hand-crafted evaluation without one. A new pool uses the
    /// embedded network.
    pub(crate) fn set_network(&mut self, network: Option<&Arc<Network>>) {
        for worker in &mut self.workers {
            worker.evaluator.set_network(network.cloned(), &worker.board);
        }
    }

    /// Clears the histories and the transposition table and keeps the network.
    pub(crate) fn clear(&mut self) {
        for worker in &mut self.workers {
            worker.histories.clear();
            worker.correction_history.clear();
        }
        self.workers[0].tt.clear(self.workers.len());
    }

    /// Searches until a limit is hit or the control says stop. The last event is
    /// `Done`.
    pub(crate) fn search(
        &mut self,
        task: Task,
        control: &Arc<Control>,
        listen: SearchListener<'_>,
    ) -> SearchResult {
        let Some((first, helpers)) = self.workers.split_first_mut() else {
            unreachable!("a pool has at least one worker");
        };
        first.tt.next_search();
        first.counts.reset();
        let several_lines = task.multi_pv > 1;
        // Closed until all helpers are there: those who search already would keep the
        // processor from whoever starts the others.
        let gate = &RwLock::new(());
        let results = std::thread::scope(|scope| {
            let mut handles = Vec::with_capacity(helpers.len());
            let closed = gate.write();
            let helpers = if uses_helpers(&task, control) { helpers } else { &mut [] };
            for worker in helpers {
                let mut task = task.clone();
                task.silent = true;
                // Only the first worker checks the limits and stops the others.
                let search_moves = task.limits.search_moves;
                let exclude_moves = task.limits.exclude_moves;
                task.limits = Limits { search_moves, exclude_moves, ..Limits::default() };
                let help = move || {
                    drop(gate.read());
                    worker.search(task, Arc::clone(control), &mut |_| {})
                };
                match Builder::new().spawn_scoped(scope, help) {
                    Ok(handle) => handles.push(handle),
                    Err(error) => {
                        log::warn!("a search goes on with {} helpers: {error}", handles.len());
                        break;
                    }
                }
            }
            drop(closed);
            let mut results = vec![first.search(task, Arc::clone(control), listen)];
            control.stop();
            // A worker does not panic; if one did, the others' votes would suffice.
            results.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
            results
        });
        // In a multi-PV search only the first worker has reported the lines.
        let winner = if several_lines { 0 } else { vote(&results) };
        let result =
            SearchResult { nodes: self.workers[0].counts.nodes(), ..results[winner].clone() };
        if winner > 0 {
            listen(SearchEvent::Info(self.workers[winner].best_line()));
        }
        listen(SearchEvent::Done(result.clone()));
        result
    }
}

fn workers(threads: usize, tt: &Arc<TranspositionTable>) -> Vec<Worker> {
    let counts = Arc::new(Counts::new(threads));
    (0..threads).map(|index| Worker::new(Arc::clone(tt), Arc::clone(&counts), index)).collect()
}

/// Whether searches with this many threads will have their memory, whatever else has been
/// taken since their workers were made.
pub(crate) fn require_memory(threads: usize) -> io::Result<()> {
    memory::require(threads.saturating_mul(THREAD_MEMORY).saturating_add(SPARE_MEMORY))
}

/// Whether the system has memory and threads for this many workers beside those there are,
/// found out by taking them for a moment. Where an allocation or the start of a thread
/// fails later, the program would end.
fn try_threads(threads: usize, workers: usize) -> io::Result<()> {
    let missing = threads.saturating_sub(workers).saturating_mul(WORKER_MEMORY);
    memory::require(missing.saturating_add(SPARE_MEMORY))?;
    require_memory(threads)?;
    let gate = RwLock::new(());
    let begun = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let _closed = gate.write();
        for started in 1..threads {
            // A thread that begins takes some memory that nobody can refuse it.
            memory::require(THREAD_MEMORY)?;
            while begun.load(Ordering::Relaxed) + THREADS_BEGINNING < started {
                yield_now();
            }
            Builder::new().spawn_scoped(scope, || {
                begun.fetch_add(1, Ordering::Relaxed);
                drop(gate.read());
            })?;
        }
        // Their allocators have reserved address space, which stays theirs.
        memory::require(missing.saturating_add(SPARE_MEMORY))
    })
}

/// Not for a limited strength, which is defined on one thread, nor for very short searches.
fn uses_helpers(task: &Task, control: &Control) -> bool {
    task.style.strength.is_none() && control.planned() >= MIN_TIME_FOR_HELPERS
}

/// Which worker's move to play: the one with the most votes, weighted by depth and by
/// how much better the score is than the worst. Only workers that searched at least as
/// deeply as the first may replace it.
fn vote(results: &[SearchResult]) -> usize {
    let worst = results.iter().map(|result| result.score).min().unwrap_or_default();
    let weight =
        |result: &SearchResult| i64::from(result.score.0 - worst.0 + 10) * i64::from(result.depth);
    let votes = |mv| results.iter().filter(|result| result.best == mv).map(weight).sum::<i64>();
    let mut winner = 0;
    for (index, result) in results.iter().enumerate() {
        let rank = |result: &SearchResult| (votes(result.best), weight(result));
        if result.depth >= results[0].depth && rank(result) > rank(&results[winner]) {
            winner = index;
        }
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::nnue::random_network;
    use crate::search::Strength;
    use crate::time::Budget;
    use crate::types::{Move, Score, Square};

    fn search(threads: usize, limits: Limits) -> SearchResult {
        let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
        let task = Task::new(Board::startpos(), limits);
        let control = Arc::new(Control::new(Budget::UNLIMITED));
        Pool::new(threads, &table).expect("threads").search(task, &control, &mut |_| {})
    }

    #[test]
    fn one_thread_gives_the_same_nodes_twice() {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        assert_eq!(search(1, limits.clone()), search(1, limits));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_pool_has_its_memory() {
        let tt = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
        assert!(!tt.is_resident());
        let _pool = Pool::new(1, &tt).expect("one worker");
        assert!(tt.is_resident());
    }

    #[test]
    fn node_limits_are_exact_on_one_thread() {
        for nodes in [1, 100, 12_345] {
            let result = search(1, Limits { nodes: Some(nodes), ..Limits::default() });
            assert_eq!(result.nodes, nodes);
            assert!(result.best.is_some());
        }
    }

    #[test]
    fn limited_strength_does_not_use_the_network() {
        let nets = [None, Some(Arc::new(random_network(64, 3)))];
        let results = nets.map(|net| {
            let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
            let mut pool = Pool::new(1, &table).expect("one thread");
            pool.set_network(net.as_ref());
            [Some(Strength::of(2000)), None].map(|strength| {
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let mut task = Task::new(Board::startpos(), limits);
                task.style.strength = strength;
                let control = Arc::new(Control::new(Budget::UNLIMITED));
                pool.search(task, &control, &mut |_| {}).score
            })
        });
        assert_eq!(results[0][0], results[1][0]);
        assert_ne!(results[0][1], results[1][1], "the net is back");
    }

    #[test]
    fn threads_do_not_change_a_limited_strength() {
        let [alone, helped] = [1, 3].map(|threads| {
            let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
            let mut task = Task::new(Board::startpos(), Limits::default());
            task.style.strength = Some(Strength::of(1_500));
            let control = Arc::new(Control::new(Budget::UNLIMITED));
            Pool::new(threads, &table).expect("threads").search(task, &control, &mut |_| {})
        });
        assert_eq!(alone, helped);
    }

    #[test]
    fn the_majority_wins_unless_outweighed() {
        let result = |to, score, depth| SearchResult {
            best: Some(Move::normal(Square::E2, to)),
            ponder: None,
            score: Score(score),
            depth,
            nodes: 0,
        };
        let (e3, e4) = (Square::E3, Square::E4);
        assert_eq!(vote(&[result(e3, 10, 9)]), 0);
        assert_eq!(vote(&[result(e3, 10, 9), result(e4, 10, 9), result(e4, 10, 9)]), 1);
        assert_eq!(vote(&[result(e3, 90, 9), result(e4, 10, 9), result(e4, 10, 9)]), 0);
        assert_eq!(vote(&[result(e3, 10, 9), result(e4, 10, 11)]), 1);
        assert_eq!(vote(&[result(e3, 10, 0), result(e4, 10, 0)]), 0);
        assert_eq!(vote(&[result(e3, 10, 9), result(e4, 90, 8)]), 0);
    }

    #[test]
    fn moves_that_must_come_at_once_take_no_help() {
        let task = Task::new(Board::startpos(), Limits::default());
        let helped = |soft, hard| {
            let [soft, hard] = [soft, hard].map(Duration::from_millis);
            uses_helpers(&task, &Control::new(Budget { soft, hard }))
        };
        assert!(uses_helpers(&task, &Control::pondering()));
        assert!(helped(50, 200));
        assert!(!helped(5, 20));
        assert!(!helped(u64::MAX / 1000, 1), "a fixed time");
    }

    #[test]
    fn more_helpers_than_any_system_has_are_refused() {
        let table = Arc::new(TranspositionTable::new(1).expect("a megabyte"));
        assert!(Pool::new(usize::MAX / WORKER_MEMORY, &table).is_err());
        assert!(Pool::new(usize::MAX, &table).is_err());
    }

    #[test]
    fn several_threads_agree_on_an_end() {
        let result = search(3, Limits { depth: Some(6), ..Limits::default() });
        assert!(result.depth >= 6);
        assert!(result.best.is_some());
    }
}
