//! The game on the board: its tree of moves, how far play has come, and how it ended.

use crate::board::{Board, MoveError};
use crate::game::pgn::DEEPEST;
use crate::game::{
    Eval, Game, GameEnd, GameResult, LONGEST_GAME, NodeId, Notes, Shape, Termination, judge,
};
use crate::types::{Color, Move};
use crate::web::mistakes;
use std::time::Duration;

/// Fewer variations in variations than the reader takes: playing on may add one.
const DEEPEST_LINE: usize = DEEPEST / 2;

#[derive(Debug, Clone)]
pub(crate) struct Record {
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
pub(super) struct ShownMove {
    pub id: NodeId,
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
    pub(crate) fn new(start: Board) -> Record {
        Record::load(Game::new(start))
    }

    /// A game from elsewhere. A result that the board does not show is taken as said.
    pub(super) fn load(game: Game) -> Record {
        Record::load_played(game, usize::MAX)
    }

    /// A game that has come this many half-moves far; what its main line has after them
    /// is analysis.
    pub(super) fn load_played(game: Game, plies: usize) -> Record {
        let board = game.start().clone();
        let mut record = Record { game, board, moves: Vec::new(), end: None, ended_here: false };
        let line: Vec<NodeId> = record.game.main_line().take(plies).collect();
        line.into_iter().for_each(|id| record.show(id));
        record.end = judge(&record.board);
        let recorded = record.game.result;
        if let Some(result) = recorded
            && record.end.is_none_or(|end| end.result != result)
        {
            record.end = Some(GameEnd::new(result, Termination::Unknown));
        }
        record
    }

    fn show(&mut self, id: NodeId) {
        if let Some(mv) = self.game.mv(id) {
            let chess960 = self.is_chess960();
            self.moves.push(ShownMove::new(&mut self.board, mv, chess960, id));
        }
    }

    /// The game with these tags, as it is saved.
    pub(crate) fn to_game(&self, tags: Vec<(String, String)>) -> Game {
        let mut game = self.game.clone();
        game.tags = tags;
        game.result = self.end.map(|end| end.result);
        game
    }

    /// The moves and all that stands beside them.
    pub(super) fn tree(&self) -> &Game {
        &self.game
    }

    /// Where the game stands: after the last move played.
    pub(super) fn place(&self) -> NodeId {
        self.moves.last().map_or(Game::START, |shown| shown.id)
    }

    /// Whether there is nothing to lose.
    pub(super) fn is_empty(&self) -> bool {
        self.game.children(Game::START).is_empty()
            && *self.game.notes(Game::START) == Notes::default()
    }

    /// The half-moves played, if the main line goes on after them.
    pub(super) fn played(&self) -> Option<usize> {
        (!self.game.children(self.place()).is_empty()).then_some(self.moves.len())
    }

    /// The moves to a place of the tree, and the position there.
    pub(super) fn moves_to(&self, place: NodeId) -> Vec<Move> {
        self.game.path(place).into_iter().filter_map(|id| self.game.mv(id)).collect()
    }

    pub(super) fn board_of(&self, place: NodeId) -> Board {
        let mut board = self.start().clone();
        self.moves_to(place).into_iter().for_each(|mv| board.make(mv));
        board
    }

    pub(super) fn tags(&self) -> &[(String, String)] {
        &self.game.tags
    }

    pub(crate) fn tags_mut(&mut self) -> &mut Vec<(String, String)> {
        &mut self.game.tags
    }

