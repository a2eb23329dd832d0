//! All games being played: one session for each, started when a page asks for its
//! game and ended a while after the last page has left.

use super::library::Library;
use super::link::Engines;
use super::message::EngineSettings;
use super::session::{Outbox, Session, SessionInput};
use super::settings;
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
pub(super) type ClientId = u64;

#[derive(Debug, Error)]
pub(super) enum HubError {
    #[error("{MAX_GAMES} games are open already; close one first")]
    TooMany,
    #[error("the game cannot be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Tells sessions apart: a session may go on with another game.
pub(super) type SessionKey = u64;

#[derive(Debug, Default)]
struct Games {
    sessions: HashMap<GameId, (SessionKey, Sender<SessionInput>)>,
    /// What whoever opens a game next should know.
    notices: HashMap<GameId, String>,
}

#[derive(Debug, Clone)]
pub(super) struct Hub {
    games: Arc<Mutex<Games>>,
    store: Store,
    library: Arc<Library>,
    engines: Engines,
    settings: Arc<Mutex<EngineSettings>>,
    last_client: Arc<AtomicU64>,
}

impl Hub {
    pub(super) fn new(store: Store) -> Hub {
        Hub {
            games: Arc::default(),
            library: Arc::new(Library::new(store.clone())),
            settings: Arc::new(Mutex::new(settings::load(store.folder()))),
            store,
            engines: Engines::default(),
            last_client: Arc::default(),
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page take part in a game.
    pub(super) fn join(
        &self,
        id: &GameId,
        outbox: Outbox,
    ) -> Result<(ClientId, Sender<SessionInput>), HubError> {
        let client = self.last_client.fetch_add(1, Ordering::Relaxed);
        let mut games = self.games();
        let session = match games.sessions.get(id) {
            Some((_, session)) => session.clone(),
            None if games.sessions.len() >= MAX_GAMES => return Err(HubError::TooMany),
            None => {
                let (sender, receiver) = mpsc::channel();
                let notice = games.notices.remove(id);
                let session = Session::new(id.clone(), self.clone(), sender.clone(), notice);
                // No page has the number of another one.
                self.spawn(client, move || session.run(&receiver))?;
                games.sessions.insert(id.clone(), (client, sender.clone()));
                sender
            }
        };
        // Sent under the lock, so that a session that retires sees it.
        let _ = session.send(SessionInput::Join(client, outbox));
        Ok((client, session))
    }

    /// Runs a game on a thread of its own. A panic ends that game only: its pages lose
    /// their connection and find a new game and a notice when they come back.
    fn spawn(&self, key: SessionKey, game: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let hub = self.clone();
        let run = move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(game)) {
                hub.set_aside(key, &panic_text(&*panic));
            }
        };
        std::thread::Builder::new().name("game".to_owned()).spawn(run).map(drop)
    }

    /// Takes a game that cannot go on off the list, and its file out of the way.
    fn set_aside(&self, key: SessionKey, reason: &str) {
        // Under the lock, so that nobody opens the same file again before it is gone.
        let mut games = self.games();
        let mut names = games.sessions.iter();
        let Some(id) = names.find(|(_, (of, _))| *of == key).map(|(id, _)| id.clone()) else {
            return;
        };
        games.sessions.remove(&id);
        let place = match self.store.set_aside(&id) {
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
    pub(super) fn retire(
        &self,
        id: &GameId,
        inbox: &Receiver<SessionInput>,
    ) -> Option<SessionInput> {
        let mut games = self.games();
        let arrived = inbox.try_recv().ok();
        if arrived.is_none() {
            games.sessions.remove(id);
        }
        arrived
    }

    /// Lets a session go on with another game: this one, or a new one. `None` if another
    /// session has it.
    pub(super) fn move_on(&self, id: &GameId, to: Option<GameId>) -> Option<GameId> {
        let mut games = self.games();
        let to = to.unwrap_or_else(|| {
            let mut names = std::iter::repeat_with(GameId::random);
            let free =
                |name: &GameId| !games.sessions.contains_key(name) && !self.store.exists(name);
            names.find(free).unwrap_or_else(|| id.clone())
        });
        if games.sessions.contains_key(&to) {
            return None;
        }
        if let Some(session) = games.sessions.remove(id) {
            games.sessions.insert(to.clone(), session);
        }
        Some(to)
    }

    /// Tells the session that has this game something. `false` if there is none.
    pub(super) fn tell(&self, id: &GameId, input: SessionInput) -> bool {
        let games = self.games();
        games.sessions.get(id).is_some_and(|(_, session)| session.send(input).is_ok())
    }

    pub(super) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    pub(super) fn settings(&self) -> EngineSettings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers how the engine thinks, for all games from now on.
    pub(super) fn set_settings(&self, new: &EngineSettings) -> std::io::Result<()> {
        new.clone_into(&mut self.settings.lock().unwrap_or_else(PoisonError::into_inner));
        settings::save(self.store.folder(), new)
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    pub(super) fn engines(&self) -> &Engines {
        &self.engines
    }
}

/// What a panic says.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
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
        let (sender, _receiver) = mpsc::channel();
        hub.games().sessions.insert(bad.clone(), (77, sender));
        hub.spawn(77, || panic!("this one is broken")).expect("a thread");
        let begin = Instant::now();
        while hub.games().notices.is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(folder.path().join("bad0.unreadable").exists());
        // The other game goes on, and the same name is a new game with a notice.
        session.send(SessionInput::Text(client, r#"{"type":"pgn"}"#.to_owned())).expect("alive");
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
