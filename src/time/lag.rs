//! How late we are: what our moves cost on the clock besides our own search. It shows when
//! the client tells the clock again.

use super::Clock;
use std::time::Duration;

/// A clock told later than this after the move is not compared: somebody stopped it.
const LONGEST: Duration = Duration::from_secs(5);
/// Clients round their clocks: up to this much more than expected is not added time.
const ROUNDING: Duration = Duration::from_millis(20);
/// The usual delay is an average of about this many moves.
const AVERAGED: u32 = 8;
/// The worst delay is forgotten by this share with every move: half of it in 22 moves.
const FORGOTTEN: u32 = 32;

/// Delays to expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Delays {
    /// What the user keeps back for every move.
    pub(crate) overhead: Duration,
    /// Measured, for a usual move.
    pub(crate) usual: Duration,
    /// Measured, the worst of the recent past.
    pub(crate) worst: Duration,
}

/// Measures the delays of the moves of a game, and keeps them for the next game on the
/// same machine.
#[derive(Debug, Default)]
pub(crate) struct LagMeter {
    usual: Duration,
    worst: Duration,
    last: Option<LastMove>,
}

/// Our last move.
#[derive(Debug, Clone, Copy)]
struct LastMove {
    /// How many moves had been made before it by both sides.
    ply: u32,
    /// What should be left on the clock now.
    expected: Duration,
    /// By how much the search was late by our own clock.
    overrun: Duration,
}

impl LagMeter {
    pub(crate) fn delays(&self, overhead: Duration) -> Delays {
        Delays { overhead, usual: self.usual, worst: self.worst }
    }

    /// Our move at `ply` is made. It took so long and should have taken `hard` at most.
    pub(crate) fn moved(&mut self, ply: u32, clock: Clock, took: Duration, hard: Duration) {
        let left = clock.remaining.saturating_sub(took);
        let expected = left.saturating_add(clock.increment);
        self.last = Some(LastMove { ply, expected, overrun: took.saturating_sub(hard) });
    }

    /// The client tells our clock before our move at `ply`.
    pub(crate) fn told(&mut self, ply: u32, remaining: Duration) {
        let Some(last) = self.last.take() else { return };
        // Another game, a move taken back, or time added for the next session.
        if ply != last.ply + 2 || remaining > last.expected.saturating_add(ROUNDING) {
            return;
        }
        let lag = last.expected.saturating_sub(remaining);
        if lag < LONGEST {
            self.note(lag, last.overrun);
        }
    }

