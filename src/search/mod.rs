//! The search.
//!
//! A `Worker` searches on one thread, a [`Pool`] on several. A worker knows the board, the
//! evaluation, the transposition table and the tablebases; it reports [`SearchEvent`]s to a
//! listener and asks its [`Control`] when to stop. It formats and prints nothing.

mod control;
mod correction_history;
pub(crate) mod event;
mod history;
mod iterative_deepening;
mod lmr;
mod margins;
mod move_picker;
mod negamax;
mod null_move;
pub(crate) mod params;
mod pool;
mod probcut;
mod quiescence;
mod root;
mod singular;
mod stack;
mod strength;
mod style;
mod tb_probe;

pub(crate) use control::Control;
pub(crate) use pool::{Pool, require_memory};
pub(crate) use strength::{STRONGEST, Strength, WEAKEST};
pub(crate) use style::Style;

use crate::board::Board;
use crate::eval::Evaluator;
use crate::tablebase::Probe;
use crate::time::Limits;
use crate::tt::TranspositionTable;
use crate::types::{Bound, MAX_PLY, Move, Score};
use correction_history::CorrectionHistory;
use event::{SearchEvent, SearchResult};
use history::Histories;
use stack::{PvTable, Stack};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The deepest iteration.
pub(crate) const MAX_DEPTH: u32 = 245;
const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);

/// Receives what a search reports.
pub(crate) type SearchListener<'a> = &'a mut dyn FnMut(SearchEvent);

/// What to search.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) board: Board,
    pub(crate) limits: Limits,
    pub(crate) multi_pv: usize,
    pub(crate) style: Style,
    /// Tablebases, if there are any.
    pub(crate) probe: Option<Probe>,
    /// Nobody listens: nothing is reported on the way.
    pub(crate) silent: bool,
}

impl Task {
    /// One line, as strong as possible.
    pub(crate) fn new(board: Board, limits: Limits) -> Task {
        Task { board, limits, multi_pv: 1, style: Style::default(), probe: None, silent: false }
    }
}

/// A move of the root position and what is known about it.
#[derive(Debug, Clone)]
struct RootMove {
    mv: Move,
    /// Minus infinity unless it was the best move when searched.
    score: Score,
    /// What the score proves, unless it is minus infinity.
    bound: Bound,
    /// Nodes spent on it in this search.
    nodes: u64,
    seldepth: usize,
    pv: Vec<Move>,
    /// The rank by tablebases: the higher, the better.
    tb_rank: i32,
    tb_score: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Upper,
            nodes: 0,
            seldepth: 0,
            pv: vec![mv],
            tb_rank: 0,
            tb_score: None,
        }
    }

    /// Whether its score in the current iteration is known.
    fn is_exact(&self) -> bool {
        self.bound == Bound::Exact && self.score != -Score::INFINITE
    }

    /// The score to report: tablebases overrule the search except for mates.
    fn reported_score(&self) -> Score {
        self.tb_score.filter(|_| !self.score.is_mate()).unwrap_or(self.score)
    }
}

/// The nodes and tablebase hits of each worker, as seen by the others. Each worker
/// publishes its numbers at intervals and when its search ends.
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

    fn tb_hits(&self) -> u64 {
        self.0.iter().map(|[_, tb_hits]| tb_hits.load(Ordering::Relaxed)).sum()
    }
}

/// One thread's search state. Histories are kept for the next search.
#[derive(Debug)]
struct Worker {
    tt: Arc<TranspositionTable>,
    counts: Arc<Counts>,
    /// Its own place in `counts`.
    index: usize,
    histories: Histories,
    correction_history: CorrectionHistory,
    board: Board,
    evaluator: Evaluator,
    control: Arc<Control>,
    limits: Limits,
    style: Style,
    silent: bool,
    tb_probe: Option<Probe>,
    /// The most men for which tablebases are probed below the root; 0 for never.
    tb_men: u32,
    tb_hits: u64,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
    stack: Stack,
    pv: PvTable,
    root_moves: Vec<RootMove>,
    /// The move that failed high in the current iteration, if its re-search is not over.
    failed_high: Option<RootMove>,
    /// The first move of the last line reported as the best one.
    reported_move: Option<Move>,
    /// The root moves before this one are the better lines of a multi-PV search.
    pv_index: usize,
    root_depth: u32,
    /// While a null move is verified, no null move is tried before this ply.
    null_move_min_ply: usize,
}

