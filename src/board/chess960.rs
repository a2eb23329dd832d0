//! The start positions of Chess960, by Reinhard Scharnagl's numbers.

/// How many start positions there are; the orthodox one is number 518.
pub const START_POSITIONS: usize = 960;

/// The FEN, with Shredder castling rights, in which White and Black start from
/// the back ranks with these numbers. Numbers wrap around at 960.
pub fn start_fen(white: usize, black: usize) -> String {
    let (white, black) = (back_rank(white), back_rank(black));
    let rights: String = "ABCDEFGH".chars().zip(white).filter_map(rook_file).collect();
    let black_rights: String = "abcdefgh".chars().zip(black).filter_map(rook_file).collect();
    let (white, black) = (String::from_iter(white).to_uppercase(), String::from_iter(black));
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights}{black_rights} - 0 1")
}

fn rook_file((file, piece): (char, char)) -> Option<char> {
    (piece == 'r').then_some(file)
}

/// Bishops, queen and knights go where the number says, each counting the squares
/// that are still free; rook, king and rook fill the last three.
fn back_rank(number: usize) -> [char; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    const FREE: char = ' ';
    let number = number % START_POSITIONS;
    let mut rank = [FREE; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    let mut put = |piece, gap| {
        if let Some(square) = rank.iter_mut().filter(|square| **square == FREE).nth(gap) {
            *square = piece;
        }
    };
    put('q', number / 16 % 6);
    let (left, right) = KNIGHTS[number / 96];
    // The right one first: it leaves the gaps before it as they are.
    put('n', right);
    put('n', left);
    for piece in ['r', 'k', 'r'] {
        put(piece, 0);
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::collections::HashSet;

    #[test]
    fn the_960_are_different_and_legal() {
        let board = |number| Board::from_fen(&start_fen(number, number)).expect("a position");
        assert_eq!(board(518).fen(), Board::START_FEN);
        assert!(start_fen(0, 0).starts_with("bbqnnrkr/"));
        assert!(start_fen(959, 959).starts_with("rkrnnqbb/"));
        let all: HashSet<String> =
            (0..START_POSITIONS).map(|number| start_fen(number, number)).collect();
        assert_eq!(all.len(), START_POSITIONS);
        for fen in all {
            let board = Board::from_fen(&fen).expect(&fen);
            assert!(!board.legal_moves().is_empty(), "{fen}");
            let rank = fen.split('/').next().expect("a FEN");
            let (king, first, last) = (rank.find('k'), rank.find('r'), rank.rfind('r'));
            assert!(first < king && king < last, "{fen}");
        }
    }
}
