//! Reading: forgiving about form, strict about moves. Comments, glyphs and
//! variations may stand anywhere; only the main line of the first game counts.

use super::{Eval, GameResult, Pgn, PgnMove};
use crate::board::{Board, FenError, MoveError};
use crate::types::Color;
use crate::web::clock;
use std::time::Duration;
use thiserror::Error;

/// What is wrong with a PGN, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    #[error("there is no game in this text")]
    Empty,
    #[error("line {0}: a tag must look like [Name \"value\"]")]
    Tag(usize),
    #[error("the FEN tag does not fit: {0}")]
    Fen(#[from] FenError),
    #[error("the variant \"{0}\" is not chess as Gambeson plays it")]
    Variant(String),
    #[error("line {0}: a comment begins here and does not end")]
    UnclosedComment(usize),
    #[error("line {0}: a variation begins here and does not end")]
    UnclosedVariation(usize),
    #[error("move {number}: {source}")]
    Move { number: String, source: MoveError },
    #[error("the game is longer than {MAX_MOVES} half-moves")]
    TooLong,
}

/// No real game comes near; a hostile one may.
const MAX_MOVES: usize = 12_000;

impl Pgn {
    /// Reads the first game of a text.
    pub fn parse(text: &str) -> Result<Pgn, PgnError> {
        let mut scanner = Scanner::new(text.trim_start_matches('\u{feff}'));
        let mut tags = Vec::new();
        let mut game: Option<Pgn> = None;
        loop {
            match scanner.token()? {
                Token::Tag(..) if game.is_some() => break,
                Token::Tag(name, value) => tags.push((name, value)),
                Token::Comment(comment) => {
                    if let Some(last) = game.as_mut().and_then(|game| game.moves.last_mut()) {
                        last.annotate(&comment);
                    }
                }
                Token::Word(word) => {
                    let game = match &mut game {
                        Some(game) => game,
                        None => game.insert(Pgn::begin(std::mem::take(&mut tags))?),
                    };
                    if let Some(result) = GameResult::parse(word) {
                        game.result = result;
                        break;
                    }
                    scanner.play(game, word)?;
                }
                Token::End => break,
            }
        }
        match game {
            Some(game) => Ok(game),
            None if tags.is_empty() => Err(PgnError::Empty),
            None => Pgn::begin(tags),
        }
    }

