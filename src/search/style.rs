//! How to play where there is a choice: what a draw is worth, and how exactly
//! positions are judged.

use super::Level;
use crate::types::Score;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// How much worse than even a draw is to the side to move at the root.
    pub contempt: Score,
    /// How far evaluations may be off at random. The same position is always off by the
    /// same amount, as long as the seed is the same.
    pub noise: i32,
    pub seed: u64,
    /// As strong as possible if absent.
    pub level: Option<Level>,
}

impl Style {
    /// The value of a draw to the side to move, `ply` moves below the root.
    #[inline(always)]
    pub fn draw(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { -self.contempt } else { self.contempt }
    }

    /// `eval` of the position with this key, off by the noise.
    #[inline(always)]
    pub fn disturb(&self, eval: Score, key: u64) -> Score {
        if self.noise() == 0 { eval } else { self.add_noise(eval, key) }
    }

    #[inline(always)]
    fn noise(&self) -> i32 {
        self.level.map_or(self.noise, |level| level.noise.max(self.noise))
    }

    #[cold]
    fn add_noise(&self, eval: Score, key: u64) -> Score {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ key);
        let width = 2 * self.noise() as u64 + 1;
        // The upper bits times the width: as even as anybody can hear in noise.
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
        let offsets: Vec<i32> = (0..2_000).map(|key| style.disturb(Score(0), key).0).collect();
        assert!(offsets.iter().all(|offset| offset.abs() <= 25));
        assert!(offsets.contains(&25) && offsets.contains(&-25));
        assert!(offsets.iter().sum::<i32>().abs() < 2_000);
        assert_eq!(style.disturb(Score(7), 5), style.disturb(Score(7), 5));
        assert_eq!(Style::default().disturb(Score(7), 5), Score(7));
    }

    #[test]
    fn contempt_is_ours() {
        let style = Style { contempt: Score(20), ..Style::default() };
        assert_eq!((style.draw(0), style.draw(1)), (Score(-20), Score(20)));
    }
}
