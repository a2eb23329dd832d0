//! Reading and writing positions.
//!
//! Text becomes an unchecked [`Setup`], and a setup becomes a [`Board`] only if
//! the position is one the rules can handle. Each way to fail has its own error.

use super::{Board, StateInfo, attacks, zobrist};
use crate::types::{
    Bitboard, Black, CastlingRights, Color, File, Piece, Rank, Side, Square, White, Wing,
};
use std::fmt;
use thiserror::Error;

/// What is wrong with a FEN, naming the offending part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    #[error("the FEN is empty")]
    Empty,
    #[error("the FEN ends before the {0} field")]
    MissingField(&'static str),
    #[error("the board has {0} ranks instead of 8")]
    RankCount(usize),
    #[error("rank {rank} is \"{text}\", which is {width} squares wide instead of 8")]
    RankWidth { rank: char, text: String, width: usize },
    #[error("rank {rank} contains '{letter}', which is neither a piece nor a digit from 1 to 8")]
    UnknownPiece { rank: char, letter: char },
    #[error("rank {rank} has two numbers in a row in \"{text}\"")]
    AdjacentNumbers { rank: char, text: String },
    #[error("the side to move is \"{0}\" instead of w or b")]
    SideToMove(String),
    #[error("the castling field \"{field}\" contains '{letter}', which is not a castling right")]
    CastlingLetter { field: String, letter: char },
    #[error("the castling field \"{field}\" names the same right twice with '{letter}'")]
    CastlingDuplicate { field: String, letter: char },
    #[error("castling right '{letter}': the {color} king is not on its back rank")]
    CastlingKing { letter: char, color: Color },
    #[error("castling right '{letter}': there is no {color} rook it could mean")]
    CastlingRook { letter: char, color: Color },
    #[error("the en passant field \"{0}\" is neither a square nor -")]
    EnPassantSquare(String),
    #[error("en passant on {0} is impossible: with {1} to move it must be on rank {2}")]
    EnPassantRank(Square, Color, char),
    #[error("en passant on {0} is impossible: no {1} pawn can just have passed it")]
    EnPassantPawn(Square, Color),
    #[error("the halfmove clock \"{0}\" is not a number from 0 to {max}", max = u16::MAX)]
    HalfmoveClock(String),
    #[error("the move number \"{0}\" is not a number from 0 to {MAX_FULLMOVE}")]
    FullmoveNumber(String),
    #[error("there is \"{0}\" after the position, which is not an EPD operation")]
    TrailingText(String),
    #[error("{color} has {count} kings instead of one")]
    Kings { color: Color, count: u32 },
    #[error("there is a pawn on {0}, on the first or last rank")]
    PawnOnBackRank(Square),
    #[error("{color} has {count} pawns, more than eight")]
    TooManyPawns { color: Color, count: u32 },
    #[error("{color} has more pieces than its {pawns} pawns leave promotions for")]
    TooManyPieces { color: Color, pawns: u32 },
    #[error("{0} is in check, but it is {to_move}'s turn", to_move = !*.0)]
    OpponentInCheck(Color),
    #[error("{color} is in check from {count} pieces at once, which no move can cause")]
    TooManyCheckers { color: Color, count: u32 },
}

/// Beyond this, moves are not counted.
pub(super) const MAX_FULLMOVE: u32 = 1_000_000;

/// A position as somebody wrote it down: well-formed, but not yet known to be
/// legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    pub pieces: [Option<(Color, Piece)>; Square::COUNT],
    pub side_to_move: Color,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub fullmove_number: u32,
}

/// How castling rights are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastlingStyle {
    /// `KQkq`, and the rook's file where that would name another rook.
    XFen,
    /// The rook's file always: `HAha`.
    Shredder,
}

