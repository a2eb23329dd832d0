//! The controller: the one owner of the game, the options, the search and the
//! output.
//!
//! Lines from the reader and events from the search arrive through one channel
//! and are dealt with one after the other. Nothing here waits for a search, so
//! `isready` is answered at once whatever is going on. The game-playing half of
//! it, which xboard needs and UCI does not, is in `play.rs`.

pub mod command;
mod console;
pub mod event;
mod game;
pub mod options;
mod output;
mod play;
mod thinker;

use crate::board::Board;
use crate::protocol::Protocol;
use crate::protocol::uci::Uci;
use crate::protocol::xboard::Xboard;
use crate::search::event::{Info, Outcome, SearchEvent};
use crate::search::{MAX_DEPTH, Task};
use crate::time::{Budget, Clock, Limits};
use crate::types::{Color, Move};
use command::{Command, GoRequest, Problem};
use event::{Context, Event};
use game::Game;
use options::{Id, Options};
use output::Output;
use play::Play;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;
use thinker::{SearchId, Thinker};

/// What arrives in the controller's channel.
#[derive(Debug)]
pub enum Message {
    /// A line of input, without its end.
    Line(String),
    /// The input is closed.
    Eof,
    Search(SearchId, SearchEvent),
    /// The result of other work, as text for people.
    Report(SearchId, String),
}

/// What the running search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A UCI `go`, to be answered by one `bestmove`.
    Answer,
    /// Our move in a game.
    Play,
    /// Thinking on the opponent's time, expecting this move.
    Ponder(Move),
    Analyze,
    /// Perft or bench.
    Work,
}

/// The search going on.
#[derive(Debug)]
struct Thinking {
    purpose: Purpose,
    root: Board,
    limits: Limits,
    /// Told to stop, so its end is near.
    stopping: bool,
    /// The result, if it is in but must be kept until asked for.
    held: Option<Outcome>,
    last_info: Option<Info>,
    /// The root move being searched and how many there are.
    current: Option<(Move, usize, usize)>,
    started: Instant,
}

/// The protocol spoken. The first word of the conversation decides.
enum Language {
    Undecided(Uci),
    Uci(Uci),
    Xboard(Xboard),
}

impl Language {
    fn protocol(&mut self) -> &mut dyn Protocol {
        match self {
            Language::Undecided(uci) | Language::Uci(uci) => uci,
            Language::Xboard(xboard) => xboard,
        }
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
    /// The last position we were sent was unusable: there is nothing to search.
    position_is_bad: bool,
    play: Play,
    /// Commands that must wait for the end of the search, in order.
    deferred: VecDeque<Command>,
    /// The last score and expected reply of ours.
    last_outcome: Option<Outcome>,
    quit: bool,
}

impl Engine {
    /// An engine that writes to `out` and lets its searches report to `messages`.
    pub fn new(out: Box<dyn Write + Send>, messages: Sender<Message>) -> io::Result<Engine> {
        let options = Options::default();
        Ok(Engine {
            language: Language::Undecided(Uci::default()),
            output: Output::new(out),
            thinker: Thinker::new(options.hash, messages)?,
            options,
            thinking: None,
            game: Game::default(),
            position_is_bad: false,
            play: Play::default(),
            deferred: VecDeque::new(),
            last_outcome: None,
            quit: false,
        })
    }

    /// Serves until told to quit, or until the input is closed and nothing but a
    /// count is left to do.
    pub fn run(&mut self, messages: &Receiver<Message>) -> io::Result<()> {
        let mut input_closed = false;
        while !self.quit
            && let Ok(message) = messages.recv()
        {
            match message {
                Message::Line(line) => self.line(&line)?,
                Message::Eof => input_closed = true,
                Message::Search(id, event) => self.search_event(id, event)?,
                Message::Report(id, text) => self.report(id, &text)?,
            }
            let counting =
                self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Work);
            if input_closed && !counting {
                break;
            }
        }
        Ok(())
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
                Message::Line(_) | Message::Eof => {}
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.output.note_input(line);
        if let Language::Undecided(_) = self.language {
            match line.split_ascii_whitespace().next() {
                Some("uci") => self.language = Language::Uci(Uci::default()),
                Some("xboard" | "protover") => self.language = Language::Xboard(Xboard::default()),
                _ => {}
            }
        }
        match self.language.protocol().parse(line) {
            Ok(Some(command)) => self.command(command),
            Ok(None) => Ok(()),
            Err(problem) => self.problem(&problem),
        }
    }

    fn emit(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.language.protocol().render(event, &mut self.output)?;
        self.output.flush()
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
        Context { chess960: self.options.chess960 || !orthodox, show_wdl: self.options.show_wdl }
    }

