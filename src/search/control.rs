//! Stop flag and time limits of a search. Created for each search by the thread that will
//! stop it, so that a stop can neither be lost nor hit the next search.

use crate::time::Budget;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often [`Control::linger`] polls.
const LINGER_STEP: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(crate) struct Control {
    start: Instant,
    stop: AtomicBool,
    /// While set, no time limit holds.
    waiting: AtomicBool,
    /// When the clock began to run, and the limits from then on, in microseconds.
    clock_start: AtomicU64,
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Control {
    /// A search that may take as long as `budget` says from now on.
    pub(crate) fn new(budget: Budget) -> Control {
        Control {
            start: Instant::now(),
            stop: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            clock_start: AtomicU64::new(0),
            soft: AtomicU64::new(micros(budget.soft)),
            hard: AtomicU64::new(micros(budget.hard)),
        }
    }

    /// As if it had begun earlier.
    #[cfg(test)]
    pub(super) fn started(mut self, ago: Duration) -> Control {
        self.start = self.start.checked_sub(ago).expect("the machine runs for longer");
        self
    }

    /// A search without time limits until [`Control::start_clock`] sets them.
    pub(crate) fn pondering() -> Control {
        let control = Control::new(Budget::UNLIMITED);
        control.waiting.store(true, Ordering::Relaxed);
        control
    }

    /// Makes the limits of `budget` hold, counted from now.
    pub(crate) fn start_clock(&self, budget: Budget) {
        self.clock_start.store(micros(self.elapsed()), Ordering::Relaxed);
        self.soft.store(micros(budget.soft), Ordering::Relaxed);
        self.hard.store(micros(budget.hard), Ordering::Relaxed);
        self.waiting.store(false, Ordering::Release);
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for code that knows nothing of searches.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The planned time of a search, from the start of its clock.
    pub(crate) fn planned(&self) -> Duration {
        let limits = [&self.soft, &self.hard].map(|limit| limit.load(Ordering::Relaxed));
        Duration::from_micros(limits[0].min(limits[1]))
    }

    /// Whether it is too late to start another iteration if this search may take `scale`
    /// times the planned time.
    pub(crate) fn past_soft_limit(&self, scale: f64) -> bool {
        let planned = self.soft.load(Ordering::Relaxed);
        self.past((planned as f64 * scale) as u64)
    }

    /// Whether the search must stop now.
    pub(crate) fn past_hard_limit(&self) -> bool {
        self.past(self.hard.load(Ordering::Relaxed))
    }

    /// Waits until `share` of the planned time is over, but not beyond the hard limit or a
    /// stop. Does not wait without a time limit.
    pub(crate) fn linger(&self, share: f64) {
        let over = || {
            let unlimited = self.soft.load(Ordering::Relaxed) == u64::MAX;
            !self.waiting.load(Ordering::Acquire) && unlimited
                || self.past_soft_limit(share)
                || self.past_hard_limit()
        };
        while !self.is_stopped() && !over() {
            std::thread::sleep(LINGER_STEP);
        }
    }

    fn past(&self, limit: u64) -> bool {
        !self.waiting.load(Ordering::Acquire)
            && micros(self.elapsed()) - self.clock_start.load(Ordering::Relaxed) >= limit
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
        assert!(control.past_soft_limit(1.0) && control.past_hard_limit());
        assert!(!Control::new(Budget::UNLIMITED).past_hard_limit());
    }

    #[test]
    fn lingers_for_a_share_of_the_plan() {
        let planned = Duration::from_millis(40);
        let control = Control::new(Budget { soft: planned, hard: 4 * planned });
        control.linger(0.5);
        assert!(control.elapsed() >= planned / 2);
        // None of these would come back in time if it waited.
        Control::new(Budget { soft: planned, hard: planned }).linger(1e6);
        Control::new(Budget::UNLIMITED).linger(1.0);
        let stopped = Control::pondering();
        stopped.stop();
        stopped.linger(1.0);
    }
}
