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
mod tests;