    fn command(&mut self, command: Command) -> io::Result<()> {
        if self.must_wait(&command) {
            self.deferred.push_back(command);
            return Ok(());
        }
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
            Command::Quit => {
                self.thinker.stop();
                self.quit = true;
                Ok(())
            }
            Command::ClearGame => self.clear(),
            Command::SetPosition { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(request) => self.go(&request),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show(what) => self.show(what),
            Command::Perft { depth } => self.start_perft(depth),
            Command::Bench(arguments) => self.start_bench(&arguments),
            Command::Flip => {
                let result = self.game.flipped().map(|game| self.game = game);
                self.attempt(result)
            }
            other => self.play_command(other),
        }
    }

    /// While a UCI search or our own move is being thought about, what would change
    /// its ground waits, and so does everything behind it.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(thinking) = &self.thinking else {
            return false;
        };
        match command {
            Command::SetOption { .. } => match thinking.purpose {
                Purpose::Answer | Purpose::Play | Purpose::Work => true,
                Purpose::Ponder(_) | Purpose::Analyze => false,
            },
            Command::ClearGame | Command::SetPosition { .. } | Command::Flip => true,
            Command::Go(_) | Command::Perft { .. } | Command::Bench(_) => {
                thinking.stopping || !self.deferred.is_empty()
            }
            _ => false,
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        // Only thinking that can be taken up again goes on this far.
        let analyzing = self.abandon() == Some(Purpose::Analyze);
        let before = self.options.clone();
        let result = self.options.set(name, value).and_then(|id| self.apply_option(id));
        if result.is_err() {
            self.options = before;
        }
        self.attempt(result)?;
        if analyzing { self.start_analysis() } else { Ok(()) }
    }

    fn apply_option(&mut self, id: Id) -> Result<(), Problem> {
        let failed = |name: &str, error: io::Error| Problem::BadOption {
            name: name.to_owned(),
            reason: error.to_string(),
        };
        match id {
            Id::Hash | Id::ClearHash => {
                self.thinker.clear(self.options.hash).map_err(|error| failed("Hash", error))
            }
            Id::Threads => {
                self.thinker.set_threads(self.options.threads);
                Ok(())
            }
            Id::LogFile => self
                .output
                .log_to(&self.options.log_file)
                .map_err(|error| failed("Debug Log File", error)),
            _ => Ok(()),
        }
    }

    /// A new game: nothing learned in the last one may leak into it.
    fn clear(&mut self) -> io::Result<()> {
        self.last_outcome = None;
        let result = self.thinker.clear(self.options.hash).map_err(|error| {
            Problem::Other(format!("the hash table could not be cleared: {error}"))
        });
        self.attempt(result)
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let game = match fen {
            Some(fen) => Game::from_fen(fen),
            None => Ok(Game::default()),
        };
        let mut game = match game {
            Ok(game) => game,
            Err(problem) => {
                // A move for another position than the client's would be worse than
                // none.
                self.position_is_bad = true;
                return self.problem(&problem);
            }
        };
        self.position_is_bad = false;
        let mut result = Ok(());
        for text in moves {
            match game.read(text) {
                Ok(mv) => game.play(mv),
                Err(problem) => {
                    result = Err(problem);
                    break;
                }
            }
        }
        self.game = game;
        self.attempt(result)
    }

    fn go(&mut self, request: &GoRequest) -> io::Result<()> {
        if self.thinking.is_some() {
            let reason = "a search is running; stop it first";
            return self.problem(&Problem::NotNow { command: "go".to_owned(), reason });
        }
        if self.position_is_bad {
            let reason = "there is no legal position to search";
            self.problem(&Problem::NotNow { command: "go".to_owned(), reason })?;
            let context = self.context();
            return self.emit(&Event::BestMove { best: None, ponder: None, context });
        }
        let limits = self.limits(request)?;
        self.think(Purpose::Answer, limits)
    }

    fn limits(&mut self, request: &GoRequest) -> io::Result<Limits> {
        let us = self.game.board().side_to_move();
        let own = |times: [Option<_>; 2]| times[us.index()];
        // A client that knows only the other clock still wants a move in time.
        let remaining = own(request.time).or(request.time[(!us).index()]);
        let clock = remaining.map(|remaining| Clock {
            remaining,
            increment: own(request.increment).unwrap_or_default(),
            moves_to_go: request.moves_to_go.filter(|&moves| moves > 0),
        });
        let mut search_moves = Vec::new();
        for text in &request.search_moves {
            match self.game.read(text) {
                Ok(mv) => search_moves.push(mv),
                Err(problem) => self.problem(&problem)?,
            }
        }
        let unlimited = clock.is_none()
            && request.move_time.is_none()
            && request.depth.is_none()
            && request.nodes.is_none()
            && request.mate.is_none();
        Ok(Limits {
            clock,
            move_time: request.move_time,
            depth: request.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            nodes: request.nodes,
            mate: request.mate,
            search_moves,
            exclude_moves: Vec::new(),
            infinite: request.infinite || unlimited && !request.ponder,
            ponder: request.ponder,
        })
    }

    /// Starts a search of the current position.
    fn think(&mut self, purpose: Purpose, limits: Limits) -> io::Result<()> {
        let board = self.game.board().clone();
        self.think_about(purpose, board, limits)
    }

    fn think_about(&mut self, purpose: Purpose, board: Board, limits: Limits) -> io::Result<()> {
        let budget = if limits.infinite {
            Some(Budget::UNLIMITED)
        } else if limits.ponder {
            None
        } else {
            Some(limits.budget(self.options.move_overhead))
        };
        let multi_pv = self.options.multi_pv;
        let task = Task { board: board.clone(), limits: limits.clone(), multi_pv };
        self.thinker.start(task, budget);
        self.thinking = Some(Thinking {
            purpose,
            root: board,
            limits,
            stopping: false,
            held: None,
            last_info: None,
            current: None,
            started: Instant::now(),
        });
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        self.thinker.stop();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        thinking.stopping = true;
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        let overhead = self.options.move_overhead;
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.limits.ponder)
        else {
            let reason = "nothing is being pondered on";
            return self.problem(&Problem::NotNow { command: "ponderhit".to_owned(), reason });
        };
        thinking.limits.ponder = false;
        if thinking.limits.infinite {
            return Ok(());
        }
        self.thinker.start_clock(thinking.limits.budget(overhead));
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    fn search_event(&mut self, id: SearchId, event: SearchEvent) -> io::Result<()> {
        if !self.thinker.is_current(id) {
            return Ok(());
        }
        match event {
            SearchEvent::Info(info) => self.info(info),
            SearchEvent::CurrentMove { depth, mv, number, total } => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.current = Some((mv, number, total));
                }
                if self.options.minimal {
                    return Ok(());
                }
                let context = self.context();
                self.emit(&Event::CurrentMove { depth, mv, number, context })
            }
            SearchEvent::Done(outcome) => self.done(outcome),
        }
    }

    fn info(&mut self, info: Info) -> io::Result<()> {
        let context = self.context();
        let shown = !self.options.minimal && self.play.shows_thinking();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        if shown {
            let event = Event::Thinking { info: &info, root: &thinking.root, context };
            self.language.protocol().render(&event, &mut self.output)?;
            self.output.flush()?;
        }
        if info.multipv == 1 {
            thinking.last_info = Some(info);
        }
        Ok(())
    }

    fn done(&mut self, outcome: Outcome) -> io::Result<()> {
        self.thinker.finish();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        let must_hold = thinking.limits.infinite || thinking.limits.ponder;
        if must_hold && !thinking.stopping {
            thinking.held = Some(outcome);
            return Ok(());
        }
        self.deliver(outcome)
    }

    /// Acts on the result of a search that is over.
    fn deliver(&mut self, outcome: Outcome) -> io::Result<()> {
        let Some(thinking) = self.thinking.take() else {
            return Ok(());
        };
        if self.options.minimal
            && self.play.shows_thinking()
            && let Some(info) = &thinking.last_info
        {
            let context = self.context();
            self.emit(&Event::Thinking { info, root: &thinking.root, context })?;
        }
        match thinking.purpose {
            Purpose::Answer => {
                let context = self.context();
                let Outcome { best, ponder, .. } = outcome;
                self.emit(&Event::BestMove { best, ponder, context })?;
            }
            Purpose::Play => self.play_result(outcome, thinking.started.elapsed())?,
            Purpose::Ponder(_) | Purpose::Analyze | Purpose::Work => {}
        }
        self.resume_deferred()
    }

    fn report(&mut self, id: SearchId, text: &str) -> io::Result<()> {
        if !self.thinker.is_current(id) {
            return Ok(());
        }
        self.thinker.finish();
        self.thinking = None;
        self.emit(&Event::Text(text))?;
        self.resume_deferred()
    }

    /// Carries out what had to wait, until something has to wait again.
    fn resume_deferred(&mut self) -> io::Result<()> {
        while self.thinking.is_none()
            && let Some(command) = self.deferred.pop_front()
        {
            self.command(command)?;
        }
        Ok(())
    }

    /// Ends the search, if any, without using its result.
    fn abandon(&mut self) -> Option<Purpose> {
        self.thinker.finish();
        self.thinking.take().map(|thinking| thinking.purpose)
    }

    fn side_to_move(&self) -> Color {
        self.game.board().side_to_move()
    }
}
