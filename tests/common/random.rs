//! Repeatable chance: a seeded generator, and the start positions of Chess960.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How many start positions Chess960 has.
pub const START_POSITIONS: usize = 960;

pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }
}

/// The FEN, with Shredder castling rights, in which White and Black start from
/// the back ranks with these Chess960 numbers.
pub fn start_fen(white: usize, black: usize) -> String {
    let (white, black) = (back_rank(white).to_uppercase(), back_rank(black));
    let rights = |rank: &str| -> String {
        let files = rank.chars().zip('A'..='H').filter(|&(piece, _)| piece == 'R');
        files.map(|(_, file)| file).collect()
    };
    let black_rights = rights(&black.to_uppercase()).to_lowercase();
    let castling = rights(&white) + &black_rights;
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} - 0 1")
}

/// The back rank with a number below 960, as Reinhard Scharnagl numbered them.
fn back_rank(number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some('b');
    rank[number / 4 % 4 * 2] = Some('b');
    let mut put = |piece, gap| {
        let mut gaps = rank.iter_mut().filter(|square| square.is_none());
        *gaps.nth(gap).expect("a gap for every piece") = Some(piece);
    };
    put('q', number / 16 % 6);
    let (left, right) = KNIGHTS[number / 96];
    // The right one first: it leaves the gaps before it as they are.
    put('n', right);
    put('n', left);
    for piece in ['r', 'k', 'r'] {
        put(piece, 0);
    }
    rank.into_iter().flatten().collect()
}
