//! Perft suites: EPD files with a position and its known counts in each line,
//! `FEN ;D1 20 ;D2 400`. A part `;id "…"` may name the position, and lines that
//! start with `#` are comments.

use super::{PerftOptions, perft};
use crate::board::{Board, FenError};
use crate::files;
use crate::parallel::in_parallel;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SuiteError {
    #[error("cannot read {path}: {source}")]
    File { path: String, source: std::io::Error },
    #[error("there are no positions in {path}")]
    Empty { path: String },
}

/// The largest file that is read.
const MAX_FILE: u64 = 1 << 30;

/// Why a line of a suite did not pass.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("line {line}: {error}")]
    Fen { line: usize, error: FenError },
    #[error("line {line}: \"{part}\" is neither a count such as D3 8902 nor a comment")]
    Part { line: usize, part: String },
    #[error("line {line}: there are no counts")]
    NoCounts { line: usize },
    #[error("line {line}: depth {depth}: expected {expected}, found {found} ({fen})")]
    Mismatch { line: usize, depth: u32, expected: u64, found: u64, fen: String },
}

#[derive(Debug)]
struct SuiteEntry {
    line: usize,
    board: Board,
    counts: Vec<(u32, u64)>,
}

/// A suite, read but not run.
#[derive(Debug)]
pub struct Suite {
    entries: Vec<SuiteEntry>,
    unreadable: Vec<Failure>,
}

/// What running a suite found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SuiteReport {
    pub positions: usize,
    pub counts: usize,
    pub nodes: u64,
    pub failures: Vec<Failure>,
}

impl Suite {
    pub fn read(path: &Path) -> Result<Suite, SuiteError> {
        let name = || path.display().to_string();
        let bytes = files::read(path, MAX_FILE)
            .map_err(|source| SuiteError::File { path: name(), source })?;
        let suite = Suite::parse(&String::from_utf8_lossy(&bytes));
        if suite.entries.is_empty() && suite.unreadable.is_empty() {
            return Err(SuiteError::Empty { path: name() });
        }
        Ok(suite)
    }

    pub(crate) fn parse(text: &str) -> Suite {
        let mut suite = Suite { entries: Vec::new(), unreadable: Vec::new() };
        for (index, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match parse_line(index + 1, text) {
                Ok(entry) => suite.entries.push(entry),
                Err(failure) => suite.unreadable.push(failure),
            }
        }
        suite
    }

    /// How many positions could be read.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Counts every position to every depth given, up to `max_depth`. Threads work
    /// on different positions. `progress` is called with the positions done.
    pub fn run(
        &self,
        max_depth: u32,
        options: PerftOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> SuiteReport {
        let counts = AtomicUsize::new(0);
        let nodes = AtomicU64::new(0);
        let done = AtomicUsize::new(0);
        let failures = in_parallel(options.threads, &self.entries, |entry| {
            let mut board = entry.board.clone();
            let mut failures = Vec::new();
            for &(depth, expected) in entry.counts.iter().filter(|count| count.0 <= max_depth) {
                let found = perft(&mut board, depth);
                counts.fetch_add(1, Ordering::Relaxed);
                nodes.fetch_add(found, Ordering::Relaxed);
                if found != expected {
                    let (line, fen) = (entry.line, board.fen());
                    failures.push(Failure::Mismatch { line, depth, expected, found, fen });
                }
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            failures
        });
        SuiteReport {
            positions: self.entries.len(),
            counts: counts.into_inner(),
            nodes: nodes.into_inner(),
            failures: self
                .unreadable
                .iter()
                .cloned()
                .chain(failures.into_iter().flatten())
                .collect(),
        }
    }
}

fn parse_line(line: usize, text: &str) -> Result<SuiteEntry, Failure> {
    let mut parts = text.split(';');
    let fen = parts.next().unwrap_or_default();
    let board = Board::from_fen(fen).map_err(|error| Failure::Fen { line, error })?;
    let mut counts = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let mut words = part.split_ascii_whitespace();
        let opcode = words.next().unwrap_or_default();
        if matches!(opcode, "id" | "c0") {
            continue;
        }
        let depth = opcode.strip_prefix('D').and_then(|depth| depth.parse().ok());
        let count = words.next().and_then(|count| count.parse().ok());
        match (depth, count, words.next()) {
            (Some(depth), Some(count), None) => counts.push((depth, count)),
            _ => return Err(Failure::Part { line, part: part.to_owned() }),
        }
    }
    if counts.is_empty() {
        return Err(Failure::NoCounts { line });
    }
    Ok(SuiteEntry { line, board, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_wrong_and_unreadable_lines() {
        let suite = Suite::parse(
            "# a comment\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id \"start\"\n\
             \n\
             8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 14 ;D2 190 ;D9 1\n\
             8/8/8/8/8/8/8/8 w - - ;D1 0\n\
             4k3/8/8/8/8/8/8/4K3 w - - ;D1 five\n\
             4k3/8/8/8/8/8/8/4K3 w - -\n",
        );
        assert_eq!(suite.len(), 2);
        let report = suite.run(3, PerftOptions { threads: 2, hash: 0 }, &|_| {});
        assert_eq!((report.positions, report.counts), (2, 4));
        assert_eq!(report.nodes, 20 + 400 + 14 + 191);
        let lines: Vec<String> =
            report.failures.iter().map(|failure| failure.to_string()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], "line 5: white has 0 kings instead of one");
        assert!(lines[1].starts_with("line 6: \"D1 five\""));
        assert_eq!(lines[2], "line 7: there are no counts");
        assert!(lines[3].starts_with("line 4: depth 2: expected 190, found 191 (8/2p5"));
    }
}
