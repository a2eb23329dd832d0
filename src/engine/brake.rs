//! Ends a search as soon as the reader sees the command that will end it, without
//! waiting for the controller to be woken and to get to it.
//!
//! On a busy machine each thread that must be woken first may cost milliseconds. The
//! command itself still goes its usual way: the brake only makes the search come to
//! its end earlier, and what comes of that is decided by the controller, in order.

use super::searching::Purpose;
use crate::search::Control;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Which searches a command ends for certain, and at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Those for an answer: `Command::Stop` follows.
    Answer,
    /// Those for our move in a game: `GameCommand::MoveNow` follows.
    Move,
}

/// Shared by the reader, who pulls it, and the controller, who says what it stops.
#[derive(Debug, Default)]
pub(crate) struct Brake(Mutex<Option<(Halt, Arc<Control>)>>);

impl Brake {
    /// To be called before the command that ends such a search is handed on.
    pub(crate) fn pull(&self, halt: Halt) {
        if let Some((fitted, control)) = &*self.slot()
            && *fitted == halt
        {
            control.stop();
        }
    }

    /// The search under `control` has begun.
    pub(super) fn fit(&self, purpose: Purpose, control: Arc<Control>) {
        *self.slot() = match purpose {
            Purpose::Answer => Some((Halt::Answer, control)),
            Purpose::Play => Some((Halt::Move, control)),
            Purpose::Ponder(_) | Purpose::Analyze | Purpose::Work => None,
        };
    }

    fn slot(&self) -> MutexGuard<'_, Option<(Halt, Arc<Control>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Budget;
    use crate::types::{Move, Square};

    #[test]
    fn only_its_own_command_stops_a_search() {
        let expected = Move::normal(Square::E2, Square::E4);
        for (purpose, halted) in [
            (Purpose::Answer, Some(Halt::Answer)),
            (Purpose::Play, Some(Halt::Move)),
            (Purpose::Ponder(expected), None),
            (Purpose::Analyze, None),
            (Purpose::Work, None),
        ] {
            for halt in [Halt::Answer, Halt::Move] {
                let brake = Brake::default();
                brake.pull(halt);
                let control = Arc::new(Control::new(Budget::UNLIMITED));
                brake.fit(purpose, Arc::clone(&control));
                assert!(!control.is_stopped());
                brake.pull(halt);
                assert_eq!(control.is_stopped(), halted == Some(halt), "{purpose:?} {halt:?}");
            }
        }
    }
}
