//! The command line: what `gambeson` does with its arguments. Without any it
//! speaks UCI or xboard; words it does not know are one UCI command.

mod bench;
mod book;
mod contribute;
mod convert;
mod data;
mod datagen;
mod duel;
mod epd;
mod genfens;
mod perft;
#[cfg(feature = "play")]
mod play;
mod serve;
#[cfg(feature = "tune")]
mod spsa;
mod subject;
mod train;
mod tune;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;

/// A UCI and xboard chess engine
///
/// Without arguments it reads UCI or xboard commands from standard input. A PGN file is
/// opened on the board; a FEN, or a file of one, is shown and searched for a second. Any
/// other words are one UCI command: gambeson go depth 12
#[derive(Debug, Parser)]
#[command(name = "gambeson", version, long_version = long_version())]
struct Cli {
    /// Write diagnostics to this file
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// `--version`: what was built, and what it uses of this CPU.
fn long_version() -> String {
    format!("{}\n{}", env!("CARGO_PKG_VERSION"), crate::engine::compiler())
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Perft(perft::Args),
    Bench(bench::Args),
    Epd(epd::Args),
    Datagen(datagen::Args),
    Data(data::Args),
    Job(contribute::JobArgs),
    Contribute(contribute::ContributeArgs),
    Tune(tune::Args),
    #[cfg(feature = "tune")]
    Spsa(spsa::Args),
    Book(book::Args),
    Train(train::Args),
    Duel(duel::Args),
    #[cfg(feature = "play")]
    Play(play::Args),
    /// Print a completion script for a shell
    Completions {
        shell: Shell,
    },
    /// Write the manual pages: one of the program, one of each command
    Manual {
        /// An existing folder
        folder: PathBuf,
    },
    /// One UCI command
    #[command(external_subcommand)]
    Uci(Vec<String>),
}

/// Why a command could not do its work. The exit status is 2; a command that did
/// its work and found something wrong exits with 1.
#[derive(Debug, Error)]
enum CliError {
    #[error("invalid FEN: {0}")]
    Fen(#[from] crate::board::FenError),
    #[error(transparent)]
    Suite(#[from] crate::perft::SuiteError),
    #[error(transparent)]
    Data(#[from] crate::selfplay::DataError),
    #[error("{path}: {source}")]
    Job { path: String, source: crate::selfplay::JobError },
    #[error(transparent)]
    Sources(#[from] crate::selfplay::sources::SourcesError),
    #[error(transparent)]
    Verify(#[from] crate::selfplay::verify::VerifyError),
    #[error("there is no command {word}{meant}")]
    UnknownCommand { word: String, meant: String },
    #[error(transparent)]
    Refused(crate::engine::command::Problem),
    #[error("there are no positions in {path}")]
    NoPositions { path: String },
    #[error("cannot read {path}: {source}")]
    File { path: String, source: std::io::Error },
    #[error("this binary was built without a network")]
    NoNet,
    #[error("network {path}: {source}")]
    Net { path: String, source: crate::eval::nnue::NetError },
    #[error(transparent)]
    Checkpoint(#[from] crate::train::CheckpointError),
    #[error(transparent)]
    TooWide(#[from] crate::train::TooWide),
    #[error(transparent)]
    Reference(#[from] crate::train::ReferenceError),
    #[error(transparent)]
    Plot(#[from] crate::plot::PlotError),
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: std::io::Error },
    #[error(transparent)]
    Book(#[from] crate::book::BookError),
    #[error("no move was played in at least {min_games} of the {games} games and scored a point")]
    NoBookMoves { games: u64, min_games: u32 },
    #[error(transparent)]
    Genfens(#[from] genfens::GenfensError),
    #[error("no memory for the hash table: {0}")]
    Memory(#[source] std::io::Error),
    #[error("{path} does not hold games of this network ({checksum:08x}) alone")]
    NotItsGames { path: String, checksum: u32 },
    #[error("too few positions: {0}")]
    TooFewPositions(u64),
    #[error(transparent)]
    Duel(#[from] duel::DuelError),
    #[cfg(feature = "tune")]
    #[error(transparent)]
    Spsa(#[from] crate::tune::spsa::SpsaError),
    #[cfg(feature = "play")]
    #[error(transparent)]
    Web(#[from] crate::web::WebError),
    #[cfg(feature = "play")]
    #[error(transparent)]
    Import(#[from] crate::web::ImportError),
    #[cfg(not(feature = "play"))]
    #[error("games are shown on the board, which this build does not include")]
    NoBoard,
    #[error("cannot write: {0}")]
    Output(#[from] std::io::Error),
}

/// Runs the program.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = start_logging(cli.log.as_deref()) {
        eprintln!("gambeson: {error}");
        return ExitCode::from(2);
    }
    if !cli.survives_panics() {
        abort_on_panic();
    }
    let result = match cli.command {
        None => serve::serve(None),
        Some(CliCommand::Uci(words)) => match genfens::parse(&words) {
            Some(request) => genfens::run(request, &mut std::io::stdout().lock()),
            None => serve::serve_words(&words),
        },
        Some(CliCommand::Perft(args)) => perft::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Bench(args)) => bench::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Epd(args)) => epd::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Datagen(args)) => datagen::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Data(args)) => data::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Job(args)) => contribute::job(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Contribute(args)) => {
            contribute::contribute(&args, &mut std::io::stdout().lock())
        }
        Some(CliCommand::Tune(args)) => tune::run(&args, &mut std::io::stdout().lock()),
        #[cfg(feature = "tune")]
        Some(CliCommand::Spsa(args)) => spsa::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Book(args)) => book::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Train(args)) => train::run(&args, &mut std::io::stdout().lock()),
        Some(CliCommand::Duel(args)) => duel::run(&args, &mut std::io::stdout().lock()),
        #[cfg(feature = "play")]
        Some(CliCommand::Play(args)) => play::run(args, &mut std::io::stdout()),
        Some(CliCommand::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "gambeson", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Some(CliCommand::Manual { folder }) => manual(&folder),
    };
    match result {
        Ok(code) => code,
        // Whoever read our output has gone; that is no failure of ours.
        Err(CliError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gambeson: {error}");
            ExitCode::from(2)
        }
    }
}

impl Cli {
    /// The board's server goes on without a game that panicked.
    fn survives_panics(&self) -> bool {
        #[cfg(feature = "play")]
        return matches!(self.command, Some(CliCommand::Play(_)));
        #[cfg(not(feature = "play"))]
        return false;
    }
}

/// Writes `gambeson.1`, `gambeson-perft.1` and so on, from the same text as `--help`.
fn manual(folder: &Path) -> Result<ExitCode, CliError> {
    // The long version names this CPU, which is not the reader's.
    let command = Cli::command().long_version(env!("CARGO_PKG_VERSION"));
    clap_mangen::generate_to(command, folder)
        .map_err(|source| CliError::Write { path: folder.display().to_string(), source })?;
    Ok(ExitCode::SUCCESS)
}

/// An engine whose search has panicked would never answer again: it ends at once, in
/// every build, and its GUI notices.
fn abort_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
}

/// To stderr as `RUST_LOG` says, or everything to a file.
fn start_logging(file: Option<&Path>) -> Result<(), CliError> {
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(path) = file {
        let target = crate::files::append(path)
            .map_err(|source| CliError::Write { path: path.display().to_string(), source })?;
        builder.filter_level(log::LevelFilter::Debug);
        builder.target(env_logger::Target::Pipe(Box::new(target)));
    }
    builder.init();
    Ok(())
}

/// On stderr, and only if that is a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise} [{wide_bar}] {pos}/{len} {eta}");
    let bar = ProgressBar::new(length);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
