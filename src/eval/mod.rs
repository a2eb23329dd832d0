//! Static evaluation: by the network, or hand-crafted.
//!
//! [`Evaluator`] follows a search down its line and keeps what it can up to date
//! move by move; [`evaluate`] does the same from nothing.

mod endings;
pub(crate) mod features;
pub mod nnue;
mod pst;
mod tapered;
pub(crate) mod trace;
mod wdl;
mod weights;

pub(crate) use wdl::{CERTAIN_DRAW, WdlModel, win_draw_loss};

use crate::board::Board;
use crate::types::{Color, File, Move, Piece, Rank, Score, Square};
use nnue::{AccumulatorLine, Network};
use pst::{PawnCache, PawnValue, Sums};
use std::fmt::Write;
use std::sync::Arc;

/// The value of a position for the side to move, by the hand-crafted evaluation.
pub fn evaluate(board: &Board) -> Score {
    Score::evaluation(Sums::of(board).evaluate(board, &PawnValue::of(board)))
}

/// Evaluates the positions of a line, one move after the other.
#[derive(Debug)]
pub struct Evaluator {
    /// One for each position of the line, the current one last. Never empty.
    line: Vec<Sums>,
    pawns: PawnCache,
    /// If there is a network, it takes the place of the sums.
    network: Option<AccumulatorLine>,
}

impl Evaluator {
    pub fn new(board: &Board) -> Evaluator {
        let network = nnue::embedded().map(|network| AccumulatorLine::new(network, board));
        Evaluator { line: vec![Sums::of(board)], pawns: PawnCache::default(), network }
    }

    /// Evaluates with a network from now on, or with the HCE without one, beginning with
    /// `board`.
    pub fn set_network(&mut self, network: Option<Arc<Network>>, board: &Board) {
        self.network = network.map(|network| AccumulatorLine::new(network, board));
        self.reset(board);
    }

    /// Evaluates with the HCE until what is returned is given to [`Evaluator::take_up`]. The
    /// next call must be `reset`.
    pub(crate) fn lay_aside(&mut self) -> Option<AccumulatorLine> {
        self.network.take()
    }

    /// Undoes [`Evaluator::lay_aside`]. The next call must be `reset`.
    pub(crate) fn take_up(&mut self, network: AccumulatorLine) {
        self.network = Some(network);
    }

    /// Goes back to a line that begins with `board`.
    pub(crate) fn reset(&mut self, board: &Board) {
        if let Some(network) = &mut self.network {
            network.reset(board);
            return;
        }
        self.line.clear();
        self.line.push(Sums::of(board));
    }

    /// To be called before `mv` is made on `board`.
    #[inline(always)]
    pub fn push(&mut self, board: &Board, mv: Move) {
        if let Some(network) = &mut self.network {
            network.push(board, mv);
            return;
        }
        let mut next = self.line[self.line.len() - 1];
        board.announce(mv, &mut next);
        self.line.push(next);
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        if let Some(network) = &mut self.network {
            network.pop();
            return;
        }
        debug_assert!(self.line.len() > 1);
        self.line.truncate(self.line.len() - 1);
    }

    /// The value of `board`, to which the moves pushed have led.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Score {
        if let Some(network) = &mut self.network {
            return Score::evaluation(endings::judged(board, network.evaluate(board)));
        }
        let last = self.line.len() - 1;
        let sums = &mut self.line[last];
        sums.refresh(board);
        debug_assert_eq!(*sums, Sums::of(board), "{}", board.fen());
        let pawns = self.pawns.get(board);
        debug_assert_eq!(*pawns, PawnValue::of(board), "{}", board.fen());
        Score::evaluation(sums.evaluate(board, pawns))
    }
}

/// A board with what each piece is worth, and the total, for people: by the network
/// if there is one, otherwise by the hand-crafted evaluation.
pub(crate) fn explain(board: &Board, network: Option<&Network>) -> String {
    match network {
        Some(network) => nnue::explain(board, network),
        None => explain_by_hand(board),
    }
}

fn explain_by_hand(board: &Board) -> String {
    let mut text =
        String::from("What each piece is worth, middlegame over endgame, in centipawns:\n");
    text += &diagram(board, 2, |color, piece, square| {
        let (middlegame, endgame) = pst::piece_value(board, color, piece, square);
        [middlegame, endgame].map(|value| Score(value).centipawns().to_string()).to_vec()
    });
    text + &total(board, evaluate(board))
}

/// The board with some lines of text below each piece.
fn diagram(
    board: &Board,
    lines: usize,
    below: impl Fn(Color, Piece, Square) -> Vec<String>,
) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut rows = vec![String::new(); 1 + lines];
        for file in File::ALL {
            let square = Square::new(file, rank);
            let cells = match (board.color_at(square), board.piece_at(square)) {
                (Some(color), Some(piece)) => {
                    let mut cells = below(color, piece, square);
                    cells.insert(0, piece.fen_letter(color).to_string());
                    cells
                }
                _ => vec![".".to_owned()],
            };
            for (index, row) in rows.iter_mut().enumerate() {
                let cell = cells.get(index).map_or("", String::as_str);
                let _ = write!(row, "{cell:^7}");
            }
        }
        for row in rows {
            text += row.trim_end();
            text.push('\n');
        }
    }
    text
}

/// The last line: the value, given for the side to move, from White's side.
fn total(board: &Board, value: Score) -> String {
    let white = if board.side_to_move() == Color::White { value } else { -value };
    format!("\nEvaluation: {white} (White's side)")
}
