//! `gambeson datagen`: games of the engine against itself.

use super::CliError;
use crate::eval::nnue::{self, Network};
use crate::selfplay::{Goal, Progress, Settings, generate};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Generate self-play games for tuning and training
///
/// The same seed and settings give the same games. If the file exists, it is
/// continued, so Ctrl-C loses nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Stop when the file contains this many games
    #[arg(long, value_name = "N", required_unless_present = "positions",
        value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    games: Option<u64>,
    /// Stop when the file contains this many usable positions
    #[arg(long, value_name = "N", conflicts_with = "games")]
    positions: Option<u64>,
    /// Soft node limit: start no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The game file to write or to continue
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Percentage of games that start from a Chess960 position
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    frc_share: f64,
    /// Evaluate with this network instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Use the hand-crafted evaluation
    #[arg(long, conflicts_with = "net")]
    no_net: bool,
}

/// How often somebody without a terminal wants to hear of it.
const INTERVAL: Duration = Duration::from_secs(30);

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let chess960 = (args.frc_share.clamp(0.0, 100.0) * 10.0).round() as u16;
    let settings = Settings { seed: args.seed, nodes: args.nodes, chess960 };
    let goal = match (args.games, args.positions) {
        (Some(games), _) => Goal::Games(games),
        (None, positions) => Goal::Positions(positions.unwrap_or_default()),
    };
    let network = match &args.net {
        Some(path) => {
            let failed = |source| CliError::Net { path: path.display().to_string(), source };
            Some(Arc::new(Network::read(path).map_err(failed)?))
        }
        None => nnue::embedded().filter(|_| !args.no_net),
    };
    let mut reporter = Reporter::new(goal);
    let threads = args.threads as usize;
    let progress = generate(&args.out, settings, network.as_ref(), goal, threads, |now| {
        reporter.report(now);
    })?;
    reporter.finish();
    let before = match progress.games_before {
        0 => String::new(),
        games => format!(", {games} of them from before"),
    };
    let (games, positions) = (progress.games, progress.positions);
    writeln!(out, "{games} games{before}, {positions} positions; {}", reporter.speed(&progress))?;
    Ok(ExitCode::SUCCESS)
}

/// A bar on a terminal, a line now and then elsewhere; both on stderr.
pub(super) struct Reporter {
    goal: Goal,
    bar: Option<ProgressBar>,
    start: Instant,
    last_line: Instant,
}

impl Reporter {
    pub(super) fn new(goal: Goal) -> Reporter {
        let bar = std::io::stderr().is_terminal().then(|| {
            let length = match goal {
                Goal::Games(number) | Goal::Positions(number) => number,
            };
            let bar = ProgressBar::new(length);
            let template = "{elapsed_precise} [{wide_bar}] {pos}/{len} {msg}";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar
        });
        let now = Instant::now();
        Reporter { goal, bar, start: now, last_line: now }
    }

    pub(super) fn report(&mut self, progress: &Progress) {
        match &self.bar {
            Some(bar) => {
                let done = match self.goal {
                    Goal::Games(_) => progress.games,
                    Goal::Positions(_) => progress.positions,
                };
                bar.set_position(done);
                bar.set_message(self.speed(progress));
            }
            None if self.last_line.elapsed() >= INTERVAL => {
                self.last_line = Instant::now();
                let (games, positions) = (progress.games, progress.positions);
                eprintln!("{games} games, {positions} positions; {}", self.speed(progress));
            }
            None => {}
        }
    }

    /// Positions a second in this run, and the time left at that speed.
    pub(super) fn speed(&self, progress: &Progress) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let positions = (progress.positions - progress.positions_before) as f64 / seconds;
        let games = (progress.games - progress.games_before) as f64 / seconds;
        let (left, speed) = match self.goal {
            Goal::Games(goal) => (goal.saturating_sub(progress.games), games),
            Goal::Positions(goal) => (goal.saturating_sub(progress.positions), positions),
        };
        let mut text = format!("{positions:.0} positions/s");
        if left > 0 && speed > 0.0 {
            let minutes = (left as f64 / speed / 60.0).ceil() as u64;
            text += &format!(", {} h {:02} min left", minutes / 60, minutes % 60);
        }
        text
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
