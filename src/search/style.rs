//! Playing style: contempt, noise in the evaluation, and limited strength.

use super::Strength;
use crate::types::Score;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style {
    /// How much worse than 0 a draw is for the side to move at the root.
    pub(crate) contempt: Score,
    /// The largest random error added to evaluations; the same for the same position and
    /// seed.
    pub(crate) noise: i32,
    pub(crate) seed: u64,
    /// Full strength if absent.
    pub(crate) strength: Option<Strength>,
}

impl Style {
    /// The score of a draw for the side to move at `ply`.
    #[inline(always)]
    pub(crate) fn draw_score(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { -self.contempt } else { self.contempt }
    }

    /// `eval` of the position with this key plus noise.
    #[inline(always)]
    pub(crate) fn with_noise(&self, eval: Score, key: u64) -> Score {
        if self.noise() == 0 { eval } else { self.add_noise(eval, key) }
    }

    #[inline(always)]
    fn noise(&self) -> i32 {
        self.strength.map_or(self.noise, |strength| strength.noise.max(self.noise))
    }

    #[cold]
    fn add_noise(&self, eval: Score, key: u64) -> Score {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ key);
        let width = 2 * self.noise() as u64 + 1;
        // Scaling by multiplication: uniform enough for noise.
        let offset = (u128::from(random.next_u64()) * u128::from(width)) >> 64;
        Score::evaluation(eval.0 + offset as i32 - self.noise())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_bounded_and_repeatable() {
        let style = Style { noise: 25, seed: 3, ..Style::default() };
        let offsets: Vec<i32> = (0..2_000).map(|key| style.with_noise(Score(0), key).0).collect();
        assert!(offsets.iter().all(|offset| offset.abs() <= 25));
        assert!(offsets.contains(&25) && offsets.contains(&-25));
        assert!(offsets.iter().sum::<i32>().abs() < 2_000);
        assert_eq!(style.with_noise(Score(7), 5), style.with_noise(Score(7), 5));
        assert_eq!(Style::default().with_noise(Score(7), 5), Score(7));
    }

    #[test]
    fn contempt_is_ours() {
        let style = Style { contempt: Score(20), ..Style::default() };
        assert_eq!((style.draw_score(0), style.draw_score(1)), (Score(-20), Score(20)));
    }
}