    /// A game without moves yet.
    fn begin(tags: Vec<(String, String)>) -> Result<Pgn, PgnError> {
        let mut pgn = Pgn {
            tags: Vec::new(),
            start: Board::startpos(),
            moves: Vec::new(),
            result: GameResult::Unknown,
        };
        for (name, value) in tags {
            match name.as_str() {
                "FEN" => pgn.start = Board::from_fen(&value)?,
                "SetUp" => {}
                "Result" => pgn.result = GameResult::parse(&value).unwrap_or(pgn.result),
                "Variant" if !is_chess(&value) => return Err(PgnError::Variant(value)),
                _ => pgn.tags.push((name, value)),
            }
        }
        Ok(pgn)
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

impl PgnMove {
    /// Takes the commands we know out of a comment and keeps the rest as text.
    fn annotate(&mut self, comment: &str) {
        let mut rest = comment;
        let mut text = String::new();
        while let Some((before, command)) = rest.split_once("[%") {
            let Some((command, after)) = command.split_once(']') else { break };
            text.push_str(before);
            let (name, value) = command.split_once(' ').unwrap_or((command, ""));
            match name {
                "eval" => self.eval = parse_eval(value).or(self.eval),
                "clk" => self.clock = parse_clock(value).or(self.clock),
                _ => text.push_str(&format!("[%{command}]")),
            }
            rest = after;
        }
        text.push_str(rest);
        let words: Vec<&str> = text.split_whitespace().collect();
        if !words.is_empty() && !self.comment.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(&words.join(" "));
    }
}

/// `0.35`, `-1.20,18` (with the depth) or `#-3`.
fn parse_eval(text: &str) -> Option<Eval> {
    let value = text.split(',').next()?.trim();
    if let Some(moves) = value.strip_prefix('#') {
        return moves.parse().ok().map(Eval::Mate);
    }
    let pawns: f64 = value.parse().ok()?;
    (pawns.abs() < 1000.0).then(|| Eval::Centipawns((pawns * 100.0).round() as i32))
}

/// `1:23:45` or `0:00:07.3`.
fn parse_clock(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let value: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|&clock| clock <= clock::LONGEST)
}

enum Token<'a> {
    Tag(String, String),
    Comment(String),
    Word(&'a str),
    End,
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    /// The position after the moves so far. Absent before the first one.
    board: Option<Board>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text, line: 1, board: None }
    }

    /// Takes so many bytes, which end at a character's end.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn token(&mut self) -> Result<Token<'a>, PgnError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            let at_line_start = self.take(blank).contains('\n') || self.line == 1;
            let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
            match first {
                '[' => return self.tag(),
                '{' => return self.comment().map(|text| Token::Comment(text.to_owned())),
                ';' => {
                    return Ok(Token::Comment(self.rest_of_line().trim_start_matches(';').into()));
                }
                '%' if at_line_start => drop(self.rest_of_line()),
                '(' => self.skip_variation()?,
                ')' | '}' | ']' | '<' | '>' => drop(self.take(1)),
                _ => {
                    if let Some(word) = meaning(self.word()) {
                        return Ok(Token::Word(word));
                    }
                }
            }
        }
    }

    fn rest_of_line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.take(end)
    }

    fn word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{}()[];<>".contains(c);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        self.take(end.max(1))
    }

    fn comment(&mut self) -> Result<&'a str, PgnError> {
        let end = self.rest.find('}').ok_or(PgnError::UnclosedComment(self.line))?;
        let text = self.take(end + 1);
        Ok(text.trim_start_matches('{').trim_end_matches('}'))
    }

    /// `[Name "value"]`, with `\"` and `\\` in the value.
    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        let bad = PgnError::Tag(self.line);
        let (name, _) = self.rest.split_once('"').ok_or_else(|| bad.clone())?;
        let length = name.len();
        let name = name.trim_start_matches('[').trim();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(bad);
        }
        self.take(length + 1);
        let mut value = String::new();
        let mut letters = self.rest.char_indices();
        let mut end = None;
        while let Some((index, letter)) = letters.next() {
            match letter {
                '"' => {
                    end = Some(index + 1);
                    break;
                }
                '\n' => break,
                '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
                _ => value.push(letter),
            }
        }
        self.take(end.ok_or_else(|| bad.clone())?);
        if !self.rest.trim_start().starts_with(']') {
            return Err(bad);
        }
        let blank = self.rest.len() - self.rest.trim_start().len();
        self.take(blank + 1);
        Ok(Token::Tag(name.to_owned(), value))
    }

    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let begin = self.line;
        let mut depth = 0usize;
        loop {
            match self.rest.chars().next() {
                None => return Err(PgnError::UnclosedVariation(begin)),
                Some('{') => drop(self.comment()?),
                Some(';') => drop(self.rest_of_line()),
                Some(letter) => {
                    self.take(letter.len_utf8());
                    match letter {
                        '(' => depth += 1,
                        ')' if depth == 1 => return Ok(()),
                        ')' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }

    fn play(&mut self, game: &mut Pgn, word: &str) -> Result<(), PgnError> {
        if game.moves.len() >= MAX_MOVES {
            return Err(PgnError::TooLong);
        }
        let board = self.board.get_or_insert_with(|| game.start.clone());
        let mv = board.parse_move(word).map_err(|error| PgnError::Move {
            number: match board.side_to_move() {
                Color::White => format!("{}.", board.fullmove_number()),
                Color::Black => format!("{}...", board.fullmove_number()),
            },
            source: error.shortened(),
        })?;
        board.make(mv);
        game.moves.push(PgnMove { mv, eval: None, clock: None, comment: String::new() });
        Ok(())
    }
}

impl MoveError {
    /// With no more of a hostile text than anybody wants to read.
    fn shortened(self) -> MoveError {
        let cut = |text: String| text.chars().take(20).collect();
        match self {
            MoveError::Unreadable(text) => MoveError::Unreadable(cut(text)),
            MoveError::Illegal(text) => MoveError::Illegal(cut(text)),
            MoveError::Ambiguous(text) => MoveError::Ambiguous(cut(text)),
        }
    }
}

/// The move or result in a word, without its number; `None` for numbers and
/// glyphs.
fn meaning(word: &str) -> Option<&str> {
    let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = if unnumbered.starts_with(['.', '…']) || unnumbered.is_empty() {
        unnumbered.trim_start_matches(['.', '…'])
    } else {
        word
    };
    let is_glyph = word.starts_with('$')
        || word.chars().all(|c| "!?=+-/~".contains(c)) && word != "--"
        || word == "e.p.";
    (!is_glyph).then_some(word)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn sans(pgn: &Pgn) -> String {
        let mut board = pgn.start.clone();
        let mut text = Vec::new();
        for played in &pgn.moves {
            text.push(board.san(played.mv));
            board.make(played.mv);
        }
        text.join(" ")
    }

    #[test]
    fn reads_what_people_write() {
        let text = "\u{feff}[Event \"A \\\"quoted\\\" name\"]\n[White \"x\"]\n[Result \"1-0\"]\n\n\
            1.e4 {best {by test} e5 $1 2. Nf3! (2. f4 exf4 (2... d5) {x)} 3. Nf3) 2... Nc6 ; why\n\
            % an escape\n3.Bc4 Nf6?! 4. 0-0 { [%eval 0.35,18] [%clk 0:01:30] quiet } Bc5 1-0\n\
            [Event \"next\"]\n1. d4 *";
        let pgn = Pgn::parse(text).unwrap();
        assert_eq!(sans(&pgn), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5");
        assert_eq!(pgn.tag("Event"), Some("A \"quoted\" name"));
        assert_eq!(pgn.result, GameResult::Won(Color::White));
        let castled = &pgn.moves[6];
        assert_eq!(castled.eval, Some(Eval::Centipawns(35)));
        assert_eq!(castled.clock, Some(Duration::from_secs(90)));
        assert_eq!(castled.comment, "quiet");
        assert_eq!(pgn.moves[3].comment, "why");
    }

    #[test]
    fn says_what_is_wrong() {
        let message = |text: &str| Pgn::parse(text).unwrap_err().to_string();
        assert_eq!(message(" \n"), "there is no game in this text");
        assert_eq!(message("1. e4 e5 2. Ke3 *"), "move 2.: \"Ke3\" is not legal here");
        assert_eq!(message("1. e4 hello"), "move 1...: \"hello\" is not a move");
        assert_eq!(message("1. e4 -- 2. d4"), "move 1...: \"--\" is not a move");
        assert_eq!(message("1. e4\n{ oh"), "line 2: a comment begins here and does not end");
        assert_eq!(message("1. e4\n\n(1. d4"), "line 3: a variation begins here and does not end");
        assert_eq!(message("[Event x]\n1. e4"), "line 1: a tag must look like [Name \"value\"]");
        assert_eq!(message("[Event \"x\n\"]"), "line 1: a tag must look like [Name \"value\"]");
        assert!(message("[FEN \"8/8 w - -\"]\n*").starts_with("the FEN tag does not fit: "));
        assert!(message("[Variant \"Atomic\"]\n*").contains("Atomic"));
        assert!(message(&"x".repeat(10_000)).len() < 100);
    }

    #[test]
    fn positions_and_chess960() {
        let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
            [FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n\n1. Nb3 Nb6 *";
        assert_eq!(sans(&Pgn::parse(text).unwrap()), "Nb3 Nb6");
        let pgn = Pgn::parse("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n7... Ke7 8. e4").unwrap();
        assert_eq!(sans(&pgn), "Ke7 e4");
    }
}
