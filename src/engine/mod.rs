//! The engine as a service: typed commands in, typed events out. It owns the position,
//! the options and the search, and knows nothing of lines or protocols.
//!
//! Commands and what searches find are dealt with one after the other, and nothing here
//! waits for a search. This file receives and dispatches; `searching.rs` runs searches,
//! `play/` plays games as xboard wants it, `opening.rs` plays by the book, `endgame.rs`
//! has the tablebases, `console.rs` serves people who type.

mod brake;
pub(crate) mod command;
mod console;
pub(crate) mod draw;
mod endgame;
pub(crate) mod event;
mod opening;
pub(crate) mod options;
mod play;
mod position;
mod searching;
mod thinker;

use crate::board::Board;
use crate::eval::nnue::{self, Network};
use crate::search::event::{SearchEvent, SearchResult};
use crate::tablebase::Tablebases;
use crate::time::LagMeter;
use crate::types::Color;
pub(crate) use brake::{Brake, Halt};
use command::{Command, Problem};
pub(crate) use console::compiler;
use event::{Context, Event};
use opening::Opening;
use options::{Id, Options};
use play::Play;
pub(crate) use position::{Position, read_move};
use searching::{Purpose, Thinking};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use thinker::{SearchId, Thinker};

/// What the engine's own threads tell it.
#[derive(Debug)]
pub(crate) enum Message {
    /// From the search going on, or from one that was.
    Search(SearchId, SearchEvent),
    /// The result of other work, as text for people.
    Report(SearchId, String),
}

/// Hands over what a search found to whoever calls [`Engine::handle`].
pub(crate) type Notify = Arc<dyn Fn(Message) + Send + Sync>;

/// Hears every event of the engine. If it fails, so does what caused the event.
pub(crate) type Listener = Box<dyn FnMut(&Event<'_>) -> io::Result<()> + Send>;

/// Why the service comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// We were told to go.
    Quit,
    /// The input ended. A count that was asked for is still finished.
    Eof,
}

#[allow(missing_debug_implementations)] // It owns a listener that has none.
pub(crate) struct Engine {
    listener: Listener,
    options: Options,
    thinker: Thinker,
    thinking: Option<Thinking>,
    position: Position,
    opening: Opening,
    tables: Option<Arc<Tablebases>>,
    /// The last position we were sent was refused: there is nothing to search, and no
    /// move is legal.
    unusable: bool,
    play: Play,
    /// Commands that must wait for the end of the search, in order.
    deferred: VecDeque<Command>,
    /// The last score and expected reply of ours.
    last_outcome: Option<SearchResult>,
    closing: Option<Closing>,
    lag: LagMeter,
}

impl Engine {
    /// An engine that tells its events to `listener`. Its searches report to `notify`, and
    /// what they report must come back to [`Engine::handle`].
    pub(crate) fn new(listener: Listener, notify: Notify) -> io::Result<Engine> {
        let options = Options::default();
        Ok(Engine {
            listener,
            thinker: Thinker::new(options.hash, notify)?,
            options,
            thinking: None,
            position: Position::default(),
            opening: Opening::default(),
            tables: None,
            unusable: false,
            play: Play::default(),
            deferred: VecDeque::new(),
            last_outcome: None,
            closing: None,
            lag: LagMeter::default(),
        })
    }

    /// Ends the search going on ahead of the command that will end it.
    pub(crate) fn brake(&self) -> Arc<Brake> {
        self.thinker.brake()
    }

    /// Whether a search or other work is going on.
    pub(crate) fn is_running(&self) -> bool {
        self.thinker.is_running()
    }

    /// Whether it was told to end, and every search has its answer.
    pub(crate) fn is_done(&self) -> bool {
        self.closing.is_some_and(|closing| !self.owes_answer(closing))
    }

    /// The position that the next command meets when its turn comes, unless that was
    /// refused.
    pub(crate) fn next_board(&self) -> Option<&Board> {
        let waiting = self.deferred.iter().rev().find_map(|command| match command {
            Command::SetPosition(position) => Some(position.as_ref().ok()),
            _ => None,
        });
        let position = waiting.unwrap_or((!self.unusable).then_some(&self.position));
        position.map(Position::board)
    }

