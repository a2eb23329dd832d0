//! `gambeson bench`: a fixed workload and its node count.

use super::{CliError, progress_bar};
use crate::bench::{self, BenchOptions, DEFAULT_DEPTH};
use crate::search::Control;
use crate::time::Budget;
use std::io::Write;
use std::process::ExitCode;

/// Search fixed positions; the last line is "N nodes M nps"
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Plies to search each position
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: u32,
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Megabytes of hash table
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let options =
        BenchOptions { depth: args.depth, threads: args.threads, hash: args.hash as usize };
    let bar = progress_bar(bench::positions() as u64);
    let control = Control::new(Budget::UNLIMITED);
    let report = bench::run(options, &control, &mut |done| bar.set_position(done as u64))
        .map_err(CliError::Memory)?;
    bar.finish_and_clear();
    writeln!(out, "{report}")?;
    Ok(ExitCode::SUCCESS)
}
