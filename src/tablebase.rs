//! Syzygy tablebases: whether a position with few men is won, drawn or lost,
//! and how far it is to the next capture or pawn move.
//!
//! The `shakmaty-syzygy` crate reads the files, without `unsafe` and from any
//! number of threads; a damaged file gives an error and no answer. Here its answers
//! become what the search needs: a verdict below the root, an order of the moves at
//! the root that never gives away half a point.

use crate::board::Board;
use crate::types::{Bitboard, Color, Move, Piece, Score};
pub use shakmaty_syzygy::Wdl;
use shakmaty_syzygy::{Dtz, SyzygyError as ProbeError, Tablebase};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};
use thiserror::Error;

/// Plies without capture or pawn move after which a draw can be claimed.
const FIFTY_MOVES: i32 = 100;
/// More than any distance in any table, so that ranks do not run into each other.
const FAR: i32 = 1 << 16;

#[derive(Debug, Error)]
pub enum TablebaseError {
    #[error("there are no Syzygy tables in \"{0}\"")]
    NoTables(String),
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
}

/// All tables of some folders. Files are opened when first needed.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<shakmaty::Chess>,
    /// The most men of any table.
    men: u32,
    /// How many files there are of each kind.
    wdl_files: usize,
    dtz_files: usize,
    /// Whether an unreadable file has been reported.
    complained: AtomicBool,
}

impl Tablebases {
    /// Collects the tables of all folders in `path`, which are separated as in the
    /// PATH of the system. What cannot be read is left out and listed; it is an error
    /// only if nothing is left.
    pub fn open(path: &str) -> Result<(Tablebases, Vec<TablebaseError>), TablebaseError> {
        let mut found = Tablebases {
            tables: Tablebase::new(),
            men: 0,
            wdl_files: 0,
            dtz_files: 0,
            complained: AtomicBool::new(false),
        };
        let mut problems = Vec::new();
        for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            match std::fs::read_dir(&folder) {
                Ok(files) => {
                    for file in files.flatten() {
                        if let Err(source) = found.add(&file.path()) {
                            problems.push(TablebaseError::File { path: file.path(), source });
                        }
                    }
                }
                Err(source) => problems.push(TablebaseError::File { path: folder, source }),
            }
        }
        match (found.wdl_files, problems.pop()) {
            (0, Some(problem)) => Err(problem),
            (0, None) => Err(TablebaseError::NoTables(path.to_owned())),
            (_, last) => {
                problems.extend(last);
                Ok((found, problems))
            }
        }
    }

    /// Takes in a file if its name is that of a table.
    fn add(&mut self, file: &Path) -> io::Result<()> {
        match self.tables.add_file(file) {
            Ok(()) => {}
            // Anything may lie in a folder.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(()),
            Err(error) => return Err(error),
        }
        if file.extension().is_some_and(|extension| extension == "rtbw") {
            self.wdl_files += 1;
            // KQvKR: a letter for each man, and one between the sides.
            let letters = file.file_stem().map_or(0, |stem| stem.len());
            self.men = self.men.max(letters.saturating_sub(1) as u32);
        } else {
            self.dtz_files += 1;
        }
        Ok(())
    }

    pub fn men(&self) -> u32 {
        self.men
    }

    /// What the position is worth right after a capture or pawn move, for the side to
    /// move. `None` if no table knows.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        let position = self.position(board)?;
        self.answer(self.tables.probe_wdl_after_zeroing(&position))
    }

    /// Plies to the next capture or pawn move when both sides play for the result:
    /// positive in a won position, negative in a lost one. It may be one too low; one
    /// more than 100 means that the 50-move rule draws.
    pub fn dtz(&self, board: &Board) -> Option<i32> {
        let position = self.position(board)?;
        self.answer(self.tables.probe_dtz(&position)).map(|dtz| dtz.ignore_rounding().into())
    }

    fn answer<T>(&self, answer: Result<T, ProbeError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(error) => {
                let is_damage = matches!(error, ProbeError::ProbeFailed { .. });
                if is_damage && !self.complained.swap(true, Ordering::Relaxed) {
                    log::error!("{error}");
                }
                None
            }
        }
    }

    /// The board as the crate wants it, unless no table can be about it.
    fn position(&self, board: &Board) -> Option<shakmaty::Chess> {
        if board.occupied().count() > self.men || !board.castling().is_empty() {
            return None;
        }
        let foreign = |set: Bitboard| shakmaty::Bitboard(set.0);
        let by_role = shakmaty::ByRole {
            pawn: foreign(board.pieces(Piece::Pawn)),
            knight: foreign(board.pieces(Piece::Knight)),
            bishop: foreign(board.pieces(Piece::Bishop)),
            rook: foreign(board.pieces(Piece::Rook)),
            queen: foreign(board.pieces(Piece::Queen)),
            king: foreign(board.pieces(Piece::King)),
        };
        let by_color = shakmaty::ByColor {
            white: foreign(board.color(Color::White)),
            black: foreign(board.color(Color::Black)),
        };
        let setup = shakmaty::Setup {
            board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
            turn: match board.side_to_move() {
                Color::White => shakmaty::Color::White,
                Color::Black => shakmaty::Color::Black,
            },
            ep_square: board.en_passant().map(|square| shakmaty::Square::new(square as u32)),
            ..shakmaty::Setup::empty()
        };
        // Checks that no move can give are no hindrance to the tables.
        setup
            .position(shakmaty::CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }
}

