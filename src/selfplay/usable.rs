//! Which positions of a game are worth learning from: those in which a static
//! evaluation can be expected to know the answer.

use super::{GameRecord, RecordError, ScoredMove};
use crate::board::Board;
use crate::math::{minimum, sigmoid};
use crate::types::{Color, Score};

/// Random openings take 8 or 9 plies; the search moves after them.
const FIRST_PLY: u32 = 10;
/// With fewer pieces the rules, not the evaluation, decide.
const FEWEST_MEN: u32 = 4;
/// Beyond, the game is over and the score says little.
pub(crate) const LARGEST_SCORE: i32 = 10_000;

/// The score to learn, for the side to move, if the position is quiet: not in
/// check, no capture or promotion was best, and no mate is in sight.
pub fn usable_score(board: &Board, scored: ScoredMove) -> Option<Score> {
    let score = scored.score().filter(|score| score.0.abs() <= LARGEST_SCORE)?;
    let ply = 2 * (board.fullmove_number() - 1) + board.side_to_move() as u32;
    let usable = ply >= FIRST_PLY
        && !board.in_check()
        && !board.is_noisy(scored.mv)
        && board.occupied().count() >= FEWEST_MEN;
    usable.then_some(score)
}

/// Calls `visit` with each usable position of a game, its score, and the points the
/// side to move got in the end.
pub(crate) fn for_each(
    record: &GameRecord,
    mut visit: impl FnMut(&Board, Score, f32),
) -> Result<(), RecordError> {
    let points = Color::ALL.map(|color| record.result.points(color));
    record.replay(|board, scored| {
        if let Some(score) = usable_score(board, scored) {
            visit(board, score, points[board.side_to_move().index()]);
        }
    })?;
    Ok(())
}

/// How often scores were worth nothing, a half and a point in the end.
#[derive(Debug, Clone)]
pub(crate) struct ScoreCounts {
    /// By score, the lowest first.
    counts: Vec<[u64; 3]>,
}

impl Default for ScoreCounts {
    fn default() -> ScoreCounts {
        ScoreCounts { counts: vec![[0; 3]; 2 * LARGEST_SCORE as usize + 1] }
    }
}

impl ScoreCounts {
    /// Both for the same side.
    pub(crate) fn add(&mut self, score: f32, points: f32) {
        let place = (score as i32).clamp(-LARGEST_SCORE, LARGEST_SCORE) + LARGEST_SCORE;
        self.counts[place as usize][(2.0 * points) as usize % 3] += 1;
    }

    /// The scale by which scores predict results best: at this score a player expects
    /// 1 / (1 + 1/e) = 73 %.
    pub(crate) fn scale(&self) -> f32 {
        minimum(50.0, 1_000.0, 0.5, |scale| {
            let scores =
                (-LARGEST_SCORE..).zip(&self.counts).filter(|(_, counts)| **counts != [0; 3]);
            scores
                .map(|(score, counts)| {
                    let expected = f64::from(sigmoid(score as f32 / scale));
                    let errors = [0.0, 0.5, 1.0].map(|points| expected - points);
                    let sums = counts.iter().zip(errors);
                    sums.map(|(&n, error)| n as f64 * (error * error)).sum::<f64>()
                })
                .sum()
        })
    }
}

/// How many usable positions a game has.
pub(crate) fn count(record: &GameRecord) -> Result<u64, RecordError> {
    let mut usable = 0;
    for_each(record, |_, _, _| usable += 1)?;
    Ok(usable)
}
