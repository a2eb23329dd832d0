//! `gambeson spsa`: better search parameters, found by playing.

use super::duel::read_openings;
use super::{CliError, progress_bar};
use crate::selfplay::duel::Openings;
use crate::tune::spsa::{Spsa, SpsaSettings};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tune search parameters by self-play
///
/// The path is written to the state file after each step; the same command resumes from
/// it. Prints the average of the last 20 % of the path when all pairs are played.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The path so far, as CSV
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Parameters to tune [default: all]
    names: Vec<String>,
    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pairs: u32,
    /// Pairs of games between two steps
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..))]
    pairs_a_step: u32,
    /// Soft node limit: start no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// How far parameters are moved in the last steps, as a part of their value
    #[arg(long, value_name = "SHARE", default_value_t = 0.15)]
    reach: f64,
    /// The size of the last steps
    #[arg(long, value_name = "RATE", default_value_t = 0.004)]
    rate: f64,
    /// An EPD file of openings, instead of random ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Draw the path of each parameter into this folder
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
}

/// Steps between two drawings.
const STEPS_A_PLOT: u32 = 50;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let settings = SpsaSettings {
        pairs: args.pairs,
        pairs_a_step: args.pairs_a_step,
        nodes: args.nodes,
        reach: args.reach,
        rate: args.rate,
        seed: args.seed,
        openings: match &args.openings {
            Some(path) => read_openings(path)?,
            None => Openings::Random { chess960: 0 },
        },
        threads: args.threads as usize,
    };
    let mut spsa = Spsa::open(settings, &args.names, &args.state)?;
    let bar = progress_bar(u64::from(args.pairs));
    bar.set_position(u64::from(spsa.done));
    while !spsa.is_done() {
        spsa.step()?;
        bar.set_position(u64::from(spsa.done));
        if let Some(folder) = &args.plots
            && (spsa.done / args.pairs_a_step).is_multiple_of(STEPS_A_PLOT)
        {
            spsa.plot(folder)?;
        }
    }
    bar.finish_and_clear();
    if let Some(folder) = &args.plots {
        spsa.plot(folder)?;
    }
    for (number, average) in spsa.numbers.iter().zip(spsa.averages()) {
        let tunable = number.tunable;
        let value = average.round() as i32;
        write!(out, "{:<28} {:>6} -> {value}", tunable.name, tunable.default)?;
        if tunable.scale > 1 {
            let plain = |value: i32| f64::from(value) / f64::from(tunable.scale);
            write!(out, " ({:.2} -> {:.2})", plain(tunable.default), plain(value))?;
        }
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
