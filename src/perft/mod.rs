//! Perft: counting the leaves of the tree of legal moves, to prove the move
//! generator right and to time it.
//!
//! The last ply is counted, not played. Work is shared between threads two
//! plies below the root; a hash table, shared too, is optional.

mod suite;
mod table;
mod verify;

pub use suite::Suite;
pub(crate) use suite::SuiteError;
pub(crate) use verify::verify;

use crate::board::{All, Board, Count};
use crate::parallel::in_parallel;
use crate::types::{Black, Color, Move, MoveList, Side, White};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use table::Table;

/// Below this depth a subtree takes so little time that nobody waits for it.
const SMALL_DEPTH: u32 = 4;

/// How many moves ahead the hash table is fetched into the cache.
const PREFETCH_DISTANCE: usize = 3;

/// How to count.
#[derive(Debug, Clone, Copy)]
pub struct PerftOptions {
    pub threads: usize,
    /// Megabytes of hash table; 0 for none.
    pub hash: usize,
}

impl Default for PerftOptions {
    fn default() -> PerftOptions {
        PerftOptions { threads: 1, hash: 0 }
    }
}

/// The number of leaves `depth` plies below `board`, on one thread without hash.
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    let counter = Counter { table: None, stop: &AtomicBool::new(false) };
    counter.count(board, depth)
}

/// The leaves below each legal move, in the order of generation. `progress` is
/// called with the parts done and their total. Fails if there is no memory for the
/// hash table; `None` if `stop` was set before the end.
pub fn divide(
    board: &Board,
    depth: u32,
    options: PerftOptions,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> io::Result<Option<Vec<(Move, u64)>>> {
    let table = (options.hash > 0).then(|| Table::new(options.hash)).transpose()?;
    let counter = Counter { table: table.as_ref(), stop };
    let moves = board.legal_moves();
    let parts = split(board, &moves, depth);
    let done = AtomicUsize::new(0);
    let counts = in_parallel(options.threads, &parts, |part| {
        let mut board = board.clone_without_history();
        for &mv in &part.line {
            board.make(mv);
        }
        let nodes = counter.count(&mut board, depth.saturating_sub(part.line.len() as u32));
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
        nodes
    });
    let mut totals: Vec<(Move, u64)> = moves.iter().map(|&mv| (mv, 0)).collect();
    for (part, nodes) in parts.iter().zip(counts) {
        totals[part.root_move].1 += nodes;
    }
    Ok((!stop.load(Ordering::Relaxed)).then_some(totals))
}

/// The result as text: a line for each move if wanted, the total, time and speed.
pub(crate) fn report(
    parts: &[(Move, u64)],
    depth: u32,
    divided: bool,
    chess960: bool,
    elapsed: Duration,
) -> String {
    let mut text = String::new();
    let nodes = if depth == 0 { 1 } else { parts.iter().map(|&(_, nodes)| nodes).sum() };
    if divided && depth > 0 {
        for (mv, nodes) in parts {
            text += &format!("{}: {nodes}\n", mv.coordinates(chess960));
        }
        text.push('\n');
    }
    text + &total(nodes, elapsed)
}

/// The lines every count ends with.
pub(crate) fn total(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    format!("Nodes searched: {nodes}\nTime: {seconds:.3} s\nNodes/second: {speed:.0}")
}

/// A subtree to count: the moves that lead to it, the first by its number.
struct Part {
    root_move: usize,
    line: Vec<Move>,
}

/// Two plies deep where that gives more parts than threads could want, one
/// otherwise.
fn split(board: &Board, moves: &[Move], depth: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for (root_move, &mv) in moves.iter().enumerate() {
        if depth < SMALL_DEPTH {
            parts.push(Part { root_move, line: vec![mv] });
            continue;
        }
        let mut next = board.clone_without_history();
        next.make(mv);
        for reply in next.legal_moves() {
            parts.push(Part { root_move, line: vec![mv, reply] });
        }
    }
    parts
}

struct Counter<'a> {
    table: Option<&'a Table>,
    stop: &'a AtomicBool,
}

