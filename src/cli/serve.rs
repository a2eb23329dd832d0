//! The conversation on stdin and stdout.

use super::CliError;
use crate::protocol::Conversation;
use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

/// Speaks until the other side has had enough. `first` is a line to begin with.
pub fn serve(first: Option<String>) -> Result<ExitCode, CliError> {
    if io::stdin().is_terminal() && first.is_none() {
        println!(
            "Gambeson {}, a chess engine. Type help, or quit to leave.",
            env!("CARGO_PKG_VERSION")
        );
    }
    conversation()?.run(first, BufReader::new(io::stdin()))?;
    Ok(ExitCode::SUCCESS)
}

/// The words of the command line as one command. `uci` and `xboard` begin a
/// conversation, as some programs start engines that way.
pub fn serve_words(words: &[String]) -> Result<ExitCode, CliError> {
    let line = words.join(" ");
    if line == "uci" || line == "xboard" {
        return serve(Some(line));
    }
    conversation()?.run_one(&line)?;
    Ok(ExitCode::SUCCESS)
}

fn conversation() -> Result<Conversation, CliError> {
    Conversation::new(Box::new(io::stdout())).map_err(CliError::Memory)
}