impl fmt::Display for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tablebases { men, wdl_files, dtz_files, .. } = self;
        write!(f, "Syzygy tables up to {men} men: {wdl_files} WDL, {dtz_files} DTZ")
    }
}

/// Tables and how the user wants them used.
#[derive(Debug, Clone)]
pub struct Probe {
    pub tables: Arc<Tablebases>,
    /// The least depth at which positions with as many men as `men` are looked up.
    pub depth: i32,
    /// The most men for which tablebases are probed.
    pub men: u32,
    /// Whether wins that the 50-move rule prevents count as draws.
    pub fifty_moves: bool,
}

/// What the tables say about a move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    pub mv: Move,
    /// The higher, the better. Moves that are as good as each other have the same
    /// rank, and the search chooses among them.
    pub rank: i32,
    /// What it leads to, under the 50-move rule or not, as asked for.
    pub score: Score,
}

/// The root moves as the tables see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    pub moves: Vec<Ranked>,
    /// Whether distances were known: then any move of the highest rank keeps the
    /// result, and the search need not ask the tables again.
    pub by_distance: bool,
}

impl Probe {
    /// The verdict on a position below the root as a score, at most `ply` plies short
    /// of certainty. Tables know nothing of the moves made since the last capture or
    /// pawn move, so they are asked only right after one.
    #[inline]
    pub fn score(&self, board: &Board, ply: usize) -> Option<Score> {
        if board.halfmove_clock() != 0 {
            return None;
        }
        let wdl = self.tables.wdl(board)?;
        Some(match wdl {
            Wdl::Win => Score::tb_win(ply),
            Wdl::CursedWin if !self.fifty_moves => Score::tb_win(ply),
            Wdl::Loss => -Score::tb_win(ply),
            Wdl::BlessedLoss if !self.fifty_moves => -Score::tb_win(ply),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Score::DRAW,
        })
    }

    /// Ranks the moves of a root position by distance, or by verdict alone if there
    /// are no such tables. `None` if the tables do not know all the moves.
    pub fn rank(&self, board: &Board, moves: &[Move]) -> Option<Ranking> {
        if board.occupied().count() > self.men || !board.castling().is_empty() {
            return None;
        }
        let by_distance = self.rank_with(board, moves, true, |next| self.distance(next));
        if let Some(moves) = by_distance {
            return Some(Ranking { moves, by_distance: true });
        }
        let verdict = |next: &Board| self.tables.wdl(next).map(|wdl| before_zeroing(-wdl));
        let moves = self.rank_with(board, moves, false, verdict)?;
        Some(Ranking { moves, by_distance: false })
    }

