//! One game of the engine against itself, decided by a seed and a number alone:
//! random opening moves, then the search on both sides until the game is over or
//! its end is beyond doubt.

use super::{GameRecord, PackedPosition, ScoredMove, usable};
use crate::board::{Board, chess960};
use crate::eval::nnue::Network;
use crate::game::judge::{automatic, judge};
use crate::game::{GameEnd, GameResult, Termination};
use crate::search::{Control, Pool, Task};
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;
use crate::types::{Color, Score};
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use std::io;
use std::sync::Arc;

/// What decides a series of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    pub seed: u64,
    /// No search begins another iteration after this many nodes.
    pub nodes: u32,
    /// How many of a thousand games begin from a Chess960 start position.
    pub chess960: u16,
}

/// A game and how many of its positions are worth learning from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    pub record: GameRecord,
    pub usable: u64,
}

/// Random plies at the beginning; half of the games get one more, so that either
/// side may come to move first.
const RANDOM_PLIES: u64 = 8;
/// Openings that give one side more than this are thrown away: decided games teach
/// little.
const OPENING_LIMIT: i32 = 200;
/// A search breaks off at this many times its nodes.
const HARD_LIMIT: u64 = 8;
/// Megabytes: small enough to stay in the cache, large enough for a few thousand
/// nodes a move.
const HASH: usize = 1;

/// Whoever is this far ahead for [`WIN_PLIES`] plies has won.
const WIN_SCORE: i32 = 900;
const WIN_PLIES: u32 = 4;
/// Scores this small for [`DRAW_PLIES`] plies, from [`DRAW_FROM_PLY`] on, are a draw.
const DRAW_SCORE: i32 = 5;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM_PLY: usize = 80;
/// One game in this many is played to its end by the rules, so that the data shows how
/// won games are won and lost ones held.
const PLAYED_OUT: u32 = 10;
/// Longer games are draws.
const LONGEST_GAME: usize = 500;
const _: () = assert!(LONGEST_GAME <= GameRecord::MAX_PLIES);

/// Plays the games of a series, one after the other.
#[derive(Debug)]
pub struct SeriesPlayer {
    settings: Settings,
    pool: Pool,
}

impl SeriesPlayer {
    /// Evaluates with `network`, or with the hand-crafted evaluation without one.
    pub fn new(settings: Settings, network: Option<&Arc<Network>>) -> io::Result<SeriesPlayer> {
        let table = Arc::new(TranspositionTable::new(HASH)?);
        let mut pool = Pool::new(1, &table)?;
        pool.set_network(network);
        Ok(SeriesPlayer { settings, pool })
    }

    /// Plays game number `index`.
    pub fn play(&mut self, index: u32) -> PlayedGame {
        let mut rng = rng_of(self.settings.seed, index);
        loop {
            let Some(board) = random_opening(self.settings.chess960, &mut rng) else {
                continue;
            };
            // Nothing learned in one game may reach the next.
            self.pool.clear();
            if let Some(played) = self.play_from(board, index) {
                return played;
            }
        }
    }

    /// The game from an opening, or nothing if the opening decides it.
    fn play_from(&mut self, mut board: Board, index: u32) -> Option<PlayedGame> {
        let nodes = u64::from(self.settings.nodes);
        let hard_limit = Some(nodes * HARD_LIMIT);
        let limits = Limits { soft_nodes: Some(nodes), nodes: hard_limit, ..Limits::default() };
        let start = PackedPosition::pack(&board);
        let mut moves = Vec::new();
        let mut usable = 0;
        let mut referee =
            Referee { plays_out: index.is_multiple_of(PLAYED_OUT), ..Referee::default() };
        let end = loop {
            if let Some(end) = judge(&board) {
                break end;
            }
            let task = Task { silent: true, ..Task::new(board.clone(), limits.clone()) };
            let control = Arc::new(Control::new(Budget::UNLIMITED));
            let outcome = self.pool.search(task, &control, &mut |_| {});
            let Some(mv) = outcome.best else {
                unreachable!("a game that is not over has legal moves");
            };
            if moves.is_empty() && outcome.score.0.abs() > OPENING_LIMIT {
                return None;
            }
            let scored = ScoredMove { mv, score: outcome.score.0 as i16 };
            usable += u64::from(usable::usable_score(&board, scored).is_some());
            moves.push(scored);
            let us = board.side_to_move();
            board.make(mv);
            if let Some(end) = referee.adjudicate(us, outcome.score, moves.len()) {
                // The rules come before the scores.
                break judge(&board).unwrap_or(end);
            }
        };
        let GameEnd { result, termination: ending } = end;
        Some(PlayedGame { record: GameRecord { index, start, moves, result, ending }, usable })
    }
}

/// The chance that decides game `index` of a series.
pub(super) fn rng_of(seed: u64, index: u32) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64() ^ u64::from(index);
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

pub(super) fn below(rng: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    (rng.next_u64() % limit.max(1) as u64) as usize
}

