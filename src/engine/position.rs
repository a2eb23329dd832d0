//! The position on the board: where it started and the moves played from there.

use super::command::Problem;
use crate::board::{Board, Setup};
use crate::engine::command::EditStep;
use crate::text::excerpt;
use crate::types::{CastlingRights, Color, File, Move, Piece, Square};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    board: Board,
    /// `None` where the turn was passed.
    moves: Vec<Option<Move>>,
}

impl Default for Position {
    fn default() -> Position {
        Position { board: Board::startpos(), moves: Vec::new() }
    }
}

impl From<Board> for Position {
    fn from(board: Board) -> Position {
        Position { board, moves: Vec::new() }
    }
}

impl Position {
    pub(crate) fn from_fen(fen: &str) -> Result<Position, Problem> {
        let board =
            Board::from_fen(fen).map_err(|error| Problem::IllegalPosition(error.to_string()))?;
        Ok(Position::from(board))
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn last_move(&self) -> Option<Move> {
        self.moves.last().copied().flatten()
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: Move) {
        self.board.make(mv);
        self.moves.push(Some(mv));
    }

    /// Passes the turn, which analysts may do unless in check.
    pub(crate) fn pass(&mut self) -> Result<(), Problem> {
        if self.board.in_check() {
            let (text, reason) = ("@@@@".to_owned(), "a check must be answered".to_owned());
            return Err(Problem::IllegalMove { text, reason });
        }
        self.board.make_null();
        self.moves.push(None);
        Ok(())
    }

    /// Takes back up to `count` half-moves and says how many there were.
    pub(crate) fn take_back(&mut self, count: usize) -> usize {
        let mut taken = 0;
        while taken < count
            && let Some(made) = self.moves.pop()
        {
            match made {
                Some(mv) => self.board.unmake(mv),
                None => self.board.unmake_null(),
            }
            taken += 1;
        }
        taken
    }

    /// The position after xboard's edit mode. Kings and rooks at home may castle.
    pub(crate) fn edited(&self, steps: &[EditStep]) -> Result<Position, Problem> {
        let mut setup = Setup::empty();
        setup.side_to_move = self.board.side_to_move();
        for square in self.board.occupied() {
            setup.pieces[square.index()] =
                self.board.color_at(square).zip(self.board.piece_at(square));
        }
        for step in steps {
            match *step {
                EditStep::Clear => setup.pieces = [None; Square::COUNT],
                EditStep::Put(color, piece, square) => {
                    setup.pieces[square.index()] = Some((color, piece));
                }
                EditStep::Remove(square) => setup.pieces[square.index()] = None,
            }
        }
        let mut castling = CastlingRights::NONE;
        for color in Color::ALL {
            let at = |file| setup.pieces[Square::new(file, color.back_rank()).index()];
            for file in [File::A, File::H] {
                if at(File::E) == Some((color, Piece::King))
                    && at(file) == Some((color, Piece::Rook))
                {
                    castling = castling.with(color, file);
                }
            }
        }
        setup.castling = castling;
        let board =
            Board::try_from(&setup).map_err(|error| Problem::IllegalPosition(error.to_string()))?;
        Ok(Position::from(board))
    }

    /// The same position with the other side to move, if that is legal.
    pub(crate) fn with_turn(&self, color: Color) -> Result<Position, Problem> {
        if self.board.side_to_move() == color {
            return Ok(self.clone());
        }
        let fen = self.board.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let letter = color.letter().to_string();
        if let Some(side) = fields.get_mut(1) {
            *side = &letter;
        }
        if let Some(en_passant) = fields.get_mut(3) {
            *en_passant = "-";
        }
        Position::from_fen(&fields.join(" "))
    }

    /// The position with colours and ranks swapped.
    pub(crate) fn flipped(&self) -> Result<Position, Problem> {
        let fen = self.board.fen();
        let swap_case = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect()
        };
        let flipped: Vec<String> = fen
            .split(' ')
            .enumerate()
            .map(|(index, field)| match index {
                0 => swap_case(&field.rsplit('/').collect::<Vec<_>>().join("/")),
                1 => (!self.board.side_to_move()).letter().to_string(),
                2 => swap_case(field),
                3 => field.parse::<Square>().map_or("-".to_owned(), |s| s.flip_rank().to_string()),
                _ => field.to_owned(),
            })
            .collect();
        Position::from_fen(&flipped.join(" "))
    }
}

/// Reads a move of this position in any notation.
pub(crate) fn read_move(board: &Board, text: &str) -> Result<Move, Problem> {
    board.parse_move(text).map_err(|error| Problem::IllegalMove {
        text: excerpt(text, 40),
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_back_what_was_played() {
        let mut position = Position::default();
        for text in ["e2e4", "c5", "Nf3"] {
            let mv = read_move(position.board(), text).expect(text);
            position.play(mv);
        }
        position.pass().expect("nobody is in check");
        assert_eq!(position.board().side_to_move(), Color::White);
        assert_eq!(position.take_back(3), 3);
        assert_eq!(
            position.board().fen(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        );
        assert_eq!(position.take_back(5), 1);
        assert_eq!(position.board().fen(), Board::START_FEN);
    }

    #[test]
    fn edits_and_flips() {
        let steps = [
            EditStep::Clear,
            EditStep::Put(Color::White, Piece::King, Square::E1),
            EditStep::Put(Color::White, Piece::Rook, Square::H1),
            EditStep::Put(Color::Black, Piece::King, Square::E8),
            EditStep::Put(Color::Black, Piece::Queen, Square::D8),
            EditStep::Remove(Square::D8),
        ];
        let position = Position::default().edited(&steps).expect("a legal position");
        assert_eq!(position.board().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let flipped = position.flipped().expect("legal too");
        assert_eq!(flipped.board().fen(), "4k2r/8/8/8/8/8/8/4K3 b k - 0 1");
        assert!(Position::default().edited(&[EditStep::Clear]).is_err());
        let turned = position.with_turn(Color::Black).expect("nobody is in check");
        assert_eq!(turned.board().side_to_move(), Color::Black);
    }
}
