//! From limits to the time a search may take. Pure arithmetic: no clock is read
//! here, and no clock is too large for it.

mod lag;

use crate::types::{Move, Score};
pub(crate) use lag::{Delays, LagMeter};
use std::time::Duration;

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Clock {
    pub(crate) remaining: Duration,
    pub(crate) increment: Duration,
    /// Moves until more time is added; `None` means the rest of the game.
    pub(crate) moves_to_go: Option<u32>,
}

/// What ends a search. Several limits may be given; the first one hit counts, and
/// none at all means until stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Limits {
    /// The clock of the side to move.
    pub(crate) clock: Option<Clock>,
    pub(crate) move_time: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Do not begin another iteration after this many nodes.
    pub(crate) soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub(crate) mate: Option<u32>,
    /// Consider only these root moves, if any are given.
    pub(crate) search_moves: Vec<Move>,
    /// Do not consider these root moves.
    pub(crate) exclude_moves: Vec<Move>,
    /// Think until told to stop, even if everything is known.
    pub(crate) infinite: bool,
    /// Think on the opponent's time: no time limit holds before the ponder hit.
    pub(crate) ponder: bool,
}

/// How long to think: the search does not begin another iteration after `soft`,
/// scaled by its [`SearchProgress`], and breaks off at `hard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) soft: Duration,
    pub(crate) hard: Duration,
}

impl Budget {
    pub(crate) const UNLIMITED: Budget = Budget { soft: Duration::MAX, hard: Duration::MAX };

    /// How long a search that goes as expected takes.
    pub(crate) fn planned(&self) -> Duration {
        self.soft.min(self.hard)
    }
}

/// Moves the remaining time is spread over when no number is given but every move
/// brings an increment.
const HORIZON: u32 = 20;
/// The same where no time is ever added.
const SUDDEN_DEATH_HORIZON: u32 = 32;
/// How many times the overhead is kept back then.
const SUDDEN_DEATH_RESERVE: u32 = 60;
/// A clock with less than this many times the overhead would not survive a machine that
/// is busy with something else for a moment, and is built up again.
const STALL_RESERVE: u32 = 8;
/// The same for the worst delay of the recent past.
const WORST_RESERVE: u32 = 4;
/// Never plan with less than this, however late it is.
const MINIMUM: Duration = Duration::from_millis(1);

impl Limits {
    /// The time these limits allow.
    pub(crate) fn budget(&self, delays: Delays) -> Budget {
        let mut budget = Budget::UNLIMITED;
        if let Some(clock) = self.clock {
            budget = clock.budget(delays);
        }
        if let Some(time) = self.move_time {
            budget.hard = budget.hard.min(time);
        }
        budget
    }
}

impl Clock {
    fn budget(&self, delays: Delays) -> Budget {
        let overhead = delays.overhead.max(delays.usual);
        let sudden_death = self.moves_to_go.is_none() && self.increment.is_zero();
        let horizon = if sudden_death { SUDDEN_DEATH_HORIZON } else { HORIZON };
        let moves = self.moves_to_go.unwrap_or(horizon).clamp(1, 60);
        let usable = self.remaining.saturating_sub(overhead);
        let reserve = if sudden_death {
            // What is lost never comes back, and the game may be long: enough must be
            // left for a machine that stalls.
            overhead.saturating_mul(SUDDEN_DEATH_RESERVE).min(usable.saturating_mul(3) / 4)
        } else {
            // Every move still to come costs its overhead, as far as time allows it. Of a
            // small clock this is the better part: a stall costs more than a move gains.
            overhead.saturating_mul(moves - 1).min(usable.saturating_mul(2) / 3)
        };
        let share = usable.saturating_sub(reserve) / moves;
        // The increment comes back after the move. An iteration that was begun usually
        // takes longer than planned, so plan with a part of it.
        let mut returning = self.increment.saturating_sub(delays.usual).saturating_mul(2) / 3;
        let safe =
            overhead.saturating_mul(STALL_RESERVE).max(delays.worst.saturating_mul(WORST_RESERVE));
        if usable < safe {
            returning = returning.mul_f64(usable.div_duration_f64(safe));
        }
        let soft = share.saturating_add(returning);
        let ceiling = if moves == 1 { usable.saturating_mul(9) / 10 } else { usable / 4 };
        let hard = soft.saturating_mul(4).min(ceiling).max(MINIMUM);
        Budget { soft: soft.min(hard), hard }
    }
}

/// How a search goes from iteration to iteration, as far as that tells whether it
/// deserves more time or less than planned.
#[derive(Debug, Default)]
pub(crate) struct SearchProgress {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable_for: u32,
    /// The share of all nodes that was spent on the best move.
    share: f64,
    score: Score,
    /// By how much the last iteration fell short of those before.
    drop: i32,
    only_move: bool,
}

