//! The command line program. Everything it does lives in the library.

use std::process::ExitCode;

#[cfg(not(universal))]
fn main() -> ExitCode {
    gambeson::cli::run()
}

/// `scripts/lib/levels.rs` has compiled the library for each level of x86-64.
#[cfg(universal)]
fn main() -> ExitCode {
    match gambeson::cpu::level() {
        4.. => gambeson_v4::cli::run(),
        3 => gambeson_v3::cli::run(),
        _ => gambeson::cli::run(),
    }
}
