//! The game on the board: its tree of moves, how far play has come, and how it ended.

use crate::board::{Board, MoveError};
use crate::game::{Eval, Game, GameEnd, GameResult, NodeId, Notes, Termination, judge};
use crate::types::{Color, Move};
use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Record {
    game: Game,
    /// After the moves played, with its history, for repetitions.
    board: Board,
    /// The main line.
    moves: Vec<ShownMove>,
    end: Option<GameEnd>,
    /// The game ended here, so that we know better than its tags why.
    ended_here: bool,
}

/// A move and the position it led to.
#[derive(Debug, Clone)]
pub struct ShownMove {
    id: NodeId,
    pub mv: Move,
    pub coordinates: String,
    pub san: String,
    pub fen: String,
    pub check: bool,
}

impl Default for Record {
    fn default() -> Record {
        Record::new(Board::startpos())
    }
}

impl Record {
    pub fn new(start: Board) -> Record {
        Record::load(Game::new(start))
    }

    /// A game from elsewhere. A result that the board does not show is taken as said.
    pub fn load(game: Game) -> Record {
        let board = game.start().clone();
        let mut record = Record { game, board, moves: Vec::new(), end: None, ended_here: false };
        record.follow_main_line();
        record.end = judge(&record.board);
        let recorded = record.game.result;
        if let Some(result) = recorded
            && record.end.is_none_or(|end| end.result != result)
        {
            record.end = Some(GameEnd::new(result, Termination::Unknown));
        }
        record
    }

    fn follow_main_line(&mut self) {
        self.board = self.game.start().clone();
        self.moves.clear();
        let line: Vec<NodeId> = self.game.main_line().collect();
        line.into_iter().for_each(|id| self.show(id));
    }

    fn show(&mut self, id: NodeId) {
        if let Some(mv) = self.game.mv(id) {
            let chess960 = self.is_chess960();
            self.moves.push(ShownMove::new(&mut self.board, mv, chess960, id));
        }
    }

    /// The game with these tags, as it is saved.
    pub fn to_game(&self, tags: Vec<(String, String)>) -> Game {
        let mut game = self.game.clone();
        game.tags = tags;
        game.result = self.end.map(|end| end.result);
        game
    }

    pub fn tags(&self) -> &[(String, String)] {
        &self.game.tags
    }

    pub fn tags_mut(&mut self) -> &mut Vec<(String, String)> {
        &mut self.game.tags
    }

    pub fn start(&self) -> &Board {
        self.game.start()
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn turn(&self) -> Color {
        self.board.side_to_move()
    }

    pub fn moves(&self) -> &[ShownMove] {
        &self.moves
    }

    /// What stands beside a move of this record.
    pub fn notes(&self, shown: &ShownMove) -> &Notes {
        self.game.notes(shown.id)
    }

    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    pub fn ended_here(&self) -> bool {
        self.ended_here
    }

    /// The position after the first `ply` half-moves.
    pub fn board_at(&self, ply: usize) -> Board {
        let mut board = self.start().clone();
        self.moves.iter().take(ply).for_each(|shown| board.make(shown.mv));
        board
    }

    /// Whether castling is written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        !self.start().castling_is_orthodox()
    }

    pub fn read(&self, text: &str) -> Result<Move, MoveError> {
        self.board.parse_move(text)
    }

    /// The place after the first `ply` half-moves.
    fn place(&self, ply: usize) -> NodeId {
        let last = ply.min(self.moves.len()).checked_sub(1);
        last.and_then(|index| self.moves.get(index)).map_or(Game::START, |shown| shown.id)
    }

    /// Plays a legal move of a game that is not over.
    pub fn play(&mut self, mv: Move, eval: Option<Eval>, depth: u32, clock: Option<Duration>) {
        let id = self.game.add(self.place(self.moves.len()), mv);
        let notes = self.game.notes_mut(id);
        notes.eval = eval;
        notes.depth = (depth > 0).then_some(depth);
        // To the tenth, as clocks show it.
        notes.clock = clock.map(|left| Duration::from_millis(left.as_millis() as u64 / 100 * 100));
        self.show(id);
        self.judge();
    }

    /// Takes back to the first `ply` half-moves. The game goes on from there.
    pub fn truncate(&mut self, ply: usize) {
        let place = self.place(ply);
        self.game.cut(place);
        while self.moves.len() > ply
            && let Some(shown) = self.moves.pop()
        {
            self.board.unmake(shown.mv);
        }
        self.judge();
    }

