//! The conversation on stdin and stdout. This is all the input and output there
//! is around the engine: a thread that reads lines, and the engine's own loop.

use super::CliError;
use crate::engine::{Brake, Engine, Message};
use std::io::{self, BufRead, IsTerminal, Read};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};

/// Longer lines are cut: no command needs more, and memory is finite.
const LONGEST_LINE: u64 = 4 << 20;

/// Speaks until the other side has had enough. `first` is a line to begin with.
pub fn serve(first: Option<String>) -> Result<ExitCode, CliError> {
    let (sender, receiver) = mpsc::channel();
    if io::stdin().is_terminal() && first.is_none() {
        println!(
            "Gambeson {}, a chess engine. Type help, or quit to leave.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let mut engine =
        Engine::new(Box::new(io::stdout()), sender.clone()).map_err(CliError::Memory)?;
    if let Some(line) = first {
        let _ = sender.send(Message::Line(line));
    }
    let brake = engine.brake();
    std::thread::spawn(move || read_lines(&mut io::stdin().lock(), &sender, &brake));
    engine.run(&receiver)?;
    Ok(ExitCode::SUCCESS)
}

/// The words of the command line as one command. `uci` and `xboard` begin a
/// conversation, as some programs start engines that way.
pub fn serve_words(words: &[String]) -> Result<ExitCode, CliError> {
    let line = words.join(" ");
    if line == "uci" || line == "xboard" {
        return serve(Some(line));
    }
    let (sender, receiver) = mpsc::channel();
    let mut engine = Engine::new(Box::new(io::stdout()), sender).map_err(CliError::Memory)?;
    engine.run_one(&line, &receiver)?;
    Ok(ExitCode::SUCCESS)
}

/// Sends every line, and the end of the input. Bytes that are no UTF-8 are
/// replaced and control characters dropped: neither belongs into any command.
fn read_lines(input: &mut dyn BufRead, messages: &Sender<Message>, brake: &Brake) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(count) if count > 0) {
            let _ = messages.send(Message::Eof);
            return;
        }
        let complete = bytes.ends_with(b"\n");
        if !complete && bytes.len() as u64 == LONGEST_LINE {
            skip_line(input);
        }
        let text = String::from_utf8_lossy(&bytes);
        let clean: String = text
            .trim_start_matches('\u{feff}')
            .chars()
            .filter(|&c| c == '\t' || !c.is_control())
            .collect();
        let line = clean.trim();
        brake.listen(line);
        if messages.send(Message::Line(line.to_owned())).is_err() {
            return;
        }
    }
}

fn skip_line(input: &mut dyn BufRead) {
    loop {
        let (used, ended) = match input.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(buffer) => match buffer.iter().position(|&byte| byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (buffer.len(), false),
            },
        };
        input.consume(used);
        if ended {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = mpsc::channel();
        read_lines(&mut io::BufReader::new(input), &sender, &Brake::default());
        drop(sender);
        receiver
            .into_iter()
            .filter_map(|message| match message {
                Message::Line(line) => Some(line),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn cleans_what_arrives() {
        assert_eq!(lines(b"uci\r\n  isready \n"), ["uci", "isready"]);
        assert_eq!(lines(b"\xef\xbb\xbfuci\0\n\xff\xfe go"), ["uci", "\u{fffd}\u{fffd} go"]);
        assert_eq!(lines(b""), Vec::<String>::new());
        let mut long = vec![b'a'; (LONGEST_LINE as usize) * 2 + 7];
        long.extend_from_slice(b"\nuci\n");
        let found = lines(&long);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], "uci");
    }
}