    /// Deals with one message.
    pub(crate) fn handle(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::Search(id, event) => self.search_event(id, event),
            Message::Report(id, text) => self.report(id, &text),
        }
    }

    /// No command follows: ends as [`Command::Quit`] does, after work that was asked for.
    pub(crate) fn end_of_input(&mut self) -> io::Result<()> {
        if self.closing.is_some() { Ok(()) } else { self.close(Closing::Eof) }
    }

    /// Ends what goes on as soon as it can be ended.
    fn close(&mut self, closing: Closing) -> io::Result<()> {
        self.closing = Some(closing);
        match self.thinking.as_ref().map(|thinking| thinking.purpose) {
            Some(Purpose::Work) if closing == Closing::Eof => Ok(()),
            _ => self.stop(),
        }
    }

    /// Whether something was asked for that must be said before the end.
    fn owes_answer(&self, closing: Closing) -> bool {
        let waiting = self.deferred.iter().any(|it| matches!(it, Command::Go(_)));
        self.thinking.as_ref().is_some_and(|thinking| match thinking.purpose {
            Purpose::Answer => true,
            Purpose::Work => waiting || closing == Closing::Eof,
            Purpose::Play | Purpose::Ponder(_) | Purpose::Analyze => false,
        })
    }

    fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        (self.listener)(event)
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        log::info!("{problem}");
        self.emit(&Event::Problem(problem))
    }

    /// Reports a failure and goes on.
    fn attempt(&mut self, result: Result<(), Problem>) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(problem) => self.problem(&problem),
        }
    }

    fn context(&self) -> Context {
        let orthodox = self.position.board().castling_is_orthodox();
        Context {
            chess960: self.options.chess960 || !orthodox,
            show_wdl: self.options.show_wdl,
            show_line: self.options.show_line,
        }
    }

    /// Executes a command now or when its turn comes. After the end none is heard.
    pub(crate) fn command(&mut self, command: Command) -> io::Result<()> {
        if self.closing.is_some() {
            return Ok(());
        }
        if matches!(command, Command::Go(_)) && self.ponder_is_forsaken() {
            self.abandon();
            self.emit(&Event::Remark("pondering ended: another search was asked for"))?;
            self.resume_deferred()?;
        }
        if self.must_queue(&command) || self.must_wait(&command) {
            self.defer(command);
            return Ok(());
        }
        self.execute(command)
    }

    /// Whether the client has set up another position without a word to the search that
    /// ponders, which would wait for that word forever. python-chess does so, and takes
    /// the next best move for that of the new search, so there must be only one.
    fn ponder_is_forsaken(&self) -> bool {
        let pondering = self.thinking.as_ref().is_some_and(|it| it.limits.ponder && !it.stopping);
        let asks = |it: &Command| matches!(it, Command::Go(_));
        let sets_up = |it: &Command| matches!(it, Command::SetPosition(_));
        pondering && self.deferred.iter().any(sets_up) && !self.deferred.iter().any(asks)
    }

    /// Lines up a command behind those that wait already; but what ends a search goes
    /// right behind the search it is for, as that cannot end without it.
    fn defer(&mut self, command: Command) {
        let ends_search = |it: &Command| matches!(it, Command::Stop | Command::PonderHit);
        let place = if ends_search(&command) {
            let last = self.deferred.iter().rposition(|it| matches!(it, Command::Go(_)));
            let behind = last.map_or(0, |last| last + 1);
            behind + self.deferred.iter().skip(behind).take_while(|it| ends_search(it)).count()
        } else {
            self.deferred.len()
        };
        self.deferred.insert(place, command);
    }

    /// Whether `command` belongs behind commands that are already waiting.
    fn must_queue(&self, command: &Command) -> bool {
        match command {
            // Meant for the search that is still to begin, if there is one.
            Command::Stop | Command::PonderHit => {
                self.thinking.as_ref().is_some_and(|thinking| thinking.stopping)
                    && self.deferred.iter().any(|waiting| matches!(waiting, Command::Go(_)))
            }
            Command::SetOption { .. }
            | Command::ClearGame
            | Command::SetPosition(_)
            | Command::Go(_)
            | Command::Perft { .. }
            | Command::Bench(_)
            | Command::Flip => !self.deferred.is_empty(),
            _ => false,
        }
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Identify => self.emit(&Event::Identity),
            Command::Ready(token) => self.ready(token),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Debug(on) => {
                let level = if on { log::LevelFilter::Debug } else { log::LevelFilter::Warn };
                log::set_max_level(level);
                Ok(())
            }
            Command::Quit => self.close(Closing::Quit),
            Command::ClearGame => self.clear(),
            Command::SetPosition(position) => self.set_position(position),
            Command::Go(request) => self.go(&request),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show(what) => self.show(what),
            Command::Perft { depth } => self.start_perft(depth),
            Command::Bench(arguments) => self.start_bench(&arguments),
            Command::Flip => {
                let position = self.known_position("flip").and_then(Position::flipped);
                self.set_game(position)
            }
            Command::Game(command) => self.game_command(command),
        }
    }

    /// While a UCI search or our own move is being thought about, what would change
    /// its ground waits, and a new search waits for one that is about to end.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(thinking) = &self.thinking else {
            return false;
        };
        match command {
            Command::SetOption { .. }
            | Command::ClearGame
            | Command::SetPosition(_)
            | Command::Flip => {
                matches!(thinking.purpose, Purpose::Answer | Purpose::Play | Purpose::Work)
            }
            Command::Go(_) | Command::Perft { .. } | Command::Bench(_) => thinking.stopping,
            _ => false,
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        // Only thinking that can be taken up again goes on this far.
        let interrupted = self.abandon();
        let before = self.options.clone();
        let result = self.options.set(name, value).and_then(|id| self.apply_option(id));
        match result {
            Ok(Some(remark)) => self.emit(&Event::Remark(&remark))?,
            Ok(None) => {}
            Err(problem) => {
                self.options = before;
                self.problem(&problem)?;
            }
        }
        match interrupted {
            Some(Purpose::Analyze) => self.start_analysis(),
            Some(Purpose::Ponder(_)) => self.start_pondering(),
            _ => Ok(()),
        }
    }

    /// Makes a new value count. There may be something to say about it.
    fn apply_option(&mut self, id: Id) -> Result<Option<String>, Problem> {
        let failed = |name: &str, error: io::Error| Problem::BadOption {
            name: name.to_owned(),
            reason: error.to_string(),
        };
        match id {
            Id::Hash | Id::ClearHash => {
                self.thinker.clear(self.options.hash).map_err(|error| failed("Hash", error))?;
            }
            Id::Threads => self
                .thinker
                .set_threads(self.options.threads)
                .map_err(|error| failed("Threads", error))?,
            Id::EvalFile | Id::UseNetwork => self.choose_network()?,
            Id::BookFile => self.opening.load(&self.options.book_file)?,
            Id::SyzygyPath => return self.load_tables(),
            _ => {}
        }
        Ok(None)
    }

    /// Loads the network the options ask for. One that cannot be used changes nothing.
    fn choose_network(&mut self) -> Result<(), Problem> {
        let file = &self.options.eval_file;
        let network = match (self.options.use_network, file.as_str()) {
            (false, _) => None,
            (true, "") => nnue::embedded(),
            (true, file) => Some(Arc::new(Network::read(Path::new(file)).map_err(|error| {
                Problem::BadOption {
                    name: "EvalFile".to_owned(),
                    reason: format!("{file}: {error}"),
                }
            })?)),
        };
        self.thinker.set_network(network);
        self.thinker.clear(self.options.hash).map_err(|error| {
            Problem::Other(format!("the hash table could not be cleared: {error}"))
        })
    }

    /// A new game: nothing learned in the last one may leak into it.
    fn clear(&mut self) -> io::Result<()> {
        self.last_outcome = None;
        let result = self.thinker.clear(self.options.hash).map_err(|error| {
            Problem::Other(format!("the hash table could not be cleared: {error}"))
        });
        self.attempt(result)
    }

    fn side_to_move(&self) -> Color {
        self.position.board().side_to_move()
    }
}
