//! `gambeson data`: looking at files of games, and putting them together.

use super::{CliError, contribute, convert, progress_bar};
use crate::eval::WdlModel;
use crate::eval::nnue::{self, Network};
use crate::selfplay::pack::LostBlock;
use crate::selfplay::survey::{self, Copied, Copier, Stats};
use crate::selfplay::{DataError, GameReader, GameWriter, Origin};
use crate::train::ReferenceSet;
use crate::tune::{Tally, unit_change};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Inspect and combine game files
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Debug, clap::Subcommand)]
enum DataCommand {
    /// Count games and positions by kind
    Stats {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Check every checksum and every move; exits with 1 if something is wrong
    Check {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    Verify(contribute::VerifyArgs),
    /// Turn PGN games with scores in the comments, as fastchess writes them, into a game file
    ///
    /// Games without scores or a sound end are refused; exits with 1 if there were any.
    Import {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write games for another trainer
    Export {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        format: convert::Format,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Copy all games into a new file, and who made them into a list beside it
    Merge {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Copy all games into a new file, keeping one score for each position
    Dedup {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Pack a game file into a quarter of its size, for keeping and training
    ///
    /// Games stay as they were but for scores: those of usable positions are rounded to a
    /// quarter of a percent of the expected points, the others are dropped. All commands
    /// that read game files read packed ones, too.
    Pack {
        file: PathBuf,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Turn a packed file into a game file; exits with 1 if blocks were lost
    Unpack {
        file: PathBuf,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Fit the win/draw/loss model to scores and results
    Chances {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Give a network the search's unit: +1.00 wins half of the games it played
    ///
    /// The margins of the search and the win/draw/loss model are tuned to that unit. A
    /// thousand games of 5,000 nodes that this network played are enough.
    Rescale {
        net: PathBuf,
        /// Games that the network played
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The network to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        /// Print what came of it as one line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a reference set: positions of games, scored by a deeper search
    Reference {
        file: PathBuf,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        positions: usize,
        /// Soft node limit: start no iteration after this many nodes
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        nodes: u32,
        #[arg(long, value_name = "N", default_value_t = 1,
            value_parser = clap::value_parser!(u32).range(1..=1024))]
        threads: u32,
    },
    /// Show random positions: FEN, score, result, move played
    Show {
        file: PathBuf,
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: usize,
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match &args.command {
        DataCommand::Stats { files } => stats(files, out),
        DataCommand::Check { files } => check(files, out),
        DataCommand::Verify(args) => contribute::verify_file(args, out),
        DataCommand::Import { files, out: target } => convert::import_files(files, target, out),
        DataCommand::Export { files, format, out: target } => {
            convert::export_files(files, format, target, out)
        }
        DataCommand::Merge { files, out: target } => contribute::merge(files, target, out),
        DataCommand::Dedup { files, out: target } => dedup(files, target, out),
        DataCommand::Pack { file, out: target } => pack(file, target, out),
        DataCommand::Unpack { file, out: target } => unpack(file, target, out),
        DataCommand::Chances { files } => chances(files, out),
        DataCommand::Rescale { net, files, out: target, json } => {
            rescale(net, files, target, *json, out)
        }
        DataCommand::Reference { file, out: target, positions, nodes, threads } => {
            let bar = progress_bar(*positions as u64);
            let (network, threads) = (nnue::embedded(), *threads as usize);
            let (positions, nodes, network) = (*positions, *nodes, network.as_ref());
            let set = ReferenceSet::make(file, positions, nodes, network, threads, || bar.inc(1))?;
            bar.finish_and_clear();
            let failed = |source| CliError::Write { path: target.display().to_string(), source };
            crate::files::write(target, set.to_bytes()).map_err(failed)?;
            writeln!(out, "{} positions, scale {:.1}", set.samples.len(), set.scale)?;
            Ok(ExitCode::SUCCESS)
        }
        DataCommand::Show { file, count, seed } => {
            for sample in survey::sample(file, *count, *seed)? {
                writeln!(out, "{sample}")?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A bar that counts bytes.
fn bar_for(path: &Path) -> indicatif::ProgressBar {
    progress_bar(std::fs::metadata(path).map_or(0, |metadata| metadata.len()))
}

fn stats(files: &[PathBuf], out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut stats = Stats::default();
    for path in files {
        match GameReader::open(path)?.origin() {
            Origin::Series { settings: made, network } => writeln!(
                out,
                "{}: seed {}, {} nodes, {:.1} % Chess960{}",
                path.display(),
                made.seed,
                made.nodes,
                f64::from(made.chess960) / 10.0,
                network.map_or(String::new(), |checksum| format!(", network {checksum:08x}"))
            )?,
            Origin::Collection => writeln!(out, "{}: a collection", path.display())?,
        }
        let bar = bar_for(path);
        stats.add_file(path, |offset| bar.set_position(offset))?;
        bar.finish_and_clear();
    }
    writeln!(out, "{stats}")?;
    Ok(ExitCode::SUCCESS)
}

fn check(files: &[PathBuf], out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut sound = true;
    for path in files {
        let mut stats = Stats::default();
        let bar = bar_for(path);
        let checked = stats.add_file(path, |offset| bar.set_position(offset));
        bar.finish_and_clear();
        let (games, usable) = (stats.games, stats.usable);
        match checked {
            Ok(()) if !stats.lost.is_empty() => {
                sound = false;
                for LostBlock { number, error } in &stats.lost {
                    writeln!(out, "{}: block {number} is lost: {error}", path.display())?;
                }
                writeln!(out, "{}: {games} sound games, {usable} positions", path.display())?;
            }
            Ok(()) => {
                writeln!(out, "{}: sound, {games} games, {usable} positions", path.display())?;
            }
            Err(error @ DataError::Io { .. }) => return Err(error.into()),
            Err(error) => {
                sound = false;
                writeln!(out, "{error}, after {games} sound games")?;
            }
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn pack(file: &Path, target: &Path, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let bar = bar_for(file);
    let packed = survey::pack(file, target, |offset| bar.set_position(offset));
    bar.finish_and_clear();
    let Copied { games, usable, .. } = packed?;
    let bytes = std::fs::metadata(target).map_or(0, |metadata| metadata.len());
    let each = bytes as f64 / usable.max(1) as f64;
    writeln!(out, "{games} games, {usable} positions, {each:.2} bytes a position")?;
    Ok(ExitCode::SUCCESS)
}

fn unpack(file: &Path, target: &Path, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let bar = bar_for(file);
    let unpacked = survey::unpack(file, target, |offset| bar.set_position(offset));
    bar.finish_and_clear();
    let (games, lost) = unpacked?;
    writeln!(out, "{games} games")?;
    for LostBlock { number, error } in &lost {
        writeln!(out, "block {number} is lost: {error}")?;
    }
    Ok(if lost.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chances(files: &[PathBuf], out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut tally = Tally::default();
    for path in files {
        tally.add_file(path)?;
    }
    let model = tally.fit();
    writeln!(
        out,
        "{} positions: half won at a score of {:.0}, spread {:.0}, log-likelihood {:.4}",
        tally.positions(),
        model.half_won,
        model.spread,
        tally.likelihood(model)
    )?;
    Ok(ExitCode::SUCCESS)
}

fn rescale(
    net: &Path,
    files: &[PathBuf],
    target: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let failed = |source| CliError::Net { path: net.display().to_string(), source };
    let network = Network::read(net).map_err(failed)?;
    let checksum = network.checksum();
    let mut tally = Tally::default();
    for path in files {
        match tally.add_file(path)? {
            Origin::Series { network: Some(found), .. } if found == checksum => {}
            _ => return Err(CliError::NotItsGames { path: path.display().to_string(), checksum }),
        }
    }
    let found = tally.fit();
    let factor = unit_change(found, WdlModel::SHOWN);
    let rescaled = network.rescaled(factor);
    let failed = |source| CliError::Write { path: target.display().to_string(), source };
    crate::files::replace(target, &rescaled.to_bytes()).map_err(failed)?;
    let (old, new, checksum) = (network.scale(), rescaled.scale(), rescaled.checksum());
    let WdlModel { half_won, spread } = found;
    let (positions, spread) = (tally.positions(), spread * factor);
    if json {
        writeln!(
            out,
            r#"{{"positions":{positions},"half_won":{half_won:.1},"spread":{spread:.1},"factor":{factor:.3},"checksum":"{checksum:08x}"}}"#
        )?;
    } else {
        let WdlModel { spread: shown, .. } = WdlModel::SHOWN;
        writeln!(
            out,
            "{positions} positions: half won at {half_won:.0}; rescaled by {factor:.3} ({old} to {new}), \
             spread {spread:.0} (the program's: {shown:.0})"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn dedup(files: &[PathBuf], target: &Path, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut copier = Copier::new(GameWriter::create(target, Origin::Collection)?, true);
    copy_all(&mut copier, files, target)?;
    let copied = copier.copied();
    writeln!(out, "{} games, {} positions", copied.games, copied.usable)?;
    let (games, positions) = (copied.dropped_games, copied.dropped_positions);
    writeln!(out, "{games} games and {positions} positions were there already")?;
    Ok(ExitCode::SUCCESS)
}

/// Copies whole files into `target`, which is removed if that fails.
pub(super) fn copy_all(
    copier: &mut Copier,
    files: &[PathBuf],
    target: &Path,
) -> Result<(), CliError> {
    for path in files {
        let bar = bar_for(path);
        let copied = copier.copy_file(path, |offset| bar.set_position(offset));
        bar.finish_and_clear();
        if let Err(error) = copied {
            // Nobody wants half of the games, and the file would be in the way of a retry.
            if let Err(source) = std::fs::remove_file(target) {
                log::warn!("{} is left: {source}", target.display());
            }
            return Err(error.into());
        }
    }
    Ok(())
}
