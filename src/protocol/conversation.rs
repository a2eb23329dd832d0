//! A conversation with a chess program, or with a person: lines in, commands to the
//! engine, its events out as lines.
//!
//! Everything arrives through one channel: what the reader's thread reads and what the
//! searches find. Nothing here waits for a search, so `isready` is answered at once
//! whatever is going on.

use super::output::LineOutput;
use super::reader;
use super::uci::Uci;
use super::xboard::Xboard;
use super::{Input, Protocol};
use crate::engine::command::{Command, Problem};
use crate::engine::event::Event;
use crate::engine::options::{self, Id};
use crate::engine::{Engine, Message};
use crate::signal;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[allow(missing_debug_implementations)] // It owns a writer that has none.
pub(crate) struct Conversation {
    engine: Engine,
    speaker: Arc<Mutex<Speaker>>,
    /// Until the first word of a protocol UCI is spoken, which people can type.
    decided: bool,
    sender: Sender<Input>,
    inputs: Receiver<Input>,
}

/// The protocol spoken and where its lines go. The engine's events end here.
struct Speaker {
    protocol: Box<dyn Protocol + Send>,
    output: LineOutput,
}

impl Speaker {
    fn say(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.protocol.render(event, &mut self.output)?;
        self.output.flush()
    }
}

impl Conversation {
    /// Speaks to whoever reads `out`.
    pub(crate) fn new(out: Box<dyn Write + Send>) -> io::Result<Conversation> {
        let (sender, inputs) = mpsc::channel();
        let protocol = Box::new(Uci::default());
        let speaker = Arc::new(Mutex::new(Speaker { protocol, output: LineOutput::new(out) }));
        let told = Arc::clone(&speaker);
        let listener = move |event: &Event<'_>| lock(&told).say(event);
        let messages = sender.clone();
        let notify = move |message: Message| {
            // The receiver is gone only when the program ends.
            let _ = messages.send(Input::Engine(message));
        };
        let engine = Engine::new(Box::new(listener), Arc::new(notify))?;
        Ok(Conversation { engine, speaker, decided: false, sender, inputs })
    }

    /// Reads lines from `input` and serves until told to quit or until it ends. `first`
    /// is a line to begin with.
    pub(crate) fn run(
        mut self,
        first: Option<String>,
        mut input: impl BufRead + Send + 'static,
    ) -> io::Result<()> {
        if let Some(line) = first {
            self.line(&line)?;
        }
        let (sender, brake) = (self.sender.clone(), self.engine.brake());
        std::thread::Builder::new()
            .spawn(move || reader::read_lines(&mut input, &sender, &brake))?;
        while !self.engine.is_done()
            && let Ok(input) = self.inputs.recv()
        {
            match input {
                Input::Line(line) => self.line(&line)?,
                Input::End => self.engine.end_of_input()?,
                Input::Engine(message) => self.engine.handle(message)?,
            }
        }
        Ok(())
    }

    /// Executes one line and whatever it starts, then returns.
    pub(crate) fn run_lines(mut self, lines: &[&str]) -> io::Result<()> {
        for line in lines {
            self.line(line)?;
        }
        while self.engine.is_running()
            && let Ok(Input::Engine(message)) = self.inputs.recv()
        {
            self.engine.handle(message)?;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        lock(&self.speaker).output.note_input(line);
        if !self.decided {
            self.decide(line);
        }
        let board = self.engine.next_board();
        let parsed = lock(&self.speaker).protocol.parse(line, board);
        match parsed {
            Ok(Some(Command::SetOption { name, value })) if is_log_file(&name) => {
                self.log_to(value.as_deref())
            }
            Ok(Some(command)) => self.engine.command(command),
            Ok(None) => Ok(()),
            Err(problem) => self.problem(&problem),
        }
    }

    /// The first word of a protocol decides which one is spoken.
    fn decide(&mut self, line: &str) {
        match line.split_ascii_whitespace().next() {
            Some("uci") => self.decided = true,
            Some("xboard" | "protover") => {
                self.decided = true;
                signal::ignore_interrupt();
                lock(&self.speaker).protocol = Box::new(Xboard::default());
            }
            _ => {}
        }
    }

    fn log_to(&mut self, value: Option<&str>) -> io::Result<()> {
        let path = value.map(str::trim).filter(|path| *path != "<empty>");
        let result = lock(&self.speaker).output.log_to(path.unwrap_or_default());
        result.or_else(|error| {
            let name = "Debug Log File".to_owned();
            self.problem(&Problem::BadOption { name, reason: error.to_string() })
        })
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        log::info!("{problem}");
        lock(&self.speaker).say(&Event::Problem(problem))
    }
}

/// The one option that is about the conversation itself.
fn is_log_file(name: &str) -> bool {
    options::find(name).is_ok_and(|spec| spec.id == Id::LogFile)
}

/// Both sides are on one thread: nobody ever waits here.
fn lock(speaker: &Mutex<Speaker>) -> MutexGuard<'_, Speaker> {
    speaker.lock().unwrap_or_else(PoisonError::into_inner)
}
