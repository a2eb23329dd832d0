//! The command line: what `gambeson` does with its arguments.

mod perft;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use thiserror::Error;

/// A chess engine.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Perft(perft::Args),
}

/// Why a command could not do its work. The exit status is 2; a command that did
/// its work and found something wrong exits with 1.
#[derive(Debug, Error)]
enum CliError {
    #[error("invalid FEN: {0}")]
    Fen(#[from] crate::board::FenError),
    #[error(transparent)]
    Suite(#[from] crate::perft::SuiteError),
    #[error("no memory for the hash table: {0}")]
    Memory(#[source] std::io::Error),
    #[error("cannot write: {0}")]
    Output(#[from] std::io::Error),
}

/// Runs the program.
pub fn run() -> ExitCode {
    env_logger::init();
    let result = match Cli::parse().command {
        Command::Perft(args) => perft::run(&args, &mut std::io::stdout().lock()),
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
