//! How a search is told to end. Made anew for each search by the thread that will
//! stop it, so that a stop can neither be lost nor hit the next search.

use crate::time::Budget;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// While set, no time limit holds.
    waiting: AtomicBool,
    /// Microseconds after `start`.
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Control {
    /// A search that may take as long as `budget` says from now on.
    pub fn new(budget: Budget) -> Control {
        Control {
            start: Instant::now(),
            stop: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            soft: AtomicU64::new(micros(budget.soft)),
            hard: AtomicU64::new(micros(budget.hard)),
        }
    }

    /// A search without time limits until [`Control::start_clock`] sets them.
    pub fn pondering() -> Control {
        let control = Control::new(Budget::UNLIMITED);
        control.waiting.store(true, Ordering::Relaxed);
        control
    }

    /// Makes the limits of `budget` hold, counted from now.
    pub fn start_clock(&self, budget: Budget) {
        let now = self.elapsed();
        self.soft.store(micros(now.saturating_add(budget.soft)), Ordering::Relaxed);
        self.hard.store(micros(now.saturating_add(budget.hard)), Ordering::Relaxed);
        self.waiting.store(false, Ordering::Release);
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for work that knows no more than to look at it.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether it is too late to begin another iteration.
    pub fn past_soft_limit(&self) -> bool {
        self.past(&self.soft)
    }

    /// Whether it is time to break off.
    pub fn past_hard_limit(&self) -> bool {
        self.past(&self.hard)
    }

    fn past(&self, limit: &AtomicU64) -> bool {
        !self.waiting.load(Ordering::Acquire)
            && micros(self.elapsed()) >= limit.load(Ordering::Relaxed)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pondering_knows_no_time() {
        let control = Control::pondering();
        let none = Budget { soft: Duration::ZERO, hard: Duration::ZERO };
        assert!(!control.past_hard_limit());
        control.start_clock(none);
        assert!(control.past_soft_limit() && control.past_hard_limit());
        assert!(!Control::new(Budget::UNLIMITED).past_hard_limit());
    }
}
