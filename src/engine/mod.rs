//! The controller: the one owner of the game, the options, the search and the
//! output.
//!
//! Lines from the reader and events from the search arrive through one channel
//! and are dealt with one after the other. Nothing here waits for a search, so
//! `isready` is answered at once whatever is going on. This file receives and
//! dispatches; `searching.rs` runs searches, `play/` plays games as xboard wants it,
//! `opening.rs` plays by the book, `endgame.rs` has the tables, `console.rs` serves people who type.

mod brake;
pub mod command;
mod console;
pub mod draw;
mod endgame;
pub mod event;
mod game;
mod opening;
pub mod options;
mod output;
mod play;
mod searching;
mod thinker;

use crate::eval::nnue::{self, Network};
use crate::protocol::Protocol;
use crate::protocol::uci::Uci;
use crate::protocol::xboard::Xboard;
use crate::search::event::{SearchEvent, SearchResult};
use crate::tablebase::Tablebases;
use crate::types::Color;
pub use brake::Brake;
use command::{Command, Problem};
use event::{Context, Event};
use game::Game;
use opening::Opening;
use options::{Id, Options};
use output::Output;
use play::Play;
use searching::{Purpose, Thinking};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use thinker::{SearchId, Thinker};

/// What arrives in the controller's channel.
#[derive(Debug)]
pub enum Message {
    /// A line of input, without its end.
    Line(String),
    /// A request by a part of this program, which needs no words.
    Command(Command),
    /// The input is closed.
    Eof,
    Search(SearchId, SearchEvent),
    /// The result of other work, as text for people.
    Report(SearchId, String),
}

/// Why the conversation comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// We were told to go.
    Quit,
    /// The input ended. A count that was asked for is still finished.
    Eof,
}

