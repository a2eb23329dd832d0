//! `gambeson play`: the board in the browser.

use super::CliError;
use super::subject::Subject;
use crate::game::Game;
use crate::web::{BoardServer, Imported, Page, Store, WebError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play and analyse on a board in the browser
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// A PGN file, or a file with a FEN, to open on the board
    file: Option<PathBuf>,
    /// Which game of the file [default: 1]
    #[arg(long, value_name = "N", requires = "file")]
    number: Option<usize>,
    /// The port to serve the board on, 0 for any that is free [default: 8064 if it is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Keep games in this folder
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Serve the page from this folder instead of the one built in
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let subject = args.file.as_deref().map(Subject::read).transpose()?;
    open_board(args, subject, out)
}

/// Opens the first game of a PGN file.
pub(crate) fn show(games: String, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    open_board(Args::default(), Some(Subject::Games(games)), out)
}

fn open_board(
    args: Args,
    subject: Option<Subject>,
    out: &mut dyn Write,
) -> Result<ExitCode, CliError> {
    let folder = args.games.or_else(Store::default_folder).ok_or(WebError::NoFolder)?;
    let store = Store::new(folder.clone());
    let shown = |folder: &Path| folder.display().to_string();
    store.check().map_err(|source| WebError::Games { folder: shown(&folder), source })?;
    let number = args.number.unwrap_or(1);
    let game = subject.map(|subject| game(subject, number)).transpose()?;
    let name = game.map(|game| store.import(&game)).transpose()?;
    let page = args.page.map_or(Page::BuiltIn, Page::Folder);
    if let (Page::Folder(folder), true) = (&page, page.is_missing()) {
        return Err(WebError::NoPage { folder: shown(folder) }.into());
    }
    let board = BoardServer::bind(args.port)?;
    let mut address = board.address();
    if let Some(name) = name {
        address = format!("{address}#{name}");
    }
    if page.is_missing() {
        eprintln!("gambeson: this binary was built without the page; scripts/play builds both");
    }
    writeln!(out, "The board is at {address}\nGames are kept in {}", folder.display())?;
    writeln!(out, "Press Ctrl+C to end.")?;
    out.flush()?;
    if !args.no_open
        && let Err(error) = open::that_detached(&address)
    {
        log::info!("no browser could be opened: {error}");
    }
    board.serve(page, store)?;
    Ok(ExitCode::SUCCESS)
}

fn game(subject: Subject, number: usize) -> Result<Game, CliError> {
    let text = match subject {
        Subject::Position(board) => return Ok(Game::new(board)),
        Subject::Games(text) => text,
    };
    let Imported { game, problems, count } = Imported::read(&text, number)?;
    for problem in problems {
        eprintln!("gambeson: left out: {problem}");
    }
    if count > 1 {
        eprintln!("gambeson: game {number} of {count}; --number chooses another");
    }
    Ok(game)
}
