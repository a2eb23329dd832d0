//! `gambeson book`: making opening books from games and looking into them.

use super::{CliError, progress_bar};
use crate::board::Board;
use crate::book::{self, Book, BookEntry, Maker, Selection};
use crate::files;
use crate::game::pgn::{Detail, Reader};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make and inspect Polyglot opening books
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, clap::Subcommand)]
enum BookCommand {
    Make(MakeArgs),
    Show(ShowArgs),
}

/// Make a book from games: a move weighs two for each win and one for each draw
#[derive(Debug, clap::Args)]
struct MakeArgs {
    /// Files of games
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// The Polyglot book to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Half-moves of each game to use
    #[arg(long, value_name = "N", default_value_t = 40,
        value_parser = clap::value_parser!(u32).range(1..))]
    max_ply: u32,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 3,
        value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
}

/// Show the moves a book has for a position
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The start position if absent
    #[arg(default_value = Board::START_FEN, hide_default_value = true, num_args = 1..)]
    fen: Vec<String>,
    /// A Polyglot book
    #[arg(short, long, value_name = "FILE")]
    book: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match &args.command {
        BookCommand::Make(args) => make(args, out),
        BookCommand::Show(args) => show(args, out),
    }
}

fn make(args: &MakeArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let selection = Selection { max_ply: args.max_ply as usize, min_games: args.min_games };
    let mut maker = Maker::new(selection);
    let (mut games, mut broken) = (0u64, 0u64);
    for path in &args.games {
        let file = files::open(path).map_err(|source| file_error(path, source))?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let bar = progress_bar(length);
        let reader = Reader::new(BufReader::new(bar.wrap_read(file)), Detail::MainLine);
        for (number, parsed) in (1u64..).zip(reader) {
            let parsed = parsed.map_err(|source| file_error(path, source))?;
            if let Some(problem) = parsed.problems.first() {
                broken += 1;
                bar.suspend(|| eprintln!("{}: game {number}: {problem}", path.display()));
            }
            maker.add(&parsed.game);
            games += 1;
        }
        bar.finish_and_clear();
    }
    let entries = maker.entries();
    if entries.is_empty() {
        return Err(CliError::NoBookMoves { games, min_games: args.min_games });
    }
    write_entries(&args.output, &entries)
        .map_err(|source| CliError::Write { path: args.output.display().to_string(), source })?;
    let positions = entries.chunk_by(|a, b| a.key == b.key).count();
    writeln!(out, "{} moves in {positions} positions from {games} games", entries.len())?;
    if broken > 0 {
        writeln!(out, "{broken} of the games could be read only in part")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_entries(path: &Path, entries: &[BookEntry]) -> io::Result<()> {
    let mut file = BufWriter::new(files::create(path)?);
    for entry in entries {
        file.write_all(&entry.to_bytes())?;
    }
    file.flush()
}

fn show(args: &ShowArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let fen = args.fen.join(" ");
    let board = Board::from_fen(&fen)?;
    let book = Book::open(&args.book)?;
    let moves = book.moves(&board, None);
    for line in book::describe(&board, &moves) {
        writeln!(out, "{line}")?;
    }
    if moves.is_empty() {
        writeln!(out, "no moves for {fen}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn file_error(path: &Path, source: io::Error) -> CliError {
    CliError::File { path: path.display().to_string(), source }
}
