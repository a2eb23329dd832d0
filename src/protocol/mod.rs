//! The languages the engine speaks. A protocol turns lines into commands and
//! events into lines; it does no input or output of its own and starts no thread.

pub mod uci;
pub mod xboard;

use crate::engine::command::{Command, Problem};
use crate::engine::event::Event;
use std::io::{self, Write};

/// One language.
pub trait Protocol {
    /// Reads one line, trimmed and without control characters. `None` if the line
    /// asks for nothing.
    fn parse(&mut self, line: &str) -> Result<Option<Command>, Problem>;

    /// Writes an event, as whole lines, or nothing if the protocol has no word for
    /// it.
    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()>;
}
