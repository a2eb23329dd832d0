//! The Universal Chess Interface, and the console commands that engines usually
//! offer beside it.
//!
//! Lines are parsed and written by the `vampirc-uci` crate where it is right: [`parse`]
//! keeps from its parser what it gets wrong, and [`render`] spells out what its
//! serialiser gets wrong.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod parse;
mod render;
#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests;

use super::Protocol;
use crate::board::Board;
use crate::engine::command::{Command, Problem};
use crate::engine::event::Event;
use std::io::{self, Write};

/// Speaks UCI. It remembers nothing from line to line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uci {}

impl Protocol for Uci {
    fn parse(&mut self, line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem> {
        parse::command(line, board)
    }

    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        render::render(event, out)
    }
}
