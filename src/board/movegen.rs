//! Legal move generation: no move that leaves the king in check is ever made
//! up, so nothing has to be tested afterwards.
//!
//! Moves are produced as sets of target squares and handed to a [`MoveSink`]. A
//! list expands them; a counter only takes the popcount, which makes the last
//! ply of a perft nearly free.
//!
//! Pins need no test piece by piece. Pinned knights cannot move. Any other
//! pinned piece may go where its attacks meet the union of the pin rays of its
//! direction (diagonal or orthogonal): from a square on one ray a piece cannot
//! reach another ray of the same king in one such step, so the union does not
//! let anything through that its own ray would not.

use super::{Board, attacks};
use crate::types::{Bitboard, Black, Color, Move, MoveList, Piece, Side, Square, White, Wing};

/// Which moves to generate.
pub trait Stage {
    /// Captures, en passant and every promotion.
    const NOISY: bool;
    /// Everything else, castling included.
    const QUIET: bool;
}

#[derive(Debug)]
pub struct All;
#[derive(Debug)]
pub struct Noisy;
#[derive(Debug)]
pub(crate) struct Quiet;

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Takes generated moves in sets. Sets may be empty.
pub trait MoveSink {
    /// The piece on `from`, not a pawn, can go to each of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// To each of `targets` goes a pawn from the square `delta` before it.
    fn pawns<S: Side>(&mut self, targets: Bitboard, delta: i8);
    /// The same for pawns that promote, each in four ways.
    fn promotions<S: Side>(&mut self, targets: Bitboard, delta: i8);
    fn single(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns<S: Side>(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            self.push(Move::normal(S::origin(to, delta), to));
        }
    }

