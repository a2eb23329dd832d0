//! One game as its pages see it. A thread owns everything; what pages ask, what
//! the engine reports and what the clocks demand arrive one after the other.
//!
//! After each of them [`Session::settle`] compares what the engine should be doing
//! with what it is doing, so that no request has to start or stop searches itself.
//! `requests.rs` has what the pages may ask, `analysis.rs` what is done to variations,
//! `keeping.rs` files and undo, `view.rs` what pages are shown, and `thinking.rs` what the
//! engine is to do.

mod analysis;
mod keeping;
mod requests;
mod thinking;
mod view;

use super::clock::Clocks;
use super::hub::{ClientId, Hub};
use super::link::{Link, Report, SearchNumber};
use super::message::{EngineLine, Request, Update};
use super::players::{ENGINE, HUMAN, Player};
use super::record::Record;
use super::store::GameId;
use crate::game::{GameResult, Termination};
use crate::types::{Move, Piece};
use analysis::View;
use keeping::Snapshot;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use thinking::{EngineJob, JobKind};

/// Where a page's messages go. A page that does not read them is dropped.
pub(super) type Outbox = tokio::sync::mpsc::Sender<String>;

/// A game that nobody looks at is kept for so long.
const IDLE: Duration = Duration::from_secs(60);
/// An engine without work is kept for so long: other games may need it.
const ENGINE_IDLE: Duration = Duration::from_secs(15);
/// Thinking is shown no more often than this.
const SHOW_EVERY: Duration = Duration::from_millis(100);
/// The state is shown and saved no more often than this: an engine that plays itself
/// may be faster than any page can draw.
const STATE_EVERY: Duration = Duration::from_millis(40);
/// From this depth on, what analysis says about a move is kept.
const KEPT_DEPTH: u32 = 10;

#[derive(Debug)]
pub(super) enum SessionInput {
    Join(ClientId, Outbox),
    Leave(ClientId),
    /// A message of a page.
    Text(ClientId, String),
    Engine(SearchNumber, Report),
    /// What a list of games asks of the game on the board.
    Rename(String, Answer),
    Discard(Answer),
}

type Answer = Sender<io::Result<()>>;

#[derive(Debug, Clone, PartialEq)]
enum Mode {
    Play,
    Analysis(View),
    /// Evaluating every position of the game; this many are done.
    Review(usize),
}

#[derive(Debug)]
pub(super) struct Session {
    id: GameId,
    hub: Hub,
    /// For the engine's reports.
    inbox: Sender<SessionInput>,
    clients: Vec<(ClientId, Outbox)>,
    record: Record,
    players: [Player; 2],
    clocks: Clocks,
    mode: Mode,
    paused: bool,
    /// How long a move stays on the board when the engine plays itself.
    speed: Duration,
    /// Counts games and changes of players: a search for an older one is obsolete.
    game_number: u64,

    link: Option<Link>,
    job: Option<EngineJob>,
    /// The search of the job, while it goes on.
    search: Option<SearchNumber>,
    /// No number is used twice, even by another engine.
    last_search: SearchNumber,
    /// All engines are busy elsewhere; ask again then.
    waiting: Option<Instant>,
    lines: Vec<EngineLine>,
    /// The half-moves before the position the lines are about.
    lines_ply: usize,
    /// The position the lines are about.
    lines_fen: String,
    /// The engine may not move before.
    not_before: Option<Instant>,
    idle_since: Instant,

    /// Pages do not know the state yet.
    changed: bool,
    /// When they may be told again.
    state_due: Instant,
    /// When to show the lines.
    lines_due: Option<Instant>,
    /// The record on disk is older than ours.
    unsaved: bool,
    save_failed: bool,
    /// For the first page that looks.
    notice: Option<String>,
    /// What can be taken back, the last change last.
    remembered: Vec<Snapshot>,
}

impl Session {
    /// The game of this name, as it was saved or a new one.
    pub(super) fn new(
        id: GameId,
        hub: Hub,
        inbox: Sender<SessionInput>,
        notice: Option<String>,
    ) -> Session {
        let players = [HUMAN, ENGINE];
        Session {
            id,
            hub,
            inbox,
            clients: Vec::new(),
            record: Record::default(),
            clocks: Clocks::new(&players),
            players,
            mode: Mode::Play,
            paused: false,
            speed: Duration::ZERO,
            game_number: 0,
            link: None,
            job: None,
            search: None,
            last_search: 0,
            waiting: None,
            lines: Vec::new(),
            lines_ply: 0,
            lines_fen: String::new(),
            not_before: None,
            idle_since: Instant::now(),
            changed: true,
            state_due: Instant::now(),
            lines_due: None,
            unsaved: false,
            save_failed: false,
            notice,
            remembered: Vec::new(),
        }
    }

