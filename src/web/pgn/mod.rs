//! One game as PGN with everything that stands beside its moves: scores, clocks and
//! comments, read and written. [`crate::pgn`] reads any number of games, and only
//! their moves.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod read;
mod write;

pub use read::PgnError;

use crate::board::Board;
use crate::types::{Color, Move, Score};
use std::fmt;
use std::time::Duration;

/// One game: what is known about it, where it starts, and its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Pgn {
    /// In the order they were written. `FEN`, `SetUp` and `Result` are not among
    /// them: they follow from the rest.
    pub tags: Vec<(String, String)>,
    pub start: Board,
    pub moves: Vec<PgnMove>,
    pub result: GameResult,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnMove {
    pub mv: Move,
    /// The value of the position after the move.
    pub eval: Option<Eval>,
    /// What the mover's clock showed after the move.
    pub clock: Option<Duration>,
    pub comment: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Draw,
    Unknown,
}

/// The value of a position from White's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    Centipawns(i32),
    /// White mates in so many moves, or is mated if negative.
    Mate(i32),
}

impl Eval {
    /// A score of the side to move, `turn`, as White sees it.
    pub fn new(score: Score, turn: Color) -> Eval {
        let sign = if turn == Color::White { 1 } else { -1 };
        match score.mate_moves() {
            Some(moves) => Eval::Mate(sign * moves),
            None => Eval::Centipawns(sign * score.centipawns()),
        }
    }
}

impl fmt::Display for Eval {
    /// As the `%eval` command of PGN comments writes it: pawns, or `#` and moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Eval::Centipawns(value) => write!(f, "{:.2}", f64::from(value) / 100.0),
            Eval::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Color::White) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

impl GameResult {
    fn parse(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => Some(GameResult::Won(Color::White)),
            "0-1" => Some(GameResult::Won(Color::Black)),
            "1/2-1/2" | "1/2" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl Pgn {
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }
}
