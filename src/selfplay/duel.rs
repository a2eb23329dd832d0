//! Matches between two evaluations, both in this program: which of two nets plays
//! better, or a net and the hand-made evaluation. Each opening is played twice with
//! colours changed.

use super::GameResult;
use super::play::{Referee, over, random_opening, rng_of};
use crate::eval::nnue::Network;
use crate::search::{Control, Pool, Task};
use crate::time::Limits;
use crate::tt::TranspositionTable;
use crate::types::Color;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The evaluation of a player: a net, or none for the hand-made one.
pub type Contender = Option<Arc<Network>>;

#[derive(Debug, Clone)]
pub struct Conditions {
    /// Two games each.
    pub openings: u32,
    pub limits: Limits,
    pub seed: u64,
    /// How many of a thousand openings are of Chess960.
    pub chess960: u16,
    pub threads: usize,
}

/// Megabytes for each player.
const HASH: usize = 8;

/// How the first player did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Openings by the points the first player made of both games, in halves.
    pub pairs: [u32; 5],
}

impl Score {
    fn add(&mut self, pair: [GameResult; 2]) {
        // The first player is White in the first game and Black in the second.
        let points = [pair[0].points(Color::White), pair[1].points(Color::Black)];
        for points in points {
            match points {
                1.0 => self.wins += 1,
                0.0 => self.losses += 1,
                _ => self.draws += 1,
            }
        }
        self.pairs[(2.0 * (points[0] + points[1])) as usize % 5] += 1;
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The Elo difference and half the width of its 95 % interval, from the pairs:
    /// games with the same opening are not independent.
    pub fn elo(&self) -> (f64, f64) {
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
        (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0)
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (elo, error) = self.elo();
        let Score { wins, draws, losses, .. } = self;
        write!(f, "+{wins} ={draws} -{losses}, Elo {elo:+.1} ± {error:.1}")
    }
}

/// Plays the match, calling `prepare` with the number of the player, on the thread
/// that plays, before each search, and `report` after each pair of games.
pub fn duel(
    players: &[Contender; 2],
    conditions: &Conditions,
    prepare: impl Fn(usize) + Sync,
    mut report: impl FnMut(&Score),
) -> io::Result<Score> {
    let pools = || -> io::Result<Vec<Pool>> {
        players
            .iter()
            .map(|player| {
                let mut pool = Pool::new(1, &Arc::new(TranspositionTable::new(HASH)?));
                pool.set_network(player.as_ref());
                Ok(pool)
            })
            .collect()
    };
    let next = AtomicU32::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..conditions.threads.max(1) {
            let (sender, next, prepare) = (sender.clone(), &next, &prepare);
            let mut pools = pools()?;
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= conditions.openings
                        || sender.send(play_pair(&mut pools, conditions, index, prepare)).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut score = Score::default();
        for pair in results {
            score.add(pair);
            report(&score);
        }
        Ok(score)
    })
}

fn play_pair(
    pools: &mut [Pool],
    conditions: &Conditions,
    index: u32,
    prepare: &impl Fn(usize),
) -> [GameResult; 2] {
    let mut rng = rng_of(conditions.seed, index);
    let opening = loop {
        if let Some(board) = random_opening(conditions.chess960, &mut rng) {
            break board;
        }
    };
    let mut results = [GameResult::Draw; 2];
    for (game, result) in results.iter_mut().enumerate() {
        pools.iter_mut().for_each(Pool::clear);
        let mut board = opening.clone();
        let mut referee = Referee::default();
        let mut plies = 0;
        *result = loop {
            if let Some((result, _)) = over(&board) {
                break result;
            }
            let limits = conditions.limits.clone();
            let control = Arc::new(Control::new(limits.budget(Duration::ZERO)));
            let task = Task::new(board.clone(), limits);
            let us = board.side_to_move();
            let player = (game + us.index()) % 2;
            prepare(player);
            let outcome = pools[player].search(task, &control, &mut |_| {});
            let Some(mv) = outcome.best else {
                unreachable!("a game that is not over has legal moves");
            };
            board.make(mv);
            plies += 1;
            if let Some((result, _)) = referee.judge(us, outcome.score, plies) {
                break result;
            }
        };
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_draw_the_match() {
        let limits = Limits { nodes: Some(60), ..Limits::default() };
        let conditions = Conditions { openings: 3, limits, seed: 1, chess960: 500, threads: 2 };
        let mut reports = 0;
        let score = duel(&[None, None], &conditions, |_| {}, |_| reports += 1).expect("memory");
        assert_eq!((score.games(), reports), (6, 3));
        // Both games of a pair are the same game.
        assert_eq!(score.pairs, [0, 0, 3, 0, 0]);
        assert_eq!(score.elo(), (0.0, 0.0));
    }

    #[test]
    fn elo_of_known_scores() {
        let mut score = Score::default();
        for _ in 0..30 {
            score.add([GameResult::WhiteWins, GameResult::Draw]);
            score.add([GameResult::WhiteWins, GameResult::WhiteWins]);
        }
        let (elo, error) = score.elo();
        assert_eq!((score.wins, score.draws, score.losses), (60, 30, 30));
        assert!((elo - 88.7).abs() < 0.1 && (10.0..25.0).contains(&error), "{elo} {error}");
        let mut whitewash = Score::default();
        whitewash.add([GameResult::WhiteWins, GameResult::BlackWins]);
        assert!(whitewash.elo().0.is_finite());
        assert!(format!("{whitewash}").starts_with("+2 =0 -0, Elo +"));
    }
}