impl Setup {
    /// An empty board with White to move.
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; Square::COUNT],
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Reads a FEN of four, five or six fields, or the position of an EPD line.
    pub(crate) fn parse(fen: &str) -> Result<Setup, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut field = |name| fields.next().ok_or(FenError::MissingField(name));
        let side_to_move = field("side to move")?;
        let castling = field("castling")?;
        let en_passant = field("en passant")?;

        let mut setup = Setup::empty();
        setup.parse_pieces(board)?;
        setup.side_to_move = match side_to_move {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::SideToMove(other.to_owned())),
        };
        setup.parse_castling(castling)?;
        if en_passant != "-" {
            let square =
                en_passant.parse().map_err(|_| FenError::EnPassantSquare(en_passant.to_owned()))?;
            setup.en_passant = Some(square);
        }

        let rest: Vec<&str> = fields.collect();
        let counters = if is_epd_operations(&rest) { &[] } else { &rest[..] };
        if let Some(&text) = counters.first() {
            let clock = text.parse();
            setup.halfmove_clock = clock.map_err(|_| FenError::HalfmoveClock(text.to_owned()))?;
        }
        if let Some(&text) = counters.get(1)
            && !is_epd_operations(&counters[1..])
        {
            let number: Option<u32> = text.parse().ok().filter(|&number| number <= MAX_FULLMOVE);
            // Some programs count from 0.
            setup.fullmove_number =
                number.ok_or_else(|| FenError::FullmoveNumber(text.to_owned()))?.max(1);
            if let Some(extra) = counters.get(2..)
                && !extra.is_empty()
                && !is_epd_operations(extra)
            {
                return Err(FenError::TrailingText(extra.join(" ")));
            }
        }
        Ok(setup)
    }

    fn parse_pieces(&mut self, board: &str) -> Result<(), FenError> {
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != Rank::COUNT {
            return Err(FenError::RankCount(ranks.len()));
        }
        for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
            let mut width = 0;
            let mut after_number = false;
            for letter in text.chars() {
                let number = letter.to_digit(10).filter(|digit| (1..=8).contains(digit));
                if let Some(number) = number {
                    if after_number {
                        let text = text.to_owned();
                        return Err(FenError::AdjacentNumbers { rank: rank.digit(), text });
                    }
                    width += number as usize;
                } else {
                    let piece = Piece::from_letter(letter)
                        .ok_or(FenError::UnknownPiece { rank: rank.digit(), letter })?;
                    let color =
                        if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    if let Some(file) = File::from_index(width) {
                        self.pieces[Square::new(file, rank).index()] = Some((color, piece));
                    }
                    width += 1;
                }
                after_number = number.is_some();
            }
            if width != File::COUNT {
                let text = text.to_owned();
                return Err(FenError::RankWidth { rank: rank.digit(), text, width });
            }
        }
        Ok(())
    }

    fn parse_castling(&mut self, field: &str) -> Result<(), FenError> {
        if field == "-" {
            return Ok(());
        }
        for letter in field.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let file = match letter.to_ascii_lowercase() {
                'k' => self.outermost_rook(letter, color, Wing::King)?,
                'q' => self.outermost_rook(letter, color, Wing::Queen)?,
                other => File::from_letter(other)
                    .ok_or_else(|| FenError::CastlingLetter { field: field.to_owned(), letter })?,
            };
            let king = self.castling_king(letter, color)?;
            let wing = Wing::of_rook(king, file);
            let taken = |other| Wing::of_rook(king, other) == wing;
            if self.castling.files(color).any(taken) {
                return Err(FenError::CastlingDuplicate { field: field.to_owned(), letter });
            }
            if !self.has(Square::new(file, color.back_rank()), color, Piece::Rook) {
                return Err(FenError::CastlingRook { letter, color });
            }
            self.castling = self.castling.with(color, file);
        }
        Ok(())
    }

    fn castling_king(&self, letter: char, color: Color) -> Result<File, FenError> {
        File::ALL
            .into_iter()
            .find(|&file| self.has(Square::new(file, color.back_rank()), color, Piece::King))
            .ok_or(FenError::CastlingKing { letter, color })
    }

    /// The rook that a plain `K` or `Q` means.
    fn outermost_rook(&self, letter: char, color: Color, wing: Wing) -> Result<File, FenError> {
        let king = self.castling_king(letter, color)?;
        let is_rook = |&file: &File| {
            file != king
                && Wing::of_rook(king, file) == wing
                && self.has(Square::new(file, color.back_rank()), color, Piece::Rook)
        };
        let rook = match wing {
            Wing::King => File::ALL.into_iter().rev().find(is_rook),
            Wing::Queen => File::ALL.into_iter().find(is_rook),
        };
        rook.ok_or(FenError::CastlingRook { letter, color })
    }

    fn has(&self, square: Square, color: Color, piece: Piece) -> bool {
        self.pieces[square.index()] == Some((color, piece))
    }

    fn count(&self, color: Color, piece: Piece) -> u32 {
        let of_kind = self.pieces.iter().filter(|&&entry| entry == Some((color, piece)));
        of_kind.count() as u32
    }

    /// More material than any game can produce; it would also overflow move lists.
    fn check_material(&self, color: Color) -> Result<(), FenError> {
        let kings = self.count(color, Piece::King);
        if kings != 1 {
            return Err(FenError::Kings { color, count: kings });
        }
        let pawns = self.count(color, Piece::Pawn);
        if pawns > 8 {
            return Err(FenError::TooManyPawns { color, count: pawns });
        }
        let original =
            [(Piece::Knight, 2), (Piece::Bishop, 2), (Piece::Rook, 2), (Piece::Queen, 1)];
        let promoted: u32 = original
            .into_iter()
            .map(|(piece, count)| self.count(color, piece).saturating_sub(count))
            .sum();
        if pawns + promoted > 8 {
            return Err(FenError::TooManyPieces { color, pawns });
        }
        Ok(())
    }

    /// Every right needs its king on the back rank and its rook.
    fn check_castling(&self, color: Color) -> Result<(), FenError> {
        for file in self.castling.files(color) {
            let letter = file.letter();
            self.castling_king(letter, color)?;
            if !self.has(Square::new(file, color.back_rank()), color, Piece::Rook) {
                return Err(FenError::CastlingRook { letter, color });
            }
        }
        Ok(())
    }

    /// Whether a pawn can just have made a double step over `target`.
    fn check_en_passant(&self, target: Square) -> Result<(), FenError> {
        let them = !self.side_to_move;
        let rank = Rank::Third.relative_to(them);
        if target.rank() != rank {
            return Err(FenError::EnPassantRank(target, self.side_to_move, rank.digit()));
        }
        let pawn = target.en_passant_victim();
        let origin = Square::new(target.file(), Rank::Second.relative_to(them));
        let is_empty = |square: Square| self.pieces[square.index()].is_none();
        if is_empty(target) && is_empty(origin) && self.has(pawn, them, Piece::Pawn) {
            Ok(())
        } else {
            Err(FenError::EnPassantPawn(target, them))
        }
    }
}

