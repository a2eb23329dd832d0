//! Runs one search at a time on a thread of its own and keeps what outlives it:
//! the transposition table and the workers.

use super::searching::Purpose;
use super::{Brake, Message, Notify};
use crate::eval::nnue::{self, Network};
use crate::search::event::SearchEvent;
use crate::search::{Control, Pool, Task, require_memory};
use crate::time::Budget;
use crate::tt::TranspositionTable;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

/// Tells the events of one search from those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SearchId(u64);

#[allow(missing_debug_implementations)] // What it notifies has none.
pub(super) struct Thinker {
    table: Arc<TranspositionTable>,
    threads: usize,
    /// Without one, the hand-crafted evaluation.
    network: Option<Arc<Network>>,
    /// Absent while it is searching.
    pool: Option<Pool>,
    notify: Notify,
    brake: Arc<Brake>,
    last_id: SearchId,
    running: Option<Running>,
    /// Different in every game.
    game_seed: u64,
    /// A search that is over but whose workers have not been taken back yet.
    finished: Option<JoinHandle<Pool>>,
}

#[derive(Debug)]
struct Running {
    id: SearchId,
    control: Arc<Control>,
    /// `None` for work that has no workers to give back.
    handle: Option<JoinHandle<Pool>>,
}

impl Thinker {
    pub(super) fn new(megabytes: usize, notify: Notify) -> io::Result<Thinker> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        let last_id = SearchId(0);
        Ok(Thinker {
            table,
            threads: 1,
            network: nnue::embedded(),
            pool: None,
            notify,
            brake: Arc::default(),
            last_id,
            running: None,
            game_seed: random_seed(),
            finished: None,
        })
    }

    pub(super) fn brake(&self) -> Arc<Brake> {
        Arc::clone(&self.brake)
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether `id` is the search going on now.
    pub(super) fn is_current(&self, id: SearchId) -> bool {
        self.running.as_ref().is_some_and(|running| running.id == id)
    }

    /// A number that stays the same until everything is forgotten.
    pub(super) fn game_seed(&self) -> u64 {
        self.game_seed
    }

    pub(super) fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// Starts thinking. Time counts from now; with `budget` absent it does not count
    /// before [`Thinker::start_clock`].
    pub(super) fn start(
        &mut self,
        task: Task,
        budget: Option<Budget>,
        purpose: Purpose,
    ) -> io::Result<()> {
        self.take_back_workers();
        // Before the clock starts: a new pool touches its memory.
        let mut pool = match self.pool.take() {
            Some(pool) => pool,
            None => self.new_pool()?,
        };
        let control = Arc::new(budget.map_or_else(Control::pondering, Control::new));
        let id = self.register(Arc::clone(&control));
        self.brake.fit(purpose, Arc::clone(&control));
        let notify = Arc::clone(&self.notify);
        let handle = std::thread::Builder::new().spawn(move || {
            let mut listen = |event: SearchEvent| notify(Message::Search(id, event));
            pool.search(task, &control, &mut listen);
            pool
        });
        match (handle, &mut self.running) {
            (Ok(handle), Some(running)) => running.handle = Some(handle),
            (Ok(_), None) => {}
            (Err(error), _) => {
                self.running = None;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Runs other work that can be stopped; its report arrives as a message.
    pub(super) fn start_work(
        &mut self,
        work: impl FnOnce(&Control) -> String + Send + 'static,
    ) -> io::Result<()> {
        let control = Arc::new(Control::new(Budget::UNLIMITED));
        let id = self.register(Arc::clone(&control));
        let notify = Arc::clone(&self.notify);
        let started = std::thread::Builder::new().spawn(move || {
            let report = work(&control);
            notify(Message::Report(id, report));
        });
        if started.is_err() {
            self.running = None;
        }
        started.map(|_| ())
    }

    fn register(&mut self, control: Arc<Control>) -> SearchId {
        self.last_id.0 += 1;
        self.running = Some(Running { id: self.last_id, control, handle: None });
        self.last_id
    }

    /// Asks the search to end; its move follows as an event.
    pub(super) fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    pub(super) fn start_clock(&self, budget: Budget) {
        if let Some(running) = &self.running {
            running.control.start_clock(budget);
        }
    }

    /// Ends a search whose result nobody wants any more, or one that is done. Its
    /// thread may still be about to end; nobody waits for that before the workers are
    /// needed again.
    pub(super) fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.stop();
            self.finished = running.handle.or(self.finished.take());
        }
    }

    /// A search that was told to stop takes well under a millisecond to end.
    fn take_back_workers(&mut self) {
        self.finish();
        if let Some(handle) = self.finished.take() {
            self.pool = handle.join().ok();
        }
    }

    fn new_pool(&self) -> io::Result<Pool> {
        let mut pool = Pool::new(self.threads, &self.table)?;
        pool.set_network(self.network.as_ref());
        Ok(pool)
    }

    /// Has workers at hand unless they are searching: whoever makes them in a search
    /// waits for their memory while the clock runs.
    pub(super) fn prepare(&mut self) -> io::Result<()> {
        if !self.is_running() {
            self.take_back_workers();
            if self.pool.is_none() {
                self.pool = Some(self.new_pool()?);
            }
        }
        Ok(())
    }

    /// Forgets everything learned, with a table of this size from now on. What has the
    /// right size is overwritten and the rest written to for the first time, so that
    /// the next search need not wait for memory, and a stop with it. Without enough
    /// memory all stays as it is.
    pub(super) fn clear(&mut self, megabytes: usize) -> io::Result<()> {
        self.take_back_workers();
        if self.table.megabytes() != megabytes {
            let table = Arc::new(TranspositionTable::new(megabytes)?);
            require_memory(self.threads)?;
            self.table = table;
        }
        self.game_seed = random_seed();
        match &mut self.pool {
            Some(pool) => {
                pool.set_table(&self.table);
                pool.clear();
            }
            None => {
                self.table.clear(self.threads);
                self.pool = Some(self.new_pool()?);
            }
        }
        Ok(())
    }

    pub(super) fn network(&self) -> Option<&Network> {
        self.network.as_deref()
    }

    /// Evaluates with this network from now on. What was learned with another is of no
    /// use: [`Thinker::clear`] should follow.
    pub(super) fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.take_back_workers();
        self.pool = None;
        self.network = network;
    }

    /// How many threads to search with from now on. If the system does not give as many,
    /// there are as many as before.
    pub(super) fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        self.take_back_workers();
        match &mut self.pool {
            Some(pool) => {
                pool.replace_workers(threads)?;
                pool.set_network(self.network.as_ref());
                self.threads = threads;
            }
            None => {
                let before = std::mem::replace(&mut self.threads, threads);
                self.pool = Some(self.new_pool().inspect_err(|_| self.threads = before)?);
            }
        }
        Ok(())
    }
}

/// From the randomness the standard library draws for its hash tables.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