    /// Makes these moves the main line; what was played instead stays as a variation.
    pub fn adopt(&mut self, moves: &[Move]) {
        let mut place = Game::START;
        for &mv in moves {
            place = self.game.child(place, mv).unwrap_or_else(|| self.game.add(place, mv));
            self.game.promote(place);
        }
        self.game.cut(place);
        self.follow_main_line();
        self.judge();
    }

    pub fn finish(&mut self, result: GameResult, termination: Termination) {
        self.end = Some(GameEnd::new(result, termination));
        self.ended_here = true;
    }

    /// How the game ended, as it was saved.
    pub fn restore_end(&mut self, end: Option<GameEnd>) {
        self.end = end.or(self.end);
    }

    /// Keeps what the engine thinks of the position after `ply` half-moves, if it
    /// looked deeper than before.
    pub fn evaluate(&mut self, ply: usize, eval: Eval, depth: u32) -> bool {
        let Some(shown) = ply.checked_sub(1).and_then(|index| self.moves.get(index)) else {
            return false;
        };
        let notes = self.game.notes_mut(shown.id);
        let better = notes.eval.is_none() || depth > notes.depth.unwrap_or(0);
        if better {
            (notes.eval, notes.depth) = (Some(eval), Some(depth));
        }
        better
    }

    /// Ends the game if the board says so. What was said about another end is over.
    fn judge(&mut self) {
        self.end = judge(&self.board);
        self.ended_here = self.end.is_some();
        self.game.tags.retain(|(name, _)| name != "Termination");
    }
}

impl ShownMove {
    /// Plays the move on the board and describes it.
    fn new(board: &mut Board, mv: Move, chess960: bool, id: NodeId) -> ShownMove {
        let san = board.san(mv);
        board.make(mv);
        ShownMove {
            id,
            mv,
            coordinates: mv.coordinates(chess960),
            san,
            fen: board.fen(),
            check: board.in_check(),
        }
    }

    /// A move of a line that is not part of a game.
    pub fn loose(board: &mut Board, mv: Move, chess960: bool) -> ShownMove {
        ShownMove::new(board, mv, chess960, Game::START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::pgn::{Detail, Reader};

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
        let end = |record: &Record| record.end().map(|end| end.to_string());
        assert_eq!(end(&game("e4 e5")), None);
        let mate = game("f3 e5 g4 Qh4");
        assert_eq!(end(&mate).as_deref(), Some("Black wins: checkmate."));
        let repeated = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(end(&repeated).as_deref(), Some("Draw: threefold repetition."));
        let fifty = Record::new(Board::from_fen("k7/8/8/8/8/8/1R6/7K w - - 100 90").expect("ok"));
        assert_eq!(end(&fifty).as_deref(), Some("Draw: fifty-move rule."));
    }

    #[test]
    fn taking_back_reopens_the_game() {
        let mut record = game("f3 e5 g4 Qh4");
        record.truncate(2);
        assert_eq!((record.end(), record.moves().len()), (None, 2));
        assert_eq!(record.board(), &record.board_at(2));
        record.truncate(0);
        assert_eq!(record.board().fen(), Board::START_FEN);
        assert_eq!(record.to_game(Vec::new()), Game::default());
    }

    fn again(record: &Record) -> Record {
        let text = record.to_game(record.tags().to_vec()).to_string();
        let mut games = Reader::new(text.as_bytes(), Detail::Everything);
        Record::load(games.next().expect("a game").expect("memory").game)
    }

    #[test]
    fn survives_as_pgn() {
        let mut record = game("e4 e5 Nf3");
        assert!(record.evaluate(3, Eval::Centipawns(31), 9));
        assert!(!record.evaluate(3, Eval::Centipawns(50), 8));
        assert!(!record.evaluate(0, Eval::Centipawns(50), 8));
        record.finish(GameResult::BlackWins, Termination::Resignation);
        let again = again(&record);
        assert_eq!(again.notes(&again.moves()[2]).eval, Some(Eval::Centipawns(31)));
        let unknown = GameEnd::new(GameResult::BlackWins, Termination::Unknown);
        assert_eq!(again.end(), Some(unknown));
    }

    #[test]
    fn an_adopted_line_leaves_the_game_as_a_variation() {
        let mut record = game("e4 e5 Nf3");
        let mut board = Board::startpos();
        let mut line = Vec::new();
        for text in ["e4", "c5", "d4"] {
            let mv = board.parse_move(text).expect(text);
            board.make(mv);
            line.push(mv);
        }
        record.adopt(&line);
        let text = again(&record).to_game(Vec::new()).to_string();
        assert!(text.contains("1. e4 c5 (1... e5 2. Nf3) 2. d4 *"), "{text}");
        assert_eq!(record.moves().len(), 3);
    }
}