    fn rank_with(
        &self,
        board: &Board,
        moves: &[Move],
        by_distance: bool,
        distance: impl Fn(&Board) -> Option<i32>,
    ) -> Option<Vec<Ranked>> {
        let clock = i32::from(board.halfmove_clock());
        let repeated = board.has_repeated();
        let mut next = board.clone();
        let rank_move = |&mv: &Move| {
            next.make(mv);
            // Without distances the search knows better when to go back.
            let returns = by_distance && next.earlier_occurrences() > 0;
            let distance = if !next.has_legal_moves() {
                Some(i32::from(next.in_check()))
            } else if self.is_claimable(&next) {
                Some(0)
            } else {
                distance(&next)
            };
            next.unmake(mv);
            let distance = distance?;
            let rank = rank(distance, clock, repeated, returns);
            let score = self.root_score(distance, clock);
            Some(Ranked { mv, rank, score })
        };
        moves.iter().map(rank_move).collect()
    }

    /// Whether it is a draw that the tables know nothing of.
    fn is_claimable(&self, board: &Board) -> bool {
        board.earlier_occurrences() >= 2 || self.fifty_moves && board.halfmove_clock() >= 100
    }

    /// Plies from before the move that led here to the next capture or pawn move,
    /// which it may have been itself; positive if it wins.
    fn distance(&self, next: &Board) -> Option<i32> {
        if next.halfmove_clock() == 0 {
            return self.tables.wdl(next).map(|wdl| before_zeroing(-wdl));
        }
        let distance = -self.tables.dtz(next)?;
        Some(distance + distance.signum())
    }

    fn root_score(&self, distance: i32, clock: i32) -> Score {
        let in_time = !self.fifty_moves || distance.abs() + clock <= FIFTY_MOVES;
        match distance.signum() {
            1 if in_time => Score::tb_win(0),
            -1 if in_time => -Score::tb_win(0),
            _ => Score::DRAW,
        }
    }
}

/// Plies to the next capture or pawn move if that is the move to be made.
fn before_zeroing(wdl: Wdl) -> i32 {
    Dtz::before_zeroing(wdl).into()
}

/// The higher, the better for the side to move, `clock` plies after the last capture
/// or pawn move. A move may lead to where the game has already been (`returns`).
fn rank(distance: i32, clock: i32, repeated: bool, returns: bool) -> i32 {
    match distance {
        0 => 0,
        // Won with a ply to spare, as distances may be one too low. All such moves are
        // equal if they lead on, but once positions repeat we had better hurry.
        1.. if distance + clock < FIFTY_MOVES => {
            2 * FAR - if repeated { distance } else { returns.into() }
        }
        1.. => FAR - distance,
        // Lost before the 50-move rule can help; otherwise the longest way is best.
        _ if 2 * -distance + clock < FIFTY_MOVES => -2 * FAR,
        _ => -FAR - distance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order() {
        // Won soon, won late, won too late, drawn, lost late, lost soon.
        let distances = [(30, 0), (100, 0), (101, 0), (0, 0), (-101, 0), (-60, 0), (-49, 0)];
        let ranks = distances.map(|(distance, clock)| rank(distance, clock, false, false));
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
        let rank = |distance, clock, repeated| rank(distance, clock, repeated, false);
        assert_eq!(rank(30, 10, false), rank(40, 10, false));
        assert!(rank(30, 10, true) > rank(40, 10, true));
        assert!(rank(30, 69, false) > rank(30, 70, false));
        assert!(rank(29, 70, true) > rank(30, 70, true));
        assert_eq!(rank(-2, 10, true), rank(-44, 10, false));
        assert!(super::rank(30, 10, false, true) < rank(40, 10, false));
    }

    #[test]
    fn folders_without_tables_are_refused() {
        assert!(matches!(Tablebases::open("src"), Err(TablebaseError::NoTables(_))));
        assert!(matches!(Tablebases::open(""), Err(TablebaseError::NoTables(_))));
        assert!(matches!(Tablebases::open("no such folder"), Err(TablebaseError::File { .. })));
    }
}
