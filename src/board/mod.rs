//! The position and the rules of chess.
//!
//! [`Board`] keeps the same facts in several forms, because each is fast for
//! something: bitboards by piece and by colour, a mailbox, four Zobrist keys,
//! checkers and pin rays. [`Board::validate`] recomputes them all; debug builds
//! do so after every make and unmake.

pub(crate) mod attacks;
mod changes;
pub mod chess960;
mod draw;
mod fen;
mod legal;
mod makemove;
mod movegen;
mod notation;
mod see;
mod threats;
mod validate;
mod zobrist;

#[cfg(test)]
pub(crate) mod testing;

pub(crate) use changes::Observer;
pub use fen::{CastlingStyle, FenError, Setup};
pub use movegen::{All, MoveSink, Noisy, Stage};
pub(crate) use movegen::{Count, Quiet};
pub use notation::MoveError;
pub(crate) use see::exchange_value;
pub(crate) use threats::Checks;
pub(crate) use validate::Disagreement;

use crate::types::{Bitboard, CastlingRights, Color, Move, Piece, Side, Square};

/// A legal chess position with the moves that led to it. The bitboards fill one
/// cache line, the mailbox another.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Board {
    pieces: [Bitboard; Piece::COUNT],
    colors: [Bitboard; Color::COUNT],
    mailbox: [Option<Piece>; Square::COUNT],
    side_to_move: Color,
    /// Half-moves between White's first move of the game and the first state.
    first_ply: u32,
    /// One for each position since the first, the current one last: for taking
    /// back and for repetitions. Never empty.
    states: Vec<StateInfo>,
}

/// What a move changes and unmaking it cannot compute back: exactly one cache
/// line. Making a move pushes the next state, unmaking only drops it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct StateInfo {
    key: u64,
    pawn_key: u64,
    non_pawn_keys: [u64; Color::COUNT],
    /// The pieces giving check to the side to move.
    checkers: Bitboard,
    /// The diagonals and the ranks and files from the king of the side to move to
    /// an enemy slider with exactly one piece between, that slider included. A piece
    /// of its own on such a ray is pinned and may move along it only.
    diagonal_pins: Bitboard,
    orthogonal_pins: Bitboard,
    castling: CastlingRights,
    /// Half-moves since the last capture or pawn move.
    halfmove_clock: u16,
    /// Half-moves since the last null move: no repetition reaches over one.
    plies_from_null: u16,
    /// Set only if an en passant capture is legal.
    en_passant: Option<Square>,
    /// What the move that led here captured.
    captured: Option<Piece>,
}

impl Board {
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The position every orthodox game starts from.
    pub fn startpos() -> Board {
        Board::from_fen(Board::START_FEN).expect("the start position is legal")
    }

