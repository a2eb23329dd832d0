//! The hand-made evaluation: material and piece-square tables seen from each
//! king's half of the board, a few terms besides, all in a middlegame and an
//! endgame version mixed by how much material is left.

use super::endings;
use super::features::{self, Sink};
use super::tapered::Tapered;
use super::weights::{TEMPO, WEIGHTS};
use crate::board::{Board, Observer};
use crate::types::{Color, Piece, Side, Square};

/// How much each piece counts towards the middlegame; all of them make 24.
const PHASE: [i32; Piece::COUNT] = [0, 1, 1, 2, 4, 0];
pub const FULL_PHASE: i32 = 24;

/// The placements of a position added up, kept up to date move by move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// As each side sees the board.
    views: [Tapered; Color::COUNT],
    phase: i32,
    mirrored: [bool; Color::COUNT],
    /// The king has changed halves: the view is to be added up anew.
    stale: [bool; Color::COUNT],
}

impl Sums {
    pub fn of(board: &Board) -> Sums {
        let phase = Piece::ALL
            .iter()
            .map(|&piece| PHASE[piece.index()] * board.pieces(piece).count() as i32)
            .sum();
        let mut sums = Sums {
            views: [Tapered::ZERO; 2],
            phase,
            mirrored: Color::ALL.map(|side| features::is_mirrored(board.king(side))),
            stale: [true; 2],
        };
        sums.refresh(board);
        sums
    }

    /// How much of the middlegame is left, of [`FULL_PHASE`] or, with promoted
    /// pieces, more.
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// Adds up anew the views that are out of date.
    #[inline(always)]
    pub fn refresh(&mut self, board: &Board) {
        for side in Color::ALL {
            if self.stale[side.index()] {
                self.views[side.index()] = Sums::view(board, side);
                self.stale[side.index()] = false;
            }
        }
    }

    fn view(board: &Board, side: Color) -> Tapered {
        let king = board.king(side);
        let mut view = Tapered::ZERO;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    view += WEIGHTS[features::placement(side, king, color, piece, square)];
                }
            }
        }
        view
    }

    /// The value of the position for the side to move, in centipawns.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> i32 {
        let mut terms = Adder(self.views[0] - self.views[1]);
        features::terms(board, &mut terms);
        let white = terms.0;
        let phase = self.phase.min(FULL_PHASE);
        let total = white.middlegame() * phase + white.endgame() * (FULL_PHASE - phase);
        let white = total / FULL_PHASE;
        let scaled = white * endings::scale(board, white) / endings::FULL_SCALE;
        TEMPO + if board.side_to_move() == Color::White { scaled } else { -scaled }
    }

    #[inline(always)]
    fn weight(&self, side: Color, color: Color, piece: Piece, square: Square) -> Tapered {
        // Any king on the right half will do.
        let king = if self.mirrored[side.index()] { Square::H1 } else { Square::A1 };
        WEIGHTS[features::placement(side, king, color, piece, square)]
    }
}

impl Observer for Sums {
    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        if piece == Piece::King && features::is_mirrored(square) != self.mirrored[color.index()] {
            self.mirrored[color.index()] ^= true;
            self.stale[color.index()] = true;
        }
        for side in Color::ALL {
            self.views[side.index()] += self.weight(side, color, piece, square);
        }
        self.phase += PHASE[piece.index()];
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        for side in Color::ALL {
            self.views[side.index()] -= self.weight(side, color, piece, square);
        }
        self.phase -= PHASE[piece.index()];
    }
}

/// Adds up what the features are worth, for White.
struct Adder(Tapered);

impl Sink for Adder {
    #[inline(always)]
    fn add<S: Side>(&mut self, feature: usize, count: i32) {
        match S::COLOR {
            Color::White => self.0 += WEIGHTS[feature] * count,
            Color::Black => self.0 -= WEIGHTS[feature] * count,
        }
    }
}

/// What one piece on one square is worth to its owner, in both phases: by its own
/// side's view and the opponent's.
pub fn piece_value(board: &Board, color: Color, piece: Piece, square: Square) -> (i32, i32) {
    let seen = |side| WEIGHTS[features::placement(side, board.king(side), color, piece, square)];
    let value = seen(color) - seen(!color);
    (value.middlegame(), value.endgame())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        let board = Board::from_fen(fen).expect(fen);
        Sums::of(&board).evaluate(&board)
    }

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(value(Board::START_FEN), TEMPO);
    }

    #[test]
    fn colours_are_equal() {
        let white = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let black = "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 3 3";
        assert_eq!(value(white), value(black));
        let white = "2k5/1pp3P1/8/4n3/8/P1N5/1P4rR/2K5 w - - 0 1";
        let black = "2k5/1p4Rr/p1n5/8/4N3/8/1PP3p1/2K5 b - - 0 1";
        assert_eq!(value(white), value(black));
        assert!(value("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1") > 1_500);
        assert!(value("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1") < -1_500);
    }

    #[test]
    fn the_placements_agree_with_the_features() {
        for board in crate::board::testing::RandomGames::new(7).positions(2_000) {
            let mut adder = Adder(Tapered::ZERO);
            features::placements(&board, &mut adder);
            let sums = Sums::of(&board);
            assert_eq!(adder.0, sums.views[0] - sums.views[1], "{}", board.fen());
        }
    }

    #[test]
    fn moves_change_the_sums_as_counting_anew_does() {
        for board in crate::board::testing::RandomGames::new(8).positions(2_000) {
            let sums = Sums::of(&board);
            for mv in board.legal_moves() {
                let mut next = sums;
                board.announce(mv, &mut next);
                let mut after = board.clone();
                after.make(mv);
                next.refresh(&after);
                assert_eq!(next, Sums::of(&after), "{} {mv:?}", board.fen());
            }
        }
    }
}
