//! The six piece types, without colour.

use super::{Color, small_enum};

small_enum! {
    pub Piece[6] { Pawn, Knight, Bishop, Rook, Queen, King }
}

impl Piece {
    /// What a pawn may become, the likeliest first.
    pub(crate) const PROMOTIONS: [Piece; 4] =
        [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop];

    /// The lower-case English letter.
    pub(crate) const fn letter(self) -> char {
        match self {
            Piece::Pawn => 'p',
            Piece::Knight => 'n',
            Piece::Bishop => 'b',
            Piece::Rook => 'r',
            Piece::Queen => 'q',
            Piece::King => 'k',
        }
    }

    /// The letter FEN uses: upper case for White.
    pub(crate) const fn fen_letter(self, color: Color) -> char {
        match color {
            Color::White => self.letter().to_ascii_uppercase(),
            Color::Black => self.letter(),
        }
    }

    /// Reads a letter of either case.
    pub(crate) const fn from_letter(letter: char) -> Option<Piece> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Piece::Pawn,
            'n' => Piece::Knight,
            'b' => Piece::Bishop,
            'r' => Piece::Rook,
            'q' => Piece::Queen,
            'k' => Piece::King,
            _ => return None,
        })
    }
}
