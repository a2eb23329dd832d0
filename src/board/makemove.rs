//! Making and unmaking moves.
//!
//! Bitboards and keys change in one place, [`Board::toggle_all`], so that they
//! cannot drift apart. A move computes the next [`StateInfo`] from the current one
//! and pushes it; unmaking puts the pieces back and drops that state.

use super::{Board, StateInfo, attacks, zobrist};
use crate::types::{
    Bitboard, Black, CastlingRights, Color, Move, MoveKind, Piece, Side, Square, White, Wing,
};

impl Board {
    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.fen());
        match self.side_to_move {
            Color::White => self.make_as::<White>(mv),
            Color::Black => self.make_as::<Black>(mv),
        }
    }

    /// Takes back the last move made, which must be `mv`.
    #[inline]
    pub fn unmake(&mut self, mv: Move) {
        match self.side_to_move {
            Color::White => self.unmake_as::<Black>(mv),
            Color::Black => self.unmake_as::<White>(mv),
        }
    }

    #[inline]
    pub(crate) fn make_as<S: Side>(&mut self, mv: Move) {
        debug_assert_eq!(self.side_to_move, S::COLOR);
        let (from, to) = (mv.from(), mv.to());
        let mut next = self.state().successor();
        if mv.is_normal() {
            let piece = self.mover(from);
            self.capture::<S>(&mut next, to);
            self.relocate(&mut next, S::COLOR, piece, from, to);
            if piece == Piece::Pawn {
                next.halfmove_clock = 0;
                if (from as u8) ^ (to as u8) == 16 {
                    self.offer_en_passant::<S>(&mut next, to);
                }
            }
            if !next.castling.is_empty() {
                let mut kept = next.castling.without_rooks_on(from.bitboard() | to.bitboard());
                if piece == Piece::King {
                    kept = kept.without_color(S::COLOR);
                }
                next.set_castling(kept);
            }
        } else {
            next = self.make_special::<S>(next, mv);
        }

        self.side_to_move = S::Opponent::COLOR;
        self.set_checks::<S::Opponent>(&mut next);
        self.states.push(next);
        self.debug_validate();
    }

    /// Promotion, en passant and castling: out of line, to keep the common path
    /// short. The state goes in and out by value so that it can live in registers
    /// on that path.
    #[inline(never)]
    fn make_special<S: Side>(&mut self, mut next: StateInfo, mv: Move) -> StateInfo {
        let (us, them) = (S::COLOR, S::Opponent::COLOR);
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => unreachable!("normal moves are made in make_as"),
            MoveKind::Promotion(promoted) => {
                self.capture::<S>(&mut next, to);
                next.halfmove_clock = 0;
                self.toggle(&mut next, us, Piece::Pawn, from);
                self.mailbox[from.index()] = None;
                self.toggle(&mut next, us, promoted, to);
                self.mailbox[to.index()] = Some(promoted);
                next.set_castling(next.castling.without_rooks_on(to.bitboard()));
            }
            MoveKind::EnPassant => {
                let victim = to.en_passant_victim();
                next.captured = Some(Piece::Pawn);
                next.halfmove_clock = 0;
                self.toggle(&mut next, them, Piece::Pawn, victim);
                self.mailbox[victim.index()] = None;
                self.relocate(&mut next, us, Piece::Pawn, from, to);
            }
            MoveKind::Castle => {
                let wing = Wing::of_rook(from.file(), to.file());
                let (king_to, rook_to) = wing.destinations(us);
                // Lift both before setting either down: in Chess960 one may land
                // where the other stood.
                self.toggle(&mut next, us, Piece::King, from);
                self.toggle(&mut next, us, Piece::Rook, to);
                self.mailbox[from.index()] = None;
                self.mailbox[to.index()] = None;
                self.toggle(&mut next, us, Piece::King, king_to);
                self.toggle(&mut next, us, Piece::Rook, rook_to);
                self.mailbox[king_to.index()] = Some(Piece::King);
                self.mailbox[rook_to.index()] = Some(Piece::Rook);
                next.set_castling(next.castling.without_color(us));
            }
        }
        next
    }

    #[inline(always)]
    pub(crate) fn unmake_as<S: Side>(&mut self, mv: Move) {
        debug_assert_eq!(self.side_to_move, S::Opponent::COLOR);
        let (from, to) = (mv.from(), mv.to());
        let captured = self.state().captured;
        self.drop_state();
        if mv.is_normal() {
            let piece = self.mover(to);
            self.flip(S::COLOR, piece, from.bitboard() | to.bitboard());
            self.mailbox[from.index()] = Some(piece);
            self.put_back::<S>(captured, to);
        } else {
            self.unmake_special::<S>(captured, mv);
        }
        self.side_to_move = S::COLOR;
        self.debug_validate();
    }

    #[inline(never)]
    fn unmake_special<S: Side>(&mut self, captured: Option<Piece>, mv: Move) {
        let us = S::COLOR;
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => unreachable!("normal moves are unmade in unmake_as"),
            MoveKind::Promotion(promoted) => {
                self.flip(us, promoted, to.bitboard());
                self.flip(us, Piece::Pawn, from.bitboard());
                self.mailbox[from.index()] = Some(Piece::Pawn);
                self.put_back::<S>(captured, to);
            }
            MoveKind::EnPassant => {
                self.flip(us, Piece::Pawn, from.bitboard() | to.bitboard());
                self.mailbox[from.index()] = Some(Piece::Pawn);
                self.mailbox[to.index()] = None;
                self.put_back::<S>(captured, to.en_passant_victim());
            }
            MoveKind::Castle => {
                let wing = Wing::of_rook(from.file(), to.file());
                let (king_to, rook_to) = wing.destinations(us);
                self.flip(us, Piece::King, king_to.bitboard());
                self.flip(us, Piece::Rook, rook_to.bitboard());
                self.mailbox[king_to.index()] = None;
                self.mailbox[rook_to.index()] = None;
                self.flip(us, Piece::King, from.bitboard());
                self.flip(us, Piece::Rook, to.bitboard());
                self.mailbox[from.index()] = Some(Piece::King);
                self.mailbox[to.index()] = Some(Piece::Rook);
            }
        }
    }

    /// Passes the turn. Not allowed in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        let mut next = self.state().successor();
        next.plies_from_null = 0;
        self.side_to_move = !self.side_to_move;
        match self.side_to_move {
            Color::White => self.set_checks::<White>(&mut next),
            Color::Black => self.set_checks::<Black>(&mut next),
        }
        self.states.push(next);
        self.debug_validate();
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self) {
        self.drop_state();
        self.side_to_move = !self.side_to_move;
        self.debug_validate();
    }

    #[inline(always)]
    fn drop_state(&mut self) {
        assert!(self.states.len() > 1, "no move to take back");
        self.states.truncate(self.states.len() - 1);
    }

    /// The piece a legal move starts from.
    #[inline(always)]
    fn mover(&self, square: Square) -> Piece {
        match self.mailbox[square.index()] {
            Some(piece) => piece,
            None => unreachable!("no piece on {square}"),
        }
    }

    /// Adds or removes a piece on the bitboards and in the keys.
    #[inline(always)]
    pub(super) fn toggle(
        &mut self,
        state: &mut StateInfo,
        color: Color,
        piece: Piece,
        square: Square,
    ) {
        let key = zobrist::piece(color, piece, square);
        self.toggle_all(state, color, piece, square.bitboard(), key);
    }

    /// The one mutator of pieces and keys: `key` is that of all `squares`.
    #[inline(always)]
    fn toggle_all(
        &mut self,
        state: &mut StateInfo,
        color: Color,
        piece: Piece,
        squares: Bitboard,
        key: u64,
    ) {
        self.flip(color, piece, squares);
        state.key ^= key;
        // Without a branch and without indexing by the piece, so that the state
        // can stay in registers.
        let pawn_key = if piece == Piece::Pawn { key } else { 0 };
        state.pawn_key ^= pawn_key;
        state.non_pawn_keys[color.index()] ^= key ^ pawn_key;
    }

    /// The bitboards alone, for unmaking, where the keys come from the state.
    #[inline(always)]
    fn flip(&mut self, color: Color, piece: Piece, squares: Bitboard) {
        self.pieces[piece.index()] ^= squares;
        self.colors[color.index()] ^= squares;
    }

    #[inline(always)]
    fn relocate(
        &mut self,
        state: &mut StateInfo,
        color: Color,
        piece: Piece,
        from: Square,
        to: Square,
    ) {
        let squares = from.bitboard() | to.bitboard();
        let key = zobrist::piece(color, piece, from) ^ zobrist::piece(color, piece, to);
        self.toggle_all(state, color, piece, squares, key);
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
    }

    /// Removes what stands on `to`, if anything. The mailbox is about to be
    /// overwritten by the capturer.
    #[inline(always)]
    fn capture<S: Side>(&mut self, state: &mut StateInfo, to: Square) {
        if let Some(victim) = self.mailbox[to.index()] {
            state.captured = Some(victim);
            state.halfmove_clock = 0;
            self.toggle(state, S::Opponent::COLOR, victim, to);
        }
    }

    /// Undoes `capture`: `S` is the side whose move is taken back.
    #[inline(always)]
    fn put_back<S: Side>(&mut self, captured: Option<Piece>, square: Square) {
        self.mailbox[square.index()] = captured;
        if let Some(piece) = captured {
            self.flip(S::Opponent::COLOR, piece, square.bitboard());
        }
    }

    /// Notes the en passant target of a double step to `to`, if any enemy pawn can
    /// legally capture there.
    #[inline(always)]
    fn offer_en_passant<S: Side>(&self, state: &mut StateInfo, to: Square) {
        let target = to.en_passant_victim();
        let capturers =
            attacks::pawn(S::COLOR, target) & self.colored_pieces(S::Opponent::COLOR, Piece::Pawn);
        if capturers.is_nonempty() && self.en_passant_is_legal::<S::Opponent>(target, capturers) {
            state.set_en_passant(target);
        }
    }

    /// Whether any of the pawns that could capture on `target` may. Out of line:
    /// few double steps land beside an enemy pawn.
    #[inline(never)]
    pub(super) fn en_passant_is_legal<S: Side>(&self, target: Square, capturers: Bitboard) -> bool {
        capturers.into_iter().any(|from| self.en_passant_leaves_king_safe::<S>(from, target))
    }

    /// Not under Miri, which looks for other faults and would take hours for this one.
    #[inline(always)]
    fn debug_validate(&self) {
        if cfg!(all(debug_assertions, not(miri)))
            && let Err(disagreement) = self.validate()
        {
            panic!("{disagreement} in {}", self.fen());
        }
    }
}

impl StateInfo {
    /// The state after a move that moves nothing yet.
    #[inline(always)]
    fn successor(&self) -> StateInfo {
        StateInfo {
            key: self.key ^ zobrist::BLACK_TO_MOVE ^ zobrist::en_passant(self.en_passant),
            en_passant: None,
            captured: None,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            plies_from_null: self.plies_from_null.saturating_add(1),
            ..*self
        }
    }

    #[inline(always)]
    fn set_castling(&mut self, rights: CastlingRights) {
        if rights != self.castling {
            self.key ^= zobrist::castling_change(self.castling, rights);
            self.castling = rights;
        }
    }

    pub(super) fn set_en_passant(&mut self, target: Square) {
        self.en_passant = Some(target);
        self.key ^= zobrist::en_passant(Some(target));
    }
}
