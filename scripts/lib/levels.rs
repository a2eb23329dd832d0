//! A program that is fast on any x86-64: cargo calls this instead of rustc
//! (`RUSTC_WORKSPACE_WRAPPER`). It compiles the library for the higher levels of x86-64,
//! too, as crates of other names, and gives all of them to the program, whose `main`
//! chooses. Link-time optimisation leaves each function the instructions it was compiled
//! for, and constants that are in all of them (network, page, tables) in the file once.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Crate and CPU, besides the CPU that all is compiled for.
const LEVELS: [(&str, &str); 2] = [("gambeson_v3", "x86-64-v3"), ("gambeson_v4", "x86-64-v4")];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let rustc = arguments.next().expect("cargo names rustc");
    let mut arguments: Vec<String> = arguments.collect();
    let has = |option: &str, value: &str| {
        arguments.windows(2).any(|pair| pair[0] == option && pair[1] == value)
    };
    if has("--crate-name", "gambeson") && has("--crate-type", "lib") {
        for (name, cpu) in LEVELS {
            // `main` wants these only where PEXT is fast.
            let copy = arguments.iter().map(|argument| match argument.as_str() {
                "gambeson" => name,
                "sliders=\"either\"" => "sliders=\"pext\"",
                other => other,
            });
            // Cargo reads what is said here, and has not asked for copies.
            let mut command = Command::new(&rustc);
            command.args(copy).arg(format!("-Ctarget-cpu={cpu}")).stderr(Stdio::null());
            if !succeeds(&mut command) {
                eprintln!("rustc failed: {command:?}");
                return ExitCode::FAILURE;
            }
        }
    } else if has("--crate-name", "gambeson") && has("--crate-type", "bin") {
        let library = arguments.iter().find_map(|argument| argument.strip_prefix("gambeson="));
        let library = Path::new(library.expect("the program uses the library")).to_owned();
        let file = library.file_name().unwrap_or_default().to_string_lossy();
        for (name, _) in LEVELS {
            let copy = library.with_file_name(file.replacen("gambeson", name, 1));
            arguments.extend(["--extern".to_owned(), format!("{name}={}", copy.display())]);
        }
        arguments.push("--cfg=universal".to_owned());
    }
    if succeeds(Command::new(&rustc).args(&arguments)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
