//! From limits to the time a search may take. Pure arithmetic: no clock is read
//! here.

use crate::types::Move;
use std::time::Duration;

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    pub remaining: Duration,
    pub increment: Duration,
    /// Moves until more time is added; `None` means the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search. Several limits may be given; the first one hit counts, and
/// none at all means until stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    pub move_time: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Consider only these root moves, if any are given.
    pub search_moves: Vec<Move>,
    /// Do not consider these root moves.
    pub exclude_moves: Vec<Move>,
    /// Think until told to stop, even if everything is known.
    pub infinite: bool,
    /// Think on the opponent's time: no time limit holds before the ponder hit.
    pub ponder: bool,
}

/// How long to think: the search does not begin another iteration after `soft`
/// and breaks off at `hard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub soft: Duration,
    pub hard: Duration,
}

impl Budget {
    pub const UNLIMITED: Budget = Budget { soft: Duration::MAX, hard: Duration::MAX };
}

/// Moves the remaining time is spread over when no number is given. With this and
/// the part of the increment that is saved, the clock settles at some ten
/// increments: enough to survive a machine that is busy with something else.
const HORIZON: u32 = 40;
/// Never plan with less than this, however late it is.
const MINIMUM: Duration = Duration::from_millis(1);

impl Limits {
    /// The time these limits allow. `overhead` is lost between us and the clock
    /// with every move.
    pub fn budget(&self, overhead: Duration) -> Budget {
        let mut budget = Budget::UNLIMITED;
        if let Some(clock) = self.clock {
            budget = clock.budget(overhead);
        }
        if let Some(time) = self.move_time {
            budget.soft = budget.soft.min(time);
            budget.hard = budget.hard.min(time);
        }
        budget
    }
}

impl Clock {
    fn budget(&self, overhead: Duration) -> Budget {
        let moves = self.moves_to_go.unwrap_or(HORIZON).clamp(1, 60);
        // Every move still to come costs its overhead, as far as time allows it.
        let usable = self.remaining.saturating_sub(overhead);
        let reserve = (overhead * (moves - 1)).min(usable / 2);
        let share = usable.saturating_sub(reserve) / moves;
        // The increment comes back after the move. An iteration that was begun usually
        // takes longer than planned, so plan with a part of it.
        let soft = share.saturating_add(self.increment * 3 / 8);
        let ceiling = if moves == 1 { usable * 9 / 10 } else { usable / 3 };
        let hard = (soft * 4).min(ceiling).max(MINIMUM);
        Budget { soft: soft.min(hard), hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                        let budget = limits.budget(Duration::from_millis(overhead));
                        let left = Duration::from_millis(remaining.saturating_sub(overhead));
                        assert!(budget.soft <= budget.hard);
                        assert!(budget.hard <= left.max(MINIMUM), "{limits:?} {budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn move_time_is_exact_and_the_tighter_limit_holds() {
        let exact = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let budget = exact.budget(Duration::from_millis(10));
        assert_eq!(budget.hard, Duration::from_millis(100));
        let both = Limits { move_time: Some(Duration::from_millis(5)), ..clock(60_000, 0, None) };
        assert_eq!(both.budget(Duration::ZERO).hard, Duration::from_millis(5));
        assert_eq!(Limits::default().budget(Duration::ZERO), Budget::UNLIMITED);
    }
}
