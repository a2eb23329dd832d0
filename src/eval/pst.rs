//! Material and piece-square tables, one set for the middlegame and one for the
//! endgame, mixed by how much material is left.

use crate::board::Board;
use crate::types::{Color, Piece, Square};

/// Middlegame and endgame value.
type Tapered = (i32, i32);

const MATERIAL: [Tapered; 6] = [(100, 110), (320, 300), (330, 310), (500, 520), (900, 920), (0, 0)];
const BISHOP_PAIR: Tapered = (30, 45);
/// For the right to move.
const TEMPO: i32 = 10;

/// How much each piece counts towards the middlegame; all of them make 24.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// By [piece][square], as White sees the board.
static TABLES: [[Tapered; 64]; 6] = tables();

/// The value of a position for the side to move, in centipawns.
pub fn evaluate(board: &Board) -> i32 {
    let mut middlegame = 0;
    let mut endgame = 0;
    let mut phase = 0;
    for color in Color::ALL {
        let mut own: Tapered = (0, 0);
        for piece in Piece::ALL {
            let squares = board.colored_pieces(color, piece);
            phase += PHASE[piece.index()] * squares.count() as i32;
            for square in squares {
                let seen = match color {
                    Color::White => square,
                    Color::Black => square.flip_rank(),
                };
                let value = TABLES[piece.index()][seen.index()];
                own = (own.0 + value.0, own.1 + value.1);
            }
        }
        if board.colored_pieces(color, Piece::Bishop).has_several() {
            own = (own.0 + BISHOP_PAIR.0, own.1 + BISHOP_PAIR.1);
        }
        let sign = if color == board.side_to_move() { 1 } else { -1 };
        middlegame += sign * own.0;
        endgame += sign * own.1;
    }
    let phase = phase.min(FULL_PHASE);
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE + TEMPO
}

/// The tables follow from a few plain ideas: pieces like the centre, pawns like to
/// advance, rooks like the seventh rank, and the king hides until the endgame.
const fn tables() -> [[Tapered; 64]; 6] {
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
        let squares: [Tapered; 6] = [
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

const fn pawn(file_from_edge: i32, rank: usize) -> Tapered {
    const ADVANCE: [Tapered; 8] =
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

/// The value of one piece on one square, for people who want to see it.
pub fn piece_value(color: Color, piece: Piece, square: Square) -> Tapered {
    let seen = match color {
        Color::White => square,
        Color::Black => square.flip_rank(),
    };
    TABLES[piece.index()][seen.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_worth_the_tempo() {
        assert_eq!(evaluate(&Board::startpos()), TEMPO);
    }

    #[test]
    fn colours_are_equal() {
        let white = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let black = "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 3 3";
        let value = |fen| evaluate(&Board::from_fen(fen).expect(fen));
        assert_eq!(value(white), value(black));
        assert!(value("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1") > 1_500);
        assert!(value("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1") < -1_500);
    }
}
