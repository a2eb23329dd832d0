//! What each feature is worth, middlegame and endgame, in centipawns.

use super::features;
use super::tapered::Tapered;
use crate::types::Piece;

/// For the right to move.
pub const TEMPO: i32 = 10;

/// By feature.
pub static WEIGHTS: [Tapered; features::COUNT] = weights();

/// Middlegame and endgame value.
type Pair = (i32, i32);

const MATERIAL: [Pair; 6] = [(100, 110), (320, 300), (330, 310), (500, 520), (900, 920), (0, 0)];

const fn weights() -> [Tapered; features::COUNT] {
    let mut weights = [Tapered::ZERO; features::COUNT];
    let tables = tables();
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            let (middlegame, endgame) = tables[piece][square];
            weights[features::PLACEMENT + piece * 64 + square] =
                Tapered::new(middlegame as i16, endgame as i16);
            square += 1;
        }
        piece += 1;
    }
    weights[features::BISHOP_PAIR] = Tapered::new(30, 45);
    weights
}

/// The tables follow from a few plain ideas: pieces like the centre, pawns like to
/// advance, rooks like the seventh rank, and the king hides until the endgame.
const fn tables() -> [[Pair; 64]; 6] {
    let mut tables = [[(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let file_from_edge = if file < 4 { file } else { 7 - file } as i32;
        let rank_from_edge = if rank < 4 { rank } else { 7 - rank } as i32;
        // 0 on the rim, 3 on the four central squares.
        let ring = if file_from_edge < rank_from_edge { file_from_edge } else { rank_from_edge };
        // 0 in the corners, 6 on the four central squares.
        let centre = file_from_edge + rank_from_edge;
        let squares: [Pair; 6] = [
            pawn(file_from_edge, rank),
            (12 * ring + 4 * centre - 34, 8 * ring + 4 * centre - 26),
            (6 * ring + 2 * centre - 12 - back_rank(rank) * 8, 5 * ring + centre - 9),
            (3 * file_from_edge - 5 + seventh(rank) * 20, seventh(rank) * 12),
            (2 * ring + centre - 6, 6 * ring + 3 * centre - 15),
            (king_shelter(file_from_edge, rank), 10 * ring + 6 * centre - 30),
        ];
        let mut piece = 0;
        while piece < 6 {
            let material = MATERIAL[piece];
            tables[piece][square] = (material.0 + squares[piece].0, material.1 + squares[piece].1);
            piece += 1;
        }
        square += 1;
    }
    tables
}

const fn pawn(file_from_edge: i32, rank: usize) -> Pair {
    const ADVANCE: [Pair; 8] =
        [(0, 0), (0, 0), (0, 4), (6, 12), (14, 28), (26, 56), (45, 95), (0, 0)];
    let (middlegame, endgame) = ADVANCE[rank];
    // Pawns belong into the centre, and a centre pawn at home is in the way.
    let centre = match rank {
        1 => -8 * (file_from_edge == 3) as i32,
        2 => 3 * file_from_edge - 3,
        3 => 7 * file_from_edge - 6,
        4 => 6 * file_from_edge - 4,
        _ => 0,
    };
    (middlegame + centre, endgame)
}

const fn back_rank(rank: usize) -> i32 {
    (rank == 0) as i32
}

const fn seventh(rank: usize) -> i32 {
    (rank == 6) as i32
}

const fn king_shelter(file_from_edge: i32, rank: usize) -> i32 {
    const BY_FILE: [i32; 4] = [20, 28, 4, -6];
    match rank {
        0 => BY_FILE[file_from_edge as usize],
        1 => BY_FILE[file_from_edge as usize] - 22,
        _ => -28 - 8 * (rank as i32 - 1),
    }
}
