//! The hand-crafted evaluation: material and piece-square tables seen from each
//! king's half of the board, a few terms besides, all in a middlegame and an
//! endgame version mixed by how much material is left.

use super::endings;
use super::features::{self, PawnShape, Sink};
use super::tapered::Tapered;
use super::weights::{TEMPO, WEIGHTS};
use crate::board::{Board, Observer};
use crate::types::{Color, Piece, Side, Square};

/// How much each piece counts towards the middlegame; all of them make 24.
const PHASE: [i32; Piece::COUNT] = [0, 1, 1, 2, 4, 0];
pub(super) const FULL_PHASE: i32 = 24;

/// How much of the middlegame is left, of [`FULL_PHASE`].
#[inline(always)]
pub(super) fn phase(board: &Board) -> i32 {
    let phase: i32 = Piece::ALL
        .iter()
        .map(|&piece| PHASE[piece.index()] * board.pieces(piece).count() as i32)
        .sum();
    phase.min(FULL_PHASE)
}

/// What a piece on a square is worth to White, both sides' views of it: by the halves
/// of the board the kings are on, colour, piece and square.
static PLACED: [[[[Tapered; Square::COUNT]; Piece::COUNT]; Color::COUNT]; 4] = {
    let mut table = [[[[Tapered::ZERO; Square::COUNT]; Piece::COUNT]; Color::COUNT]; 4];
    let mut index = 0;
    while index < 4 * Color::COUNT * Piece::COUNT * Square::COUNT {
        let square = Square::ALL[index % Square::COUNT];
        let piece = Piece::ALL[index / Square::COUNT % Piece::COUNT];
        let color = Color::ALL[index / Square::COUNT / Piece::COUNT % Color::COUNT];
        let halves = index / Square::COUNT / Piece::COUNT / Color::COUNT;
        // Any king on the right half will do.
        let white_king = if halves & 1 != 0 { Square::H1 } else { Square::A1 };
        let black_king = if halves & 2 != 0 { Square::H1 } else { Square::A1 };
        let white = WEIGHTS[features::placement(Color::White, white_king, color, piece, square)];
        let black = WEIGHTS[features::placement(Color::Black, black_king, color, piece, square)];
        table[halves][color.index()][piece.index()][square.index()] = white.minus(black);
        index += 1;
    }
    table
};

/// The placements of a position added up, kept up to date move by move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sums {
    /// As White sees the board minus as Black does.
    placed: Tapered,
    /// Which halves the kings are on, as [`PLACED`] counts them.
    halves: u8,
    /// A king has changed halves: everything is to be added up again.
    stale: bool,
}

impl Sums {
    pub(super) fn of(board: &Board) -> Sums {
        let halves = Color::ALL.map(|side| half(side, board.king(side)));
        let mut sums = Sums { placed: Tapered::ZERO, halves: halves[0] | halves[1], stale: true };
        sums.refresh(board);
        sums
    }

    /// Adds up again what is out of date.
    #[inline(always)]
    pub(super) fn refresh(&mut self, board: &Board) {
        if self.stale {
            self.add_up(board);
        }
    }

    #[inline(never)]
    fn add_up(&mut self, board: &Board) {
        self.placed = Tapered::ZERO;
        self.stale = false;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    self.placed += self.weight(color, piece, square);
                }
            }
        }
    }

    /// The value of the position for the side to move.
    #[inline]
    pub(super) fn evaluate(&self, board: &Board, pawns: &PawnValue) -> i32 {
        let mut terms = Adder(self.placed + pawns.value);
        features::terms(board, &pawns.shape, &mut terms);
        let white = terms.0;
        let phase = phase(board);
        let total = white.middlegame() * phase + white.endgame() * (FULL_PHASE - phase);
        let white = total / FULL_PHASE;
        let ours = if board.side_to_move() == Color::White { white } else { -white };
        TEMPO + endings::judged(board, ours)
    }

    #[inline(always)]
    fn weight(&self, color: Color, piece: Piece, square: Square) -> Tapered {
        PLACED[usize::from(self.halves)][color.index()][piece.index()][square.index()]
    }
}

/// The bit of [`Sums::halves`] that a side's king on this square sets.
#[inline(always)]
fn half(side: Color, king: Square) -> u8 {
    u8::from(features::is_mirrored(king)) << side.index()
}

impl Observer for Sums {
    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        if piece == Piece::King {
            let halves = self.halves & !(1 << color.index()) | half(color, square);
            self.stale |= halves != self.halves;
            self.halves = halves;
        }
        self.placed += self.weight(color, piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.placed -= self.weight(color, piece, square);
    }
}

/// What a pawn structure is worth to White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PawnValue {
    value: Tapered,
    shape: PawnShape,
}

impl PawnValue {
    pub(super) fn of(board: &Board) -> PawnValue {
        let mut adder = Adder(Tapered::ZERO);
        let shape = features::pawns(board, &mut adder);
        PawnValue { value: adder.0, shape }
    }
}

/// The pawn structures seen last: most moves leave the pawns as they are.
#[derive(Debug)]
pub(super) struct PawnCache(Box<[(u64, PawnValue)]>);

impl Default for PawnCache {
    fn default() -> PawnCache {
        // No pawns: their key is zero, and they are worth nothing.
        PawnCache(vec![(0, PawnValue::default()); 1024].into())
    }
}

impl PawnCache {
    #[inline(always)]
    pub(super) fn get(&mut self, board: &Board) -> &PawnValue {
        let key = board.pawn_key();
        let index = key as usize % self.0.len();
        let (known, value) = &mut self.0[index];
        if *known != key {
            PawnCache::replace(board, value);
            *known = key;
        }
        value
    }

    #[inline(never)]
    fn replace(board: &Board, value: &mut PawnValue) {
        *value = PawnValue::of(board);
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
pub(super) fn piece_value(board: &Board, color: Color, piece: Piece, square: Square) -> (i32, i32) {
    let white = Sums::of(board).weight(color, piece, square);
    let own = if color == Color::White { white } else { -white };
    (own.middlegame(), own.endgame())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        let board = Board::from_fen(fen).expect(fen);
        Sums::of(&board).evaluate(&board, &PawnValue::of(&board))
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
            assert_eq!(adder.0, sums.placed, "{}", board.fen());
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
