//! `gambeson play`: the board in the browser.

use super::CliError;
use crate::web::{Board, Page, Store, WebError};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play and analyse on a board in the browser
#[derive(Debug, clap::Args)]
pub struct Args {
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

pub fn run(args: Args, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let folder = args.games.or_else(Store::default_folder).ok_or(WebError::NoFolder)?;
    let page = args.page.map_or(Page::BuiltIn, Page::Folder);
    let board = Board::bind(args.port)?;
    let address = board.address();
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
    board.serve(page, Store::new(folder))?;
    Ok(ExitCode::SUCCESS)
}
