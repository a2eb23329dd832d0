//! Nothing is lost: each game has a file of its own, and what takes something away can
//! be taken back.

use super::{Mode, Session, View, requests, view};
use crate::board::Board;
use crate::game::{Game, NodeId};
use crate::types::Color;
use crate::web::clock::Clocks;
use crate::web::message::RequestError;
use crate::web::players::Player;
use crate::web::record::Record;
use crate::web::store::{GameId, Saved, set_tag};
use std::io;
use std::time::{Duration, Instant};

/// How many changes can be taken back.
const MOST_REMEMBERED: usize = 30;

/// A game as it was before a change.
#[derive(Debug)]
pub(super) struct Snapshot {
    what: &'static str,
    id: GameId,
    record: Record,
    players: [Player; 2],
    clocks: Clocks,
    speed: Duration,
    place: Option<NodeId>,
}

impl Session {
    /// Begins with the game that was saved, that of a file, or a new one.
    pub(super) fn open(&mut self) {
        let saved = match self.hub.store().load(&self.id) {
            Ok(None) => self.of_file(),
            saved => saved,
        };
        match saved {
            Ok(Some(game)) => self.set_game(game),
            Ok(None) => self.begin(Record::default()),
            Err(error) => {
                let text = format!("The saved game cannot be read: {error}");
                log::warn!("{text}");
                self.notice = Some(text);
                self.begin(Record::default());
            }
        }
        self.unsaved = false;
    }

    /// A game of a large file. It is saved as our own when it changes.
    fn of_file(&mut self) -> io::Result<Option<Game>> {
        let Some(parsed) = self.hub.library().game(&self.id)? else { return Ok(None) };
        self.players = requests::PEOPLE;
        if !parsed.problems.is_empty() {
            self.notice = Some(requests::left_out(&parsed.problems));
        }
        Ok(Some(parsed.game))
    }

    /// Goes on with a game that has been played elsewhere or before.
    pub(super) fn set_game(&mut self, mut game: Game) {
        let saved = Saved::take(&mut game);
        let played = saved.as_ref().and_then(|saved| saved.played);
        let mut record = Record::load_played(game, played.unwrap_or(usize::MAX));
        if let Some(saved) = saved {
            record.restore_end(saved.end.and_then(|end| end.end()));
            self.players = saved.players;
            self.speed = requests::speed(saved.speed);
            self.clocks = Clocks::new(&self.players);
            for (color, left) in Color::ALL.into_iter().zip(saved.left) {
                if let Some(left) = left.and_then(|left| Duration::try_from_secs_f64(left).ok()) {
                    self.clocks.set(color, left);
                }
            }
        }
        self.set_record(record);
    }

    /// The game on the board keeps its file. What follows is another game with another
    /// name, unless there is nothing to keep.
    pub(super) fn leave_game(&mut self) {
        if self.record.is_empty() {
            return;
        }
        if self.unsaved {
            self.save(Instant::now());
        }
        if let Some(new) = self.hub.move_on(&self.id, None) {
            self.id = new;
        }
    }

    /// Keeps the game as it is now, before something is done to it.
    pub(super) fn remember(&mut self, what: &'static str) {
        if self.record.is_empty() {
            return;
        }
        if self.remembered.len() >= MOST_REMEMBERED {
            self.remembered.remove(0);
        }
        let place = match &self.mode {
            Mode::Analysis(view) => Some(view.at),
            _ => None,
        };
        let (id, record) = (self.id.clone(), self.record.clone());
        let (players, clocks, speed) = (self.players, self.clocks.clone(), self.speed);
        self.remembered.push(Snapshot { what, id, record, players, clocks, speed, place });
    }

    /// What was about to be done was not done.
    pub(super) fn forget_last(&mut self) {
        self.remembered.pop();
    }

    pub(super) fn undoes(&self) -> Option<&'static str> {
        self.remembered.last().map(|snapshot| snapshot.what)
    }

    pub(super) fn undo(&mut self) -> Result<(), RequestError> {
        let snapshot = self.remembered.pop().ok_or(RequestError::NothingToUndo)?;
        if snapshot.id != self.id {
            if self.unsaved && !self.record.is_empty() {
                self.save(Instant::now());
            }
            let Some(id) = self.hub.move_on(&self.id, Some(snapshot.id.clone())) else {
                self.remembered.push(snapshot);
                return Err(RequestError::OpenElsewhere);
            };
            self.id = id;
        }
        let view = match self.mode {
            Mode::Analysis(view) => Some(view),
            _ => None,
        };
        let Snapshot { record, players, mut clocks, speed, place, .. } = snapshot;
        clocks.run(None, Instant::now());
        self.players = players;
        self.set_record(record);
        (self.clocks, self.speed) = (clocks, speed);
        if let (Some(at), Some(view)) = (place, view) {
            self.mode = Mode::Analysis(View { at, ..view });
        }
        // The engine does not answer at once what was taken back.
        self.paused = self.players.iter().any(Player::is_engine) && self.record.end().is_none();
        Ok(())
    }

    /// Calls the game something else.
    pub(super) fn rename(&mut self, name: String) {
        set_tag(self.record.tags_mut(), "Event", name);
        self.touch();
        self.save(Instant::now());
    }

    /// Deletes the game on the board. Another one begins.
    pub(super) fn discard(&mut self) -> io::Result<()> {
        let old = self.id.clone();
        if self.unsaved && !self.record.is_empty() {
            self.save(Instant::now());
        }
        if let Some(new) = self.hub.move_on(&self.id, None) {
            self.id = new;
        }
        self.remembered.clear();
        self.begin(Record::new(Board::startpos()));
        if self.hub.store().exists(&old) { self.hub.store().delete(&old) } else { Ok(()) }
    }

    pub(super) fn save(&mut self, now: Instant) {
        self.unsaved = false;
        let mut game = self.game();
        game.tags.push(self.saved(now).tag());
        match self.hub.store().save(&self.id, &game) {
            Ok(()) => self.save_failed = false,
            Err(error) => {
                let folder = self.hub.store().folder().display();
                let text = format!("The game cannot be saved in {folder}: {error}");
                // Once is enough.
                if !std::mem::replace(&mut self.save_failed, true) {
                    self.notify(&text);
                }
            }
        }
    }

    fn saved(&self, now: Instant) -> Saved {
        let left = |color| self.clocks.left(color, now).map(|left| left.as_secs_f64());
        Saved {
            players: self.players,
            left: Color::ALL.map(left),
            speed: u64::try_from(self.speed.as_millis()).unwrap_or_default(),
            end: self.record.end().map(Into::into),
            played: self.record.played(),
        }
    }

    pub(super) fn game(&self) -> Game {
        self.record.to_game(view::tags(&self.record, &self.players))
    }
}
