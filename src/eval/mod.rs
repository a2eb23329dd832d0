//! What a position is worth without looking ahead.

mod pst;
mod wdl;

pub use wdl::win_draw_loss;

use crate::board::Board;
use crate::types::{Color, File, Rank, Score, Square};
use std::fmt::Write;

/// The value of a position for the side to move, in centipawns.
pub fn evaluate(board: &Board) -> Score {
    Score::evaluation(pst::evaluate(board))
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
                        let (middlegame, endgame) = pst::piece_value(color, piece, square);
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
