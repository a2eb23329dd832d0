//! All games being played: one session for each, started when a page asks for its
//! game and ended a while after the last page has left.

use super::link::Engines;
use super::session::{Input, Outbox, Session};
use super::store::{GameId, Store};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Games open at a time. Each is a thread, so there must be some limit.
const MAX_GAMES: usize = 32;

/// Tells the pages that look at a game apart.
pub type ClientId = u64;

#[derive(Debug, Error)]
pub enum HubError {
    #[error("{MAX_GAMES} games are open already; close one first")]
    TooMany,
    #[error("the game cannot be started: {0}")]
    Thread(#[from] std::io::Error),
}

#[derive(Debug, Clone)]
pub struct Hub {
    sessions: Arc<Mutex<HashMap<GameId, Sender<Input>>>>,
    store: Store,
    engines: Engines,
    last_client: Arc<AtomicU64>,
}

impl Hub {
    pub fn new(store: Store) -> Hub {
        Hub {
            sessions: Arc::default(),
            store,
            engines: Engines::default(),
            last_client: Arc::default(),
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<GameId, Sender<Input>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page take part in a game.
    pub fn join(&self, id: &GameId, outbox: Outbox) -> Result<(ClientId, Sender<Input>), HubError> {
        let client = self.last_client.fetch_add(1, Ordering::Relaxed);
        let mut sessions = self.sessions();
        let session = match sessions.get(id) {
            Some(session) => session.clone(),
            None if sessions.len() >= MAX_GAMES => return Err(HubError::TooMany),
            None => {
                let (sender, receiver) = mpsc::channel();
                let session = Session::new(id.clone(), self.clone(), sender.clone());
                std::thread::Builder::new()
                    .name("game".to_owned())
                    .spawn(move || session.run(&receiver))?;
                sessions.insert(id.clone(), sender.clone());
                sender
            }
        };
        // Sent under the lock, so that a session that retires sees it.
        let _ = session.send(Input::Join(client, outbox));
        Ok((client, session))
    }

    /// Takes a session off the list, unless something has arrived for it: then that
    /// is returned.
    pub fn retire(&self, id: &GameId, inbox: &Receiver<Input>) -> Option<Input> {
        let mut sessions = self.sessions();
        let arrived = inbox.try_recv().ok();
        if arrived.is_none() {
            sessions.remove(id);
        }
        arrived
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn engines(&self) -> &Engines {
        &self.engines
    }
}
