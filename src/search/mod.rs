//! Thinking: which move is best, and what follows.
//!
//! A `Worker` searches on one thread, a [`Pool`] on several. A worker knows the board, the evaluation and
//! the transposition table; it reports [`SearchEvent`]s to a listener and looks
//! at its [`Control`] to know when to end. It formats nothing and prints nothing.

mod control;
pub mod event;
mod experience;
mod history;
mod iterate;
mod level;
mod negamax;
pub mod params;
mod picker;
mod pool;
mod prune;
mod quiesce;
mod reduce;
mod root;
mod sidelines;
mod stack;
mod style;
mod tables;

pub use control::Control;
pub use level::{Level, STRONGEST, WEAKEST};
pub use pool::Pool;
pub use style::Style;

use crate::board::Board;
use crate::eval::Evaluator;
use crate::syzygy::Probe;
use crate::time::Limits;
use crate::tt::TranspositionTable;
use crate::types::{MAX_PLY, Move, Score};
use event::{Outcome, SearchEvent};
use history::Histories;
use stack::{PvTable, Stack};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 245;
const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);

/// Receives what a search reports.
pub type Listener<'a> = &'a mut dyn FnMut(SearchEvent);

/// What to search.
#[derive(Debug, Clone)]
pub struct Task {
    pub board: Board,
    pub limits: Limits,
    pub multi_pv: usize,
    pub style: Style,
    /// Endgame tables, if there are any.
    pub probe: Option<Probe>,
}

impl Task {
    /// One line, as strong as possible.
    pub fn new(board: Board, limits: Limits) -> Task {
        Task { board, limits, multi_pv: 1, style: Style::default(), probe: None }
    }
}

/// A move of the root position and what is known about it.
#[derive(Debug, Clone)]
struct RootMove {
    mv: Move,
    /// The lowest possible score if it was only found not to be the best.
    score: Score,
    /// Whether `score` and `pv` are exact in the current iteration.
    exact: bool,
    /// Spent on it in this search.
    nodes: u64,
    seldepth: usize,
    pv: Vec<Move>,
    /// What endgame tables say: the higher, the better.
    rank: i32,
    table_score: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            exact: false,
            nodes: 0,
            seldepth: 0,
            pv: vec![mv],
            rank: 0,
            table_score: None,
        }
    }

    /// The score to be shown: the tables know better than the search, mates excepted.
    fn known_score(&self) -> Score {
        self.table_score.filter(|_| !self.score.is_mate()).unwrap_or(self.score)
    }
}

/// How many nodes each worker has visited and how many answers it got from endgame
/// tables, seen from outside. A worker's own numbers are up to date when its search
/// ends and now and then before.
#[derive(Debug)]
struct Counts(Vec<[AtomicU64; 2]>);

impl Counts {
    fn new(workers: usize) -> Counts {
        Counts((0..workers).map(|_| Default::default()).collect())
    }

    fn reset(&self) {
        self.0.iter().flatten().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    fn nodes(&self) -> u64 {
        self.0.iter().map(|[nodes, _]| nodes.load(Ordering::Relaxed)).sum()
    }

    fn hits(&self) -> u64 {
        self.0.iter().map(|[_, hits]| hits.load(Ordering::Relaxed)).sum()
    }
}

/// One thread's search state. What it learned about move ordering stays for the
/// next search.
#[derive(Debug)]
struct Worker {
    table: Arc<TranspositionTable>,
    counts: Arc<Counts>,
    /// Which of the counts is its own.
    index: usize,
    histories: Histories,
    board: Board,
    evaluator: Evaluator,
    control: Arc<Control>,
    limits: Limits,
    style: Style,
    probe: Option<Probe>,
    /// The most men for which tables are asked below the root; 0 if never.
    probe_men: u32,
    /// Answers from tables.
    hits: u64,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
    stack: Stack,
    pv: PvTable,
    root_moves: Vec<RootMove>,
    /// The root moves before this one are already reported as better lines.
    pv_index: usize,
    root_depth: u32,
    /// While a null move is verified, none is tried above this ply.
    no_null_before: usize,
}

impl Worker {
    fn new(table: Arc<TranspositionTable>, counts: Arc<Counts>, index: usize) -> Worker {
        Worker {
            table,
            counts,
            index,
            histories: Histories::default(),
            evaluator: Evaluator::new(&Board::startpos()),
            board: Board::startpos(),
            control: Arc::new(Control::pondering()),
            limits: Limits::default(),
            style: Style::default(),
            probe: None,
            probe_men: 0,
            hits: 0,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            stack: Stack::default(),
            pv: PvTable::default(),
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            no_null_before: 0,
        }
    }

    /// Searches until a limit is hit or the control says stop.
    fn search(&mut self, task: Task, control: Arc<Control>, listen: Listener<'_>) -> Outcome {
        self.board = task.board;
        self.limits = task.limits;
        self.style = task.style;
        self.probe = task.probe;
        self.control = control;
        self.nodes = 0;
        self.stopped = false;
        self.no_null_before = 0;
        self.stack.clear();
        // Levels see the board as the hand-made evaluation does, with which they were
        // measured: a better net does not make them stronger.
        let network = self.style.level.and_then(|_| self.evaluator.lay_aside());
        self.evaluator.reset(&self.board);
        let outcome = self.iterate(task.multi_pv, listen);
        if let Some(network) = network {
            self.evaluator.take_up(network);
        }
        self.publish_nodes();
        outcome
    }

    /// Plays a move, which `ply` already knows of, on the board and tells those who
    /// follow.
    #[inline(always)]
    fn make(&mut self, mv: Move, ply: usize) {
        self.evaluator.push(&self.board, mv);
        self.board.make(mv);
        self.histories.prefetch_correction(&self.board, self.last_moves(ply + 1));
    }

    #[inline(always)]
    fn unmake(&mut self, mv: Move) {
        self.board.unmake(mv);
        self.evaluator.pop();
    }

    /// The evaluation of the position on the board.
    #[inline(always)]
    fn evaluate(&mut self) -> Score {
        let eval = self.evaluator.evaluate(&self.board);
        self.style.disturb(eval, self.board.key())
    }

    /// Counts a node and looks whether the search must end.
    #[inline(always)]
    fn visit(&mut self, ply: usize) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(1024) {
            self.publish_nodes();
            self.stopped = self.control.past_hard_limit();
        }
        self.stopped |= self.control.is_stopped()
            || self.limits.nodes.is_some_and(|limit| {
                // Alone, a worker knows the number exactly.
                let alone = self.counts.0.len() == 1;
                (if alone { self.nodes } else { self.total_nodes() }) >= limit
            });
    }

    fn publish_nodes(&self) {
        let [nodes, hits] = &self.counts.0[self.index];
        nodes.store(self.nodes, Ordering::Relaxed);
        hits.store(self.hits, Ordering::Relaxed);
    }

    /// The nodes of all workers, as far as known.
    fn total_nodes(&self) -> u64 {
        self.publish_nodes();
        self.counts.nodes()
    }
}
