//! What draws a game, and the fast repetition tests of the search.

use super::{Board, attacks, zobrist};
use crate::types::{Bitboard, Piece, Square};

impl Board {
    /// Whether no sequence of legal moves can end in mate as far as material goes:
    /// bare kings, one minor piece, or bishops that all stand on one square colour.
    pub fn has_insufficient_material(&self) -> bool {
        let mating = self.pieces(Piece::Pawn) | self.orthogonal_sliders();
        if mating.is_nonempty() {
            return false;
        }
        let minors = self.pieces(Piece::Knight) | self.pieces(Piece::Bishop);
        if !minors.has_several() {
            return true;
        }
        let bishops = self.pieces(Piece::Bishop);
        minors == bishops
            && (!bishops.intersects(Bitboard::LIGHT_SQUARES)
                || !bishops.intersects(Bitboard::DARK_SQUARES))
    }

    /// How often this position occurred before.
    pub(crate) fn earlier_occurrences(&self) -> usize {
        self.repetitions().count()
    }

    /// Whether the search, `ply` moves below its root, should score this position
    /// as a draw: by repetition (once within the search, twice counting the game),
    /// by the 50-move rule unless it is mate, or by material.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        if self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_moves()) {
            return true;
        }
        self.has_insufficient_material()
            || self
                .repetitions()
                .enumerate()
                .any(|(earlier, distance)| distance < ply || earlier >= 1)
    }

    /// Whether any position since the last capture or pawn move occurred twice. Not for the search: it compares them all.
    pub(crate) fn has_repeated(&self) -> bool {
        let reach = self.reversible_plies();
        (0..=reach).any(|plies| {
            let mut earlier = (plies + 4..=reach).step_by(2);
            earlier.any(|before| self.key_before(before) == self.key_before(plies))
        })
    }

    /// The distances, in plies, back to earlier occurrences of this position.
    #[inline]
    fn repetitions(&self) -> impl Iterator<Item = usize> {
        (4..=self.reversible_plies())
            .step_by(2)
            .filter(|&distance| self.key_before(distance) == self.key())
    }

    /// How many plies back a repetition could reach.
    #[inline(always)]
    fn reversible_plies(&self) -> usize {
        (self.state().halfmove_clock.min(self.state().plies_from_null) as usize)
            .min(self.moves_made())
    }

    #[inline(always)]
    fn key_before(&self, plies: usize) -> u64 {
        self.states[self.states.len() - 1 - plies].key
    }

    /// Whether the side to move has a move that repeats an earlier position, so
    /// that the search may count on a draw at least. Marcel van Kervinck's cuckoo
    /// table: the key change between now and then must be that of one reversible
    /// move whose path is free.
    pub(crate) fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        if reach < 3 {
            return false;
        }
        // The opponent's moves on the way there and back must cancel out.
        let mut others = self.key() ^ self.key_before(1) ^ zobrist::BLACK_TO_MOVE;
        for distance in (3..=reach).step_by(2) {
            others ^=
                self.key_before(distance - 1) ^ self.key_before(distance) ^ zobrist::BLACK_TO_MOVE;
            if others != 0 {
                continue;
            }
            let Some((a, b)) = reversible_move(self.key() ^ self.key_before(distance)) else {
                continue;
            };
            if attacks::between(a, b).intersects(self.occupied()) {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Before the root one earlier occurrence does not make a draw yet, and
            // the piece must be one the side to move can move.
            let mover = if self.occupied().contains(a) { a } else { b };
            if self.color(self.side_to_move).contains(mover) && self.stood_before(distance, reach) {
                return true;
            }
        }
        false
    }

    /// Whether the position `distance` plies ago had itself occurred before.
    fn stood_before(&self, distance: usize, reach: usize) -> bool {
        let key = self.key_before(distance);
        (distance + 4..=reach).step_by(2).any(|earlier| self.key_before(earlier) == key)
    }
}

/// The squares of the reversible move that changes the key by `change`.
fn reversible_move(change: u64) -> Option<(Square, Square)> {
    let slots = [(change & 0x1fff) as usize, (change >> 16 & 0x1fff) as usize];
    let slot = slots.into_iter().find(|&slot| zobrist::CUCKOO_KEYS[slot] == change)?;
    let bits = zobrist::CUCKOO_MOVES[slot];
    Some((Square::from_low_bits(bits as u8), Square::from_low_bits((bits >> 6) as u8)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::{RandomGames, played};

    fn after(fen: &str, moves: &str) -> Board {
        played(fen, moves).0
    }

    #[test]
    fn mate_takes_precedence_over_the_clock() {
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 200";
        let board = Board::from_fen(mate).expect(mate);
        assert!(!board.is_draw(1));
        let fifty = "6k1/R4ppp/8/8/8/8/8/6K1 b - - 100 200";
        let board = Board::from_fen(fifty).expect(fifty);
        assert!(board.is_draw(1));
    }

    #[test]
    fn repetitions_are_counted() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        let board = after(Board::START_FEN, shuffle);
        assert_eq!(board.earlier_occurrences(), 1);
        assert!(!board.is_draw(3), "the repeated position lies before the root");
        assert!(board.is_draw(5));
        let board = after(Board::START_FEN, &shuffle.repeat(2));
        assert_eq!(board.earlier_occurrences(), 2);
        assert!(board.is_draw(0));
    }

    #[test]
    fn lost_rights_make_a_new_position() {
        let board = after("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1e2 e8e7 e2e1 e7e8");
        assert_eq!(board.earlier_occurrences(), 0);
    }

    #[test]
    fn a_phantom_en_passant_square_is_no_difference() {
        // 1. e4 offers no capture, so the position after it and after the shuffle
        // is the same.
        let board = after(Board::START_FEN, "e2e4 g8f6 g1f3 f6g8 f3g1");
        assert_eq!(board.earlier_occurrences(), 1);
    }

    #[test]
    fn material() {
        for (pieces, insufficient) in [
            ("k7/8/8/8/8/8/8/7K", true),
            ("k7/8/8/8/8/8/8/6NK", true),
            ("k7/8/8/8/8/8/8/6BK", true),
            ("kb6/8/8/8/8/8/8/6BK", true),
            ("k1b5/8/8/8/8/8/8/6BK", false),
            ("kn6/8/8/8/8/8/8/6BK", false),
            ("kn6/8/8/8/8/8/8/6NK", false),
            ("k7/8/8/8/8/8/8/5NNK", false),
            ("k7/8/8/8/8/4B3/8/B1B3BK", true),
            ("k7/8/8/8/8/8/7P/7K", false),
            ("k7/8/8/8/8/8/7R/7K", false),
        ] {
            let board = Board::from_fen(&format!("{pieces} w - - 0 1")).expect(pieces);
            assert_eq!(board.has_insufficient_material(), insufficient, "{pieces}");
        }
    }

    /// The table must say yes exactly if some legal move leads to a position of
    /// the game's reversible past.
    #[test]
    fn upcoming_repetition_equals_trying_all_moves() {
        let mut found = 0;
        for mut board in RandomGames::new(11).shuffling().positions(30_000) {
            let expected = board.legal_moves().into_iter().any(|mv| {
                board.make(mv);
                let repeats = board.earlier_occurrences() > 0;
                board.unmake(mv);
                repeats
            });
            let claimed = board.has_upcoming_repetition(usize::MAX);
            assert_eq!(claimed, expected, "{}", board.fen());
            found += u32::from(expected);
        }
        assert!(cfg!(miri) || found > 1_000, "{found}");
    }
}
