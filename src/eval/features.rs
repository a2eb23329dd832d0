//! What the hand-crafted evaluation sees in a position: numbered features, each
//! counted for White minus Black and worth its entry in the table of weights.
//!
//! The evaluation adds up weights, the tuner collects the counts; both walk over
//! the same features, so they cannot disagree.

use crate::board::{Board, attacks};
use crate::types::{Bitboard, Black, Color, File, Piece, Rank, Side, Square, White};

/// Receives features. `count` is how often the feature occurs for one side.
pub(crate) trait Sink {
    fn add<S: Side>(&mut self, feature: usize, count: i32);
}

const SQUARES: usize = Square::COUNT;

/// A piece on a square, seen by the owner of the king it is counted for: own
/// pieces first, then the enemy's, the king's half of the board on the left.
pub(crate) const PLACEMENT: usize = 0;
pub(crate) const BISHOP_PAIR: usize = PLACEMENT + 2 * Piece::COUNT * SQUARES;
/// By relative rank.
pub(crate) const PASSED: usize = BISHOP_PAIR + 1;
pub(crate) const ISOLATED: usize = PASSED + 8;
/// A rook on a file without pawns, and without own pawns.
pub(crate) const ROOK_OPEN: usize = ISOLATED + 1;
pub(crate) const ROOK_HALF_OPEN: usize = ROOK_OPEN + 1;
/// By the number of squares reached that no enemy pawn guards.
pub(crate) const KNIGHT_MOBILITY: usize = ROOK_HALF_OPEN + 1;
pub(crate) const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
pub(crate) const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
pub(crate) const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
/// Attacks on squares next to the enemy king, by knights, bishops, rooks, queens.
pub(crate) const KING_ATTACK: usize = QUEEN_MOBILITY + 28;
/// Enemy knights, bishops, rooks and queens that own pawns attack.
pub(crate) const PAWN_THREAT: usize = KING_ATTACK + 4;
/// Enemy rooks and queens that own minor pieces attack, and queens that rooks do.
pub(crate) const PIECE_THREAT: usize = PAWN_THREAT + 4;
/// Pawns that another one protects, that stand side by side, and before another one.
pub(crate) const PROTECTED: usize = PIECE_THREAT + 3;
pub(crate) const PHALANX: usize = PROTECTED + 1;
pub(crate) const DOUBLED: usize = PHALANX + 1;
/// Passed pawns beyond the middle of the board, by how far either king is from the
/// square before them.
pub(crate) const PASSED_OWN_KING: usize = DOUBLED + 1;
pub(crate) const PASSED_ENEMY_KING: usize = PASSED_OWN_KING + 8;
/// Passed pawns with somebody in front of them, by relative rank.
pub(crate) const PASSED_BLOCKED: usize = PASSED_ENEMY_KING + 8;
/// By how many of the files around the own king have no own pawn.
pub(crate) const KING_OPEN: usize = PASSED_BLOCKED + 8;
pub(crate) const COUNT: usize = KING_OPEN + 4;

/// The number of a placement as `side`, whose king stands on `king`, sees it.
#[inline(always)]
pub(crate) const fn placement(
    side: Color,
    king: Square,
    color: Color,
    piece: Piece,
    square: Square,
) -> usize {
    let mut square = square.index();
    if matches!(side, Color::Black) {
        square ^= 56;
    }
    if is_mirrored(king) {
        square ^= 7;
    }
    let owner = side.index() ^ color.index();
    PLACEMENT + (owner * Piece::COUNT + piece.index()) * SQUARES + square
}

/// Whether the side of this king sees the board mirrored.
#[inline(always)]
pub(crate) const fn is_mirrored(king: Square) -> bool {
    king.index() & 4 != 0
}

/// All placements, both sides' views.
pub(crate) fn placements(board: &Board, sink: &mut impl Sink) {
    placements_of::<White>(board, sink);
    placements_of::<Black>(board, sink);
}

fn placements_of<S: Side>(board: &Board, sink: &mut impl Sink) {
    let king = board.king(S::COLOR);
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                sink.add::<S>(placement(S::COLOR, king, color, piece, square), 1);
            }
        }
    }
}

/// What the terms need to know about pawns besides where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PawnShape {
    passed: [Bitboard; Color::COUNT],
    /// The files with pawns, all of their squares.
    files: [Bitboard; Color::COUNT],
}

/// Everything that depends on pawns alone, so that it need not be counted again as
/// long as they stand as they do.
pub(crate) fn pawns(board: &Board, sink: &mut impl Sink) -> PawnShape {
    let mut shape = PawnShape::default();
    pawns_of::<White>(board, &mut shape, sink);
    pawns_of::<Black>(board, &mut shape, sink);
    shape
}