/// Opcodes start with a letter and the last operation ends with a semicolon; a
/// line may also have been cut into `;`-separated parts already.
fn is_epd_operations(words: &[&str]) -> bool {
    let first = words.first().and_then(|word| word.chars().next());
    let last = words.last().is_some_and(|word| word.ends_with(';'));
    first.is_some_and(|letter| letter == ';' || letter.is_ascii_alphabetic() && last)
}

impl TryFrom<&Setup> for Board {
    type Error = FenError;

    fn try_from(setup: &Setup) -> Result<Board, FenError> {
        for color in Color::ALL {
            setup.check_material(color)?;
            setup.check_castling(color)?;
        }
        let us = setup.side_to_move;
        let mut board = Board {
            pieces: [Bitboard::EMPTY; Piece::COUNT],
            colors: [Bitboard::EMPTY; Color::COUNT],
            mailbox: [None; Square::COUNT],
            side_to_move: us,
            first_ply: (setup.fullmove_number.clamp(1, MAX_FULLMOVE) - 1) * 2 + us as u32,
            states: Vec::new(),
        };
        let mut state = StateInfo {
            key: zobrist::castling_change(CastlingRights::NONE, setup.castling),
            pawn_key: 0,
            non_pawn_keys: [0; Color::COUNT],
            checkers: Bitboard::EMPTY,
            diagonal_pins: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
            castling: setup.castling,
            halfmove_clock: setup.halfmove_clock,
            plies_from_null: 0,
            en_passant: None,
            captured: None,
        };
        if us == Color::Black {
            state.key ^= zobrist::BLACK_TO_MOVE;
        }
        for square in Square::ALL {
            if let Some((color, piece)) = setup.pieces[square.index()] {
                board.toggle(&mut state, color, piece, square);
                board.mailbox[square.index()] = Some(piece);
            }
        }
        match us {
            Color::White => board.finish_setup::<White>(setup, &mut state)?,
            Color::Black => board.finish_setup::<Black>(setup, &mut state)?,
        }
        board.states.push(state);
        Ok(board)
    }
}

