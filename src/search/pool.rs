//! Several workers on one position. They share the transposition table and
//! nothing else: each finds its own way through the tree and the table lets all
//! profit (Lazy SMP). The first worker decides and reports.

use super::event::{Outcome, SearchEvent};
use super::{Control, Listener, NodeCounts, Task, Worker};
use crate::time::Limits;
use crate::tt::TranspositionTable;
use std::sync::Arc;

#[derive(Debug)]
pub struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    /// At least one worker.
    pub fn new(threads: usize, table: &Arc<TranspositionTable>) -> Pool {
        let counts = Arc::new(NodeCounts::new(threads.max(1)));
        let worker = |index| Worker::new(Arc::clone(table), Arc::clone(&counts), index);
        Pool { workers: (0..threads.max(1)).map(worker).collect() }
    }

    /// Searches until a limit is hit or the control says stop. The last event is
    /// `Done`.
    pub fn search(&mut self, task: Task, control: &Arc<Control>, listen: Listener<'_>) -> Outcome {
        let Some((first, helpers)) = self.workers.split_first_mut() else {
            unreachable!("a pool has at least one worker");
        };
        first.table.next_search();
        first.counts.reset();
        let outcome = std::thread::scope(|scope| {
            for worker in helpers {
                let mut task = task.clone();
                // Only the first worker looks at limits; the others are stopped.
                let search_moves = task.limits.search_moves;
                let exclude_moves = task.limits.exclude_moves;
                task.limits = Limits { search_moves, exclude_moves, ..Limits::default() };
                scope.spawn(move || worker.search(task, Arc::clone(control), &mut |_| {}));
            }
            let outcome = first.search(task, Arc::clone(control), listen);
            control.stop();
            outcome
        });
        let outcome = Outcome { nodes: first.counts.total(), ..outcome };
        listen(SearchEvent::Done(outcome.clone()));
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::time::Budget;

    fn search(threads: usize, limits: Limits) -> Outcome {
        let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
        let task = Task { board: Board::startpos(), limits, multi_pv: 1 };
        let control = Arc::new(Control::new(Budget::UNLIMITED));
        Pool::new(threads, &table).search(task, &control, &mut |_| {})
    }

    #[test]
    fn one_thread_gives_the_same_nodes_twice() {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        assert_eq!(search(1, limits.clone()), search(1, limits));
    }

    #[test]
    fn node_limits_are_exact_on_one_thread() {
        for nodes in [1, 100, 12_345] {
            let outcome = search(1, Limits { nodes: Some(nodes), ..Limits::default() });
            assert_eq!(outcome.nodes, nodes);
            assert!(outcome.best.is_some());
        }
    }

    #[test]
    fn several_threads_agree_on_an_end() {
        let outcome = search(3, Limits { depth: Some(6), ..Limits::default() });
        assert_eq!(outcome.depth, 6);
        assert!(outcome.best.is_some());
    }
}
