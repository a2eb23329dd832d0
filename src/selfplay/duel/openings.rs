//! Where the games of a match begin: positions of a file, or random moves that
//! leave both sides in the game.

use crate::board::{Board, FenError};
use crate::eval::nnue;
use crate::game::judge::automatic;
use crate::search::{Control, Pool, Task};
use crate::selfplay::play::{below, random_moves, random_opening, rng_of};
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;
use std::io;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Clone)]
pub(crate) enum Openings {
    /// Random moves from the start position, or in this many of a thousand games
    /// from one of Chess960.
    Random {
        chess960: u16,
    },
    Book(Vec<Board>),
}

/// Random openings that give one side more than this are not played.
const DECIDED: i32 = 200;
/// How closely they are looked at.
const NODES: u64 = 1_000;
const HASH: usize = 1;
/// Random plies after a position of a book, so that games from it differ; every other
/// one gets one more.
const PLIES_AFTER_BOOK: u64 = 4;
/// A book with this many decided positions in a row is given up.
const MAX_TRIES: usize = 1_000;

#[derive(Debug, Error)]
pub(crate) enum OpeningsError {
    #[error("line {line}: {source}")]
    Line { line: usize, source: FenError },
    #[error("line {0}: the game is over here")]
    Over(usize),
    #[error("it contains no position")]
    Empty,
}

impl Openings {
    /// The positions of an EPD file, one a line; what follows a position is ignored.
    pub(crate) fn parse(text: &str) -> Result<Openings, OpeningsError> {
        let mut boards = Vec::new();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            let counters = fields.iter().skip(4).take(2);
            let is_counter = |field: &&&str| field.bytes().all(|byte| byte.is_ascii_digit());
            let count = 4 + counters.take_while(is_counter).count();
            let position = fields[..count.min(fields.len())].join(" ");
            let board = Board::from_fen(&position)
                .map_err(|source| OpeningsError::Line { line, source })?;
            if automatic(&board).is_some() {
                return Err(OpeningsError::Over(line));
            }
            boards.push(board);
        }
        if boards.is_empty() { Err(OpeningsError::Empty) } else { Ok(Openings::Book(boards)) }
    }

    /// What tells them from others.
    pub(crate) fn identity(&self) -> String {
        match self {
            Openings::Random { chess960 } => format!("random openings, Chess960 {chess960}/1000"),
            Openings::Book(boards) => {
                let fens: String =
                    boards.iter().map(|board| format!("{}\n", board.fen())).collect();
                format!("openings {:08x}", crc32fast::hash(fens.as_bytes()))
            }
        }
    }
}

/// Chooses openings, always with the same evaluation, whoever plays.
#[derive(Debug)]
pub(crate) struct Chooser {
    pool: Pool,
}

impl Chooser {
    pub(crate) fn new() -> io::Result<Chooser> {
        let mut pool = Pool::new(1, &Arc::new(TranspositionTable::new(HASH)?))?;
        pool.set_network(nnue::embedded().as_ref());
        Ok(Chooser { pool })
    }

    /// The opening of pair `index`.
    pub(super) fn choose(&mut self, openings: &Openings, seed: u64, index: u32) -> Board {
        match openings {
            Openings::Book(boards) => book_opening(boards, seed, index).clone(),
            &Openings::Random { chess960 } => {
                let mut rng = rng_of(seed, index);
                loop {
                    if let Some(board) = random_opening(chess960, &mut rng)
                        && !self.is_decided(&board)
                    {
                        return board;
                    }
                }
            }
        }
    }

    /// A start for game `index` of a data generation: a few random moves away from any
    /// book. `None` if all of a thousand tries were decided.
    pub(crate) fn start(&mut self, openings: &Openings, seed: u64, index: u32) -> Option<Board> {
        let Openings::Book(boards) = openings else {
            return Some(self.choose(openings, seed, index));
        };
        let mut rng = rng_of(seed, index);
        for _ in 0..MAX_TRIES {
            let board = boards[below(&mut rng, boards.len())].clone();
            let plies = PLIES_AFTER_BOOK + below(&mut rng, 2) as u64;
            if let Some(board) = random_moves(board, plies, &mut rng)
                && !self.is_decided(&board)
            {
                return Some(board);
            }
        }
        None
    }

    fn is_decided(&mut self, board: &Board) -> bool {
        self.pool.clear();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let control = Arc::new(Control::new(Budget::UNLIMITED));
        let outcome = self.pool.search(Task::new(board.clone(), limits), &control, &mut |_| {});
        outcome.score.0.abs() > DECIDED
    }
}

/// Goes through the whole book before any position comes again, each time in another
/// order.
fn book_opening(boards: &[Board], seed: u64, index: u32) -> &Board {
    let round = index / boards.len() as u32;
    let place = index as usize % boards.len();
    let mut rng = rng_of(seed, round);
    let mut order: Vec<usize> = (0..boards.len()).collect();
    // The beginning of a Fisher-Yates shuffle, as far as it is needed.
    for current in 0..=place {
        let other = current + below(&mut rng, boards.len() - current);
        order.swap(current, other);
    }
    &boards[order[place]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_played_through_before_it_repeats() {
        let text = "# three\n\n8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\n8/8/4k3/8/8/4K3/3P4/8 w - -\n\
                    8/8/4k3/8/8/4K3/2P5/8 w - - hmvc 0; id \"x\";\n";
        let Ok(Openings::Book(boards)) = Openings::parse(text) else { panic!("a book") };
        assert_eq!(boards.len(), 3);
        for seed in 0..5 {
            for round in 0..4 {
                let mut keys: Vec<u64> = (3 * round..3 * round + 3)
                    .map(|index| book_opening(&boards, seed, index).key())
                    .collect();
                keys.sort_unstable();
                keys.dedup();
                assert_eq!(keys.len(), 3);
            }
        }
    }

    #[test]
    fn bad_books_are_refused() {
        let error = |text| Openings::parse(text).expect_err("bad").to_string();
        assert!(error("\nnonsense\n").starts_with("line 2: "));
        assert_eq!(error("# nothing\n"), "it contains no position");
        assert_eq!(error("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), "line 1: the game is over here");
    }

    #[test]
    fn random_openings_are_not_decided() {
        let mut chooser = Chooser::new().expect("memory");
        let openings = Openings::Random { chess960: 0 };
        for index in 0..8 {
            let board = chooser.choose(&openings, 7, index);
            assert!(!chooser.is_decided(&board));
            assert_eq!(chooser.choose(&openings, 7, index).key(), board.key());
        }
        let lost = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(chooser.is_decided(&Board::from_fen(lost).expect("a position")));
    }
}
