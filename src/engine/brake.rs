//! Ends a search as soon as the reader sees the command that will end it, without
//! waiting for the controller to be woken and to get to it.
//!
//! On a busy machine each thread that must be woken first may cost milliseconds. The
//! command itself still goes its usual way: the brake only makes the search come to
//! its end earlier, and what comes of that is decided by the controller, in order.

use super::searching::Purpose;
use crate::search::Control;
use std::sync::{Arc, Mutex, PoisonError};

/// Shared by the reader, who pulls it, and the controller, who says what it stops.
#[derive(Debug, Default)]
pub struct Brake(Mutex<Option<(&'static str, Arc<Control>)>>);

impl Brake {
    /// To be called with each line of input, before it is handed on.
    pub fn listen(&self, line: &str) {
        if let Some((command, control)) = &*self.slot()
            && line == *command
        {
            control.stop();
        }
    }

    /// The search under `control` has begun. Only what a command ends for certain, and
    /// at once, may be stopped ahead of that command.
    pub(super) fn fit(&self, purpose: Purpose, control: Arc<Control>) {
        *self.slot() = match purpose {
            Purpose::Answer => Some(("stop", control)),
            Purpose::Play => Some(("?", control)),
            Purpose::Ponder(_) | Purpose::Analyze | Purpose::Work => None,
        };
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<(&'static str, Arc<Control>)>> {
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
        for (purpose, line, stops) in [
            (Purpose::Answer, "stop", true),
            (Purpose::Answer, "?", false),
            (Purpose::Answer, "stopp", false),
            (Purpose::Play, "?", true),
            (Purpose::Play, "stop", false),
            (Purpose::Ponder(expected), "?", false),
            (Purpose::Analyze, "?", false),
            (Purpose::Work, "stop", false),
        ] {
            let brake = Brake::default();
            brake.listen(line);
            let control = Arc::new(Control::new(Budget::UNLIMITED));
            brake.fit(purpose, Arc::clone(&control));
            brake.listen("isready");
            assert!(!control.is_stopped());
            brake.listen(line);
            assert_eq!(control.is_stopped(), stops, "{purpose:?} {line}");
        }
    }
}
