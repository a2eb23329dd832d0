//! Several workers on one position. They share the transposition table and
//! nothing else: each finds its own way through the tree and the table lets all
//! profit (Lazy SMP). The first worker reports and keeps the time; in the end all
//! vote for the move.

use super::event::{Outcome, SearchEvent};
use super::{Control, Counts, Listener, Task, Worker};
use crate::eval::nnue::Network;
use crate::time::Limits;
use crate::tt::TranspositionTable;
use std::sync::Arc;
use std::time::Duration;

/// To wake helpers and to wait for them takes some milliseconds where there is no
/// processor to spare; in less time than this they would empty the clock for nothing.
const WORTH_HELP: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    /// At least one worker.
    pub fn new(threads: usize, table: &Arc<TranspositionTable>) -> Pool {
        let counts = Arc::new(Counts::new(threads.max(1)));
        let worker = |index| Worker::new(Arc::clone(table), Arc::clone(&counts), index);
        Pool { workers: (0..threads.max(1)).map(worker).collect() }
    }

    /// Evaluates with this network from now on, or by hand without one. A new pool has
    /// the net the program was built with.
    pub fn set_network(&mut self, network: Option<&Arc<Network>>) {
        for worker in &mut self.workers {
            worker.evaluator.set_network(network.cloned(), &worker.board);
        }
    }

    /// Forgets all that it learned, the table included, and keeps the network: the next
    /// search is that of a new pool.
    pub fn forget(&mut self) {
        for worker in &mut self.workers {
            worker.histories.clear();
        }
        self.workers[0].table.clear(self.workers.len());
    }

    /// Searches until a limit is hit or the control says stop. The last event is
    /// `Done`.
    pub fn search(&mut self, task: Task, control: &Arc<Control>, listen: Listener<'_>) -> Outcome {
        let Some((first, helpers)) = self.workers.split_first_mut() else {
            unreachable!("a pool has at least one worker");
        };
        first.table.next_search();
        first.counts.reset();
        let several_lines = task.multi_pv > 1;
        let outcomes = std::thread::scope(|scope| {
            let mut handles = Vec::with_capacity(helpers.len());
            let helpers = if takes_help(&task, control) { helpers } else { &mut [] };
            for worker in helpers {
                let mut task = task.clone();
                // Only the first worker looks at limits; the others are stopped.
                let search_moves = task.limits.search_moves;
                let exclude_moves = task.limits.exclude_moves;
                task.limits = Limits { search_moves, exclude_moves, ..Limits::default() };
                handles.push(
                    scope.spawn(move || worker.search(task, Arc::clone(control), &mut |_| {})),
                );
            }
            let mut outcomes = vec![first.search(task, Arc::clone(control), listen)];
            control.stop();
            // A worker does not panic; if one did, the others' votes would do.
            outcomes.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
            outcomes
        });
        // Several lines are the first worker's: it alone can answer for their order.
        let winner = if several_lines { 0 } else { elect(&outcomes) };
        let outcome = Outcome { nodes: self.workers[0].counts.nodes(), ..outcomes[winner].clone() };
        if winner > 0 {
            listen(SearchEvent::Info(self.workers[winner].best_line()));
        }
        listen(SearchEvent::Done(outcome.clone()));
        outcome
    }
}

/// A level is what one worker plays, and so is a move that must come at once.
fn takes_help(task: &Task, control: &Control) -> bool {
    task.style.level.is_none() && control.planned() >= WORTH_HELP
}

/// Which worker's move to play: that with the most votes, where a vote counts by
/// its depth and by how much better its score is than the worst. Only who looked at
/// least as deeply as the first may take its place.
fn elect(outcomes: &[Outcome]) -> usize {
    let worst = outcomes.iter().map(|outcome| outcome.score).min().unwrap_or_default();
    let weight =
        |outcome: &Outcome| i64::from(outcome.score.0 - worst.0 + 10) * i64::from(outcome.depth);
    let votes = |mv| outcomes.iter().filter(|outcome| outcome.best == mv).map(weight).sum::<i64>();
    let mut winner = 0;
    for (index, outcome) in outcomes.iter().enumerate() {
        let rank = |outcome: &Outcome| (votes(outcome.best), weight(outcome));
        if outcome.depth >= outcomes[0].depth && rank(outcome) > rank(&outcomes[winner]) {
            winner = index;
        }
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::search::Level;
    use crate::time::Budget;
    use crate::train::Model;
    use crate::types::{Move, Score, Square};

    fn search(threads: usize, limits: Limits) -> Outcome {
        let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
        let task = Task::new(Board::startpos(), limits);
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
    fn a_level_does_not_see_the_net() {
        let nets = [None, Some(Arc::new(Model::random(64, 3).quantised(300.0, String::new())))];
        let outcomes = nets.map(|net| {
            let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
            let mut pool = Pool::new(1, &table);
            pool.set_network(net.as_ref());
            [Some(Level::of(2000)), None].map(|level| {
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let mut task = Task::new(Board::startpos(), limits);
                task.style.level = level;
                let control = Arc::new(Control::new(Budget::UNLIMITED));
                pool.search(task, &control, &mut |_| {}).score
            })
        });
        assert_eq!(outcomes[0][0], outcomes[1][0]);
        assert_ne!(outcomes[0][1], outcomes[1][1], "the net is back");
    }

    #[test]
    fn threads_do_not_make_a_level_stronger() {
        let [alone, helped] = [1, 3].map(|threads| {
            let table = Arc::new(TranspositionTable::new(8).expect("eight megabytes"));
            let mut task = Task::new(Board::startpos(), Limits::default());
            task.style.level = Some(Level::of(1_500));
            let control = Arc::new(Control::new(Budget::UNLIMITED));
            Pool::new(threads, &table).search(task, &control, &mut |_| {})
        });
        assert_eq!(alone, helped);
    }

    #[test]
    fn the_majority_wins_unless_outweighed() {
        let outcome = |to, score, depth| Outcome {
            best: Some(Move::normal(Square::E2, to)),
            ponder: None,
            score: Score(score),
            depth,
            nodes: 0,
        };
        let (e3, e4) = (Square::E3, Square::E4);
        assert_eq!(elect(&[outcome(e3, 10, 9)]), 0);
        assert_eq!(elect(&[outcome(e3, 10, 9), outcome(e4, 10, 9), outcome(e4, 10, 9)]), 1);
        assert_eq!(elect(&[outcome(e3, 90, 9), outcome(e4, 10, 9), outcome(e4, 10, 9)]), 0);
        assert_eq!(elect(&[outcome(e3, 10, 9), outcome(e4, 10, 11)]), 1);
        assert_eq!(elect(&[outcome(e3, 10, 0), outcome(e4, 10, 0)]), 0);
        assert_eq!(elect(&[outcome(e3, 10, 9), outcome(e4, 90, 8)]), 0);
    }

    #[test]
    fn moves_that_must_come_at_once_take_no_help() {
        let task = Task::new(Board::startpos(), Limits::default());
        let helped = |soft, hard| {
            let [soft, hard] = [soft, hard].map(Duration::from_millis);
            takes_help(&task, &Control::new(Budget { soft, hard }))
        };
        assert!(takes_help(&task, &Control::pondering()));
        assert!(helped(50, 200));
        assert!(!helped(5, 20));
        assert!(!helped(u64::MAX / 1000, 1), "a fixed time");
    }

    #[test]
    fn several_threads_agree_on_an_end() {
        let outcome = search(3, Limits { depth: Some(6), ..Limits::default() });
        assert!(outcome.depth >= 6);
        assert!(outcome.best.is_some());
    }
}
