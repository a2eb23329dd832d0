//! Chances to win, draw and lose, from scores.

use crate::types::Score;

/// Chances as a logistic function of the score, the same for both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WdlModel {
    /// At this score the side ahead wins half of its games.
    pub(crate) half_won: f64,
    /// How quickly the chance grows around it.
    pub(crate) spread: f64,
}

impl WdlModel {
    /// What people are shown. Fitted to our own games by `gambeson data chances`; later
    /// networks are rescaled to it (`gambeson data rescale`).
    pub(crate) const SHOWN: WdlModel = WdlModel { half_won: Score::HALF_WON as f64, spread: 86.0 };

    /// Chances to win, draw and lose at a score in the search's unit.
    pub(crate) fn chances(&self, score: f64) -> [f64; 3] {
        let chance = |score: f64| 1.0 / (1.0 + ((self.half_won - score) / self.spread).exp());
        let (win, loss) = (chance(score), chance(-score));
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

/// Chances to win, draw and lose in thousandths, for the side the score is for.
/// Certain for a mate.
pub(crate) fn win_draw_loss(score: Score) -> [u16; 3] {
    let [win, _, loss] = WdlModel::SHOWN.chances(f64::from(score.0));
    let win = (1000.0 * win).round() as u16;
    let loss = (1000.0 * loss).round().min(f64::from(1000 - win)) as u16;
    [win, 1000 - win - loss, loss]
}

/// The chances in a position that is drawn for certain: stalemate, insufficient material
/// or a draw by tablebase. A score of 0 alone leaves both sides their chances.
pub(crate) const CERTAIN_DRAW: [u16; 3] = [0, 1000, 0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_and_is_symmetric() {
        for score in (-32_000..=32_000).step_by(37) {
            let [win, draw, loss] = win_draw_loss(Score(score));
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(win_draw_loss(Score(-score)), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(Score::mate_in(1)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score::from_centipawns(100))[0], 500);
    }
}
