//! `gambeson tune`: the weights of the hand-crafted evaluation, fitted to games.

use super::{CliError, progress_bar};
use crate::eval::trace::Weights;
use crate::tune::{self, Dataset, FitOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Fit the hand-crafted evaluation to games and write it as Rust source
///
/// The file belongs in src/eval/weights.rs. The same data, options and seed give
/// the same file.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Game files
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The Rust file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[arg(long, value_name = "N", default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Share of the game result in the target; the rest is the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.4)]
    result_share: f32,
    /// Initial learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1.0)]
    rate: f32,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
}

/// Fewer positions say nothing about hundreds of weights.
const FEWEST_POSITIONS: usize = 1_000;

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let start = Instant::now();
    let (mut training, mut held_out) = (Dataset::default(), Dataset::default());
    for path in &args.data {
        let bar = progress_bar(std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
        Dataset::read(path, &mut training, &mut held_out, |offset| bar.set_position(offset))?;
        bar.finish_and_clear();
    }
    if training.len() < FEWEST_POSITIONS || held_out.is_empty() {
        return Err(CliError::TooFewPositions(training.len() as u64));
    }
    let options = FitOptions {
        epochs: args.epochs,
        result_share: args.result_share.clamp(0.0, 1.0),
        rate: args.rate,
        seed: args.seed,
        threads: args.threads as usize,
    };
    let scale = training.fit_scale();
    let mut weights = Weights::in_use();
    let (positions, kept) = (training.len(), held_out.len());
    writeln!(out, "{positions} positions, {kept} held out; scale {scale:.1}")?;
    let before = held_out.loss(&weights, scale, options.result_share);
    writeln!(out, "before: held out {before:.6}")?;
    let bar = progress_bar(u64::from(args.epochs));
    let mut lines = Ok(());
    tune::fit(&training, &held_out, &mut weights, scale, &options, |epoch| {
        let line = format!(
            "epoch {:>3}: training {:.6}, held out {:.6}, {:.0} s",
            epoch.number,
            epoch.training_loss,
            epoch.held_out_loss,
            start.elapsed().as_secs_f64()
        );
        let written = bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()));
        lines = std::mem::replace(&mut lines, Ok(())).and(written);
        bar.inc(1);
    });
    bar.finish_and_clear();
    lines?;
    let made_from = format!("fitted to {positions} positions of own games");
    crate::files::write(&args.out, tune::source(&weights, &made_from))
        .map_err(|source| CliError::Write { path: args.out.display().to_string(), source })?;
    Ok(ExitCode::SUCCESS)
}
