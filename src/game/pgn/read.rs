//! From words to games: forgiving about form, strict about moves. Where a line goes
//! wrong it ends, what came before is kept, and the game says why.

use super::notes;
use super::scan::{Scanner, Token};
use crate::board::{Board, FenError, MoveError};
use crate::game::{Game, GameResult, LONGEST_GAME, NodeId};
use crate::types::Color;
use std::io::{self, BufRead};
use thiserror::Error;

/// Variations in variations, and moves of all lines together: no real game comes near.
pub const DEEPEST: usize = 100;
const LARGEST_GAME: usize = 1 << 20;
/// Nobody reads more problems than these.
const MAX_PROBLEMS: usize = 10;

/// What is wrong with a game, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    #[error("line {0}: a tag must look like [Name \"value\"]")]
    Tag(usize),
    #[error("the FEN tag: {0}")]
    Start(#[from] FenError),
    #[error("the variant \"{0}\" is not supported")]
    Variant(String),
    #[error("move {number}: {source}")]
    Move { number: String, source: MoveError },
    #[error("line {0}: the comment is never closed")]
    UnclosedComment(usize),
    #[error("line {0}: the variation is never closed")]
    UnclosedVariation(usize),
    #[error("line {0}: a variation that is empty or nested too deeply")]
    Variation(usize),
    #[error("the game is too long")]
    TooLong,
}

/// How much of a game to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    Everything,
    /// Tags, moves and result: for going through many games.
    MainLine,
}

/// A game as far as it makes sense, and where it does not.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedGame {
    pub game: Game,
    pub problems: Vec<PgnError>,
}

/// Reads games until the source has no more.
#[derive(Debug)]
pub struct Reader<R> {
    scanner: Scanner<R>,
    detail: Detail,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<ParsedGame>;

    fn next(&mut self) -> Option<io::Result<ParsedGame>> {
        self.read_game().transpose()
    }
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R, detail: Detail) -> Reader<R> {
        Reader { scanner: Scanner::new(source, detail == Detail::Everything), detail }
    }

    fn read_game(&mut self) -> io::Result<Option<ParsedGame>> {
        loop {
            let mut reading = GameReading::new(self.detail);
            loop {
                let token = self.scanner.token(reading.board.is_some())?;
                if reading.token(token, self.scanner.token_line) {
                    break;
                }
            }
            if !reading.is_nothing() {
                return Ok(Some(reading.finish()));
            }
            if self.scanner.is_at_end()? {
                return Ok(None);
            }
        }
    }
}

/// Where a line stands.
#[derive(Debug, Clone, Copy)]
struct OpenLine {
    at: NodeId,
    /// It went wrong and is not followed any further.
    broken: bool,
    /// Where in the text it begins.
    number: usize,
}

/// A game being read.
struct GameReading {
    detail: Detail,
    game: Game,
    problems: Vec<PgnError>,
    /// The position after the moves so far; `None` before the first word.
    board: Option<Board>,
    /// The line being read, and those it branched off from.
    line: OpenLine,
    outer: Vec<OpenLine>,
    /// The comment before a variation's first move.
    pending: String,
    plies: usize,
    /// What the movetext ends with, which may be that the game goes on.
    ended: bool,
}

impl GameReading {
    fn new(detail: Detail) -> GameReading {
        GameReading {
            detail,
            game: Game::default(),
            problems: Vec::new(),
            board: None,
            line: OpenLine { at: Game::START, broken: false, number: 1 },
            outer: Vec::new(),
            pending: String::new(),
            plies: 0,
            ended: false,
        }
    }

    fn is_nothing(&self) -> bool {
        let read = self.ended || !self.game.tags.is_empty() || self.game.size() > 1;
        !read && self.problems.is_empty()
    }

    fn problem(&mut self, problem: PgnError) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Takes in a token of this line; `true` if it ends the game.
    fn token(&mut self, token: Token, line: usize) -> bool {
        match token {
            Token::Tag(Some(tag)) => self.game.tags.push(tag),
            Token::Tag(None) => self.problem(PgnError::Tag(line)),
            Token::Comment(text) => self.comment(&text),
            Token::Open => self.open(line),
            Token::Close => self.close(),
            Token::Unclosed => self.problem(PgnError::UnclosedComment(line)),
            Token::Word(word) => self.word(&word),
            Token::GameOver => return true,
        }
        self.ended
    }

    /// The tags are complete: the game begins where they say.
    fn begin(&mut self) {
        if self.board.is_some() {
            return;
        }
        let mut start = Board::startpos();
        let (mut result, mut tags) = (None, Vec::new());
        for (name, value) in std::mem::take(&mut self.game.tags) {
            match name.as_str() {
                "FEN" => match Board::from_fen(&value) {
                    Ok(board) => start = board,
                    Err(error) => {
                        self.line.broken = true;
                        self.problem(PgnError::Start(error));
                    }
                },
                "SetUp" => {}
                "Result" => result = GameResult::parse(&value),
                "Variant" if !is_chess(&value) => {
                    self.line.broken = true;
                    self.problem(PgnError::Variant(value));
                }
                _ => tags.push((name, value)),
            }
        }
        // A comment before the first move came before the start was known.
        let comment = std::mem::take(self.game.notes_mut(Game::START));
        self.game = Game::new(start.clone());
        *self.game.notes_mut(Game::START) = comment;
        (self.game.tags, self.game.result) = (tags, result);
        self.board = Some(start);
    }