    /// Serves until nobody has been looking for a while.
    pub(super) fn run(mut self, inbox: &Receiver<SessionInput>) {
        self.open();
        loop {
            let now = Instant::now();
            self.settle(now);
            self.publish(now);
            let input = match inbox.recv_timeout(self.patience(now)) {
                Ok(input) => input,
                Err(RecvTimeoutError::Timeout) if self.is_deserted() => {
                    match self.hub.retire(&self.id, inbox) {
                        Some(input) => input,
                        None => return,
                    }
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            self.check_flag(Instant::now());
            self.input(input);
        }
    }

    /// Does what these messages ask and returns the game's name and how it is saved then.
    pub(super) fn rehearse<'a>(
        mut self,
        messages: impl IntoIterator<Item = &'a str>,
    ) -> Option<(String, String)> {
        self.open();
        for text in messages {
            self.check_flag(Instant::now());
            self.input(SessionInput::Text(0, text.to_owned()));
            let now = Instant::now();
            self.settle(now);
            self.state_due = now;
            self.publish(now);
        }
        self.save(Instant::now());
        (!self.save_failed).then(|| (self.id.as_str().to_owned(), self.game().to_string()))
    }

    fn is_deserted(&self) -> bool {
        self.clients.is_empty() && self.idle_since.elapsed() >= IDLE
    }

    fn input(&mut self, input: SessionInput) {
        match input {
            SessionInput::Join(client, outbox) => {
                let hello = view::hello(self.hub.settings()).to_json();
                if outbox.try_send(hello).is_ok() {
                    self.clients.push((client, outbox));
                    if let Some(text) = self.notice.take() {
                        self.notify(&text);
                    }
                    self.changed = true;
                    self.lines_due = Some(Instant::now());
                }
            }
            SessionInput::Leave(client) => {
                self.clients.retain(|&(other, _)| other != client);
                self.idle_since = Instant::now();
            }
            SessionInput::Text(client, text) => {
                let done = Request::parse(&text).and_then(|request| self.request(request));
                match done {
                    Ok(None) => {}
                    Ok(Some(answer)) => {
                        // Whoever is told that it is done finds it done.
                        let now = Instant::now();
                        self.state_due = now;
                        self.settle(now);
                        self.publish(now);
                        self.tell(client, &answer);
                    }
                    Err(error) => self.tell(client, &Update::Error { text: error.to_string() }),
                }
            }
            SessionInput::Engine(_, Report::Failed(reason)) => self.engine_failed(&reason),
            SessionInput::Engine(search, report) if Some(search) == self.search => {
                self.report(report)
            }
            SessionInput::Engine(..) => {}
            // Whoever asked may have given up.
            SessionInput::Rename(name, answer) => {
                self.rename(name);
                let _ = answer.send(Ok(()));
            }
            SessionInput::Discard(answer) => {
                let _ = answer.send(self.discard());
            }
        }
    }

    fn report(&mut self, report: Report) {
        match report {
            Report::Line(line) => self.line(line),
            Report::Best(best) => {
                self.search = None;
                self.changed = true;
                self.lines_due = Some(Instant::now());
                match (self.job.as_ref().map(|job| job.kind), &mut self.mode) {
                    (Some(JobKind::Play), Mode::Play) => self.engine_move(best),
                    (Some(JobKind::Review), Mode::Review(done)) => *done += 1,
                    _ => {}
                }
            }
            Report::Problem(text) | Report::Failed(text) => self.notify(&text),
        }
    }

    /// The game waits until somebody wants another engine.
    fn engine_failed(&mut self, reason: &str) {
        (self.link, self.search, self.job) = (None, None, None);
        self.mode = Mode::Play;
        self.paused = true;
        self.changed = true;
        self.notify(&format!("The engine failed: {reason}. The game is paused."));
    }

    fn line(&mut self, line: EngineLine) {
        let is_bound = !line.bound.is_empty();
        if is_bound && self.lines.iter().any(|other| other.rank == line.rank) {
            // A move or two, and no real score: the whole line says more.
            return;
        }
        if line.rank == 1 && !is_bound {
            let deep = line.depth >= KEPT_DEPTH;
            let place = match &self.mode {
                Mode::Analysis(view) if deep => Some((view.at, false)),
                Mode::Review(done) => self.record.moves().get(*done).map(|shown| (shown.id, true)),
                _ => None,
            };
            if let Some((place, replace)) = place
                && self.record.evaluate(place, line.eval, line.depth, replace)
            {
                self.touch();
            }
        }
        self.lines.retain(|other| other.rank != line.rank);
        let place = self.lines.iter().take_while(|other| other.rank < line.rank).count();
        self.lines.insert(place, line);
        self.lines_due.get_or_insert_with(|| Instant::now() + SHOW_EVERY);
    }

    fn engine_move(&mut self, best: Option<Move>) {
        let Some(mv) = best.filter(|&mv| self.record.board().is_legal(mv)) else {
            self.notify("The engine has no move here.");
            return;
        };
        let line = self.lines.first();
        let (eval, depth) = (line.map(|line| line.eval), line.map_or(0, |line| line.depth));
        let now = Instant::now();
        let clock = self.clocks.moved(self.record.turn(), now);
        self.record.play(mv, eval, depth, clock);
        self.not_before = Some(now + self.speed);
        self.touch();
    }

    /// The game has changed: pages and disk must learn of it.
    fn touch(&mut self) {
        self.changed = true;
        self.unsaved = true;
    }

    /// What the engine said last is about a position that is gone.
    fn forget_lines(&mut self) {
        self.lines.clear();
        self.lines_due = Some(Instant::now());
    }

    /// Begins a game that has just been set up.
    fn begin(&mut self, mut record: Record) {
        *record.tags_mut() = view::tags_of_today();
        self.set_record(record);
        self.clocks = Clocks::new(&self.players);
    }

    fn set_record(&mut self, record: Record) {
        self.record = record;
        self.mode = Mode::Play;
        self.paused = false;
        self.game_number += 1;
        self.forget_lines();
        self.not_before = None;
        if let Some(link) = &self.link {
            link.clear();
        }
        self.search = None;
        self.touch();
    }

    fn check_flag(&mut self, now: Instant) {
        let Some(loser) = self.clocks.flagged(now) else { return };
        let winner = !loser;
        let board = self.record.board();
        let bare_king = board.color(winner) == board.colored_pieces(winner, Piece::King);
        if bare_king {
            self.record.finish(GameResult::Draw, Termination::TimeWithoutMaterial);
        } else {
            self.record.finish(GameResult::win(winner), Termination::Time);
        }
        self.touch();
    }

    /// Lets engine and clocks do what they should be doing.
    fn settle(&mut self, now: Instant) {
        self.check_flag(now);
        if matches!(self.mode, Mode::Review(done) if done >= self.to_review()) {
            self.mode = Mode::Play;
            let found = self.record.mark_mistakes();
            self.broadcast(&Update::Notice { text: found, stays: false }.to_json());
            self.touch();
        }
        let wanted = self.wanted(now);
        if wanted.is_none() && self.waiting.take().is_some() {
            self.changed = true;
        }
        if wanted != self.job {
            self.replace_job(wanted, now);
        }
        if self.job.is_some() {
            self.idle_since = now;
        } else if self.clients.is_empty()
            || now.saturating_duration_since(self.idle_since) >= ENGINE_IDLE
        {
            self.link = None;
        }
        let turn = self.record.turn();
        let counts = !self.clients.is_empty()
            && self.mode == Mode::Play
            && !self.paused
            && self.record.end().is_none()
            // Nobody hurries the first move.
            && !self.record.moves().is_empty()
            && (!self.players[turn.index()].is_engine() || self.search.is_some());
        let before = self.clocks.running();
        self.clocks.run(counts.then_some(turn), now);
        self.changed |= self.clocks.running() != before;
    }

    /// How many positions of the game there are to evaluate: where nobody can move,
    /// there is nothing to think about.
    fn to_review(&self) -> usize {
        let moves = self.record.moves().len();
        if self.record.board().has_legal_moves() { moves } else { moves.saturating_sub(1) }
    }

    /// How long nothing will happen unasked.
    fn patience(&self, now: Instant) -> Duration {
        let idle = if self.clients.is_empty() {
            Some(self.idle_since + IDLE)
        } else {
            (self.link.is_some() && self.job.is_none()).then(|| self.idle_since + ENGINE_IDLE)
        };
        let lingering = self.not_before.filter(|&then| then > now);
        let state = self.changed.then_some(self.state_due);
        [self.clocks.deadline(), lingering, state, self.lines_due, self.waiting, idle]
            .into_iter()
            .flatten()
            .map(|then| then.saturating_duration_since(now).max(Duration::from_millis(1)))
            .min()
            .unwrap_or(IDLE)
    }

    /// Shows the pages what is new, and saves it.
    fn publish(&mut self, now: Instant) {
        if self.changed && self.state_due <= now {
            self.changed = false;
            self.state_due = now + STATE_EVERY;
            if self.unsaved {
                self.save(now);
            }
            let state = Update::State(Box::new(self.state(now)));
            self.broadcast(&state.to_json());
        }
        if self.lines_due.is_some_and(|due| due <= now) {
            self.lines_due = None;
            let (ply, fen) = (self.lines_ply, &self.lines_fen);
            let text = Update::Thinking { ply, fen, lines: &self.lines }.to_json();
            self.broadcast(&text);
        }
    }

    fn tell(&mut self, client: ClientId, update: &Update<'_>) {
        if let Some((_, outbox)) = self.clients.iter().find(|&&(other, _)| other == client) {
            // A page that cannot take it is dropped with the next broadcast.
            let _ = outbox.try_send(update.to_json());
        }
    }

    fn notify(&mut self, text: &str) {
        log::info!("{text}");
        self.broadcast(&Update::Notice { text: text.to_owned(), stays: true }.to_json());
    }

    /// Tells all pages. One that has gone, or does not keep up, is left out from now
    /// on; it will ask for the state when it comes back.
    fn broadcast(&mut self, text: &str) {
        self.clients.retain(|(_, outbox)| outbox.try_send(text.to_owned()).is_ok());
    }
}