impl Worker {
    fn new(tt: Arc<TranspositionTable>, counts: Arc<Counts>, index: usize) -> Worker {
        Worker {
            tt,
            counts,
            index,
            histories: Histories::default(),
            correction_history: CorrectionHistory::default(),
            evaluator: Evaluator::new(&Board::startpos()),
            board: Board::startpos(),
            control: Arc::new(Control::pondering()),
            limits: Limits::default(),
            style: Style::default(),
            silent: false,
            tb_probe: None,
            tb_men: 0,
            tb_hits: 0,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            stack: Stack::default(),
            pv: PvTable::default(),
            root_moves: Vec::new(),
            failed_high: None,
            reported_move: None,
            pv_index: 0,
            root_depth: 0,
            null_move_min_ply: 0,
        }
    }

    /// Searches until a limit is hit or the control says stop.
    fn search(
        &mut self,
        task: Task,
        control: Arc<Control>,
        listen: SearchListener<'_>,
    ) -> SearchResult {
        self.board = task.board;
        self.limits = task.limits;
        self.style = task.style;
        self.style.strength = task.style.strength.map(|it| it.in_position(&self.board));
        self.silent = task.silent;
        self.tb_probe = task.probe;
        self.control = control;
        self.nodes = 0;
        self.stopped = false;
        self.null_move_min_ply = 0;
        self.stack.clear();
        // A limited strength uses the hand-crafted evaluation, with which it was measured,
        // so that a better network does not change it.
        let network = self.style.strength.and_then(|_| self.evaluator.lay_aside());
        self.evaluator.reset(&self.board);
        let result = self.iterate(task.multi_pv, listen);
        if let Some(network) = network {
            self.evaluator.take_up(network);
        }
        self.publish_nodes();
        result
    }

    /// Makes a move, which `stack[ply]` already holds, and updates what follows the board.
    #[inline(always)]
    fn make(&mut self, mv: Move, ply: usize) {
        self.evaluator.push(&self.board, mv);
        self.board.make(mv);
        self.correction_history.prefetch(&self.board, self.last_moves(ply + 1));
    }

    #[inline(always)]
    fn unmake(&mut self, mv: Move) {
        self.board.unmake(mv);
        self.evaluator.pop();
    }

    /// The static evaluation of the position on the board.
    #[inline(always)]
    fn evaluate(&mut self) -> Score {
        let eval = self.evaluator.evaluate(&self.board);
        self.style.with_noise(eval, self.board.key())
    }

    /// Counts a node and checks the limits.
    #[inline(always)]
    fn visit(&mut self, ply: usize) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(1024) {
            self.publish_nodes();
            // Whoever notices first tells the others: where there are more workers than
            // processors, each has to wait for its turn to look at the clock.
            if self.control.past_hard_limit() {
                self.control.stop();
            }
        }
        self.stopped |= self.control.is_stopped()
            || self.limits.nodes.is_some_and(|limit| {
                // A single worker knows the number exactly.
                let alone = self.counts.0.len() == 1;
                (if alone { self.nodes } else { self.total_nodes() }) >= limit
            });
    }

    fn publish_nodes(&self) {
        let [nodes, tb_hits] = &self.counts.0[self.index];
        nodes.store(self.nodes, Ordering::Relaxed);
        tb_hits.store(self.tb_hits, Ordering::Relaxed);
    }

    /// The nodes of all workers, as last published.
    fn total_nodes(&self) -> u64 {
        self.publish_nodes();
        self.counts.nodes()
    }
}
