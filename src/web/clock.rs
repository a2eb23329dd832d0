//! The two chess clocks of a game. Reads no clock itself: whoever asks says what
//! time it is.

use super::players::Player;
use crate::game::LONGEST_CLOCK;
use crate::types::Color;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Default)]
pub(super) struct Clocks {
    /// What is left, where it counts; the running clock's since it was started.
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    pub(super) fn new(players: &[Player; 2]) -> Clocks {
        let controls = players.map(|player| player.clock());
        Clocks {
            left: controls.map(|control| control.map(|control| control.base())),
            increment: controls
                .map(|control| control.map(|control| control.increment()).unwrap_or_default()),
            running: None,
        }
    }

    pub(super) fn left(&self, color: Color, now: Instant) -> Option<Duration> {
        let left = self.left[color.index()]?;
        match self.running {
            Some((running, since)) if running == color => {
                Some(left.saturating_sub(now.saturating_duration_since(since)))
            }
            _ => Some(left),
        }
    }

    pub(super) fn increment(&self, color: Color) -> Duration {
        self.increment[color.index()]
    }

    pub(super) fn running(&self) -> Option<Color> {
        let (color, _) = self.running?;
        self.left[color.index()].and(Some(color))
    }

    /// Lets this clock run from now on, or none.
    pub(super) fn run(&mut self, color: Option<Color>, now: Instant) {
        if color == self.running.map(|(color, _)| color) {
            return;
        }
        if let Some((running, _)) = self.running {
            self.left[running.index()] = self.left(running, now);
        }
        self.running = color.map(|color| (color, now));
    }

    /// `color` has moved: its clock stops and gets its increment.
    pub(super) fn moved(&mut self, color: Color, now: Instant) -> Option<Duration> {
        self.run(None, now);
        let increment = self.increment(color);
        let left = self.left[color.index()].as_mut()?;
        *left = left.saturating_add(increment).min(LONGEST_CLOCK);
        Some(*left)
    }

    /// Sets a clock that exists.
    pub(super) fn set(&mut self, color: Color, to: Duration) {
        if let Some(left) = &mut self.left[color.index()] {
            *left = to.min(LONGEST_CLOCK);
        }
    }

    /// The side whose time is over.
    pub(super) fn flagged(&self, now: Instant) -> Option<Color> {
        self.running().filter(|&color| self.left(color, now) == Some(Duration::ZERO))
    }

    /// When the running clock will be at zero.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let (color, since) = self.running?;
        since.checked_add(self.left[color.index()]?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::players::{GameClock, HUMAN};

    #[test]
    fn runs_stops_and_falls() {
        let timed = Player::Human { clock: Some(GameClock { base: 60.0, increment: 2.0 }) };
        let mut clocks = Clocks::new(&[timed, HUMAN]);
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        clocks.run(Some(Color::White), start);
        assert_eq!(clocks.left(Color::White, at(10)), Some(Duration::from_secs(50)));
        // Saying it again does not start it again.
        clocks.run(Some(Color::White), at(5));
        assert_eq!(clocks.deadline(), Some(at(60)));
        assert_eq!(clocks.moved(Color::White, at(10)), Some(Duration::from_secs(52)));
        clocks.run(Some(Color::Black), at(10));
        assert_eq!((clocks.running(), clocks.deadline()), (None, None));
        assert_eq!(clocks.left(Color::Black, at(99)), None);
        assert_eq!(clocks.moved(Color::Black, at(100)), None);
        clocks.run(Some(Color::White), at(100));
        assert_eq!(clocks.flagged(at(151)), None);
        assert_eq!(clocks.flagged(at(152)), Some(Color::White));
        clocks.run(None, at(152));
        clocks.set(Color::White, Duration::MAX);
        assert_eq!(clocks.left(Color::White, at(152)), Some(LONGEST_CLOCK));
        clocks.run(Some(Color::White), at(152));
        assert!(clocks.deadline().is_some());
        assert_eq!(clocks.moved(Color::White, at(152)), Some(LONGEST_CLOCK));
    }
}
