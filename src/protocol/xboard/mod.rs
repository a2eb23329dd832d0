//! The xboard protocol, also called CECP, in both its versions: version 1 simply
//! never sends `protover`. `parse` reads single lines, `render` writes events;
//! what has to be remembered from line to line lives here, and that is little:
//! edit mode, and whether the client wants comments.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod parse;
mod render;
#[cfg(test)]
mod tests;

use super::{ECHO, Protocol};
use crate::board::Board;
use crate::engine::command::{Command, EditStep, GameCommand, Problem};
use crate::engine::event::Event;
use crate::text::excerpt;
use crate::types::{Color, Piece, Square};
use std::io::{self, Write};

#[derive(Debug, Default)]
pub(crate) struct Xboard {
    edit: Option<Edit>,
    /// The client refused `debug=1`, so remarks nobody asked for are left out.
    without_remarks: bool,
}

/// What edit mode has collected so far.
#[derive(Debug)]
struct Edit {
    color: Color,
    steps: Vec<EditStep>,
}

impl Protocol for Xboard {
    fn parse(&mut self, line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem> {
        if self.edit.is_some() {
            return self.parse_edit(line);
        }
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("edit"), _) => {
                self.edit = Some(Edit { color: Color::White, steps: Vec::new() });
                Ok(None)
            }
            (Some(answer @ ("accepted" | "rejected")), Some("debug")) => {
                self.without_remarks = answer == "rejected";
                Ok(None)
            }
            _ => parse::command(line, board),
        }
    }

    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Remark(_) if self.without_remarks => Ok(()),
            _ => render::event(event, out),
        }
    }
}

impl Xboard {
    /// Reads a line of edit mode. Of the ordinary commands only those work that a
    /// client must be able to rely on whatever happened before.
    fn parse_edit(&mut self, line: &str) -> Result<Option<Command>, Problem> {
        if line == "." {
            return Ok(self.edit.take().map(|edit| GameCommand::Edit(edit.steps).into()));
        }
        if line.is_empty() || self.edit.as_mut().is_some_and(|edit| edit.apply(line)) {
            return Ok(None);
        }
        match parse::command(line, None) {
            Ok(Some(command @ (Command::Quit | Command::Ready(_)))) => Ok(Some(command)),
            Ok(Some(command @ Command::Game(GameCommand::NewGame))) => {
                self.edit = None;
                Ok(Some(command))
            }
            _ => Err(Problem::BadArgument {
                command: excerpt(line, ECHO),
                reason: "not a line of edit mode".to_owned(),
            }),
        }
    }
}

impl Edit {
    /// Takes a step, if the line is one. The last word on a square counts, so there
    /// are never more steps than squares, and one to clear the board.
    fn apply(&mut self, line: &str) -> bool {
        match line {
            "#" => {
                self.steps.clear();
                self.steps.push(EditStep::Clear);
            }
            "c" => self.color = !self.color,
            _ => match self.change(line) {
                Some((square, step)) => {
                    self.steps.retain(|step| match step {
                        EditStep::Clear => true,
                        EditStep::Put(_, _, other) | EditStep::Remove(other) => *other != square,
                    });
                    self.steps.push(step);
                }
                None => return false,
            },
        }
        true
    }

    /// `Pa4` puts a pawn, `xa4` empties the square.
    fn change(&self, line: &str) -> Option<(Square, EditStep)> {
        let mut letters = line.chars();
        let letter = letters.next()?;
        let square: Square = letters.as_str().parse().ok()?;
        let step = match letter {
            'x' => EditStep::Remove(square),
            _ => EditStep::Put(self.color, Piece::from_letter(letter)?, square),
        };
        Some((square, step))
    }
}