impl Board {
    /// Reads a FEN or the position of an EPD line.
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        Board::try_from(&Setup::parse(fen)?)
    }

    /// What can only be judged, and computed, with the pieces in place.
    fn finish_setup<S: Side>(&self, setup: &Setup, state: &mut StateInfo) -> Result<(), FenError> {
        if let Some(square) = (self.pieces(Piece::Pawn) & Bitboard::BACK_RANKS).first() {
            return Err(FenError::PawnOnBackRank(square));
        }
        if self.is_attacked_by::<S>(self.king(S::Opponent::COLOR)) {
            return Err(FenError::OpponentInCheck(S::Opponent::COLOR));
        }
        self.set_checks::<S>(state);
        let count = state.checkers.count();
        if count > 2 {
            return Err(FenError::TooManyCheckers { color: S::COLOR, count });
        }
        if let Some(target) = setup.en_passant {
            setup.check_en_passant(target)?;
            let capturers = attacks::pawn(S::Opponent::COLOR, target)
                & self.colored_pieces(S::COLOR, Piece::Pawn);
            if self.en_passant_is_legal::<S>(target, capturers) {
                state.set_en_passant(target);
            }
        }
        Ok(())
    }

    /// The position as a FEN of six fields, castling rights in X-FEN style.
    pub fn fen(&self) -> String {
        self.fen_with(CastlingStyle::XFen)
    }

    pub fn fen_with(&self, style: CastlingStyle) -> String {
        let mut fen = String::with_capacity(90);
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0u8;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match (self.piece_at(square), self.color_at(square)) {
                    (Some(piece), Some(color)) => {
                        if gap > 0 {
                            fen.push((b'0' + gap) as char);
                        }
                        gap = 0;
                        fen.push(piece.fen_letter(color));
                    }
                    _ => gap += 1,
                }
            }
            if gap > 0 {
                fen.push((b'0' + gap) as char);
            }
            fen.push(if rank == Rank::First { ' ' } else { '/' });
        }
        fen.push(self.side_to_move.letter());
        fen.push(' ');
        self.push_castling(&mut fen, style);
        match self.state().en_passant {
            Some(square) => fen.push_str(&format!(" {square} ")),
            None => fen.push_str(" - "),
        }
        fen.push_str(&format!("{} {}", self.state().halfmove_clock, self.fullmove_number()));
        fen
    }

    fn push_castling(&self, fen: &mut String, style: CastlingStyle) {
        if self.state().castling.is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            let king = self.king(color).file();
            let rooks = self.colored_pieces(color, Piece::Rook) & Bitboard::rank(color.back_rank());
            let mut files: Vec<File> = self.state().castling.files(color).collect();
            files.reverse();
            for file in files {
                let wing = Wing::of_rook(king, file);
                let is_outermost = rooks.into_iter().map(Square::file).all(|other| match wing {
                    Wing::King => other <= file,
                    Wing::Queen => other >= file,
                });
                let letter = match wing {
                    _ if style == CastlingStyle::Shredder || !is_outermost => file.letter(),
                    Wing::King => 'k',
                    Wing::Queen => 'q',
                };
                fen.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
    }

    /// Whether every castling right left is that of orthodox chess: king on the
    /// e-file, rook in the corner. If not, castling can only be written in the
    /// Chess960 way.
    pub(crate) fn castling_is_orthodox(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            self.state()
                .castling
                .files(color)
                .all(|file| self.king(color).file() == File::E && matches!(file, File::A | File::H))
        })
    }
}

impl fmt::Display for Board {
    /// A diagram with coordinates, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "  +---+---+---+---+---+---+---+---+\n";
        f.write_str(RULE)?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} |", rank.digit())?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = match (self.piece_at(square), self.color_at(square)) {
                    (Some(piece), Some(color)) => piece.fen_letter(color),
                    _ => ' ',
                };
                write!(f, " {letter} |")?;
            }
            f.write_str("\n")?;
            f.write_str(RULE)?;
        }
        f.write_str("    a   b   c   d   e   f   g   h\n\n")?;
        writeln!(f, "Fen: {}", self.fen())?;
        writeln!(f, "Key: {:016X}", self.key())?;
        let checkers: Vec<String> = self.checkers().into_iter().map(|s| s.to_string()).collect();
        write!(f, "Checkers: {}", checkers.join(" "))
    }
}
