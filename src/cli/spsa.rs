//! `gambeson spsa`: better numbers for the search, found by playing.

use super::{CliError, progress_bar};
use crate::tune::spsa::{Settings, Spsa};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tune the numbers of the search by playing against itself
///
/// The state is written after each step; the same command goes on from it. Prints
/// what became of each number when all pairs are played.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the tuning stands
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The numbers to tune; all if none is named
    names: Vec<String>,
    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pairs: u32,
    /// Pairs of games between two steps
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..))]
    pairs_a_step: u32,
    /// Begin no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// The size of the last steps
    #[arg(long, value_name = "RATE", default_value_t = 0.004)]
    rate: f64,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let settings = Settings {
        pairs: args.pairs,
        pairs_a_step: args.pairs_a_step,
        nodes: args.nodes,
        rate: args.rate,
        seed: args.seed,
        threads: args.threads as usize,
    };
    let mut spsa = Spsa::new(settings, &args.names)?;
    spsa.resume(&args.state)?;
    let bar = progress_bar(u64::from(args.pairs));
    bar.set_position(u64::from(spsa.done));
    while !spsa.is_done() {
        spsa.step()?;
        spsa.write(&args.state)?;
        bar.set_position(u64::from(spsa.done));
    }
    bar.finish_and_clear();
    for number in &spsa.numbers {
        let tunable = number.tunable;
        let value = number.value.round() as i32;
        writeln!(out, "{:<28} {:>6} -> {value}", tunable.name, tunable.default)?;
    }
    Ok(ExitCode::SUCCESS)
}
