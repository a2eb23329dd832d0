//! Where pieces attack, from every square, on any occupation.
//!
//! Sliders look their attacks up in a table made by `build.rs`, indexed by PEXT where
//! the CPU has it and by magic multiplication elsewhere. A build for CPUs with PEXT has
//! only the former, a portable one chooses as it runs, and the `magics` feature forces
//! the latter.

use crate::types::{Bitboard, Color, Side, Square};

mod tables {
    /// How to find the attacks of one slider on one square.
    pub(crate) struct Slider {
        /// The squares whose occupation matters.
        mask: u64,
        /// Where the slots of this slider begin, in either table.
        offset: u32,
        #[cfg(not(sliders = "pext"))]
        shift: u32,
        #[cfg(not(sliders = "pext"))]
        magic: u64,
    }

    include!(concat!(env!("OUT_DIR"), "/sliders.rs"));

    impl Slider {
        #[cfg(sliders = "pext")]
        #[inline(always)]
        pub(crate) fn attacks(&self, occupied: u64) -> u64 {
            // SAFETY: `build.rs` says `pext` only if the target has BMI2.
            self.slot(&PEXT_ATTACKS, unsafe { core::arch::x86_64::_pext_u64(occupied, self.mask) })
        }

        #[cfg(sliders = "magic")]
        #[inline(always)]
        pub(crate) fn attacks(&self, occupied: u64) -> u64 {
            self.by_magic(occupied)
        }

        #[cfg(sliders = "either")]
        #[inline(always)]
        pub(crate) fn attacks(&self, occupied: u64) -> u64 {
            if !crate::cpu::has_fast_pext() {
                return self.by_magic(occupied);
            }
            let relevant: u64;
            // The intrinsic could not be inlined into code for any x86-64.
            // SAFETY: the CPU has the instruction, which only computes.
            unsafe {
                core::arch::asm!(
                    "pext {}, {}, {}",
                    lateout(reg) relevant,
                    in(reg) occupied,
                    in(reg) self.mask,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            self.slot(&PEXT_ATTACKS, relevant)
        }

        #[cfg(not(sliders = "pext"))]
        #[inline(always)]
        fn by_magic(&self, occupied: u64) -> u64 {
            let product = (occupied & self.mask).wrapping_mul(self.magic);
            self.slot(&MAGIC_ATTACKS, product >> self.shift)
        }

        #[inline(always)]
        fn slot(&self, table: &'static [u64], index: u64) -> u64 {
            let index = self.offset as usize + index as usize;
            debug_assert!(index < table.len());
            // SAFETY: `build.rs` gives each slider 2^n slots from `offset` on,
            // where n is the number of bits in `mask`, and both ways of indexing
            // give an n-bit number.
            unsafe { *table.get_unchecked(index) }
        }
    }

    #[inline(always)]
    pub(crate) fn bishop(square: usize) -> &'static Slider {
        &BISHOPS[square]
    }

    #[inline(always)]
    pub(crate) fn rook(square: usize) -> &'static Slider {
        &ROOKS[square]
    }
}

#[inline(always)]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::bishop(square.index()).attacks(occupied.0))
}

#[inline(always)]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::rook(square.index()).attacks(occupied.0))
}

#[inline(always)]
pub(crate) fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// A bishop's attacks on an otherwise empty board.
#[inline(always)]
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// A rook's attacks on an otherwise empty board.
#[inline(always)]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

#[inline(always)]
pub(crate) fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

#[inline(always)]
pub(crate) fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a pawn of `color` on `square` attacks. Also: from where a pawn of the
/// other colour attacks `square`.
#[inline(always)]
pub(crate) fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Everything a set of pawns attacks.
#[inline(always)]
pub(crate) fn pawns<S: Side>(pawns: Bitboard) -> Bitboard {
    S::forward_east(pawns) | S::forward_west(pawns)
}

/// The squares strictly between two squares of one rank, file or diagonal, and
/// none if they are not on one.
#[inline(always)]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through both squares, from edge to edge.
#[inline(always)]
pub(crate) fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

