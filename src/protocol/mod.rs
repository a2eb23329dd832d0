//! The languages the engine speaks. A [`Conversation`] reads lines, chooses the protocol
//! by the first word and writes what comes back; a protocol turns lines into commands
//! and events into lines, does no input or output of its own and starts no thread.

mod conversation;
mod output;
mod reader;
pub mod uci;
pub mod xboard;

pub use conversation::Conversation;
pub use reader::clean;

use crate::board::Board;
use crate::engine::Message;
use crate::engine::command::{Command, Problem};
use crate::engine::event::Event;
use std::io::{self, Write};

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

/// One language.
pub trait Protocol {
    /// Reads one line that [`clean`] gave. `None` if the line asks for nothing. Moves are
    /// read for `board`, which is absent if the last position was refused.
    fn parse(&mut self, line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem>;

    /// Writes an event, as whole lines, or nothing if the protocol has no word for
    /// it.
    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()>;
}
