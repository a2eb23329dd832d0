//! Signals of the operating system.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Survives SIGINT from now on: xboard sends it before its commands unless it was told
/// not to, for which version 1 of its protocol has no word. Whoever types at a terminal
/// still ends the program with it.
pub(crate) fn ignore_interrupt() {
    if io::stdin().is_terminal() {
        return;
    }
    // The flag that the handler sets is of no interest; that there is one is.
    let flag = Arc::new(AtomicBool::new(false));
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, flag) {
        log::warn!("SIGINT cannot be ignored: {error}");
    }
}
