//! Which move was played: the legal moves one after the other, the likeliest first, and
//! for each whether it is the one. What makes a move likely is learned from the games of
//! the block.
//!
//! Everything here is part of the format: only the rules of chess may be asked.

use super::coder::{Bit, Coder};
use crate::board::{Board, attacks};
use crate::types::{Bitboard, Color, Move, Piece, Square};

/// Kinds of moves: captures by victim, attacker and whether the victim is protected and
/// has itself just captured or moved; promotions by piece; castling; other moves by
/// piece, destination and what is dangerous there or where it comes from.
const CAPTURES: usize = 5 * 6 * 4;
const PROMOTIONS: usize = 2 * 8;
const QUIET: usize = 6 * 64 * 16;
const KINDS: usize = CAPTURES + PROMOTIONS + 2 + QUIET;

/// How the chance of a kind is written down: some four steps to each doubling.
const STEPS: usize = 64;
/// How many moves are left: 2, 3, 4, 5 to 6, and so on.
const LEFT: usize = 12;
/// How many were refused: 0, 1, 2, 3 to 5, more.
const REFUSED: usize = 5;

#[derive(Debug)]
pub(super) struct MoveModels {
    /// How often a move of a kind is played where it can be.
    kinds: Vec<Bit>,
    /// How often a move of some chance is, by how many are left and how many were refused.
    chances: Vec<Bit>,
}

/// What was played before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    /// By the opponent, and by the side to move before that.
    pub last: Option<Move>,
    pub own: Option<Move>,
}

impl MoveModels {
    pub(super) fn new() -> MoveModels {
        let fresh = |count| vec![Bit::default(); count];
        MoveModels { kinds: fresh(KINDS), chances: fresh(2 * LEFT * REFUSED * STEPS) }
    }

    /// The move `played`, or the one that was written. None if there is no legal move,
    /// or if `played` is none.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        board: &Board,
        before: Before,
        played: Option<Move>,
    ) -> Option<Move> {
        let moves = board.legal_moves();
        let surroundings = Surroundings::new(board, before);
        let mut order = [0u64; 256];
        for (place, &mv) in order.iter_mut().zip(&moves) {
            let kind = surroundings.kind(board, mv);
            let chance = u64::from(self.kinds[kind].chance());
            // Sorted by chance, ties by the move itself.
            *place = chance << 48 | u64::from(!mv.to_bits()) << 32 | kind as u64;
        }
        let order = &mut order[..moves.len()];
        let checked = usize::from(board.in_check());
        for refused in 0..order.len() {
            // Sorting all of them would take longer: few are looked at.
            let place = take_largest(&mut order[refused..]);
            let mv = Move::from_bits(!(place >> 32) as u16)?;
            let (kind, left) = (place as u32 as usize, order.len() - refused);
            if left == 1 {
                return (played.is_none() || played == Some(mv)).then_some(mv);
            }
            let situation = (checked * LEFT + left_step(left)) * REFUSED + refused_step(refused);
            let model = &mut self.chances[situation * STEPS + step((place >> 48) as u32)];
            let hit = coder.bit(model, played == Some(mv));
            self.kinds[kind].learn(hit);
            if hit {
                return Some(mv);
            }
        }
        None
    }
}

/// Swaps the largest entry to the front and returns it; 0 if there is none.
#[inline(always)]
fn take_largest(entries: &mut [u64]) -> u64 {
    let (mut largest, mut place) = (0, 0);
    for (index, &entry) in entries.iter().enumerate() {
        if entry > largest {
            (largest, place) = (entry, index);
        }
    }
    if place > 0 {
        entries.swap(0, place);
    }
    largest
}

/// The step of a chance, of 65,536.
fn step(chance: u32) -> usize {
    let chance = chance.max(1);
    let log = chance.ilog2();
    let fraction = (chance << (16 - log)) >> 14 & 3;
    ((4 * log + fraction) as usize).min(STEPS - 1)
}

fn left_step(left: usize) -> usize {
    match left {
        0..=4 => left.max(2) - 2,
        5..=6 => 3,
        7..=9 => 4,
        10..=13 => 5,
        14..=18 => 6,
        19..=24 => 7,
        25..=31 => 8,
        32..=39 => 9,
        40..=49 => 10,
        _ => 11,
    }
}

fn refused_step(refused: usize) -> usize {
    match refused {
        0..=2 => refused,
        3..=5 => 3,
        _ => 4,
    }
}

/// What moves of a position are judged by.
struct Surroundings {
    us: Color,
    enemies: Bitboard,
    /// What enemy pawns attack, and what enemy pieces other than kings and queens do.
    by_pawns: Bitboard,
    by_minors: Bitboard,
    /// From where a pawn, knight, bishop, rook or queen gives check.
    checks: [Bitboard; 6],
    last_to: Option<Square>,
    own_to: Option<Square>,
}

impl Surroundings {
    fn new(board: &Board, before: Before) -> Surroundings {
        let us = board.side_to_move();
        let all = |piece, attacks: &dyn Fn(Square) -> Bitboard| {
            let squares = board.colored_pieces(!us, piece).into_iter();
            squares.fold(Bitboard::EMPTY, |all, square| all | attacks(square))
        };
        let (occupied, king) = (board.occupied(), board.king(!us));
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (pawn, knight) = (attacks::pawn(!us, king), attacks::knight(king));
        Surroundings {
            us,
            checks: [pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY],
            enemies: board.color(!us),
            by_pawns: all(Piece::Pawn, &|square| attacks::pawn(!us, square)),
            by_minors: all(Piece::Knight, &attacks::knight)
                | all(Piece::Bishop, &|square| attacks::bishop(square, occupied)),
            last_to: before.last.map(Move::to),
            own_to: before.own.map(Move::to),
        }
    }

    fn kind(&self, board: &Board, mv: Move) -> usize {
        let (from, to) = (mv.from(), mv.to());
        let victim = board.victim(mv);
        if let Some(promoted) = mv.promoted() {
            return CAPTURES + 8 * usize::from(victim.is_some()) + promoted.index();
        }
        if mv.is_castle() {
            return CAPTURES + PROMOTIONS + usize::from(from.index() < to.index());
        }
        let piece = board.piece_at(from).map_or(0, |piece| piece.index());
        if let Some(victim) = victim {
            let occupied = board.occupied() ^ from.bitboard();
            let protected = board.attackers_to(to, occupied).intersects(self.enemies);
            let moved_last = self.last_to == Some(to);
            let circumstances = 2 * usize::from(protected) + usize::from(moved_last);
            return (victim.index() % 5 * 6 + piece) * 4 + circumstances;
        }
        let relative = if self.us == Color::White { to } else { to.flip_rank() };
        // Of pawns and minor pieces only pawns need be afraid of, of others of minors too.
        let feared = if piece >= Piece::Rook.index() {
            self.by_pawns | self.by_minors
        } else {
            self.by_pawns
        };
        let circumstances = 4 * usize::from(self.own_to == Some(from))
            + 2 * usize::from(feared.contains(from))
            + usize::from(feared.contains(to));
        let checks = 8 * usize::from(self.checks[piece].contains(to));
        CAPTURES + PROMOTIONS + 2 + (piece * 64 + relative.index()) * 16 + circumstances + checks
    }
}
