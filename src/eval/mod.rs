//! What a position is worth without looking ahead.
//!
//! [`Evaluator`] follows a search down its line and keeps what it can up to date
//! move by move; [`evaluate`] does the same from nothing.

mod endings;
pub mod features;
mod pst;
mod tapered;
pub mod trace;
mod wdl;
mod weights;

pub use wdl::{WdlModel, win_draw_loss};

use crate::board::Board;
use crate::types::{Color, File, Move, Rank, Score, Square};
use pst::Sums;
use std::fmt::Write;

/// The value of a position for the side to move, in centipawns.
pub fn evaluate(board: &Board) -> Score {
    Score::evaluation(Sums::of(board).evaluate(board))
}

/// Evaluates the positions of a line, one move after the other.
#[derive(Debug)]
pub struct Evaluator {
    /// One for each position of the line, the current one last. Never empty.
    line: Vec<Sums>,
}

impl Evaluator {
    pub fn new(board: &Board) -> Evaluator {
        Evaluator { line: vec![Sums::of(board)] }
    }

    /// Goes back to a line that begins with `board`.
    pub fn reset(&mut self, board: &Board) {
        self.line.clear();
        self.line.push(Sums::of(board));
    }

    /// To be called before `mv` is made on `board`.
    #[inline(always)]
    pub fn push(&mut self, board: &Board, mv: Move) {
        let mut next = self.line[self.line.len() - 1];
        board.announce(mv, &mut next);
        self.line.push(next);
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        debug_assert!(self.line.len() > 1);
        self.line.truncate(self.line.len() - 1);
    }

    /// The value of `board`, to which the moves pushed have led.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Score {
        let last = self.line.len() - 1;
        let sums = &mut self.line[last];
        sums.refresh(board);
        debug_assert_eq!(*sums, Sums::of(board), "{}", board.fen());
        Score::evaluation(sums.evaluate(board))
    }
}

/// A board with what each piece is worth, and the total, for people.
pub fn explain(board: &Board) -> String {
    let mut text =
        String::from("What each piece is worth, middlegame over endgame, in centipawns:\n");
    for rank in Rank::ALL.into_iter().rev() {
        for line in 0..3 {
            for file in File::ALL {
                let square = Square::new(file, rank);
                let cell = match (board.color_at(square), board.piece_at(square)) {
                    (Some(color), Some(piece)) => {
                        let (middlegame, endgame) = pst::piece_value(board, color, piece, square);
                        match line {
                            0 => piece.fen_letter(color).to_string(),
                            1 => middlegame.to_string(),
                            _ => endgame.to_string(),
                        }
                    }
                    _ if line == 0 => ".".to_owned(),
                    _ => String::new(),
                };
                let _ = write!(text, "{cell:^7}");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    let white = match board.side_to_move() {
        Color::White => evaluate(board).0,
        Color::Black => -evaluate(board).0,
    };
    let _ = write!(text, "\nEvaluation: {:+.2} (White's side)", f64::from(white) / 100.0);
    text
}