impl SearchProgress {
    /// Notes the result of an iteration with `moves` moves to choose from.
    pub(crate) fn note(&mut self, best: Move, score: Score, share: f64, moves: usize) {
        self.stable_for = if self.best == Some(best) { self.stable_for + 1 } else { 0 };
        if self.best.is_some() {
            self.drop = self.score.0 - score.0;
            // A slow average: one bad iteration is remembered for a while.
            self.score = Score((3 * self.score.0 + score.0) / 4);
        } else {
            self.score = score;
        }
        self.best = Some(best);
        self.share = share;
        self.only_move = moves == 1;
    }

    /// The factor for the planned time: less for an only move, a move that has long
    /// been best or got nearly all of the search; more after a bad surprise.
    pub(crate) fn scale(&self) -> f64 {
        if self.only_move {
            return 0.05;
        }
        let stability = 1.45 - 0.09 * f64::from(self.stable_for.min(7));
        let effort = 1.65 - 1.15 * self.share;
        let surprise = (1.0 + f64::from(self.drop) / 90.0).clamp(0.85, 1.5);
        (stability * effort * surprise).clamp(0.2, 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn surprises_take_time_and_certainty_saves_it() {
        let (first, second) =
            (Move::normal(Square::E2, Square::E4), Move::normal(Square::D2, Square::D4));
        let mut progress = SearchProgress::default();
        progress.note(first, Score(20), 0.4, 20);
        let at_first = progress.scale();
        (0..8).for_each(|_| progress.note(first, Score(20), 0.9, 20));
        let certain = progress.scale();
        progress.note(second, Score(-60), 0.3, 20);
        assert!(certain < at_first && at_first < progress.scale());
        progress.note(second, Score(-60), 0.3, 1);
        assert!(progress.scale() < certain);
    }

    /// Nothing measured, only what the user keeps back.
    fn keeping(overhead: Duration) -> Delays {
        Delays { overhead, ..Delays::default() }
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn never_plans_more_than_is_left() {
        for remaining in [0, 1, 5, 10, 50, 100, 1_000, 60_000, 36_000_000, u64::MAX / 4] {
            for increment in [0, 1, 100, 10_000, 3_600_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 500, 5_000] {
                        let limits = clock(remaining, increment, moves);
                        let budget = limits.budget(keeping(Duration::from_millis(overhead)));
                        let left = Duration::from_millis(remaining.saturating_sub(overhead));
                        assert!(budget.soft <= budget.hard);
                        assert!(budget.hard <= left.max(MINIMUM), "{limits:?} {budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn any_clock_and_overhead_give_a_budget() {
        let times = [0, 1, u64::MAX / 4_000, u64::MAX / 4, u64::MAX].map(Duration::from_secs);
        for (remaining, increment) in times.iter().flat_map(|&a| times.map(|b| (a, b))) {
            for overhead in times.into_iter().chain([Duration::MAX]) {
                for moves_to_go in [None, Some(1), Some(60)] {
                    let budget =
                        Clock { remaining, increment, moves_to_go }.budget(keeping(overhead));
                    assert!(budget.soft <= budget.hard && budget.hard <= remaining.max(MINIMUM));
                }
            }
        }
    }

    /// A long game that takes every move's whole plan.
    #[test]
    fn sudden_death_leaves_something_for_a_stall() {
        let mut left = Duration::from_secs(5);
        for _ in 0..150 {
            let clock = Clock { remaining: left, ..Clock::default() };
            let spent = clock.budget(keeping(Duration::from_millis(10))).soft;
            left = left.saturating_sub(spent);
        }
        assert!(left > Duration::from_millis(250), "{left:?}");
    }

    /// With an increment much smaller than a stall, the clock settles above one.
    #[test]
    fn a_small_increment_leaves_something_for_a_stall() {
        let increment = Duration::from_millis(2);
        let mut left = Duration::from_millis(200);
        for _ in 0..200 {
            let clock = Clock { remaining: left, increment, moves_to_go: None };
            left = left + increment - clock.budget(keeping(Duration::from_millis(10))).soft;
        }
        assert!(left > Duration::from_millis(60), "{left:?}");
    }

    #[test]
    fn move_time_is_exact_and_the_tighter_limit_holds() {
        let exact = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let budget = exact.budget(keeping(Duration::from_millis(10)));
        assert_eq!(budget.hard, Duration::from_millis(100));
        let both = Limits { move_time: Some(Duration::from_millis(5)), ..clock(60_000, 0, None) };
        assert_eq!(both.budget(Delays::default()).hard, Duration::from_millis(5));
        assert_eq!(Limits::default().budget(Delays::default()), Budget::UNLIMITED);
    }
}
