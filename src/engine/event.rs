//! What the engine tells the outside world, before any protocol puts it into
//! words.

use super::command::Problem;
use super::options::Options;
use crate::board::Board;
use crate::game::GameEnd;
use crate::search::event::Info;
use crate::types::Move;
use std::time::Duration;

#[derive(Debug)]
pub enum Event<'a> {
    /// The answer to `Identify`.
    Identity(&'a Options),
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
    /// xboard: we play this move, legal in `board`.
    Played {
        mv: Move,
        board: &'a Board,
        context: Context,
    },
    GameEnded(GameEnd),
    OfferDraw,
    Hint {
        mv: Move,
        board: &'a Board,
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
pub struct Context {
    /// Castling is written as king takes rook.
    pub chess960: bool,
    pub show_wdl: bool,
    /// Whether the line being searched is shown beside the current move.
    pub show_line: bool,
}
