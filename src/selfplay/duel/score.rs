//! The score of a match: wins, draws, losses, and pairs of games by their points.

use std::fmt;

/// A game of the first player in half points: 0, 1 or 2.
pub(crate) type HalfPoints = u8;

/// How the first player did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MatchScore {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    /// Pairs of games by the half points the first player made in both.
    pub(crate) pairs: [u32; 5],
}

impl MatchScore {
    pub(crate) fn add(&mut self, pair: [HalfPoints; 2]) {
        for points in pair {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs[usize::from(pair[0].min(2) + pair[1].min(2))] += 1;
    }

    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The Elo difference and half the width of its 95 % interval, from the pairs:
    /// games with the same opening are not independent.
    pub(crate) fn elo(&self) -> (f64, f64) {
        let pairs = f64::from(self.pairs.iter().sum::<u32>().max(1));
        let share = |points: usize| points as f64 / 4.0;
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.pairs.iter().enumerate();
            terms.map(|(points, &count)| f64::from(count) * value(share(points))).sum::<f64>()
        };
        let mean = sum(&|share| share) / pairs;
        let variance = sum(&|share| (share - mean).powi(2)) / pairs;
        let error = 1.96 * (variance / pairs).sqrt();
        // Nobody is infinitely better.
        let elo = |share: f64| {
            let share = share.clamp(0.5 / (4.0 * pairs), 1.0 - 0.5 / (4.0 * pairs));
            -400.0 * (1.0 / share - 1.0).log10()
        };
        if self.games() == 0 {
            return (0.0, 0.0);
        }
        (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0)
    }
}

impl fmt::Display for MatchScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, error) = self.elo();
        let MatchScore { wins, draws, losses, .. } = self;
        write!(f, "+{wins} ={draws} -{losses}, Elo {elo:+.1} ± {error:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_known_scores() {
        let mut score = MatchScore::default();
        assert_eq!(score.elo(), (0.0, 0.0));
        for _ in 0..30 {
            score.add([2, 1]);
            score.add([2, 0]);
        }
        let (elo, error) = score.elo();
        assert_eq!((score.wins, score.draws, score.losses), (60, 30, 30));
        assert!((elo - 88.7).abs() < 0.1 && (10.0..25.0).contains(&error), "{elo} {error}");
        let mut whitewash = MatchScore::default();
        whitewash.add([2, 2]);
        assert!(whitewash.elo().0.is_finite());
        assert!(format!("{whitewash}").starts_with("+2 =0 -0, Elo +"));
    }

    #[test]
    fn elo_is_that_of_fastchess() {
        // EloPentanomial of fastchess 74deac23.
        for (pairs, elo, error) in [
            ([3, 20, 50, 25, 4], 11.926_492, 28.523_923),
            ([250, 1200, 2400, 1100, 230], -4.695_361, 4.268_991),
            ([10, 90, 400, 140, 20], 18.441_915, 9.577_689),
        ] {
            let games = 2 * pairs.iter().sum::<u32>();
            let score = MatchScore { draws: games, pairs, ..MatchScore::default() };
            let ours = score.elo();
            assert!((ours.0 - elo).abs() < 1e-4 && (ours.1 - error).abs() < 1e-2, "{ours:?}");
        }
    }
}
