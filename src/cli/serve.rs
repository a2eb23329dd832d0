//! The conversation on stdin and stdout.

use super::CliError;
use super::subject::Subject;
use crate::protocol::Conversation;
use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

/// Speaks until the other side has had enough. `first` is a line to begin with.
pub fn serve(first: Option<String>) -> Result<ExitCode, CliError> {
    if io::stdin().is_terminal() && first.is_none() {
        println!("{}", greeting());
    }
    conversation()?.run(first, BufReader::new(io::stdin()))?;
    Ok(ExitCode::SUCCESS)
}

/// Four lines for a person at a terminal: what to do next.
fn greeting() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let play = if cfg!(feature = "play") {
        "quit, then gambeson play"
    } else {
        "in a GUI; this build has no board"
    };
    format!(
        "Gambeson {}, a chess engine. To use it in a GUI, add {} there (UCI or xboard)\n\
         Play:     {play}\n\
         Analyse:  position startpos moves e2e4, then go movetime 1000\n\
         Help:     help; quit; gambeson --help lists the other commands",
        env!("CARGO_PKG_VERSION"),
        program.display()
    )
}

/// The words of the command line: a position, a file, or else one command. `uci` and
/// `xboard` begin a conversation, as some programs start engines that way.
pub fn serve_words(words: &[String]) -> Result<ExitCode, CliError> {
    let line = words.join(" ");
    if line == "uci" || line == "xboard" {
        return serve(Some(line));
    }
    match Subject::of(words)? {
        Some(Subject::Position(board)) => {
            let position = format!("position fen {}", board.fen());
            conversation()?.run_lines(&[&position, "d", "go movetime 1000"])?;
            Ok(ExitCode::SUCCESS)
        }
        #[cfg(feature = "play")]
        Some(Subject::Games(text)) => super::play::show(text, &mut io::stdout()),
        #[cfg(not(feature = "play"))]
        Some(Subject::Games(_)) => Err(CliError::NoBoard),
        None => Ok(conversation()?.run_lines(&[&line]).map(|()| ExitCode::SUCCESS)?),
    }
}

fn conversation() -> Result<Conversation, CliError> {
    Conversation::new(Box::new(io::stdout())).map_err(CliError::Memory)
}
