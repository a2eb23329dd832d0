//! The hand-crafted evaluation taken apart, for those who fit its weights: which
//! features a position has, and how they are mixed. With the weights in use this
//! gives the evaluation itself, up to rounding, except where a bare king is to be mated.

use super::endings;
use super::features::{self, Sink};
use super::pst::{self, FULL_PHASE};
use super::tapered::Tapered;
use super::weights::{TEMPO, WEIGHTS};
use crate::board::Board;
use crate::types::{Color, Side};

/// What the evaluation of a position is made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trace {
    /// Features and how often White has them more often than Black, ascending, none
    /// with a count of zero.
    pub(crate) counts: Vec<(u16, i8)>,
    /// How much of the middlegame is left, from 0 to 1.
    pub(crate) middlegame: f32,
    /// What the evaluation is multiplied by if it favours White, and if Black.
    pub(crate) scales: [f32; Color::COUNT],
}

impl Trace {
    pub(crate) fn of(board: &Board) -> Trace {
        let mut counter = Counter([0; features::COUNT]);
        features::placements(board, &mut counter);
        let pawns = features::pawns(board, &mut counter);
        features::terms(board, &pawns, &mut counter);
        let counts = (0..).zip(counter.0).filter(|&(_, count)| count != 0);
        let scale = |strong| endings::scale(board, strong) as f32 / endings::FULL_SCALE as f32;
        let phase = pst::phase(board);
        Trace {
            counts: counts.collect(),
            middlegame: phase as f32 / FULL_PHASE as f32,
            scales: Color::ALL.map(scale),
        }
    }
}

/// Middlegame and endgame value of every feature, and of the right to move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    pub(crate) features: Vec<[f32; 2]>,
    pub(crate) tempo: f32,
}

impl Weights {
    /// Those the evaluation uses.
    pub(crate) fn in_use() -> Weights {
        let pair = |weight: &Tapered| [weight.middlegame() as f32, weight.endgame() as f32];
        Weights { features: WEIGHTS.iter().map(pair).collect(), tempo: TEMPO as f32 }
    }

    /// White's value, without the tempo, of a position with these features.
    pub(crate) fn value(&self, counts: &[(u16, i8)], middlegame: f32, scales: [f32; 2]) -> f32 {
        let mut sums = [0.0; 2];
        for &(feature, count) in counts {
            let weight = self.features[usize::from(feature)];
            sums[0] += weight[0] * f32::from(count);
            sums[1] += weight[1] * f32::from(count);
        }
        let white = sums[0] * middlegame + sums[1] * (1.0 - middlegame);
        white * scales[usize::from(white < 0.0)]
    }
}

struct Counter([i8; features::COUNT]);

impl Sink for Counter {
    fn add<S: Side>(&mut self, feature: usize, count: i32) {
        match S::COLOR {
            Color::White => self.0[feature] += count as i8,
            Color::Black => self.0[feature] -= count as i8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::eval::evaluate;

    #[test]
    fn gives_the_evaluation() {
        let weights = Weights::in_use();
        for board in RandomGames::new(3).positions(5_000) {
            if Color::ALL.iter().any(|&strong| endings::way_to_mate(&board, strong).is_some()) {
                continue;
            }
            let trace = Trace::of(&board);
            let white = weights.value(&trace.counts, trace.middlegame, trace.scales);
            let ours = if board.side_to_move() == Color::White { white } else { -white };
            let exact = evaluate(&board).0 as f32;
            assert!((ours + weights.tempo - exact).abs() <= 2.0, "{ours} {exact} {}", board.fen());
        }
    }
}
