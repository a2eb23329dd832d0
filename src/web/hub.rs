//! All games being played: one session for each, started when a page asks for its
//! game and ended a while after the last page has left.

use super::link::Engines;
use super::session::{Input, Outbox, Session};
use super::store::{GameId, Store};
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

#[derive(Debug, Default)]
struct Games {
    sessions: HashMap<GameId, Sender<Input>>,
    /// What whoever opens a game next should know.
    notices: HashMap<GameId, String>,
}

#[derive(Debug, Clone)]
pub struct Hub {
    games: Arc<Mutex<Games>>,
    store: Store,
    engines: Engines,
    last_client: Arc<AtomicU64>,
}

impl Hub {
    pub fn new(store: Store) -> Hub {
        Hub {
            games: Arc::default(),
            store,
            engines: Engines::default(),
            last_client: Arc::default(),
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page take part in a game.
    pub fn join(&self, id: &GameId, outbox: Outbox) -> Result<(ClientId, Sender<Input>), HubError> {
        let client = self.last_client.fetch_add(1, Ordering::Relaxed);
        let mut games = self.games();
        let session = match games.sessions.get(id) {
            Some(session) => session.clone(),
            None if games.sessions.len() >= MAX_GAMES => return Err(HubError::TooMany),
            None => {
                let (sender, receiver) = mpsc::channel();
                let notice = games.notices.remove(id);
                let session = Session::new(id.clone(), self.clone(), sender.clone(), notice);
                self.spawn(id, move || session.run(&receiver))?;
                games.sessions.insert(id.clone(), sender.clone());
                sender
            }
        };
        // Sent under the lock, so that a session that retires sees it.
        let _ = session.send(Input::Join(client, outbox));
        Ok((client, session))
    }

    /// Runs a game on a thread of its own. A panic ends that game only: its pages lose
    /// their connection and find a new game and a notice when they come back.
    fn spawn(&self, id: &GameId, game: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let (hub, id) = (self.clone(), id.clone());
        let run = move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(game)) {
                hub.set_aside(&id, &panic_text(&*panic));
            }
        };
        std::thread::Builder::new().name("game".to_owned()).spawn(run).map(drop)
    }

    /// Takes a game that cannot go on off the list, and its file out of the way.
    fn set_aside(&self, id: &GameId, reason: &str) {
        // Under the lock, so that nobody opens the same file again before it is gone.
        let mut games = self.games();
        games.sessions.remove(id);
        let place = match self.store.set_aside(id) {
            Ok(Some(path)) => format!(" It is kept as {}.", path.display()),
            Ok(None) => String::new(),
            Err(error) => format!(" Its file cannot be moved: {error}."),
        };
        let text = format!("The last game ended with an internal error: {reason}.{place}");
        log::error!("{text}");
        games.notices.insert(id.clone(), text);
    }

    /// Takes a session off the list, unless something has arrived for it: then that
    /// is returned.
    pub fn retire(&self, id: &GameId, inbox: &Receiver<Input>) -> Option<Input> {
        let mut games = self.games();
        let arrived = inbox.try_recv().ok();
        if arrived.is_none() {
            games.sessions.remove(id);
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

/// What a panic says.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_panic_ends_one_game_and_sets_its_file_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let hub = Hub::new(Store::new(folder.path().to_owned()));
        let (bad, good) = (GameId::parse("bad0").expect("a name"), GameId::parse("good"));
        let (outbox, mut other) = tokio::sync::mpsc::channel(99);
        let (client, session) = hub.join(&good.expect("a name"), outbox).expect("room");
        std::fs::write(folder.path().join("bad0.pgn"), "1. e4 *").expect("writable");
        hub.spawn(&bad, || panic!("this one is broken")).expect("a thread");
        let begin = Instant::now();
        while hub.games().notices.is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(folder.path().join("bad0.unreadable").exists());
        // The other game goes on, and the same name is a new game with a notice.
        session.send(Input::Text(client, r#"{"type":"pgn"}"#.to_owned())).expect("alive");
        let answers = |text: &str| text.contains(r#""type":"pgn""#);
        while !other.blocking_recv().is_some_and(|text| answers(&text)) {}
        let (outbox, mut again) = tokio::sync::mpsc::channel(99);
        hub.join(&bad, outbox).expect("room");
        let notice = std::iter::from_fn(|| again.blocking_recv())
            .find(|text| text.contains(r#""type":"notice""#))
            .expect("a notice");
        assert!(notice.contains("this one is broken") && notice.contains("bad0.unreadable"));
    }
}