static KNIGHT: [Bitboard; 64] =
    leaper_table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper_table(&DIRECTIONS);
static PAWN: [[Bitboard; 64]; 2] =
    [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];
static BISHOP_RAYS: [Bitboard; 64] = ray_table(1);
static ROOK_RAYS: [Bitboard; 64] = ray_table(0);
static BETWEEN: [[Bitboard; 64]; 64] = pair_tables().0;
static LINE: [[Bitboard; 64]; 64] = pair_tables().1;

/// Opposite directions stand four apart.
const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const fn step(square: i8, (file, rank): (i8, i8)) -> Option<i8> {
    let file = square % 8 + file;
    let rank = square / 8 + rank;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some(rank * 8 + file) }
}

const fn leaper_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = step(square as i8, steps[i]) {
                table[square].0 |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// Every second direction from `first` on: the even ones are the rook's.
const fn ray_table(first: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = first;
        while i < 8 {
            table[square].0 |= ray(square as i8, DIRECTIONS[i]);
            i += 2;
        }
        square += 1;
    }
    table
}

/// `BETWEEN` and `LINE`.
const fn pair_tables() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut betweens = [[Bitboard::EMPTY; 64]; 64];
    let mut lines = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let whole =
                1u64 << from | ray(from, DIRECTIONS[i]) | ray(from, DIRECTIONS[(i + 4) % 8]);
            let mut passed = 0u64;
            let mut at = from;
            while let Some(to) = step(at, DIRECTIONS[i]) {
                betweens[from as usize][to as usize] = Bitboard(passed);
                lines[from as usize][to as usize] = Bitboard(whole);
                passed |= 1 << to;
                at = to;
            }
            i += 1;
        }
        from += 1;
    }
    (betweens, lines)
}

const fn ray(from: i8, direction: (i8, i8)) -> u64 {
    let mut squares = 0;
    let mut at = from;
    while let Some(to) = step(at, direction) {
        squares |= 1 << to;
        at = to;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Walks square by square; shares nothing with the tables.
    fn walk(square: Square, occupied: Bitboard, directions: &[(i32, i32)]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for &(df, dr) in directions {
            let (mut file, mut rank) = (square.file() as i32, square.rank() as i32);
            loop {
                file += df;
                rank += dr;
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let at = Square::ALL[(rank * 8 + file) as usize];
                attacks |= at.bitboard();
                if occupied.contains(at) {
                    break;
                }
            }
        }
        attacks
    }

    #[test]
    fn sliders_equal_a_walk_on_random_boards() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let rounds = if cfg!(miri) { 8 } else { 2000 };
        for square in Square::ALL {
            for round in 0..rounds {
                // From nearly empty to nearly full boards.
                let mut occupied = Bitboard(rng.next_u64());
                for _ in 0..round % 4 {
                    occupied &= Bitboard(rng.next_u64());
                }
                let orthogonal = walk(square, occupied, &[(0, 1), (0, -1), (1, 0), (-1, 0)]);
                let diagonal = walk(square, occupied, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                assert_eq!(rook(square, occupied), orthogonal);
                assert_eq!(bishop(square, occupied), diagonal);
                assert_eq!(queen(square, occupied), orthogonal | diagonal);
            }
        }
    }

    #[test]
    fn leapers_on_edge_and_centre() {
        assert_eq!(knight(Square::A1), Square::B3.bitboard() | Square::C2.bitboard());
        assert_eq!(knight(Square::E4).count(), 8);
        assert_eq!(king(Square::H8).count(), 3);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.bitboard());
        assert_eq!(pawn(Color::Black, Square::E4).count(), 2);
        assert_eq!(pawn(Color::Black, Square::E1), Bitboard::EMPTY);
    }

    #[test]
    fn between_and_line() {
        assert_eq!(between(Square::A1, Square::D4), Square::B2.bitboard() | Square::C3.bitboard());
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::A2), Bitboard::EMPTY);
        assert_eq!(line(Square::C3, Square::D4).count(), 8);
        assert_eq!(line(Square::C3, Square::D5), Bitboard::EMPTY);
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }
}
