//! The command line program. Everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    gambeson::cli::run()
}
