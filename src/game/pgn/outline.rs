//! Where the games of a file begin and what their tags say, without following a move: for
//! lists of very many games.

use super::notes;
use super::read::without_number;
use super::scan::{Scanner, Token};
use crate::game::GameResult;
use std::io::{self, BufRead};

/// A game as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The byte it begins at.
    pub offset: u64,
    pub tags: Vec<(String, String)>,
    pub result: Option<GameResult>,
    /// Half-moves, if all of them are moves.
    pub plies: usize,
}

impl Outline {
    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// Goes through the games of a source.
#[derive(Debug)]
pub struct Outlines<R> {
    scanner: Scanner<R>,
}

impl<R: BufRead> Outlines<R> {
    pub fn new(source: R) -> Outlines<R> {
        Outlines { scanner: Scanner::new(source, false) }
    }

    fn read(&mut self) -> io::Result<Option<Outline>> {
        loop {
            let mut begin = None;
            let (mut tags, mut result, mut plies) = (Vec::new(), None, 0);
            let (mut depth, mut in_moves, mut over) = (0_usize, false, false);
            while !over {
                let token = self.scanner.token(in_moves)?;
                match token {
                    Token::GameOver => break,
                    Token::Tag(tag) => tags.extend(tag),
                    Token::Open => (depth, in_moves) = (depth + 1, true),
                    Token::Close => depth = depth.saturating_sub(1),
                    Token::Word(word) => {
                        in_moves = true;
                        let said = GameResult::parse(&word);
                        if depth == 0 {
                            over = said.is_some() || word == "*";
                            result = said.or(result);
                            plies += usize::from(!over && is_move(&word));
                        }
                    }
                    Token::Comment(_) | Token::Unclosed => continue,
                }
                begin.get_or_insert(self.scanner.token_offset);
            }
            if let Some(offset) = begin
                && (over || plies > 0 || !tags.is_empty())
            {
                let tagged = tags.iter().find(|(name, _)| name == "Result");
                let result = result.or(tagged.and_then(|(_, value)| GameResult::parse(value)));
                return Ok(Some(Outline { offset, tags, result, plies }));
            }
            if self.scanner.is_at_end()? {
                return Ok(None);
            }
        }
    }
}

impl<R: BufRead> Iterator for Outlines<R> {
    type Item = io::Result<Outline>;

    fn next(&mut self) -> Option<io::Result<Outline>> {
        self.read().transpose()
    }
}

fn is_move(word: &str) -> bool {
    let text = without_number(word);
    let glyph = notes::glyph(text).is_some() || matches!(text, "e.p." | "ep");
    !glyph && text.starts_with(|c: char| c.is_alphabetic() || c == '0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::pgn::{Detail, Reader};

    #[test]
    fn tells_the_same_games_apart_as_the_reader() {
        let text = "\u{feff}[White \"A \\\"x\\\" B\"]\n[Black \"M\u{fc}\"]\n\n1. e4 (1. d4 d5 1-0) e5! $14 2.0-0 1-0\n\
            \n; note\n[White \"D\"]\n1.d4 {a [ ] 1-0 comment} d5\n[White \"E\"]\n[Result \"1-0\"]\n\n\n\
            [Event \"F\"]\n\n1-0 1. c4 1/2-1/2\n* {x}\n\n";
        let outlines: Vec<Outline> =
            Outlines::new(text.as_bytes()).map(|outline| outline.expect("memory")).collect();
        let games: Vec<_> = Reader::new(text.as_bytes(), Detail::MainLine)
            .map(|game| game.expect("memory").game)
            .collect();
        assert_eq!(outlines.len(), games.len());
        for (outline, game) in outlines.iter().zip(&games) {
            assert_eq!(outline.tag("White"), game.tag("White"));
            assert_eq!(outline.result, game.result, "{outline:?}");
            let from = &text.as_bytes()[outline.offset as usize..];
            let again = Reader::new(from, Detail::MainLine).next();
            assert_eq!(again.expect("a game").expect("memory").game, *game, "{outline:?}");
        }
        let plies: Vec<_> = outlines.iter().map(|outline| outline.plies).collect();
        assert_eq!(plies, [3, 2, 0, 1, 0]);
    }
}
