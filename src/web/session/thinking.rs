//! What the engine is to do for a game, and getting an engine to do it.

use super::{Mode, Session, SessionInput};
use crate::engine::command::GoRequest;
use crate::types::{Color, Move};
use crate::web::link::{self, Link};
use crate::web::message::EngineSettings;
use crate::web::players::Player;
use std::time::{Duration, Instant};

/// How often to ask for an engine again while others use them all.
const RETRY: Duration = Duration::from_secs(1);
/// How long a position is looked at when a whole game is evaluated.
const REVIEW_TIME: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobKind {
    Play,
    Analysis,
    Review,
}

/// A search: what for, and of which position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EngineJob {
    pub(super) kind: JobKind,
    /// Which game, as two may begin with the same moves.
    game: u64,
    pub(super) moves: Vec<Move>,
    lines: usize,
    /// Where analysis stops.
    depth: Option<u32>,
}

impl Session {
    /// What the engine should be doing now.
    pub(super) fn wanted(&self, now: Instant) -> Option<EngineJob> {
        if self.clients.is_empty() {
            return None;
        }
        let moves = || self.record.moves().iter().map(|played| played.mv);
        let (kind, moves, lines) = match &self.mode {
            Mode::Play => {
                let player = &self.players[self.record.turn().index()];
                let over = self.record.end().is_some();
                if self.paused || over || !player.is_engine() || self.must_linger(now) {
                    return None;
                }
                (JobKind::Play, moves().collect(), 1)
            }
            Mode::Analysis(view) => {
                if !view.board(&self.record).has_legal_moves() {
                    return None;
                }
                (JobKind::Analysis, view.moves(&self.record), view.lines)
            }
            Mode::Review(done) => (JobKind::Review, moves().take(done + 1).collect(), 1),
        };
        let depth = match &self.mode {
            Mode::Analysis(view) => view.depth,
            _ => None,
        };
        Some(EngineJob { kind, game: self.game_number, moves, lines, depth })
    }

    /// Whether the last move must stay on the board a little longer.
    fn must_linger(&self, now: Instant) -> bool {
        self.players.iter().all(Player::is_engine) && self.not_before.is_some_and(|then| now < then)
    }

    pub(super) fn replace_job(&mut self, wanted: Option<EngineJob>, now: Instant) {
        if self.waiting.is_some_and(|again| now < again) && wanted.is_some() {
            return;
        }
        if let Some(link) = self.link.as_ref().filter(|_| self.search.is_some()) {
            link.stop();
        }
        self.changed |= self.search.take().is_some() || self.waiting.take().is_some();
        self.job = None;
        let Some(job) = wanted else { return };
        if !self.ensure_engine(now) {
            return;
        }
        self.lines.clear();
        self.lines_ply = job.moves.len();
        if job.kind == JobKind::Analysis {
            // Lines of another position would be arrows that make no sense.
            self.lines_due = Some(now);
        }
        let (elo, request) = self.limits(&job, now);
        let start = self.record.start().clone();
        let mut board = start.clone();
        job.moves.iter().for_each(|&mv| board.make(mv));
        self.lines_fen = board.fen();
        let settings = self.hub.settings();
        if let Some(link) = &mut self.link {
            let settings = EngineSettings {
                // People who analyse want to see what the engine thinks.
                book: if job.kind == JobKind::Play { settings.book } else { String::new() },
                ..settings
            };
            let position = (&start, job.moves.as_slice());
            self.last_search = link.search(position, job.lines, elo, &settings, request);
            self.search = Some(self.last_search);
        }
        self.job = Some(job);
        self.changed = true;
    }

    fn limits(&self, job: &EngineJob, now: Instant) -> (Option<i64>, GoRequest) {
        match job.kind {
            JobKind::Play => {
                let player = &self.players[self.record.turn().index()];
                let elo = match player {
                    Player::Engine { elo, .. } => *elo,
                    Player::Human { .. } => None,
                };
                let left = Color::ALL.map(|color| self.clocks.left(color, now));
                let increment = Color::ALL.map(|color| self.clocks.increment(color));
                (elo, link::request(player, left, increment))
            }
            JobKind::Analysis => {
                let (depth, infinite) = (job.depth, job.depth.is_none());
                (None, GoRequest { depth, infinite, ..GoRequest::default() })
            }
            JobKind::Review => {
                (None, GoRequest { move_time: Some(REVIEW_TIME), ..GoRequest::default() })
            }
        }
    }

    fn ensure_engine(&mut self, now: Instant) -> bool {
        if self.link.is_some() {
            return true;
        }
        let inbox = self.inbox.clone();
        let report = move |search, report| {
            // The session is gone only when its engine is to go, too.
            let _ = inbox.send(SessionInput::Engine(search, report));
        };
        match Link::start(self.hub.engines(), self.last_search, report) {
            Ok(link) => self.link = link,
            Err(error) => self.notify(&format!("The engine cannot be started: {error}")),
        }
        if self.link.is_none() {
            self.waiting = Some(now + RETRY);
            self.changed = true;
        }
        self.link.is_some()
    }
}
