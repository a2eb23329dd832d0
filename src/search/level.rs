//! Playing weaker than possible, the way people do: less far-sighted, with a judgement
//! that is off, and not always content with the move that looks best.
//!
//! A level limits nodes, never time, so it is as strong on a fast machine as on a slow
//! one, and helpers stay out of it.

use super::event::SearchEvent;
use super::{Listener, RootMove, Worker};
use crate::types::Score;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How many moves are weighed against each other.
pub(super) const CANDIDATES: usize = 5;

/// The weakest and the strongest level.
pub const WEAKEST: i32 = 800;
pub const STRONGEST: i32 = 2_800;

/// A playing strength short of the full one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// No iteration is begun after this many nodes.
    pub nodes: u64,
    /// How far positions are misjudged, as in [`super::Style::noise`].
    pub noise: i32,
    /// Moves that look this much worse than the best are chosen about a third as often.
    pub carelessness: i32,
}

/// Elo with the level that was measured to play it; docs/levels.md tells how. Between
/// two of them everything is interpolated, nodes by their logarithm.
const MEASURED: [(i32, Level); 9] = [
    (WEAKEST, Level { nodes: 188, noise: 70, carelessness: 44 }),
    (1_000, Level { nodes: 428, noise: 46, carelessness: 30 }),
    (1_250, Level { nodes: 803, noise: 26, carelessness: 17 }),
    (1_500, Level { nodes: 1_364, noise: 18, carelessness: 11 }),
    (1_750, Level { nodes: 2_446, noise: 13, carelessness: 8 }),
    (2_000, Level { nodes: 4_355, noise: 9, carelessness: 6 }),
    (2_300, Level { nodes: 8_060, noise: 6, carelessness: 4 }),
    (2_600, Level { nodes: 17_050, noise: 2, carelessness: 2 }),
    (STRONGEST, Level { nodes: 32_180, noise: 1, carelessness: 1 }),
];

impl Level {
    /// The level that plays about as strong as this.
    pub fn of(elo: i32) -> Level {
        let elo = elo.clamp(WEAKEST, STRONGEST);
        let above = MEASURED.iter().position(|&(measured, _)| elo <= measured).unwrap_or(0).max(1);
        let (low, weaker) = MEASURED[above - 1];
        let (high, stronger) = MEASURED[above];
        let share = f64::from(elo - low) / f64::from(high - low);
        let between = |from: f64, to: f64| from + (to - from) * share;
        let nodes = between((weaker.nodes as f64).ln(), (stronger.nodes as f64).ln()).exp();
        Level {
            nodes: nodes.round() as u64,
            noise: between(weaker.noise.into(), stronger.noise.into()).round() as i32,
            carelessness: between(weaker.carelessness.into(), stronger.carelessness.into()).round()
                as i32,
        }
    }
}

impl Worker {
    /// The first of the root moves becomes the one that a player of this level settles
    /// for among the first few, after a while.
    pub(super) fn settle(&mut self, level: Level, candidates: usize, listen: Listener<'_>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.style.seed ^ self.board.key());
        let mut fraction = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let chosen = choice(&self.root_moves[..candidates], level.carelessness, fraction());
        if chosen > 0 {
            self.root_moves[..=chosen].rotate_right(1);
            listen(SearchEvent::Info(self.best_line()));
        }
        // Most moves come quickly, some take long; the only one takes no thought.
        let pace = if self.root_moves.len() == 1 { 0.1 } else { 0.15 + 1.2 * fraction().powi(2) };
        self.control.linger(pace);
    }
}

/// Which of the moves, best first, to play; `fraction` is random between 0 and 1.
fn choice(moves: &[RootMove], carelessness: i32, fraction: f64) -> usize {
    let Some(best) = moves.first() else { return 0 };
    let appeal = |candidate: &RootMove| {
        // A move of which only a bound is known was not looked at closely enough.
        if candidate.score == -Score::INFINITE || candidate.rank != best.rank {
            return 0.0;
        }
        let loss = f64::from(best.score.0 - candidate.score.0).max(0.0);
        (-loss / f64::from(carelessness.max(1))).exp()
    };
    let mut left = fraction * moves.iter().map(appeal).sum::<f64>();
    moves
        .iter()
        .position(|candidate| {
            left -= appeal(candidate);
            left < 0.0
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, Square};

    #[test]
    fn levels_grow_with_elo() {
        assert!(MEASURED.is_sorted_by_key(|&(elo, _)| elo));
        let mut last = Level::of(WEAKEST);
        assert_eq!(last, MEASURED[0].1);
        for elo in WEAKEST..=STRONGEST {
            let level = Level::of(elo);
            assert!(level.nodes >= last.nodes, "{elo}");
            assert!(level.noise <= last.noise && level.carelessness <= last.carelessness, "{elo}");
            last = level;
        }
        assert_eq!(Level::of(100_000), MEASURED[MEASURED.len() - 1].1);
    }

    #[test]
    fn worse_moves_are_chosen_less_often() {
        let moves: Vec<RootMove> = [(Square::E4, 50), (Square::E3, 20), (Square::D4, -400)]
            .into_iter()
            .map(|(to, score)| RootMove {
                score: Score(score),
                ..RootMove::new(Move::normal(Square::E2, to))
            })
            .collect();
        let chosen = |carelessness| {
            let mut counts = [0; 3];
            for step in 0..1_000 {
                counts[choice(&moves, carelessness, f64::from(step) / 1_000.0)] += 1;
            }
            counts
        };
        assert_eq!(chosen(1), [1_000, 0, 0]);
        let [first, second, third] = chosen(30);
        assert!(first > 2 * second && second > 200 && third == 0, "{first} {second} {third}");
        let [_, _, third] = chosen(1_000);
        assert!(third > 200);
        assert_eq!(choice(&[], 10, 0.5), 0);
    }
}
