//! What the network makes of a position, for people.

use super::network::{self, BUCKETS, Network, bucket};
use crate::board::Board;
use crate::eval::{diagram, endings, total};
use crate::types::{Color, Piece, Score};
use std::fmt::Write;

/// Under each piece: by how much the value falls, in centipawns for its owner, if it
/// is taken off the board. Then the outputs of all buckets and the value.
pub(crate) fn explain(board: &Board, network: &Network) -> String {
    let pieces = network::pieces(board);
    let used = bucket(board.occupied().count());
    let value = network.evaluate(board);
    let mut text = String::from("What each piece is worth to the network, in centipawns:\n");
    text += &diagram(board, 1, |color, piece, square| {
        if piece == Piece::King {
            return Vec::new();
        }
        let others: Vec<_> = pieces.iter().copied().filter(|piece| piece.2 != square).collect();
        let lost = value - network.evaluate_pieces(board, &others, used);
        let worth = Score(if color == board.side_to_move() { lost } else { -lost });
        vec![worth.centipawns().to_string()]
    });
    text += "\nOutputs by piece count, White's side; the arrow marks the one used:\n";
    for index in 0..BUCKETS {
        let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
        let output = Score(sign * network.evaluate_pieces(board, &pieces, index));
        let (from, to) = ((4 * index + 2).max(2), (4 * index + 5).min(32));
        let mark = if index == used { " <-" } else { "" };
        let _ = writeln!(text, "{from:>4} to {to:<4}{output:>8}{mark}");
    }
    text + &total(board, Score(endings::judged(board, value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::network::tests::random_network;

    #[test]
    fn shows_every_piece_and_every_bucket() {
        let text = explain(&Board::startpos(), &random_network(32, 1));
        assert_eq!(text.matches("<-").count(), 1);
        assert!(text.contains("30 to 32") && text.contains("<-\n\nEvaluation: "), "{text}");
        assert!(text.contains("   R      N      B      Q      K      B      N      R"), "{text}");
    }
}
