//! `gambeson duel`: which of two nets plays better.

use super::{CliError, progress_bar};
use crate::eval::nnue::{self, Network};
use crate::selfplay::duel::{Conditions, Contender, duel};
use crate::time::Limits;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Let two nets play against each other
///
/// Openings are random; each is played twice with colours changed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A net, "hand" for the hand-made evaluation, or "built-in" for the built-in net
    first: String,
    /// Its opponent
    second: String,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    pairs: u32,
    /// Begin no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Milliseconds for each move, instead of nodes
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    movetime: Option<u64>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The share of openings of Chess960, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    frc_share: f64,
}

pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let players = [player(&args.first)?, player(&args.second)?];
    let limits = match args.movetime {
        Some(time) => Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() },
        None => Limits {
            soft_nodes: Some(args.nodes),
            nodes: Some(args.nodes.saturating_mul(8)),
            ..Limits::default()
        },
    };
    let conditions = Conditions {
        openings: args.pairs,
        limits,
        seed: args.seed,
        chess960: (args.frc_share.clamp(0.0, 100.0) * 10.0).round() as u16,
        threads: args.threads as usize,
    };
    let bar = progress_bar(u64::from(args.pairs));
    let terminal = std::io::stderr().is_terminal();
    let score = duel(
        &players,
        &conditions,
        |_| {},
        |score| {
            bar.inc(1);
            if !terminal && score.games().is_multiple_of(100) {
                eprintln!("{} games: {score}", score.games());
            }
        },
    );
    bar.finish_and_clear();
    let score = score.map_err(CliError::Memory)?;
    writeln!(out, "{} games: {score}", score.games())?;
    Ok(ExitCode::SUCCESS)
}

fn player(name: &str) -> Result<Contender, CliError> {
    match name {
        "hand" => Ok(None),
        "built-in" => nnue::embedded().map(Some).ok_or(CliError::NoNet),
        path => match Network::read(Path::new(path)) {
            Ok(network) => Ok(Some(Arc::new(network))),
            Err(source) => Err(CliError::Net { path: path.to_owned(), source }),
        },
    }
}
