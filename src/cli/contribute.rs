//! Games by many machines: `gambeson job` says what to play, `gambeson contribute` plays
//! it, `gambeson data verify` plays some of it again, and `gambeson data merge` keeps who
//! made what.

use super::datagen::Reporter;
use super::{CliError, progress_bar};
use crate::bench::{self, BenchOptions};
use crate::eval::nnue::{self, Network};
use crate::search::Control;
use crate::selfplay::sources::{self, Source};
use crate::selfplay::survey::Copier;
use crate::selfplay::verify::{Check, verify};
use crate::selfplay::{GameWriter, Goal, Job, Origin, Settings, generate_from};
use crate::time::Budget;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Write a job: games for somebody else to play with `gambeson contribute`
#[derive(Debug, clap::Args)]
pub(crate) struct JobArgs {
    /// The job file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of the first game; two jobs of one seed must not overlap
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u32,
    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Soft node limit: start no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    /// Percentage of games that start from a Chess960 position
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    frc_share: f64,
    /// Evaluate with this network instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// Play the games of a job, into a file to send back
///
/// Checks first that program and network play as the job wants it. If the file exists, it
/// is continued, so Ctrl-C loses nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct ContributeArgs {
    #[arg(long, value_name = "FILE")]
    job: PathBuf,
    /// The game file to write or to continue [default: the job's name with .games]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The network of the job, if it is not the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

/// Play random games of a file again and compare them byte for byte
///
/// Exits with 1 if a game is not what its settings and number say.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    file: PathBuf,
    /// How many games to play again
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// The job that the file has to answer
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// The network that played, if it is not the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Draw the sample of this seed, not a random one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

/// No job is longer.
const LARGEST_JOB: u64 = 1 << 16;

pub(crate) fn job(args: &JobArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let network = network(args.net.as_deref())?;
    let chess960 = (args.frc_share.clamp(0.0, 100.0) * 10.0).round() as u16;
    let settings = Settings { seed: args.seed, nodes: args.nodes, chess960 };
    let job = Job::new(program()?, settings, network.as_ref(), args.first, args.games)?;
    // What cannot be read again is refused now.
    let job = Job::parse(&job.to_string()).map_err(|source| refused(&args.out, source))?;
    let failed = |source| CliError::Write { path: args.out.display().to_string(), source };
    crate::files::write(&args.out, job.to_string()).map_err(failed)?;
    let games = job.range();
    writeln!(out, "games {} to {} of seed {}", games.start, games.end - 1, args.seed)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn contribute(
    args: &ContributeArgs,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let job = read_job(&args.job)?;
    let network = network(args.net.as_deref())?;
    let program = || program().unwrap_or_else(|error| error.to_string());
    let fits = job.fits(network.as_ref(), program)?;
    fits.map_err(|source| refused(&args.job, source))?;
    let target = args.out.clone().unwrap_or_else(|| args.job.with_extension("games"));
    let goal = Goal::Games(u64::from(job.games));
    let mut reporter = Reporter::new(goal);
    let (threads, network) = (args.threads as usize, network.as_ref());
    let progress =
        generate_from(job.first, &target, job.settings, network, goal, threads, |now| {
            reporter.report(now);
        })?;
    reporter.finish();
    let (games, positions) = (progress.games, progress.positions);
    let speed = reporter.speed(&progress);
    writeln!(out, "{}: {games} games, {positions} positions; {speed}", target.display())?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn verify_file(args: &VerifyArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let job = args.job.as_deref().map(read_job).transpose()?;
    let network = network(args.net.as_deref())?;
    let check = Check {
        network: network.as_ref(),
        job: job.as_ref(),
        sample: args.sample,
        // Nobody can know it before.
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one(0)),
        threads: args.threads as usize,
    };
    let bar = progress_bar(args.sample as u64);
    let verified = verify(&args.file, check, || bar.inc(1))?;
    bar.finish_and_clear();
    for forgery in &verified.forged {
        writeln!(out, "{forgery}")?;
    }
    let (games, replayed, wrong) = (verified.games, verified.replayed, verified.forged.len());
    let others = match verified.others {
        0 => String::new(),
        others => format!(" ({others} cannot be played again)"),
    };
    if wrong > 0 {
        writeln!(out, "{games} games{others}, {replayed} played again, {wrong} of them differ")?;
        return Ok(ExitCode::FAILURE);
    }
    let share = 100.0 * verified.largest_share();
    writeln!(
        out,
        "{games} games{others}, {replayed} played again, all the same; with 95 % confidence at \
         most {share:.2} % are forged"
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Copies all games into a new file, and who made them into a list beside it.
pub(crate) fn merge(
    files: &[PathBuf],
    target: &Path,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let sources: Vec<Vec<Source>> =
        files.iter().map(|path| sources::of_file(path)).collect::<Result<_, _>>()?;
    let sources = sources.concat();
    sources::refuse_duplicates(&sources)?;
    let mut copier = Copier::new(GameWriter::create(target, Origin::Collection)?, false);
    super::data::copy_all(&mut copier, files, target)?;
    sources::write(target, &sources)?;
    let copied = copier.copied();
    let (games, usable, count) = (copied.games, copied.usable, sources.len());
    writeln!(out, "{games} games, {usable} positions from {count} sources")?;
    Ok(ExitCode::SUCCESS)
}

fn read_job(path: &Path) -> Result<Job, CliError> {
    let bytes = crate::files::read(path, LARGEST_JOB)
        .map_err(|source| CliError::File { path: path.display().to_string(), source })?;
    Job::parse(&String::from_utf8_lossy(&bytes)).map_err(|source| refused(path, source))
}

fn refused(path: &Path, source: crate::selfplay::JobError) -> CliError {
    CliError::Job { path: path.display().to_string(), source }
}

/// The network of a file, or the built-in one.
fn network(path: Option<&Path>) -> Result<Option<Arc<Network>>, CliError> {
    let Some(path) = path else { return Ok(nnue::embedded()) };
    let failed = |source| CliError::Net { path: path.display().to_string(), source };
    Ok(Some(Arc::new(Network::read(path).map_err(failed)?)))
}

/// Version and bench, by which people find the commit to build.
fn program() -> Result<String, CliError> {
    let options = BenchOptions { depth: bench::DEFAULT_DEPTH, threads: 1, hash: 16 };
    let report = bench::run(options, &Control::new(Budget::UNLIMITED), &mut |_| {});
    let nodes = report.map_err(CliError::Memory)?.nodes;
    Ok(format!("{}, bench {nodes}", env!("CARGO_PKG_VERSION")))
}
