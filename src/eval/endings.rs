//! Endings of which more is known than an evaluation learns: where material does not
//! win, the advantage is scaled down; where a bare king is to be mated, the value shows
//! the way.

use crate::board::Board;
use crate::types::{Bitboard, Color, File, Piece, Rank, Square};

pub(super) const FULL_SCALE: i32 = 64;

/// What becomes of `value`, for the side to move, by what is known about the ending.
#[inline]
pub(super) fn judged(board: &Board, value: i32) -> i32 {
    // Endings only: the test that usually says no comes first.
    if board.occupied().count() > 14 {
        return value;
    }
    let us = board.side_to_move();
    for (strong, sign) in [(us, 1), (!us, -1)] {
        if let Some(way) = way_to_mate(board, strong) {
            return sign * way;
        }
    }
    value * scale(board, if value >= 0 { us } else { !us }) / FULL_SCALE
}

/// How far `strong` has come towards mating a bare king, if it can do so without pawns.
/// Nobody but a table sees these mates from afar, so the king is driven to the edge, or
/// with bishop and knight to a corner of the bishop's colour, and our own comes closer.
pub(super) fn way_to_mate(board: &Board, strong: Color) -> Option<i32> {
    if board.color(!strong).has_several() || board.pieces(Piece::Pawn).is_nonempty() {
        return None;
    }
    let count = |piece| board.colored_pieces(strong, piece).count() as i32;
    let (knights, rooks, queens) = (count(Piece::Knight), count(Piece::Rook), count(Piece::Queen));
    let bishops = board.colored_pieces(strong, Piece::Bishop);
    let (light, dark) =
        (bishops.intersects(Bitboard::LIGHT_SQUARES), bishops.intersects(Bitboard::DARK_SQUARES));
    let king = board.king(!strong);
    let (file, rank) = (king.file() as i32, king.rank() as i32);
    let from_middle = |line: i32| (2 * line - 7).abs() / 2;
    let driven = if rooks + queens > 0 || light && dark {
        40 * (from_middle(file) + from_middle(rank))
    } else if bishops.is_nonempty() && knights > 0 {
        // From the long diagonal between the wrong corners, 7 in either of the right ones.
        let cornered = if dark { (7 - file - rank).abs() } else { (file - rank).abs() };
        // The bishop helps from afar, the knight only from nearby.
        let knight = board.colored_pieces(strong, Piece::Knight).first();
        let nearness = knight.map_or(0, |knight| 7 - knight.distance(king) as i32);
        100 * cornered + 40 * from_middle(file).max(from_middle(rank)) + 5 * nearness
    } else {
        return None;
    };
    let material = 300 * (knights + bishops.count() as i32) + 500 * rooks + 900 * queens;
    let closeness = 20 * (7 - king.distance(board.king(strong)) as i32);
    Some(500 + material + driven + closeness)
}

/// How much of the advantage of `strong` counts, of [`FULL_SCALE`].
#[inline]
pub(super) fn scale(board: &Board, strong: Color) -> i32 {
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
            assert_eq!(judged(&board, value), 0, "{fen}");
            assert_eq!(judged(&board, -value), -value, "{fen}");
        }
    }

    #[test]
    fn bare_kings_are_driven_to_where_they_are_mated() {
        let way = |fen: &str| way_to_mate(&Board::from_fen(fen).expect(fen), Color::White);
        // The bishop is on dark squares, so a1 and h8 are the right corners.
        let middle = way("8/8/8/3k4/8/3K4/8/2B1N3 w - - 0 1");
        let wrong = way("k7/2K5/8/8/8/8/8/2B1N3 w - - 0 1");
        let edge = way("3k4/8/3K4/8/8/8/8/2B1N3 w - - 0 1");
        let right = way("7k/5K2/8/8/8/8/8/2B1N3 w - - 0 1");
        assert!(
            [middle, wrong, edge, right].is_sorted(),
            "{middle:?} {wrong:?} {edge:?} {right:?}"
        );
        assert!(way("7k/5K2/8/8/8/8/8/3B1N2 w - - 0 1") < way("k7/2K5/8/8/8/8/8/3B1N2 w - - 0 1"));
        let near = way("8/8/8/3k4/8/3K1N2/8/2B5 w - - 0 1");
        assert!(middle < near, "{middle:?} {near:?}");
        for fen in ["8/8/8/3k4/8/8/8/QK6 w - - 0 1", "8/8/8/3k4/8/8/8/BBK5 w - - 0 1"] {
            let edge = fen.replace("8/8/8/3k4/", "3k4/8/8/8/");
            assert!(way(fen) < way(&edge), "{fen}");
            let board = Board::from_fen(&fen.replace(" w ", " b ")).expect(fen);
            assert_eq!(Some(judged(&board, 0)), way(fen).map(|way| -way));
        }
        for fen in [
            "8/8/8/3k4/8/8/8/NNK5 w - - 0 1",
            "8/8/8/3k4/8/8/8/B1BK4 w - - 0 1",
            "8/8/8/3k4/8/8/P7/QK6 w - - 0 1",
            "8/8/8/3k4/3n4/8/8/QK6 w - - 0 1",
            "8/8/8/3k4/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(way(fen), None, "{fen}");
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
        // h1 is a light square, which a bishop on d8 does not reach.
        let black_wrong = "3bk3/8/8/8/7p/8/8/6K1 w - - 0 1";
        assert_eq!(scaled(black_wrong, -450), 0);
        let opposite = "4kb2/5p2/8/8/8/8/4PP2/4KB2 w - - 0 1";
        assert!(scaled(opposite, 100) < FULL_SCALE);
        let rook_minor = "4kn2/8/8/8/8/8/8/4KR2 w - - 0 1";
        assert!(scaled(rook_minor, 200) < FULL_SCALE);
        let queen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
        assert_eq!(scaled(queen, 900), FULL_SCALE);
    }
}
