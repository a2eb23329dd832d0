//! A fixed workload: the same positions to the same depth give the same number of
//! nodes on every machine. The number is a checksum of the search, and the speed
//! compares machines and builds.

use crate::board::Board;
use crate::search::event::SearchEvent;
use crate::search::{Control, Pool, Task};
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Openings, middlegames and endings, quiet and wild, and a mate.
pub const POSITIONS: [&str; 16] = [
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",
    "r1bqk2r/ppp1bppp/2n1pn2/3p4/3P1B2/2PBPN2/PP3PPP/RN1QK2R b KQkq - 2 6",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "8/pp3pk1/2p2np1/4p2p/2PpP2P/1P1P1NP1/P4PK1/8 w - - 0 30",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
];

pub(crate) const DEFAULT_DEPTH: u32 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    pub(crate) depth: u32,
    pub(crate) threads: u32,
    /// Megabytes.
    pub(crate) hash: usize,
}

impl BenchOptions {
    /// Reads `[depth] [threads] [hash]`.
    pub(crate) fn parse(arguments: &[String]) -> Result<BenchOptions, String> {
        let number = |index: usize, default: u32| match arguments.get(index) {
            None => Ok(default),
            Some(text) => match text.parse() {
                Ok(0) | Err(_) => Err(format!("\"{text}\" is not a positive number")),
                Ok(number) => Ok(number),
            },
        };
        Ok(BenchOptions {
            depth: number(0, DEFAULT_DEPTH)?,
            threads: number(1, 1)?,
            hash: number(2, 16)? as usize,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BenchReport {
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl fmt::Display for BenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {speed:.0} nps", self.nodes)
    }
}

/// Searches every position, each with empty tables, and calls `progress` with the
/// number done. Ends early if `control` is stopped.
pub(crate) fn run(
    options: BenchOptions,
    control: &Control,
    progress: &mut dyn FnMut(usize),
) -> io::Result<BenchReport> {
    let mut time = Duration::ZERO;
    let mut nodes = 0;
    let table = Arc::new(TranspositionTable::new(options.hash)?);
    let mut pool = Pool::new(options.threads as usize, &table)?;
    for (index, fen) in POSITIONS.iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        pool.clear();
        let board = Board::from_fen(fen).map_err(io::Error::other)?;
        let limits = Limits { depth: Some(options.depth), ..Limits::default() };
        let task = Task::new(board, limits);
        let unlimited = Arc::new(Control::new(Budget::UNLIMITED));
        let stopper = Arc::clone(&unlimited);
        let mut listen = |event: SearchEvent| {
            if matches!(event, SearchEvent::Info(_)) && control.is_stopped() {
                stopper.stop();
            }
        };
        let start = Instant::now();
        nodes += pool.search(task, &unlimited, &mut listen).nodes;
        time += start.elapsed();
        progress(index + 1);
    }
    Ok(BenchReport { nodes, time })
}

/// How many positions there are.
pub(crate) const fn positions() -> usize {
    POSITIONS.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_nodes_twice() {
        let options = BenchOptions { depth: 4, threads: 1, hash: 1 };
        let control = Control::new(Budget::UNLIMITED);
        let once = run(options, &control, &mut |_| {}).expect("memory");
        let twice = run(options, &control, &mut |_| {}).expect("memory");
        assert_eq!(once.nodes, twice.nodes);
        assert!(once.nodes > 1_000);
    }

    #[test]
    fn arguments() {
        let parse = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            BenchOptions::parse(&words)
        };
        assert_eq!(parse(""), Ok(BenchOptions { depth: DEFAULT_DEPTH, threads: 1, hash: 16 }));
        assert_eq!(parse("5 2 32"), Ok(BenchOptions { depth: 5, threads: 2, hash: 32 }));
        assert!(parse("five").is_err() && parse("0").is_err());
    }
}
