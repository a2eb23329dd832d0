//! The game on the board: a start, the moves with what was thought of them, and
//! how it ended. The rules come from [`Board`]; this only keeps the record.

use crate::board::{Board, ClaimableDraw, MoveError, Outcome};
use crate::types::{Color, Move};
use crate::web::pgn::{Eval, GameResult, Pgn, PgnMove};
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Record {
    start: Board,
    /// With its history, for repetitions.
    board: Board,
    moves: Vec<Played>,
    end: Option<End>,
    /// Tags of a game that was loaded, to be saved again.
    pub tags: Vec<(String, String)>,
}

/// A move and the position it led to.
#[derive(Debug, Clone)]
pub struct Played {
    pub mv: Move,
    pub coordinates: String,
    pub san: String,
    pub fen: String,
    pub check: bool,
    pub eval: Option<Eval>,
    /// How deep the evaluation looked; 0 if it is not ours.
    pub depth: u32,
    /// The mover's clock after the move.
    pub clock: Option<Duration>,
    pub comment: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub result: Verdict,
    pub reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "0-1")]
    Black,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    Checkmate,
    Stalemate,
    Repetition,
    FiftyMoves,
    Material,
    Time,
    /// Time ran out, but the other side has nothing to mate with.
    TimeWithoutMaterial,
    Resignation,
    Agreement,
    /// A loaded game says so.
    Recorded,
}

impl Verdict {
    pub fn win(color: Color) -> Verdict {
        match color {
            Color::White => Verdict::White,
            Color::Black => Verdict::Black,
        }
    }

    fn result(self) -> GameResult {
        match self {
            Verdict::White => GameResult::Won(Color::White),
            Verdict::Black => GameResult::Won(Color::Black),
            Verdict::Draw => GameResult::Draw,
        }
    }
}

impl End {
    /// A sentence for people.
    pub fn text(&self) -> String {
        let result = match self.result {
            Verdict::White => "White wins",
            Verdict::Black => "Black wins",
            Verdict::Draw => "Draw",
        };
        let reason = match self.reason {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "the position stood three times",
            Reason::FiftyMoves => "fifty moves without capture or pawn move",
            Reason::Material => "nobody has enough material to mate",
            Reason::Time => "the time is over",
            Reason::TimeWithoutMaterial => "the time is over, but there is nothing to mate with",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreed",
            Reason::Recorded => return format!("{result}."),
        };
        format!("{result}: {reason}.")
    }
}

impl Default for Record {
    fn default() -> Record {
        Record::new(Board::startpos())
    }
}

impl Record {
    pub fn new(start: Board) -> Record {
        let mut record =
            Record { board: start.clone(), start, moves: Vec::new(), end: None, tags: Vec::new() };
        record.judge();
        record
    }

    /// The game of a PGN. A result that the board does not show is taken as said.
    pub fn from_pgn(pgn: &Pgn) -> Record {
        let mut record = Record::new(pgn.start.clone());
        for played in &pgn.moves {
            record.push(played.mv);
            if let Some(last) = record.moves.last_mut() {
                last.eval = played.eval;
                last.clock = played.clock;
                last.comment.clone_from(&played.comment);
            }
        }
        record.judge();
        record.tags.clone_from(&pgn.tags);
        let recorded = match pgn.result {
            GameResult::Won(color) => Some(Verdict::win(color)),
            GameResult::Draw => Some(Verdict::Draw),
            GameResult::Unknown => None,
        };
        record.end = recorded
            .filter(|&result| record.end.is_none_or(|end| end.result != result))
            .map(|result| End { result, reason: Reason::Recorded })
            .or(record.end);
        record
    }

    pub fn to_pgn(&self, tags: Vec<(String, String)>) -> Pgn {
        let moves = self.moves.iter().map(|played| PgnMove {
            mv: played.mv,
            eval: played.eval,
            clock: played.clock,
            comment: played.comment.clone(),
        });
        Pgn {
            tags,
            start: self.start.clone(),
            moves: moves.collect(),
            result: self.end.map_or(GameResult::Unknown, |end| end.result.result()),
        }
    }

    pub fn start(&self) -> &Board {
        &self.start
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn turn(&self) -> Color {
        self.board.side_to_move()
    }

    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The position after the first `ply` half-moves.
    pub fn board_at(&self, ply: usize) -> Board {
        let mut board = self.start.clone();
        self.moves.iter().take(ply).for_each(|played| board.make(played.mv));
        board
    }

    /// Whether castling is written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        !self.start.castling_is_orthodox()
    }

    pub fn read(&self, text: &str) -> Result<Move, MoveError> {
        self.board.parse_move(text)
    }

    /// Plays a legal move of a game that is not over.
    pub fn play(&mut self, mv: Move, eval: Option<Eval>, depth: u32, clock: Option<Duration>) {
        self.push(mv);
        if let Some(last) = self.moves.last_mut() {
            last.eval = eval;
            last.depth = depth;
            last.clock = clock;
        }
        self.judge();
    }

