//! A board for people: a page in the browser, served on this machine only.
//!
//! It is a third way to talk to the engine, beside UCI and xboard: the same
//! service, commands and events, with JSON over a WebSocket in front of them.
//! All rules live here; the page draws what it is told and asks what is legal.
//!
//! `server.rs` speaks HTTP, `hub.rs` knows the games, `session/` is one game with its
//! `record.rs`, `clock.rs`, `players.rs` and its engine (`link.rs`), `store.rs` keeps it
//! on disk, and `message.rs` is the language between page and server. `library.rs` lists
//! all games and those of large files, which `api.rs` shows over HTTP.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod api;
mod clock;
mod hub;
mod import;
mod library;
mod link;
mod message;
mod mistakes;
mod page;
mod patience;
mod players;
mod record;
mod server;
mod session;
mod settings;
mod starts;
mod store;

pub use import::{ImportError, Imported};
pub use page::Page;
pub use server::LARGEST_MESSAGE;
pub use store::Store;

use hub::Hub;
use patience::Patient;
use server::Server;
use session::Session;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::time::Duration;
use thiserror::Error;

/// The port if none is asked for: the squares of the board, out of the way.
const DEFAULT_PORT: u16 = 8064;

/// Pages are asked every third of it whether they are still there.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Error)]
pub enum WebError {
    #[error("port {port} cannot be used: {source}")]
    Port { port: u16, source: io::Error },
    #[error("the server stopped: {0}")]
    Server(#[from] io::Error),
    #[error("there is no folder for saved games; name one with --games")]
    NoFolder,
    #[error("games cannot be kept in {folder}: {source}")]
    Games { folder: String, source: io::Error },
    #[error("{folder} has no page: there is no index.html in it")]
    NoPage { folder: String },
}

/// A board that can be reached but is not served yet.
#[derive(Debug)]
pub struct BoardServer {
    listener: TcpListener,
    address: SocketAddr,
    patience: Duration,
}

impl BoardServer {
    /// Takes the port asked for, or the usual one, or else any that is free.
    pub fn bind(port: Option<u16>) -> Result<BoardServer, WebError> {
        let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => at(port).map_err(|source| WebError::Port { port, source })?,
            None => at(DEFAULT_PORT)
                .or_else(|_| at(0))
                .map_err(|source| WebError::Port { port: DEFAULT_PORT, source })?,
        };
        let address = listener.local_addr()?;
        Ok(BoardServer { listener, address, patience: PATIENCE })
    }

    /// Ends connections that are silent for so long.
    pub fn with_patience(self, patience: Duration) -> BoardServer {
        BoardServer { patience, ..self }
    }

    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the program ends.
    pub fn serve(self, page: Page, store: Store) -> Result<(), WebError> {
        store.empty_bin();
        let patience = self.patience;
        let server = Server { hub: Hub::new(store), page, port: self.address.port(), patience };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(Patient { listener, patience }, server::router(server)).await
        })?;
        Ok(())
    }
}

/// Goes on with a game as if a page sent these messages, without network and engine.
/// Returns the name of the last game and what was saved of it. For tests.
pub fn rehearse<'a>(
    store: &Store,
    game: &str,
    messages: impl IntoIterator<Item = &'a str>,
) -> Option<(String, String)> {
    let id = store::GameId::parse(game)?;
    let (inbox, _unread) = mpsc::channel();
    Session::new(id, Hub::new(store.clone()), inbox, None).rehearse(messages)
}