    #[inline(always)]
    fn state(&self) -> &StateInfo {
        &self.states[self.states.len() - 1]
    }

    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    #[inline(always)]
    pub(crate) fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(crate) fn colored_pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.pieces(piece) & self.color(color)
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    fn diagonal_sliders(&self) -> Bitboard {
        self.pieces(Piece::Bishop) | self.pieces(Piece::Queen)
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    fn orthogonal_sliders(&self) -> Bitboard {
        self.pieces(Piece::Rook) | self.pieces(Piece::Queen)
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).contains(square))
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.colored_pieces(color, Piece::King).lowest()
    }

    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        self.state().castling
    }

    /// The square behind a pawn that just made a double step, if it can really be
    /// captured there.
    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<Square> {
        self.state().en_passant
    }

    #[inline(always)]
    pub(crate) fn halfmove_clock(&self) -> u16 {
        self.state().halfmove_clock
    }

    pub(crate) fn fullmove_number(&self) -> u32 {
        ((self.first_ply + self.moves_made() as u32) / 2 + 1).min(fen::MAX_FULLMOVE)
    }

    /// The Zobrist key of everything that makes two positions the same in the
    /// sense of the repetition rule.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state().key
    }

    /// The key after a legal move, exact unless the move changes castling rights or
    /// en passant, castles or promotes: good enough to prefetch with.
    #[inline(always)]
    pub(crate) fn key_after(&self, mv: Move) -> u64 {
        let (us, from, to) = (self.side_to_move, mv.from(), mv.to());
        let mut key = self.key() ^ zobrist::BLACK_TO_MOVE;
        if let Some(piece) = self.piece_at(from) {
            key ^= zobrist::piece(us, piece, from) ^ zobrist::piece(us, piece, to);
        }
        if let Some(victim) = self.piece_at(to) {
            key ^= zobrist::piece(!us, victim, to);
        }
        key
    }

    /// The key of the pawns of both colours.
    #[inline(always)]
    pub(crate) fn pawn_key(&self) -> u64 {
        self.state().pawn_key
    }

    /// The key of one colour's pieces other than pawns, king included.
    #[inline(always)]
    pub(crate) fn non_pawn_key(&self, color: Color) -> u64 {
        self.state().non_pawn_keys[color.index()]
    }

    #[inline(always)]
    pub(crate) fn checkers(&self) -> Bitboard {
        self.state().checkers
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state().checkers.is_nonempty()
    }

    /// The pieces of the side to move that shield their king.
    pub(crate) fn pinned(&self) -> Bitboard {
        (self.state().diagonal_pins | self.state().orthogonal_pins) & self.color(self.side_to_move)
    }

    /// Whether one side has nothing but its king.
    #[inline(always)]
    pub(crate) fn has_bare_king(&self) -> bool {
        !Color::ALL.iter().all(|&color| self.color(color).has_several())
    }

    /// Whether `color` has anything but pawns and the king.
    #[inline(always)]
    pub(crate) fn has_pieces(&self, color: Color) -> bool {
        let simple = self.pieces(Piece::Pawn) | self.pieces(Piece::King);
        self.color(color).without(simple).is_nonempty()
    }

    /// Whether `color` has so little that having to move may well be what loses:
    /// pawns and at most one minor piece.
    #[inline(always)]
    pub(crate) fn is_prone_to_zugzwang(&self, color: Color) -> bool {
        let minors = self.pieces(Piece::Knight) | self.pieces(Piece::Bishop);
        !self.orthogonal_sliders().intersects(self.color(color))
            && !(minors & self.color(color)).has_several()
    }

    /// How many moves can be taken back.
    pub fn moves_made(&self) -> usize {
        self.states.len() - 1
    }

    /// The pieces of both colours that attack `square` if `occupied` stops sliders.
    #[inline]
    pub(crate) fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn(Color::White, square) & self.colored_pieces(Color::Black, Piece::Pawn))
            | (attacks::pawn(Color::Black, square) & self.colored_pieces(Color::White, Piece::Pawn))
            | (attacks::knight(square) & self.pieces(Piece::Knight))
            | (attacks::king(square) & self.pieces(Piece::King))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders())
    }

    /// Finds the checkers and pin rays of the side to move, `S`.
    #[inline(always)]
    fn set_checks<S: Side>(&self, state: &mut StateInfo) {
        let king = self.king(S::COLOR);
        let them = self.color(S::Opponent::COLOR);
        let occupied = self.occupied();
        let mut checkers = (attacks::knight(king) & self.pieces(Piece::Knight))
            | (attacks::pawn(S::COLOR, king) & self.pieces(Piece::Pawn));
        checkers &= them;
        let mut scan = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers & them {
                let between = attacks::between(king, sniper);
                let blockers = between & occupied;
                if blockers.is_empty() {
                    checkers |= sniper.bitboard();
                } else if !blockers.has_several() {
                    pins |= between | sniper.bitboard();
                }
            }
            pins
        };
        state.diagonal_pins = scan(attacks::bishop_rays(king) & self.diagonal_sliders());
        state.orthogonal_pins = scan(attacks::rook_rays(king) & self.orthogonal_sliders());
        state.checkers = checkers;
    }
}