    fn comment(&mut self, text: &str) {
        if self.detail == Detail::MainLine || self.line.broken {
            return;
        }
        let begins_variation =
            self.outer.last().is_some_and(|outer| self.game.parent(outer.at) == self.line.at);
        if begins_variation {
            // Its first move is still to come.
            notes::append(&mut self.pending, text);
        } else {
            self.game.notes_mut(self.line.at).annotate(text);
        }
    }

    fn word(&mut self, word: &str) {
        self.begin();
        let result = GameResult::parse(word);
        if result.is_some() || word == "*" {
            // In a variation it says how that would end, and does not end the game.
            if self.outer.is_empty() {
                self.ended = true;
                self.game.result = result.or(self.game.result);
            }
            return;
        }
        let text = without_number(word);
        if self.line.broken || text.is_empty() || matches!(text, "e.p." | "ep") {
            return;
        }
        if let Some(nag) = notes::glyph(text) {
            return self.nag(nag);
        }
        let is_move = text.starts_with(|c: char| c.is_alphabetic() || c == '0' || !c.is_ascii());
        if is_move || text.starts_with("--") {
            let mv = text.trim_end_matches(['!', '?']);
            self.play(mv);
            if let Some(nag) = text.get(mv.len()..).and_then(notes::glyph) {
                self.nag(nag);
            }
        }
    }

    fn nag(&mut self, nag: u8) {
        if self.detail == Detail::Everything && !self.line.broken && self.line.at != Game::START {
            self.game.notes_mut(self.line.at).nags.push(nag);
        }
    }

    fn play(&mut self, text: &str) {
        let Some(board) = &mut self.board else { return };
        let too_long = self.plies >= LONGEST_GAME || self.game.size() >= LARGEST_GAME;
        match board.parse_move(text) {
            _ if too_long => {
                self.line.broken = true;
                self.problem(PgnError::TooLong);
            }
            Ok(mv) => {
                board.make(mv);
                self.plies += 1;
                self.line.at = self.game.add(self.line.at, mv);
                let pending = std::mem::take(&mut self.pending);
                self.game.notes_mut(self.line.at).before = pending;
            }
            Err(source) => {
                let number = match board.side_to_move() {
                    Color::White => format!("{}", board.fullmove_number()),
                    Color::Black => format!("{} of Black", board.fullmove_number()),
                };
                self.line.broken = true;
                self.problem(PgnError::Move { number, source });
            }
        }
    }

    /// A variation begins: another move instead of the last one.
    fn open(&mut self, number: usize) {
        self.begin();
        self.outer.push(self.line);
        let last = self.game.mv(self.line.at);
        let main_line = self.detail == Detail::MainLine && last.is_some();
        let skipped = self.line.broken || main_line;
        self.line.number = number;
        match (&mut self.board, last) {
            (Some(board), Some(mv)) if !skipped && self.outer.len() <= DEEPEST => {
                board.unmake(mv);
                self.plies -= 1;
                self.line.at = self.game.parent(self.line.at);
            }
            _ => {
                self.line.broken = true;
                if !skipped {
                    self.problem(PgnError::Variation(number));
                }
            }
        }
    }

    fn close(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let Some(board) = &mut self.board else { return };
        let branch = self.game.parent(outer.at);
        let followed = self.line.at != outer.at;
        while self.line.at != branch && followed {
            if let Some(mv) = self.game.mv(self.line.at) {
                board.unmake(mv);
                self.plies -= 1;
            }
            self.line.at = self.game.parent(self.line.at);
        }
        if followed && let Some(mv) = self.game.mv(outer.at) {
            // A comment in a variation without moves has no place.
            self.pending.clear();
            board.make(mv);
            self.plies += 1;
        }
        self.line = outer;
    }

    fn finish(mut self) -> ParsedGame {
        self.begin();
        if !self.outer.is_empty() && self.detail == Detail::Everything {
            self.problem(PgnError::UnclosedVariation(self.line.number));
        }
        while !self.outer.is_empty() {
            self.close();
        }
        ParsedGame { game: self.game, problems: self.problems }
    }
}

/// Takes `12.`, `12...` or `...` off the front. Castling with zeros has no dots.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.starts_with(['.', '…']) || rest.is_empty() {
        true => rest.trim_start_matches(['.', '…']),
        false => word,
    }
}

fn is_chess(variant: &str) -> bool {
    let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let known = [
        "standard",
        "chess",
        "normal",
        "fromposition",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
    ];
    known.contains(&plain.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests;
