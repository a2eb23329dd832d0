//! When the opening book is probed, and playing its moves.

use super::event::Event;
use super::{Engine, Problem};
use crate::board::Board;
use crate::book::{self, Book, BookMove, Choice};
use crate::eval::{evaluate, win_draw_loss};
use crate::search::event::{Info, SearchResult};
use crate::time::Limits;
use crate::types::{Bound, Move};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Opening {
    book: Option<Book>,
    dice: Xoshiro256PlusPlus,
}

impl Default for Opening {
    /// No book, and a new seed every time, so that games differ.
    fn default() -> Opening {
        let seed = RandomState::new().hash_one("dice");
        Opening { book: None, dice: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Opening {
    /// Takes the book in this file; no name means none. What was there stays if the
    /// file is not a book.
    pub(super) fn load(&mut self, file: &str) -> Result<(), Problem> {
        let bad = |error: book::BookError| Problem::BadOption {
            name: "BookFile".to_owned(),
            reason: error.to_string(),
        };
        self.book = match file {
            "" => None,
            file => Some(Book::open(Path::new(file)).map_err(bad)?),
        };
        Ok(())
    }
}

impl Engine {
    /// The book's move for the current position under these limits, if we are to play
    /// by the book: never in analysis.
    pub(super) fn book_move(&mut self, limits: &Limits) -> Option<SearchResult> {
        let analysis = limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || self.options.analyse_mode
            || self.options.multi_pv > 1;
        if analysis || !self.plays_by_the_book(self.position.board()) {
            return None;
        }
        let allowed = |it: &BookMove| {
            (limits.search_moves.is_empty() || limits.search_moves.contains(&it.mv))
                && !limits.exclude_moves.contains(&it.mv)
        };
        let board = self.position.board();
        let book = self.opening.book.as_ref()?;
        let mut moves = book.moves(board, self.position.last_move());
        moves.retain(allowed);
        let choice = if self.options.book_best { Choice::Best } else { Choice::Weighted };
        let mv = book::choose(&moves, choice, &mut self.opening.dice)?;
        let mut next = board.clone();
        next.make(mv);
        let reply = book.moves(&next, Some(mv)).first().map(|it| it.mv);
        let score = -evaluate(&next);
        Some(SearchResult { best: Some(mv), ponder: reply, score, depth: 0, nodes: 0 })
    }

    /// Whether the book has an answer to a move in the current position, so that
    /// nothing has to be thought about beforehand.
    pub(super) fn book_answers(&self, mv: Move) -> bool {
        let mut next = self.position.board().clone();
        next.make(mv);
        let moves = self.opening.book.as_ref().map(|book| book.moves(&next, Some(mv)));
        self.plays_by_the_book(&next)
            && moves.is_some_and(|moves| moves.iter().any(|it| it.weight > 0))
    }

    fn plays_by_the_book(&self, board: &Board) -> bool {
        self.options.own_book
            && self.opening.book.is_some()
            && board.fullmove_number() <= self.options.book_depth
    }

    /// Shows a book move as if it had been thought about, for clients that want to
    /// see a line before every move.
    pub(super) fn show_book_move(&mut self, outcome: &SearchResult) -> io::Result<()> {
        let Some(mv) = outcome.best.filter(|_| self.play.shows_thinking()) else {
            return Ok(());
        };
        let info = Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: outcome.score,
            bound: Bound::Exact,
            wdl: win_draw_loss(outcome.score),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: std::iter::once(mv).chain(outcome.ponder).collect(),
        };
        let board = self.position.board().clone_without_history();
        let context = self.context();
        self.emit(&Event::Remark(&format!("book move {}", board.san(mv))))?;
        self.emit(&Event::Thinking { info: &info, root: &board, context })
    }

    /// xboard's `bk`: what the book says about the position.
    pub(super) fn show_book(&mut self) -> io::Result<()> {
        let board = self.position.board();
        let lines = match &self.opening.book {
            None => Vec::new(),
            Some(book) => {
                let moves = book.moves(board, self.position.last_move());
                match moves.is_empty() {
                    true => vec!["no book moves here".to_owned()],
                    false => book::describe(board, &moves),
                }
            }
        };
        self.emit(&Event::Book(&lines))
    }
}
