//! The languages the engine speaks. A [`Conversation`] reads lines, chooses the protocol
//! by the first word and writes what comes back; a protocol turns lines into commands
//! and events into lines, does no input or output of its own and starts no thread.

mod conversation;
mod output;
mod reader;
pub(crate) mod uci;
mod xboard;

pub(crate) use conversation::Conversation;
pub(crate) use reader::clean;

use crate::board::Board;
use crate::engine::Message;
use crate::engine::command::{Command, Problem};
use crate::engine::event::Event;
use std::io::{self, Write};

/// How much of a client's own words is given back to it.
const ECHO: usize = 100;

/// What arrives in a conversation's channel.
#[derive(Debug)]
enum Input {
    /// A line, cleaned.
    Line(String),
    /// There are no more lines.
    End,
    /// For the engine, from its searches.
    Engine(Message),
}

/// A language to read lines in, for tests and fuzzers.
#[derive(Clone, Copy, Debug)]
pub enum Language {
    Uci,
    Xboard,
}

/// Why lines, as bytes that nobody has looked at, can not be used: a message for each.
pub fn refusals(language: Language, bytes: &[u8]) -> Vec<String> {
    let mut protocol: Box<dyn Protocol> = match language {
        Language::Uci => Box::new(uci::Uci::default()),
        Language::Xboard => Box::new(xboard::Xboard::default()),
    };
    let board = Board::startpos();
    let text = String::from_utf8_lossy(bytes);
    let refused = text.lines().filter_map(|line| protocol.parse(&clean(line), Some(&board)).err());
    refused.map(|problem| problem.to_string()).collect()
}

/// One language.
pub(crate) trait Protocol {
    /// Reads one line that [`clean`] gave. `None` if the line asks for nothing. Moves are
    /// read for `board`, which is absent if the last position was refused.
    fn parse(&mut self, line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem>;

    /// Writes an event, as whole lines, or nothing if the protocol has no word for
    /// it.
    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()>;
}
