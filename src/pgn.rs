//! Games in Portable Game Notation, one after the other from any source of bytes.
//!
//! The reader follows the main line and leaves out comments, variations and
//! annotations. What people call PGN differs a lot, so it forgives whatever does
//! not change the moves; a game whose moves go wrong ends there and says why.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use crate::board::{Board, FenError, MoveError};
use crate::types::{Color, Move};
use std::io::{self, BufRead};
use thiserror::Error;

/// A tag's name or value and a move longer than this are cut: none has to be.
const LONGEST_TEXT: usize = 4096;
const LONGEST_WORD: usize = 64;
/// No game can last longer than 5,898 moves under the 75-move rule.
const LONGEST_GAME: usize = 11_796;

/// Why a game could not be read to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    #[error("its start position: {0}")]
    Start(#[from] FenError),
    #[error("half-move {ply}: {error}")]
    Move { ply: usize, error: MoveError },
    #[error("it goes on after {LONGEST_GAME} half-moves")]
    TooLong,
    #[error("a comment is not closed")]
    OpenComment,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Won(Color),
    Drawn,
}

/// One game, as far as it makes sense.
#[derive(Debug, Clone)]
pub struct Game {
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    pub start: Board,
    /// Legal moves from `start` on.
    pub moves: Vec<Move>,
    /// `None` for a game that is unfinished or does not say.
    pub ending: Option<Ending>,
    pub problem: Option<PgnError>,
}