impl Counter<'_> {
    fn count(&self, board: &mut Board, depth: u32) -> u64 {
        match (depth, board.side_to_move()) {
            (0, _) => 1,
            (1, _) => u64::from(board.count_legal_moves()),
            (_, Color::White) => self.subtree::<White>(board, depth),
            (_, Color::Black) => self.subtree::<Black>(board, depth),
        }
    }

    fn subtree<S: Side>(&self, board: &mut Board, depth: u32) -> u64 {
        match self.table {
            Some(table) => self.hashed::<S>(board, depth, table),
            None => self.plain::<S>(board, depth),
        }
    }

    /// The hot loop, for two plies or more.
    fn plain<S: Side>(&self, board: &mut Board, depth: u32) -> u64 {
        if self.should_stop(depth) {
            return 0;
        }
        let mut moves = MoveList::new();
        board.generate_as::<S, All>(&mut moves);
        let mut nodes = 0;
        for &mv in &moves {
            board.make_as::<S>(mv);
            nodes += if depth == 2 {
                count_moves::<S::Opponent>(board)
            } else {
                self.plain::<S::Opponent>(board, depth - 1)
            };
            board.unmake_as::<S>(mv);
        }
        nodes
    }

    /// The same with a table of subtrees. Whole subtrees of depth two are looked
    /// up as well: that is where most transpositions are.
    fn hashed<S: Side>(&self, board: &mut Board, depth: u32, table: &Table) -> u64 {
        if self.should_stop(depth) {
            return 0;
        }
        if let Some(nodes) = table.get(board.key(), depth) {
            return nodes;
        }
        let mut moves = MoveList::new();
        board.generate_as::<S, All>(&mut moves);
        let mut nodes = 0;
        for (index, &mv) in moves.iter().enumerate() {
            if depth > 2
                && let Some(&later) = moves.get(index + PREFETCH_DISTANCE)
            {
                table.prefetch(board.key_after(later), depth - 1);
            }
            board.make_as::<S>(mv);
            nodes += if depth == 2 {
                count_moves::<S::Opponent>(board)
            } else {
                self.hashed::<S::Opponent>(board, depth - 1, table)
            };
            board.unmake_as::<S>(mv);
        }
        if !self.stop.load(Ordering::Relaxed) {
            table.put(board.key(), depth, nodes);
        }
        nodes
    }

    #[inline(always)]
    fn should_stop(&self, depth: u32) -> bool {
        depth >= SMALL_DEPTH && self.stop.load(Ordering::Relaxed)
    }
}

/// Apart from the loop that calls it: together they need more registers than
/// there are.
#[inline(never)]
fn count_moves<S: Side>(board: &Board) -> u64 {
    let mut count = Count::default();
    board.generate_as::<S, All>(&mut count);
    u64::from(count.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(board: &Board, depth: u32, options: PerftOptions) -> u64 {
        let parts = divide(board, depth, options, &AtomicBool::new(false), &|_, _| {});
        parts
            .expect("there is memory")
            .expect("nobody stops it")
            .iter()
            .map(|&(_, nodes)| nodes)
            .sum()
    }

    #[test]
    fn all_ways_of_counting_agree() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
        let mut board = Board::from_fen(fen).expect(fen);
        for (depth, expected) in [(0, 1), (1, 48), (2, 2_039), (3, 97_862), (4, 4_085_603)] {
            assert_eq!(perft(&mut board, depth), expected);
            if depth == 0 {
                continue;
            }
            for threads in [1, 2, 5] {
                for hash in [0, 1, 16] {
                    let options = PerftOptions { threads, hash };
                    assert_eq!(total(&board, depth, options), expected, "{options:?}");
                }
            }
        }
    }

    #[test]
    fn can_be_stopped() {
        let stop = AtomicBool::new(true);
        let parts = divide(&Board::startpos(), 12, PerftOptions::default(), &stop, &|_, _| {});
        assert_eq!(parts.expect("no table is needed"), None);
    }
}
