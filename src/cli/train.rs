//! `gambeson train`: a network from games.

use super::{CliError, progress_bar};
use crate::eval::nnue::Network;
use crate::train::{Measure, ReferenceSet, Samples, Training, TrainingOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Train a network on games
///
/// Writes the network, a plot of the losses (.svg) and, after each epoch, a
/// checkpoint (.checkpoint) from which an interrupted run resumes. The same
/// data, options and seed give the same network, byte for byte.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Game files, packed or not
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Neurons in the hidden layer, a multiple of 64
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = hidden)]
    hidden: usize,
    /// Start from this network; it is widened if --hidden is larger
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Report the error of the finished network on this reference set, and the factor
    /// that would bring its values closest to the scores there
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// 0 writes a network with random weights
    #[arg(long, value_name = "N", default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(0..=10_000))]
    epochs: u32,
    #[arg(long, value_name = "N", default_value_t = 8_192,
        value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    batch: u32,
    /// Initial learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1.5e-3)]
    rate: f32,
    /// Final learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1e-5)]
    final_rate: f32,
    /// Steps of learning-rate warm-up
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    warm_up: u32,
    #[arg(long, value_name = "DECAY", default_value_t = 0.01)]
    weight_decay: f32,
    /// Share of the game result in the target; the rest is the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    result_share: f32,
    /// Share of the result in the last epoch [default: the same]
    #[arg(long, value_name = "SHARE")]
    final_result_share: Option<f32>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Print what came of it as one line of JSON at the end
    #[arg(long)]
    json: bool,
}

fn hidden(text: &str) -> Result<usize, String> {
    let wanted = "not a multiple of 64 from 64 to 1024";
    match text.parse::<usize>() {
        Ok(number) if (64..=1024).contains(&number) && number.is_multiple_of(64) => Ok(number),
        _ => Err(wanted.to_owned()),
    }
}

fn read_network(path: &Path) -> Result<Network, CliError> {
    let failed = |source| CliError::Net { path: path.display().to_string(), source };
    Network::read(path).map_err(failed)
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    // What is wrong with these shall show before the work begins.
    let from = args.from.as_deref().map(read_network).transpose()?;
    let reference = args.reference.as_deref().map(ReferenceSet::read).transpose()?;
    let threads = args.threads as usize;
    let mut samples = Samples::new(&args.out.with_extension("samples"));
    for path in &args.data {
        let bar = progress_bar(std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
        samples.read(path, threads, |offset| bar.set_position(offset))?;
        bar.finish_and_clear();
    }
    let (positions, held_out) = (samples.training(), samples.held_out.len());
    if positions == 0 || held_out == 0 {
        return Err(CliError::TooFewPositions(positions));
    }
    let options = TrainingOptions {
        hidden: args.hidden,
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        final_rate: args.final_rate,
        weight_decay: args.weight_decay,
        warm_up: args.warm_up,
        result_share: args.result_share,
        final_result_share: args.final_result_share.unwrap_or(args.result_share),
        seed: args.seed,
    };
    let mut training = Training::new(samples, options, from.as_ref(), threads)?;
    let checkpoint = args.out.with_extension("checkpoint");
    training.resume(&checkpoint)?;
    writeln!(out, "{positions} positions, {held_out} held out; scale {:.1}", training.scale())?;
    if !training.losses().is_empty() {
        writeln!(out, "resuming after epoch {}", training.losses().len())?;
    }
    let epochs_left = u64::from(args.epochs) - training.losses().len() as u64;
    let bar = progress_bar(epochs_left * training.batches() as u64);
    while !training.is_done() {
        let start = Instant::now();
        let loss = training.run_epoch(|| bar.inc(1))?;
        let line = format!(
            "epoch {:>3}: training {:.6}, held out {:.6}, {:.0} positions/s",
            loss.epoch,
            loss.training,
            loss.held_out,
            positions as f64 / start.elapsed().as_secs_f64()
        );
        bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        training.write_checkpoint(&checkpoint)?;
    }
    bar.finish_and_clear();
    let network = training.finish();
    let measured = reference.map(|reference| reference.measure(&network));
    if let Some(Measure { error, unit }) = measured {
        writeln!(out, "reference error {error:.6}, unit {unit:.3}")?;
    }
    let failed = |source| CliError::Write { path: args.out.display().to_string(), source };
    crate::files::replace(&args.out, &network.to_bytes()).map_err(failed)?;
    if !training.losses().is_empty() {
        training.plot(&args.out.with_extension("svg"))?;
    }
    writeln!(out, "{}: {} neurons, {}", args.out.display(), network.hidden(), network.record())?;
    if args.json {
        let last = training.losses().last();
        let number = |value: Option<f64>| value.map_or("null".to_owned(), |it| format!("{it:.6}"));
        writeln!(
            out,
            r#"{{"positions":{positions},"held_out_positions":{held_out},"epochs":{},"hidden":{},"checksum":"{:08x}","loss":{},"held_out_loss":{},"reference_error":{},"unit":{}}}"#,
            training.losses().len(),
            network.hidden(),
            network.checksum(),
            number(last.map(|loss| loss.training)),
            number(last.map(|loss| loss.held_out)),
            number(measured.map(|it| it.error)),
            number(measured.map(|it| f64::from(it.unit))),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
