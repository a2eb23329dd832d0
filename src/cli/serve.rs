//! The conversation on stdin and stdout.

use super::CliError;
use super::subject::Subject;
use crate::board::Board;
use crate::engine::command::{Command, GoRequest, Problem};
use crate::protocol::uci::Uci;
use crate::protocol::{Conversation, Protocol, clean};
use clap::CommandFactory;
use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

/// UCI commands that are of use on their own.
const UCI_WORDS: [&str; 6] = ["uci", "xboard", "go", "d", "eval", "help"];
/// From here on two words may be meant to be the same, as clap has it.
const ALIKE: f64 = 0.75;

/// Speaks until the other side has had enough. `first` is a line to begin with.
pub(crate) fn serve(first: Option<String>) -> Result<ExitCode, CliError> {
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
pub(crate) fn serve_words(words: &[String]) -> Result<ExitCode, CliError> {
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
        None => match refusal(&line) {
            Some(Problem::UnknownCommand(_)) => {
                let (word, meant) = (words.first().cloned().unwrap_or_default(), meant(words));
                Err(CliError::UnknownCommand { word, meant })
            }
            Some(problem) => Err(CliError::Refused(problem)),
            None => Ok(conversation()?.run_lines(&[&line]).map(|()| ExitCode::SUCCESS)?),
        },
    }
}

/// Why this command cannot be carried out. A GUI is told and goes on; here it is an error.
fn refusal(line: &str) -> Option<Problem> {
    let line = clean(line);
    if line.starts_with("protover") {
        return None;
    }
    match Uci::default().parse(&line, Some(&Board::startpos())) {
        Err(problem) | Ok(Some(Command::SetPosition(Err(problem)))) => Some(problem),
        Ok(Some(Command::Go(GoRequest { refused: Some(reason), .. }))) => {
            Some(Problem::BadArgument { command: "go".to_owned(), reason })
        }
        Ok(_) => None,
    }
}

/// What somebody who mistyped a command probably wanted, as the end of a sentence.
fn meant(words: &[String]) -> String {
    let word = words.first().map(String::as_str).unwrap_or_default();
    let command = super::Cli::command();
    let known = command.get_subcommands().map(clap::Command::get_name).chain(UCI_WORDS);
    let likeness = |other: &&str| strsim::jaro(word, other);
    let best = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match best.filter(|best| likeness(best) > ALIKE) {
        Some(best) => format!("; did you mean {best}?"),
        None => "; gambeson --help lists all commands".to_owned(),
    }
}

fn conversation() -> Result<Conversation, CliError> {
    Conversation::new(Box::new(io::stdout())).map_err(CliError::Memory)
}