/// Hears every event of an engine that talks to a part of this program.
pub type Listener = Box<dyn FnMut(&Event<'_>) + Send>;

/// The protocol spoken. The first word of the conversation decides.
enum Language {
    Undecided(Uci),
    Uci(Uci),
    Xboard(Xboard),
    /// No words: commands come in and events go out as they are.
    None(Listener),
}

impl Language {
    fn parse(&mut self, line: &str) -> Result<Option<Command>, Problem> {
        match self {
            Language::Undecided(uci) | Language::Uci(uci) => uci.parse(line),
            Language::Xboard(xboard) => xboard.parse(line),
            Language::None(_) => Err(Problem::UnknownCommand(line.to_owned())),
        }
    }

    fn render(&mut self, event: &Event<'_>, output: &mut Output) -> io::Result<()> {
        match self {
            Language::Undecided(uci) | Language::Uci(uci) => uci.render(event, output)?,
            Language::Xboard(xboard) => xboard.render(event, output)?,
            Language::None(listener) => listener(event),
        }
        output.flush()
    }
}

#[allow(missing_debug_implementations)] // It owns a writer that has none.
pub struct Engine {
    language: Language,
    output: Output,
    options: Options,
    thinker: Thinker,
    thinking: Option<Thinking>,
    game: Game,
    opening: Opening,
    tables: Option<Arc<Tablebases>>,
    /// The last position we were sent was unusable: there is nothing to search.
    position_is_bad: bool,
    play: Play,
    /// Commands that must wait for the end of the search, in order.
    deferred: VecDeque<Command>,
    /// The last score and expected reply of ours.
    last_outcome: Option<SearchResult>,
    closing: Option<Closing>,
}

impl Engine {
    /// An engine that writes to `out` and lets its searches report to `messages`.
    pub fn new(out: Box<dyn Write + Send>, messages: Sender<Message>) -> io::Result<Engine> {
        Engine::speaking(Language::Undecided(Uci::default()), out, messages)
    }

    /// An engine that is sent commands and tells its events to `listener`.
    pub fn with_listener(listener: Listener, messages: Sender<Message>) -> io::Result<Engine> {
        Engine::speaking(Language::None(listener), Box::new(io::sink()), messages)
    }

    fn speaking(
        language: Language,
        out: Box<dyn Write + Send>,
        messages: Sender<Message>,
    ) -> io::Result<Engine> {
        let options = Options::default();
        Ok(Engine {
            language,
            output: Output::new(out),
            thinker: Thinker::new(options.hash, messages)?,
            options,
            thinking: None,
            game: Game::default(),
            opening: Opening::default(),
            tables: None,
            position_is_bad: false,
            play: Play::default(),
            deferred: VecDeque::new(),
            last_outcome: None,
            closing: None,
        })
    }

    /// What the reader of the input pulls when a line ends the search going on.
    pub fn brake(&self) -> Arc<Brake> {
        self.thinker.brake()
    }

    /// Serves until told to quit or until the input is closed, and every search has its
    /// answer.
    pub fn run(&mut self, messages: &Receiver<Message>) -> io::Result<()> {
        while self.closing.is_none_or(|closing| self.owes_answer(closing))
            && let Ok(message) = messages.recv()
        {
            match message {
                Message::Search(id, event) => self.search_event(id, event)?,
                Message::Report(id, text) => self.report(id, &text)?,
                _ if self.closing.is_some() => {}
                Message::Line(line) => self.line(&line)?,
                Message::Command(command) => self.command(command)?,
                Message::Eof => self.close(Closing::Eof)?,
            }
        }
        Ok(())
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

    /// Executes one command and whatever it starts, then returns.
    pub fn run_one(&mut self, line: &str, messages: &Receiver<Message>) -> io::Result<()> {
        self.line(line)?;
        while self.thinker.is_running()
            && let Ok(message) = messages.recv()
        {
            match message {
                Message::Search(id, event) => self.search_event(id, event)?,
                Message::Report(id, text) => self.report(id, &text)?,
                Message::Line(_) | Message::Command(_) | Message::Eof => {}
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.output.note_input(line);
        if let Language::Undecided(_) = self.language {
            match line.split_ascii_whitespace().next() {
                Some("uci") => self.language = Language::Uci(Uci::default()),
                Some("xboard" | "protover") => {
                    crate::signal::ignore_interrupt();
                    self.language = Language::Xboard(Xboard::default());
                }
                _ => {}
            }
        }
        match self.language.parse(line) {
            Ok(Some(command)) => self.command(command),
            Ok(None) => Ok(()),
            Err(problem) => {
                // An unreadable position is as bad as an illegal one.
                if matches!(&problem, Problem::BadArgument { command, .. } if command == "position")
                {
                    self.position_is_bad = true;
                }
                self.problem(&problem)
            }
        }
    }

    fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.language.render(event, &mut self.output)
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
        let orthodox = self.game.board().castling_is_orthodox();
        Context {
            chess960: self.options.chess960 || !orthodox,
            show_wdl: self.options.show_wdl,
            show_line: self.options.show_line,
        }
    }

    fn command(&mut self, command: Command) -> io::Result<()> {
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
        let sets_up = |it: &Command| matches!(it, Command::SetPosition { .. });
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
            | Command::SetPosition { .. }
            | Command::Go(_)
            | Command::Perft { .. }
            | Command::Bench(_)
            | Command::Flip => !self.deferred.is_empty(),
            _ => false,
        }
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Identify => {
                let options = self.options.clone();
                self.emit(&Event::Identity(&options))
            }
            Command::Ready(token) => self.ready(token),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Debug(on) => {
                let level = if on { log::LevelFilter::Debug } else { log::LevelFilter::Warn };
                log::set_max_level(level);
                Ok(())
            }
            Command::Quit => self.close(Closing::Quit),
            Command::ClearGame => self.clear(),
            Command::SetPosition { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(request) => self.go(&request),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show(what) => self.show(what),
            Command::Perft { depth } => self.start_perft(depth),
            Command::Bench(arguments) => self.start_bench(&arguments),
            Command::Flip => {
                let game = self.known_game("flip").and_then(|game| game.flipped());
                self.set_game(game)
            }
            other => self.play_command(other),
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
            | Command::SetPosition { .. }
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
            Id::LogFile => self
                .output
                .log_to(&self.options.log_file)
                .map_err(|error| failed("Debug Log File", error))?,
            Id::BookFile => self.opening.load(&self.options.book_file)?,
            Id::SyzygyPath => return self.load_tables(),
            _ => {}
        }
        Ok(None)
    }

    /// Loads the net the options ask for. One that cannot be used changes nothing.
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
        self.game.board().side_to_move()
    }
}
