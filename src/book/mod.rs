//! Opening books in Polyglot's format: moves that are known to be good, by the
//! key of the position they are for.
//!
//! A file is a sorted array of 16-byte entries, all numbers big-endian: the key,
//! the move, its weight, and 32 bits for learning that nobody uses. The numbers
//! behind the keys belong to the format; they come from the `shakmaty` crate.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod format;
mod make;

pub use format::{BookEntry, key};
pub(crate) use make::{Maker, Selection};

use crate::board::Board;
use crate::files;
use crate::types::Move;
use rand_xoshiro::rand_core::Rng;
use std::io;
use std::path::Path;
use thiserror::Error;

/// Larger files are no books: the largest known ones have a few hundred megabytes.
const LARGEST: u64 = 1 << 30;

#[derive(Debug, Error)]
pub enum BookError {
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    #[error("{path} is not a Polyglot book: its {size} bytes are not a number of 16-byte entries")]
    Size { path: String, size: usize },
    #[error("{0} is not a Polyglot book: it is empty")]
    Empty(String),
    #[error("{path} is not a Polyglot book: entry {number} is not in order")]
    Order { path: String, number: usize },
}

/// A move the book has for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// How good it is beside the others; 0 means it must not be played.
    pub weight: u16,
}

/// How to choose among the moves of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Always the one with the largest weight.
    Best,
    /// Any one, the likelier the larger its weight.
    Weighted,
}

/// A book in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// Sorted by key, and never empty.
    entries: Vec<BookEntry>,
}

impl Book {
    /// Reads a whole book, unless it is none.
    pub(crate) fn open(path: &Path) -> Result<Book, BookError> {
        let name = path.display().to_string();
        let bytes = files::read(path, LARGEST)
            .map_err(|source| BookError::File { path: name.clone(), source })?;
        Book::parse(&bytes, &name)
    }

    /// Reads a book from memory; `name` is for complaints.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Book, BookError> {
        let path = || name.to_owned();
        let (chunks, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BookError::Size { path: path(), size: bytes.len() });
        }
        if chunks.is_empty() {
            return Err(BookError::Empty(path()));
        }
        let entries: Vec<BookEntry> = chunks.iter().map(BookEntry::from_bytes).collect();
        // The search by key relies on this, and no other file is likely to pass.
        match entries.iter().zip(entries.iter().skip(1)).position(|(a, b)| a.key > b.key) {
            Some(index) => Err(BookError::Order { path: path(), number: index + 2 }),
            None => Ok(Book { entries }),
        }
    }

    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// The legal moves the book has for a position, the best first. `last` is the
    /// move that led to it, if known.
    pub fn moves(&self, board: &Board, last: Option<Move>) -> Vec<BookMove> {
        let key = key(board, last);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.entries.iter().skip(first).take_while(|entry| entry.key == key) {
            let Some(mv) = entry.legal_move(board) else { continue };
            if moves.iter().all(|known| known.mv != mv) {
                moves.push(BookMove { mv, weight: entry.weight });
            }
        }
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        moves
    }
}

/// Chooses among moves sorted by weight, leaving out those that must not be played.
pub fn choose(moves: &[BookMove], choice: Choice, dice: &mut impl Rng) -> Option<Move> {
    let total: u64 = moves.iter().map(|it| u64::from(it.weight)).sum();
    if total == 0 {
        return None;
    }
    let mut left = match choice {
        Choice::Best => 0,
        Choice::Weighted => dice.next_u64() % total,
    };
    let chosen = moves.iter().find(|it| {
        let weight = u64::from(it.weight);
        let is_it = left < weight;
        left = left.saturating_sub(weight);
        is_it
    });
    chosen.map(|it| it.mv)
}

/// Each move with its share of the total weight, for people.
pub fn describe(board: &Board, moves: &[BookMove]) -> Vec<String> {
    let total: u64 = moves.iter().map(|it| u64::from(it.weight)).sum();
    let line = |it: &BookMove| {
        let share = 100.0 * f64::from(it.weight) / total.max(1) as f64;
        format!("{:<7} {share:5.1} %  weight {}", board.san(it.mv), it.weight)
    };
    moves.iter().map(line).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    fn book(entries: &[BookEntry]) -> Book {
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        Book::parse(&bytes, "test").unwrap()
    }

    fn entry(board: &Board, text: &str, weight: u16) -> BookEntry {
        BookEntry::new(board, None, board.parse_move(text).unwrap(), weight)
    }

    #[test]
    fn finds_legal_moves_by_weight() {
        let board = Board::startpos();
        let other = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let mut entries = vec![
            entry(&board, "d4", 20),
            entry(&board, "e4", 60),
            entry(&board, "a3", 0),
            BookEntry { mv: 0x0FFF, ..entry(&board, "h3", 9) },
            entry(&other, "e3", 1),
        ];
        entries.sort_by_key(|entry| entry.key);
        let book = book(&entries);
        let found = book.moves(&board, None);
        let texts: Vec<String> = found.iter().map(|it| board.san(it.mv)).collect();
        assert_eq!(texts, ["e4", "d4", "a3"]);
        assert_eq!(describe(&board, &found)[0], "e4       75.0 %  weight 60");
        assert_eq!(book.moves(&other, None).len(), 1);
        let nowhere = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        assert!(book.moves(&nowhere, None).is_empty());

        let mut dice = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0; 3];
        for _ in 0..8_000 {
            let mv = choose(&found, Choice::Weighted, &mut dice).unwrap();
            counts[found.iter().position(|it| it.mv == mv).unwrap()] += 1;
            assert_eq!(choose(&found, Choice::Best, &mut dice), Some(found[0].mv));
        }
        assert!((5_800..6_200).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
        assert_eq!(choose(&found[2..], Choice::Weighted, &mut dice), None);
        assert_eq!(choose(&[], Choice::Best, &mut dice), None);
    }

    #[test]
    fn refuses_what_is_no_book() {
        let whole = entry(&Board::startpos(), "e4", 1).to_bytes();
        assert!(matches!(Book::parse(&[], "x"), Err(BookError::Empty(_))));
        assert!(matches!(Book::parse(&whole[..15], "x"), Err(BookError::Size { size: 15, .. })));
        let unsorted = [whole, [0; 16]].concat();
        assert!(matches!(Book::parse(&unsorted, "x"), Err(BookError::Order { number: 2, .. })));
        assert!(matches!(Book::open(Path::new(".")), Err(BookError::File { .. })));
        assert!(matches!(Book::open(Path::new("no such book")), Err(BookError::File { .. })));
    }
}