    pub(crate) fn start(&self) -> &Board {
        self.game.start()
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn turn(&self) -> Color {
        self.board.side_to_move()
    }

    pub(crate) fn moves(&self) -> &[ShownMove] {
        &self.moves
    }

    /// What stands beside a move of this record.
    pub(crate) fn notes(&self, shown: &ShownMove) -> &Notes {
        self.game.notes(shown.id)
    }

    pub(crate) fn end(&self) -> Option<GameEnd> {
        self.end
    }

    pub(crate) fn ended_here(&self) -> bool {
        self.ended_here
    }

    /// Whether castling is written as king takes rook.
    pub(crate) fn is_chess960(&self) -> bool {
        !self.start().castling_is_orthodox()
    }

    pub(crate) fn read(&self, text: &str) -> Result<Move, MoveError> {
        self.board.parse_move(text)
    }

    /// Plays a legal move of a game that is not over. It leads on from what analysis found,
    /// if it was looked at there.
    pub(super) fn play(
        &mut self,
        mv: Move,
        eval: Option<Eval>,
        depth: u32,
        clock: Option<Duration>,
    ) {
        let id = self.line_to(self.place(), mv);
        self.game.promote(id);
        let notes = self.game.notes_mut(id);
        if eval.is_some() {
            notes.eval = eval;
            notes.depth = (depth > 0).then_some(depth);
        }
        // To the tenth, as clocks show it.
        notes.clock = clock.map(|left| Duration::from_millis(left.as_millis() as u64 / 100 * 100));
        self.show(id);
        self.judge();
    }

    /// The place after this move, which may be new.
    fn line_to(&mut self, place: NodeId, mv: Move) -> NodeId {
        self.game.child(place, mv).unwrap_or_else(|| self.game.add(place, mv))
    }

    /// Tries a legal move in the analysis. `None` where there are too many variations in
    /// variations to write down.
    pub(super) fn try_move(&mut self, place: NodeId, mv: Move) -> Option<NodeId> {
        let leaves = !self.game.children(place).is_empty() && self.game.child(place, mv).is_none();
        let deep = leaves && self.game.nesting(place) >= DEEPEST_LINE;
        let long = self.game.path(place).len() >= LONGEST_GAME;
        (!deep && !long).then(|| self.line_to(place, mv))
    }

    /// Takes back to the first `ply` half-moves. The game goes on from there.
    pub(super) fn truncate(&mut self, ply: usize) {
        while self.moves.len() > ply
            && let Some(shown) = self.moves.pop()
        {
            self.board.unmake(shown.mv);
            self.game.remove(shown.id);
        }
        self.judge();
    }

    /// Lets the game stand at this place. What was played after it stays as analysis.
    pub(super) fn adopt(&mut self, place: NodeId) {
        let path = self.game.path(place);
        self.board = self.start().clone();
        self.moves.clear();
        for id in path {
            self.game.promote(id);
            self.show(id);
        }
        self.judge();
    }

    /// Changes the variations, unless that would make the game another one.
    pub(super) fn rearrange(&mut self, change: impl FnOnce(&mut Game)) -> bool {
        let before = self.game.clone();
        change(&mut self.game);
        let line: Vec<NodeId> = self.moves.iter().map(|shown| shown.id).collect();
        let kept = self.game.main_line().take(line.len()).eq(line);
        let sound = kept && self.game.deepest() <= DEEPEST_LINE + 1;
        if !sound {
            self.game = before;
        }
        sound
    }

    /// Makes a line that leaves the game the game, to its end. `false` if that would need too
    /// many variations in variations.
    pub(super) fn make_main(&mut self, place: NodeId) -> bool {
        let before = self.clone();
        let mut last = place;
        while let Some(&next) = self.game.children(last).first() {
            last = next;
        }
        self.adopt(last);
        self.keep_result(before.end);
        let sound = self.game.deepest() <= DEEPEST_LINE + 1;
        if !sound {
            *self = before;
        }
        sound
    }

    /// Forgets a move that was played and all after it.
    pub(super) fn forget(&mut self, place: NodeId) {
        let end = self.end;
        let parent = self.game.parent(place);
        self.game.remove(place);
        self.adopt(parent);
        self.keep_result(end);
    }

    /// A result that only the file tells stays, however the moves are arranged.
    fn keep_result(&mut self, before: Option<GameEnd>) {
        let told = before.filter(|end| end.termination == Termination::Unknown);
        self.end = self.end.or(told);
    }

    /// Whether this is a move of the game itself.
    pub(super) fn is_played(&self, place: NodeId) -> bool {
        self.moves.iter().any(|shown| shown.id == place)
    }

    /// The first move of the variation that a place stands in.
    pub(super) fn variation(&self, place: NodeId) -> Option<NodeId> {
        let leaves = |&id: &NodeId| self.game.children(self.game.parent(id)).first() != Some(&id);
        self.game.path(place).into_iter().rfind(leaves)
    }

    /// What a person says about a move, or about the start of the game.
    pub(super) fn annotate(&mut self, place: NodeId, comment: &str, nags: Vec<u8>) {
        let notes = self.game.notes_mut(place);
        notes.comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        notes.nags = if place == Game::START { Vec::new() } else { nags };
    }

    /// Marks the moves that gave something away, as far as they are evaluated, and tells how many.
    pub(super) fn mark_mistakes(&mut self) -> String {
        let line: Vec<NodeId> = self.moves.iter().map(|shown| shown.id).collect();
        mistakes::mark(&mut self.game, &line)
    }

    /// What is drawn on the board at a place.
    pub(super) fn draw(&mut self, place: NodeId, shapes: Vec<Shape>) {
        self.game.notes_mut(place).shapes = shapes;
    }

    pub(super) fn finish(&mut self, result: GameResult, termination: Termination) {
        self.end = Some(GameEnd::new(result, termination));
        self.ended_here = true;
    }

    /// How the game ended, as it was saved.
    pub(crate) fn restore_end(&mut self, end: Option<GameEnd>) {
        self.end = end.or(self.end);
    }

    /// Keeps what the engine thinks of a position, if it looked deeper than before. What a
    /// game came with says no depth: it stays, unless it is to be replaced.
    pub(super) fn evaluate(
        &mut self,
        place: NodeId,
        eval: Eval,
        depth: u32,
        replace: bool,
    ) -> bool {
        let notes = self.game.notes_mut(place);
        let better = match (notes.eval, notes.depth) {
            _ if place == Game::START => false,
            (None, _) => true,
            (Some(_), Some(before)) => depth > before,
            (Some(_), None) => replace,
        };
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
    pub(super) fn new(board: &mut Board, mv: Move, chess960: bool, id: NodeId) -> ShownMove {
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
        assert_eq!(end(&mate).as_deref(), Some("Black wins by checkmate."));
        let repeated = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(end(&repeated).as_deref(), Some("Draw by threefold repetition."));
        let fifty = Record::new(Board::from_fen("k7/8/8/8/8/8/1R6/7K w - - 100 90").expect("ok"));
        assert_eq!(end(&fifty).as_deref(), Some("Draw by the fifty-move rule."));
    }

    #[test]
    fn taking_back_reopens_the_game() {
        let mut record = game("f3 e5 g4 Qh4");
        record.truncate(2);
        assert_eq!((record.end(), record.moves().len()), (None, 2));
        assert_eq!(record.board(), &record.board_of(record.place()));
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
        let last = record.place();
        assert!(record.evaluate(last, Eval::Centipawns(31), 9, false));
        assert!(!record.evaluate(last, Eval::Centipawns(50), 8, false));
        assert!(!record.evaluate(Game::START, Eval::Centipawns(50), 8, true));
        record.finish(GameResult::BlackWins, Termination::Resignation);
        let again = again(&record);
        assert_eq!(again.notes(&again.moves()[2]).eval, Some(Eval::Centipawns(31)));
        let unknown = GameEnd::new(GameResult::BlackWins, Termination::Unknown);
        assert_eq!(again.end(), Some(unknown));
    }

    fn line(record: &mut Record, from: NodeId, moves: &str) -> NodeId {
        moves.split(' ').fold(from, |place, text| {
            let mv = record.board_of(place).parse_move(text).expect(text);
            record.try_move(place, mv).expect("room")
        })
    }

    fn text(record: &Record) -> String {
        let text = record.to_game(Vec::new()).to_string();
        text.split_once("\n\n").expect("moves").1.trim().to_owned()
    }

    #[test]
    fn an_adopted_line_leaves_the_game_as_a_variation() {
        let mut record = game("e4 e5 Nf3");
        let first = record.moves()[0].id;
        let place = line(&mut record, first, "c5 d4");
        assert_eq!((record.moves().len(), record.played()), (3, None));
        record.adopt(place);
        assert_eq!(text(&again(&record)), "1. e4 c5 (1... e5 2. Nf3) 2. d4 *");
        assert_eq!(record.moves().len(), 3);
    }

    #[test]
    fn going_on_from_an_earlier_position_loses_nothing() {
        let mut record = game("f3 e5 g4 Qh4");
        record.adopt(record.moves()[1].id);
        assert_eq!((record.end(), record.moves().len(), record.played()), (None, 2, Some(2)));
        let saved = Record::load_played(record.to_game(Vec::new()), 2);
        assert_eq!((saved.moves().len(), saved.played()), (2, Some(2)));
        let mv = record.read("e4").expect("legal");
        record.play(mv, None, 0, None);
        assert_eq!(text(&record), "1. f3 e5 2. e4 (2. g4 Qh4#) *");
    }

    #[test]
    fn analysis_after_the_last_move_is_not_part_of_the_game() {
        let mut record = game("e4 e5");
        let place = record.place();
        line(&mut record, place, "Nf3 Nc6");
        line(&mut record, place, "Nc3");
        assert_eq!((record.moves().len(), record.played()), (2, Some(2)));
        let mv = record.read("Nc3").expect("legal");
        record.play(mv, None, 0, None);
        assert_eq!(text(&record), "1. e4 e5 2. Nc3 (2. Nf3 Nc6) *");
        record.truncate(2);
        assert_eq!(text(&record), "1. e4 e5 2. Nf3 Nc6 *");
    }

    #[test]
    fn what_was_played_is_not_rearranged() {
        let mut record = game("e4 e5 Nf3");
        let (first, last) = (record.moves()[0].id, record.place());
        let c5 = line(&mut record, first, "c5");
        let e6 = line(&mut record, first, "e6");
        assert!(record.rearrange(|game| game.raise(e6)));
        assert_eq!(text(&record), "1. e4 e5 (1... e6) (1... c5) 2. Nf3 *");
        assert!(!record.rearrange(|game| game.promote(c5)));
        assert!(!record.rearrange(|game| game.remove(last)));
        assert!(record.rearrange(|game| game.remove(e6)));
        record.annotate(c5, " Sicilian\n  Defence ", vec![1]);
        assert_eq!(text(&record), "1. e4 e5 (1... c5 $1 { Sicilian Defence }) 2. Nf3 *");
        assert!(record.make_main(c5));
        assert_eq!(text(&record), "1. e4 c5 $1 { Sicilian Defence } (1... e5 2. Nf3) *");
    }

    #[test]
    fn evaluations_of_the_file_stay() {
        let text = "1. e4 { [%eval 0.30] } *";
        let mut games = Reader::new(text.as_bytes(), Detail::Everything);
        let mut record = Record::load(games.next().expect("a game").expect("memory").game);
        let place = record.place();
        assert!(!record.evaluate(place, Eval::Centipawns(90), 30, false));
        assert!(record.evaluate(place, Eval::Centipawns(90), 30, true));
    }

    #[test]
    fn lines_do_not_nest_without_end() {
        let mut record = Record::default();
        let mut place = Game::START;
        for _ in 0..200 {
            for text in ["Nf3 Nf6 Ng1 Ng8", "Nc3"] {
                let mut at = place;
                for text in text.split(' ') {
                    let mv = record.board_of(at).parse_move(text).expect(text);
                    match record.try_move(at, mv) {
                        Some(next) => at = next,
                        None => return assert!(record.tree().deepest() == DEEPEST_LINE),
                    }
                }
                if text == "Nc3" {
                    let mv = record.board_of(at).parse_move("Nc6").expect("legal");
                    let next = record.try_move(at, mv).expect("not deeper");
                    let back = record.board_of(next).parse_move("Nb1").expect("legal");
                    let next = record.try_move(next, back).expect("not deeper");
                    let back = record.board_of(next).parse_move("Nb8").expect("legal");
                    place = record.try_move(next, back).expect("not deeper");
                }
            }
        }
        panic!("nothing stopped it");
    }
}
