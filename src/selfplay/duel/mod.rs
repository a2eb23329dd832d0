//! Matches between two players in one process: two networks, or one network and the
//! hand-crafted evaluation, or two sets of search parameters. Each opening is played
//! twice with colours changed. `openings` chooses where games begin, `score` counts,
//! and `sprt` says when enough was played.

mod openings;
mod score;
mod sprt;

pub(crate) use openings::{Chooser, Openings, OpeningsError};
pub(crate) use score::{HalfPoints, MatchScore};
pub(crate) use sprt::{Sprt, Verdict};

use super::play::Referee;
use crate::board::Board;
use crate::eval::nnue::Network;
use crate::game::judge;
use crate::search::{Control, Pool, Task};
use crate::time::{Delays, Limits};
use crate::tt::TranspositionTable;
use crate::types::Color;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;

/// The evaluation of a player: a network, or none for the hand-crafted one.
pub(crate) type Contender = Option<Arc<Network>>;

#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    pub(crate) openings: Openings,
    /// Two games each, and at most this many.
    pub(crate) pairs: u32,
    /// Ends the match as soon as it has a verdict.
    pub(crate) sprt: Option<Sprt>,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
}

/// Results of pairs of games by the number of the pair.
pub(crate) type Results = BTreeMap<u32, [HalfPoints; 2]>;

/// Megabytes for each player.
const HASH: usize = 8;

/// Plays the match but for the pairs `played` before, calling `prepare` with the number
/// of the player, on the thread that plays, before each search, and `report` after each
/// pair of games with its number and result.
pub(crate) fn duel(
    players: &[Contender; 2],
    conditions: &Conditions,
    played: &Results,
    prepare: impl Fn(usize) + Sync,
    mut report: impl FnMut(u32, [HalfPoints; 2], &MatchScore) -> io::Result<()>,
) -> io::Result<MatchScore> {
    let mut score = MatchScore::default();
    played.values().for_each(|&pair| score.add(pair));
    let is_over = |score: &MatchScore| {
        conditions.sprt.is_some_and(|sprt| sprt.verdict(&score.pairs).is_some())
    };
    if is_over(&score) {
        return Ok(score);
    }
    let next = AtomicU32::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..conditions.threads.max(1) {
            let (sender, next, prepare) = (sender.clone(), &next, &prepare);
            let mut table = Pairing::new(players)?;
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= conditions.pairs {
                        return;
                    }
                    if played.contains_key(&index) {
                        continue;
                    }
                    let pair = table.play_pair(conditions, index, prepare);
                    if sender.send((index, pair)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, pair) in results {
            score.add(pair);
            report(index, pair, &score)?;
            if is_over(&score) {
                break;
            }
        }
        Ok(score)
    })
}

/// Where two players sit, with all they need for their games.
struct Pairing {
    chooser: Chooser,
    pools: [Pool; 2],
}

impl Pairing {
    fn new(players: &[Contender; 2]) -> io::Result<Pairing> {
        let pool = |player: &Contender| -> io::Result<Pool> {
            let mut pool = Pool::new(1, &Arc::new(TranspositionTable::new(HASH)?))?;
            pool.set_network(player.as_ref());
            Ok(pool)
        };
        let pools = [pool(&players[0])?, pool(&players[1])?];
        Ok(Pairing { chooser: Chooser::new()?, pools })
    }

    /// The first player has White in the first game and Black in the second.
    fn play_pair(
        &mut self,
        conditions: &Conditions,
        index: u32,
        prepare: &impl Fn(usize),
    ) -> [HalfPoints; 2] {
        prepare(0);
        let opening = self.chooser.choose(&conditions.openings, conditions.seed, index);
        [0, 1].map(|game| self.play_game(opening.clone(), &conditions.limits, game, prepare))
    }

    fn play_game(
        &mut self,
        mut board: Board,
        limits: &Limits,
        game: usize,
        prepare: &impl Fn(usize),
    ) -> HalfPoints {
        self.pools.iter_mut().for_each(Pool::clear);
        let mut referee = Referee::default();
        let mut plies = 0;
        let result = loop {
            if let Some(end) = judge(&board) {
                break end.result;
            }
            let control = Arc::new(Control::new(limits.budget(Delays::default())));
            let us = board.side_to_move();
            let player = (game + us.index()) % 2;
            prepare(player);
            let task = Task::new(board.clone(), limits.clone());
            let outcome = self.pools[player].search(task, &control, &mut |_| {});
            let Some(mv) = outcome.best else {
                unreachable!("a game that is not over has legal moves");
            };
            board.make(mv);
            plies += 1;
            if let Some(end) = referee.adjudicate(us, outcome.score, plies) {
                break end.result;
            }
        };
        (2.0 * result.points(Color::ALL[game])) as HalfPoints
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(pairs: u32, sprt: Option<Sprt>) -> Conditions {
        let limits = Limits { nodes: Some(60), ..Limits::default() };
        let openings = Openings::Random { chess960: 500 };
        Conditions { openings, pairs, sprt, limits, seed: 1, threads: 2 }
    }

    #[test]
    fn equal_players_draw_the_match() {
        let mut reports = Results::new();
        let report = |index, pair, _: &MatchScore| {
            reports.insert(index, pair);
            Ok(())
        };
        let score = duel(&[None, None], &conditions(3, None), &Results::new(), |_| {}, report)
            .expect("memory");
        assert_eq!((score.games(), reports.len()), (6, 3));
        // Both games of a pair are the same game.
        assert_eq!(score.pairs, [0, 0, 3, 0, 0]);
        assert_eq!(score.elo(), (0.0, 0.0));
    }

    #[test]
    fn goes_on_with_the_pairs_that_are_missing() {
        let played = Results::from([(0, [2, 2]), (2, [2, 1])]);
        let mut reports = Vec::new();
        let report = |index, _, _: &MatchScore| {
            reports.push(index);
            Ok(())
        };
        let score = duel(&[None, None], &conditions(4, None), &played, |_| {}, report);
        reports.sort_unstable();
        assert_eq!(reports, [1, 3]);
        assert_eq!(score.expect("memory").pairs, [0, 0, 2, 1, 1]);
    }

    #[test]
    fn ends_with_the_verdict() {
        // Equal games every time: soon it is known that nobody is 200 better.
        let sprt = Sprt { elo0: 0.0, elo1: 200.0 };
        let conditions = conditions(1_000, Some(sprt));
        let mut reports = 0;
        let report = |_, _, _: &MatchScore| {
            reports += 1;
            Ok(())
        };
        let score = duel(&[None, None], &conditions, &Results::new(), |_| {}, report);
        let score = score.expect("memory");
        assert_eq!(sprt.verdict(&score.pairs), Some(Verdict::H0));
        assert!(reports < 20 && score.games() == 2 * reports);
        let played = (0..reports).map(|index| (index, [1, 1])).collect();
        let again = duel(&[None, None], &conditions, &played, |_| {}, |_, _, _| panic!("a game"));
        assert_eq!(again.expect("memory").games(), score.games());
    }
}