/// A start position and some random moves, unless they end the game.
pub(super) fn random_opening(chess960: u16, rng: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let board = if below(rng, 1000) < usize::from(chess960) {
        let number = below(rng, chess960::START_POSITIONS);
        Board::from_fen(&chess960::start_fen(number, number)).ok()?
    } else {
        Board::startpos()
    };
    let plies = RANDOM_PLIES + rng.next_u64() % 2;
    random_moves(board, plies, rng)
}

/// Plays random moves, unless they end the game.
pub(super) fn random_moves(
    mut board: Board,
    plies: u64,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Board> {
    for _ in 0..plies {
        let moves = board.legal_moves();
        let mv = *moves.get(below(rng, moves.len()))?;
        board.make(mv);
    }
    automatic(&board).is_none().then_some(board)
}

/// Ends games whose end is beyond doubt, by the scores of both sides.
#[derive(Debug, Default)]
pub(super) struct Referee {
    /// Judges nothing but the length.
    plays_out: bool,
    /// For how many plies White was winning; negative if Black was.
    winning: i32,
    drawn: u32,
}

impl Referee {
    /// The verdict, if any, after `us` searched to `score` and moved.
    pub(super) fn adjudicate(&mut self, us: Color, score: Score, plies: usize) -> Option<GameEnd> {
        let white = if us == Color::White { score.0 } else { -score.0 };
        self.winning = if white >= WIN_SCORE {
            self.winning.max(0) + 1
        } else if white <= -WIN_SCORE {
            self.winning.min(0) - 1
        } else {
            0
        };
        let drawn = white.abs() <= DRAW_SCORE && plies >= DRAW_FROM_PLY;
        self.drawn = if drawn { self.drawn + 1 } else { 0 };
        if self.winning.unsigned_abs() >= WIN_PLIES && !self.plays_out {
            let winner = if self.winning > 0 { Color::White } else { Color::Black };
            Some(GameEnd::new(GameResult::win(winner), Termination::AdjudicatedWin))
        } else if self.drawn >= DRAW_PLIES && !self.plays_out {
            Some(GameEnd::new(GameResult::Draw, Termination::AdjudicatedDraw))
        } else if plies >= LONGEST_GAME {
            Some(GameEnd::new(GameResult::Draw, Termination::TooLong))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { seed: 1, nodes: 60, chess960: 300 };

    #[test]
    fn a_game_follows_from_its_seed_and_number() {
        let play = |settings, indices: &[u32]| {
            let mut player = SeriesPlayer::new(settings, None).expect("memory");
            indices.iter().map(|&index| player.play(index)).last().expect("a game")
        };
        let first = play(SETTINGS, &[3]);
        assert_eq!(play(SETTINGS, &[4, 7, 3]), first, "what came before shows");
        assert_ne!(play(SETTINGS, &[4]).record.start, first.record.start);
        let seed = Settings { seed: 2, ..SETTINGS };
        assert_ne!(play(seed, &[3]).record.start, first.record.start);
    }

    #[test]
    fn games_are_legal_and_end_as_they_say() {
        let mut player = SeriesPlayer::new(SETTINGS, None).expect("memory");
        for index in 0..12 {
            let PlayedGame { record, usable } = player.play(index);
            let end = record.replay(|_, _| {}).expect("legal moves");
            assert_eq!(usable::count(&record), Ok(usable));
            match judge(&end) {
                Some(end) => assert_eq!(end, GameEnd::new(record.result, record.ending)),
                None => assert!(record.ending >= Termination::AdjudicatedWin, "{record:?}"),
            }
        }
    }

    #[test]
    fn the_referee_wants_both_sides_to_agree() {
        let mut referee = Referee::default();
        let adjudicate = |referee: &mut Referee, ply: usize, white: i32| {
            let us = Color::ALL[ply % 2];
            let score = if us == Color::White { white } else { -white };
            referee.adjudicate(us, Score(score), ply)
        };
        for ply in 0..3 {
            assert_eq!(adjudicate(&mut referee, ply, -2_500), None);
        }
        assert_eq!(adjudicate(&mut referee, 3, 2_500), None);
        for ply in 4..7 {
            assert_eq!(adjudicate(&mut referee, ply, -2_500), None);
        }
        let won = Some(GameEnd::new(GameResult::BlackWins, Termination::AdjudicatedWin));
        assert_eq!(adjudicate(&mut referee, 7, -2_500), won);
        let mut referee = Referee::default();
        let verdicts: Vec<_> = (0..200).map(|ply| adjudicate(&mut referee, ply, 3)).collect();
        let first = verdicts.iter().position(|verdict| verdict.is_some());
        assert_eq!(first, Some(DRAW_FROM_PLY + DRAW_PLIES as usize - 1));
        for white in [-2_500, 0] {
            let mut referee = Referee { plays_out: true, ..Referee::default() };
            let first =
                (0..=LONGEST_GAME).position(|ply| adjudicate(&mut referee, ply, white).is_some());
            assert_eq!(first, Some(LONGEST_GAME));
        }
    }
}