    fn note(&mut self, lag: Duration, overrun: Duration) {
        log::debug!("lag {lag:?}, overrun {overrun:?}");
        let late = lag.saturating_add(overrun);
        self.usual = (self.usual * (AVERAGED - 1) + late) / AVERAGED;
        let faded = self.worst * (FORGOTTEN - 1) / FORGOTTEN;
        self.worst = faded.max(late);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{Budget, Limits};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    const MS: Duration = Duration::from_millis(1);

    /// Our clock after the meter heard of a move that took 100 ms of 1 s, and then `told`.
    fn after(told: Duration, ply: u32) -> Delays {
        let mut meter = LagMeter::default();
        let clock = Clock { remaining: 1_000 * MS, increment: 20 * MS, moves_to_go: None };
        meter.moved(10, clock, 100 * MS, 90 * MS);
        meter.told(ply, told);
        meter.delays(Duration::ZERO)
    }

    #[test]
    fn compares_the_clock_with_what_should_be_left() {
        assert_eq!(after(920 * MS, 12).worst, 10 * MS, "the search was late");
        assert_eq!(after(860 * MS, 12).worst, 70 * MS);
        assert_eq!(after(860 * MS, 12).usual, 70 * MS / AVERAGED);
        assert_eq!(after(925 * MS, 12).worst, 10 * MS, "rounded");
    }

    #[test]
    fn another_game_or_session_says_nothing() {
        for (told, ply) in [(860, 14), (860, 10), (1_500, 12), (600_000, 12)] {
            assert_eq!(after(told * MS, ply), Delays::default(), "{told} at {ply}");
        }
    }

    #[test]
    fn a_stall_is_remembered_for_a_while() {
        let mut meter = LagMeter::default();
        meter.note(200 * MS, Duration::ZERO);
        (0..10).for_each(|_| meter.note(Duration::ZERO, Duration::ZERO));
        assert!(meter.worst > 100 * MS);
        (0..200).for_each(|_| meter.note(Duration::ZERO, Duration::ZERO));
        assert!(meter.worst < MS && meter.usual < MS);
    }

    /// Share of the moves in 1/1000, and by how many milliseconds the search and the message
    /// are late. Rounded from delays recorded on a busy machine.
    const BUSY: [(u32, u64, u64); 7] =
        [(250, 0, 1), (100, 4, 0), (60, 8, 3), (25, 13, 5), (12, 16, 7), (6, 23, 0), (2, 0, 28)];
    /// An assumed virtual machine whose host takes the processors away now and then.
    const STALLING: [(u32, u64, u64); 4] = [(60, 2, 6), (20, 25, 0), (10, 0, 60), (4, 0, 110)];

    /// Plays games of 100 moves at this control on such a machine. How many are lost on
    /// time, and the mean time a move takes.
    fn play(
        stalls: &[(u32, u64, u64)],
        base: u64,
        increment: u64,
        measure: bool,
    ) -> (u32, Duration) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut below = |limit: u64| rng.next_u64() % limit;
        let mut meter = LagMeter::default();
        let mut lost = 0;
        let mut thought = Duration::ZERO;
        let mut moves = 0;
        for _ in 0..1_000 {
            let mut clock = Clock {
                remaining: base as u32 * MS,
                increment: increment as u32 * MS,
                moves_to_go: None,
            };
            for ply in (0..200).step_by(2) {
                meter.told(ply, clock.remaining);
                let delays = if measure {
                    meter.delays(10 * MS)
                } else {
                    Delays { overhead: 10 * MS, ..Delays::default() }
                };
                let limits = Limits { clock: Some(clock), ..Limits::default() };
                let Budget { soft, hard } = limits.budget(delays);
                let search = soft.mul_f64(0.3 + below(1_400) as f64 / 1_000.0).min(hard);
                let mut dice = below(1_000) as u32;
                let stall = stalls.iter().find(|&&(share, ..)| {
                    let hit = dice < share;
                    dice = dice.wrapping_sub(share);
                    hit
                });
                let (late, lag) = stall.map_or((0, 0), |&(_, late, lag)| (late, lag));
                let took = search + late as u32 * MS;
                thought += took;
                moves += 1;
                let Some(left) = clock.remaining.checked_sub(took + lag as u32 * MS) else {
                    lost += 1;
                    break;
                };
                meter.moved(ply, clock, took, hard);
                clock.remaining = left + clock.increment;
            }
        }
        (lost, thought / moves)
    }

    #[test]
    fn measured_delays_save_games() {
        let lost = |stalls, base, increment| {
            [false, true].map(|measure| play(stalls, base, increment, measure).0)
        };
        let [without, with] = lost(&STALLING, 500, 10);
        assert!(without > 20 && with < without / 5, "{with} of {without}");
        let [without, with] = lost(&BUSY, 200, 2);
        assert!(without > 500 && with < without * 3 / 4, "{with} of {without}");
        assert_eq!(lost(&BUSY, 500, 10), [0, 0]);
    }

    #[test]
    fn a_quiet_machine_plays_as_if_nothing_were_measured() {
        for (base, increment) in [(500, 10), (2_000, 100), (200, 2)] {
            assert_eq!(play(&[], base, increment, true), play(&[], base, increment, false));
        }
    }
}