    #[inline(always)]
    fn promotions<S: Side>(&mut self, targets: Bitboard, delta: i8) {
        for to in targets {
            for piece in Piece::PROMOTIONS {
                self.push(Move::promotion(S::origin(to, delta), to, piece));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without listing them.
#[derive(Debug, Default)]
pub(crate) struct Count(pub(crate) u32);

impl MoveSink for Count {
    #[inline(always)]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns<S: Side>(&mut self, targets: Bitboard, _delta: i8) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions<S: Side>(&mut self, targets: Bitboard, _delta: i8) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

/// What checks and pins forbid to everything but the king.
#[derive(Clone, Copy)]
struct Restrictions {
    /// The squares that answer a check: the checker's and those before it.
    evasions: Bitboard,
    diagonal_pins: Bitboard,
    orthogonal_pins: Bitboard,
}

impl Board {
    /// Sends the legal moves of one stage into `sink`.
    #[inline]
    pub fn generate<G: Stage>(&self, sink: &mut impl MoveSink) {
        match self.side_to_move {
            Color::White => self.generate_as::<White, G>(sink),
            Color::Black => self.generate_as::<Black, G>(sink),
        }
    }

    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<All>(&mut moves);
        moves
    }

    pub fn count_legal_moves(&self) -> u32 {
        let mut count = Count::default();
        self.generate::<All>(&mut count);
        count.0
    }

    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() != 0
    }

    #[inline(always)]
    pub(crate) fn generate_as<S: Side, G: Stage>(&self, sink: &mut impl MoveSink) {
        let state = self.state();
        let king = self.king(S::COLOR);
        let stage_targets = match (G::NOISY, G::QUIET) {
            (true, true) => !self.color(S::COLOR),
            (true, false) => self.color(S::Opponent::COLOR),
            (false, true) => !self.occupied(),
            (false, false) => Bitboard::EMPTY,
        };
        let king_steps = self.king_targets::<S>(king, stage_targets);
        sink.piece(king, king_steps);

        // Most positions know no check and no pin, and for them the compiler drops
        // everything that has to do with either.
        if (state.checkers | state.diagonal_pins | state.orthogonal_pins).is_empty() {
            let free = Restrictions {
                evasions: Bitboard::ALL,
                diagonal_pins: Bitboard::EMPTY,
                orthogonal_pins: Bitboard::EMPTY,
            };
            self.castlings::<S, G>(king, king_steps, sink);
            self.pawn_moves::<S, G>(free, sink);
            self.piece_moves::<S>(stage_targets, free, sink);
            return;
        }
        if state.checkers.has_several() {
            return;
        }
        let restrictions = Restrictions {
            evasions: match state.checkers.first() {
                Some(checker) => attacks::between(king, checker) | state.checkers,
                None => Bitboard::ALL,
            },
            diagonal_pins: state.diagonal_pins,
            orthogonal_pins: state.orthogonal_pins,
        };
        if state.checkers.is_empty() {
            self.castlings::<S, G>(king, king_steps, sink);
        }
        self.pawn_moves::<S, G>(restrictions, sink);
        self.piece_moves::<S>(stage_targets, restrictions, sink);
    }

    #[inline(always)]
    fn piece_moves<S: Side>(
        &self,
        stage_targets: Bitboard,
        restrictions: Restrictions,
        sink: &mut impl MoveSink,
    ) {
        let Restrictions { evasions, diagonal_pins, orthogonal_pins } = restrictions;
        let us = self.color(S::COLOR);
        let occupied = self.occupied();
        let pins = diagonal_pins | orthogonal_pins;
        let targets = stage_targets & evasions;

        for from in (us & self.pieces(Piece::Knight)).without(pins) {
            sink.piece(from, attacks::knight(from) & targets);
        }

        let diagonal = us & self.diagonal_sliders();
        for from in diagonal.without(pins) {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in diagonal & diagonal_pins {
            sink.piece(from, attacks::bishop(from, occupied) & targets & diagonal_pins);
        }

        let orthogonal = us & self.orthogonal_sliders();
        for from in orthogonal.without(pins) {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        for from in orthogonal & orthogonal_pins {
            sink.piece(from, attacks::rook(from, occupied) & targets & orthogonal_pins);
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side, G: Stage>(&self, restrictions: Restrictions, sink: &mut impl MoveSink) {
        let Restrictions { evasions, diagonal_pins, orthogonal_pins } = restrictions;
        let pawns = self.colored_pieces(S::COLOR, Piece::Pawn);
        let empty = !self.occupied();
        let promotion = S::PROMOTION_RANK;

        // Steps: never by a pawn pinned diagonally, and along the pin only by one
        // pinned on its file.
        let steppers = pawns.without(diagonal_pins);
        let free = S::forward(steppers.without(orthogonal_pins));
        let pinned = S::forward(steppers & orthogonal_pins) & orthogonal_pins;
        let steps = (free | pinned) & empty;
        let single = steps & evasions;
        if G::QUIET {
            let double = S::forward(steps & S::DOUBLE_STEP_RANK) & empty & evasions;
            sink.pawns::<S>(single.without(promotion), S::FORWARD);
            sink.pawns::<S>(double, 2 * S::FORWARD);
        }
        if !G::NOISY {
            return;
        }

        // Captures: never by a pawn pinned on rank or file.
        let victims = self.color(S::Opponent::COLOR) & evasions;
        let capturers = pawns.without(orthogonal_pins);
        let free = capturers.without(diagonal_pins);
        let pinned = capturers & diagonal_pins;
        let east = (S::forward_east(free) | (S::forward_east(pinned) & diagonal_pins)) & victims;
        let west = (S::forward_west(free) | (S::forward_west(pinned) & diagonal_pins)) & victims;
        sink.pawns::<S>(east.without(promotion), S::FORWARD + 1);
        sink.pawns::<S>(west.without(promotion), S::FORWARD - 1);
        if (single | east | west).intersects(promotion) {
            sink.promotions::<S>(single & promotion, S::FORWARD);
            sink.promotions::<S>(east & promotion, S::FORWARD + 1);
            sink.promotions::<S>(west & promotion, S::FORWARD - 1);
        }

        if let Some(target) = self.state().en_passant {
            for from in self.en_passant_capturers::<S>(target) {
                sink.single(Move::en_passant(from, target));
            }
        }
    }

    /// The pawns that may capture en passant. Out of line, because it is rare.
    #[inline(never)]
    fn en_passant_capturers<S: Side>(&self, target: Square) -> Bitboard {
        let pawns = self.colored_pieces(S::COLOR, Piece::Pawn);
        (attacks::pawn(S::Opponent::COLOR, target) & pawns)
            .into_iter()
            .filter(|&from| self.en_passant_leaves_king_safe::<S>(from, target))
            .collect()
    }

    /// Those of `targets` the king of `S` can step to.
    #[inline(always)]
    fn king_targets<S: Side>(&self, king: Square, targets: Bitboard) -> Bitboard {
        let them = self.color(S::Opponent::COLOR);
        let candidates = (attacks::king(king) & targets).without(
            attacks::pawns::<S::Opponent>(self.pieces(Piece::Pawn) & them)
                | attacks::king(self.king(S::Opponent::COLOR)),
        );
        // The king itself does not shield the squares behind it.
        let occupied = self.occupied() ^ king.bitboard();
        if !candidates.has_several() {
            // A single square is cheaper to look at than the whole board, and there
            // is at most one in most middlegames.
            let safe = candidates
                .first()
                .is_some_and(|square| !self.attacked_by_piece::<S::Opponent>(square, occupied));
            return if safe { candidates } else { Bitboard::EMPTY };
        }
        let mut attacked = Bitboard::EMPTY;
        for from in self.pieces(Piece::Knight) & them {
            attacked |= attacks::knight(from);
        }
        for from in self.diagonal_sliders() & them {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in self.orthogonal_sliders() & them {
            attacked |= attacks::rook(from, occupied);
        }
        candidates.without(attacked)
    }

    /// Whether a knight or slider of `S` attacks `square`.
    #[inline(always)]
    fn attacked_by_piece<S: Side>(&self, square: Square, occupied: Bitboard) -> bool {
        let attackers = (attacks::knight(square) & self.pieces(Piece::Knight))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders());
        attackers.intersects(self.color(S::COLOR))
    }

    #[inline(always)]
    fn castlings<S: Side, G: Stage>(
        &self,
        king: Square,
        king_steps: Bitboard,
        sink: &mut impl MoveSink,
    ) {
        let rooks = self.state().castling.rooks(S::COLOR);
        if !G::QUIET || rooks.is_empty() {
            return;
        }
        // Nothing may stand between the two, so the king must see the rook. That
        // is false so often that the rest is out of line.
        let attacked = attacks::king(king).without(self.occupied() | king_steps);
        for rook in rooks & attacks::rook(king, self.occupied()) {
            if self.castling_is_legal::<S>(king, rook, king_steps, attacked) {
                sink.single(Move::castle(king, rook));
            }
        }
    }

    /// Whether the king, not in check, may castle with the rook on `rook`, for
    /// which it has the right. The caller may know of some squares already whether
    /// they are safe.
    #[inline(never)]
    pub(super) fn castling_is_legal<S: Side>(
        &self,
        king: Square,
        rook: Square,
        known_safe: Bitboard,
        known_attacked: Bitboard,
    ) -> bool {
        let wing = Wing::of_rook(king.file(), rook.file());
        let (king_to, rook_to) = wing.destinations(S::COLOR);
        let king_path = attacks::between(king, king_to) | king_to.bitboard();
        let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
        let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
        // A rook pinned on the back rank cannot leave: the king ends up with the
        // pinning piece on its open side.
        !(king_path | rook_path).intersects(others)
            && !king_path.intersects(known_attacked)
            && !self.state().orthogonal_pins.contains(rook)
            && king_path
                .without(known_safe)
                .into_iter()
                .all(|square| !self.is_attacked_by::<S::Opponent>(square))
    }

    /// Whether any piece of `S` attacks `square` as the board stands.
    #[inline(always)]
    pub(super) fn is_attacked_by<S: Side>(&self, square: Square) -> bool {
        let leapers = (attacks::pawn(S::Opponent::COLOR, square) & self.pieces(Piece::Pawn))
            | (attacks::king(square) & self.pieces(Piece::King));
        leapers.intersects(self.color(S::COLOR))
            || self.attacked_by_piece::<S>(square, self.occupied())
    }

    /// Tests what no pin ray shows: en passant empties two squares of a line at
    /// once.
    pub(super) fn en_passant_leaves_king_safe<S: Side>(
        &self,
        from: Square,
        target: Square,
    ) -> bool {
        let victim = target.en_passant_victim().bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | target.bitboard();
        let attackers = self.attackers_to(self.king(S::COLOR), occupied);
        !(attackers & self.color(S::Opponent::COLOR)).intersects(!victim)
    }
}
