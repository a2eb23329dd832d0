//! The Universal Chess Interface, and the console commands that engines usually
//! offer beside it.
//!
//! Lines are parsed and written by the `vampirc-uci` crate where it is right.
//! [`normalise`] keeps from its parser what it gets wrong, and [`render`] writes by
//! hand what its serialiser gets wrong.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod normalise;
mod render;
#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests;

use super::Protocol;
use crate::board::Board;
use crate::engine::command::{Command, GoRequest, Problem, Show};
use crate::engine::event::Event;
use crate::engine::{Position, read_move};
use normalise::Reading;
use std::io::{self, Write};
use std::time::Duration;
use vampirc_uci::{UciMessage, UciMove, UciTimeControl};

/// Speaks UCI. It remembers nothing from line to line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uci {}

impl Protocol for Uci {
    fn parse(&mut self, line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem> {
        let Some((word, tail)) = normalise::split_word(line) else { return Ok(None) };
        if let Some(command) = extension(word, tail) {
            return command.map(Some);
        }
        match normalise::read(line, board)? {
            Reading::Message(message) => command(message, line),
            Reading::Go(message, beyond) => Ok(Some(Command::Go(with_limits(message, beyond)))),
            Reading::Own(command) => Ok(Some(command)),
        }
    }

    fn render(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        render::render(event, out)
    }
}

/// Commands for people. Unlike those of UCI they count only at the beginning of a
/// line: most are everyday words, and a mistyped `position ... moves ...` should
/// not list moves.
fn extension(word: &str, tail: &str) -> Option<Result<Command, Problem>> {
    let mut words = tail.split_ascii_whitespace();
    let command = match word.to_ascii_lowercase().as_str() {
        "d" | "print" | "board" => Command::Show(Show::Board),
        "eval" => Command::Show(Show::Evaluation),
        "moves" => Command::Show(Show::Moves),
        "fen" => Command::Show(Show::Fen),
        "help" | "?" => Command::Show(Show::Help),
        "license" => Command::Show(Show::License),
        "compiler" => Command::Show(Show::Compiler),
        "flip" => Command::Flip,
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "perft" => return Some(normalise::perft(words.next())),
        _ => return None,
    };
    Some(Ok(command))
}

fn command(message: UciMessage, line: &str) -> Result<Option<Command>, Problem> {
    Ok(Some(match message {
        UciMessage::Uci => Command::Identify,
        UciMessage::Debug(on) => Command::Debug(on),
        UciMessage::IsReady => Command::Ready(String::new()),
        UciMessage::Register { .. } => return Ok(None),
        UciMessage::SetOption { name, value } => Command::SetOption { name, value },
        UciMessage::UciNewGame => Command::ClearGame,
        UciMessage::Position { fen, moves, .. } => {
            set_position(fen.as_ref().map(|fen| fen.as_str()), moves.iter().map(UciMove::to_string))
        }
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        _ => return Err(Problem::UnknownCommand(normalise::excerpt(line))),
    }))
}

/// A position is taken as a whole or not at all.
fn set_position(fen: Option<&str>, moves: impl Iterator<Item = String>) -> Command {
    let start = fen.map_or_else(|| Ok(Position::default()), Position::from_fen);
    Command::SetPosition(start.and_then(|mut position| {
        for text in moves {
            let mv = read_move(position.board(), &text)?;
            position.play(mv);
        }
        Ok(position)
    }))
}

/// Adds the limits that went through the parser to those that could not.
fn with_limits(message: UciMessage, mut request: GoRequest) -> GoRequest {
    let UciMessage::Go { time_control, search_control } = message else {
        debug_assert!(false, "the parser refused a canonical go: {message:?}");
        log::error!("the parser refused a canonical go: {message:?}");
        return request;
    };
    let duration = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
    if let Some(UciTimeControl::TimeLeft {
        white_time,
        black_time,
        white_increment,
        black_increment,
        moves_to_go,
    }) = time_control
    {
        request.time =
            [white_time, black_time].map(|time| time.map(|t| duration(t.num_milliseconds())));
        request.increment = [white_increment, black_increment]
            .map(|time| time.map(|t| duration(t.num_milliseconds())));
        request.moves_to_go = moves_to_go.map(u32::from);
    }
    if let Some(control) = search_control {
        request.depth = control.depth.map(u32::from);
        request.nodes = request.nodes.or(control.nodes);
        request.mate = control.mate.map(u32::from);
    }
    request
}
