//! What the engine tells the outside world, before any protocol puts it into
//! words.

use super::command::Problem;
use crate::board::Board;
use crate::game::GameEnd;
use crate::search::event::Info;
use crate::types::Move;
use std::time::Duration;

#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The answer to `Identify`.
    Identity,
    /// The answer to `Ready`.
    Ready(&'a str),
    /// A line of thinking about `root`.
    Thinking {
        info: &'a Info,
        root: &'a Board,
        context: Context,
    },
    CurrentMove {
        depth: u32,
        mv: Move,
        number: usize,
        context: Context,
    },
    /// UCI: the search is over.
    BestMove {
        best: Option<Move>,
        ponder: Option<Move>,
        context: Context,
    },
    /// xboard: we play this move.
    Played {
        mv: Move,
        context: Context,
    },
    GameEnded(GameEnd),
    OfferDraw,
    Hint {
        mv: Move,
        context: Context,
    },
    Book(&'a [String]),
    /// How far analysis has come.
    Status {
        time: Duration,
        nodes: u64,
        depth: u32,
        left: usize,
        total: usize,
        mv: Option<String>,
    },
    Problem(&'a Problem),
    /// A remark for whoever reads along.
    Remark(&'a str),
    /// Text a person asked for, possibly of several lines.
    Text(&'a str),
}

/// What rendering depends on besides the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    /// Castling is written as king takes rook.
    pub(crate) chess960: bool,
    pub(crate) show_wdl: bool,
    /// Whether the line being searched is shown beside the current move.
    pub(crate) show_line: bool,
}
