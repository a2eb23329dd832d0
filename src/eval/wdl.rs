//! From centipawns to chances.

use crate::types::Score;

/// At this score the side ahead wins half of its games.
const HALF_WON: f64 = 150.0;
/// How quickly the chance grows around it.
const SPREAD: f64 = 75.0;

/// Chances to win, draw and lose in thousandths, for the side the score is for.
/// Logistic in the score, the same for both sides, and certain for a mate.
pub fn win_draw_loss(score: Score) -> [u16; 3] {
    let chance = |score: f64| 1000.0 / (1.0 + ((HALF_WON - score) / SPREAD).exp());
    let centipawns = f64::from(score.0);
    let win = chance(centipawns).round() as u16;
    let loss = chance(-centipawns).round() as u16;
    [win, 1000 - win.min(1000) - loss.min(1000 - win.min(1000)), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_and_is_symmetric() {
        for centipawns in (-32_000..=32_000).step_by(37) {
            let [win, draw, loss] = win_draw_loss(Score(centipawns));
            assert_eq!(win + draw + loss, 1000, "{centipawns}");
            assert_eq!(win_draw_loss(Score(-centipawns)), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(Score::mate_in(1)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score(150))[0], 500);
    }
}
