//! `gambeson perft`: count, verify, or run a suite.

use super::{CliError, progress_bar};
use crate::board::Board;
use crate::perft::{self, PerftOptions, Suite};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Count the leaf nodes of the tree of legal moves
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Depth in plies
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(0..=99))]
    depth: Option<u32>,
    /// The position; the start position if absent
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count below each legal move
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes of hash table
    #[arg(long, value_name = "MB", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    hash: u32,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Check every invariant at every node (slow)
    #[arg(long, conflicts_with_all = ["threads", "hash", "divide"])]
    verify: bool,
    /// Run an EPD file with known counts (FEN ;D1 20 ;D2 400 …)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "divide", "hash", "verify"])]
    suite: Option<PathBuf>,
    /// With --suite: the deepest counts to check
    #[arg(long, value_name = "D", requires = "suite", conflicts_with = "depth")]
    max_depth: Option<u32>,
}

impl Args {
    fn options(&self) -> PerftOptions {
        PerftOptions { threads: self.threads.into(), hash: self.hash as usize }
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if let Some(path) = &args.suite {
        return run_suite(path, args, out);
    }
    let board = match &args.fen {
        Some(fen) => Board::from_fen(fen)?,
        None => Board::startpos(),
    };
    let depth = args.depth.unwrap_or_default();
    if args.verify { verify(board, depth, out) } else { count(&board, depth, args, out) }
}

fn count(
    board: &Board,
    depth: u32,
    args: &Args,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let bar = progress_bar(0);
    let start = Instant::now();
    let progress = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    // Nobody else holds the flag, so the count always ends.
    let never = AtomicBool::new(false);
    let parts = perft::divide(board, depth, args.options(), &never, &progress)
        .map_err(CliError::Memory)?
        .unwrap_or_default();
    let elapsed = start.elapsed();
    bar.finish_and_clear();
    let chess960 = args.chess960 || !board.castling_is_orthodox();
    writeln!(out, "{}", perft::report(&parts, depth, args.divide, chess960, elapsed))?;
    Ok(ExitCode::SUCCESS)
}

fn verify(mut board: Board, depth: u32, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let start = Instant::now();
    match perft::verify(&mut board, depth) {
        Ok(nodes) => {
            writeln!(out, "{}", perft::total(nodes, start.elapsed()))?;
            writeln!(out, "Every invariant holds at every node.")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(violation) => {
            writeln!(out, "Violation: {violation}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn run_suite(path: &Path, args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let suite = Suite::read(path)?;
    let bar = progress_bar(suite.len() as u64);
    let start = Instant::now();
    let max_depth = args.max_depth.unwrap_or(u32::MAX);
    let report = suite.run(max_depth, args.options(), &|done| bar.set_position(done as u64));
    let elapsed = start.elapsed();
    bar.finish_and_clear();
    for failure in &report.failures {
        writeln!(out, "{failure}")?;
    }
    writeln!(
        out,
        "{} positions, {} counts, {} failures",
        report.positions,
        report.counts,
        report.failures.len()
    )?;
    writeln!(out, "{}", perft::total(report.nodes, elapsed))?;
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
