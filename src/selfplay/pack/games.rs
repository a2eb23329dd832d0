//! The games of a block as decisions, one description for packing and unpacking.

use super::coder::{Bit, Coder, Decoder, Encoder};
use super::moves::{Before, MoveModels};
use super::scores::{self, EVEN, LEVELS};
use crate::board::Board;
use crate::game::{GameResult, Termination};
use crate::selfplay::{GameRecord, NO_SCORE, PackedPosition, RecordError, ScoredMove, usable};
use crate::types::{Color, Piece, Square};
use thiserror::Error;

/// Why a block cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BlockError {
    #[error("its checksum is wrong")]
    Checksum,
    #[error("it is missing or its header is damaged")]
    Missing,
    #[error("the file ends before it is complete")]
    Truncated,
    #[error("its contents are invalid")]
    Nonsense,
}

/// Contexts of scores: by how far the last two differ, how decided the game is, and how
/// long ago the last one was.
const TRENDS: usize = 7;
const EDGES: usize = 6;
const CONTEXTS: usize = 3 * TRENDS * EDGES;
/// Differences beyond share a model.
const FAR: usize = 40;

/// Models of everything but the moves.
#[derive(Debug)]
struct Models {
    moves: MoveModels,
    /// By square: what stands there.
    squares: Vec<[Bit; 16]>,
    /// The rest of a position, by byte.
    rest: Vec<[Bit; 256]>,
    /// Whether the number is the next one, and the number by byte.
    next: Bit,
    index: Vec<[Bit; 256]>,
    result: [Bit; 4],
    ending: [[Bit; 16]; 4],
    plies: [[Bit; 256]; 2],
    has_score: [Bit; 64],
    same: [Bit; CONTEXTS],
    up: [Bit; CONTEXTS * 3],
    further: Vec<[Bit; FAR + 1]>,
}

impl Models {
    fn new() -> Models {
        let bit = Bit::default();
        Models {
            moves: MoveModels::new(),
            squares: vec![[bit; 16]; Square::COUNT],
            rest: vec![[bit; 256]; 8],
            next: bit,
            index: vec![[bit; 256]; 4],
            result: [bit; 4],
            ending: [[bit; 16]; 4],
            plies: [[bit; 256]; 2],
            has_score: [bit; 64],
            same: [bit; CONTEXTS],
            up: [bit; CONTEXTS * 3],
            further: vec![[bit; FAR + 1]; CONTEXTS],
        }
    }
}

/// Packs games. Fails if one of them cannot be replayed.
pub fn encode(games: &[GameRecord]) -> Result<Vec<u8>, RecordError> {
    let mut coder = Encoder::new();
    let mut models = Models::new();
    let mut expected = 0;
    for game in games {
        code_game(&mut coder, &mut models, expected, Some(game)).map_err(|error| match error {
            GameError::Record(error) => error,
            GameError::Nonsense => RecordError::IllegalMove { index: game.index, ply: 0 },
        })?;
        expected = game.index.wrapping_add(1);
    }
    Ok(coder.finish())
}

/// Unpacks this many games.
pub fn decode(bytes: &[u8], count: usize) -> Result<Vec<GameRecord>, BlockError> {
    let mut coder = Decoder::new(bytes);
    let mut models = Models::new();
    let mut games: Vec<GameRecord> = Vec::new();
    for _ in 0..count {
        let expected = games.last().map_or(0, |game| game.index.wrapping_add(1));
        let game =
            code_game(&mut coder, &mut models, expected, None).map_err(|_| BlockError::Nonsense)?;
        if coder.is_exhausted() {
            return Err(BlockError::Nonsense);
        }
        games.push(game);
    }
    if coder.is_at_end() { Ok(games) } else { Err(BlockError::Nonsense) }
}

enum GameError {
    Record(RecordError),
    Nonsense,
}

/// A game: written if there is one, otherwise read.
fn code_game<C: Coder>(
    coder: &mut C,
    models: &mut Models,
    expected: u32,
    game: Option<&GameRecord>,
) -> Result<GameRecord, GameError> {
    let index = code_index(coder, models, expected, game.map(|game| game.index));
    let result = coder.number(&mut models.result, 2, game.map_or(0, |it| it.result.index()));
    let ending = &mut models.ending[result];
    let ending = coder.number(ending, 4, game.map_or(0, |it| it.ending.index()));
    let plies = game.map_or(0, |it| it.moves.len());
    let high = coder.number(&mut models.plies[0], 8, plies >> 8);
    let plies = high << 8 | coder.number(&mut models.plies[1], 8, plies & 255);
    let start_error = |error| GameError::Record(RecordError::Start { index, error });
    // As this program writes it, so that it is the same when it is packed again.
    let start = game.map(|game| game.start.unpack()).transpose().map_err(start_error)?;
    let start = code_start(coder, models, start.map(|board| PackedPosition::pack(&board)));
    let mut board = start.unpack().map_err(start_error)?;
    let result = GameResult::from_index(result).ok_or(GameError::Nonsense)?;
    let ending = Termination::from_index(ending)
        .filter(|ending| ending.index() < Termination::RECORDED)
        .ok_or(GameError::Nonsense)?;
    if plies > GameRecord::MAX_PLIES {
        return Err(GameError::Nonsense);
    }

    let mut moves = Vec::with_capacity(plies);
    let mut scores = Scores { result, previous: [None; 2], ply: 0, had_score: true };
    for ply in 0..plies {
        let played = game.map(|game| game.moves[ply]);
        let before = Before {
            last: moves.last().map(|it: &ScoredMove| it.mv),
            own: ply.checked_sub(2).map(|ply| moves[ply].mv),
        };
        let illegal = GameError::Record(RecordError::IllegalMove { index, ply });
        let mv = played.map(|it| it.mv);
        if mv.is_some_and(|mv| !board.is_legal(mv)) {
            return Err(illegal);
        }
        let mv = models.moves.code(coder, &board, before, mv).ok_or(illegal)?;
        let kept = played.and_then(|played| usable::usable_score(&board, played));
        let level = kept.map(|score| scores::level(score.0));
        let level = scores.code(coder, models, &board, ScoredMove { mv, score: 0 }, level);
        moves.push(ScoredMove { mv, score: level.map_or(NO_SCORE, scores::score) });
        board.make(mv);
    }
    Ok(GameRecord { index, start, moves, result, ending })
}

