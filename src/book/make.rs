//! Making books from games: each move weighs as much as it has scored.

use super::BookEntry;
use crate::game::{Game, GameResult};
use crate::types::Move;
use std::collections::HashMap;

/// Which moves of the games become book moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Half-moves of each game that count.
    pub(crate) max_ply: usize,
    /// In how many games a move must have been played.
    pub(crate) min_games: u32,
}

/// Collects the moves of games.
#[derive(Debug)]
pub(crate) struct Maker {
    selection: Selection,
    /// By key and encoded move.
    moves: HashMap<(u64, u16), MoveTally>,
}

/// What has become of a move.
#[derive(Debug, Default, Clone, Copy)]
struct MoveTally {
    games: u32,
    /// Two for a win of the side that played it, one for a draw.
    half_points: u32,
}

impl Maker {
    pub(crate) fn new(selection: Selection) -> Maker {
        Maker { selection, moves: HashMap::new() }
    }

    /// Takes in a game. One without a result counts as drawn.
    pub(crate) fn add(&mut self, game: &Game) {
        let mut board = game.start().clone();
        let mut last: Option<Move> = None;
        for mv in game.moves().take(self.selection.max_ply) {
            let entry = BookEntry::new(&board, last, mv, 0);
            let record = self.moves.entry((entry.key, entry.mv)).or_default();
            record.games = record.games.saturating_add(1);
            let won = GameResult::win(board.side_to_move());
            record.half_points = record.half_points.saturating_add(match game.result {
                Some(result) if result == won => 2,
                Some(GameResult::Draw) | None => 1,
                Some(_) => 0,
            });
            board.make(mv);
            last = Some(mv);
        }
    }

    /// The entries, in the order of the format: by key, then the best first. Moves
    /// that never scored are left out.
    pub(crate) fn entries(&self) -> Vec<BookEntry> {
        let mut best: HashMap<u64, u32> = HashMap::new();
        let wanted =
            |record: &MoveTally| record.games >= self.selection.min_games && record.half_points > 0;
        for (&(key, _), record) in self.moves.iter().filter(|(_, record)| wanted(record)) {
            let best = best.entry(key).or_default();
            *best = record.half_points.max(*best);
        }
        let mut entries: Vec<BookEntry> = self
            .moves
            .iter()
            .filter(|(_, record)| wanted(record))
            .map(|(&(key, mv), record)| {
                let best = best.get(&key).copied().unwrap_or(0);
                BookEntry { key, mv, weight: weight(record.half_points, best), learn: 0 }
            })
            .collect();
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
        entries
    }
}

/// Half-points as they are, unless the best move of the position has more than fit
/// into 16 bits.
fn weight(half_points: u32, best: u32) -> u16 {
    let largest = u64::from(u16::MAX);
    let scaled = u64::from(half_points) * largest / u64::from(best).max(largest);
    scaled.clamp(1, largest) as u16
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::testing::played;
    use crate::book::Book;
    use crate::game::pgn::{Detail, Reader};

    fn make(text: &str, selection: Selection) -> Book {
        let mut maker = Maker::new(selection);
        Reader::new(text.as_bytes(), Detail::MainLine)
            .for_each(|parsed| maker.add(&parsed.unwrap().game));
        let bytes: Vec<u8> = maker.entries().into_iter().flat_map(BookEntry::to_bytes).collect();
        Book::parse(&bytes, "made").unwrap()
    }

    const GAMES: &str =
        "1. e4 e5 2. Nf3 1-0  1. e4 c5 1/2-1/2  1. e4 d5 0-1  1. d4 d5 1-0 1. c4 0-1";

    fn weights(book: &Book, moves: &str) -> Vec<(String, u16)> {
        let (board, last) = played(Board::START_FEN, moves);
        book.moves(&board, last).iter().map(|it| (board.san(it.mv), it.weight)).collect()
    }

    #[test]
    fn moves_weigh_what_they_scored() {
        let book = make(GAMES, Selection { max_ply: 2, min_games: 1 });
        let owned = |name: &str, weight| (name.to_owned(), weight);
        assert_eq!(weights(&book, ""), [owned("e4", 3), owned("d4", 2)]);
        assert_eq!(weights(&book, "e4"), [owned("d5", 2), owned("c5", 1)]);
        assert_eq!(weights(&book, "e4 e5"), []);
        let book = make(GAMES, Selection { max_ply: 9, min_games: 2 });
        assert_eq!(book.entries().len(), 1);
    }

    #[test]
    fn large_weights_keep_their_proportion() {
        assert_eq!([weight(5, 10), weight(65_535, 65_535)], [5, 65_535]);
        assert_eq!([weight(131_070, 131_070), weight(65_535, 131_070)], [65_535, 32_767]);
        assert_eq!(weight(1, u32::MAX), 1);
    }
}
