//! Scores in steps of half a percent of the expected points, so that they are about a
//! quarter of a percent at most from what they were.

use crate::math::sigmoid;
use std::sync::LazyLock;

/// The highest level: a win for certain. An even score is half of it.
pub(super) const LEVELS: usize = 200;
pub(super) const EVEN: usize = LEVELS / 2;
/// The score that stands for 73 % of the points. Part of the format.
const SCALE: f32 = 200.0;
/// Higher scores are on the highest level.
const LARGEST: usize = 1_600;

/// The levels of the scores from 0 on, and the score nearest to each level.
struct Tables {
    levels: [u8; LARGEST + 1],
    scores: [i16; LEVELS + 1],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let levels =
        std::array::from_fn(|score| (LEVELS as f32 * sigmoid(score as f32 / SCALE)).round() as u8);
    let scores = std::array::from_fn(|level| {
        let above = level.max(LEVELS - level);
        let off =
            |score: usize| (LEVELS as f32 * sigmoid(score as f32 / SCALE) - above as f32).abs();
        let nearest = (0..=LARGEST).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(0) as i16;
        if level < EVEN { -nearest } else { nearest }
    });
    Tables { levels, scores }
});

/// The level of a score.
pub(super) fn level(score: i32) -> usize {
    let place = (score.unsigned_abs() as usize).min(LARGEST);
    let level = usize::from(TABLES.levels[place]);
    if score < 0 { LEVELS - level } else { level }
}

/// The score that stands for a level.
pub(super) fn score(level: usize) -> i16 {
    TABLES.scores[level.min(LEVELS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_a_quarter_of_a_percent_from_what_they_were() {
        for exact in -10_000..=10_000 {
            let level = level(exact);
            let found = score(level);
            assert_eq!(super::level(i32::from(found)), level, "{exact}");
            assert_eq!(i32::from(score(LEVELS - level)), -i32::from(found));
            let off = sigmoid(exact as f32 / SCALE) - sigmoid(f32::from(found) / SCALE);
            // A little more, as scores are whole numbers.
            assert!(off.abs() < 0.003, "{exact} {found} {off}");
        }
        assert_eq!((score(EVEN), level(0), level(30_000)), (0, EVEN, LEVELS));
    }
}