    fn push(&mut self, mv: Move) {
        let chess960 = self.is_chess960();
        self.moves.push(Played::new(&mut self.board, mv, chess960));
    }

    /// Takes back to the first `ply` half-moves. The game goes on from there.
    pub fn truncate(&mut self, ply: usize) {
        while self.moves.len() > ply
            && let Some(played) = self.moves.pop()
        {
            self.board.unmake(played.mv);
        }
        self.judge();
    }

    pub fn finish(&mut self, result: Verdict, reason: Reason) {
        self.end = Some(End { result, reason });
    }

    /// How the game ended, as it was saved.
    pub fn restore_end(&mut self, end: Option<End>) {
        self.end = end.or(self.end);
    }

    /// Keeps what the engine thinks of the position after `ply` half-moves, if it
    /// looked deeper than before.
    pub fn evaluate(&mut self, ply: usize, eval: Eval, depth: u32) -> bool {
        let Some(played) = ply.checked_sub(1).and_then(|index| self.moves.get_mut(index)) else {
            return false;
        };
        let better = played.eval.is_none() || depth > played.depth;
        if better {
            (played.eval, played.depth) = (Some(eval), depth);
        }
        better
    }

    /// Ends the game if the board says so. Draws that could be claimed are.
    fn judge(&mut self) {
        let draw = |reason| Some(End { result: Verdict::Draw, reason });
        self.end = match self.board.outcome() {
            Some(Outcome::Checkmate { winner }) => {
                Some(End { result: Verdict::win(winner), reason: Reason::Checkmate })
            }
            Some(Outcome::Stalemate) => draw(Reason::Stalemate),
            Some(Outcome::InsufficientMaterial) => draw(Reason::Material),
            Some(Outcome::SeventyFiveMoves) => draw(Reason::FiftyMoves),
            Some(Outcome::FivefoldRepetition) => draw(Reason::Repetition),
            None => match self.board.claimable_draw() {
                Some(ClaimableDraw::ThreefoldRepetition) => draw(Reason::Repetition),
                Some(ClaimableDraw::FiftyMoves) => draw(Reason::FiftyMoves),
                None => None,
            },
        };
    }
}

impl Played {
    /// Plays the move on the board and describes it.
    pub fn new(board: &mut Board, mv: Move, chess960: bool) -> Played {
        let san = board.san(mv);
        board.make(mv);
        Played {
            mv,
            coordinates: mv.coordinates(chess960),
            san,
            fen: board.fen(),
            check: board.in_check(),
            eval: None,
            depth: 0,
            clock: None,
            comment: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Record {
        let mut record = Record::default();
        for text in moves.split_whitespace() {
            let mv = record.read(text).expect(text);
            record.play(mv, None, 0, None);
        }
        record
    }

    #[test]
    fn endings_have_their_names() {
        let end = |record: &Record| record.end().map(|end| end.text());
        assert_eq!(end(&game("e4 e5")), None);
        let mate = game("f3 e5 g4 Qh4");
        assert_eq!(end(&mate).as_deref(), Some("Black wins: checkmate."));
        let repeated = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        let text = end(&repeated).expect("a draw");
        assert_eq!(text, "Draw: the position stood three times.");
        let stalemate = Record::new(Board::from_fen("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1").expect("ok"));
        assert_eq!(end(&stalemate).as_deref(), Some("Draw: stalemate."));
        let fifty = Record::new(Board::from_fen("k7/8/8/8/8/8/1R6/7K w - - 100 90").expect("ok"));
        assert_eq!(fifty.end().map(|end| end.reason), Some(Reason::FiftyMoves));
    }

    #[test]
    fn taking_back_reopens_the_game() {
        let mut record = game("f3 e5 g4 Qh4");
        record.truncate(2);
        assert_eq!((record.end(), record.moves().len()), (None, 2));
        assert_eq!(record.board(), &record.board_at(2));
        record.truncate(0);
        assert_eq!(record.board().fen(), Board::START_FEN);
    }

    #[test]
    fn survives_as_pgn() {
        let mut record = game("e4 e5 Nf3");
        assert!(record.evaluate(3, Eval::Centipawns(31), 9));
        assert!(!record.evaluate(3, Eval::Centipawns(50), 8));
        assert!(!record.evaluate(0, Eval::Centipawns(50), 8));
        record.finish(Verdict::Black, Reason::Resignation);
        let text = record.to_pgn(Vec::new()).to_string();
        let again = Record::from_pgn(&Pgn::parse(&text).expect(&text));
        assert_eq!(again.moves()[2].eval, Some(Eval::Centipawns(31)));
        assert_eq!(again.end(), Some(End { result: Verdict::Black, reason: Reason::Recorded }));
    }
}
