//! From bytes to words. What people call PGN differs a lot, so this forgives whatever
//! does not change the moves.

use std::io::{self, BufRead};

/// A tag's name or value, a comment, and a move longer than this are cut.
const LONGEST_TEXT: usize = 1 << 16;
const LONGEST_COMMENT: usize = 1 << 20;
const LONGEST_WORD: usize = 64;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `None` where it does not look like `[Name "value"]`.
    Tag(Option<(String, String)>),
    Comment(String),
    Word(String),
    /// A variation begins or ends.
    Open,
    Close,
    /// A comment that never ends.
    Unclosed,
    /// The tags of another game follow, or nothing.
    GameOver,
}

#[derive(Debug)]
pub(super) struct Scanner<R> {
    source: R,
    at_line_start: bool,
    at_file_start: bool,
    /// Collect the text of comments.
    comments: bool,
    line: usize,
    /// Where the last token began.
    pub(super) token_line: usize,
    /// Bytes left behind.
    offset: u64,
    pub(super) token_offset: u64,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(source: R, comments: bool) -> Scanner<R> {
        Scanner {
            source,
            at_line_start: true,
            at_file_start: true,
            comments,
            line: 1,
            token_line: 1,
            offset: 0,
            token_offset: 0,
        }
    }

    /// The next word of a game. Tags come before its moves.
    pub(super) fn token(&mut self, in_moves: bool) -> io::Result<Token> {
        if std::mem::replace(&mut self.at_file_start, false) {
            self.skip_byte_order_mark()?;
        }
        while let Some(byte) = self.peek()? {
            let at_line_start = self.at_line_start;
            (self.token_line, self.token_offset) = (self.line, self.offset);
            match byte {
                b'[' if !in_moves => {
                    self.bump();
                    return self.tag().map(Token::Tag);
                }
                b'[' if at_line_start => return Ok(Token::GameOver),
                b'{' => {
                    self.bump();
                    let text = self.text_until(b'}')?;
                    return Ok(text.map_or(Token::Unclosed, Token::Comment));
                }
                b';' => {
                    self.bump();
                    return Ok(Token::Comment(self.text_until(b'\n')?.unwrap_or_default()));
                }
                b'%' if at_line_start => {
                    self.text_until(b'\n')?;
                }
                b'(' | b')' => {
                    self.bump();
                    return Ok(if byte == b'(' { Token::Open } else { Token::Close });
                }
                _ if is_word(byte) => return self.word().map(Token::Word),
                _ => self.bump(),
            }
        }
        Ok(Token::GameOver)
    }

    /// Whether nothing is left to read.
    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.peek()?.is_none())
    }

    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        for expected in [0xef, 0xbb, 0xbf] {
            if self.peek()? != Some(expected) {
                break;
            }
            self.source.consume(1);
            self.offset += 1;
        }
        Ok(())
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
            self.line += usize::from(byte == b'\n');
            self.source.consume(1);
            self.offset += 1;
        }
    }

    /// What stands before the next such byte, which is left behind, too. A line may end
    /// with the file, a comment may not: `None`.
    fn text_until(&mut self, end: u8) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()? {
            self.bump();
            if byte == end {
                return Ok(Some(text(&bytes)));
            }
            if self.comments && bytes.len() < LONGEST_COMMENT {
                bytes.push(byte);
            }
        }
        Ok((end == b'\n').then(|| text(&bytes)))
    }

    fn word(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| is_word(byte)) {
            if byte == b'$' && !bytes.is_empty() {
                break;
            }
            if bytes.len() < LONGEST_WORD {
                bytes.push(byte);
            }
            self.bump();
        }
        Ok(text(&bytes))
    }

    /// Reads `Name "Value"]` up to the end of the tag or the line.
    fn tag(&mut self) -> io::Result<Option<(String, String)>> {
        let (mut name, mut value) = (Vec::new(), Vec::new());
        let (mut in_value, mut quotes) = (false, 0);
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            self.bump();
            match byte {
                b'"' => {
                    in_value = !in_value;
                    quotes += 1;
                }
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
        let is_name = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let sound = !name.is_empty() && is_name && quotes == 2;
        Ok(sound.then(|| (text(&name), text(&value))))
    }
}

/// What words and moves are made of.
fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !byte.is_ascii_control() && !b"{}()[];<>".contains(&byte)
}

/// UTF-8, or else Latin-1, as old files have it.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}
