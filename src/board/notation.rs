//! Moves as text: coordinates as UCI and xboard write them, and SAN.

use super::Board;
use crate::types::{File, Move, MoveKind, MoveList, Piece, Rank, Square, Wing};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error("\"{0}\" is not a move")]
    Unreadable(String),
    #[error("\"{0}\" is not legal here")]
    Illegal(String),
    #[error("\"{0}\" could be several moves")]
    Ambiguous(String),
}

impl Move {
    /// The move as `e2e4` or `e7e8q`. Castling is the king's two squares, or with
    /// `chess960` the king's and the rook's.
    pub fn coordinates(self, chess960: bool) -> String {
        let (from, mut to) = (self.from(), self.to());
        if self.is_castle() && !chess960 {
            let wing = Wing::of_rook(from.file(), to.file());
            let file = match wing {
                Wing::King => File::G,
                Wing::Queen => File::C,
            };
            to = Square::new(file, from.rank());
        }
        match self.promoted() {
            Some(piece) => format!("{from}{to}{}", piece.letter()),
            None => format!("{from}{to}"),
        }
    }
}

impl Board {
    /// Reads a legal move in any form a client may use: `e2e4`, `E2E4`, `e7e8q`,
    /// `e7e8=Q`, castling as `e1g1`, `e1h1`, `O-O` or `0-0`, and SAN.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        match self.parse_coordinates(text) {
            Some(result) => result,
            None => self.parse_san(text),
        }
    }

    /// `None` if the text does not have the form of a coordinate move.
    fn parse_coordinates(&self, text: &str) -> Option<Result<Move, MoveError>> {
        let from: Square = text.get(0..2)?.parse().ok()?;
        let to: Square = text.get(2..4)?.parse().ok()?;
        // Mixed case is SAN: B5c6 is a bishop on the fifth rank.
        let is_upper =
            |index: usize| text.as_bytes().get(index).is_some_and(u8::is_ascii_uppercase);
        if is_upper(0) != is_upper(2) {
            return None;
        }
        let promoted = match text.get(4..)?.trim_start_matches('=') {
            "" => None,
            suffix => {
                let mut letters = suffix.chars();
                let piece = Piece::from_letter(letters.next()?)?;
                if letters.next().is_some() || !Piece::PROMOTIONS.contains(&piece) {
                    return None;
                }
                Some(piece)
            }
        };
        let legal = self.legal_moves();
        let exact = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promoted() == promoted;
        // Castling by the king's target comes last: in Chess960 the same two
        // squares may be an ordinary king move.
        let by_target = |mv: &&Move| {
            mv.is_castle()
                && mv.from() == from
                && promoted.is_none()
                && Wing::of_rook(from.file(), mv.to().file()).destinations(self.side_to_move).0
                    == to
        };
        let found = legal.iter().find(exact).or_else(|| legal.iter().find(by_target));
        Some(found.copied().ok_or_else(|| MoveError::Illegal(text.to_owned())))
    }

    /// Reads SAN, forgiving missing or superfluous capture, check and promotion
    /// signs, annotations, and long algebraic notation.
    pub(crate) fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let unreadable = || MoveError::Unreadable(text.to_owned());
        let pattern = SanPattern::parse(text).ok_or_else(unreadable)?;
        let mut candidates: MoveList =
            self.legal_moves().into_iter().filter(|&mv| pattern.matches(self, mv)).collect();
        match (candidates.pop(), candidates.is_empty()) {
            (Some(mv), true) => Ok(mv),
            (Some(_), false) => Err(MoveError::Ambiguous(text.to_owned())),
            (None, _) => Err(MoveError::Illegal(text.to_owned())),
        }
    }

    /// The move in standard algebraic notation, with as much disambiguation as
    /// needed and a check or mate sign.
    pub fn san(&self, mv: Move) -> String {
        let mut san = match mv.kind() {
            MoveKind::Castle => match Wing::of_rook(mv.from().file(), mv.to().file()) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            },
            _ => self.san_body(mv),
        };
        if self.gives_check(mv) {
            let mut next = self.clone_without_history();
            next.make(mv);
            san.push(if next.has_legal_moves() { '+' } else { '#' });
        }
        san
    }

    fn san_body(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece_at(from).unwrap_or(Piece::Pawn);
        let mut san = String::with_capacity(8);
        if piece == Piece::Pawn {
            if self.is_capture(mv) {
                san.push(from.file().letter());
            }
        } else {
            san.push(piece.letter().to_ascii_uppercase());
            let rivals: MoveList = self
                .legal_moves()
                .into_iter()
                .filter(|other| {
                    other.to() == to
                        && other.from() != from
                        && !other.is_castle()
                        && self.piece_at(other.from()) == Some(piece)
                })
                .collect();
            let same_file = rivals.iter().any(|other| other.from().file() == from.file());
            let same_rank = rivals.iter().any(|other| other.from().rank() == from.rank());
            if !rivals.is_empty() && (!same_file || same_rank) {
                san.push(from.file().letter());
            }
            if same_file {
                san.push(from.rank().digit());
            }
        }
        if self.is_capture(mv) {
            san.push('x');
        }
        san.push_str(&to.to_string());
        if let Some(piece) = mv.promoted() {
            san.push('=');
            san.push(piece.letter().to_ascii_uppercase());
        }
        san
    }

    /// This position without the moves that led to it, cheap to copy.
    pub(crate) fn clone_without_history(&self) -> Board {
        Board { states: vec![*self.state()], ..*self }
    }
}