fn pawns_of<S: Side>(board: &Board, shape: &mut PawnShape, sink: &mut impl Sink) {
    let us = S::COLOR;
    let own = board.colored_pieces(us, Piece::Pawn);
    let theirs = board.colored_pieces(!us, Piece::Pawn);
    let files = files_of(own);
    // What enemy pawns stand or may come to take on, and own pawns stand before.
    let stoppers = before::<S::Opponent>(theirs);
    let behind_own = before::<S::Opponent>(own);
    let passed = own.without(stoppers | beside(stoppers) | behind_own);
    for pawn in passed {
        sink.add::<S>(PASSED + pawn.rank().relative_to(us).index(), 1);
    }
    sink.add::<S>(ISOLATED, own.without(beside(files)).count() as i32);
    sink.add::<S>(PROTECTED, (own & attacks::pawns::<S>(own)).count() as i32);
    sink.add::<S>(PHALANX, (own & beside(own)).count() as i32);
    sink.add::<S>(DOUBLED, (own & behind_own).count() as i32);
    shape.passed[us.index()] = passed;
    shape.files[us.index()] = files;
}

/// Everything but the placements and what pawns alone decide.
#[inline]
pub(crate) fn terms(board: &Board, pawns: &PawnShape, sink: &mut impl Sink) {
    terms_of::<White>(board, pawns, sink);
    terms_of::<Black>(board, pawns, sink);
}

#[inline(always)]
fn terms_of<S: Side>(board: &Board, pawns: &PawnShape, sink: &mut impl Sink) {
    let us = S::COLOR;
    let own_pawns = board.colored_pieces(us, Piece::Pawn);
    let their_pawns = board.colored_pieces(!us, Piece::Pawn);
    let own_files = pawns.files[us.index()];
    let occupied = board.occupied();
    if board.colored_pieces(us, Piece::Bishop).has_several() {
        sink.add::<S>(BISHOP_PAIR, 1);
    }

    for pawn in pawns.passed[us.index()] {
        let rank = pawn.rank().relative_to(us);
        let next = S::forward(pawn.bitboard());
        if occupied.intersects(next) {
            sink.add::<S>(PASSED_BLOCKED + rank.index(), 1);
        }
        if rank >= Rank::Fourth {
            let next = next.lowest();
            sink.add::<S>(PASSED_OWN_KING + next.distance(board.king(us)), 1);
            sink.add::<S>(PASSED_ENEMY_KING + next.distance(board.king(!us)), 1);
        }
    }

    let guarded = attacks::pawns::<S>(own_pawns);
    let threatened = guarded & board.color(!us).without(their_pawns);
    if threatened.is_nonempty() {
        for (index, piece) in
            [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
        {
            sink.add::<S>(PAWN_THREAT + index, (threatened & board.pieces(piece)).count() as i32);
        }
    }

    let shelter = attacks::king(board.king(us)) | board.king(us).bitboard();
    let bare = (Bitboard::rank(Rank::First) & files_of(shelter)).without(own_files);
    sink.add::<S>(KING_OPEN + bare.count() as usize, 1);

    let their_rooks = board.colored_pieces(!us, Piece::Rook);
    let their_queens = board.colored_pieces(!us, Piece::Queen);
    let safe = !attacks::pawns::<S::Opponent>(their_pawns);
    let king_ring = attacks::king(board.king(!us));
    let mut mobility = |reached: Bitboard, feature: usize, attack: usize| {
        sink.add::<S>(feature + (reached & safe).count() as usize, 1);
        let attacked = (reached & king_ring).count();
        if attacked > 0 {
            sink.add::<S>(KING_ATTACK + attack, attacked as i32);
        }
        if attack < 3 && reached.intersects(their_queens) {
            sink.add::<S>(PIECE_THREAT + if attack < 2 { 1 } else { 2 }, 1);
        }
        if attack < 2 && reached.intersects(their_rooks) {
            sink.add::<S>(PIECE_THREAT, 1);
        }
    };
    for square in board.colored_pieces(us, Piece::Knight) {
        mobility(attacks::knight(square), KNIGHT_MOBILITY, 0);
    }
    for square in board.colored_pieces(us, Piece::Bishop) {
        mobility(attacks::bishop(square, occupied), BISHOP_MOBILITY, 1);
    }
    for square in board.colored_pieces(us, Piece::Rook) {
        mobility(attacks::rook(square, occupied), ROOK_MOBILITY, 2);
    }
    for square in board.colored_pieces(us, Piece::Queen) {
        mobility(attacks::queen(square, occupied), QUEEN_MOBILITY, 3);
    }
    for square in board.colored_pieces(us, Piece::Rook) {
        if !own_files.contains(square) {
            let open = !pawns.files[(!us).index()].contains(square);
            sink.add::<S>(if open { ROOK_OPEN } else { ROOK_HALF_OPEN }, 1);
        }
    }
}

/// The squares in front of any of these, as the side goes, on the same files.
#[inline(always)]
fn before<S: Side>(squares: Bitboard) -> Bitboard {
    let mut filled = S::forward(squares).0;
    for ranks in [1, 2, 4] {
        filled |= match S::COLOR {
            Color::White => filled << (8 * ranks),
            Color::Black => filled >> (8 * ranks),
        };
    }
    Bitboard(filled)
}

/// All squares of the files these stand on.
#[inline(always)]
fn files_of(squares: Bitboard) -> Bitboard {
    squares | before::<White>(squares) | before::<Black>(squares)
}

/// The neighbours to the left and right.
#[inline(always)]
fn beside(squares: Bitboard) -> Bitboard {
    squares.east() | squares.west()
}

const _: () = assert!(File::COUNT == 8 && SQUARES == 64);