impl Game {
    fn new() -> Game {
        let start = Board::startpos();
        Game { tags: Vec::new(), start, moves: Vec::new(), ending: None, problem: None }
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// Reads games until the source has no more.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    at_line_start: bool,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<io::Result<Game>> {
        self.read_game().transpose()
    }
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R) -> Reader<R> {
        Reader { source, at_line_start: true }
    }

    fn read_game(&mut self) -> io::Result<Option<Game>> {
        let mut reading = Reading { game: Game::new(), board: None, ended: false };
        // How many variations we are in; only the main line counts.
        let mut depth = 0u32;
        while let Some(byte) = self.peek()? {
            let at_line_start = self.at_line_start;
            match byte {
                b'[' if reading.board.is_none() => {
                    self.bump();
                    reading.game.tags.extend(self.read_tag()?);
                    continue;
                }
                // The next game, even if this one did not end properly.
                b'[' if at_line_start => break,
                b'{' => {
                    let closed = self.skip_past(b'}')?;
                    if !closed {
                        reading.fail(PgnError::OpenComment);
                    }
                }
                b';' => _ = self.skip_past(b'\n')?,
                b'%' if at_line_start => _ = self.skip_past(b'\n')?,
                b'(' => depth = depth.saturating_add(1),
                b')' => depth = depth.saturating_sub(1),
                _ if is_word(byte) => {
                    let word = self.read_word()?;
                    if depth == 0 {
                        reading.word(&word);
                    }
                    if reading.ended {
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
        let game = reading.finish();
        let is_nothing = game.tags.is_empty() && game.moves.is_empty() && game.problem.is_none();
        Ok((!is_nothing || self.peek()?.is_some()).then_some(game))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.source.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Leaves the byte behind that was peeked at.
    fn bump(&mut self) {
        if let Ok(&[byte, ..]) = self.source.fill_buf() {
            self.at_line_start = byte == b'\n' || self.at_line_start && byte.is_ascii_whitespace();
            self.source.consume(1);
        }
    }

    /// Goes on to the next such byte. `false` if there is none.
    fn skip_past(&mut self, end: u8) -> io::Result<bool> {
        while let Some(byte) = self.peek()? {
            if byte == end {
                return Ok(true);
            }
            self.bump();
        }
        Ok(false)
    }

    fn read_word(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| is_word(byte)) {
            if bytes.len() < LONGEST_WORD {
                bytes.push(byte);
            }
            self.bump();
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads `Name "Value"]` up to the end of the tag or the line. `None` if there is
    /// no name.
    fn read_tag(&mut self) -> io::Result<Option<(String, String)>> {
        let (mut name, mut value) = (Vec::new(), Vec::new());
        let mut in_value = false;
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            self.bump();
            match byte {
                b'"' if in_value => in_value = false,
                b'"' => in_value = true,
                b']' if !in_value => break,
                _ if in_value => {
                    let escaped = self.peek()?.filter(|next| b"\"\\".contains(next));
                    if byte == b'\\' && escaped.is_some() {
                        self.bump();
                    }
                    if value.len() < LONGEST_TEXT {
                        value.push(escaped.filter(|_| byte == b'\\').unwrap_or(byte));
                    }
                }
                _ if !byte.is_ascii_whitespace() && name.len() < LONGEST_WORD => name.push(byte),
                _ => {}
            }
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        let name = text(name);
        Ok((!name.is_empty()).then(|| (name, text(value))))
    }
}

/// What words and moves are made of.
fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !byte.is_ascii_control() && !b"{}()[];".contains(&byte)
}

/// A game being read.
struct Reading {
    game: Game,
    /// The position after the moves so far; `None` before the first word.
    board: Option<Board>,
    ended: bool,
}

impl Reading {
    /// A game that went wrong is not followed any further.
    fn fail(&mut self, problem: PgnError) {
        self.game.problem.get_or_insert(problem);
    }

    fn word(&mut self, word: &str) {
        // A byte order mark, or one read as Latin-1, is no word.
        let word = word.trim_start_matches('\u{feff}');
        if word.is_empty() {
            return;
        }
        self.begin();
        if let Some(ending) = ending(word) {
            self.game.ending = ending;
            self.ended = true;
            return;
        }
        let text = without_number(word);
        // A number, an annotation such as $1, +- or e.p.
        let is_move = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '0' || c == '-');
        if !is_move
            || matches!(text, "e.p." | "ep")
            || text.starts_with("-+")
            || text.starts_with("-/")
        {
            return;
        }
        if self.game.problem.is_none() {
            self.play(text);
        }
    }

    /// The tags are complete: the game begins where they say.
    fn begin(&mut self) {
        if self.board.is_some() {
            return;
        }
        match self.game.tag("FEN").map(Board::from_fen) {
            Some(Ok(board)) => self.game.start = board,
            Some(Err(error)) => self.fail(PgnError::Start(error)),
            None => {}
        }
        self.board = Some(self.game.start.clone());
    }

    fn play(&mut self, text: &str) {
        let Some(board) = &mut self.board else { return };
        if self.game.moves.len() >= LONGEST_GAME {
            return self.fail(PgnError::TooLong);
        }
        match board.parse_move(text) {
            Ok(mv) => {
                board.make(mv);
                self.game.moves.push(mv);
            }
            Err(error) => {
                let ply = self.game.moves.len() + 1;
                self.fail(PgnError::Move { ply, error });
            }
        }
    }

    fn finish(mut self) -> Game {
        self.begin();
        if !self.ended {
            self.game.ending = self.game.tag("Result").and_then(ending).flatten();
        }
        self.game
    }
}

/// Whether a word ends a game, and how.
fn ending(word: &str) -> Option<Option<Ending>> {
    Some(match word {
        "1-0" => Some(Ending::Won(Color::White)),
        "0-1" => Some(Ending::Won(Color::Black)),
        "1/2-1/2" | "1/2" => Some(Ending::Drawn),
        "*" => None,
        _ => return None,
    })
}

/// Takes `12.`, `12...` or `...` off the front. Castling with zeros has no dots.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.starts_with('.') || rest.is_empty() {
        true => rest.trim_start_matches('.'),
        false => word,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Game> {
        Reader::new(text.as_bytes()).map(|game| game.unwrap()).collect()
    }

    fn sans(game: &Game) -> String {
        let mut board = game.start.clone();
        let mut sans = Vec::new();
        for &mv in &game.moves {
            sans.push(board.san(mv));
            board.make(mv);
        }
        sans.join(" ")
    }

    #[test]
    fn reads_what_people_call_pgn() {
        for (text, moves, ending) in [
            ("1. e4 e5 2. Nf3 Nc6 1/2-1/2", "e4 e5 Nf3 Nc6", Some(Ending::Drawn)),
            ("1.e4 e5 2.Nf3 *", "e4 e5 Nf3", None),
            (
                "1. e4 { a [%clk 0:1] ) comment } e5 ; to the end ) 2. d4\n2. d3 0-1",
                "e4 e5 d3",
                Some(Ending::Won(Color::Black)),
            ),
            (
                "1. e4 (1. d4 d5 (1... Nf6) 2. c4) 1... e5!? $13 +- 1-0",
                "e4 e5",
                Some(Ending::Won(Color::White)),
            ),
            (
                "% no move\n1. e2e4 e7-e5 2. Ng1-f3 Nc6 3. Bb5 Nf6 4. 0-0 Nxe4!! 1-0",
                "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
                Some(Ending::Won(Color::White)),
            ),
            (
                "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4#",
                "f3 e5 g4 Qh4#",
                Some(Ending::Won(Color::Black)),
            ),
            ("\u{feff}[Event \"x\"]\r\n\r\n1. e4\r\n1... c5\r\n*", "e4 c5", None),
            (
                "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n1. a8Q+ Kd7 2. Qb7+ *",
                "a8=Q+ Kd7 Qb7+",
                None,
            ),
            ("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n1. exd6 e.p. Kd7 *", "exd6 Kd7", None),
        ] {
            let games = games(text);
            assert_eq!(games.len(), 1, "{text}");
            assert_eq!(games[0].problem, None, "{text}");
            assert_eq!((sans(&games[0]).as_str(), games[0].ending), (moves, ending), "{text}");
        }
    }

    #[test]
    fn tells_games_apart() {
        let text = "[White \"A \\\"x\\\" B\"]\n[Black \"C\"]\n\n1. e4 *\n\n[White \"D\"]\n1. d4 d5\n\
            [White \"E\"]\n[Result \"1-0\"]\n\n1-0\n1. c4 1/2-1/2\n\n\n";
        let games = games(text);
        let whites: Vec<_> = games.iter().map(|game| game.tag("White")).collect();
        assert_eq!(whites, [Some("A \"x\" B"), Some("D"), Some("E"), None]);
        assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4", "d4 d5", "", "c4"]);
        assert_eq!(games[2].ending, Some(Ending::Won(Color::White)));
    }

    #[test]
    fn says_where_a_game_goes_wrong() {
        let illegal = games("1. e4 e5 2. Ke3 Nc6 1-0 1. d4 *");
        assert_eq!(sans(&illegal[0]), "e4 e5");
        assert!(matches!(illegal[0].problem, Some(PgnError::Move { ply: 3, .. })));
        assert_eq!((sans(&illegal[1]).as_str(), &illegal[1].problem), ("d4", &None));
        let start = games("[FEN \"8/8 w\"]\n1. e4 *");
        assert!(matches!(start[0].problem, Some(PgnError::Start(_))));
        assert!(start[0].moves.is_empty());
        assert_eq!(games("1. e4 { forever")[0].problem, Some(PgnError::OpenComment));
        let null = games("1. e4 -- 2. d4 *");
        assert!(matches!(null[0].problem, Some(PgnError::Move { ply: 2, .. })));
        for nothing in ["", " \n\n", "% a comment", "{ a comment }", "\u{feff}"] {
            assert_eq!(games(nothing).len(), 0, "{nothing:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of moves take too long there")]
    fn a_game_without_end_is_cut() {
        let shuffling = "Nf3 Nf6 Ng1 Ng8 ".repeat(3_000);
        let long = games(&shuffling);
        assert_eq!(
            (long[0].moves.len(), &long[0].problem),
            (LONGEST_GAME, &Some(PgnError::TooLong))
        );
    }
}