fn code_index(
    coder: &mut impl Coder,
    models: &mut Models,
    expected: u32,
    index: Option<u32>,
) -> u32 {
    if coder.bit(&mut models.next, index == Some(expected)) {
        return expected;
    }
    let bytes = index.unwrap_or_default().to_le_bytes();
    let mut coded = [0; 4];
    for ((coded, models), byte) in coded.iter_mut().zip(&mut models.index).zip(bytes) {
        *coded = coder.number(models, 8, usize::from(byte)) as u8;
    }
    u32::from_le_bytes(coded)
}

/// What stands on each square, then the other bytes of a packed position.
fn code_start(
    coder: &mut impl Coder,
    models: &mut Models,
    start: Option<PackedPosition>,
) -> PackedPosition {
    const PIECES: std::ops::Range<usize> = 8..24;
    let given = start.unwrap_or(PackedPosition([0; PackedPosition::SIZE])).0;
    let occupied = given[..8].iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    let mut coded = [0; PackedPosition::SIZE];
    let (mut read, mut written) = (0, 0);
    for (square, models) in models.squares.iter_mut().enumerate() {
        let mut code = EMPTY;
        if occupied >> square & 1 != 0 && read < 32 {
            code = usize::from(given[PIECES.start + read / 2] >> (4 * (read % 2)) & 15);
            read += 1;
        }
        let code = coder.number(models, 4, code);
        if code != EMPTY && written < 32 {
            coded[square / 8] |= 1 << (square % 8);
            coded[PIECES.start + written / 2] |= (code as u8) << (4 * (written % 2));
            written += 1;
        }
    }
    for (place, models) in (PIECES.end..).zip(&mut models.rest) {
        coded[place] = coder.number(models, 8, usize::from(given[place])) as u8;
    }
    PackedPosition(coded)
}

/// In the place of a piece; no piece has this number in a packed position.
const EMPTY: usize = 15;
const _: () = assert!(Piece::COUNT < 7);

/// What is known about the scores of a game so far.
struct Scores {
    result: GameResult,
    /// The last two levels, as White sees them, the later one first, with their plies.
    previous: [Option<(usize, usize)>; 2],
    ply: usize,
    had_score: bool,
}

impl Scores {
    /// The level of the score of a position, for the side to move, if it has one.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        models: &mut Models,
        board: &Board,
        played: ScoredMove,
        level: Option<usize>,
    ) -> Option<usize> {
        self.ply += 1;
        let early = board.fullmove_number() < 6;
        let few = board.occupied().count() < 4;
        let quiet = !board.in_check() && !board.is_noisy(played.mv);
        let circumstances = [early, few, quiet, self.had_score && quiet];
        let context = circumstances.iter().fold(0, |all, &is| 2 * all + usize::from(is));
        let has_score = coder.bit(&mut models.has_score[context], level.is_some());
        if quiet {
            self.had_score = has_score;
        }
        if !has_score {
            return None;
        }
        let white = board.side_to_move() == Color::White;
        let seen_by_white = |level: usize| if white { level } else { LEVELS - level };
        let level = code_level(coder, models, self, level.map_or(0, seen_by_white));
        self.previous = [Some((level, self.ply)), self.previous[0]];
        Some(seen_by_white(level))
    }
}

/// A level as White sees it: how far it is from what the last two let expect.
fn code_level(coder: &mut impl Coder, models: &mut Models, known: &Scores, level: usize) -> usize {
    let [last, before] = known.previous;
    let (last, when) = last.unwrap_or((EVEN, 0));
    let before = before.map_or(last, |(level, _)| level);
    let expected = (last + before).div_ceil(2);
    let trend = match last as i32 - before as i32 {
        ..=-9 => 0,
        -8..=-4 => 1,
        -3..=-1 => 2,
        0 => 3,
        1..=3 => 4,
        4..=8 => 5,
        9.. => 6,
    };
    let edge = match expected.min(LEVELS - expected) {
        0..=3 => 0,
        4..=10 => 1,
        11..=25 => 2,
        26..=50 => 3,
        51..=90 => 4,
        _ => 5,
    };
    let age = (known.ply - when).clamp(1, 3) - 1;
    let context = (age * TRENDS + trend) * EDGES + edge;
    if coder.bit(&mut models.same[context], level == expected) {
        return expected;
    }
    let up = &mut models.up[3 * context + known.result.index()];
    let up = if expected == 0 {
        true
    } else if expected == LEVELS {
        false
    } else {
        coder.bit(up, level > expected)
    };
    let room = if up { LEVELS - expected } else { expected };
    let mut distance = 1;
    while distance < room
        && coder.bit(
            &mut models.further[context][distance.min(FAR)],
            level.abs_diff(expected) > distance,
        )
    {
        distance += 1;
    }
    if up { expected + distance } else { expected - distance }
}
