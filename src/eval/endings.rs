//! Endings in which material does not win: the advantage is scaled down.

use crate::board::Board;
use crate::types::{Bitboard, Color, File, Piece, Rank, Square};

pub const FULL_SCALE: i32 = 64;

/// What is left of the advantage `value` of the side to move.
#[inline]
pub fn scaled(board: &Board, value: i32) -> i32 {
    let us = board.side_to_move();
    value * scale(board, if value >= 0 { us } else { !us }) / FULL_SCALE
}

/// How much of the advantage of `strong` counts, of [`FULL_SCALE`].
#[inline]
pub fn scale(board: &Board, strong: Color) -> i32 {
    // Endings only: the test that usually says no comes first.
    if board.occupied().count() > 14 {
        return FULL_SCALE;
    }
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    if pawns.is_empty() {
        return without_pawns(board, strong);
    }
    if is_wrong_rook_pawn(board, strong, pawns) {
        return 0;
    }
    if is_opposite_bishops(board) {
        // The more pawns ahead, the better the chances all the same.
        let ahead =
            pawns.count() as i32 - board.colored_pieces(!strong, Piece::Pawn).count() as i32;
        return (24 + 6 * ahead.max(0)).min(FULL_SCALE);
    }
    FULL_SCALE
}

/// Minor pieces alone need to be two ahead to win, and two knights never do.
fn without_pawns(board: &Board, strong: Color) -> i32 {
    let count = |color, piece| board.colored_pieces(color, piece).count() as i32;
    // Rooks and queens in minor pieces.
    let strength = |color| {
        count(color, Piece::Knight)
            + count(color, Piece::Bishop)
            + 2 * count(color, Piece::Rook)
            + 4 * count(color, Piece::Queen)
    };
    let ours = strength(strong);
    let only_knights = ours == count(strong, Piece::Knight);
    if ours <= 1 || only_knights && ours == 2 {
        return 0;
    }
    match ours - strength(!strong) {
        ..=1 => FULL_SCALE / 8,
        _ => FULL_SCALE,
    }
}

/// Pawns on one rook's file, bishops that do not reach its last square, and the
/// enemy king in time to sit there.
fn is_wrong_rook_pawn(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let bishops = board.colored_pieces(strong, Piece::Bishop);
    let king = board.king(strong).bitboard();
    if board.color(strong) != pawns | bishops | king {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let last_rank = if strong == Color::White { Rank::Eighth } else { Rank::First };
        let corner = Square::new(file, last_rank);
        let wrong = if Bitboard::LIGHT_SQUARES.contains(corner) {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        let defender = board.king(!strong);
        pawns.without(Bitboard::file(file)).is_empty()
            && !bishops.intersects(wrong)
            && defender.distance(corner) <= 1
    })
}

/// A bishop each and nothing else but pawns, on squares of different colours.
fn is_opposite_bishops(board: &Board) -> bool {
    let bishops = board.pieces(Piece::Bishop);
    let simple = board.pieces(Piece::Pawn) | board.pieces(Piece::King) | bishops;
    board.occupied() == simple
        && Color::ALL.iter().all(|&color| board.colored_pieces(color, Piece::Bishop).count() == 1)
        && (bishops & Bitboard::LIGHT_SQUARES).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(fen: &str, white: i32) -> i32 {
        let strong = if white >= 0 { Color::White } else { Color::Black };
        scale(&Board::from_fen(fen).expect(fen), strong)
    }

    #[test]
    fn an_advantage_is_scaled_for_whoever_has_it() {
        // The bishop is not enough, the rook's pawn wins.
        for (fen, value) in
            [("4k3/7p/8/8/8/8/8/B3K3 w - - 0 1", 100), ("b3k3/8/8/8/8/8/7P/4K3 b - - 0 1", 100)]
        {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(super::scaled(&board, value), 0, "{fen}");
            assert_eq!(super::scaled(&board, -value), -value, "{fen}");
        }
    }

    #[test]
    fn drawn_endings_count_little() {
        let knights = "4k3/8/8/8/8/8/8/NN2K3 w - - 0 1";
        assert_eq!(scaled(knights, 600), 0);
        let wrong_bishop = "k7/8/8/P7/8/8/8/2B1K3 w - - 0 1";
        assert_eq!(scaled(wrong_bishop, 450), 0);
        let right_bishop = "k7/8/8/P7/8/8/8/3BK3 w - - 0 1";
        assert_eq!(scaled(right_bishop, 450), FULL_SCALE);
        let king_too_far = "8/5k2/8/P7/8/8/8/2B1K3 w - - 0 1";
        assert_eq!(scaled(king_too_far, 450), FULL_SCALE);
        let black = "2b1k3/8/8/8/7p/8/8/6K1 w - - 0 1";
        assert_eq!(scaled(black, -450), FULL_SCALE);
        let black_wrong = "3bk3/8/8/8/7p/8/8/6K1 w - - 0 1";
        assert_eq!(scaled(black_wrong, -450), if dark_corner_h1() { 0 } else { FULL_SCALE });
        let opposite = "4kb2/5p2/8/8/8/8/4PP2/4KB2 w - - 0 1";
        assert!(scaled(opposite, 100) < FULL_SCALE);
        let rook_minor = "4kn2/8/8/8/8/8/8/4KR2 w - - 0 1";
        assert!(scaled(rook_minor, 200) < FULL_SCALE);
        let queen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
        assert_eq!(scaled(queen, 900), FULL_SCALE);
    }

    /// h1 is a light square: a bishop on dark squares does not reach it.
    fn dark_corner_h1() -> bool {
        Bitboard::LIGHT_SQUARES.contains(Square::H1)
    }
}