/// What a SAN text demands of a move.
enum SanPattern {
    Castle(Wing),
    Piece {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promoted: Option<Piece>,
    },
}

impl SanPattern {
    fn parse(text: &str) -> Option<SanPattern> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" | "o-o" | "OO" => return Some(SanPattern::Castle(Wing::King)),
            "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => return Some(SanPattern::Castle(Wing::Queen)),
            _ => {}
        }
        let mut letters: Vec<char> =
            text.chars().filter(|c| !matches!(c, 'x' | '-' | ':')).collect();
        // Anything longer than Qa1b2=Q has nothing to say.
        if letters.len() > 8 {
            return None;
        }
        let piece = match letters.first()? {
            letter @ ('P' | 'N' | 'B' | 'R' | 'Q' | 'K') => {
                let piece = Piece::from_letter(*letter);
                letters.remove(0);
                piece?
            }
            _ => Piece::Pawn,
        };
        let promoted = match *letters.last()? {
            digit if digit.is_ascii_digit() => None,
            letter => {
                let promoted = Piece::from_letter(letter)?;
                letters.pop();
                if letters.last() == Some(&'=') {
                    letters.pop();
                }
                Piece::PROMOTIONS.contains(&promoted).then_some(promoted)?;
                Some(promoted)
            }
        };
        let rank_to = Rank::from_digit(letters.pop()?)?;
        let file_to = File::from_letter(letters.pop()?)?;
        let mut rank = None;
        let mut file = None;
        if let Some(found) = letters.last().and_then(|&letter| Rank::from_digit(letter)) {
            rank = Some(found);
            letters.pop();
        }
        if let Some(found) = letters.last().and_then(|&letter| File::from_letter(letter)) {
            file = Some(found);
            letters.pop();
        }
        letters.is_empty().then_some(SanPattern::Piece {
            piece,
            file,
            rank,
            to: Square::new(file_to, rank_to),
            promoted,
        })
    }

    fn matches(&self, board: &Board, mv: Move) -> bool {
        match *self {
            SanPattern::Castle(wing) => {
                mv.is_castle() && Wing::of_rook(mv.from().file(), mv.to().file()) == wing
            }
            SanPattern::Piece { piece, file, rank, to, promoted } => {
                !mv.is_castle()
                    && mv.to() == to
                    && mv.promoted() == promoted
                    && board.piece_at(mv.from()) == Some(piece)
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_and_programs_write_them() {
        let pawn = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let exchange = "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let passing = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
        let rooks = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
        for (fen, text, expected) in [
            (Board::START_FEN, "e4", Some("e2e4")),
            (Board::START_FEN, "E2E4", Some("e2e4")),
            (Board::START_FEN, "Nf3", Some("g1f3")),
            (Board::START_FEN, "Nd5", None),
            (Board::START_FEN, "e2e5", None),
            (Board::START_FEN, "P@e4", None),
            (exchange, "exf5", Some("e4f5")),
            (exchange, "Qh5+", Some("d1h5")),
            (passing, "e5d6", Some("e5d6")),
            (passing, "exd6", Some("e5d6")),
            (pawn, "a7a8q", Some("a7a8q")),
            (pawn, "a8=N", Some("a7a8n")),
            (castling, "e1g1", Some("e1g1")),
            (castling, "e1h1", Some("e1g1")),
            (castling, "O-O", Some("e1g1")),
            (castling, "0-0-0", Some("e1c1")),
            // The king stands between the other rook and f1.
            (castling, "Rf1", Some("h1f1")),
            (rooks, "Rd1", None),
            (rooks, "Rad1", Some("a1d1")),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d2", None),
        ] {
            let board = Board::from_fen(fen).expect(fen);
            let read = board.parse_move(text).ok().map(|mv| mv.coordinates(false));
            assert_eq!(read.as_deref(), expected, "{text} in {fen}");
        }
    }
}
